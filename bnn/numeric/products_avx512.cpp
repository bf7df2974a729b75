// Compiled with -mavx512f, and called where the processor has it: see products.cpp.
#ifdef __x86_64__

#include "bnn/numeric/product_kernels.h"

namespace wmi::bnn {

ProductLoops avx512_loops() { return own_loops; }

}  // namespace wmi::bnn

#endif
