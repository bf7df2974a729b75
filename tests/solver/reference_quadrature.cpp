#include "tests/solver/reference_quadrature.h"

#include <memory>
#include <vector>

namespace wmi::tests {
namespace {

constexpr mpfr_prec_t precision = 960;

class Real {
 public:
  Real() { mpfr_init2(value_, precision); }
  explicit Real(const Rational& value) : Real() {
    mpfr_set_q(value_, value.get_mpq_t(), MPFR_RNDN);
  }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }           // NOLINT
  operator mpfr_srcptr() const { return value_; }  // NOLINT

  Rational rational() const {
    Integer digits;
    const mpfr_exp_t exponent = mpfr_get_z_2exp(digits.get_mpz_t(), value_);
    Rational result(digits);
    if (exponent >= 0)
      mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
    else
      mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
    return result;
  }

 private:
  mpfr_t value_;
};

/// Where to look on [0, 1], and with what weight: x = 1/(1 + e^(-pi sinh t)) for t = k/128.
struct Node {
  Real x, rest, weight;  // rest = 1 - x
};

const std::vector<std::unique_ptr<Node>>& nodes() {
  static const std::vector<std::unique_ptr<Node>> all = [] {
    std::vector<std::unique_ptr<Node>> result;
    for (int k = -760; k <= 760; ++k) {
      auto node = std::make_unique<Node>();
      const Real t(ratio(k, 128));
      Real sine, cosine, pi, e;
      mpfr_sinh_cosh(sine, cosine, t, MPFR_RNDN);
      mpfr_const_pi(pi, MPFR_RNDN);
      mpfr_mul(e, pi, sine, MPFR_RNDN);
      mpfr_exp(e, e, MPFR_RNDN);  // x/(1 - x)
      mpfr_add_ui(node->rest, e, 1, MPFR_RNDN);
      mpfr_ui_div(node->rest, 1, node->rest, MPFR_RNDN);
      mpfr_mul(node->x, e, node->rest, MPFR_RNDN);
      mpfr_mul(node->weight, node->x, node->rest, MPFR_RNDN);
      mpfr_mul(node->weight, node->weight, pi, MPFR_RNDN);
      mpfr_mul(node->weight, node->weight, cosine, MPFR_RNDN);
      mpfr_div_ui(node->weight, node->weight, 128, MPFR_RNDN);
      result.push_back(std::move(node));
    }
    return result;
  }();
  return all;
}

}  // namespace

Rational reference_integral(const std::function<void(mpfr_ptr value, mpfr_srcptr x)>& function,
                            const Rational& a, const Rational& b) {
  const Real from(a), to(b);
  Real x, value, sum, part;
  mpfr_set_zero(sum, 1);
  for (const auto& node : nodes()) {
    mpfr_mul(x, from, node->rest, MPFR_RNDN);
    mpfr_mul(part, to, node->x, MPFR_RNDN);
    mpfr_add(x, x, part, MPFR_RNDN);
    function(value, x);
    mpfr_mul(value, value, node->weight, MPFR_RNDN);
    mpfr_add(sum, sum, value, MPFR_RNDN);
  }
  return sum.rational() * (b - a);
}

Rational reference(const std::function<void(mpfr_ptr value)>& make) {
  Real value;
  make(value);
  return value.rational();
}

bool close_to(const Rational& reference, const Rational& value) {
  return abs(reference - value) <= abs(reference) / power(Rational(10), 190);
}

void at(mpfr_ptr value, const Univariate& polynomial, mpfr_srcptr x) {
  mpfr_set_zero(value, 1);
  for (std::size_t i = polynomial.coefficients().size(); i-- > 0;) {
    mpfr_mul(value, value, x, MPFR_RNDN);
    mpfr_add_q(value, value, polynomial.coefficients()[i].get_mpq_t(), MPFR_RNDN);
  }
}

}  // namespace wmi::tests
