// The extension module ciber._core: the engine, as the package `ciber` beside it calls it. It is no
// interface for users.

#include <pybind11/pybind11.h>

#include "frontends/check/bytes.h"
#include "frontends/common/line.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/released_lock.h"
#include "solver/terms/error.h"

namespace {

namespace py = pybind11;
using namespace wmi;

/// Raises an exception of ciber.errors.
void raise(const char* type, const std::string& message) {
  const py::object error = py::module_::import("ciber.errors").attr(type);
  PyErr_SetString(error.ptr(), message.c_str());
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const Error& error) {
    raise("Error", error.what());
  } catch (const GaveUp& error) {
    raise("GaveUp", frontends::one_line(error.what()));
  } catch (const Stopped&) {
    raise("GaveUp", "stopped by the timeout");
  } catch (const check::Rejected& rejected) {
    raise("Rejected", frontends::one_line(rejected.what()));
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_local_exception_translator(translate);
  module.attr("version") = WMI_VERSION;
  python::bind_numbers(module);
  python::bind_laws(module);
  python::bind_problems(module);
  python::bind_cells(module);
  python::bind_certificates(module);
  python::bind_collapse(module);
  python::bind_networks(module);
  python::bind_verification(module);
  python::bind_jobs(module);
  py::module_::import("atexit").attr("register")(py::cpp_function(python::end_questions));
}
