#include "solver/laws/likelihoods/kernel.h"

namespace wmi {
namespace {

/// A point mass at distance exactly r lies on a jump of p(y), where, as for densities, the limit
/// from the right counts: masses at y - r are excluded, those at y + r included.
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
