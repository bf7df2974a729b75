#include "frontends/ciber/verify/verify_run.h"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <sstream>
#include <utility>

#include "frontends/ciber/embedded_problem.h"
#include "frontends/ciber/noted_network.h"
#include "frontends/ciber/verify/slice_plot.h"
#include "frontends/ciber/verify/verification.h"
#include "frontends/ciber/verify/verify_report.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/formats/vnnlib.h"
#include "frontends/packed/packed_file.h"
#include "frontends/wmi/explanation.h"
#include "frontends/wmi/supervised_run.h"
#include "solver/integrators/vertex_counter.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// An error of one of the files.
struct FileError {
  std::string file;
  Error error;
};

template <class Read>
auto from_file(const std::string& file, Read&& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw FileError{file, error};
  }
}

}  // namespace

VerifyRun::VerifyRun(const VerifyRequest& request, const Supervisor& supervisor, Terminal& terminal,
                     const KnownVerification* known)
    : request_(request),
      known_(known),
      options_(request.options),
      supervisor_(supervisor),
      terminal_(terminal),
      enumerator_(options_.enumerator->make()),
      integrator_(options_.integrator->make(options_.integrator_options)) {}

void VerifyRun::work(const std::stop_token& stop) {
  try {
    verify(stop);
  } catch (const FileError& bad) {
    say(bad.file, bad.error);
  } catch (const Error& error) {
    say(request_.network, error);
  } catch (const WriteError& error) {
    terminal_.say(error.what());
    status_ = 1;
  } catch (const std::exception& error) {
    if (stop.stop_requested()) return print_bounds();
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    terminal_.say(printable(request_.network) +
                  ": gave up: " + (memory ? "not enough memory" : one_line(error.what())));
    status_ = 3;
  }
}

/// A file that cannot be read is named by the error itself.
void VerifyRun::say(const std::string& file, const Error& error) {
  const std::string what = error.what();
  terminal_.say(what.starts_with(file + ": ") ? one_line(what)
                                              : message(file, error.where(), what));
  status_ = 1;
}

void VerifyRun::read() {
  encoders::Network network =
      from_file(request_.network, [&] { return read_noted_network(request_.network, terminal_); });
  Property property = from_file(request_.property, [&] {
    return read_vnnlib({request_.property, read_unpacked(request_.property, caps::file)});
  });
  problem_ = from_file(request_.property, [&] {
    return make_verification_problem(std::move(network), std::move(property), request_.arguments);
  });
}

void VerifyRun::verify(const std::stop_token& stop) {
  if (known_ != nullptr) {
    for (const std::string& line : known_->said) terminal_.say(line);
    problem_ = known_->problem;
    print(found_by(known_->search, stop));
  } else {
    read();
    if (options_.parse_only) return;
    CounterexampleOptions search{.threads = options_.threads, .stop = stop};
    if (request_.competition) search.tries = std::numeric_limits<std::size_t>::max();
    print(found_by(search_counterexample(*problem_, *enumerator_, search), stop));
  }
  if (options_.plot && !stop.stop_requested())
    save_result(*options_.plot, to_svg(slice_plot(*problem_, *enumerator_, stop)));
  if (options_.explain && !stop.stop_requested()) print_explanation(stop);
  if (options_.stats && !options_.style.json) print_stats();
}

Verification VerifyRun::found_by(const CounterexampleSearch& search, const std::stop_token& stop) {
  using Outcome = CounterexampleSearch::Outcome;
  if (request_.competition) {
    Verification result;
    result.probability.complete = search.outcome != Outcome::stopped;
    result.witness = search.witness;
    result.no_counterexample = excludes_all(*problem_, search) && problem_->inputs.whole;
    return result;
  }
  task_ = probability_task(*problem_);
  std::optional<Solution> known;
  if (known_ != nullptr) known = known_->solution;
  if (options_.certificate) known = certified(*task_, stop);
  return conclude(
      *problem_, *task_, search, *enumerator_,
      [&](const Task& task, const Enumerator& enumerator) { return solve(task, enumerator, stop); },
      std::move(known), known_ != nullptr ? known_->largest : std::nullopt, stop);
}

Solution VerifyRun::solve(const Task& task, const Enumerator& enumerator,
                          const std::stop_token& stop) {
  const SolveOptions options = solve_options(options_, stop, this);
  const bool smooth = task.problem.terms.smooth() && options_.digits == 0;
  if (smooth && !options_.gap && !options_.style.json)
    terminal_.say(fmt::format(
        "{}: note: normal laws have no exact integrals: {} certified digits; --digits N or --gap "
        "WIDTH for others",
        printable(request_.property), standard_smooth_digits));
  CountedSolution found = options_.digits > 0 || smooth
                              ? solve_to_digits(smooth ? standard_smooth_digits : options_.digits,
                                                task, enumerator, *integrator_, options)
                              : solve_counted(task, enumerator, *integrator_, options);
  vertices_ += found.vertices;
  found.solution.answers.resize(task.queries.size());
  return std::move(found.solution);
}

EmbeddedScript embedded_script(const VerificationProblem& problem, const Task& task,
                               const std::string& network) {
  const EmbeddedProblem embedded =
      embedded_problem([&] { return auditable_probability(problem); }, [&] { return task; });
  std::ostringstream head;
  embedded.write(head);
  return {head.str(), read_smtlib({network, embedded.text()})};
}

/// The answers, with a certificate of them if one can be written.
Solution VerifyRun::certified(const Task& task, const std::stop_token& stop) {
  ScriptCertificate certificate(*options_.certificate,
                                embedded_script(*problem_, task, request_.network));
  std::optional<Solution> solution;
  proof_ = ProofEstimate();
  const bool at_once = options_.enumerator->make == make_split && options_.digits == 0 &&
                       certificate.can_prove(task);
  if (at_once) {
    const VertexCounter counter(*integrator_);
    solution = certificate.prove(0, task, counter, solve_options(options_, stop, this));
    vertices_ += counter.vertices();
  }
  try {
    if (!solution) {
      solution = solve(task, *enumerator_, stop);
      certificate.certify(0, task, solution->answers, stop, this);
    }
    certificate.keep();
  } catch (const Stopped&) {
    say_uncertified("stopped by " + std::string(supervisor_.reason()), 3);
  } catch (const GaveUp& error) {
    say_uncertified(error.what(), 3);
  } catch (const Error& error) {
    say_uncertified(error.what(), 1);
  }
  return *std::move(solution);
}

void VerifyRun::say_uncertified(const std::string& why, int status) {
  terminal_.say(printable(request_.network) + ": no certificate: " + one_line(why));
  status_ = status;
}

void VerifyRun::print(const Verification& found) {
  const bool stopped = !supervisor_.reason().empty();
  if (!found.probability.complete) unfinished_ = true;
  Circumstances circumstances;
  circumstances.stopped = stopped ? supervisor_.reason() : std::string_view(options_.unfinished);
  if (options_.stats) circumstances.measured = {seconds(), vertices_, enumerator_->counts()};
  const std::string text = request_.competition
                               ? competition_report(found, stopped)
                               : report(*problem_, found, options_.style, circumstances);
  const std::lock_guard lock(mutex_);
  terminal_.print(text);
  if (request_.competition || options_.style.json) return;
  for (const std::string& step : found.probability.assumptions)
    terminal_.say(fmt::format("{}: note: exact with respect to {}", printable(request_.property),
                              one_line(step)));
}

void VerifyRun::print_explanation(const std::stop_token& stop) {
  if (!task_) return;
  const NamedExplanation found = explain(*task_, *enumerator_, *integrator_, stop);
  const std::string text = report(found.explanation, found.names, options_.style, {});
  const std::lock_guard lock(mutex_);
  terminal_.print(text);
}

void VerifyRun::print_stats() const {
  const SearchCounts counts = enumerator_->counts();
  terminal_.say(fmt::format("{}: {} cells, {} vertices, {:.3f} seconds",
                            printable(request_.property), cells_.load(), vertices_, seconds()));
  if (counts.signs_in_doubles > 0)
    terminal_.say(fmt::format(
        "{}: {} signs decided in doubles, {} by exact numbers; {} regions decided early",
        printable(request_.property), counts.signs_in_doubles, counts.exact_signs,
        counts.early_decisions));
}

double VerifyRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void VerifyRun::added(std::size_t cells) { cells_ = cells; }

void VerifyRun::proved(double share) {
  if (const std::optional<std::string> line = proof_.update(share))
    terminal_.say(printable(request_.network) + ": " + *line);
}

std::string VerifyRun::progress() const {
  return fmt::format("{}: {} cells, {:.1f} s", request_.property, cells_.load(), seconds());
}

void VerifyRun::print_bounds() {
  if (!mutex_.try_lock()) return;  // not unlocked: the work prints no more
  unfinished_ = true;
  Verification nothing;
  nothing.probability.complete = false;
  if (request_.competition)
    terminal_.print(competition_report(nothing, true));
  else if (problem_)
    terminal_.print(report(*problem_, nothing, options_.style, {{}, supervisor_.reason(), {}}));
}

int VerifyRun::finish() {
  if (!unfinished_) return status_;
  if (supervisor_.reason().empty() && !options_.unfinished.empty()) {
    terminal_.say(printable(request_.network) + ": bounds only: " + options_.unfinished);
    return 3;
  }
  terminal_.say(fmt::format("stopped by {} after {:.3g} seconds", supervisor_.reason(),
                            supervisor_.elapsed().count()));
  return 3;
}

int verify(const VerifyRequest& request, Terminal& terminal, const KnownVerification* known) {
  Supervisor supervisor(request.options.limits, request.options.threads);
  VerifyRun run(request, supervisor, terminal, known);
  return supervised_run(run, supervisor, terminal);
}

}  // namespace wmi::frontends
