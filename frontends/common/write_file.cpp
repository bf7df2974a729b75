#include "frontends/common/write_file.h"

#include "frontends/common/new_file.h"

namespace wmi::frontends {

void save(const std::string& file, std::string_view text) {
  NewFile out(file);
  out.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  out.keep();
}

}  // namespace wmi::frontends
