#include "frontends/networks/files.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "frontends/formats/caps.h"
#include "frontends/formats/format.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

std::string read_bytes(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) throw Error("cannot be opened: " + failure.message());
  if (!fs::is_regular_file(status)) throw Error("cannot be read: it is no plain file");
  const std::uintmax_t size = fs::file_size(path, failure);
  if (failure) throw Error("cannot be read: " + failure.message());
  if (size > caps::file) throw Error("larger than " + std::to_string(caps::file >> 20) + " MiB");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot be opened: " + reason());
  std::string result(static_cast<std::size_t>(size), '\0');
  in.read(result.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size)) throw Error("cannot be read to its end");
  return result;
}

void write_bytes(const std::string& path, std::string_view bytes) {
  // Under another name until it is complete; a device or a pipe keeps its place.
  std::error_code failure;
  const bool plain = !fs::exists(path, failure) || fs::is_regular_file(path, failure);
  const std::string draft = plain ? path + ".new" : path;
  std::ofstream out(draft, std::ios::binary);
  if (!out) throw Error("cannot be written: " + reason());
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    const std::string why = reason();
    if (plain) fs::remove(draft, failure);
    throw Error("cannot be written to its end: " + why);
  }
  if (!plain) return;
  fs::rename(draft, path, failure);
  if (failure) throw Error("cannot be written: " + failure.message());
}

}  // namespace wmi::frontends
