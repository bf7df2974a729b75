#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::fuzz {

/// A temporary directory for readers of files; in memory, where the system has /dev/shm.
class Folder {
 public:
  Folder() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    std::string pattern =
        ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "wmi-fuzz.XXXXXX")
            .string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }

  /// Writes a file; one without bytes is removed.
  std::string file(const std::string& name, std::string_view bytes) const {
    if (bytes.empty())
      std::filesystem::remove(path(name));
    else
      std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The parts of an input that stands for several files, with a line `%%` between them.
inline std::vector<std::string_view> parts(std::string_view text) {
  constexpr std::string_view line = "%%\n";
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = text.find(line);
    result.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + line.size());
  }
}

}  // namespace wmi::fuzz
