// The integral of a polynomial piece p(s) on [a, b] times the normal density, in u = (s - y)/sigma:
// with q(u) = p(y + sigma u) and phi the standard normal density, the integral of q phi follows
// from
//
//     J_0 = Phi(B) - Phi(A),   J_1 = phi(A) - phi(B),
//     J_k = (k-1) J_(k-2) + A^(k-1) phi(A) - B^(k-1) phi(B).
//
// In the tails J_0 is a difference of tails on the same side, which have small relative errors; any
// other cancellation is compensated by more bits.

#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

/// The normal law at an end of a piece.
struct End {
  Ball u, density, below, above;

  End(const Rational& distance, const Reals& r)
      : u(r(distance)),
        density(r.normal_density(u)),
        below(r.normal_below(u)),
        above(r.normal_below(r.negative(u))) {}
};

class Gaussian final : public BallLikelihood {
 public:
  explicit Gaussian(const Rational& sigma) : sigma_(positive(sigma, "a standard deviation")) {}

 protected:
  Ball integral(const Law& law, const Rational& y, const Reals& r) const override {
    Ball result;
    for (const PointMass& atom : law.atoms())
      result = r.sum(result, r.product(r(Rational(atom.mass / sigma_)),
                                       r.normal_density(r(Rational((y - atom.at) / sigma_)))));
    std::optional<std::pair<Rational, End>> last;  // adjacent pieces share an end
    for (const Piece& piece : law.pieces()) {
      const End from = last && last->first == piece.from ? std::move(last->second)
                                                         : End((piece.from - y) / sigma_, r);
      End to((piece.to - y) / sigma_, r);
      result = r.sum(result, over(piece.density.composed(sigma_, y), from, to, r));
      last.emplace(piece.to, std::move(to));
    }
    return result;
  }

 private:
  static Ball over(const Univariate& q, const End& from, const End& to, const Reals& r) {
    const bool right = arb_is_positive(from.u);
    Ball even = right ? r.difference(from.above, to.above) : r.difference(to.below, from.below);
    Ball odd = r.difference(from.density, to.density);
    Ball at_from = from.density, at_to = to.density;  // times A^(k-1), B^(k-1)
    Ball result;
    for (std::size_t k = 0; k < q.coefficients().size(); ++k) {
      Ball& moment = k % 2 == 0 ? even : odd;
      if (k >= 2) {
        at_from = r.product(at_from, from.u);
        at_to = r.product(at_to, to.u);
        moment =
            r.sum(r.product(r(Rational(Integer(k - 1))), moment), r.difference(at_from, at_to));
      }
      result = r.sum(result, r.product(r(q.coefficients()[k]), moment));
    }
    return result;
  }

  Rational sigma_;
};

}  // namespace

std::unique_ptr<Likelihood> make_gaussian(const LikelihoodOptions& options) {
  return std::make_unique<Gaussian>(options.scale);
}

}  // namespace wmi
