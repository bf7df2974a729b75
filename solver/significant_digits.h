#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "solver/solve.h"

namespace wmi {

/// The digits of answers with smooth functions if no number of digits is asked for.
inline constexpr unsigned standard_smooth_digits = 6;

/// A solution, and how many vertices its regions had; whether any was integrated in doubles.
struct CountedSolution {
  Solution solution;
  std::size_t vertices = 0;
  bool used_doubles = false;
};

/// The integrators that are tried one after the other until each answer has so many significant
/// digits: rounded to more and more digits, and in the end exact.
class DigitLadder {
 public:
  explicit DigitLadder(unsigned digits) : digits_(digits), rounded_(digits + 1) {}

  /// Of an `auto` integrator; nullopt: an exact one.
  std::optional<IntegratorOptions> integrator() const;
  /// After a solve whose answers were not enough; did it integrate any region in doubles?
  void climb(bool used_doubles);
  /// Is this solution enough?
  bool reached(const Solution& solution) const;

 private:
  unsigned digits_;
  unsigned rounded_;
  bool wide_cells_ = true;  // the sum may have the digits even where single cells have not
};

/// The digits that integrals with smooth functions are enclosed to, one attempt after the other. They
/// have no exact value: what the last of a few attempts gives is the answer.
class SmoothLadder {
 public:
  /// With a gap, answers of that width are enough.
  SmoothLadder(unsigned digits, std::optional<Rational> gap)
      : digits_(digits), gap_(std::move(gap)) {}

  /// Of the integrals.
  unsigned digits() const;
  /// After a solve whose answers were not enough.
  void climb() { ++attempt_; }
  /// Is this solution enough, or the last one? An answer that contains 0 need not have any digits.
  bool reached(const Solution& solution) const;

 private:
  unsigned digits_;
  std::optional<Rational> gap_;
  std::size_t attempt_ = 0;
};

CountedSolution solve_counted(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator, const SolveOptions& options);

/// Solves with integrals that are rounded to more and more digits, until each answer is known to
/// `digits` significant digits: cancellation between cells shows only in the answers. With very many
/// digits, or a gap, the exact integrator is used instead. Where there are smooth functions, there is
/// no exact value: an answer near 0 may have fewer digits, and with a gap the digits are a start.
CountedSolution solve_to_digits(unsigned digits, const Task& task, const Enumerator& enumerator,
                                const Integrator& exact, const SolveOptions& options);

}  // namespace wmi
