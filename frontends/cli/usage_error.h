#pragma once

#include <stdexcept>

namespace wmi::frontends {

/// A command line that cannot be understood: the option, what is wrong with it, what would help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wmi::frontends
