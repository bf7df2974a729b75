#include "solver/significant_digits.h"

#include <algorithm>
#include <memory>

#include "solver/integrators/vertex_counter.h"

namespace wmi {
namespace {

/// An interval around 0 that is no wider than `smallest` has digits enough.
bool all_have_digits(const Solution& solution, unsigned digits, const Rational& smallest = 0) {
  const auto enough = [&](const std::optional<Interval>& value) {
    return !value || has_digits(*value, digits) ||
           (value->contains(0) && value->upper - value->lower <= smallest);
  };
  return std::ranges::all_of(solution.answers, [&](const Answer& answer) {
    return !answer.too_wide && enough(answer.value) && enough(answer.left);
  });
}

bool all_within(const Solution& solution, const Rational& gap) {
  return std::ranges::all_of(solution.answers, [&](const Answer& answer) {
    return !answer.too_wide && (!answer.value || answer.value->upper - answer.value->lower <= gap);
  });
}

constexpr unsigned spare_digits[] = {2, 8, 20};  // of integrals with smooth functions

/// What is known when an attempt for more digits was stopped: the bounds of the one before, where they
/// are narrower.
void keep_narrower(const Solution& before, Solution& stopped) {
  for (std::size_t i = 0; i < stopped.answers.size(); ++i) {
    Answer& answer = stopped.answers[i];
    const std::optional<Interval>& known = before.answers.at(i).value;
    if (answer.complete || !known) continue;
    if (!answer.lower || *answer.lower < known->lower) answer.lower = known->lower;
    if (!answer.upper || *answer.upper > known->upper) answer.upper = known->upper;
  }
}

CountedSolution solve_smooth(unsigned digits, const Task& task, const Enumerator& enumerator,
                             const Integrator& integrator, SolveOptions options) {
  std::optional<Solution> before;
  for (SmoothLadder ladder(digits, options.gap);; ladder.climb()) {
    options.smooth_digits = ladder.digits();
    CountedSolution found = solve_counted(task, enumerator, integrator, options);
    const bool stopped = options.stop.stop_requested();
    if (before && stopped) keep_narrower(*before, found.solution);
    if (stopped || ladder.reached(found.solution)) return found;
    before = std::move(found.solution);
  }
}

}  // namespace

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

unsigned SmoothLadder::digits() const {
  return digits_ + spare_digits[std::min(attempt_, std::size(spare_digits) - 1)];
}

bool SmoothLadder::reached(const Solution& solution) const {
  if (attempt_ + 1 >= std::size(spare_digits)) return true;
  if (gap_) return all_within(solution, *gap_);
  Rational smallest = 1;
  for (unsigned i = 0; i < digits_; ++i) smallest /= 10;
  return all_have_digits(solution, digits_, smallest);
}

CountedSolution solve_counted(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator, const SolveOptions& options) {
  const VertexCounter counter(integrator);
  Solution solution = solve(task, enumerator, counter, options);
  return {std::move(solution), counter.vertices(), counter.used_doubles()};
}

CountedSolution solve_to_digits(unsigned digits, const Task& task, const Enumerator& enumerator,
                                const Integrator& exact, const SolveOptions& options) {
  if (task.problem.terms.smooth()) return solve_smooth(digits, task, enumerator, exact, options);
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
