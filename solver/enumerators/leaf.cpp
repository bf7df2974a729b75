#include "solver/enumerators/leaf.h"

#include <algorithm>

namespace wmi {
namespace {

Halfspace halfspace(const LinearForm& form, std::size_t dimension, int sign) {
  Halfspace result{std::vector<Rational>(dimension), sign * Rational(-form.constant)};
  for (const auto& [variable, coefficient] : form.coefficients)
    result.normal[variable] = sign * coefficient;
  return result;
}

/// A literal as a reader writes it: `2*w + z <= 1`.
std::string readable(const Terms& terms, const Decision& decision) {
  std::string result;
  for (const auto& [variable, coefficient] : decision.atom->form.coefficients) {
    const Rational size = abs(coefficient);
    result += result.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    result += (size == 1 ? "" : to_string(size) + "*") + terms.real_name(variable);
  }
  constexpr std::string_view holding[] = {" <= ", " < ", " = "};
  constexpr std::string_view failing[] = {" > ", " >= ", " != "};
  result += (decision.holds ? holding : failing)[static_cast<int>(decision.atom->comparison)];
  return result + to_string(Rational(-decision.atom->form.constant));
}

std::string describe(const Problem& problem, const Branch& branch) {
  constexpr std::size_t most = 4;
  std::string result;
  std::size_t count = 0;
  for (const Decision& decision : branch.decisions()) {
    if (count++ == most) return result + " and more";
    result += result.empty() ? "" : " and ";
    if (decision.atom) {
      result += readable(problem.terms, decision);
    } else {
      const std::string& name = problem.terms.boolean_name(problem.terms.node(decision.node).index);
      result += decision.holds ? name : "not " + name;
    }
  }
  return result;
}

}  // namespace

std::optional<Cell> slice_of(const std::vector<Halfspace>& halfspaces,
                             std::vector<Variable> variables, const Polynomial& weight,
                             const LinearForm& form, std::vector<std::size_t> sums,
                             std::vector<AppliedFunction> functions) {
  const auto& [eliminated, pivot] = form.coefficients[0];
  const Polynomial solved =
      Rational(-1 / pivot) * (form.polynomial() - pivot * Polynomial::variable(eliminated));
  const auto cut = [&, gone = eliminated,
                    dimension = variables.size()](const Polynomial& polynomial) {
    return polynomial.substitute([&](Variable coordinate) {
      if (coordinate >= dimension) return Polynomial::variable(coordinate);  // a function
      if (coordinate == gone)
        return solved.substitute(
            [&](Variable other) { return Polynomial::variable(other < gone ? other : other - 1); });
      return Polynomial::variable(coordinate < gone ? coordinate : coordinate - 1);
    });
  };
  Cell cell{std::move(variables)};
  std::vector<Halfspace> sides;
  cell.variables.erase(cell.variables.begin() + eliminated);
  for (const Halfspace& side : halfspaces) {
    LinearForm excess;  // normal . x - bound
    excess.constant = -side.bound;
    for (Variable i = 0; i < side.normal.size(); ++i)
      if (side.normal[i] != 0) excess.coefficients.emplace_back(i, side.normal[i]);
    const LinearForm remaining(cut(excess.polynomial()));
    if (remaining.is_constant()) {
      if (remaining.constant > 0) return std::nullopt;
    } else {
      sides.push_back(halfspace(remaining, cell.variables.size(), 1));
    }
  }
  cell.kind = SliceCell{std::move(sides)};
  cell.integrands.push_back(cut(weight) * Polynomial(1 / abs(pivot)));
  cell.sums.push_back(std::move(sums));
  if (cell.integrands[0].zero()) return std::nullopt;
  for (AppliedFunction& applied : functions) applied.argument = cut(applied.argument);
  cell.functions = std::move(functions);
  return cell;
}

std::optional<Leaf> make_leaf(const Problem& problem, const Branch& branch,
                              Elimination elimination) {
  if (elimination.flat) return std::nullopt;
  if (elimination.undetermined) {
    const std::string where = describe(problem, branch);
    throw Error("'" + problem.terms.real_name(*elimination.undetermined) + "' is not determined" +
                (where.empty() ? "" : " where " + where) +
                "; pin it by an equality there, or add it to (integrate ...)");
  }
  Leaf leaf(problem, std::move(elimination));
  std::size_t free = problem.terms.boolean_count();
  for (const Decision& decision : branch.decisions()) {
    if (!decision.atom) {
      --free;
      continue;
    }
    const LinearForm form(leaf.in_coordinates(decision.atom->form.polynomial()));
    const Comparison comparison = decision.atom->comparison;
    if (form.is_constant()) {
      if (holds(form.constant, comparison) != decision.holds) return std::nullopt;
    } else if (comparison == Comparison::equal) {
      if (decision.holds) return std::nullopt;  // flat
    } else if (!decision.implied) {
      leaf.halfspaces_.push_back(halfspace(form, leaf.variables().size(), decision.holds ? 1 : -1));
    }
  }
  Rational multiplicity = 1;
  mpq_mul_2exp(multiplicity.get_mpq_t(), multiplicity.get_mpq_t(), free);
  leaf.weight_ = Polynomial(multiplicity);
  for (const Weight& weight : problem.weights)
    if (branch.truth(weight.condition) == Truth::yes)
      leaf.weight_ = leaf.weight_ * leaf.in_coordinates(branch.resolved(weight.value));
  return leaf;
}

}  // namespace wmi
