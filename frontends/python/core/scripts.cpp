#include "frontends/python/core/scripts.h"

#include "frontends/common/line.h"
#include "frontends/formats/format.h"
#include "solver/terms/error.h"

namespace wmi::python {

ReadScript ReadScript::of(const std::string& name, const std::string& text,
                          const std::string& format) {
  try {
    try {
      return {frontends::read({name, text}, format)};
    } catch (const frontends::UnknownFormat& unknown) {
      throw unknown.with_option("format=");
    }
  } catch (const Error& error) {
    throw Error(frontends::message(name, error.where(), error.what()));
  }
}

}  // namespace wmi::python
