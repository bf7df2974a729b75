// The kernel 1/r - |y - s|/r^2 is affine on either side of y, so masses and means of the law
// restricted to each side suffice.

#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

class Triangular final : public ExactLikelihood {
 public:
  explicit Triangular(const Rational& radius) : radius_(positive(radius, "a radius")) {}

 protected:
  Rational integral(const Law& law, const Rational& y) const override {
    const Law whole = law.restricted(y - radius_, y + radius_);
    const Law below = whole.restricted(y - radius_, y);
    // The integral of |y - s|: of s - y, and twice that of y - s where it is positive.
    const Rational distance =
        whole.moment(1) - y * whole.mass() + 2 * (y * below.mass() - below.moment(1));
    return whole.mass() / radius_ - distance / (radius_ * radius_);
  }

 private:
  Rational radius_;
};

}  // namespace

std::unique_ptr<Likelihood> make_triangular(const LikelihoodOptions& options) {
  return std::make_unique<Triangular>(options.scale);
}

}  // namespace wmi
