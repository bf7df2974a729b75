#include "solver/significant_digits.h"

#include <algorithm>
#include <memory>

#include "solver/integrators/vertex_counter.h"

namespace wmi {

std::optional<IntegratorOptions> DigitLadder::integrator() const {
  constexpr unsigned most = 120;  // beyond so many digits, exact is not slower
  if (rounded_ > most) return std::nullopt;
  return IntegratorOptions{.digits = rounded_, .wide_cells = wide_cells_};
}

void DigitLadder::climb(bool used_doubles) {
  if (!wide_cells_ || !used_doubles) rounded_ *= 2;
  wide_cells_ = false;
}

bool DigitLadder::reached(const Solution& solution) const {
  return std::ranges::all_of(solution.answers, [&](const Answer& answer) {
    return !answer.too_wide && (!answer.value || has_digits(*answer.value, digits_)) &&
           (!answer.left || has_digits(*answer.left, digits_));
  });
}

CountedSolution solve_counted(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator, const SolveOptions& options) {
  const VertexCounter counter(integrator);
  Solution solution = solve(task, enumerator, counter, options);
  return {std::move(solution), counter.vertices(), counter.used_doubles()};
}

CountedSolution solve_to_digits(unsigned digits, const Task& task, const Enumerator& enumerator,
                                const Integrator& exact, const SolveOptions& options) {
  DigitLadder ladder(digits);
  while (!options.gap && ladder.integrator()) {
    SolveOptions enclosing = options;
    enclosing.significant_digits = ladder.integrator()->digits;
    CountedSolution found =
        solve_counted(task, enumerator, *make_auto(*ladder.integrator()), enclosing);
    if (options.stop.stop_requested() || ladder.reached(found.solution)) return found;
    ladder.climb(found.used_doubles);
  }
  return solve_counted(task, enumerator, exact, options);
}

}  // namespace wmi
