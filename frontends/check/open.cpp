// OPEN: what a place may add that was not searched. No more than its volume times the ranges of
// weight and term, wherever the formula holds there. Of a density it adds nothing where the term
// does not come to the value.

#include <map>

#include "frontends/check/leaf.h"
#include "frontends/check/weight.h"

namespace wmi::check {
namespace {

/// Intervals that hold all values of terms on a cell, whatever is not known there.
///
/// A term that is known, and affine, has the range that its vertices give it; any other, what
/// interval arithmetic makes of the reals and of the choices (`ite`) that it is a polynomial in. A
/// choice may be either of its sides, if it is not known which.
class Ranges {
 public:
  /// Both must outlive this. Choices that others are made of come before these.
  Ranges(const CheckState& here, const Cell& cell) : path_(here.path), cell_(cell) {
    const Terms& terms = here.problem.terms;
    for (std::uint32_t node = 0; node < terms.size(); ++node) {
      if (terms.node(node).kind != Kind::definition) continue;
      const auto& [variable, condition, then, otherwise] = terms.definition(terms.node(node).index);
      const Truth holds = path_.truth(condition);
      const std::optional<Interval> one = range(holds == Truth::no ? otherwise : then),
                                    other = range(holds == Truth::yes ? then : otherwise);
      choices_[variable] = one && other ? std::optional(hull(*one, *other)) : std::nullopt;
    }
  }

  /// Throws Rejected where it has reals that are no coordinates of the cell.
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

/// The sum of the weights over the Booleans that are not decided, at most, where the formula may
/// hold for some of their values only. So what is above 0 and what is below are added up apart, as
/// p + n j with j^2 = 1; the value for a j. A weight that hangs on an undecided Boolean alone
/// counts where it holds; others that are not known may be 1 as well.
Rational total_weight(CheckState& here, const Ranges& ranges, int j) {
  const auto waits_for = [&](const Weight& weight) {
    const Node& node = here.problem.terms.node(weight.condition.node());
    const bool waits =
        node.kind == Kind::boolean && here.path.truth(weight.condition) == Truth::unknown;
    return Set(waits ? Integer(1) << node.index : Integer());
  };
  const auto factor = [&](const Weight& weight) {
    Interval range = hull(ranges.of(weight.value), Rational(0));
    if (here.path.truth(weight.condition) == Truth::unknown) range = hull(range, Rational(1));
    return Polynomial(range.upper - j * range.lower);
  };
  return summed(here.path, here.part.weights, here.undecided(), waits_for, factor).constant_term();
}

}  // namespace

/// The term may have another value for each value of the Booleans, and is a factor like the others:
/// the values for j = 1 and j = -1 say what p and n are.
void check_open(CheckState& here) {
  on_cell(here, [&](Cell& cell) {
    ++here.counts.open;
    here.path.require_pinned();
    const Ranges ranges(here, cell);
    const Rational half = cell.integrals({1})[0] / 2, sum = half * total_weight(here, ranges, 1),
                   difference = half * total_weight(here, ranges, -1);
    for (const std::size_t i : members(here.part.active)) {
      Goal& goal = here.part.goals[i];
      if (here.path.any_false(goal.conditions)) continue;
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
