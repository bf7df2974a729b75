#pragma once

namespace wmi::frontends {

/// GMP, which aborts when it cannot allocate, does from now on as `new` does: it calls the new
/// handler, and tries again.
void let_gmp_call_new_handler();

}  // namespace wmi::frontends
