// Piecewise-linear enclosures of smooth functions, with the proof of their bounds.
//
// Between points. If m <= f'' <= M on a piece of length h, then f lies below its chord by at most
// max(M, 0) h^2/8 and above it by at most max(-m, 0) h^2/8: the difference of f and the quadratic
// with second derivative M (or m) through the same ends is concave (convex) and 0 at both. At each
// point the lower bound is lowered by the larger of the allowances of the two adjacent pieces, so
// that on each piece it is below the chord by at least that piece's allowance.
//
// Beyond the range. Let r be f minus its asymptote. On each tail r has one sign, and |r| is convex
// and decreases to 0. So the bound on the far side may keep its distance from the asymptote; and
// the bound on the near side may approach the asymptote at least as steeply as |r| does at the end
// of the range, since it is then below a tangent of a convex function; from there on it is the
// asymptote. The steepness is bounded by a difference quotient further inside, where |r| is
// steeper.

#include "encoders/enclosure.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

constexpr unsigned grid = 4096;  // candidates for points in each segment
const Rational reach = 32;

/// Chooses the points of the bounds, in doubles: the bounds are proven for any points, so the
/// choice affects only their quality.
class Planner {
 public:
  struct Plan {
    std::vector<Rational> at;
    double width;  // expected
  };

  Planner(SmoothCurve& curve, Smooth function, const Rational& low, const Rational& high)
      : beyond_(curve.tail_distance(low, high).get_d()) {
    ends_ = {low};
    for (const Rational& kink : curve.kinks())
      if (low < kink && kink < high) ends_.push_back(kink);
    ends_.push_back(high);
    for (std::size_t segment = 0; segment + 1 < ends_.size(); ++segment) {
      const double from = ends_[segment].get_d(), to = ends_[segment + 1].get_d();
      for (unsigned i = 0; i <= grid; ++i)
        curvatures_.push_back(
            rough_second_derivative(function, from + (to - from) * i / grid, (from + to) / 2));
    }
  }

  /// Makes each piece, from the left, as long as its two allowances add up to at most `allowance`.
  Plan plan(double allowance) const {
    Plan result{{ends_[0]}, beyond_};
    double last_down = 0, last_up = 0;  // of the piece before
    for (std::size_t segment = 0; segment + 1 < ends_.size(); ++segment) {
      const Rational step = (ends_[segment + 1] - ends_[segment]) / grid;
      const double rough_step = step.get_d();
      const double* const curvatures = &curvatures_[segment * (grid + 1)];
      for (unsigned i = 0; i < grid && result.at.size() <= caps::pieces;) {
        double greatest = 0, least = 0, down = 0, up = 0;
        unsigned j = i;
        for (; j < grid; ++j) {
          greatest = std::max({greatest, curvatures[j], curvatures[j + 1]});
          least = std::min({least, curvatures[j], curvatures[j + 1]});
          const double length = rough_step * (j + 1 - i), factor = length * length / 8;
          if (j > i && (greatest - least) * factor > allowance) break;
          down = greatest * factor;
          up = -least * factor;
        }
        result.width = std::max(result.width, std::max(down, last_down) + std::max(up, last_up));
        last_down = down;
        last_up = up;
        i = j;
        result.at.push_back(i == grid ? ends_[segment + 1] : Rational(ends_[segment] + step * i));
      }
    }
    result.width = std::max(result.width, beyond_ + last_down + last_up);
    return result;
  }

 private:
  /// The second derivative; `inside` is a point on the same side of the kinks.
  static double rough_second_derivative(Smooth function, double x, double inside) {
    const double logistic = 1 / (1 + std::exp(-x)), t = std::tanh(x);
    switch (function) {
      case Smooth::tanh:
        return 2 * t * (t * t - 1);
      case Smooth::sigmoid:
        return logistic * (1 - logistic) * (1 - 2 * logistic);
      case Smooth::softplus:
        return logistic * (1 - logistic);
      case Smooth::gelu:
        return std::exp(-x * x / 2) * (2 - x * x) / std::sqrt(2 * std::numbers::pi);
      case Smooth::hardswish:
        return std::abs(inside) < 3 ? 1.0 / 3 : 0;
    }
    return 0;
  }

  double beyond_;
  std::vector<Rational> ends_;  // of segments: the range, and kinks inside it
  std::vector<double> curvatures_;
};

/// Extends a bound beyond an end of the range; `direction` is -1 at the left and 1 at the right.
void add_tail(SmoothCurve& curve, PiecewiseLinear& bound, bool is_lower, int direction,
              unsigned bits) {
  const Asymptote line = direction < 0 ? curve.left() : curve.right();
  const bool first = direction < 0;
  (first ? bound.left_slope : bound.right_slope) = line.slope;
  const Rational end = first ? bound.at.front() : bound.at.back();
  if (is_lower != line.from_above) return;  // the bound on the far side keeps its distance
  const int sign = line.from_above ? 1 : -1;
  const Rational distance =
      sign * ((first ? bound.values.front() : bound.values.back()) - line.at(end));
  if (distance <= 0) return;  // it is beyond the asymptote, and may stay there
  const Rational step = ratio(1, 64), inside = end - direction * step;
  const auto distance_at = [&](const Rational& x) {
    return Interval(sign) * (curve.value(x) - Interval(line.at(x)));
  };
  const Rational steepness = (distance_at(inside) - distance_at(end)).upper / step;
  Rational length = distance / steepness;
  if (const Rational shorter = rounded_down(length, bits); shorter > 0) length = shorter;
  const Rational meet = end + direction * length;
  bound.at.insert(first ? bound.at.begin() : bound.at.end(), meet);
  bound.values.insert(first ? bound.values.begin() : bound.values.end(), line.at(meet));
}

/// The bounds with these points, as numbers with so many bits after the binary point.
Enclosure build(SmoothCurve& curve, Smooth function, const std::vector<Rational>& at,
                unsigned bits) {
  Enclosure result{function, {at, {}, 0, 0}, {at, {}, 0, 0}, at.size() - 1, 0};
  std::vector<Rational> down(at.size()), up(at.size());
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const Interval curvature = curve.second_derivative(at[i], at[i + 1]);
    const Rational factor = (at[i + 1] - at[i]) * (at[i + 1] - at[i]) / 8;
    for (const std::size_t end : {i, i + 1}) {
      down[end] = std::max<Rational>(down[end], curvature.upper * factor);
      up[end] = std::max<Rational>(up[end], -curvature.lower * factor);
    }
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Interval& value = curve.value(at[i]);
    result.lower.values.push_back(rounded_down(value.lower - down[i], bits));
    result.upper.values.push_back(rounded_up(value.upper + up[i], bits));
  }
  for (const int direction : {-1, 1}) {
    add_tail(curve, result.lower, true, direction, bits);
    add_tail(curve, result.upper, false, direction, bits);
  }
  for (const PiecewiseLinear* bound : {&result.lower, &result.upper})
    for (const Rational& x : bound->at)
      result.width =
          std::max<Rational>(result.width, result.upper.value(x) - result.lower.value(x));
  return result;
}

/// Enough bits after the binary point for bounds of this width.
unsigned bits_for(double width) {
  return static_cast<unsigned>(std::clamp(8 - std::ilogb(width), 8, 60));
}

/// The narrowest enclosure found with so many pieces.
Enclosure with_pieces(SmoothCurve& curve, Smooth function, const EnclosureRequest& request) {
  const std::size_t pieces = *request.pieces;
  const Planner planner(curve, function, request.low, request.high);
  std::optional<Planner::Plan> best;
  for (double allowance = 256; allowance > 1e-9; allowance *= 0.9) {
    Planner::Plan plan = planner.plan(allowance);
    if (plan.at.size() - 1 > pieces) {
      if (!best)
        throw Error("attribute 'pieces' must be at least " + std::to_string(plan.at.size() - 1) +
                    " for this range");
      break;
    }
    if (!best || plan.width < best->width) best = std::move(plan);
  }
  return build(curve, function, best->at, bits_for(best->width));
}

/// An enclosure of at most a given width, with few pieces.
Enclosure with_width(SmoothCurve& curve, Smooth function, const EnclosureRequest& request) {
  const Rational& width = *request.width;
  const std::string wanted = "attribute 'width' " + wmi::to_string(width);
  if (curve.tail_distance(request.low, request.high) >= width)
    throw Error(wanted + " needs a wider range: beyond it the bounds are further apart");
  const Planner planner(curve, function, request.low, request.high);
  for (double allowance = width.get_d(); allowance > width.get_d() / 256; allowance *= 0.95) {
    const Planner::Plan plan = planner.plan(allowance);
    if (plan.at.size() - 1 > caps::pieces)
      throw Error(wanted + " needs more than " + std::to_string(caps::pieces) + " pieces");
    if (plan.width > width.get_d()) continue;
    Enclosure found = build(curve, function, plan.at, bits_for(width.get_d()));
    if (found.width <= width) return found;
  }
  if (2 * curve.tail_distance(request.low, request.high) < width)  // then the points are the limit
    throw Error(wanted + " needs more than " + std::to_string(caps::pieces) + " pieces");
  throw Error(wanted + " is hardly above the distance of the bounds beyond the range; widen it");
}

}  // namespace

Enclosure enclose(Smooth function, const EnclosureRequest& request) {
  if (request.pieces.has_value() == request.width.has_value())
    throw Error("give one of the attributes 'pieces' and 'width'");
  if (request.width && *request.width <= 0) throw Error("attribute 'width' must be above 0");
  if (request.pieces && (*request.pieces == 0 || *request.pieces > caps::pieces))
    throw Error("attribute 'pieces' must be between 1 and " + std::to_string(caps::pieces));
  SmoothCurve curve(function);
  const Rational least = curve.least_reach();
  if (request.low > -least || request.low < -reach)
    throw Error("attribute 'low' must be between " + wmi::to_string(-reach) + " and " +
                wmi::to_string(-least));
  if (request.high < least || request.high > reach)
    throw Error("attribute 'high' must be between " + wmi::to_string(least) + " and " +
                wmi::to_string(reach));
  return request.pieces ? with_pieces(curve, function, request)
                        : with_width(curve, function, request);
}

EnclosureRequest request_within(Smooth function, Rational low, Rational high,
                                const Rational& width) {
  SmoothCurve curve(function);
  while (2 * curve.tail_distance(low, high) >= width && (low > -reach || high < reach)) {
    low = std::max<Rational>(-reach, 2 * low);
    high = std::min<Rational>(reach, 2 * high);
  }
  return {low, high, {}, width};
}

}  // namespace wmi::encoders
