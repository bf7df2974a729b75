#pragma once

#include <stdexcept>

namespace wmi::frontends {

/// A mistake on the command line: the option, what is wrong with it, and what would help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wmi::frontends
