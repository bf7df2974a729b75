#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontends/ciber/verify/verdict.h"
#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/wmi/report.h"

namespace wmi::frontends {

/// What is printed about a verification: lines of text, or one JSON object.
///
///     violated: probability 1/81 = 0.012345679012345679
///     unsafe region 1 (Y_0 <= Y_4): probability 1/81 = 0.012345679012345679
///     witness: X = (0.5, -0.25), Y = (1.5, 2)
std::string report(const VerificationProblem& problem, const Verification& found,
                   const Style& style, const Circumstances& circumstances);

/// The same as the verification competitions want it: `sat` with a witness, `unsat`, `unknown` or
/// `timeout`. It is `unsat` only if there is no counterexample at all, and `sat` only with a checked
/// one.
std::string competition_report(const Verification& found, bool stopped);

}  // namespace wmi::frontends
