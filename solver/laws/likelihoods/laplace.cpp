// The Laplace kernel is an exponential on each side of y: with u = |s - y|/b and q(u) the density,
//
//     integral of q(u) e^-u = - e^-u (q + q' + q'' + ...).

#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

class Laplace final : public BallLikelihood {
 public:
  explicit Laplace(const Rational& scale) : scale_(positive(scale, "a scale")) {}

 protected:
  Ball integral(const Law& law, const Rational& y, const Reals& r) const override {
    Ball result;
    for (const PointMass& atom : law.atoms()) {
      const Rational distance = abs(y - atom.at) / scale_;
      result = r.sum(result, r.product(r(atom.mass), r.exp(r(Rational(-distance)))));
    }
    result = r.quotient(result, r(scale_));
    for (const Piece& piece : law.pieces()) {
      if (piece.from < y)
        result =
            r.sum(result, side(piece.density.composed(-scale_, y),
                               (y - std::min(piece.to, y)) / scale_, (y - piece.from) / scale_, r));
      if (piece.to > y)
        result =
            r.sum(result, side(piece.density.composed(scale_, y),
                               (std::max(piece.from, y) - y) / scale_, (piece.to - y) / scale_, r));
    }
    return r.quotient(result, r(2));
  }

 private:
  static Ball side(const Univariate& q, const Rational& near, const Rational& far, const Reals& r) {
    Univariate sum, derivative = q;
    for (; !derivative.zero(); derivative = derivative.derivative()) sum += derivative;
    const auto end = [&](const Rational& u) {
      return r.product(r(sum.at(u)), r.exp(r(Rational(-u))));
    };
    return r.difference(end(near), end(far));
  }

  Rational scale_;
};

}  // namespace

std::unique_ptr<Likelihood> make_laplace(const LikelihoodOptions& options) {
  return std::make_unique<Laplace>(options.scale);
}

}  // namespace wmi
