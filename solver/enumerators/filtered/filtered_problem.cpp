#include "solver/enumerators/filtered/filtered_problem.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "solver/enumerators/filtered/factored_weights.h"
#include "solver/enumerators/region_bounds.h"

namespace wmi {
namespace {

/// Most reals: a box has 2^n vertices.
constexpr std::size_t most_reals = 8;
static_assert(most_reals <= FilteredPolytope::max_dimension);

/// Numbers of this many bits or fewer are short: a few layers of them fit into machine words.
constexpr std::size_t short_bits = 12;

bool is_short(const Rational& number) {
  return mpz_sizeinbase(number.get_num_mpz_t(), 2) <= short_bits &&
         mpz_sizeinbase(number.get_den_mpz_t(), 2) <= short_bits;
}

bool is_short(const Polynomial& polynomial) {
  return std::ranges::all_of(
      polynomial.terms(), [](const Polynomial::Term& term) { return is_short(term.coefficient); });
}

bool has_long_definition(const Problem& problem, std::span<const std::uint32_t> cone) {
  return std::ranges::any_of(cone, [&](std::uint32_t number) {
    const Node& node = problem.terms.node(number);
    if (node.kind != Kind::definition) return false;
    const Definition& definition = problem.terms.definition(node.index);
    return !is_short(definition.then) || !is_short(definition.otherwise);
  });
}

struct Bound {
  FilteredPolytope::Side side;
  PathDecision literal;
};

/// A literal about one real as its bound from below or above.
struct Bounds {
  std::vector<std::optional<Bound>> lower, upper;

  explicit Bounds(const Problem& problem)
      : lower(problem.integrated.size()), upper(problem.integrated.size()) {
    for (const Formula literal : conjuncts(problem)) {
      const Node& node = problem.terms.node(literal.node());
      if (node.kind != Kind::atom) continue;
      const Atom& atom = problem.terms.atom(node.index);
      if (atom.comparison == Comparison::equal || atom.form.coefficients.size() != 1) continue;
      const auto& [variable, factor] = atom.form.coefficients[0];
      if (variable >= problem.integrated.size()) continue;
      const Bound bound{{literal.node(), sgn(factor), Rational(-atom.form.constant / factor)},
                        {literal.node(), !literal.negated()}};
      const bool above = (sgn(factor) > 0) != literal.negated();
      std::optional<Bound>& best = above ? upper[variable] : lower[variable];
      if (!best ||
          (above ? bound.side.bound < best->side.bound : bound.side.bound > best->side.bound))
        best = bound;
    }
  }
};

/// An upper bound of the product of these weights where their conditions hold, and of 1 elsewhere.
std::optional<Rational> most_product(std::span<const Weight> weights, RegionBounds& bounds) {
  Rational result = 1;
  for (const Weight& weight : weights) {
    const std::optional<Interval> range = bounds.range(weight.value);
    if (!range) return std::nullopt;
    const Rational most = std::max(range->upper, Rational(0));
    result *= weight.condition == truth ? most : std::max(most, Rational(1));
  }
  return result;
}

/// Do terms of goals depend on smooth functions?
bool smooth(const Terms& terms, std::span<const Goal> goals) {
  const auto depends = [&](const auto& item) {
    return terms.function_in(item.term) != Function::none;
  };
  return terms.smooth() && std::ranges::any_of(goals, [&](const Goal& goal) {
           return std::ranges::any_of(goal.summands, depends) ||
                  std::ranges::any_of(goal.outputs, depends) ||
                  (goal.slice && depends(*goal.slice));
         });
}

/// The atoms below these formulas, those of definitions left out.
std::vector<std::uint32_t> atoms_in(const Terms& terms, std::span<const Formula> formulas) {
  std::vector<std::uint32_t> result, open;
  std::set<std::uint32_t> seen;
  for (const Formula formula : formulas) open.push_back(formula.node());
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    if (!seen.insert(number).second) continue;
    const Node& node = terms.node(number);
    if (node.kind == Kind::atom) result.push_back(number);
    for (const Formula child : node.children) open.push_back(child.node());
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

FilteredProblem::WholeBox FilteredProblem::whole_box() const {
  const Problem& problem = defined->problem;
  ProductRegion region(problem.integrated.size());
  Branch branch(problem, cone(problem, defined->goals));
  for (std::size_t k = 0; k < lower.size(); ++k) {
    const Polynomial x = Polynomial::variable(static_cast<Variable>(k));
    LinearForm from(x - lower[k].bound), to(x - upper[k].bound);
    from.make_primitive();
    to.make_primitive();
    region = region.above(from).below(to);
  }
  RegionBounds bounds(problem, branch, region);
  WholeBox result{density ? most_product(polynomial_weights, bounds) : bounds.most_weight(), {}};
  for (const Goal& goal : defined->goals) {
    result.ranges.emplace_back();
    for (const Summand& summand : goal.summands)
      result.ranges.back().push_back(bounds.range(summand.term));
  }
  return result;
}

bool FilteredProblem::suits(const Defined& defined) {
  const Problem& problem = defined.problem;
  const std::size_t dimension = problem.integrated.size();
  if (dimension == 0 || dimension > most_reals || problem.terms.boolean_count() > 0 ||
      smooth(problem.terms, defined.goals))
    return false;
  const auto weights = FactoredWeights::of(problem);
  return weights &&
         has_long_definition(problem, cone(problem, weights->polynomials, defined.goals));
}

std::shared_ptr<const FilteredProblem> FilteredProblem::make(
    std::shared_ptr<const Defined> defined) {
  if (!suits(*defined)) return nullptr;
  const Problem& problem = defined->problem;
  const std::size_t dimension = problem.integrated.size();
  FactoredWeights weights = *FactoredWeights::of(problem);
  const std::vector<std::uint32_t> nodes = cone(problem, weights.polynomials, defined->goals);
  auto result = std::make_shared<FilteredProblem>();
  const Bounds bounds(problem);
  std::vector<Interval> ranges;
  for (std::size_t k = 0; k < dimension; ++k) {
    if (!bounds.lower[k] || !bounds.upper[k]) return nullptr;
    for (const auto& [bound, sides] : {std::pair(&*bounds.lower[k], &result->lower),
                                       std::pair(&*bounds.upper[k], &result->upper)}) {
      sides->push_back(bound->side);
      result->sides.push_back(bound->literal);
    }
    if (result->lower[k].bound >= result->upper[k].bound) return nullptr;  // flat: for the others
    ranges.emplace_back(result->lower[k].bound, result->upper[k].bound);
  }
  std::optional<NormalisedBox> box = NormalisedBox::around(ranges);
  if (!box) return nullptr;
  result->scale = 1;
  for (const double half_width : box->half_width) result->scale *= Rational(half_width);
  result->forms = CompiledForms::compile(problem, nodes, std::move(*box));
  if (!result->forms) return nullptr;
  if (weights.density)
    result->density =
        std::make_shared<const ExponentialDensity>(weights.density->in(result->forms->box()));
  result->polynomial_weights = std::move(weights.polynomials);
  Rational constant_weight = result->scale;
  for (const Weight& weight : result->polynomial_weights) {
    if (weight.condition == truth && weight.value.constant())
      constant_weight *= weight.value.constant_term();
    else
      result->weights.push_back({weight.condition, result->forms->loose(weight.value)});
  }
  result->constant_weight = BallPolynomial(constant_weight);
  for (const Goal& goal : defined->goals) {
    std::vector<CompiledForms::LoosePolynomial>& terms = result->summands.emplace_back();
    for (const Summand& summand : goal.summands)
      terms.push_back(result->forms->loose(summand.term));
  }
  for (const Goal& goal : defined->goals)
    result->formula_atoms.push_back(atoms_in(problem.terms, std::span(&goal.condition, 1)));
  result->formula_atoms.push_back(atoms_in(problem.terms, problem.assertions));
  result->defined = std::move(defined);
  return result;
}

}  // namespace wmi
