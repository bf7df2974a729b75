#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"

namespace wmi::encoders {

/// Between which affine functions of the unknowns the units of a network lie, over the whole box.
///
/// Interval bounds forget that two units grow with the same unknown; these remember. The larger of
/// two values, a and b with l <= a - b <= u, lies below the chord of max over [l, u], and above a,
/// b or anything between: three ways to choose, of which for each value that is bounded the best
/// one counts. Coefficients are rounded outwards to doubles, so that numbers do not grow with the
/// depth.
class LinearBounds {
 public:
  /// The unknowns are the first variables. Many of them would make bounds expensive; then there are
  /// none.
  explicit LinearBounds(std::vector<Interval> box) : box_(std::move(box)) {}

  /// A range of the polynomial; nothing where these bounds have nothing to add. `range` bounds
  /// any product of variables.
  std::optional<Interval> range(const Polynomial& polynomial,
                                const std::function<Interval(const Monomial&)>& range) const;

  /// Remembers that the variable is the larger of a and b, whose difference has this range.
  void add_larger(Variable variable, const Polynomial& a, const Polynomial& b,
                  const Interval& difference,
                  const std::function<Interval(const Monomial&)>& range);

 private:
  struct Form {
    std::vector<Rational> coefficients;  // of the unknowns
    Rational constant;
  };
  struct Bounds {
    Form lower, upper;
  };
  static constexpr std::size_t ways = 3, most_unknowns = 32;

  Form bound(std::size_t way, const Polynomial& polynomial, bool above,
             const std::function<Interval(const Monomial&)>& range) const;
  void round(Form& form, bool above) const;
  /// The largest value over the box, or the least.
  Rational extreme(const Form& form, bool above) const;

  std::vector<Interval> box_;
  std::array<std::map<Variable, Bounds>, ways> units_;
};

}  // namespace wmi::encoders
