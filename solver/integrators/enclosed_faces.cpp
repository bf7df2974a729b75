// Moments over a polytope whose vertices are known as enclosures. The mean of a monomial over a face
// is that over its pyramids, weighted by their shares of the volume (EnclosedMeasures). The
// recurrence is that of FacePlan divided by the volumes, in intervals rounded outwards.

#include "solver/integrators/enclosed_faces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "solver/integrators/enclosed_measures.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/integrators/upward_rounding.h"

namespace wmi {
namespace {

/// Below, intervals are rounded outwards. Requires that the processor rounds upwards.
UpwardInterval product(const UpwardInterval& a, const UpwardInterval& b) {
  if (a.negated_lower <= 0)
    return {std::max(-a.negated_lower * b.negated_lower, a.upper * b.negated_lower),
            std::max(-a.negated_lower * b.upper, a.upper * b.upper)};
  if (a.upper <= 0)
    return {std::max(a.negated_lower * b.upper, -a.upper * b.upper),
            std::max(a.negated_lower * b.negated_lower, -a.upper * b.negated_lower)};
  return {std::max(a.upper * b.negated_lower, a.negated_lower * b.upper),
          std::max(a.upper * b.upper, a.negated_lower * b.negated_lower)};
}

/// An interval by which many others are multiplied: whatever its sign, each end of a product is the
/// larger one of two products of ends.
struct Multiplier {
  double first, second;
  unsigned of_first, of_second;  // ends of the other factor, for the negated lower end

  static Multiplier of(const UpwardInterval& a) {
    if (a.negated_lower <= 0) return {-a.negated_lower, a.upper, 0, 0};
    if (a.upper <= 0) return {a.negated_lower, -a.upper, 1, 1};
    return {a.upper, a.negated_lower, 0, 1};
  }

  void add_product(const UpwardInterval& other, UpwardInterval& sum) const {
    const double* const ends = &other.negated_lower;
    const double lower = std::max(first * ends[of_first], second * ends[of_second]);
    const double upper = std::max(first * ends[1 - of_first], second * ends[1 - of_second]);
    sum.add({lower, upper});
  }
};

/// Adds the product of an interval that is not below 0 and each entry of a series, and widens the hull
/// to contain the entries. A loop over doubles, which compilers turn into one over vectors.
void add_share(double least, double most, std::span<const UpwardInterval> series,
               UpwardInterval* sums, UpwardInterval* hull) {
  const double* const from = &series.data()->negated_lower;
  double* const to = &sums->negated_lower;
  double* const around = &hull->negated_lower;
  static_assert(sizeof(UpwardInterval) == 2 * sizeof(double));
  for (std::size_t i = 0; i < 2 * series.size(); ++i) {
    to[i] += std::max(least * from[i], most * from[i]);
    around[i] = std::max(around[i], from[i]);
  }
}

/// The integrals divided by the volume.
[[gnu::noinline]] void enclose_means(std::span<const EnclosedPolynomial> integrands,
                                     const EnclosedPolytope& region,
                                     const EnclosedMeasures& measures, const MomentTable& table,
                                     std::span<UpwardInterval> results) {
  const std::size_t n = region.dimension, size = table.size();
  std::vector<Multiplier> points;
  for (std::size_t v = 0; v < region.vertex_count(); ++v)
    for (std::size_t j = 0; j < n; ++j) {
      const double midpoint = region.vertices[v * n + j], width = region.half_width[j];
      points.push_back(Multiplier::of({width * (region.radii[v] - midpoint) - region.centre[j],
                                       width * (region.radii[v] + midpoint) + region.centre[j]}));
    }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<UpwardInterval> series(measures.faces.size() * size), hull;
  for (std::size_t f = 0; f < measures.faces.size(); ++f) {
    const EnclosedMeasures::Face& face = measures.faces[f];
    UpwardInterval* const own = &series[f * size];
    // A mean is also among those over the pyramids, which is better where shares are not known well.
    if (face.first < face.last) hull.assign(size, {-infinity, -infinity});
    for (std::size_t i = face.first; i < face.last; ++i) {
      const EnclosedMeasures::Pyramid& pyramid = measures.pyramids[i];
      const std::span base(&series[pyramid.base * size], size);
      add_share(std::max(pyramid.least, 0.0), pyramid.most, base, own, hull.data());
    }
    if (face.first < face.last)
      for (std::size_t m = 1; m < size; ++m)
        own[m] = {std::min(own[m].negated_lower, hull[m].negated_lower),
                  std::min(own[m].upper, hull[m].upper)};
    own[0] = {-1, 1};
    const Multiplier* const point = &points[face.apex * n];
    for (const MomentTable::Step& step : table.steps())
      point[step.coordinate].add_product(own[step.source], own[step.target]);
  }

  const UpwardInterval* const top = &series[(measures.faces.size() - 1) * size];
  for (std::size_t i = 0; i < integrands.size(); ++i) {
    for (const EnclosedPolynomial::Term& term : integrands[i].terms()) {
      const std::size_t m = table.index(term.monomial);
      UpwardInterval mean = top[m];  // times m! n! / (|m| + n)!
      std::size_t total = n;
      for (const std::uint32_t exponent : table[m])
        for (std::uint32_t k = 1; k <= exponent; ++k) {
          const auto numerator = static_cast<double>(k), denominator = static_cast<double>(++total);
          mean.negated_lower = mean.negated_lower * numerator / denominator;
          mean.upper = mean.upper * numerator / denominator;
        }
      results[i].add(product({-term.lower, term.upper}, mean));
    }
  }
}

/// Likewise, if they are constant.
[[gnu::noinline]] void add_constants(std::span<const EnclosedPolynomial> integrands,
                                     std::span<UpwardInterval> results) {
  for (std::size_t i = 0; i < integrands.size(); ++i)
    for (const EnclosedPolynomial::Term& term : integrands[i].terms())
      results[i].add({-term.lower, term.upper});
}

[[gnu::noinline]] void multiply(const DoubleInterval& volume, std::span<const UpwardInterval> means,
                                std::span<DoubleInterval> results) {
  for (std::size_t i = 0; i < means.size(); ++i) {
    const UpwardInterval integral = product({-volume.lower, volume.upper}, means[i]);
    results[i] = {-integral.negated_lower, integral.upper};
  }
}

/// Then, without an overflow, all results are.
bool finite(std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  for (const EnclosedPolynomial& integrand : integrands)
    for (const EnclosedPolynomial::Term& term : integrand.terms())
      if (!std::isfinite(term.lower) || !std::isfinite(term.upper)) return false;
  return std::ranges::all_of(region.centre, [](double entry) { return std::isfinite(entry); });
}

/// A table of the monomials of the integrands.
std::shared_ptr<const MomentTable> moment_table(std::span<const EnclosedPolynomial> integrands,
                                                std::size_t dimension) {
  std::vector<Polynomial> shapes;
  for (const EnclosedPolynomial& integrand : integrands) {
    std::vector<Polynomial::Term> terms;
    for (const EnclosedPolynomial::Term& term : integrand.terms())
      terms.push_back({term.monomial, 1});
    shapes.emplace_back(std::move(terms));
  }
  return MomentTable::of(shapes, dimension);
}

}  // namespace

std::optional<DoubleInterval> enclose_volume(const EnclosedPolytope& region) {
  const EnclosedMeasures* const measures = EnclosedMeasures::of(region, false);
  if (measures == nullptr) return std::nullopt;
  return measures->volume;
}

std::optional<std::vector<DoubleInterval>> enclose_integrals_in_doubles(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  if (!finite(integrands, region)) return std::nullopt;
  const bool constant = std::ranges::all_of(integrands, &EnclosedPolynomial::constant);
  const EnclosedMeasures* const measures = EnclosedMeasures::of(region, !constant);
  if (measures == nullptr) return std::nullopt;
  std::vector<UpwardInterval> means(integrands.size());
  std::vector<DoubleInterval> results(integrands.size());
  const std::shared_ptr<const MomentTable> table =
      constant ? nullptr : moment_table(integrands, region.dimension);
  {
    const UpwardRounding upwards;
    if (constant)
      add_constants(integrands, means);
    else
      enclose_means(integrands, region, *measures, *table, means);
    multiply(measures->volume, means, results);
    if (UpwardRounding::overflow()) return std::nullopt;
  }
  return results;
}

std::optional<std::vector<Interval>> enclose_integrals(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  const auto found = enclose_integrals_in_doubles(integrands, region);
  if (!found) return std::nullopt;
  std::vector<Interval> results;
  for (const DoubleInterval& interval : *found)
    results.emplace_back(Rational(interval.lower), Rational(interval.upper));
  return results;
}

}  // namespace wmi
