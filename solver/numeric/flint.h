#pragma once

#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include "solver/terms/rational.h"

namespace wmi {

/// Owners of FLINT's numbers, which are machine words up to 62 bits, and therefore several times
/// faster than GMP's for small values. Private to the solver's sources, like `Ball`.
class Fmpz {
 public:
  Fmpz() { fmpz_init(value_); }
  explicit Fmpz(const Integer& value) : Fmpz() { fmpz_set_mpz(value_, value.get_mpz_t()); }
  Fmpz(const Fmpz& other) { fmpz_init_set(value_, other.value_); }
  Fmpz(Fmpz&& other) noexcept : Fmpz() { fmpz_swap(value_, other.value_); }
  Fmpz& operator=(Fmpz other) noexcept {
    fmpz_swap(value_, other.value_);
    return *this;
  }
  ~Fmpz() { fmpz_clear(value_); }

  fmpz* get() { return value_; }
  const fmpz* get() const { return value_; }

 private:
  fmpz_t value_;
};

class Fmpq {
 public:
  Fmpq() { fmpq_init(value_); }
  explicit Fmpq(const Rational& value) : Fmpq() { fmpq_set_mpq(value_, value.get_mpq_t()); }
  Fmpq(const Fmpq& other) : Fmpq() { fmpq_set(value_, other.value_); }
  Fmpq(Fmpq&& other) noexcept : Fmpq() { fmpq_swap(value_, other.value_); }
  Fmpq& operator=(Fmpq other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Fmpq() { fmpq_clear(value_); }

  fmpq* get() { return value_; }
  const fmpq* get() const { return value_; }

  Rational rational() const {
    Rational result;
    fmpq_get_mpq(result.get_mpq_t(), value_);
    return result;
  }

 private:
  fmpq_t value_;
};

inline Rational quotient(const Fmpz& numerator, const Fmpz& denominator) {
  Fmpq result;
  fmpq_set_fmpz_frac(result.get(), numerator.get(), denominator.get());
  return result.rational();
}

/// The arithmetic of SimplexWalk's determinants: a base class of its series.
struct FmpzElimination {
  using Whole = Fmpz;

  static bool zero(const Fmpz& value) { return fmpz_is_zero(value.get()); }
  static void eliminate(Fmpz& entry, const Fmpz& pivot, const Fmpz& head, const Fmpz& above) {
    fmpz_mul(entry.get(), entry.get(), pivot.get());
    fmpz_submul(entry.get(), head.get(), above.get());
  }
  static void divide_exactly(Fmpz& entry, const Fmpz& divisor) {
    fmpz_divexact(entry.get(), entry.get(), divisor.get());
  }
};

/// FLINT caches numbers in each thread. A thread-local object of this type frees them when the
/// thread ends.
struct FlintCache {
  FlintCache() = default;
  FlintCache(const FlintCache&) = delete;
  FlintCache& operator=(const FlintCache&) = delete;
  ~FlintCache() { flint_cleanup(); }
};

}  // namespace wmi
