// Compiled with -mavx2, and called where the processor has it: see products.cpp.
#ifdef __x86_64__

#include "bnn/numeric/product_kernels.h"

namespace wmi::bnn {

void add_products_avx2(std::size_t outputs, std::size_t inputs, const Factors& factors,
                       const double* from, std::size_t columns, double* to) {
  add_all(outputs, inputs, factors, from, columns, to);
}

void add_products_avx2(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                       const float* from, std::size_t columns, float* to) {
  add_all(outputs, inputs, factors, from, columns, to);
}

void add_scalar_products_avx2(std::size_t outputs, std::size_t inputs, const double* left,
                              const double* right, std::size_t columns, double* to) {
  add_all_scalars(outputs, inputs, left, right, columns, to);
}

double quadratic_form_avx2(std::size_t n, const double* matrix, const double* z) {
  return triangular_form(n, matrix, z);
}

}  // namespace wmi::bnn

#endif
