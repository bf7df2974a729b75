#include "solver/numeric/quadrature.h"

#include <acb_calc.h>

namespace wmi {
namespace {

struct Integrand {
  const Univariate& polynomial;
  const Analytic& function;
};

int evaluate(acb_ptr result, const acb_t z, void* parameter, slong order, slong bits) {
  const auto& integrand = *static_cast<const Integrand*>(parameter);
  integrand.function(result, z, order != 0, bits);
  acb_t value;
  acb_init(value);
  const std::vector<Rational>& coefficients = integrand.polynomial.coefficients();
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    acb_mul(value, value, z, bits);
    acb_add_arb(value, value, ball(coefficients[i], bits), bits);
  }
  acb_mul(result, result, value, bits);
  acb_clear(value);
  return 0;
}

}  // namespace

Ball integrate(const Univariate& polynomial, const Analytic& function, const Rational& from,
               const Rational& to, slong bits) {
  Integrand integrand{polynomial, function};
  acb_t a, b, integral;
  acb_init(a);
  acb_init(b);
  acb_init(integral);
  acb_set_arb(a, ball(from, bits));
  acb_set_arb(b, ball(to, bits));
  mag_t tolerance;  // absolute: 0, only the relative one counts
  mag_init(tolerance);
  acb_calc_integrate_opt_t options;
  acb_calc_integrate_opt_init(options);
  acb_calc_integrate(integral, evaluate, &integrand, a, b, bits, tolerance, options, bits);
  Ball result;
  arb_set(result, acb_realref(integral));
  mag_clear(tolerance);
  acb_clear(integral);
  acb_clear(b);
  acb_clear(a);
  return result;
}

}  // namespace wmi
