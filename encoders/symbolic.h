#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoders/linear_bounds.h"
#include "encoders/network.h"
#include "encoders/sign_filter.h"
#include "encoders/symbolic_value.h"
#include "encoders/tensor.h"
#include "solver/terms/interval.h"
#include "solver/terms/problem.h"
#include "solver/terms/query.h"

namespace wmi::encoders {

/// The meaning of a network in terms of a problem: entries are polynomials over its unknowns and
/// over defined reals, one for each unit whose sign depends on the unknowns.
///
/// A maximum becomes a definition (two guarded cases, no new dimension), unless interval or linear
/// bounds decide it. Dropout becomes a Boolean for each entry. A product of two unknowns is a
/// polynomial of degree 2; it is refused in a maximum or a comparison, naming both.
class SymbolicAlgebra {
 public:
  using Value = SymbolicValue;

  /// Running the network adds terms to the problem, and dropout adds weights. `unknowns` are
  /// variables of the problem, by tensor and number of the entry; `ranges` has the range of each
  /// declared variable. With `all_units`, each maximum that is not of numbers is a definition, even
  /// if bounds decide it.
  SymbolicAlgebra(const Network& network, Problem& problem,
                  const std::map<std::string, std::map<std::size_t, Polynomial>>& unknowns,
                  const std::vector<Interval>& ranges, bool all_units = false)
      : network_(network),
        problem_(problem),
        unknowns_(unknowns),
        ranges_(ranges.begin(), ranges.end()),
        bounds_(ranges),
        all_units_(all_units) {
    for (Variable i = 0; i < ranges.size(); ++i) filter_.set_range(i, ranges[i]);
  }

  void enter(std::string_view layer) {
    layer_ = layer;
    rounds_ = 0;
  }

  Shape shape(const Value& x) const { return x.shape(); }
  Value constant(const Shape& shape, const Rational& c) const;
  bool has_parameter(std::string_view name) const;
  Value parameter(std::string_view name) const;

  Value add(const Value& x, const Value& y) const;
  Value scale(const Rational& c, const Value& x) const;
  Value multiply(const Value& x, const Value& y) const;
  Value matrix(const Value& x, const Value& y) const;
  Value gather(const Value& x, const std::vector<std::size_t>& entries, const Shape& shape) const;

  Value max(const Value& x, const Value& y);
  Value at_least_zero(const Value& x);
  Value mask(const Value& x, const Rational& keep);
  /// The same masks for both.
  std::pair<Value, Value> mask_both(const Value& x, const Value& y, const Rational& keep);
  Value inverse_root(const Value& x, const Rational& c) const;
  Value reciprocal(const Value& x) const;

  /// Names of defined reals after units, such as `relu1[4]`. The unit is on where the first
  /// argument of a maximum is the larger, the argument of a step is not negative, or dropout keeps
  /// the entry. The real may be an intermediate value of the unit rather than its output.
  const std::map<Variable, UnitName>& names() const { return names_; }
  /// An enclosure of all values of a polynomial.
  Interval range(const Polynomial& polynomial) const;

 private:
  std::string full_name(std::string_view name) const { return layer_ + "." + std::string(name); }
  /// The polynomial itself; throws Error if it has a product of unknowns.
  const Polynomial& linear(const Polynomial& polynomial) const;
  /// A function of numbers, entry by entry. Throws Error, with the reason, for an unknown.
  Value of_numbers(const Value& x, const std::string& reason,
                   const std::function<Rational(const Rational&)>& function) const;
  /// The name of the variable in messages.
  std::string name_of(Variable variable) const;
  /// A Boolean that holds with probability `keep`, named after an entry of the layer.
  Formula declare_mask(const std::string& name, const Rational& keep);
  /// Names the result of a choice, if it is a new variable. The unit is on where the choice is
  /// `on`.
  void remember(const Polynomial& choice, const std::string& name, const Polynomial& on);
  /// The range of an unknown, or the hull of both cases of a definition.
  const Interval& range_of(Variable variable) const;
  void set_range(Variable variable, const Interval& range) const;
  Interval range_of(const Monomial& monomial) const;

  const Network& network_;
  Problem& problem_;
  const std::map<std::string, std::map<std::size_t, Polynomial>> unknowns_;
  mutable std::vector<std::optional<Interval>> ranges_;  // of each variable, as far as known
  mutable SignFilter filter_;                            // with the same ranges
  LinearBounds bounds_;
  bool all_units_;
  std::map<Variable, UnitName> names_;
  std::string layer_;
  unsigned rounds_ = 0;  // calls of `max` in this layer
};

static_assert(Algebra<SymbolicAlgebra>);

}  // namespace wmi::encoders
