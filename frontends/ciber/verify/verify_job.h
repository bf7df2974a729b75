#pragma once

#include <memory>
#include <string>

#include "frontends/ciber/verify/verify_run.h"
#include "frontends/wmi/jobs/job_subject.h"

namespace wmi::frontends {

/// Whether there are counterexamples: a search that comes before a job, and is written into it.
/// Throws Error.
std::string counterexamples_of(const VerifyRequest& request);

/// The probability of a property in units, each of which also keeps a point of its largest cell:
/// of all these, the witness. Throws Error.
std::unique_ptr<JobSubject> make_verify_subject(VerifyRequest request, const Job& job);

}  // namespace wmi::frontends
