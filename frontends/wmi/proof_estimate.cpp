#include "frontends/wmi/proof_estimate.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace wmi::frontends {
namespace {

/// `80 s`, `12 minutes`, `3.5 hours`, `40 days`.
std::string duration(double seconds) {
  constexpr std::pair<double, std::string_view> units[] = {
      {86400, " days"}, {3600, " hours"}, {60, " minutes"}};
  for (const auto& [length, unit] : units)
    if (seconds >= 2 * length) return fmt::format("{:.2g}{}", seconds / length, unit);
  return fmt::format("{:.0f} s", seconds);
}

}  // namespace

std::optional<std::string> ProofEstimate::at(double share, Seconds elapsed) {
  constexpr Seconds long_enough(10);
  if (said_ || elapsed < long_enough) return std::nullopt;
  said_ = true;
  const double total = elapsed.count() / share;
  constexpr double most = 1000 * 86400.0;
  return fmt::format(
      "the proof takes long: {:.2g} % of it is written after {:.0f} s, so it may take {} in all; "
      "--timeout SECONDS ends it with proved bounds",
      100 * share, elapsed.count(),
      total < most ? "about " + duration(total) : std::string("years"));
}

}  // namespace wmi::frontends
