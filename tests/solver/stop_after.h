#pragma once

#include <cstddef>
#include <stop_token>

#include "solver/solve.h"

namespace wmi::tests {

/// Stops a solve that has added `cells` cells: at once, for 0.
class StopAfter final : public ProgressObserver {
 public:
  explicit StopAfter(std::size_t cells) : cells_(cells) {
    if (cells == 0) source_.request_stop();
  }
  void added(std::size_t cells) override {
    if (cells >= cells_) source_.request_stop();
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::size_t cells_;
  std::stop_source source_;
};

}  // namespace wmi::tests
