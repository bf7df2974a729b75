// Distances between the triangular and the normal kernel. In units of sigma, with rho = r/sigma and
// t >= 0 (both kernels are even), let
//
//     g(t) = 1/rho - t/rho^2 - phi(t)                   triangle minus normal, up to rho
//     G(t) = t/rho - t^2/(2 rho^2) - (Phi(t) - 1/2)     its integral from 0
//     H(t) = t^2/(2 rho) - t^3/(6 rho^2) - t Phi(t) - phi(t) + t/2    that of G, up to a constant.
//
// g' = t phi(t) - 1/rho^2 changes its sign at most twice, once on either side of 1, where t phi(t)
// is largest. Between these points g is monotone, so each of its zeros is bracketed; between those
// G is monotone, likewise. At rho, g is -phi(rho) and G is 1 - Phi(rho). Suprema and integrals of
// |g| and |G| are then sums of differences. Beyond rho the triangle is 0, and only the tails of the
// normal law contribute.

#include "solver/laws/kernel_gap.h"

#include <functional>
#include <optional>

#include "solver/laws/likelihood.h"
#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

using Function = std::function<Ball(const Ball& t, const Reals& r)>;

/// -1, 1, or 0 if the precision does not suffice.
int sign_of(const Function& f, const Rational& t) {
  for (slong bits = 128; bits <= 8192; bits *= 4) {
    const Reals r{bits};
    const Ball value = f(r(t), r);
    if (arb_is_positive(value)) return 1;
    if (arb_is_negative(value)) return -1;
  }
  return 0;
}

GaveUp undecided() { return GaveUp("the sign of a difference of kernels does not show"); }

/// The zeros of a function that is monotone between neighbouring nodes, at most one between two.
/// Nodes are points enclosed in intervals; zeros inside these are not searched. The sign at the
/// last node may be given, as balls may not determine it.
std::vector<Interval> zeros(const Function& f, const std::vector<Interval>& nodes,
                            const Rational& width, std::optional<int> at_end = {}) {
  std::vector<Interval> result;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    Rational lower = nodes[i].upper, upper = nodes[i + 1].lower;
    if (lower >= upper) continue;
    const int left = sign_of(f, lower);
    const int right = at_end && i + 2 == nodes.size() ? *at_end : sign_of(f, upper);
    if (left == 0 && lower == 0) continue;  // monotone from a zero at 0: no other zero
    if (left == 0 || right == 0) throw undecided();
    if (left == right) continue;
    while (upper - lower > width) {
      const Rational middle = (lower + upper) / 2;
      const int sign = sign_of(f, middle);
      if (sign == 0) throw undecided();
      (sign == left ? lower : upper) = middle;
    }
    result.emplace_back(lower, upper);
  }
  return result;
}

/// The ends of an interval with the inner nodes between them.
std::vector<Interval> framed(const Rational& from, std::vector<Interval> inner,
                             const Rational& to) {
  inner.insert(inner.begin(), Interval(from));
  inner.emplace_back(to);
  return inner;
}

/// The total variation of a function that is monotone between neighbouring points. It may also have
/// extrema within the enclosures of other nodes, where its slope is at most `steepest`.
Ball variation(const Function& f, const std::vector<Interval>& points,
               const std::vector<Interval>& nodes, const Rational& steepest, const Reals& r) {
  Rational doubt;
  for (const Interval& node : nodes) doubt += 2 * steepest * (node.upper - node.lower);
  Ball result;
  arb_add_error(result, r(doubt));
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    result = r.sum(result, r.size(r.difference(f(ball(points[i + 1], r.bits), r),
                                               f(ball(points[i], r.bits), r))));
  return result;
}

/// The enclosure of a non-negative value.
Interval enclosure(const Ball& value) {
  Interval result = interval(value);
  if (result.lower < 0) result.lower = 0;
  return result;
}

/// With zeros to so many decimal places.
KernelGap computed(const Rational& sigma, const Rational& radius, unsigned digits) {
  const Rational rho = radius / sigma;
  const Rational width = power(ratio(1, 10), digits);
  const Reals r{bits_of(digits) + 64};

  const Function slope = [&](const Ball& t, const Reals& q) {
    return q.difference(q.product(t, q.normal_density(t)), q(Rational(1 / (rho * rho))));
  };
  const Univariate triangle({1 / rho, -1 / (rho * rho)});
  const Function g = [&](const Ball& t, const Reals& q) {
    return q.difference(q.at(triangle, t), q.normal_density(t));
  };
  const Univariate below = triangle.antiderivative() + Univariate::constant(ratio(1, 2));
  const Function big_g = [&](const Ball& t, const Reals& q) {
    return q.difference(q.at(below, t), q.normal_below(t));
  };
  const Univariate twice = below.antiderivative();
  const Function big_h = [&](const Ball& t, const Reals& q) {
    return q.difference(q.at(twice, t),
                        q.sum(q.product(t, q.normal_below(t)), q.normal_density(t)));
  };

  const std::vector<Interval> halves = rho > 1
                                           ? std::vector<Interval>{Rational(0), Rational(1), rho}
                                           : std::vector<Interval>{Rational(0), rho};
  const std::vector<Interval> turns = framed(0, zeros(slope, halves, width), rho);
  const std::vector<Interval> crossings = framed(0, zeros(g, turns, width, -1), rho);
  const std::vector<Interval> returns = framed(0, zeros(big_g, crossings, width, 1), rho);

  Ball supremum;
  for (const Interval& point : turns)
    arb_max(supremum, supremum, r.size(g(ball(point, r.bits), r)), r.bits);
  const Ball end = r(rho), tail = r.normal_below(r.negative(end));
  const Ball l1 = r.sum(variation(big_g, crossings, turns, 1 / rho + 1, r), tail);
  const Ball rest = r.difference(r.normal_density(end), r.product(end, tail));
  const Ball transport = r.sum(variation(big_h, returns, crossings, 1, r), rest);
  return {enclosure(r.quotient(supremum, r(sigma))), enclosure(r.product(r(2), l1)),
          enclosure(r.product(r.product(r(2), transport), r(sigma))),
          radius * radius / 6 - sigma * sigma};
}

}  // namespace

KernelGap kernel_gap(const Rational& sigma, const Rational& radius, unsigned digits) {
  positive(sigma, "a standard deviation");
  positive(radius, "a radius");
  const Rational least = power(ratio(1, 10), digits);
  const auto narrow = [&](const Interval& value, const Rational& unit) {
    return value.upper - value.lower <= least * unit;
  };
  constexpr unsigned most = 20'000;
  for (unsigned more = digits + 4; more <= most; more *= 2) {
    KernelGap gap = computed(sigma, radius, more);
    if (narrow(gap.density, 1 / sigma) && narrow(gap.l1, 1) && narrow(gap.transport, sigma))
      return gap;
  }
  throw GaveUp("a radius of " + to_string(radius) + " is too far from the deviation " +
               to_string(sigma) + " for so many digits of their gap");
}

Interval density_gap(const Law& law, const Rational& y, const Rational& sigma,
                     const Rational& radius, unsigned digits) {
  const Interval triangular = make_triangular({.scale = radius})->density(law, y, digits + 1);
  const Interval gaussian = make_gaussian({.scale = sigma})->density(law, y, digits + 1);
  return triangular - gaussian;
}

}  // namespace wmi
