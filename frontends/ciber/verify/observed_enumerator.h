#pragma once

#include <functional>
#include <memory>

#include "solver/enumerator.h"

namespace wmi::frontends {

/// An enumerator that shows each cell of the problems of some dimension to an observer, which may be
/// called from several threads, before it hands it out. The inner one must outlive it.
class ObservedEnumerator final : public Enumerator {
 public:
  using Observer = std::function<void(const Cell&)>;

  ObservedEnumerator(const Enumerator& inner, std::size_t reals, Observer observer)
      : inner_(inner), reals_(reals), observer_(std::move(observer)) {}

  bool in_doubles(const Problem& problem, std::span<const Goal> goals) const override {
    return inner_.in_doubles(problem, goals);
  }
  SearchCounts counts() const override { return inner_.counts(); }
  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop) const override {
    return observed(problem, inner_.start(problem, goals, std::move(stop)));
  }
  std::unique_ptr<Cells> start_above(const LeaveOpen& leave_open, const Problem& problem,
                                     std::span<const Goal> goals,
                                     std::stop_token stop) const override {
    return observed(problem, inner_.start_above(leave_open, problem, goals, std::move(stop)));
  }
  std::unique_ptr<Cells> start_at(const SearchPath& path, const Problem& problem,
                                  std::span<const Goal> goals,
                                  std::stop_token stop) const override {
    return observed(problem, inner_.start_at(path, problem, goals, std::move(stop)));
  }

 private:
  std::unique_ptr<Cells> observed(const Problem& problem, std::unique_ptr<Cells> cells) const;

  const Enumerator& inner_;
  const std::size_t reals_;
  const Observer observer_;
};

}  // namespace wmi::frontends
