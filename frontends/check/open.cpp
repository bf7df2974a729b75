// OPEN: bounds on the integrals over a region that was not searched: its volume times the ranges of
// weight and term, wherever the formula holds there. A density gets no contribution if the range of
// the term does not contain the value.

#include <map>

#include "frontends/check/leaf.h"
#include "frontends/check/weight.h"

namespace wmi::check {
namespace {

/// Enclosures of all values of terms on a cell, with undecided formulas.
///
/// The range of a known affine term follows from the vertices; that of any other, by interval
/// arithmetic, from the ranges of its reals and choices (`ite`). An undecided choice may have the
/// value of either branch.
class Ranges {
 public:
  /// Both must outlive this. Choices are visited before those that contain them.
  Ranges(const CheckState& state, const Cell& cell) : path_(state.path), cell_(cell) {
    const Terms& terms = state.problem.terms;
    for (std::uint32_t node = 0; node < terms.size(); ++node) {
      if (terms.node(node).kind != Kind::definition) continue;
      const auto& [real, condition, then, otherwise, _] = terms.definition(terms.node(node).index);
      const Truth holds = path_.truth(condition);
      const std::optional<Interval> one = range(holds == Truth::no ? otherwise : then),
                                    other = range(holds == Truth::yes ? then : otherwise);
      choices_[real] = one && other ? std::optional(hull(*one, *other)) : std::nullopt;
    }
  }

  /// Throws Rejected if it has reals that are not coordinates of the cell.
  Interval of(const Polynomial& polynomial) const {
    if (const std::optional<Interval> result = range(polynomial)) return *result;
    throw Rejected("a term has reals that are not bounded where a place is left open");
  }

 private:
  std::optional<Interval> range(const Polynomial& polynomial) const {
    if (path_.known(polynomial))
      if (const Polynomial value = path_.value(polynomial); value.degree() <= 1)
        return cell_.range(LinearForm(value));
    Interval result;
    for (const Polynomial::Term& term : polynomial.terms()) {
      Interval product(term.coefficient);
      for (const auto& [variable, exponent] : term.monomial) {
        const auto choice = choices_.find(variable);
        const std::optional<Interval> base =
            choice != choices_.end()
                ? choice->second
                : cell_.range(LinearForm(path_.value(Polynomial::variable(variable))));
        if (!base) return std::nullopt;
        product = product * power(*base, exponent);
      }
      result += product;
    }
    return result;
  }

  const Path& path_;
  const Cell& cell_;
  std::map<Variable, std::optional<Interval>> choices_;
};

/// A bound on the sum of the weights over the undecided Booleans, where the formula may hold for
/// some of their values only. Positive and negative parts are therefore summed separately, as
/// p + n j with j^2 = 1; this is the value for a given j. A weight that depends on an undecided
/// Boolean alone counts where its condition holds; other undecided weights may be 1 as well.
Rational total_weight(CheckState& state, const Ranges& ranges, int j) {
  const auto needs = [&](const Weight& weight) {
    const Node& node = state.problem.terms.node(weight.condition.node());
    const bool waits =
        node.kind == Kind::boolean && state.path.truth(weight.condition) == Truth::unknown;
    return Set(waits ? Integer(1) << node.index : Integer());
  };
  const auto factor = [&](const Weight& weight) {
    Interval range = hull(ranges.of(weight.value), Rational(0));
    if (state.path.truth(weight.condition) == Truth::unknown) range = hull(range, Rational(1));
    return Polynomial(range.upper - j * range.lower);
  };
  return summed(state.path, state.part.weights, state.undecided(), needs, factor).constant_term();
}

}  // namespace

/// The term may depend on the Booleans, so it is a factor like the weights. The values for j = 1
/// and j = -1 determine p and n.
void check_open(CheckState& state) {
  on_cell(state, [&](Cell& cell) {
    ++state.counts.open;
    state.path.require_pinned();
    const Ranges ranges(state, cell);
    const Rational half = cell.integrals({1})[0] / 2, sum = half * total_weight(state, ranges, 1),
                   difference = half * total_weight(state, ranges, -1);
    for (const std::size_t i : members(state.part.active)) {
      Goal& goal = state.part.goals[i];
      if (state.path.any_false(goal.conditions)) continue;
      const Interval term = ranges.of(goal.term);
      const auto [lower, upper] = hull(power(term, goal.order), Rational(0));
      const Rational all = sum * (upper - lower), rest = difference * (upper + lower);
      if (!goal.at)
        goal.sum.add(Interval(rest - all, rest + all));
      else if (term.contains(*goal.at))
        goal.unbounded = true;
    }
  });
}

}  // namespace wmi::check
