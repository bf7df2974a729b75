#include "solver/integrators/cone_sums.h"

#include <algorithm>
#include <random>

#include "solver/laws/vertex_cones.h"
#include "solver/numeric/ball.h"
#include "solver/terms/accumulator.h"

namespace wmi {
namespace {

/// A form that is constant along an edge by accident only; the same one each time.
LinearForm random_form(std::size_t dimension, int attempt) {
  std::minstd_rand engine(static_cast<unsigned>(1 + attempt));
  const auto most = static_cast<unsigned>(16 << (4 * attempt));
  LinearForm result;
  for (Variable i = 0; i < dimension; ++i)
    result.coefficients.emplace_back(i, Rational(1 + engine() % most));
  return result;
}

/// The same to so many digits: the knots have long fractions, whose exact sum takes most of the time.
Interval mass(const TruncatedPowers& powers, unsigned digits) {
  if (powers.knots().empty()) return Rational(0);
  constexpr slong most_bits = 1 << 13;
  const Rational end = powers.knots().back().at;
  return interval(refined(
      digits,
      [&](slong bits) {
        Ball sum;
        for (const TruncatedPowers::Knot& knot : powers.knots()) {
          const Ball distance = ball(Rational(end - knot.at), bits);
          Ball value;
          for (std::size_t i = knot.coefficients.size(); i-- > 0;) {
            arb_mul(value, value, distance, bits);
            arb_div_ui(value, value, i + 1, bits);
            arb_add(value, value, ball(knot.coefficients[i], bits), bits);
          }
          arb_add(sum, sum, value, bits);
        }
        return sum;
      },
      most_bits));
}

/// The mass of a measure whose truncated powers cancel after the last knot.
Rational mass(const TruncatedPowers& powers) {
  if (powers.knots().empty()) return 0;
  const Rational end = powers.knots().back().at;
  Accumulator sum;
  for (const TruncatedPowers::Knot& knot : powers.knots()) {
    const Rational distance = end - knot.at;
    Rational value;  // the sum of coefficient * distance^i / i!
    for (std::size_t i = knot.coefficients.size(); i-- > 0;) {
      value *= distance;
      value /= Rational(Integer(i + 1));
      value += knot.coefficients[i];
    }
    sum.add(Interval(value));
  }
  return sum.total().lower;
}

}  // namespace

std::optional<std::vector<Interval>> integrate_by_cones(std::span<const Polynomial> integrands,
                                                        const Polytope& region, unsigned digits) {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    auto laws = images_by_cones(region, integrands, random_form(region.dimension(), attempt));
    if (!laws) continue;
    std::vector<Interval> result;
    for (TruncatedPowers& law : *laws) {
      law.settle();
      if (law.too_long()) return std::nullopt;
      try {
        result.push_back(digits > 0 ? mass(law, digits) : Interval(mass(law)));
      } catch (const GaveUp&) {  // 0, or nearly
        result.emplace_back(mass(law));
      }
    }
    return result;
  }
  return std::nullopt;
}

/// A simple vertex is on 2^n faces. A cone takes a series of all moments up to the degree.
bool prefers_cones(const Polytope& region, unsigned degree) {
  constexpr std::size_t least_dimension = 7, least_work = 150'000, most_moments = 50'000;
  const std::size_t n = region.dimension();
  if (n < least_dimension || n > 30 || region.vertex_count() << n < least_work) return false;
  std::size_t moments = 1;
  for (std::size_t i = 1; i <= degree; ++i) {
    moments = moments * (n + i) / i;
    if (moments > most_moments) return false;
  }
  return true;
}

}  // namespace wmi
