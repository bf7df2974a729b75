#include "solver/enumerators/weight_evaluator.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace wmi {
namespace {

struct Group {
  std::vector<std::uint32_t> booleans;  // ascending
  std::vector<std::uint32_t> weights;
};

/// Adds a weight, and joins the groups that share a Boolean with it.
void add(std::vector<Group>& groups, std::uint32_t weight, std::vector<std::uint32_t> booleans) {
  Group joined{std::move(booleans), {}};
  const auto shares = [&](const Group& group) {
    return std::any_of(group.booleans.begin(), group.booleans.end(), [&](std::uint32_t boolean) {
      return std::binary_search(joined.booleans.begin(), joined.booleans.end(), boolean);
    });
  };
  const auto rest = std::stable_partition(groups.begin(), groups.end(),
                                          [&](const Group& group) { return !shares(group); });
  for (auto group = rest; group != groups.end(); ++group) {
    joined.booleans.insert(joined.booleans.end(), group->booleans.begin(), group->booleans.end());
    joined.weights.insert(joined.weights.end(), group->weights.begin(), group->weights.end());
  }
  groups.erase(rest, groups.end());
  std::sort(joined.booleans.begin(), joined.booleans.end());
  joined.booleans.erase(std::unique(joined.booleans.begin(), joined.booleans.end()),
                        joined.booleans.end());
  joined.weights.push_back(weight);
  groups.push_back(std::move(joined));
}

/// Does a smooth function below the weight have an argument with pieces?
bool has_piecewise_argument(const Terms& terms, const Weight& weight) {
  if (!terms.smooth()) return false;
  return std::ranges::any_of(
      terms.below({}, std::span(&weight.value, 1)), [&](std::uint32_t number) {
        const Node& node = terms.node(number);
        if (node.kind != Kind::definition) return false;
        const Definition& definition = terms.definition(node.index);
        return definition.function != Function::none &&
               std::ranges::any_of(
                   terms.below({}, std::span(&definition.then, 1)), [&](std::uint32_t below) {
                     const Node& inner = terms.node(below);
                     return inner.kind == Kind::definition &&
                            terms.definition(inner.index).function == Function::none;
                   });
      });
}

Polynomial doubled(Polynomial polynomial, std::size_t times) {
  if (times == 0) return polynomial;
  Rational factor = 1;
  mpq_mul_2exp(factor.get_mpq_t(), factor.get_mpq_t(), times);
  return polynomial *= factor;
}

/// A product of numbers, in machine words as far as they suffice.
class Product {
 public:
  void multiply(const Rational& factor) {
    const Integer &numerator = factor.get_num(), &denominator = factor.get_den();
    std::int64_t top = 0, bottom = 0;
    if (numerator.fits_slong_p() && denominator.fits_slong_p() &&
        !__builtin_mul_overflow(top_, numerator.get_si(), &top) &&
        !__builtin_mul_overflow(bottom_, denominator.get_si(), &bottom)) {
      top_ = top;
      bottom_ = bottom;
    } else if (rest_) {
      *rest_ *= factor;
    } else {
      rest_ = factor;
    }
  }

  Rational value() const {
    Rational result(static_cast<long>(top_));
    if (bottom_ != 1) result /= static_cast<long>(bottom_);
    if (rest_) result *= *rest_;
    return result;
  }

 private:
  std::int64_t top_ = 1, bottom_ = 1;
  std::optional<Rational> rest_;  // the factors that did not fit
};

/// Collects the steps of a weight: the values of definitions and weights on a branch, each once.
class NestedSteps {
 public:
  explicit NestedSteps(const Problem& problem) : problem_(problem) {
    result_.coordinates = problem.integrated.size();
  }

  /// The product of the weights that count, a term in the names of their values.
  Polynomial product(const Branch& branch, std::span<const std::uint32_t> weights) {
    Polynomial result(1);
    for (const std::uint32_t number : weights) {
      const Weight& weight = problem_.weights[number];
      if (branch.truth(weight.condition) != Truth::yes) continue;
      result = result * name(branch, weight.value, problem_.terms.real_count() + number);
      if (result.degree() >= most_factors) result = name(std::move(result));
    }
    return result;
  }

  /// The name of a polynomial in coordinates and names.
  Polynomial name(Polynomial value) {
    if (value.constant() || is_variable(value)) return value;
    result_.steps.push_back(std::move(value));
    return Polynomial::variable(
        static_cast<Variable>(result_.coordinates + result_.steps.size() - 1));
  }

  NestedPolynomial finish(Polynomial value) && {
    result_.steps.push_back(std::move(value));
    return std::move(result_);
  }

 private:
  static constexpr unsigned most_factors = 64;  // far below the cap on degrees

  /// What a value is made of: the definition or weight, its choice, and its variables' values.
  struct Key {
    std::size_t source;
    const Polynomial* value;
    std::vector<std::size_t> parts;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static bool is_variable(const Polynomial& value) {
    return value.degree() == 1 && value.terms().size() == 1 && value.terms()[0].coefficient == 1;
  }

  /// The name of a polynomial in declared and defined reals. Definitions come after those that they
  /// depend on, without a recursion.
  const Polynomial& name(const Branch& branch, const Polynomial& value, std::size_t source) {
    std::set<Variable> needed;
    std::vector<Variable> open;
    const auto need = [&](const Polynomial& polynomial) {
      for (const Variable variable : polynomial.variables())
        if (problem_.terms.defining_node(variable) != 0 && needed.insert(variable).second)
          open.push_back(variable);
    };
    need(value);
    while (!open.empty()) {
      const Variable variable = open.back();
      open.pop_back();
      need(branch.chosen(variable));
    }
    std::map<Variable, std::size_t> names;  // by number
    for (const Variable variable : needed)  // those below have smaller numbers
      names[variable] = known(names, branch.chosen(variable), variable);
    return names_[known(names, value, source)];
  }

  std::size_t known(const std::map<Variable, std::size_t>& names, const Polynomial& value,
                    std::size_t source) {
    Key key{source, &value, {}};
    for (const Variable variable : value.variables())
      if (const auto found = names.find(variable); found != names.end())
        key.parts.push_back(found->second);
    const auto [entry, fresh] = known_.try_emplace(std::move(key), names_.size());
    if (fresh)
      names_.push_back(name(value.replace([&](Variable variable) {
        const auto found = names.find(variable);
        return found == names.end() ? nullptr : &names_[found->second];
      })));
    return entry->second;
  }

  const Problem& problem_;
  NestedPolynomial result_;
  std::deque<Polynomial> names_;  // constants too
  std::map<Key, std::size_t> known_;
};

}  // namespace

WeightEvaluator::WeightEvaluator(const Problem& problem) : problem_(problem) {
  for (const Weight& weight : problem.weights) {
    const std::vector<Variable> variables = weight.value.variables();
    plain_.push_back(std::all_of(variables.begin(), variables.end(), [&](Variable variable) {
      return problem.terms.defining_node(variable) == 0;
    }));
    decided_.push_back(has_piecewise_argument(problem.terms, weight));
    if (!plain_.back() || weight.value.zero())
      may_vanish_.push_back(static_cast<std::uint32_t>(plain_.size() - 1));
    all_.push_back(static_cast<std::uint32_t>(all_.size()));
  }
  for (std::uint32_t i = 0; i < problem.terms.boolean_count(); ++i)
    booleans_.push_back(problem.terms.boolean(i).node());
}

bool WeightEvaluator::settled(const Branch& branch, std::uint32_t weight) const {
  const Truth condition = branch.truth(problem_.weights[weight].condition);
  return condition == Truth::no ||
         (condition == Truth::yes &&
          (plain_[weight] || !branch.open_in(problem_.weights[weight].value).has_value()));
}

const Weight* WeightEvaluator::vanishing(const Branch& branch) const {
  for (const std::uint32_t number : may_vanish_) {
    const Weight& weight = problem_.weights[number];
    if (branch.truth(weight.condition) == Truth::yes && branch.vanishes(weight.value))
      return &weight;
  }
  return nullptr;
}

/// Of a weight that is not settled.
Decision WeightEvaluator::decision_in(const Branch& branch, std::uint32_t number) const {
  const Weight& weight = problem_.weights[number];
  return branch.truth(weight.condition) == Truth::unknown ? branch.open_in(weight.condition)
                                                          : *branch.open_in(weight.value);
}

std::vector<std::uint32_t> WeightEvaluator::open_below(const Branch& branch,
                                                       std::uint32_t weight) const {
  return branch.open_below(std::span(&problem_.weights[weight].condition, 1),
                           std::span(&problem_.weights[weight].value, 1));
}

std::optional<Decision> WeightEvaluator::open_in(const Branch& branch, std::uint32_t& known) const {
  while (known < problem_.weights.size() && settled(branch, known)) ++known;
  std::vector<std::uint32_t> rest(problem_.weights.size() - known);
  std::iota(rest.begin(), rest.end(), known);
  return open_in(branch, rest);
}

std::optional<Decision> WeightEvaluator::open_in(const Branch& branch, Which weights) const {
  std::vector<Group> groups;
  std::optional<Decision> boolean;
  for (const std::uint32_t weight : weights) {
    if (settled(branch, weight)) continue;
    const Decision decision = decision_in(branch, weight);
    if (decision.atom != nullptr || decided_[weight]) return decision;
    std::vector<std::uint32_t> open = open_below(branch, weight);
    if (std::any_of(open.begin(), open.end(), [&](std::uint32_t node) {
          return problem_.terms.node(node).kind == Kind::atom;
        }))
      return decision;
    if (!boolean) boolean = decision;
    add(groups, weight, std::move(open));
  }
  for (const Group& group : groups)
    if (group.booleans.size() > most) return boolean;
  return std::nullopt;
}

Polynomial WeightEvaluator::product(const Branch& branch, Which weights) const {
  Product number;
  std::optional<Polynomial> result;  // of those that are not constant
  for (const std::uint32_t which : weights) {
    const Weight& weight = problem_.weights[which];
    if (branch.truth(weight.condition) != Truth::yes) continue;
    if (weight.value.zero()) return Polynomial();
    if (weight.value.constant()) {
      number.multiply(weight.value.terms()[0].coefficient);
      continue;
    }
    Polynomial value = plain_[which] ? weight.value : branch.resolved(weight.value);
    if (result) value = *result * value;
    result = std::move(value);
  }
  const Rational factor = number.value();
  if (!result) return Polynomial(factor);
  return factor == 1 ? *std::move(result) : *std::move(result) *= factor;
}

void WeightEvaluator::for_all_values(Branch& branch, Which weights,
                                     const std::function<void()>& add) const {
  for (const std::uint32_t weight : weights) {
    if (settled(branch, weight)) continue;
    Decision decision = decision_in(branch, weight);
    for (const bool holds : {true, false}) {
      decision.holds = holds;
      branch.decide(decision);
      for_all_values(branch, weights, add);
      branch.undo();
    }
    return;
  }
  add();
}

/// The sum over the values of these Booleans that are not decided.
Polynomial WeightEvaluator::sum(Branch& branch, Which weights,
                                std::span<const std::uint32_t> booleans) const {
  Polynomial result;
  for_all_values(branch, weights, [&] {
    const auto open = std::count_if(booleans.begin(), booleans.end(), [&](std::uint32_t boolean) {
      return branch.truth(Formula(boolean, false)) == Truth::unknown;
    });
    result += doubled(product(branch, weights), static_cast<std::size_t>(open));
  });
  return result;
}

bool WeightEvaluator::large(const Branch& branch) const {
  constexpr std::size_t many = 256;
  std::size_t terms = 1;
  for (const Weight& weight : problem_.weights)
    if (branch.truth(weight.condition) != Truth::no && terms < many)
      terms *= std::max<std::size_t>(1, weight.value.terms().size()) +
               (branch.truth(weight.condition) == Truth::unknown);
  return terms >= many;
}

Polynomial WeightEvaluator::settled_weight(const Branch& branch, std::size_t free,
                                           bool numbers_only) const {
  std::vector<std::uint32_t> determined;
  for (std::uint32_t weight = 0; weight < problem_.weights.size(); ++weight)
    if (settled(branch, weight) && (!numbers_only || problem_.weights[weight].value.constant()))
      determined.push_back(weight);
  return doubled(product(branch, determined), free);
}

Polynomial WeightEvaluator::weight(Branch& branch, Which weights,
                                   std::span<const std::uint32_t> booleans) const {
  std::vector<Group> groups;
  std::vector<std::uint32_t> determined;
  determined.reserve(weights.size());
  for (const std::uint32_t weight : weights) {
    if (settled(branch, weight))
      determined.push_back(weight);
    else
      add(groups, weight, open_below(branch, weight));
  }
  auto free = std::count_if(booleans.begin(), booleans.end(), [&](std::uint32_t boolean) {
    return branch.truth(Formula(boolean, false)) == Truth::unknown;
  });
  Polynomial result = product(branch, determined);
  for (const Group& group : groups) {
    result = result * sum(branch, group.weights, group.booleans);
    free -= std::ssize(group.booleans);
  }
  return doubled(std::move(result), static_cast<std::size_t>(free));
}

NestedPolynomial WeightEvaluator::nested_weight(Branch& branch) const {
  NestedSteps steps(problem_);
  const auto open = [&](const std::vector<std::uint32_t>& booleans) {
    return static_cast<std::size_t>(std::ranges::count_if(booleans, [&](std::uint32_t boolean) {
      return branch.truth(Formula(boolean, false)) == Truth::unknown;
    }));
  };
  std::vector<Group> groups;
  std::vector<std::uint32_t> determined;
  std::size_t free = open(booleans_);
  for (const std::uint32_t weight : all_) {
    if (settled(branch, weight))
      determined.push_back(weight);
    else
      add(groups, weight, open_below(branch, weight));
  }
  Polynomial result = steps.product(branch, determined);
  for (const Group& group : groups) {
    free -= group.booleans.size();
    Polynomial sum;
    for_all_values(branch, group.weights, [&] {
      sum += doubled(steps.product(branch, group.weights), open(group.booleans));
    });
    result = result * steps.name(std::move(sum));
  }
  return std::move(steps).finish(doubled(std::move(result), free));
}

Polynomial WeightEvaluator::weight(Branch& branch) const { return weight(branch, all_, booleans_); }

}  // namespace wmi
