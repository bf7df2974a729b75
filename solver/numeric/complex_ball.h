#pragma once

#include <acb.h>

namespace wmi {

/// A complex number with a bound on its error: owns an `acb_t` of Arb, as `Ball` owns an `arb_t`.
/// Private to the solver's sources.
class ComplexBall {
 public:
  ComplexBall() { acb_init(value_); }
  ComplexBall(const ComplexBall& other) : ComplexBall() { acb_set(value_, other.value_); }
  ComplexBall(ComplexBall&& other) noexcept : ComplexBall() { acb_swap(value_, other.value_); }
  ~ComplexBall() { acb_clear(value_); }
  ComplexBall& operator=(const ComplexBall& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  ComplexBall& operator=(ComplexBall&& other) noexcept {
    acb_swap(value_, other.value_);
    return *this;
  }

  operator acb_ptr() { return value_; }           // NOLINT: Arb's functions take it
  operator acb_srcptr() const { return value_; }  // NOLINT

 private:
  acb_t value_;
};

}  // namespace wmi
