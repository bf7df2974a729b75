#include "encoders/enclosure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

// How the bounds are proven. All arithmetic is on rational intervals rounded outwards, so that each
// of them holds the true number.
//
// Values. exp by its Taylor series on [0, 1/2], whose remainder is below twice the first term left
// out, and squaring; tanh and the logistic function from exp; log(1 + z) = 2 artanh(z / (2 + z));
// Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3*5) + ...), all terms positive, with a geometric rest.
//
// Between points. If m <= f'' <= M on a piece of length h, then f lies below its chord by at most
// max(M, 0) h^2/8 and above it by at most max(-m, 0) h^2/8: the difference of f and the quadratic
// with second derivative M (or m) through the same ends is concave (convex) and 0 at both. At a
// point, the lower bound goes down by the greater of the two pieces' allowances, so that on each
// piece it is below the chord by that at least.
//
// Beyond the range. Let r be f minus the line that it nears. On each tail r has one sign, |r| falls
// to 0 and is convex. So the bound on the far side may keep its distance, for |r| only falls; and
// the bound on the near side may go towards the line at least as steeply as |r| does at the end of
// the range, for it is then below the tangent of a convex function; having met the line, it stays.
// The steepness is bounded by a difference quotient further in, where |r| is steeper.

namespace wmi::encoders {
namespace {

constexpr unsigned precision = 96;
constexpr unsigned grid = 4096;  // points lie on this many places of a segment
const Rational reach = 32;

Rational unit(unsigned bits) { return ratio(1, Integer(1) << bits); }

Rational rounded_down(const Rational& x, unsigned bits) {
  const Integer scaled = x.get_num() << bits;
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), scaled.get_mpz_t(), x.get_den().get_mpz_t());
  return ratio(result, Integer(1) << bits);
}

Rational rounded_up(const Rational& x, unsigned bits) { return -rounded_down(-x, bits); }

Interval rounded(const Interval& x) {
  return {rounded_down(x.lower, precision), rounded_up(x.upper, precision)};
}

/// For x >= 0.
Interval exp_of_positive(const Rational& x) {
  unsigned halvings = 0;
  Rational y = x;
  for (; y > ratio(1, 2); y /= 2) ++halvings;
  Interval sum = Rational(1), term = Rational(1);
  for (unsigned i = 1; i <= 24; ++i) {
    term = rounded(term * Interval(y / i));
    sum = sum + term;
  }
  sum.upper += 2 * term.upper * y / 25;
  for (; halvings > 0; --halvings) sum = rounded(sum * sum);
  return sum;
}

Interval exp_of(const Rational& x) {
  // Numbers with many digits are rounded first, which exp, being monotone, bears.
  const Interval around = rounded(Interval(x));
  const auto at = [](const Rational& end) -> Interval {
    return end >= 0 ? exp_of_positive(end) : Interval(1) / exp_of_positive(-end);
  };
  if (around.exact()) return rounded(at(x));
  return rounded({at(around.lower).lower, at(around.upper).upper});
}

Interval logistic_of(const Rational& x) {
  return rounded(Interval(1) / (Interval(1) + exp_of(-x)));
}

Interval tanh_of(const Rational& x) {
  return rounded(Interval(2) / (Interval(1) + exp_of(-2 * x)) - Interval(1));
}

/// log(1 + z) for 0 < z <= 1.
Interval log_after_one(const Interval& z) {
  const Interval u = rounded(Interval(1) - Interval(2) / (Interval(2) + z));  // 1/3 at most
  const Interval square = rounded(u * u);
  Interval power = u, sum;
  for (unsigned i = 0; i <= 32; ++i) {
    sum = sum + power * Interval(ratio(2, 2 * i + 1));
    power = rounded(power * square);
  }
  sum.upper += power.upper;  // at least 2 power / (67 (1 - 1/9))
  return rounded(sum);
}

Interval softplus_of(const Rational& x) {
  return Interval(std::max(x, Rational(0))) + log_after_one(exp_of(-abs(x)));
}

/// sqrt(2 pi).
const Interval& root_two_pi() {
  static const Interval result = [] {
    const Rational two_pi = 2 * parse_number("3.14159265358979323846264338327950288419716939937");
    const auto root = [](const Rational& x) -> Integer {
      const Rational scaled = x * (Integer(1) << 2 * precision);
      return sqrt(Integer(scaled.get_num() / scaled.get_den()));
    };
    return Interval(Rational(root(two_pi)) * unit(precision),
                    Rational(root(two_pi + 2 * parse_number("1e-47")) + 1) * unit(precision));
  }();
  return result;
}

/// x Phi(x) for x >= 0.
Interval gelu_of_positive(const Rational& x) {
  const Rational square = x * x;
  Interval term = x, sum = x;
  for (unsigned odd = 3;; odd += 2) {
    term = rounded(term * Interval(square / odd));
    if (2 * square <= odd && term.upper <= unit(precision - 8)) {
      sum.upper += 2 * term.upper;
      break;
    }
    sum = sum + term;
  }
  const Interval phi = Interval(ratio(1, 2)) + sum / (exp_of(square / 2) * root_two_pi());
  return rounded(Interval(x) * phi);
}

Interval gelu_of(const Rational& x) {
  return x >= 0 ? gelu_of_positive(x) : gelu_of_positive(-x) + Interval(x);
}

Rational hardswish_of(const Rational& x) {
  return x <= -3 ? Rational(0) : x >= 3 ? x : Rational(x * (x + 3) / 6);
}

/// A line that a function nears, from above or from below.
struct Asymptote {
  Rational slope, constant;
  bool from_above;

  Rational at(const Rational& x) const { return constant + slope * x; }
};

/// What has to be known of a function; its values are kept.
class Curve {
 public:
  explicit Curve(Smooth function) : function_(function) {}

  const Interval& value(const Rational& x) { return kept(values_, x, function_); }

  /// Where its second derivative lies between a and b.
  Interval bend(const Rational& a, const Rational& b) {
    switch (function_) {
      case Smooth::tanh:
      case Smooth::sigmoid: {  // (1 + tanh(x/2)) / 2, so an eighth of tanh''
        const bool is_tanh = function_ == Smooth::tanh;
        const Rational p = is_tanh ? value(a).lower : Rational(2 * value(a).lower - 1);
        const Rational q = is_tanh ? value(b).upper : Rational(2 * value(b).upper - 1);
        // 2t^3 - 2t; t = +-1/sqrt(3) gives -+0.7698
        const auto bend_at = [](const Rational& t) { return Interval(2 * t * (t * t - 1)); };
        Interval result = hull(bend_at(p), bend_at(q));
        const Rational third = ratio(1, 3);
        if ((p <= 0 || p * p <= third) && q > 0 && q * q >= third)
          result = hull(result, Rational(ratio(-77, 100)));
        if ((q >= 0 || q * q <= third) && p < 0 && p * p >= third)
          result = hull(result, Rational(ratio(77, 100)));
        return is_tanh ? result : result * Interval(ratio(1, 8));
      }
      case Smooth::softplus: {  // s(1 - s), for the logistic function s
        const Rational p = slope(a).lower, q = slope(b).upper;
        const auto bend_at = [](const Rational& s) { return Interval(s * (1 - s)); };
        Interval result = hull(bend_at(p), bend_at(q));
        if (2 * p <= 1 && 2 * q >= 1) result = hull(result, Rational(ratio(1, 4)));
        return result;
      }
      case Smooth::gelu: {  // phi(x) (2 - x^2): falls in x^2 up to 4, there -0.10799, then rises
        const Rational p = a <= 0 && b >= 0 ? Rational(0) : std::min<Rational>(a * a, b * b);
        const Rational q = std::max<Rational>(a * a, b * b);
        Interval result = hull(gelu_bend(p), gelu_bend(q));
        if (p <= 4 && q >= 4) result = hull(result, Rational(ratio(-11, 100)));
        return result;
      }
      case Smooth::hardswish:  // never asked across -3 or 3
        return a >= -3 && b <= 3 ? Rational(ratio(1, 3)) : Rational(0);
    }
    throw Error("no such function");
  }

  /// Where it is not smooth.
  std::vector<Rational> corners() const {
    return function_ == Smooth::hardswish ? std::vector<Rational>{-3, 3} : std::vector<Rational>{};
  }

  Asymptote left() const {
    if (function_ == Smooth::tanh) return {0, -1, true};
    return {0, 0, function_ != Smooth::gelu};
  }
  Asymptote right() const {
    if (function_ == Smooth::tanh || function_ == Smooth::sigmoid) return {0, 1, false};
    return {1, 0, function_ != Smooth::gelu};
  }
  /// How far the bounds are apart beyond the range, at least.
  Rational beyond(const Rational& low, const Rational& high) {
    const Interval before = value(low) - Interval(left().at(low));
    const Interval after = value(high) - Interval(right().at(high));
    return std::max({before.upper, Rational(-before.lower), after.upper, Rational(-after.lower)});
  }
  /// How far from 0 both ends of a range must be at least, so that the distance to the line is
  /// convex from 1/64 before the end on.
  Rational least_reach() const {
    switch (function_) {
      case Smooth::gelu:
        return ratio(3, 2);  // it turns at sqrt(2)
      case Smooth::hardswish:
        return 3;
      default:
        return ratio(1, 8);  // tanh and sigmoid turn at 0
    }
  }

 private:
  static const Interval& kept(std::map<Rational, Interval>& memory, const Rational& x,
                              Smooth function) {
    const auto found = memory.find(x);
    return found != memory.end() ? found->second
                                 : memory.emplace(x, value_of(function, x)).first->second;
  }

  const Interval& slope(const Rational& x) { return kept(others_, x, Smooth::sigmoid); }

  const Interval& gelu_bend(const Rational& square) {
    const auto found = others_.find(square);
    if (found != others_.end()) return found->second;
    return others_
        .emplace(square, rounded(exp_of(-square / 2) * Interval(2 - square) / root_two_pi()))
        .first->second;
  }

  Smooth function_;
  std::map<Rational, Interval> values_, others_;
};

/// Where to put points. This is reckoned in doubles: bounds are proven wherever the points are, and
/// their number and places are a matter of taste.
class Planner {
 public:
  struct Plan {
    std::vector<Rational> at;
    double width;  // to be expected
  };

  Planner(Curve& curve, Smooth function, const Rational& low, const Rational& high)
      : beyond_(curve.beyond(low, high).get_d()) {
    ends_ = {low};
    for (const Rational& corner : curve.corners())
      if (low < corner && corner < high) ends_.push_back(corner);
    ends_.push_back(high);
    for (std::size_t segment = 0; segment + 1 < ends_.size(); ++segment) {
      const double from = ends_[segment].get_d(), to = ends_[segment + 1].get_d();
      for (unsigned i = 0; i <= grid; ++i)
        bends_.push_back(rough_bend(function, from + (to - from) * i / grid, (from + to) / 2));
    }
  }

  /// From the left, each piece as long as its two allowances together are `allowance` at most.
  Plan plan(double allowance) const {
    Plan result{{ends_[0]}, beyond_};
    double last_down = 0, last_up = 0;  // of the piece before
    for (std::size_t segment = 0; segment + 1 < ends_.size(); ++segment) {
      const Rational step = (ends_[segment + 1] - ends_[segment]) / grid;
      const double rough_step = step.get_d();
      const double* const bends = &bends_[segment * (grid + 1)];
      for (unsigned i = 0; i < grid && result.at.size() <= caps::pieces;) {
        double greatest = 0, least = 0, down = 0, up = 0;
        unsigned j = i;
        for (; j < grid; ++j) {
          greatest = std::max({greatest, bends[j], bends[j + 1]});
          least = std::min({least, bends[j], bends[j + 1]});
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
  /// The second derivative; `inside` says on which side of a corner.
  static double rough_bend(Smooth function, double x, double inside) {
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
  std::vector<Rational> ends_;  // of segments: the range, and corners inside it
  std::vector<double> bends_;
};

/// Lets a bound go on beyond an end of the range; `direction` is -1 at the left and 1 at the right.
void add_tail(Curve& curve, PiecewiseLinear& bound, bool is_lower, int direction, unsigned bits) {
  const Asymptote line = direction < 0 ? curve.left() : curve.right();
  const bool first = direction < 0;
  (first ? bound.left_slope : bound.right_slope) = line.slope;
  const Rational end = first ? bound.at.front() : bound.at.back();
  if (is_lower != line.from_above) return;  // the far side keeps its distance
  const int sign = line.from_above ? 1 : -1;
  const Rational distance =
      sign * ((first ? bound.values.front() : bound.values.back()) - line.at(end));
  if (distance <= 0) return;  // it is beyond the line, and may stay there
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

/// The bounds with points at these places, as numbers of so many bits after the point.
Enclosure build(Curve& curve, Smooth function, const std::vector<Rational>& at, unsigned bits) {
  Enclosure result{function, {at, {}, 0, 0}, {at, {}, 0, 0}, at.size() - 1, 0};
  std::vector<Rational> down(at.size()), up(at.size());
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const Interval bend = curve.bend(at[i], at[i + 1]);
    const Rational factor = (at[i + 1] - at[i]) * (at[i + 1] - at[i]) / 8;
    for (const std::size_t end : {i, i + 1}) {
      down[end] = std::max<Rational>(down[end], bend.upper * factor);
      up[end] = std::max<Rational>(up[end], -bend.lower * factor);
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

/// Bits after the point that are fine enough for bounds so far apart.
unsigned bits_for(double width) {
  return static_cast<unsigned>(std::clamp(8 - std::ilogb(width), 8, 60));
}

/// The narrowest found with so many pieces.
Enclosure with_pieces(Curve& curve, Smooth function, const EnclosureRequest& request) {
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

/// With few pieces, within a width.
Enclosure with_width(Curve& curve, Smooth function, const EnclosureRequest& request) {
  const Rational& width = *request.width;
  const std::string wanted = "attribute 'width' " + wmi::to_string(width);
  if (curve.beyond(request.low, request.high) >= width)
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
  if (2 * curve.beyond(request.low, request.high) < width)  // not that, but the places for points
    throw Error(wanted + " needs more than " + std::to_string(caps::pieces) + " pieces");
  throw Error(wanted + " is hardly above the distance of the bounds beyond the range; widen it");
}

}  // namespace

Interval value_of(Smooth function, const Rational& x) {
  switch (function) {
    case Smooth::tanh:
      return tanh_of(x);
    case Smooth::sigmoid:
      return logistic_of(x);
    case Smooth::gelu:
      return gelu_of(x);
    case Smooth::softplus:
      return softplus_of(x);
    case Smooth::hardswish:
      return hardswish_of(x);
  }
  throw Error("no such function");
}

Enclosure enclose(Smooth function, const EnclosureRequest& request) {
  if (request.pieces.has_value() == request.width.has_value())
    throw Error("give one of the attributes 'pieces' and 'width'");
  if (request.width && *request.width <= 0) throw Error("attribute 'width' must be above 0");
  if (request.pieces && (*request.pieces == 0 || *request.pieces > caps::pieces))
    throw Error("attribute 'pieces' must be between 1 and " + std::to_string(caps::pieces));
  Curve curve(function);
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
  Curve curve(function);
  while (2 * curve.beyond(low, high) >= width && (low > -reach || high < reach)) {
    low = std::max<Rational>(-reach, 2 * low);
    high = std::min<Rational>(reach, 2 * high);
  }
  return {low, high, {}, width};
}

}  // namespace wmi::encoders
