#pragma once

#include "solver/solve.h"

namespace wmi {

/// A solution, and how many vertices its regions had; whether any was integrated in doubles.
struct CountedSolution {
  Solution solution;
  std::size_t vertices = 0;
  bool used_doubles = false;
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
