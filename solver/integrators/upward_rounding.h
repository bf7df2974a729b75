#pragma once

#include <cfenv>

namespace wmi {

/// Sets the rounding mode to upwards, with clear exception flags, while it exists. Files that use it
/// are compiled with -frounding-math, and compute in this mode in functions that are not inlined.
class UpwardRounding {
 public:
  UpwardRounding() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
    std::fesetround(FE_UPWARD);
  }
  UpwardRounding(const UpwardRounding&) = delete;
  UpwardRounding& operator=(const UpwardRounding&) = delete;
  ~UpwardRounding() { std::fesetenv(&before_); }

  static bool left_range() { return std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID); }
  static bool overflow() { return std::fetestexcept(FE_OVERFLOW | FE_INVALID); }

 private:
  std::fenv_t before_;
};

/// An interval, stored such that both ends move outwards when they are rounded upwards.
struct UpwardInterval {
  double negated_lower = 0;
  double upper = 0;

  void add(const UpwardInterval& other) {
    negated_lower += other.negated_lower;
    upper += other.upper;
  }
};

}  // namespace wmi
