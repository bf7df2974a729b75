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
  std::unique_ptr<Cells> fork() override {
    std::unique_ptr<Cells> half = inner_->fork();
    return half ? std::make_unique<ObservedCells>(std::move(half), observer_) : nullptr;
  }
  std::optional<std::vector<Cell>> rest() override { return inner_->rest(); }

 private:
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
