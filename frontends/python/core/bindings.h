#pragma once

#include <pybind11/pybind11.h>

namespace wmi::python {

/// Each adds some classes and functions to the module `ciber._core`.
void bind_numbers(pybind11::module_& module);
void bind_laws(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_cells(pybind11::module_& module);
void bind_certificates(pybind11::module_& module);
void bind_collapse(pybind11::module_& module);
void bind_networks(pybind11::module_& module);
void bind_verification(pybind11::module_& module);
void bind_jobs(pybind11::module_& module);

}  // namespace wmi::python
