#include "solver/enumerators/cell_builder.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "solver/enumerators/applied_functions.h"
#include "solver/enumerators/component_problem.h"
#include "solver/enumerators/components.h"
#include "solver/enumerators/leaf.h"
#include "solver/enumerators/region_bounds.h"

namespace wmi {
namespace {

bool is_one(const Polynomial& factor) {
  return factor.constant() && !factor.zero() && factor.terms()[0].coefficient == 1;
}

/// Several components, or one of many Booleans beside the coordinates: it is a sum of its own, for
/// which no cells are needed (solver/messages/discrete_sums.h).
bool are_parts(const std::vector<Component>& found, const ProductRegion& region) {
  constexpr std::size_t many_booleans = 12;
  return found.size() > 1 ||
         (found.size() == 1 && region.dimension() > 0 && found[0].coordinates.empty() &&
          found[0].booleans.size() >= many_booleans);
}

}  // namespace

void CellBuilder::add_determined(Branch& branch, const ProductRegion& region,
                                 std::span<const std::size_t> goals,
                                 std::vector<Cell>& cells) const {
  if (goals.empty()) return;
  if (defined_.nested) return add_nested(branch, region, goals, cells);
  const Polynomial weight = weights_.weight(branch);
  // Where a sum over Booleans cancels there is nothing to add; but infinite volume is refused.
  if (weight.zero() && region.bounded()) return;
  Cell cell{defined_.variables};
  std::vector<Image> images;
  const auto functions = [&](std::span<const Polynomial> integrands) {
    return applied_functions(defined_.problem, branch, integrands,
                             [](const Polynomial& argument) { return argument; });
  };
  const auto integrate = [&](const Polynomial& factor, std::size_t sum) {
    Polynomial integrand = is_one(factor) ? weight : weight * factor;
    if (integrand.zero() && !weight.zero()) return;
    cell.integrands.push_back(std::move(integrand));
    cell.sums.push_back({sum});
  };
  for (const std::size_t number : goals) {
    const Goal& goal = defined_.goals[number];
    for (const Summand& summand : goal.summands)
      integrate(power(branch.resolved(summand.term), summand.order), summand.sum);
    for (const Output& output : goal.outputs)
      images.push_back({output.law, LinearForm(branch.resolved(output.term)), weight});
    if (!goal.slice) continue;
    const LinearForm term(branch.resolved(goal.slice->term) - goal.slice->at);
    if (!term.is_constant()) {
      if (weight.zero()) continue;
      if (std::optional<Cell> cut =
              slice(region, *goal.slice, term, weight, functions(std::span(&weight, 1))))
        cells.push_back(std::move(*cut));
    } else if (term.constant == 0) {  // a point mass
      integrate(Polynomial(1), goal.slice->mass);
    }
  }
  if (cell.integrands.empty()) return;
  cell.functions = functions(cell.integrands);
  cell.kind = PlainCell{region, std::move(images)};
  cells.push_back(std::move(cell));
}

void CellBuilder::add_nested(Branch& branch, const ProductRegion& region,
                             std::span<const std::size_t> goals, std::vector<Cell>& cells) const {
  Cell cell{defined_.variables};
  for (const std::size_t number : goals)
    for (const Summand& summand : defined_.goals[number].summands) {
      Polynomial factor = power(branch.resolved(summand.term), summand.order);
      if (factor.zero()) continue;
      cell.integrands.push_back(std::move(factor));
      cell.sums.push_back({summand.sum});
    }
  if (cell.integrands.empty()) return;
  cell.weight = std::make_shared<const NestedPolynomial>(weights_.nested_weight(branch));
  cell.kind = PlainCell{region};
  cells.push_back(std::move(cell));
}

/// The cell cut by term = 0, in one coordinate less; nullopt if that is empty.
std::optional<Cell> CellBuilder::slice(const ProductRegion& region, const Slice& slice,
                                       const LinearForm& term, const Polynomial& weight,
                                       std::vector<AppliedFunction> functions) const {
  LinearForm primitive = term;
  primitive.make_primitive();
  const Sides sides = region.sides(primitive);
  std::vector<std::size_t> sums;
  if (sides != Sides::above) sums.push_back(slice.left);
  if (sides != Sides::below) sums.push_back(slice.right);
  return slice_of(region.halfspaces(), defined_.variables, weight, term, std::move(sums),
                  std::move(functions));
}

/// With one block of coordinates and no Booleans there is one component. Where nothing is open,
/// parts pay off only for a weight that is long to write out. The goals must be integrals over
/// cells, neither slices nor laws, with nothing open in them. Smooth functions are left to their
/// integrators, which take products apart themselves.
bool CellBuilder::may_decompose(Outcome outcome, const Branch& branch,
                                const ProductRegion& region) const {
  if (outcome == Outcome::determined && !weights_.large(branch)) return false;
  if (defined_.problem.terms.smooth() || defined_.nested) return false;
  return (region.block_count() > 1 || open_booleans(branch) > 0) &&
         std::all_of(defined_.goals.begin(), defined_.goals.end(), [&](const Goal& goal) {
           return goal.plain() && inspect(goal, branch).outcome != Outcome::open;
         });
}

bool CellBuilder::decomposes(const Branch& branch, const ProductRegion& region) const {
  return are_parts(components(defined_.problem, branch, weights_, region, weights_.large(branch)),
                   region);
}

std::size_t CellBuilder::open_booleans(const Branch& branch) const {
  const std::size_t booleans = defined_.problem.terms.boolean_count();
  if (booleans == 0) return 0;
  const auto decided = std::count_if(branch.decisions().begin(), branch.decisions().end(),
                                     [](const Decision& made) { return made.atom == nullptr; });
  return booleans - static_cast<std::size_t>(decided);
}

bool CellBuilder::add_product(const Branch& branch, const ProductRegion& region,
                              std::vector<Cell>& cells) const {
  const Problem& problem = defined_.problem;
  const bool all_weights = weights_.large(branch);
  const std::vector<Component> found = components(problem, branch, weights_, region, all_weights);
  if (!are_parts(found, region)) return false;
  std::vector<Part> parts;
  std::size_t free = open_booleans(branch);
  for (const Component& component : found) {
    parts.push_back(component_problem(problem, branch, region, component));
    free -= component.booleans.size();
  }
  std::vector<Variable> coordinates(region.dimension());
  std::iota(coordinates.begin(), coordinates.end(), Variable{0});
  coordinates = in_none(found, std::move(coordinates));
  Cell cell{defined_.variables};
  const Polynomial weight = weights_.settled_weight(branch, free, all_weights);
  for (const Goal& goal : defined_.goals) {
    if (branch.truth(goal.condition) != Truth::yes) continue;
    for (const Summand& summand : goal.summands) {
      Polynomial integrand = weight * power(branch.resolved(summand.term), summand.order);
      if (integrand.zero()) continue;
      cell.integrands.push_back(std::move(integrand));
      cell.sums.push_back({summand.sum});
    }
  }
  if (cell.integrands.empty()) return true;
  ProductRegion rest = region.restricted(coordinates);
  cell.kind = ProductCell{
      std::move(coordinates), std::move(rest), std::move(parts),
      std::make_shared<const Cell>(open_cell(branch, region, all_goals(),
                                             RegionBounds(problem, branch, region).most_weight()))};
  cells.push_back(std::move(cell));
  return true;
}

std::vector<std::size_t> CellBuilder::all_goals() const {
  std::vector<std::size_t> result(defined_.goals.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

void CellBuilder::add_open(const Branch& branch, const ProductRegion& region,
                           std::span<const std::size_t> goals, std::vector<Cell>& cells) const {
  const std::optional<Rational> most_weight =
      RegionBounds(defined_.problem, branch, region).most_weight();
  Cell cell = open_cell(branch, region, goals, most_weight);
  if (!std::get<OpenCell>(cell.kind).missing.empty()) cells.push_back(std::move(cell));
  for (const std::size_t number : goals) {
    const Goal& goal = defined_.goals[number];
    if (!goal.slice || branch.truth(goal.condition) == Truth::no) continue;
    if (std::optional<Cell> slice = open_slice(branch, region, *goal.slice, most_weight))
      cells.push_back(std::move(*slice));
  }
}

/// For all but the slices of the goals.
Cell CellBuilder::open_cell(const Branch& branch, const ProductRegion& region,
                            std::span<const std::size_t> goals,
                            const std::optional<Rational>& most_weight) const {
  OpenCell open;
  RegionBounds bounds(defined_.problem, branch, region);
  for (const std::size_t number : goals)
    if (const Goal& goal = defined_.goals[number]; branch.truth(goal.condition) != Truth::no)
      for (const Summand& summand : goal.summands)
        open.missing.push_back({summand.sum, summand.range(bounds.range(summand.term))});
  if (most_weight && region.bounded()) open.bound = {region.simplified(), *most_weight};
  return {defined_.variables, std::move(open)};
}

/// A term that is nowhere `at` misses nothing. One that is affine by now misses at most the most
/// weight over the slice; any other may have a point mass, and so misses an unbounded amount.
std::optional<Cell> CellBuilder::open_slice(const Branch& branch, const ProductRegion& region,
                                            const Slice& slice,
                                            const std::optional<Rational>& most_weight) const {
  const std::optional<Interval> range =
      RegionBounds(defined_.problem, branch, region).range(slice.term - slice.at);
  if (range && !range->contains(0)) return std::nullopt;
  const Interval once(Rational(1));
  const Cell unbounded{defined_.variables,
                       OpenCell{{{slice.mass, once}, {slice.left, once}, {slice.right, once}}}};
  if (!most_weight || !region.bounded() || !region.simple() || branch.open_in(slice.term))
    return unbounded;
  const LinearForm term(branch.resolved(slice.term) - slice.at);
  if (term.is_constant()) return term.constant == 0 ? std::optional(unbounded) : std::nullopt;
  std::optional<Cell> cut = this->slice(region, slice, term, Polynomial(*most_weight));
  if (!cut) return std::nullopt;
  OpenCell open;
  for (const std::size_t sum : cut->sums[0]) open.missing.push_back({sum, once});
  open.bound = {std::move(std::get<SliceCell>(cut->kind).halfspaces),
                cut->integrands[0].constant_term()};
  return Cell{std::move(cut->variables), std::move(open)};
}

}  // namespace wmi
