// Compiled with -mavx2, and called where the processor has it: see products.cpp.
#ifdef __x86_64__

#include "bnn/numeric/product_kernels.h"

namespace wmi::bnn {

ProductLoops avx2_loops() { return own_loops; }

}  // namespace wmi::bnn

#endif
