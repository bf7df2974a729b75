#include "frontends/ciber/verify/verify_job.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include "frontends/ciber/verify/largest_cell.h"
#include "frontends/ciber/verify/observed_enumerator.h"
#include "frontends/ciber/verify/witness.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/networks/onnx/network_file.h"
#include "frontends/packed/packed_file.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using Outcome = CounterexampleSearch::Outcome;

constexpr std::string_view no_counterexamples = "no counterexamples";

template <class Read>
auto named(const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(message(file, error.where(), error.what()));
  }
}

/// The problem of a request whose files are at these paths; notes of the reader are added to `said`.
VerificationProblem read_problem(const VerifyRequest& request, const std::string& network,
                                 const std::string& property, std::vector<std::string>& said) {
  onnx::ReadNetwork read = named(request.network, [&] { return read_any_network(network); });
  for (const std::string& note : read.notes)
    said.push_back(printable(request.network) + ": note: " + one_line(note));
  return named(request.property, [&] {
    return make_verification_problem(
        std::move(read.network),
        read_vnnlib({request.property, read_unpacked(property, caps::file)}), request.arguments);
  });
}

/// `0x1.8p+3 1/2 3`: the size of a cell and a point of it.
std::string note_of(const InteriorPoint& cell) {
  std::string result = fmt::format("{:a}", cell.log_volume);
  for (const Rational& coordinate : cell.point) result += " " + wmi::to_string(coordinate);
  return result;
}

InteriorPoint parse_note(const std::string& note, std::size_t dimension) {
  std::istringstream words(note);
  std::string word;
  words >> word;
  InteriorPoint result{{}, 0};
  const std::string_view number =
      std::string_view(word).substr(std::min(word.find('x') + 1, word.size()));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(),
                                            result.log_volume, std::chars_format::hex);
  if (word.starts_with('-')) result.log_volume = -result.log_volume;
  while (words >> word) result.point.push_back(parse_fraction(word));
  if (error != std::errc() || end != number.data() + number.size() ||
      result.point.size() != dimension)
    throw Error("a unit has no point of its largest cell, but '" + note.substr(0, 40) + "'");
  return result;
}

class VerifySubject final : public JobSubject {
 public:
  VerifySubject(VerifyRequest request, VerificationProblem problem, std::vector<std::string> said,
                bool excluded)
      : request_(std::move(request)),
        problem_(std::move(problem)),
        said_(std::move(said)),
        excluded_(excluded),
        task_(probability_task(problem_)) {
    if (!excluded_ || request_.options.proof) script_ = {task_};
    Task planned = task_;
    sum_ = *make_plan(planned).parts[0].first;
  }

  const Script& script() const override { return script_; }
  const Options& options() const override { return request_.options; }

  std::optional<EmbeddedScript> embedded() override {
    return embedded_script(problem_, task_, request_.network);
  }

  std::unique_ptr<Enumerator> observed(const Enumerator& inner) override {
    largest_ = std::make_unique<LargestCell>(sum_);
    return std::make_unique<ObservedEnumerator>(inner, task_.problem.integrated.size(),
                                                [this](const Cell& cell) { largest_->add(cell); });
  }

  std::string note() override {
    const std::optional<InteriorPoint> best = largest_->best();
    largest_ = std::make_unique<LargestCell>(sum_);
    return best ? note_of(*best) : "";
  }

  int report(const Options& how, std::span<const CountedSolution> solutions,
             std::span<const std::string> notes, Terminal& terminal) override {
    std::optional<InteriorPoint> best;
    for (const std::string& note : notes) {
      InteriorPoint cell = parse_note(note, task_.problem.integrated.size());
      if (!best || larger(cell, *best)) best = std::move(cell);
    }
    KnownVerification known{problem_, said_, {}};
    known.search.outcome = excluded_ ? Outcome::none : Outcome::found;
    if (!script_.empty()) known.solution = solutions[0].solution;
    if (best) known.largest = best->point;
    if (!excluded_ && !has_masks(problem_.network) &&
        !(best && find_witness(problem_, point_in_box(problem_.inputs, best->point))))
      known.search = search_counterexample(problem_, *request_.options.enumerator->make(), {});
    VerifyRequest request = request_;
    request.options = how;
    return verify(request, terminal, &known);
  }

 private:
  const VerifyRequest request_;
  const VerificationProblem problem_;
  const std::vector<std::string> said_;
  const bool excluded_;  // there are no counterexamples
  const Task task_;
  Script script_;
  std::size_t sum_ = 0;  // of the property
  std::unique_ptr<LargestCell> largest_;
};

}  // namespace

std::string counterexamples_of(const VerifyRequest& request) {
  std::vector<std::string> said;
  const VerificationProblem problem =
      read_problem(request, request.network, request.property, said);
  const CounterexampleSearch found = search_counterexample(
      problem, *request.options.enumerator->make(), {.threads = request.options.threads});
  return std::string(found.outcome == Outcome::none ? no_counterexamples : "");
}

std::unique_ptr<JobSubject> make_verify_subject(VerifyRequest request, const Job& job) {
  std::vector<std::string> said;
  VerificationProblem problem =
      read_problem(request, job.input(0).string(), job.input(1).string(), said);
  return std::make_unique<VerifySubject>(std::move(request), std::move(problem), std::move(said),
                                         job.description().remark == no_counterexamples);
}

}  // namespace wmi::frontends
