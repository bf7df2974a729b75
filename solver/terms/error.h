#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace wmi {

/// A place in an input file; line 0 means "nowhere in particular".
struct Location {
  std::size_t line = 0;
  std::size_t column = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

/// What is wrong with the input, in one line: what, by name, and what would help.
///
/// The library throws it and never prints. A reader adds the place; a front end adds the file.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, Location where = {})
      : std::runtime_error(what), where_(where) {}

  Location where() const { return where_; }

 private:
  Location where_;
};

/// The work was asked to stop (a time limit, a signal): no fault of the input.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

/// A library below us could not do its part: no fault of the input either, and no answer.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wmi
