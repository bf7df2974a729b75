#include "bnn/numeric/products.h"

#include "bnn/numeric/product_kernels.h"

namespace wmi::bnn {

#ifdef __x86_64__
// In products_avx2.cpp: the same, compiled for processors with AVX2.
void add_products_avx2(std::size_t outputs, std::size_t inputs, const Factors& factors,
                       const double* from, std::size_t columns, double* to);
void add_products_avx2(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                       const float* from, std::size_t columns, float* to);
void add_scalar_products_avx2(std::size_t outputs, std::size_t inputs, const double* left,
                              const double* right, std::size_t columns, double* to);

double quadratic_form_avx2(std::size_t n, const double* matrix, const double* z);

namespace {
const bool wide = __builtin_cpu_supports("avx2") != 0;
}
#endif

void add_products(std::size_t outputs, std::size_t inputs, const Factors& factors,
                  const double* from, std::size_t columns, double* to) {
#ifdef __x86_64__
  if (wide) return add_products_avx2(outputs, inputs, factors, from, columns, to);
#endif
  add_all(outputs, inputs, factors, from, columns, to);
}

void add_products(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                  const float* from, std::size_t columns, float* to) {
#ifdef __x86_64__
  if (wide) return add_products_avx2(outputs, inputs, factors, from, columns, to);
#endif
  add_all(outputs, inputs, factors, from, columns, to);
}

void add_scalar_products(std::size_t outputs, std::size_t inputs, const double* left,
                         const double* right, std::size_t columns, double* to) {
#ifdef __x86_64__
  if (wide) return add_scalar_products_avx2(outputs, inputs, left, right, columns, to);
#endif
  add_all_scalars(outputs, inputs, left, right, columns, to);
}

double quadratic_form(std::size_t n, const double* matrix, const double* z) {
#ifdef __x86_64__
  if (wide) return quadratic_form_avx2(n, matrix, z);
#endif
  return triangular_form(n, matrix, z);
}

}  // namespace wmi::bnn
