#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

/// Point masses at distance r exactly lie on a jump: there, as for densities, the limit from the
/// right counts, so those at y - r are out and those at y + r are in.
class Uniform final : public ExactLikelihood {
 public:
  explicit Uniform(const Rational& radius) : radius_(positive(radius, "a radius")) {}

 protected:
  Rational integral(const Law& law, const Rational& y) const override {
    return (law.cdf(y + radius_) - law.cdf(y - radius_)) / (2 * radius_);
  }

 private:
  Rational radius_;
};

}  // namespace

std::unique_ptr<Likelihood> make_uniform(const LikelihoodOptions& options) {
  return std::make_unique<Uniform>(options.scale);
}

}  // namespace wmi
