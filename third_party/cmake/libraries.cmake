# Finds the C and C++ libraries that bring no CMake package, as targets third_party::NAME.
# The installed package of this project includes this file too.

function(wmi_find_library name header package)
  if(TARGET third_party::${name})
    return()
  endif()
  find_path(WMI_${name}_INCLUDE ${header})
  find_library(WMI_${name}_LIBRARY ${name})
  mark_as_advanced(WMI_${name}_INCLUDE WMI_${name}_LIBRARY)
  if(NOT WMI_${name}_INCLUDE OR NOT WMI_${name}_LIBRARY)
    message(FATAL_ERROR "wmi needs ${header} and lib${name}; on Debian: apt-get install ${package}")
  endif()
  add_library(third_party::${name} UNKNOWN IMPORTED)
  # Headers of imported targets are system headers, so their warnings are not ours.
  set_target_properties(third_party::${name} PROPERTIES
    IMPORTED_LOCATION ${WMI_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${WMI_${name}_INCLUDE})
endfunction()

wmi_find_library(gmp gmp.h libgmp-dev)
wmi_find_library(gmpxx gmpxx.h libgmp-dev)
wmi_find_library(mpfr mpfr.h libmpfr-dev)
wmi_find_library(mpfi mpfi.h libmpfi-dev)
wmi_find_library(flint flint/flint.h libflint-dev)
wmi_find_library(flint-arb arb.h libflint-arb-dev)
wmi_find_library(z3 z3++.h libz3-dev)
# Never libcdd beside it, though cddlib.pc names both: the two define the same functions for
# different numbers, and the program crashes.
wmi_find_library(cddgmp cddlib/cdd.h libcdd-dev)
