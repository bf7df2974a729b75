#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "frontends/cli/settings.h"
#include "frontends/learning/predictor.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"

namespace wmi::frontends {

/// What `ciber predict` is asked for each row, and how it is to be computed.
struct Questions {
  std::vector<double> levels;      // of central intervals
  std::vector<double> conformal;   // by which the intervals are stretched; empty: they are not
  std::vector<double> quantiles;   // other probabilities
  std::optional<double> at;        // an outcome, instead of the table's
  std::optional<double> above;     // a threshold
  std::optional<unsigned> digits;  // of certified numbers; nullopt: doubles
  bool formulas = false;           // by a weighted formula for each sample
  bool exact_forward = false;      // sampled layers in rational numbers
  bool discrete = false;           // probabilities of the values of a whole-number target
  bool largest = false;            // the probability that an output is the largest
  bool authors = false;            // probabilities of classes by the authors' formula
  std::unique_ptr<Enumerator> enumerator;
  std::unique_ptr<Integrator> integrator;
};

/// Throws UsageError for questions that contradict each other or the run.
Questions read_questions(const Settings& settings, const Predictor& predictor);

/// What answers in doubles are exact with respect to, besides the predictor's assumptions.
inline constexpr std::string_view doubles_assumption =
    "arithmetic: doubles, compared with certified answers in tests";

/// What the answers to these questions are exact with respect to. Where doubles are used, the last
/// one says so.
std::vector<std::string> assumptions(const Predictor& predictor, const Questions& questions);

}  // namespace wmi::frontends
