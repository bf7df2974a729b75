#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/ciber/verify/witness.h"
#include "solver/answer.h"

namespace wmi::frontends {

enum class Verdict : std::uint8_t { holds, violated, unknown };

/// `holds`, `violated` or `unknown`
std::string_view name_of(Verdict verdict);

/// What is known of a property: its probability, and whether it has any point at all.
struct Verification {
  Answer probability;                // of the property; its bounds, if the work was stopped
  std::vector<Answer> regions = {};  // of each of its regions, if there are several
  bool no_counterexample = false;    // proven: no point of the input region has the property
  std::optional<Witness> witness = {};
  std::string no_witness = {};  // why there is none, if the property is violated

  /// Holds: it has probability 0, or no point at all. Violated: its probability is above 0, or may be and there is a
  /// witness.
  Verdict verdict() const;
};

/// Certified bounds of an answer, complete or not; nullopt where there are none.
std::optional<Rational> lower_bound(const Answer& answer);
std::optional<Rational> upper_bound(const Answer& answer);

/// The answer of a probability that is proven to be 0.
Answer zero_probability(std::vector<std::string> assumptions);

}  // namespace wmi::frontends
