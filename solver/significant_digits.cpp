#include "solver/significant_digits.h"

#include <algorithm>
#include <memory>

#include "solver/integrators/vertex_counter.h"

namespace wmi {
namespace {

bool all_have_digits(const Solution& solution, unsigned digits) {
  return std::ranges::all_of(solution.answers, [&](const Answer& answer) {
    return !answer.too_wide && (!answer.value || has_digits(*answer.value, digits)) &&
           (!answer.left || has_digits(*answer.left, digits));
  });
}

}  // namespace

CountedSolution solve_counted(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator, const SolveOptions& options) {
  const VertexCounter counter(integrator);
  Solution solution = solve(task, enumerator, counter, options);
  return {std::move(solution), counter.vertices(), counter.used_doubles()};
}

CountedSolution solve_to_digits(unsigned digits, const Task& task, const Enumerator& enumerator,
                                const Integrator& exact, const SolveOptions& options) {
  constexpr unsigned spare = 1, most = 120;  // beyond so many digits, exact is not slower
  // The sum of many cells may have the digits even where single ones have not.
  bool wide_cells = true;
  for (unsigned rounded = digits + spare; !options.gap && rounded <= most;) {
    SolveOptions enclosing = options;
    enclosing.significant_digits = rounded;
    CountedSolution found = solve_counted(
        task, enumerator, *make_auto({.digits = rounded, .wide_cells = wide_cells}), enclosing);
    if (options.stop.stop_requested() || all_have_digits(found.solution, digits)) return found;
    if (!wide_cells || !found.used_doubles) rounded *= 2;
    wide_cells = false;
  }
  return solve_counted(task, enumerator, exact, options);
}

}  // namespace wmi
