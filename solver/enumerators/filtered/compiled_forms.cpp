#include "solver/enumerators/filtered/compiled_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/terms/enclosed_polynomial.h"

namespace wmi {
namespace {

constexpr double roundoff = 0x1p-53;

/// Numbers beyond are left to exact arithmetic: relative errors hold within.
bool in_range(double value) {
  return value == 0 || (std::abs(value) > 0x1p-900 && std::abs(value) < 0x1p900);
}

/// The polynomial as a positive or negative multiple of the form: the sign of the factor, or 0.
int multiple_of(const Polynomial& polynomial, const LinearForm& form) {
  const std::size_t constants = polynomial.constant_term() != 0 ? 1 : 0;
  if (form.coefficients.empty() ||
      polynomial.terms().size() != form.coefficients.size() + constants ||
      (form.constant != 0) != (constants != 0))
    return 0;
  std::optional<Rational> factor;
  for (const Polynomial::Term& term : polynomial.terms()) {
    if (degree(term.monomial) > 1) return 0;
    const Rational of_form =
        term.monomial.empty() ? form.constant : form.coefficient(term.monomial[0].variable);
    if (of_form == 0) return 0;
    if (!factor)
      factor = term.coefficient / of_form;
    else if (term.coefficient != *factor * of_form)
      return 0;
  }
  return sgn(*factor);
}

std::vector<std::uint32_t> starts_of(const std::vector<std::vector<std::uint32_t>>& lists,
                                     std::vector<std::uint32_t>& all) {
  std::vector<std::uint32_t> starts{0};
  for (const std::vector<std::uint32_t>& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    starts.push_back(static_cast<std::uint32_t>(all.size()));
  }
  return starts;
}

}  // namespace

std::optional<CompiledForms::Loose> CompiledForms::loose_row(const Polynomial& polynomial) const {
  if (polynomial.degree() > 1) return std::nullopt;
  Loose result;
  std::vector<Rational> exact(width());
  for (const Polynomial::Term& term : polynomial.terms()) {
    if (term.monomial.empty()) {
      exact[0] += term.coefficient;
      continue;
    }
    const Variable variable = term.monomial[0].variable;
    if (variable < dimension()) {
      exact[0] += term.coefficient * Rational(box_.centre[variable]);
      exact[variable + 1] += term.coefficient * Rational(box_.half_width[variable]);
    } else {
      const double coefficient = round_outwards(term.coefficient).lower;
      if (!in_range(coefficient) || coefficient == 0) return std::nullopt;
      result.terms.push_back({definition_numbers_[variable], coefficient});
    }
  }
  result.base_error = 0;
  double size = 0;
  for (const Rational& number : exact) {
    const DoubleInterval ends = round_outwards(number);
    if (!in_range(ends.lower) || !in_range(ends.upper)) return std::nullopt;
    result.base.push_back(ends.lower);
    result.base_error += ends.upper - ends.lower;
    size += std::abs(ends.lower);
  }
  result.base_error *= 1 + 64 * roundoff;
  result.summed_base_error = (result.base_error + rounding_ * size) * (1 + 64 * roundoff);
  return result;
}

/// Bounds have (longest + 8) u s where a sum of m terms needs (m + 9) u s.
double CompiledForms::inflation(std::size_t terms) const {
  const std::size_t length = std::max(terms + 1, longest_);
  return (1 + static_cast<double>(2 * length + 64) * roundoff) * static_cast<double>(length + 8) /
         static_cast<double>(longest_ + 8);
}

/// Returns `none` if the row is not for doubles.
std::uint32_t CompiledForms::add_row(const Polynomial& polynomial) {
  const auto row = static_cast<std::uint32_t>(row_count());
  const std::optional<Loose> found = loose_row(polynomial);
  if (!found) return none;
  const Loose& loose = *found;
  terms_.insert(terms_.end(), loose.terms.begin(), loose.terms.end());
  row_starts_.push_back(static_cast<std::uint32_t>(terms_.size()));
  bases_.insert(bases_.end(), loose.base.begin(), loose.base.end());
  base_errors_.push_back(loose.base_error);
  summed_base_errors_.push_back(loose.summed_base_error);
  return row;
}

std::shared_ptr<const CompiledForms> CompiledForms::compile(const Problem& problem,
                                                            std::span<const std::uint32_t> cone,
                                                            NormalisedBox box) {
  const Terms& terms = problem.terms;
  const std::shared_ptr<CompiledForms> result(new CompiledForms);  // its constructor is private
  CompiledForms& forms = *result;
  forms.problem_ = &problem;
  forms.box_ = std::move(box);
  forms.cone_.assign(cone.begin(), cone.end());
  forms.definition_numbers_.assign(terms.real_count(), none);
  forms.definition_nodes_.assign(terms.size(), none);
  std::size_t longest = forms.width();
  const auto consider = [&](const Polynomial& polynomial) {
    longest = std::max(longest, polynomial.terms().size());
    return polynomial.degree() <= 1;
  };
  for (const std::uint32_t number : cone) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::boolean) return nullptr;
    if (node.kind == Kind::atom)
      longest = std::max(longest, terms.atom(node.index).form.coefficients.size() + 1);
    if (node.kind != Kind::definition) continue;
    const Definition& definition = terms.definition(node.index);
    if (!consider(definition.then) || !consider(definition.otherwise)) return nullptr;
    forms.definition_numbers_[definition.variable] = forms.definition_nodes_[number] =
        static_cast<std::uint32_t>(forms.definitions_.size());
    forms.definitions_.push_back({number, definition.variable, definition.condition, none, none});
  }
  forms.longest_ = longest;
  forms.rounding_ = static_cast<double>(longest + 8) * roundoff;

  // A branch of a definition first, so that its condition may share the row.
  forms.atom_rows_.assign(terms.size(), {});
  for (DefinedReal& real : forms.definitions_) {
    const Definition& definition = terms.definition(terms.node(real.node).index);
    const Node& condition = terms.node(definition.condition.node());
    for (const bool first : {true, false}) {
      const Polynomial& branch = first ? definition.then : definition.otherwise;
      std::uint32_t& row = first ? real.then : real.otherwise;
      AtomRow* const of_condition =
          condition.kind == Kind::atom ? &forms.atom_rows_[definition.condition.node()] : nullptr;
      const int sign = of_condition != nullptr && of_condition->row == none
                           ? multiple_of(branch, terms.atom(condition.index).form)
                           : 0;
      row = forms.add_row(branch);
      if (row == none) return nullptr;
      if (sign != 0) *of_condition = {row, static_cast<double>(sign)};
    }
  }
  for (const std::uint32_t number : cone) {
    AtomRow& of_atom = forms.atom_rows_[number];
    if (terms.node(number).kind != Kind::atom || of_atom.row != none) continue;
    of_atom.row = forms.add_row(terms.atom(terms.node(number).index).form.polynomial());
    if (of_atom.row == none) return nullptr;
  }

  std::vector<std::vector<std::uint32_t>> atoms(forms.row_count()), definitions(forms.row_count()),
      users(forms.definitions_.size()), parents(terms.size());
  for (const std::uint32_t number : cone) {
    const Node& node = terms.node(number);
    for (const Formula child : node.children) parents[child.node()].push_back(number);
    if (node.kind == Kind::atom) atoms[forms.atom_rows_[number].row].push_back(number);
    if (node.kind != Kind::definition) continue;
    const std::uint32_t definition = forms.definition_nodes_[number];
    const DefinedReal& real = forms.definitions_[definition];
    parents[real.condition.node()].push_back(number);
    definitions[real.then].push_back(definition);
    if (real.otherwise != real.then) definitions[real.otherwise].push_back(definition);
  }
  for (std::uint32_t row = 0; row < forms.row_count(); ++row)
    for (const Term& term : forms.terms(row)) users[term.definition].push_back(row);
  forms.row_atom_starts_ = starts_of(atoms, forms.row_atoms_);
  forms.row_definition_starts_ = starts_of(definitions, forms.row_definitions_);
  forms.user_starts_ = starts_of(users, forms.users_);
  forms.parent_starts_ = starts_of(parents, forms.parents_);
  return result;
}

}  // namespace wmi
