// The transform of a logit with a piecewise polynomial law, by finitely many points.
//
// With X = e^z the transform is A(t) = E[e^(-tX)], and B(t) = E[tX e^(-tX)] = -t A'(t). An atom is
// one point. A piece is cut into panels c + r s, -1 <= s <= 1, of length at most 1, and each is
// integrated over z by the Gauss-Legendre rule with n >= 2 points. If |f| <= M in the ellipse with
// foci -1 and 1 whose semi-axes add up to rho, the k-th Chebyshev coefficient of f is at most
// 2 M rho^-k. The rule is exact for k < 2n and for odd k, and has an error of at most
// 2 + 2/(k^2 - 1) <= 32/15 for the others, so its error is at most
//
//     64/15 M rho^-2n / (1 - rho^-2).
//
// For z in that ellipse, with real part within alpha of c and imaginary part at most beta < pi/2,
// beta = r (rho - 1/rho)/2 and alpha = r (rho + 1/rho)/2,
//
//     |exp(-t e^z)| <= exp(-t e^(c - alpha) cos(beta)),   |e^z| <= e^(c + alpha).
//
// The best beta depends on t; a few are stored, one is chosen in doubles, and its bound is computed
// in balls. Panels on which t e^z is at most 1 are treated together: the power sums m_n = sum w x^n
// of their points give
//
//     A = sum_(n<N) (-t)^n m_n/n! with an error of at most t^N m_N/N!
//
// since the remainder of e^-x is at most the first omitted term; likewise for B, and in the errors
// of the rules exp(...) <= 1 suffices there. From the first panel on where exp(-t e^z) is
// negligible, all further panels are: A is at most exp(-t x) and B at most t x exp(-t x) there,
// with x >= 1/t the lower end of the panel.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/laws/softmax/laplace.h"
#include "solver/laws/softmax/laplace_rule.h"
#include "solver/numeric/ball.h"

namespace wmi {
namespace {

/// Half-heights of the ellipses that bound the error of a rule; all less than pi/2.
constexpr std::array<double, 6> half_heights = {1.5, 1.25, 0.875, 0.5, 0.25, 0.125};

Integer ceiling(const Rational& value) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

/// scale * exp(-t * decay), as an upper bound.
Ball decayed(const Ball& scale, const Ball& decay, const Ball& t) {
  Ball result;
  arb_mul(result, t, decay, bound_bits);
  arb_neg(result, result);
  arb_exp(result, result, bound_bits);
  arb_mul(result, result, scale, bound_bits);
  return result;
}

/// A bound on the error of a panel's rule, from one ellipse.
struct EllipseBound {
  double log_scale;  // the next two in doubles
  double log_decay;
  Ball scale;   // 64/15 r |density| rho^-2n / (1 - rho^-2)
  Ball decay;   // e^(c - alpha) cos(beta)
  Ball growth;  // e^(c + alpha)
};

struct Point {
  Ball x;  // e^z
  Ball weight;
};

/// An atom, or a part of a piece.
struct Panel {
  double from, to;
  Ball least;  // e^from
  std::vector<Point> points;
  std::vector<EllipseBound> bounds;  // none for an atom
};

}  // namespace

class LaplaceMaker::Points : public LaplaceTransform {
 public:
  Points(const Law& law, const Rational& shift, LaplaceMaker& maker)
      : bits_(maker.bits_), orders_(maker.moments_ + 1) {
    const Rational mass = law.mass();
    for (const PointMass& atom : law.atoms()) add_atom(atom.at + shift, atom.mass / mass);
    for (const Piece& piece : law.pieces()) {
      const Integer parts = ceiling(piece.to - piece.from);
      const Rational half = (piece.to - piece.from) / (2 * parts);
      for (Integer part = 0; part < parts; ++part) {
        const Rational center = piece.from + (2 * part + 1) * half;
        add_panel(center + shift, half, piece.density.composed(half, center), half / mass, maker);
      }
    }
    std::sort(panels_.begin(), panels_.end(),
              [](const Panel& a, const Panel& b) { return a.from < b.from; });
    add_up();
  }

  void at(const Ball& t, double log_t, Ball& value, Ball& slope) const override {
    arb_zero(value);
    arb_zero(slope);
    const auto small = [&](const Panel& panel) { return log_t + panel.to <= 0; };
    std::size_t i = 0;
    while (i < panels_.size() && small(panels_[i])) ++i;
    if (i > 0) add_series(sums_[i - 1], log_t + panels_[i - 1].to, t, value, slope);
    const double first = i > 0 ? 1 : std::exp(log_t + panels_[i].from);
    for (; i < panels_.size(); ++i) {
      if (std::exp(log_t + panels_[i].from) > first + 0.75 * static_cast<double>(bits_) + 8) {
        add_rest(panels_[i], t, value, slope);
        return;
      }
      add_panel_at(panels_[i], t, log_t, value, slope);
    }
  }

  Ball moment(unsigned order) const override {
    assert(order <= orders_);
    Ball result = sums_.back().powers[order], factorial;
    arb_fac_ui(factorial, order, bits_);
    arb_mul(result, result, factorial, bits_);
    for (const Panel& panel : panels_) {
      Ball least, error;
      arb_pos_inf(least);
      for (const EllipseBound& bound : panel.bounds) {
        arb_pow_ui(error, bound.growth, order, bound_bits);
        arb_mul(error, error, bound.scale, bound_bits);
        arb_min(least, least, error, bound_bits);
      }
      if (!panel.bounds.empty()) arb_add_error(result, least);
    }
    return result;
  }

  Ball least() const override { return panels_.front().least; }

 private:
  /// Sums over the panels up to one.
  struct Sums {
    std::vector<Ball> powers;  // sum w x^n / n!
    Ball value_error;          // of the rules for A, where t x <= 1
    Ball slope_error;          // for B, to be multiplied by t
  };

  void add_atom(const Rational& at, const Rational& mass) {
    Panel panel{at.get_d(), at.get_d(), exponential(at, bits_), {}, {}};
    panel.points.push_back({panel.least, ball(mass, bits_)});
    panels_.push_back(std::move(panel));
  }

  /// `density` is in s; the measure is factor * density ds.
  void add_panel(const Rational& center, const Rational& half, const Univariate& density,
                 const Rational& factor, LaplaceMaker& maker) {
    Panel panel{Rational(center - half).get_d(),
                Rational(center + half).get_d(),
                exponential(center - half, bits_),
                {},
                {}};
    const double r = half.get_d();
    const double log_rho = r > 0 ? std::asinh(0.75 / r) : 1e6;
    const unsigned count = 2 + static_cast<unsigned>(static_cast<double>(bits_) * 0.35 / log_rho);

    const Rule& rule = maker.rule(count);
    const Ball middle = exponential(center, bits_), radius = ball(half, bits_);
    std::vector<Ball> coefficients;
    for (const Rational& coefficient : density.coefficients())
      coefficients.push_back(ball(coefficient * factor, bits_));
    for (unsigned i = 0; i < count; ++i) {
      Point point;
      arb_mul(point.x, radius, rule.nodes[i], bits_);
      arb_exp(point.x, point.x, bits_);
      arb_mul(point.x, point.x, middle, bits_);
      for (std::size_t k = coefficients.size(); k-- > 0;) {
        arb_mul(point.weight, point.weight, rule.nodes[i], bits_);
        arb_add(point.weight, point.weight, coefficients[k], bits_);
      }
      arb_mul(point.weight, point.weight, rule.weights[i], bits_);
      panel.points.push_back(std::move(point));
    }
    for (const double beta : half_heights)
      panel.bounds.push_back(ellipse_bound(beta, center, radius, coefficients, count));
    panels_.push_back(std::move(panel));
  }

  static EllipseBound ellipse_bound(double half_height, const Rational& center, const Ball& radius,
                                    const std::vector<Ball>& coefficients, unsigned count) {
    EllipseBound bound;
    Ball beta, alpha, rho, reach, edge;
    arb_set_d(beta, half_height);
    arb_hypot(alpha, beta, radius, bound_bits);
    arb_add(rho, alpha, beta, bound_bits);
    arb_div(rho, rho, radius, bound_bits);
    // The density is at most sum |coefficient| (alpha/r)^k.
    arb_div(reach, alpha, radius, bound_bits);
    for (std::size_t k = coefficients.size(); k-- > 0;) {
      Ball size;
      arb_abs(size, coefficients[k]);
      arb_mul(bound.scale, bound.scale, reach, bound_bits);
      arb_add(bound.scale, bound.scale, size, bound_bits);
    }
    arb_inv(rho, rho, bound_bits);
    arb_mul(rho, rho, rho, bound_bits);  // rho^-2
    arb_sub_ui(edge, rho, 1, bound_bits);
    arb_neg(edge, edge);
    arb_pow_ui(rho, rho, count, bound_bits);
    arb_mul(bound.scale, bound.scale, rho, bound_bits);
    arb_div(bound.scale, bound.scale, edge, bound_bits);
    arb_mul_ui(bound.scale, bound.scale, 64, bound_bits);
    arb_div_ui(bound.scale, bound.scale, 15, bound_bits);

    const Ball middle = ball(center, bound_bits + 64);
    arb_sub(bound.decay, middle, alpha, bound_bits + 64);
    arb_exp(bound.decay, bound.decay, bound_bits);
    arb_cos(edge, beta, bound_bits);
    arb_mul(bound.decay, bound.decay, edge, bound_bits);
    arb_add(bound.growth, middle, alpha, bound_bits + 64);
    arb_exp(bound.growth, bound.growth, bound_bits);

    arb_log(edge, bound.scale, bound_bits);
    bound.log_scale = to_double(edge);
    arb_log(edge, bound.decay, bound_bits);
    bound.log_decay = to_double(edge);
    return bound;
  }

  void add_up() {
    Sums sums;
    sums.powers.resize(orders_ + 1);
    Ball power, inverse;
    for (const Panel& panel : panels_) {
      std::vector<Ball> powers(orders_ + 1);
      for (const Point& point : panel.points) {
        power = point.weight;
        for (unsigned n = 0; n <= orders_; ++n) {
          arb_add(powers[n], powers[n], power, bits_);
          arb_mul(power, power, point.x, bits_);
        }
      }
      arb_one(inverse);
      for (unsigned n = 0; n <= orders_; ++n) {
        if (n > 1) arb_div_ui(inverse, inverse, n, bits_);
        arb_addmul(sums.powers[n], powers[n], inverse, bits_);
      }
      if (!panel.bounds.empty()) {
        const EllipseBound& bound = panel.bounds.front();
        arb_add(sums.value_error, sums.value_error, bound.scale, bound_bits);
        arb_addmul(sums.slope_error, bound.scale, bound.growth, bound_bits);
      }
      sums_.push_back(sums);
    }
  }

  /// Adds the contribution of the panels of the sums, where t x is at most e^log_largest.
  void add_series(const Sums& sums, double log_largest, const Ball& t, Ball& value,
                  Ball& slope) const {
    unsigned count = 1;
    double left = static_cast<double>(bits_) * std::log(2.0) + log_largest;
    while (left > 0 && count + 1 < orders_) left -= std::log(count++) - log_largest;
    Ball minus, error;
    arb_neg(minus, t);
    Ball a, b;
    for (unsigned n = count; n-- > 0;) {
      arb_mul(a, a, minus, bits_);
      arb_add(a, a, sums.powers[n], bits_);
      arb_mul(b, b, minus, bits_);
      arb_addmul_ui(b, sums.powers[n + 1], n + 1, bits_);
    }
    arb_mul(b, b, t, bits_);

    arb_pow_ui(error, t, count, bound_bits);
    Ball first;
    arb_mul(first, error, sums.powers[count], bound_bits);
    arb_add_error(a, first);
    arb_add_error(a, sums.value_error);
    arb_mul(error, error, t, bound_bits);
    arb_mul(error, error, sums.powers[count + 1], bound_bits);
    arb_mul_ui(error, error, count + 1, bound_bits);
    arb_add_error(b, error);
    arb_mul(error, sums.slope_error, t, bound_bits);
    arb_add_error(b, error);
    arb_add(value, value, a, bits_);
    arb_add(slope, slope, b, bits_);
  }

  void add_panel_at(const Panel& panel, const Ball& t, double log_t, Ball& value,
                    Ball& slope) const {
    Ball x, e;
    for (const Point& point : panel.points) {
      arb_mul(x, t, point.x, bits_);
      arb_neg(e, x);
      arb_exp(e, e, bits_);
      arb_mul(e, e, point.weight, bits_);
      arb_add(value, value, e, bits_);
      arb_addmul(slope, e, x, bits_);
    }
    if (panel.bounds.empty()) return;
    const EllipseBound* best = &panel.bounds.front();
    double least = std::numeric_limits<double>::infinity();
    for (const EllipseBound& bound : panel.bounds) {
      const double log_error = bound.log_scale - std::exp(log_t + bound.log_decay);
      if (!(log_error < least)) continue;
      best = &bound;
      least = log_error;
    }
    Ball error = decayed(best->scale, best->decay, t);
    arb_add_error(value, error);
    arb_mul(error, error, best->growth, bound_bits);
    arb_mul(error, error, t, bound_bits);
    arb_add_error(slope, error);
  }

  /// Bounds the contribution from this panel on, where t x is large and the mass at most 1. (x e^-x
  /// decreases from x = 1 on, and is never more than 1.)
  static void add_rest(const Panel& panel, const Ball& t, Ball& value, Ball& slope) {
    Ball one;
    arb_one(one);
    Ball x, error = decayed(one, panel.least, t);
    arb_add_error(value, error);
    arb_mul(x, t, panel.least, bound_bits);
    arb_mul(error, error, x, bound_bits);
    arb_add_error(slope, arb_gt(x, one) ? error : one);
  }

  slong bits_;
  unsigned orders_;
  std::vector<Panel> panels_;  // ascending
  std::vector<Sums> sums_;     // up to each
};

std::unique_ptr<LaplaceTransform> LaplaceMaker::make_points(const Law& law, const Rational& shift) {
  return std::make_unique<Points>(law, shift, *this);
}

}  // namespace wmi
