#include "solver/enumerators/threshold.h"

namespace wmi {

bool Threshold::covers(const Rational& most, const ProductRegion& region,
                       const std::function<Rational()>& volume) const {
  if (!least) return true;
  Rational box = most;
  for (Variable i = 0; i < region.dimension(); ++i) {
    const Interval side = *region.range(LinearForm(Polynomial::variable(i)));
    box *= side.upper - side.lower;
  }
  return box <= *least || (region.block_count() < region.dimension() && most * volume() <= *least);
}

void Narrowing::lower(std::size_t cells, const Rational& left_open) {
  constexpr unsigned most_shift = 64;
  std::optional<Rational>& least = threshold_->least;
  if (least && cells <= cells_ + cells_ / 2) shift_ *= 2;
  cells_ = cells;
  if (!least) least = left_open;
  mpq_div_2exp(least->get_mpq_t(), least->get_mpq_t(), shift_);
  if (shift_ > most_shift) threshold_.reset();
}

}  // namespace wmi
