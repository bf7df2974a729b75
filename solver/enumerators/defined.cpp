#include "solver/enumerators/defined.h"

#include <algorithm>

#include "solver/terms/caps.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

/// The assertion with this number implies form = 0 wherever the condition holds.
struct Equation {
  Formula condition;
  LinearForm form;
  std::size_t assertion;
};

class Definitions {
 public:
  Definitions(const Problem& problem, std::span<const Goal> goals)
      : problem_(problem),
        goals_(goals),
        has_derived_(std::ranges::find(problem.integrated, false) != problem.integrated.end()),
        extended_(has_derived_ ? problem.terms : Terms()),
        source_(has_derived_ ? extended_ : problem.terms),
        assertions_(conjuncts(problem)),
        used_(assertions_.size()),
        known_(source_.real_count()) {
    if (has_derived_)
      for (std::size_t i = 0; i < assertions_.size(); ++i) find_equations(i);
  }

  std::optional<Defined> find() {
    Substitution substitution(source_, result_.problem.terms);
    std::size_t open = 0;
    for (Variable variable = 0; variable < problem_.integrated.size(); ++variable) {
      known_[variable] = problem_.integrated[variable];
      if (!problem_.integrated[variable]) {
        ++open;
        continue;
      }
      substitution.set_real(
          variable,
          Polynomial::variable(result_.problem.terms.declare_real(source_.real_name(variable))));
      result_.problem.integrated.push_back(true);
      result_.variables.push_back(variable);
    }
    for (std::uint32_t boolean = 0; boolean < source_.boolean_count(); ++boolean)
      substitution.set_boolean(
          boolean, result_.problem.terms.declare_boolean(source_.boolean_name(boolean)));
    for (bool progress = true; progress && open > 0;) {
      progress = false;
      for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
        if (!known_[variable] && define(variable, substitution)) {
          progress = true;
          --open;
        }
    }
    if (open > 0) return std::nullopt;
    rewrite(substitution);
    return std::move(result_);
  }

 private:
  void find_equations(std::size_t assertion) {
    const Formula formula = assertions_[assertion];
    const Node node = source_.node(formula.node());
    if (node.kind == Kind::atom && !formula.negated()) {
      add(truth, formula, assertion);
    } else if (node.kind ==
               Kind::conjunction) {  // negated: all but one imply the negation of that one
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (!is_equation(!node.children[i])) continue;
        std::vector<Formula> others = node.children;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        add(extended_.all(others), !node.children[i], assertion);
      }
    } else if (node.kind == Kind::choice && !formula.negated()) {
      add(node.children[0], node.children[1], assertion);
      add(!node.children[0], node.children[2], assertion);
    }
  }

  bool is_equation(Formula formula) const {
    const Node& node = source_.node(formula.node());
    return !formula.negated() && node.kind == Kind::atom &&
           source_.atom(node.index).comparison == Comparison::equal;
  }

  void add(Formula condition, Formula consequence, std::size_t assertion) {
    if (is_equation(consequence))
      equations_.push_back(
          {condition, source_.atom(source_.node(consequence.node()).index).form, assertion});
  }

  /// The definition of a real replaces these equations, and so their assertions; but a choice implies
  /// two equations, and is kept unless both are used.
  void use(const Equation& first, const Equation& second) {
    for (const Equation* const equation : {&first, &second})
      if (first.assertion == second.assertion ||
          source_.node(assertions_[equation->assertion].node()).kind != Kind::choice)
        used_[equation->assertion] = true;
  }

  /// Are all variables of it defined?
  bool understood(std::span<const Formula> formulas, std::span<const Polynomial> polynomials) {
    const auto declared = [&](const Polynomial& polynomial) {
      const std::vector<Variable> variables = polynomial.variables();
      return std::all_of(variables.begin(), variables.end(), [&](Variable variable) {
        return source_.defining_node(variable) != 0 || known_[variable];
      });
    };
    if (!std::all_of(polynomials.begin(), polynomials.end(), declared)) return false;
    for (const std::uint32_t number : source_.below(formulas, polynomials)) {
      const Node& node = source_.node(number);
      if (node.kind == Kind::atom && !declared(source_.atom(node.index).form.polynomial()))
        return false;
      if (node.kind == Kind::definition) {
        const Definition& definition = source_.definition(node.index);
        if (!declared(definition.then) || !declared(definition.otherwise)) return false;
      }
    }
    return true;
  }

  /// The equation solved for the variable; nullopt if it does not occur, or others are not defined.
  std::optional<Polynomial> solved(const Equation& equation, Variable variable) {
    const Rational coefficient = equation.form.coefficient(variable);
    if (coefficient == 0) return std::nullopt;
    Polynomial rest = equation.form.polynomial() - coefficient * Polynomial::variable(variable);
    rest *= -1 / coefficient;
    if (!understood(std::span(&equation.condition, 1), std::span(&rest, 1))) return std::nullopt;
    return rest;
  }

  bool define(Variable variable, Substitution& substitution) {
    std::vector<std::pair<const Equation*, Polynomial>> candidates;
    for (const Equation& equation : equations_) {
      std::optional<Polynomial> value = solved(equation, variable);
      if (!value) continue;
      if (equation.condition == truth) {
        substitution.set_real(variable, substitution(*value));
        use(equation, equation);
        return known_[variable] = true;
      }
      for (const auto& [other, otherwise] : candidates) {
        if (other->condition != !equation.condition) continue;
        Polynomial chosen = result_.problem.terms.choice(
            substitution(equation.condition), substitution(*value), substitution(otherwise));
        substitution.set_real(variable, std::move(chosen));
        use(equation, *other);
        return known_[variable] = true;
      }
      candidates.emplace_back(&equation, std::move(*value));
    }
    return false;
  }

  void rewrite(Substitution& substitution) {
    for (std::size_t i = 0; i < assertions_.size(); ++i)
      if (!used_[i]) result_.problem.assertions.push_back(substitution(assertions_[i]));
    for (const Weight& weight : problem_.weights)
      result_.problem.weights.push_back(
          {substitution(weight.condition), substitution(weight.value)});
    for (const Goal& goal : goals_) {
      Goal& copy = result_.goals.emplace_back(goal);
      copy.condition = substitution(goal.condition);
      for (Summand& summand : copy.summands) summand.term = substitution(summand.term);
      if (copy.slice) copy.slice->term = substitution(copy.slice->term);
      for (Output& output : copy.outputs) output.term = substitution(output.term);
    }
  }

  const Problem& problem_;
  const std::span<const Goal> goals_;
  const bool has_derived_;
  Terms extended_;       // of the problem with derived reals, and of new conditions
  const Terms& source_;  // that, or of the problem itself
  std::vector<Formula> assertions_;
  std::vector<bool> used_;   // assertions that the definitions replace
  std::vector<bool> known_;  // reals that have a value
  std::vector<Equation> equations_;
  Defined result_;
};

}  // namespace

std::optional<Defined> define(const Problem& problem, std::span<const Goal> goals) {
  return Definitions(problem, goals).find();
}

/// Moments of polytopes with rounded coefficients are for few dimensions and high degrees.
bool should_nest(const Problem& problem, std::span<const Goal> goals) {
  constexpr std::size_t most_dimensions = 4, least_monomials = 2'000;
  const Terms& terms = problem.terms;
  const std::size_t n = problem.integrated.size();
  if (n > most_dimensions || terms.smooth()) return false;
  const bool allowed = std::ranges::all_of(goals, [&](const Goal& goal) {
    return goal.encloses && goal.plain() &&
           std::ranges::all_of(goal.summands, [&](const Summand& summand) {
             return std::ranges::all_of(summand.term.variables(), [&](Variable variable) {
               return terms.degree(Polynomial::variable(variable)) <= 1;
             });
           });
  });
  if (!allowed) return false;
  double degree = 0, monomials = 1;
  for (const Weight& weight : problem.weights) degree += terms.degree(weight.value);
  for (std::size_t i = 1; i <= n; ++i)
    monomials *= (degree + static_cast<double>(i)) / static_cast<double>(i);
  return monomials >= least_monomials && monomials <= static_cast<double>(caps::moments);
}

}  // namespace wmi
