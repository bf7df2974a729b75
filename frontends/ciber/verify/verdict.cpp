#include "frontends/ciber/verify/verdict.h"

#include <utility>

namespace wmi::frontends {

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"holds", "violated", "unknown"};
  return names[static_cast<std::size_t>(verdict)];
}

std::optional<Rational> lower_bound(const Answer& answer) {
  return answer.value ? std::optional(answer.value->lower) : answer.lower;
}

std::optional<Rational> upper_bound(const Answer& answer) {
  return answer.value ? std::optional(answer.value->upper) : answer.upper;
}

Answer zero_probability(std::vector<std::string> assumptions) {
  Answer result;
  result.value = Interval(Rational(0));
  result.assumptions = std::move(assumptions);
  return result;
}

Verdict Verification::verdict() const {
  if (no_counterexample) return Verdict::holds;
  const std::optional<Rational> lower = lower_bound(probability), upper = upper_bound(probability);
  if (lower && *lower > 0) return Verdict::violated;
  if (upper && *upper == 0) return Verdict::holds;
  return witness ? Verdict::violated : Verdict::unknown;
}

}  // namespace wmi::frontends
