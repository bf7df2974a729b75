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

/// Affine functions of the unknowns that bound the units of a network over the whole box (cf. Zhang
/// et al., "Efficient neural network robustness certification with general activation functions",
/// 2018).
///
/// Unlike interval bounds, they keep the dependence of units on common unknowns. The maximum of a
/// and b, with l <= a - b <= u, lies below the chord of max over [l, u], and above a, b and
/// anything between. Three choices of the lower bound are followed in parallel, and the best one
/// counts for each value. Coefficients are rounded outwards to doubles, so that numbers do not grow
/// with the depth.
class LinearBounds {
 public:
  /// The unknowns are the first variables. There are no bounds if there are many unknowns, as they
  /// would be expensive.
  explicit LinearBounds(std::vector<Interval> box) : box_(std::move(box)) {}

  /// A range of the polynomial; nullopt if these bounds do not apply. `range` bounds any product of
  /// variables.
  std::optional<Interval> range(const Polynomial& polynomial,
                                const std::function<Interval(const Monomial&)>& range) const;

  /// Adds bounds for a variable that is max(a, b), where a - b has this range.
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
  static constexpr std::size_t choices = 3, most_unknowns = 32;

  /// A bound of the polynomial times a factor above 0.
  Form bound(std::size_t choice, const Polynomial& polynomial, bool above,
             const std::function<Interval(const Monomial&)>& range,
             const Rational& factor = 1) const;
  void round(Form& form, bool above) const;
  /// The maximum over the box, or the minimum.
  Rational extreme(const Form& form, bool above) const;

  std::vector<Interval> box_;
  std::array<std::map<Variable, Bounds>, choices> units_;
};

}  // namespace wmi::encoders
