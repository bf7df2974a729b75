#include "frontends/ciber/verify/observed_enumerator.h"

#include <utility>

namespace wmi::frontends {
namespace {

class ObservedCells final : public Cells {
 public:
  ObservedCells(std::unique_ptr<Cells> inner, const ObservedEnumerator::Observer& observer)
      : inner_(std::move(inner)), observer_(observer) {}

  std::optional<Cell> next() override {
    std::optional<Cell> cell = inner_->next();
    if (cell) observer_(*cell);
    return cell;
  }
  std::optional<Cell> found() override {
    std::optional<Cell> cell = inner_->found();
    if (cell) observer_(*cell);
    return cell;
  }
  std::unique_ptr<Cells> fork() override { return half(inner_->fork()); }
  std::unique_ptr<Cells> divide() override { return half(inner_->divide()); }
  std::optional<std::vector<Cell>> rest() override { return inner_->rest(); }
  std::optional<SearchTree> tree() const override { return inner_->tree(); }

 private:
  std::unique_ptr<Cells> half(std::unique_ptr<Cells> cells) const {
    return cells ? std::make_unique<ObservedCells>(std::move(cells), observer_) : nullptr;
  }

  const std::unique_ptr<Cells> inner_;
  const ObservedEnumerator::Observer& observer_;
};

}  // namespace

std::unique_ptr<Cells> ObservedEnumerator::observed(const Problem& problem,
                                                    std::unique_ptr<Cells> cells) const {
  if (problem.integrated.size() != reals_) return cells;
  return std::make_unique<ObservedCells>(std::move(cells), observer_);
}

}  // namespace wmi::frontends
