#include "solver/integrators/nested_integrals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/integrators/face_plan.h"
#include "solver/integrators/fixed_moments.h"
#include "solver/terms/caps.h"

namespace wmi {
namespace {

using namespace fixed_point;

/// The least powers of two that no coordinate exceeds, and at least 1: the same for most cells.
std::vector<long> scales_of(const Region& region, std::size_t dimension) {
  std::vector<long> result(dimension);
  for (const Region::Factor& factor : region.factors) {
    const std::size_t n = factor.coordinates.size();
    const Integers& vertices = factor.polytope.homogeneous_vertices();
    for (std::size_t v = 0; v < factor.polytope.vertex_count(); ++v)
      for (std::size_t i = 0; i < n; ++i) {
        const Integer size = abs(vertices[v * (n + 1) + 1 + i]);
        long& scale = result[factor.coordinates[i]];
        while (size > vertices[v * (n + 1)] << static_cast<mp_bitcnt_t>(scale)) ++scale;
      }
  }
  return result;
}

template <std::size_t width>
std::vector<FixedMoments<width>> moments_of(const Region& region, const std::vector<long>& scales,
                                            const std::vector<unsigned>& degrees, unsigned total) {
  std::vector<FixedMoments<width>> result;
  for (const Region::Factor& factor : region.factors) {
    std::vector<long> own_scales;
    std::vector<unsigned> own_degrees;
    for (const Variable coordinate : factor.coordinates) {
      own_scales.push_back(scales[coordinate]);
      own_degrees.push_back(degrees[coordinate]);
    }
    result.push_back(
        fixed_moments<width>(factor.polytope, own_scales, MonomialRows(own_degrees, total)));
  }
  return result;
}

/// Rounded outwards by the error.
Interval with_error(const Integer& number, double error, long exponent, const Integer& scale) {
  const Integer margin(std::ceil(error) + 1);
  Rational unit(scale);
  if (exponent >= 0)
    mpq_mul_2exp(unit.get_mpq_t(), unit.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(unit.get_mpq_t(), unit.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return {Rational(number - margin) * unit, Rational(number + margin) * unit};
}

/// The sum of the coefficients times the moments, which are products over the region's factors.
template <std::size_t width>
std::optional<Interval> integral(const FixedPolynomial<width>& weight, const Region& region,
                                 const std::vector<FixedMoments<width>>& moments) {
  const std::size_t n = weight.monomials.degrees().size();
  std::vector<unsigned> exponents(n), own;
  double error = weight.error;  // each moment is less than half of 2^(64 width)
  long exponent = weight.exponent;
  Integer scale = 1;
  for (const FixedMoments<width>& factor : moments) {
    error += factor.error;
    exponent += factor.exponent + 64 * static_cast<long>(width);
    scale *= factor.scale;
  }
  const double terms = static_cast<double>(weight.numbers.size()) * static_cast<double>(n);
  error = (error + std::ldexp(weight.error, -64 * static_cast<int>(width)) * error +
           (product_error<width> + 1) * terms) *
          (1 + 1e-9);
  if (!std::isfinite(error)) return std::nullopt;
  Number<width> sum = {};
  for (const MonomialRows::Row& row : weight.monomials.rows()) {
    std::ranges::copy(row.exponents, exponents.begin());
    for (std::size_t k = 0; k < row.length; ++k) {
      const Number<width>& number = weight.numbers[row.start + k];
      if (zero(number)) continue;
      exponents[n - 1] = static_cast<unsigned>(k);
      Number<width> product = number;
      for (std::size_t f = 0; f < moments.size(); ++f) {
        own.clear();
        for (const Variable coordinate : region.factors[f].coordinates)
          own.push_back(exponents[coordinate]);
        const Number<width>& moment = moments[f].numbers[moments[f].monomials.index(own)];
        Number<width> next = {};
        if (negative(moment))
          add_high_product<true>(next, product, magnitude(moment));
        else
          add_high_product<false>(next, product, moment);
        product = next;
      }
      add(sum, product);
    }
  }
  return with_error(integer(sum), error, exponent, scale);
}

}  // namespace

template <std::size_t width>
std::shared_ptr<const FixedPolynomial<width>> NestedIntegrals::value(
    const NestedPolynomial& weight, const std::vector<long>& scales) const {
  Known<width>& known = std::get<Known<width>>(known_);
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(known, [&](const Entry<width>& entry) {
      return entry.scales == scales && entry.weight == weight;
    });
    if (found != known.end()) {
      std::rotate(known.begin(), found, found + 1);
      return known.front().value;
    }
  }
  auto value = std::make_shared<const FixedPolynomial<width>>(fixed<width>(weight, scales));
  const std::lock_guard lock(mutex_);
  known.insert(known.begin(), {weight, scales, value});
  std::size_t bytes = 0, kept = 0;
  while (kept < known.size()) {
    bytes += known[kept].value->numbers.size() * sizeof(Number<width>);
    if (kept > 0 && bytes > caps::plan / 4) break;
    ++kept;
  }
  known.erase(known.begin() + static_cast<std::ptrdiff_t>(kept), known.end());
  return value;
}

template <std::size_t width>
std::vector<Interval> NestedIntegrals::enclose(const NestedPolynomial& weight,
                                               std::span<const Polynomial> factors,
                                               const Region& region,
                                               const std::vector<long>& scales) const {
  const std::shared_ptr<const FixedPolynomial<width>> value = this->value<width>(weight, scales);
  std::vector<FixedPolynomial<width>> products;
  std::vector<unsigned> degrees(scales.size());
  unsigned total = 0;
  const auto include = [&](const FixedPolynomial<width>& product) {
    for (std::size_t i = 0; i < degrees.size(); ++i)
      degrees[i] = std::max(degrees[i], product.monomials.degrees()[i]);
    total = std::max(total, product.monomials.total());
  };
  for (const Polynomial& factor : factors) {
    if (factor == Polynomial(1)) {
      include(*value);
      continue;
    }
    products.push_back(*value * fixed<width>(NestedPolynomial{scales.size(), {factor}}, scales));
    include(products.back());
  }
  const auto moments = moments_of<width>(region, scales, degrees, total);
  std::vector<Interval> result;
  auto product = products.begin();
  for (const Polynomial& factor : factors) {
    const std::optional<Interval> found =
        integral(factor == Polynomial(1) ? *value : *product++, region, moments);
    if (!found) return {};
    result.push_back(*found);
  }
  return result;
}

std::optional<std::vector<Interval>> NestedIntegrals::operator()(
    const NestedPolynomial& weight, std::span<const Polynomial> factors, const Region& region,
    unsigned digits) const {
  const Degrees of_weight = degrees(weight);
  double monomials = 1;
  for (std::size_t i = 1; i <= weight.coordinates; ++i)
    monomials *= static_cast<double>(of_weight.total + i) / static_cast<double>(i);
  if (monomials > static_cast<double>(caps::moments)) return std::nullopt;
  const std::vector<long> scales = scales_of(region, weight.coordinates);
  const auto enough = [&](const std::vector<Interval>& found) {
    return !found.empty() && std::ranges::all_of(found, [&](const Interval& integral) {
      return has_digits(integral, digits);
    });
  };
  try {
    if (auto found = enclose<4>(weight, factors, region, scales); enough(found)) return found;
    if (auto found = enclose<8>(weight, factors, region, scales); enough(found)) return found;
    if (auto found = enclose<16>(weight, factors, region, scales); enough(found)) return found;
  } catch (const PlanTooLarge&) {
  }
  return std::nullopt;
}

}  // namespace wmi
