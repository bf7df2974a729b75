#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace wmi {

/// A position in an input file; line 0 means that it is unknown.
struct Location {
  std::size_t line = 0;
  std::size_t column = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

/// An error in the input. The message is one line: what is wrong, by name, and what would help.
///
/// The library throws it and never prints. A reader adds the location; a front end adds the file.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, Location where = {})
      : std::runtime_error(what), where_(where) {}

  Location where() const { return where_; }

 private:
  Location where_;
};

/// The work was interrupted by a time limit or a signal; the input is not at fault.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

/// No answer could be computed, although the input is valid: a library or a method reached its
/// limits.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wmi
