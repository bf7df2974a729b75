#include "frontends/wmi/significant_digits.h"

#include <algorithm>
#include <memory>

namespace wmi::frontends {
namespace {

bool has_digits(const Solution& solution, unsigned digits) {
  const Rational scale = power(Rational(10), digits);
  const auto narrow = [&](const Interval& value) {
    const Rational least = std::min(abs(value.lower), abs(value.upper));
    return value.exact() || (!value.contains(0) && (value.upper - value.lower) * scale <= least);
  };
  return std::all_of(solution.answers.begin(), solution.answers.end(), [&](const Answer& answer) {
    return !answer.too_wide && (!answer.value || narrow(*answer.value)) &&
           (!answer.left || narrow(*answer.left));
  });
}

}  // namespace

CountedSolution solve_counted(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator, const SolveOptions& options) {
  const VertexCounter counter(integrator);
  Solution solution = solve(task, enumerator, counter, options);
  return {std::move(solution), counter.vertices()};
}

CountedSolution solve_to_digits(unsigned digits, const Task& task, const Enumerator& enumerator,
                                const Integrator& exact, const SolveOptions& options) {
  constexpr unsigned spare = 1, most = 120;  // beyond so many digits, exact is not slower
  if (!options.gap)
    for (unsigned rounded = digits + spare; rounded <= most; rounded *= 2) {
      CountedSolution found =
          solve_counted(task, enumerator, *make_auto({.digits = rounded}), options);
      if (options.stop.stop_requested() || has_digits(found.solution, digits)) return found;
    }
  return solve_counted(task, enumerator, exact, options);
}

}  // namespace wmi::frontends
