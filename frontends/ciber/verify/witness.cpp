#include "frontends/ciber/verify/witness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "encoders/bracket.h"
#include "encoders/encoding/steps.h"
#include "encoders/exact.h"
#include "frontends/ciber/verify/property_formula.h"
#include "solver/enumerator.h"
#include "solver/geometry/normalised_box.h"
#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

/// Places of rounded points. A point has to pass with the first of all; then few are tried first.
constexpr int digits[] = {16, 1, 2, 3, 5, 8};

bool is_random(const encoders::Unknown& unknown) { return !unknown.density.number(); }

Rational power_of_ten(int exponent) {
  return power(Rational(exponent < 0 ? ratio(1, 10) : 10),
               static_cast<unsigned>(std::abs(exponent)));
}

/// The largest k with 10^k <= width, also where the width is no double.
int magnitude(const Rational& width) {
  int result = static_cast<int>(mpz_sizeinbase(width.get_num_mpz_t(), 10)) -
               static_cast<int>(mpz_sizeinbase(width.get_den_mpz_t(), 10));
  while (power_of_ten(result) > width) --result;
  while (power_of_ten(result + 1) <= width) ++result;
  return result;
}

/// The decimal nearest to the value whose last place is `digits` places below the first one of the
/// width of the range; in the range.
Rational rounded(const Rational& value, int digits, const Interval& range) {
  const Rational unit = power_of_ten(magnitude(range.upper - range.lower) - digits);
  const Rational quotient = value / unit + ratio(1, 2);
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), quotient.get_num_mpz_t(), quotient.get_den_mpz_t());
  return std::clamp(Rational(unit * whole), range.lower, range.upper);
}

Point mean_of_vertices(const EnclosedCell& cell) {
  Point result(cell.region.dimension);
  const std::vector<Point> vertices = vertices_of(cell);
  for (const Point& vertex : vertices)
    for (std::size_t k = 0; k < result.size(); ++k) result[k] += vertex[k];
  for (Rational& sum : result) sum /= Rational(vertices.size());
  return result;
}

/// Adds the mean of the vertices of each factor, in the coordinates `names` of the point.
void add_region(const Region& region, std::span<const Variable> names, InteriorPoint& result) {
  for (const Region::Factor& factor : region.factors) {
    const std::vector<Point> vertices = factor.polytope.vertices();
    for (std::size_t k = 0; k < factor.coordinates.size(); ++k) {
      Rational sum, least = vertices[0][k], most = least;
      for (const Point& vertex : vertices) {
        sum += vertex[k];
        least = std::min(least, vertex[k]);
        most = std::max(most, vertex[k]);
      }
      result.point[names[factor.coordinates[k]]] = sum / Rational(vertices.size());
      result.log_volume += std::log(Rational(most - least).get_d());
    }
  }
}

/// A point of the first cell of a part.
bool add_part(const Part& part, InteriorPoint& result) {
  const Goal all{truth, {{Polynomial(1), 0}}, {}};
  const std::unique_ptr<Cells> cells =
      make_exact_split()->start(part.problem, std::span(&all, 1), {});
  while (const std::optional<Cell> cell = cells->next())
    if (const std::optional<InteriorPoint> inner = interior_point(*cell)) {
      for (std::size_t k = 0; k < part.coordinates.size(); ++k)
        result.point[part.coordinates[k]] = inner->point[k];
      result.log_volume += inner->log_volume;
      return true;
    }
  return false;
}

std::vector<Variable> all_coordinates(std::size_t count) {
  std::vector<Variable> result(count);
  for (std::size_t k = 0; k < count; ++k) result[k] = static_cast<Variable>(k);
  return result;
}

}  // namespace

double log_volume(const EnclosedCell& cell) {
  const EnclosedPolytope& region = cell.region;
  double result = 0;
  for (std::size_t k = 0; k < region.dimension; ++k) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t v = 0; v < region.vertex_count(); ++v) {
      least = std::min(least, region.vertex(v)[k]);
      most = std::max(most, region.vertex(v)[k]);
    }
    result += std::log(std::max(most - least, std::numeric_limits<double>::min()));
  }
  return result;
}

std::vector<Point> vertices_of(const EnclosedCell& cell) {
  const EnclosedPolytope& region = cell.region;
  std::vector<Point> result(region.vertex_count(), Point(region.dimension));
  for (std::size_t v = 0; v < region.vertex_count(); ++v)
    for (std::size_t k = 0; k < region.dimension; ++k) {
      Rational& x = result[v][k];
      x = Rational(region.centre[k]) +
          Rational(region.half_width[k]) * Rational(region.vertex(v)[k]);
      if (cell.box) x = Rational(cell.box->centre[k]) + Rational(cell.box->half_width[k]) * x;
    }
  return result;
}

std::optional<InteriorPoint> interior_point(const Cell& cell) {
  if (const auto* const enclosed = std::get_if<EnclosedCell>(&cell.kind))
    return InteriorPoint{mean_of_vertices(*enclosed), log_volume(*enclosed)};
  InteriorPoint result{Point(cell.variables.size()), 0};
  if (const auto* const plain = std::get_if<PlainCell>(&cell.kind)) {
    const Region region = make_region(cell.variables.size(), plain->bounds);
    if (region.flat) return std::nullopt;
    add_region(region, all_coordinates(cell.variables.size()), result);
    return result;
  }
  if (const auto* const product = std::get_if<ProductCell>(&cell.kind)) {
    add_region(product->region.region(), product->coordinates, result);
    for (const Part& part : product->parts)
      if (!add_part(part, result)) return std::nullopt;
    return result;
  }
  return std::nullopt;
}

std::optional<Witness> check_witness(const VerificationProblem& problem, const Point& unknowns) {
  Witness result;
  encoders::Tensor<Rational> input = problem.inputs.fixed;
  encoders::Network network = problem.network;
  std::size_t next = 0;
  for (const encoders::Unknown& unknown : problem.inputs.uniform) {
    const Rational value =
        is_random(unknown) ? unknowns.at(next++) : unknown.density.law.atoms().at(0).at;
    const encoders::TensorEntry entry = encoders::find_entry(network, unknown.name);
    if (entry.tensor == "input") {
      input.entries[entry.entry] = value;
      continue;
    }
    network.parameters.find(entry.tensor)->second.entries[entry.entry] = value;
    result.weights.emplace_back(unknown.name, value);
  }
  result.inputs = input.entries;
  for (const auto& values : encoders::run_bracketed_exactly(network, input))
    for (std::size_t i = 0; i < values.lower.size(); ++i)
      result.outputs.emplace_back(values.lower.entries[i], values.upper().entries[i]);
  std::vector<Interval> values(result.inputs.begin(), result.inputs.end());
  values.insert(values.end(), result.outputs.begin(), result.outputs.end());
  if (!certainly_holds(problem.property, values)) return std::nullopt;
  return result;
}

std::optional<Witness> find_witness(const VerificationProblem& problem, const Point& unknowns) {
  std::optional<Witness> exact;
  for (const int count : digits) {
    Point point;
    for (const encoders::Unknown& unknown : problem.inputs.uniform)
      if (is_random(unknown))
        point.push_back(rounded(unknowns.at(point.size()), count, unknown.density.law.support()));
    std::optional<Witness> found = check_witness(problem, point);
    if (!exact && !found) return std::nullopt;
    if (exact && found) return found;
    if (!exact) exact = std::move(found);
  }
  return exact;
}

}  // namespace wmi::frontends
