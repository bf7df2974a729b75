// Student's t has no closed form for general degrees of freedom, so pieces are integrated by
// rigorous quadrature.

#include "solver/laws/likelihoods/kernel.h"
#include "solver/numeric/quadrature.h"

namespace wmi {
namespace {

class Student final : public BallLikelihood {
 public:
  Student(const Rational& scale, const Rational& freedom)
      : scale_(positive(scale, "a scale")), freedom_(positive(freedom, "degrees of freedom")) {}

 protected:
  Ball integral(const Law& law, const Rational& y, const Reals& r) const override {
    const Rational exponent = -(freedom_ + 1) / 2;
    Ball result;
    for (const PointMass& atom : law.atoms()) {
      const Rational t = (y - atom.at) / scale_;
      const Ball base = r.log(r(Rational(1 + t * t / freedom_)));
      result = r.sum(result, r.product(r(atom.mass), r.exp(r.product(r(exponent), base))));
    }
    const Analytic kernel = [&](acb_ptr value, acb_srcptr s, bool analytic, slong bits) {
      acb_sub_arb(value, s, ball(y, bits), bits);
      acb_mul(value, value, value, bits);
      acb_mul_arb(value, value, ball(Rational(1 / (scale_ * scale_ * freedom_)), bits), bits);
      acb_add_ui(value, value, 1, bits);
      acb_log_analytic(value, value, analytic, bits);
      acb_mul_arb(value, value, ball(exponent, bits), bits);
      acb_exp(value, value, bits);
    };
    for (const Piece& piece : law.pieces())
      result = r.sum(result, integrate(piece.density, kernel, piece.from, piece.to, r.bits));
    return r.product(result, peak(r));
  }

 private:
  /// Gamma((f+1)/2) / (sqrt(f pi) Gamma(f/2) scale).
  Ball peak(const Reals& r) const {
    Ball above, below;
    arb_gamma(above, r(Rational((freedom_ + 1) / 2)), r.bits);
    arb_gamma(below, r(Rational(freedom_ / 2)), r.bits);
    const Ball root = r.root(r.product(r(freedom_), r.pi()));
    return r.quotient(above, r.product(r.product(below, root), r(scale_)));
  }

  Rational scale_;
  Rational freedom_;
};

}  // namespace

std::unique_ptr<Likelihood> make_student(const LikelihoodOptions& options) {
  return std::make_unique<Student>(options.scale, options.freedom);
}

}  // namespace wmi
