// The transform of a logit with a piecewise polynomial law: in closed form for a uniform law on a
// long interval, otherwise by points (laplace_points.cpp).
//
// With X = e^z the transform is A(t) = E[e^(-tX)], and B(t) = E[tX e^(-tX)] = -t A'(t). For z
// uniform on [a, b],
//
//     A = (E1(t e^a) - E1(t e^b)) / (b - a),   B = (exp(-t e^a) - exp(-t e^b)) / (b - a),
//
// which lose few bits in the difference unless b - a is small.

#include "solver/laws/softmax/laplace.h"

#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>

#include "solver/laws/softmax/laplace_rule.h"
#include "solver/numeric/ball.h"

namespace wmi {
namespace {

constexpr int wide = 4;  // uniform logits of at least this length use E1

}  // namespace

LaplaceMaker::LaplaceMaker(long bits, unsigned moments) : bits_(bits), moments_(moments) {
  // Enough for the power series, too: 1/n! < 2^-bits.
  double left = static_cast<double>(bits) * std::log(2.0);
  unsigned order = 0;
  while (left > 0) left -= std::log(++order);
  moments_ = std::max(moments_, order + 2);
}
LaplaceMaker::~LaplaceMaker() = default;

const LaplaceMaker::Rule& LaplaceMaker::rule(unsigned points) {
  std::unique_ptr<Rule>& rule = rules_[points];
  if (rule) return *rule;
  rule = std::make_unique<Rule>();
  rule->nodes.resize(points);
  rule->weights.resize(points);
  for (unsigned i = 0; i < points; ++i)
    arb_hypgeom_legendre_p_ui_root(rule->nodes[i], rule->weights[i], points, i, bits_ + 16);
  return *rule;
}

class LaplaceMaker::WideUniform : public LaplaceTransform {
 public:
  WideUniform(const Rational& from, const Rational& to, slong bits)
      : from_(from), to_(to), bits_(bits) {
    length_ = ball(to - from, bits);
    least_ = exponential(from, bits);
    most_ = exponential(to, bits);
    arb_sub(difference_, most_, least_, bits);
  }

  void at(const Ball& t, double, Ball& value, Ball& slope) const override {
    Ball x, y, one;
    arb_one(one);
    arb_mul(x, t, least_, bits_);
    arb_mul(y, t, most_, bits_);
    arb_hypgeom_expint(value, one, x, bits_);
    if (to_double(y) < 2 * static_cast<double>(bits_)) {
      arb_hypgeom_expint(y, one, y, bits_);
      arb_sub(value, value, y, bits_);
    } else {  // E1(y) <= e^-y for y >= 1
      arb_neg(y, y);
      arb_exp(y, y, bound_bits);
      arb_add_error(value, y);
    }
    arb_div(value, value, length_, bits_);

    arb_neg(x, x);
    arb_exp(x, x, bits_);
    arb_mul(slope, t, difference_, bits_);
    arb_neg(slope, slope);
    arb_expm1(slope, slope, bits_);
    arb_neg(slope, slope);
    arb_mul(slope, slope, x, bits_);
    arb_div(slope, slope, length_, bits_);
  }

  Ball moment(unsigned order) const override {
    if (order == 0) return ball(1, bits_);
    Ball result = exponential(order * to_, bits_);
    arb_sub(result, result, exponential(order * from_, bits_), bits_);
    arb_div(result, result, length_, bits_);
    arb_div_ui(result, result, order, bits_);
    return result;
  }

  Ball least() const override { return least_; }

 private:
  Rational from_, to_;
  slong bits_;
  Ball length_, least_, most_, difference_;
};

std::unique_ptr<LaplaceTransform> LaplaceMaker::make(const Law& law, const Rational& shift) {
  if (law.atoms().empty() && law.pieces().size() == 1) {
    const Piece& piece = law.pieces().front();
    if (piece.density.degree() == 0 && piece.to - piece.from >= wide)
      return std::make_unique<WideUniform>(piece.from + shift, piece.to + shift, bits_);
  }
  return make_points(law, shift);
}

}  // namespace wmi
