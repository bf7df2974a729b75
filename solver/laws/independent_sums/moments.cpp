// Moments from cumulants, which are additive for independent terms. A uniform on [-h, h] has the
// cumulants B_k (2h)^k / k (Bernoulli numbers; k even), a Gaussian only the second, and
//
//     mu_n = sum over k = 1 ... n of  binomial(n-1, k-1) kappa_k mu_(n-k).

#include "solver/laws/independent_sums/moments.h"

namespace wmi {
namespace {

Integer binomial(unsigned n, unsigned k) {
  Integer result;
  mpz_bin_uiui(result.get_mpz_t(), n, k);
  return result;
}

/// B_0 ... B_most, by  sum over k <= n of binomial(n+1, k) B_k = 0.
std::vector<Rational> bernoulli_numbers(unsigned most) {
  std::vector<Rational> result{1};
  for (unsigned n = 1; n <= most; ++n) {
    Rational sum;
    for (unsigned k = 0; k < n; ++k)
      if (result[k] != 0) sum += binomial(n + 1, k) * result[k];
    result.emplace_back(-sum / (n + 1));
  }
  return result;
}

}  // namespace

std::vector<Rational> central_moments(const Boxes& law, unsigned most) {
  const std::vector<Rational> bernoulli = bernoulli_numbers(most);
  std::vector<Rational> cumulants(most + 1);
  for (unsigned k = 2; k <= most; k += 2) {
    for (const Box& box : law.boxes) cumulants[k] += box.count * power(2 * box.half_width, k);
    cumulants[k] *= bernoulli[k] / k;
  }
  if (most >= 2) cumulants[2] += law.sigma * law.sigma;

  std::vector<Rational> moments(most + 1);
  moments[0] = 1;
  for (unsigned n = 2; n <= most; n += 2)
    for (unsigned k = 2; k <= n; k += 2)
      moments[n] += binomial(n - 1, k - 1) * cumulants[k] * moments[n - k];
  return moments;
}

}  // namespace wmi
