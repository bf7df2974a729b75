#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "frontends/ciber/verify/counterexample_search.h"
#include "frontends/ciber/verify/property_formula.h"
#include "frontends/ciber/verify/verification.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/packed/packed_file.h"
#include "frontends/python/core/answering.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/networks.h"
#include "frontends/python/core/numbers.h"
#include "solver/significant_digits.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

using frontends::Verification;
using frontends::VerificationProblem;

constexpr unsigned quantile_digits = 19;  // as `ciber verify` has them

struct Verified {
  Verification found;
  std::vector<std::string> regions = {};    // as they are written, if there are several
  std::string certificate = {}, text = {};  // if one was asked for: the proof, and its problem
};

VerificationProblem read_problem(const SharedNetwork& network, const std::string& path,
                                 const frontends::VerifyArguments& arguments) {
  frontends::Property property;
  try {
    property =
        frontends::read_vnnlib({path, frontends::read_unpacked(path, frontends::caps::file)});
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(path + ": ")) throw Error(frontends::one_line(what));
    throw Error(frontends::message(path, error.where(), what));
  }
  return make_verification_problem(network->network, std::move(property), arguments);
}

/// As `ciber verify` does it.
Verified verified(const VerificationProblem& problem, const Request& request,
                  const std::stop_token& stop) {
  const std::unique_ptr<Enumerator> enumerator = make_split();
  const std::unique_ptr<Integrator> integrator = make_auto({});
  const SolveOptions options{.threads = request.threads,
                             .digits = quantile_digits,
                             .gap = request.gap,
                             .may_be_stopped = request.timeout.has_value(),
                             .stop = stop};
  const auto solve = [&](const Task& task, const Enumerator& search) {
    Solution solution =
        request.digits > 0
            ? solve_to_digits(request.digits, task, search, *integrator, options).solution
            : wmi::solve(task, search, *integrator, options);
    solution.answers.resize(task.queries.size());
    return solution;
  };
  const auto search = frontends::search_counterexample(problem, *enumerator,
                                                       {.threads = request.threads, .stop = stop});
  const Task task = frontends::probability_task(problem);
  Verified result;
  std::optional<Solution> known;
  if (request.certify) {
    std::optional<frontends::AuditableQuery> parts;
    try {
      parts = frontends::auditable_probability(problem);
    } catch (const Error&) {
      // Not made of parts.
    }
    EmbeddedTask embedded = embedded_task(parts, task);
    Outcome outcome = solve_until(stop, std::move(embedded.task), request);
    if (!outcome.certificate.empty()) result.certificate = embedded.head + outcome.certificate;
    result.text = std::move(embedded.text);
    known = std::move(outcome.solution);
  }
  result.found = frontends::conclude(problem, task, search, *enumerator, solve, std::move(known));
  for (std::size_t i = 0; i < result.found.regions.size(); ++i)
    result.regions.push_back(frontends::property_text(problem.regions[i]));
  return result;
}

/// What is known when nothing was found in time.
Verified unfinished() {
  Verified result;
  result.found.probability.complete = false;
  return result;
}

py::object witness_of(const Verification& found) {
  if (!found.witness) return py::none();
  py::list inputs, outputs;
  for (const Rational& input : found.witness->inputs) inputs.append(to_fraction(input));
  for (const Interval& output : found.witness->outputs) outputs.append(ends(output));
  py::dict weights;
  for (const auto& [name, value] : found.witness->weights)
    weights[py::str(name)] = to_fraction(value);
  return py::make_tuple(py::tuple(inputs), py::tuple(outputs), weights);
}

/// (verdict, probability, regions, witness, why there is none, no counterexample, certificate or
/// None, its problem)
py::tuple verify(const std::shared_ptr<frontends::onnx::ReadNetwork>& network,
                 const std::string& path, std::vector<std::string> laws,
                 std::vector<std::string> unknowns, std::string free, std::string input,
                 std::string width, const Options& options) {
  Request asked = request(options);
  if (asked.threads == 0) asked.threads = std::max(1u, std::thread::hardware_concurrency());
  const frontends::VerifyArguments arguments{std::move(laws), std::move(unknowns), std::move(free),
                                             std::move(input), std::move(width)};
  const auto work = [network, path, arguments, asked](const std::stop_token& stop) {
    try {
      return verified(read_problem(network, path, arguments), asked, stop);
    } catch (const Error&) {
      throw;
    } catch (const std::exception&) {
      if (!stop.stop_requested()) throw;  // otherwise the exception of an interrupted library
      return unfinished();
    }
  };
  Verified result = result_of(work, asked.timeout).value_or(unfinished());
  Verification& found = result.found;
  const std::string verdict(frontends::name_of(found.verdict()));
  py::list regions;
  for (std::size_t i = 0; i < found.regions.size(); ++i)
    regions.append(py::make_tuple(result.regions[i], record(std::move(found.regions[i]))));
  return py::make_tuple(
      verdict, record(std::move(found.probability)), regions, witness_of(found), found.no_witness,
      found.no_counterexample,
      result.certificate.empty() ? py::object(py::none()) : py::bytes(result.certificate),
      result.text);
}

}  // namespace

void bind_verification(py::module_& module) { module.def("verify", &verify); }

}  // namespace wmi::python
