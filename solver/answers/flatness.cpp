#include "solver/answers/flatness.h"

#include <algorithm>
#include <span>

#include "solver/enumerators/smt.h"
#include "solver/geometry/region.h"

namespace wmi {
namespace {

bool has_volume(const Problem& problem, const Enumerator& enumerator, const std::stop_token& stop);

bool has_volume(const CellBounds& bounds, std::size_t dimension) {
  try {
    return !make_region(dimension, bounds).flat;
  } catch (const Unbounded&) {
    return true;
  }
}

bool has_volume(const Cell& cell, const Enumerator& enumerator, const std::stop_token& stop) {
  if (const auto* const plain = std::get_if<PlainCell>(&cell.kind))
    return has_volume(plain->bounds, cell.variables.size());
  if (std::holds_alternative<EnclosedCell>(cell.kind)) return true;
  if (std::holds_alternative<OpenCell>(cell.kind)) return false;
  const auto& product = std::get<ProductCell>(cell.kind);
  return has_volume(product.region, product.coordinates.size()) &&
         std::all_of(product.parts.begin(), product.parts.end(),
                     [&](const Part& part) { return has_volume(part.problem, enumerator, stop); });
}

/// Has any cell of the problem volume, whatever its weight?
bool has_volume(const Problem& problem, const Enumerator& enumerator, const std::stop_token& stop) {
  Problem unweighted = problem;
  unweighted.weights.clear();
  const Goal volume{truth, {{Polynomial(1), 0}}, {}};
  const auto cells = enumerator.start(unweighted, std::span(&volume, 1), stop);
  while (const std::optional<Cell> cell = cells->next())
    if (has_volume(*cell, enumerator, stop)) return true;
  return false;
}

/// The reals that can have one value only in the model's cell when all others are fixed.
std::vector<bool> pinned(const Problem& problem, Smt& smt, const Smt::Model& model) {
  std::vector<bool> result(problem.integrated.size());
  for (Variable candidate = 0; candidate < result.size(); ++candidate) {
    if (!problem.integrated[candidate]) continue;
    smt.push();
    for (Variable variable = 0; variable < result.size(); ++variable) {
      LinearForm form;
      form.coefficients = {{variable, Rational(1)}};
      form.constant = -model.reals[variable];
      if (variable == candidate || problem.integrated[variable])
        smt.add(form, Comparison::equal, variable != candidate);
    }
    result[candidate] = !smt.check();
    smt.pop();
  }
  return result;
}

}  // namespace

std::optional<std::string> explain_flatness(const Problem& problem, const Enumerator& enumerator,
                                            const std::stop_token& stop) {
  Smt smt(problem.terms, stop);
  for (const Formula assertion : problem.assertions) smt.add(assertion);
  std::optional<Smt::Model> model = smt.check();
  if (!model || has_volume(problem, enumerator, stop)) return std::nullopt;

  // A real that is pinned in the cell of each of a few models is the one to name.
  constexpr int most_cells = 16;
  const Terms& terms = problem.terms;
  std::vector<bool> always(problem.integrated.size(), true), first;
  for (int cell = 0; cell < most_cells && model; ++cell) {
    smt.push();
    for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
      smt.add(model->booleans[boolean] ? terms.boolean(boolean) : !terms.boolean(boolean));
    const std::vector<bool> here = pinned(problem, smt, *model);
    smt.pop();
    if (first.empty()) first = here;
    for (std::size_t i = 0; i < always.size(); ++i) always[i] = always[i] && here[i];
    // Require another value of every integrated real, so that the next model is in another cell.
    for (Variable variable = 0; variable < always.size(); ++variable) {
      if (!problem.integrated[variable]) continue;
      LinearForm form;
      form.coefficients = {{variable, Rational(1)}};
      form.constant = -model->reals[variable];
      smt.add(form, Comparison::equal, false);
    }
    model = smt.check();
  }
  const std::vector<bool>& choice =
      std::find(always.begin(), always.end(), true) != always.end() ? always : first;
  const auto last = std::find(choice.rbegin(), choice.rend(), true);
  std::string others;
  const auto named = static_cast<Variable>(choice.rend() - last) - 1;
  for (Variable variable = 0; variable < choice.size(); ++variable)
    if (problem.integrated[variable] && (last == choice.rend() || variable != named))
      others += ' ' + terms.real_name(variable);
  if (last == choice.rend()) return "the region has no volume, so its WMI is 0";
  return "'" + terms.real_name(named) +
         "' is pinned by the formula, so the region has no volume and its WMI is 0; if it is a "
         "function of the others, integrate only those: (integrate" +
         others + ")";
}

}  // namespace wmi
