#pragma once

#include <string>

namespace wmi {

/// Why a number cannot be computed; empty if it can.
struct Refusal {
  std::string why = {};
  bool gave_up = false;  // it takes too long, and the input is not at fault

  bool empty() const { return why.empty(); }
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

}  // namespace wmi
