#include "solver/smooth/steep_cuts.h"

#include <algorithm>
#include <utility>

namespace wmi {
namespace {

/// A function changes much on a region if its argument reaches so far on both sides of 0.
constexpr long steep = 16;
constexpr std::size_t most_cuts = 4;

/// The halfspace in which a linear form is at most 0.
Halfspace not_positive(const Polynomial& form, std::size_t dimension) {
  Halfspace result{std::vector<Rational>(dimension), Rational(0)};
  for (const auto& [monomial, coefficient] : form.terms()) {
    if (monomial.empty())
      result.bound = -coefficient;
    else
      result.normal[monomial[0].variable] = coefficient;
  }
  return result;
}

/// The linear arguments of steps, steepest first.
std::vector<Halfspace> steps(const SmoothIntegrand& integrand, const Polytope& region) {
  std::vector<std::pair<Rational, Halfspace>> found;  // by how far they reach
  for (const AppliedFunction& applied : integrand.functions) {
    const std::vector<Variable> variables = applied.argument.variables();
    if (!is_step(applied.function) || applied.argument.degree() != 1 ||
        variables.back() >= integrand.dimension)
      continue;
    Rational least, most;
    for (const Point& vertex : region.vertices()) {
      const Rational value = applied.argument.at(vertex);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    Rational reach = std::min(most, Rational(-least));
    if (reach > steep)
      found.emplace_back(std::move(reach), not_positive(applied.argument, integrand.dimension));
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Halfspace> result;
  for (auto& [reach, side] : found)
    if (result.size() < most_cuts) result.push_back(std::move(side));
  return result;
}

Halfspace opposite(Halfspace side) {
  for (Rational& entry : side.normal) entry = -entry;
  side.bound = -side.bound;
  return side;
}

}  // namespace

bool is_step(Function function) {
  return function == Function::sigmoid || function == Function::tanh || function == Function::erf;
}

std::vector<Polytope> cut_where_steep(const SmoothIntegrand& integrand, const Polytope& region) {
  std::vector<Polytope> result{region};
  for (const Halfspace& side : steps(integrand, region)) {
    std::vector<Polytope> parts;
    for (const Polytope& part : result)
      for (const Halfspace& half : {side, opposite(side)}) {
        std::vector<Halfspace> sides = part.halfspaces();
        sides.push_back(half);
        Polytope cut(part.dimension(), std::move(sides));
        if (!cut.flat()) parts.push_back(std::move(cut));
      }
    result = std::move(parts);
  }
  return result;
}

}  // namespace wmi
