#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/ciber/verify/witness.h"
#include "solver/enumerator.h"

namespace wmi::frontends {

/// The search for cells of the *relaxed* property in the whole box, which ends at the first ones.
struct CounterexampleSearch {
  enum class Outcome : std::uint8_t {
    none,     // there are none: the property has probability 0; see `excludes_all`
    found,    // there are some, where the property itself holds (with a witness) or nearly does
    stopped,  // the search was not finished, or weights have values outside the box
  };

  Outcome outcome = Outcome::none;
  std::optional<Witness> witness;
  std::size_t cells = 0;  // seen
};

struct CounterexampleOptions {
  unsigned threads = 1;
  std::size_t tries = 16;  // cells in which a witness is looked for, at most
  std::stop_token stop = {};
};

CounterexampleSearch search_counterexample(const VerificationProblem& problem,
                                           const Enumerator& enumerator,
                                           const CounterexampleOptions& options);

/// Whether a search that found nothing proves that no point of the input region has the property,
/// not even in a set of measure 0.
bool excludes_all(const VerificationProblem& problem, const CounterexampleSearch& search);

}  // namespace wmi::frontends
