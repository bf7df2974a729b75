#pragma once

#include <stop_token>

namespace wmi {

/// While it exists, integrals in this thread that are told to stop count what is left with coarse
/// bounds: enclosures get wide, but hold.
class StopScope {
 public:
  explicit StopScope(const std::stop_token& token) : before_(current) { current = &token; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { current = before_; }

  static bool stopped() { return current != nullptr && current->stop_requested(); }

 private:
  static inline thread_local const std::stop_token* current = nullptr;
  const std::stop_token* const before_;
};

}  // namespace wmi
