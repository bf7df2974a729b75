#pragma once

namespace wmi::frontends {

/// Makes GMP call the new handler when it cannot allocate, as `new` does, instead of aborting.
void let_gmp_call_new_handler();

}  // namespace wmi::frontends
