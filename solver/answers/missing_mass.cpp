#include "solver/answers/missing_mass.h"

namespace wmi {

void MissingMass::add(const std::optional<Rational>& most_weight,
                      const std::optional<Interval>& of_term) {
  const auto joined = [&] {
    return range && of_term ? std::optional(hull(*range, *of_term)) : std::nullopt;
  };
  range = any ? joined() : of_term;
  any = true;
  if (!most_weight) weight.reset();
  if (weight) *weight += *most_weight;
  if (!most_weight || !of_term) value.reset();
  if (value) *value += *of_term * Interval(0, *most_weight);
}

void MissingMass::add(const MissingMass& other) {
  if (!other.any) return;
  const auto joined = [&] {
    return range && other.range ? std::optional(hull(*range, *other.range)) : std::nullopt;
  };
  range = any ? joined() : other.range;
  any = true;
  if (!other.weight) weight.reset();
  if (weight) *weight += *other.weight;
  if (!other.value) value.reset();
  if (value) *value += *other.value;
}

}  // namespace wmi
