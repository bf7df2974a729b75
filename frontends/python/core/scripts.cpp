#include "frontends/python/core/scripts.h"

#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "solver/terms/error.h"

namespace wmi::python {

namespace {

/// Errors of `read` get the place where they are.
template <class Read>
ReadScript located(const std::string& name, Read&& read) {
  try {
    return {read()};
  } catch (const frontends::UnknownFormat& unknown) {
    const Error error = unknown.with_option("format=");
    throw Error(frontends::message(name, error.where(), error.what()));
  } catch (const Error& error) {
    throw Error(frontends::message(name, error.where(), error.what()));
  }
}

}  // namespace

ReadScript ReadScript::of(const std::string& name, const std::string& text,
                          const std::string& format) {
  return located(name, [&] { return frontends::read({name, text}, format); });
}

ReadScript ReadScript::of_file(const std::string& path, const std::string& format) {
  return located(path, [&] {
    return frontends::read({path, frontends::read_input(path)}, format);
  });
}

}  // namespace wmi::python
