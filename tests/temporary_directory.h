#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// A new directory for the files of one test; it is removed at the end with all that is in it.
///
///     const TemporaryDirectory directory;
///     const std::string path = directory.file("data.csv", "x,y\n1,2\n");
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const;

  /// The path of a file as a word of a shell command.
  std::string operator/(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

/// The names of the files in a directory, in order.
std::vector<std::string> names_in(const std::filesystem::path& directory);

/// The bytes of a file; none if it cannot be read.
std::string contents(const std::filesystem::path& path);
