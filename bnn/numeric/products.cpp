#include "bnn/numeric/products.h"

#include "bnn/numeric/product_kernels.h"

namespace wmi::bnn {
namespace {

/// The widest loops that the processor can run.
ProductLoops widest_loops() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0) return avx512_loops();
  if (__builtin_cpu_supports("avx2") != 0) return avx2_loops();
#endif
  return own_loops;
}

const ProductLoops loops = widest_loops();

}  // namespace

void add_products(std::size_t outputs, std::size_t inputs, const Factors& factors,
                  const double* from, std::size_t columns, double* to) {
  loops.add_doubles(outputs, inputs, factors, from, columns, to);
}

void add_products(std::size_t outputs, std::size_t inputs, const FloatFactors& factors,
                  const float* from, std::size_t columns, float* to) {
  loops.add_floats(outputs, inputs, factors, from, columns, to);
}

void adam_step(const AdamStep& step, std::size_t n, const double* gradient, double* entries,
               double* means, double* squares) {
  loops.adam_step(step, n, gradient, entries, means, squares);
}

void exponentials(std::size_t n, double* x) { loops.exponentials(n, x); }

double quadratic_form(std::size_t n, const double* matrix, const double* z) {
  return loops.quadratic_form(n, matrix, z);
}

}  // namespace wmi::bnn
