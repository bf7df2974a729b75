#include "solver/smooth/smooth_integrator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "solver/integrator.h"
#include "solver/laws/law.h"
#include "solver/laws/pushforward.h"
#include "solver/numeric/flint.h"
#include "solver/numeric/reals.h"
#include "solver/smooth/boundary_terms.h"
#include "solver/smooth/convex_region.h"
#include "solver/smooth/density_quadrature.h"
#include "solver/smooth/gaussian_line.h"
#include "solver/smooth/marginal.h"
#include "solver/smooth/normal_cones.h"
#include "solver/smooth/normal_law.h"
#include "solver/smooth/ridge.h"
#include "solver/smooth/simplex_quadrature.h"
#include "solver/smooth/smooth_integrand.h"
#include "solver/smooth/tail.h"

namespace wmi {
namespace {

Ball integrate(const SmoothIntegrand& integrand, const ConvexRegion& region, unsigned digits);

std::optional<Ball> by_moments(const SmoothIntegrand& integrand, const ConvexRegion& region,
                               unsigned digits) {
  if (!integrand.polynomial()) return std::nullopt;
  if (!region.polytope) throw Unbounded(plainest(region.directions));
  const Interval exact =
      make_auto({})->integrate(std::span(&integrand.factor, 1), *region.polytope)[0];
  return ball(exact, bits_of(digits) + 64);
}

std::optional<Ball> in_closed_form(const SmoothIntegrand& integrand, const ConvexRegion& region,
                                   unsigned digits) {
  if (integrand.dimension != 1) return std::nullopt;
  return integrate_gaussian(integrand, region.least(0), region.most(0), digits);
}

/// The law of the form under the factor has a density that is a polynomial on each of some intervals.
std::optional<Ball> by_pushforward(const SmoothIntegrand& integrand, const ConvexRegion& region,
                                   unsigned digits) {
  if (integrand.dimension < 2 || !region.polytope) return std::nullopt;
  const std::optional<Ridge> ridge = find_ridge(integrand);
  if (!ridge) return std::nullopt;
  const Law law(
      pushforward(make_region(region.dimension, region.halfspaces), integrand.factor, ridge->form));
  const slong bits = bits_of(digits) + 64;
  Ball sum;
  for (const Piece& piece : law.pieces()) {
    SmoothIntegrand along = ridge->along;
    std::vector<Polynomial::Term> terms;
    for (std::size_t k = 0; k < piece.density.coefficients().size(); ++k)
      terms.push_back({k == 0 ? Monomial() : Monomial{{0, static_cast<std::uint32_t>(k)}},
                       piece.density.coefficients()[k]});
    along.factor = Polynomial(std::move(terms));
    const ConvexRegion interval(1, {{{-1}, -piece.from}, {{1}, piece.to}});
    arb_add(sum, sum, integrate(along, interval, digits + 1), bits);
  }
  return sum;
}

std::optional<Ball> by_density(const SmoothIntegrand& integrand, const ConvexRegion& region,
                               unsigned digits) {
  if (!region.polytope) return std::nullopt;
  return integrate_by_density(integrand, *region.polytope, digits);
}

std::optional<Ball> by_quadrature(const SmoothIntegrand& integrand, const ConvexRegion& region,
                                  unsigned digits) {
  if (!region.polytope) return std::nullopt;
  return integrate_over_simplices(integrand, *region.polytope, digits);
}

Ball at_point(const SmoothIntegrand& integrand, slong bits) {
  const EnclosedSimplex point{{{}}, Ball()};
  return LocalIntegrand(integrand, point, bits).at(std::span<const Ball>(), bits);
}

/// A line in the region under a normal density.
std::optional<Ball> by_marginal(const SmoothIntegrand& integrand, const ConvexRegion& region,
                                unsigned digits) {
  const std::optional<Point> line = region.polytope ? std::nullopt : region.line();
  if (!line) return std::nullopt;
  const std::optional<Marginal> marginal = integrate_out(integrand, region.halfspaces, *line);
  if (!marginal) return std::nullopt;
  const Reals r{bits_of(digits) + 64};
  const auto of_rest = [&] {
    if (marginal->integrand.dimension == 0) return at_point(marginal->integrand, r.bits);
    try {
      return integrate(marginal->integrand, {marginal->integrand.dimension, marginal->halfspaces},
                       digits);
    } catch (const Unbounded& error) {
      throw Unbounded(marginal->lifted(error.direction()));
    }
  };
  const Ball rest = of_rest();
  return r.product(rest, r.root(r.product(r.pi(), r(marginal->square))));
}

/// Partial integration leaves the density alone, and its facets.
std::optional<Ball> by_cones(const SmoothIntegrand& integrand, const ConvexRegion& region,
                             unsigned digits) {
  if (!integrand.exponential()) return std::nullopt;
  const std::optional<NormalLaw> law = normal_law(integrand.exponent, integrand.dimension);
  if (!law) return std::nullopt;
  std::optional<Ball> mass = integrate_normal_cones(*law, region, digits + 1);
  if (!mass) return std::nullopt;
  const Reals r{bits_of(digits) + 64};
  const BoundaryTerms terms = boundary_terms(integrand, *law, region.facets());
  Ball sum = r.product(*mass, r(terms.constant));
  for (const BoundaryTerms::Facet& facet : terms.facets) {
    const Ball value =
        integrate(facet.integrand, {facet.integrand.dimension, facet.halfspaces}, digits + 2);
    sum = r.sum(sum, r.product(r(facet.scale), value));
  }
  return has_digits(sum, digits) ? std::optional(std::move(sum)) : std::nullopt;
}

/// Two halves, at about the place of the largest exponent.
std::optional<Ball> by_halves(const SmoothIntegrand& integrand, const ConvexRegion& region,
                              unsigned digits) {
  const std::optional<Point> line = region.polytope ? std::nullopt : region.line();
  if (!line) return std::nullopt;
  Variable coordinate = 0;
  while ((*line)[coordinate] == 0) ++coordinate;
  Rational slope, curvature;
  for (const auto& [monomial, coefficient] : integrand.exponent.terms()) {
    if (monomial == Monomial{{coordinate, 1}}) slope = coefficient;
    if (monomial == Monomial{{coordinate, 2}}) curvature = coefficient;
  }
  Rational place = 0;
  if (curvature < 0) place = Rational(std::round(Rational(-slope / (2 * curvature)).get_d()));
  Ball sum;
  for (const int sign : {-1, 1}) {
    std::vector<Halfspace> sides = region.halfspaces;
    Halfspace& half = sides.emplace_back();
    half.normal.resize(region.dimension);
    half.normal[coordinate] = sign;
    half.bound = sign * place;
    arb_add(sum, sum, integrate(integrand, {region.dimension, std::move(sides)}, digits + 1),
            bits_of(digits) + 64);
  }
  return sum;
}

/// Whether a tail is negligible against an integral to so many digits.
bool negligible(const Ball& tail, const Ball& integral, unsigned digits) {
  const slong bits = 64;
  Ball allowed, least;
  arb_get_abs_lbound_arf(arb_midref(static_cast<arb_ptr>(least)), integral, bits);
  arb_set_ui(allowed, 10);
  arb_pow_ui(allowed, allowed, digits, bits);
  arb_mul_ui(allowed, allowed, 4, bits);
  arb_mul(allowed, allowed, tail, bits);
  return arb_le(allowed, least);
}

/// Cut where the tail is negligible, which is known once the size of the rest is.
std::optional<Ball> by_cutting(const SmoothIntegrand& integrand, const ConvexRegion& region,
                               unsigned digits) {
  if (region.polytope) return std::nullopt;
  constexpr unsigned farthest = 200;
  const auto cut = [&](unsigned reach) {
    Tail tail = cut_tail(integrand, region.halfspaces, region.directions, reach);
    std::vector<Halfspace> sides = region.halfspaces;
    sides.push_back(tail.cut);
    return std::pair(std::move(tail), ConvexRegion(region.dimension, std::move(sides)));
  };
  unsigned reach = 2;
  std::optional<Ball> about;
  for (; reach < farthest; reach *= 2) {
    const auto [tail, rest] = cut(reach);
    about = integrate(integrand, rest, 2);
    if (negligible(tail.most, *about, 1)) break;
  }
  for (; reach < farthest; reach += 1 + reach / 4) {
    const auto [tail, rest] = cut(reach);
    if (!negligible(tail.most, *about, digits)) continue;
    Ball result = integrate(integrand, rest, digits);
    arb_add_error(result, tail.most);
    return result;
  }
  const auto [tail, rest] = cut(farthest);  // an integral near 0, with a tail that is nearer
  Ball result = integrate(integrand, rest, digits);
  arb_add_error(result, tail.most);
  return result;
}

constexpr SmoothIntegratorEntry table[] = {
    {"moments", "without functions: exact", by_moments},
    {"closed-form", "a normal density or an exponential on an interval: erf", in_closed_form},
    {"pushforward", "functions of one linear form: its law, and quadrature on intervals",
     by_pushforward},
    {"marginal", "a line in the region under a normal density: closed form", by_marginal},
    {"cones", "a correlated normal density on a wide region: orthants at its vertices", by_cones},
    {"halves", "a region with a line: cut in two", by_halves},
    {"tail", "an unbounded region: cut where a bound on the rest is negligible", by_cutting},
    {"density", "a correlated normal density, to few digits: made independent, in doubles",
     by_density},
    {"quadrature", "simplices, adaptively: Chebyshev bounds on ellipses", by_quadrature},
};

Ball integrate(const SmoothIntegrand& integrand, const ConvexRegion& region, unsigned digits) {
  if (region.flat()) return {};
  for (const SmoothIntegratorEntry& entry : table)
    if (std::optional<Ball> found = entry.integrate(integrand, region, digits))
      return *std::move(found);
  throw Error("an integral with smooth functions is of no kind that can be enclosed");
}

/// The coordinates that halfspaces connect.
std::vector<std::vector<Variable>> blocks_of(const std::vector<Halfspace>& halfspaces) {
  std::vector<std::vector<Variable>> result;
  for (const Halfspace& side : halfspaces) {
    std::vector<Variable>& block = result.emplace_back();
    for (Variable i = 0; i < side.normal.size(); ++i)
      if (side.normal[i] != 0) block.push_back(i);
    if (block.empty()) result.pop_back();
  }
  return result;
}

/// The halfspaces in these coordinates; each has all or none of its own among them.
ConvexRegion region_in(const std::vector<Halfspace>& halfspaces,
                       const std::vector<Variable>& coordinates) {
  std::vector<Halfspace> result;
  for (const Halfspace& side : halfspaces) {
    Halfspace part{{}, side.bound};
    for (const Variable i : coordinates) part.normal.push_back(side.normal[i]);
    if (std::ranges::any_of(part.normal, [](const Rational& entry) { return entry != 0; }))
      result.push_back(std::move(part));
  }
  return {coordinates.size(), std::move(result)};
}

/// The integrals of products over a region, part by part: equal parts once.
class ProductIntegrals {
 public:
  ProductIntegrals(std::size_t dimension, const std::vector<Halfspace>& halfspaces, unsigned digits)
      : dimension_(dimension),
        halfspaces_(halfspaces),
        blocks_(blocks_of(halfspaces)),
        digits_(digits),
        bits_(bits_of(digits) + 64) {}

  Ball operator()(const SmoothIntegrand& integrand) {
    Ball result;
    const SmoothIntegrand constants = restricted(integrand, {}, {}, true);
    if (integrand.dimension == 0) {
      result = at_point(integrand, bits_);
    } else if (!constants.powers
                    .empty()) {  // functions of numbers, and the constant of the exponent
      std::vector<Variable> all(integrand.dimension);
      std::iota(all.begin(), all.end(), Variable{0});
      SmoothIntegrand rest = restricted(integrand, all, {}, false);
      rest.factor = integrand.factor;
      arb_mul(result, (*this)(rest), at_point(constants, bits_), bits_);
    } else {
      const auto parts = independent_coordinates(integrand, blocks_);
      if (parts.size() == 1) {
        result = part(integrand, parts[0]);
      } else {
        for (const auto& [monomial, coefficient] : integrand.factor.terms()) {
          Ball product = ball(coefficient, bits_);
          for (std::size_t i = 0; i < parts.size(); ++i)
            arb_mul(product, product,
                    part(restricted(integrand, parts[i], monomial, i == 0), parts[i]), bits_);
          arb_add(result, result, product, bits_);
        }
      }
    }
    const Reals r{bits_};
    for (unsigned i = 0; i < integrand.normals; ++i)
      result = r.quotient(result, r.root(r.product(r(2), r.pi())));
    return result;
  }

  /// Has a part of the region no volume?
  bool flat() {
    SmoothIntegrand constant;
    constant.dimension = dimension_;
    for (const std::vector<Variable>& coordinates : independent_coordinates(constant, blocks_))
      if (region(coordinates).flat()) return true;
    return std::ranges::any_of(halfspaces_, [](const Halfspace& side) {
      return side.bound < 0 &&
             std::ranges::all_of(side.normal, [](const Rational& entry) { return entry == 0; });
    });
  }

 private:
  const ConvexRegion& region(const std::vector<Variable>& coordinates) {
    const auto found = regions_.find(coordinates);
    if (found != regions_.end()) return found->second;
    return regions_.emplace(coordinates, region_in(halfspaces_, coordinates)).first->second;
  }

  /// Without the constant of normal densities.
  Ball part(SmoothIntegrand integrand, const std::vector<Variable>& coordinates) {
    integrand.normals = 0;
    for (const auto& [known, of_coordinates, value] : known_)
      if (of_coordinates == coordinates && known == integrand) return value;
    const ConvexRegion& own = region(coordinates);
    try {
      Ball result = integrate(integrand, own, digits_);
      known_.push_back({std::move(integrand), coordinates, result});
      return result;
    } catch (const Unbounded& error) {
      Point direction(dimension_);
      for (std::size_t i = 0; i < coordinates.size(); ++i)
        direction[coordinates[i]] = error.direction()[i];
      throw Unbounded(direction);
    }
  }

  struct Known {
    SmoothIntegrand integrand;
    std::vector<Variable> coordinates;
    Ball value;
  };

  const std::size_t dimension_;
  const std::vector<Halfspace>& halfspaces_;
  const std::vector<std::vector<Variable>> blocks_;
  const unsigned digits_;
  const slong bits_;
  std::map<std::vector<Variable>, ConvexRegion> regions_;
  std::vector<Known> known_;
};

}  // namespace

std::span<const SmoothIntegratorEntry> smooth_integrators() { return table; }

SmoothIntegrals integrate_smooth(std::span<const Polynomial> integrands,
                                 std::span<const AppliedFunction> functions, std::size_t dimension,
                                 const std::vector<Halfspace>& region, unsigned digits) {
  thread_local const FlintCache cache;
  SmoothIntegrals result;
  ProductIntegrals integrals(dimension, region, digits + 1);
  if (integrals.flat()) return {std::vector<Interval>(integrands.size()), true};
  const slong bits = bits_of(digits) + 64;
  const auto refuse = [&](std::string why, bool gave_up) {
    result.refusals.resize(integrands.size());
    result.refusals[result.integrals.size()] = {std::move(why), gave_up};
    result.integrals.emplace_back();
  };
  for (const Polynomial& integrand : integrands) {
    try {
      Ball sum;
      for (const SmoothIntegrand& product : smooth_products(integrand, functions, dimension))
        arb_add(sum, sum, integrals(product), bits);
      result.integrals.push_back(interval(sum));
    } catch (const Unbounded&) {
      throw;
    } catch (const Error& error) {
      refuse(error.what(), false);
    } catch (const GaveUp& reason) {
      refuse(reason.what(), true);
    }
  }
  return result;
}

}  // namespace wmi
