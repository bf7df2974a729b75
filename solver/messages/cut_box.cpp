#include "solver/messages/cut_box.h"

#include <algorithm>
#include <functional>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/terms/caps.h"

namespace wmi {
namespace {

/// Bounds that formulas imply, as long as all of them are bounds of linear forms.
class Bounds {
 public:
  explicit Bounds(const Problem& problem)
      : terms_(problem.terms), sides_(problem.integrated.size()) {}

  /// Conjunctions, and comparisons of declared reals; false for anything else.
  bool add(Formula formula) {
    std::vector<Formula> open = {formula};
    while (!open.empty()) {
      const Formula part = open.back();
      open.pop_back();
      const Node& node = terms_.node(part.node());
      if (part == truth) continue;
      if (node.kind == Kind::conjunction && !part.negated())
        open.insert(open.end(), node.children.begin(), node.children.end());
      else if (node.kind != Kind::atom || !add(terms_.atom(node.index), part.negated()))
        return false;
    }
    return true;
  }

  /// If every real has two bounds, with something in between.
  std::optional<CutBox> box() const {
    CutBox result;
    for (const auto& [lower, upper] : sides_) {
      if (!lower || !upper || *lower >= *upper) return std::nullopt;
      result.sides.emplace_back(*lower, *upper);
    }
    result.cuts = cuts_;
    result.weights.assign(sides_.size(), Polynomial(1));
    return result;
  }

 private:
  bool add(const Atom& atom, bool negated) {
    const auto& coefficients = atom.form.coefficients;
    if (atom.comparison == Comparison::equal || coefficients.empty() ||
        std::ranges::any_of(coefficients, [&](const auto& entry) {
          return entry.first >= sides_.size() || terms_.defining_node(entry.first) != 0;
        }))
      return false;
    LinearForm form = atom.form;  // at most 0 if the first coefficient is positive
    const Rational first = coefficients[0].second;
    for (auto& entry : form.coefficients) entry.second /= first;
    const Rational bound = -form.constant / first;
    form.constant = 0;
    auto& [lower, upper] =
        coefficients.size() == 1 ? sides_[coefficients[0].first] : ends_of(std::move(form));
    const bool from_above = (first > 0) != negated;
    if (from_above && (!upper || bound < *upper)) upper = bound;
    if (!from_above && (!lower || bound > *lower)) lower = bound;
    return true;
  }

  CutBox::Ends& ends_of(LinearForm form) {
    for (CutBox::Cut& cut : cuts_)
      if (cut.form == form) return cut.ends;
    cuts_.push_back({std::move(form), {}});
    return cuts_.back().ends;
  }

  const Terms& terms_;
  std::vector<CutBox::Ends> sides_;
  std::vector<CutBox::Cut> cuts_;
};

/// P(S <= upper) - P(S <= lower), of which one may be missing.
Interval between(const IndependentSum& sum, const CutBox::Ends& ends, unsigned digits) {
  if (!ends.lower) return sum.cdf(*ends.upper, digits, Relative::to_value);
  if (!ends.upper) return sum.survival(*ends.lower, digits, Relative::to_value);
  // Whichever tail has less to cancel.
  if (*ends.lower + *ends.upper > 2 * sum.mean())
    return sum.survival(*ends.lower, digits, Relative::to_value) -
           sum.survival(*ends.upper, digits, Relative::to_value);
  return sum.cdf(*ends.upper, digits, Relative::to_value) -
         sum.cdf(*ends.lower, digits, Relative::to_value);
}

}  // namespace

Rational CutBox::integral_over_side(Variable real) const {
  const auto& [lower, upper] = sides[real];
  Rational result;
  for (const Polynomial::Term& term : weights[real].terms()) {
    const unsigned n = degree(term.monomial) + 1;
    result += term.coefficient * (power(upper, n) - power(lower, n)) / n;
  }
  return result;
}

std::optional<CutBox> cut_box(const Problem& problem, const Goal& goal) {
  if (!goal.plain() || !std::ranges::all_of(goal.summands, &Summand::is_one) ||
      problem.terms.boolean_count() > 0 ||
      !std::ranges::all_of(problem.integrated, std::identity()))
    return std::nullopt;
  Bounds bounds(problem);
  if (!bounds.add(goal.condition) ||
      !std::ranges::all_of(problem.assertions, [&](Formula one) { return bounds.add(one); }))
    return std::nullopt;
  std::optional<CutBox> result = bounds.box();
  for (const Weight& weight : problem.weights) {
    const std::vector<Variable> reals = weight.value.variables();
    if (weight.condition != truth || reals.size() > 1) return std::nullopt;
    if (!result) continue;
    if (reals.empty()) {
      result->weight *= weight.value.constant_term();
      continue;
    }
    if (problem.terms.defining_node(reals[0]) != 0) return std::nullopt;
    Polynomial& product = result->weights[reals[0]];
    if (product.degree() + weight.value.degree() > caps::degree) return std::nullopt;
    product = product * weight.value;
  }
  return result;
}

std::optional<Interval> enclose(const CutBox& box, unsigned digits) {
  if (box.cuts.size() != 1 || box.weighted()) return std::nullopt;
  const CutBox::Cut& cut = box.cuts[0];
  Rational volume = box.weight;
  for (const auto& [lower, upper] : box.sides) volume *= upper - lower;
  std::vector<SumTerm> terms;
  for (const auto& [variable, coefficient] : cut.form.coefficients)
    terms.push_back({coefficient, box.sides[variable].first, box.sides[variable].second});
  const IndependentSum sum(0, terms);
  constexpr int attempts = 4;  // a difference of two probabilities loses some
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Interval found = between(sum, cut.ends, digits << attempt);
    if (found.lower > 0 && has_digits(found, digits)) return found * Interval(volume);
  }
  return std::nullopt;
}

}  // namespace wmi
