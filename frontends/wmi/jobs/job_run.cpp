#include "frontends/wmi/jobs/job_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/write_file.h"
#include "frontends/wmi/jobs/certificate_graft.h"
#include "solver/certificate.h"
#include "solver/terms/error.h"
#include "solver/units/proof_in_units.h"
#include "solver/units/task_in_units.h"

namespace wmi::frontends {
namespace {

using Clock = std::chrono::steady_clock;

using Pieces = std::vector<std::vector<std::string>>;  // of the places of a record

/// Adds the part of a task to a record, and its pieces to those of the record.
void add_part(UnitRecord& record, UnitRecord::OfTask part, Pieces& pieces) {
  for (std::vector<std::string>& place : part.found.pieces) {
    std::vector<std::size_t>& sizes = part.pieces.emplace_back();
    for (const std::string& piece : place) sizes.push_back(piece.size());
    pieces.push_back(std::move(place));
  }
  part.found.pieces.clear();
  record.tasks.push_back(std::move(part));
}

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

PathStep task_step(std::size_t task, std::size_t tasks) {
  return {{SearchNode::Kind::tasks},
          static_cast<std::uint32_t>(task),
          static_cast<std::uint32_t>(tasks)};
}

/// The places of a unit below each task.
std::map<std::size_t, std::vector<SearchPath>> by_task(const std::string& unit,
                                                       const std::vector<SearchPath>& places,
                                                       std::size_t tasks) {
  std::map<std::size_t, std::vector<SearchPath>> result;
  for (const SearchPath& place : places) {
    if (place.empty() || place[0] != task_step(place[0].branch, tasks))
      throw Error("unit " + unit + " is of no task of this problem");
    result[place[0].branch].emplace_back(place.begin() + 1, place.end());
  }
  return result;
}

/// Those of the places that are below a task, from there.
std::vector<SearchPath> below_task(const std::vector<SearchPath>& places, const PathStep& task) {
  std::vector<SearchPath> result;
  for (const SearchPath& place : places)
    if (place.empty() || place[0] == task)
      result.emplace_back(place.begin() + (place.empty() ? 0 : 1), place.end());
  return result;
}

}  // namespace

JobRun::JobRun(Job& job, JobSubject& subject)
    : job_(job),
      subject_(subject),
      embedded_(subject.options().proof ? subject.embedded() : std::nullopt),
      enumerator_(subject.options().enumerator->make()),
      observed_(subject.observed(*enumerator_)) {
  for (const std::vector<Climb>& climbs : job_.climbs())
    if (climbs.size() != subject_.script().size())
      throw Error(printable((job_.directory() / "round.json").string()) +
                  ": is of another number of tasks; remove it, and join again");
  make_integrators();
}

void JobRun::make_integrators() {
  const Options& options = subject_.options();
  integrators_.clear();
  for (std::size_t task = 0; task < subject_.script().size(); ++task) {
    std::optional<IntegratorOptions> rounded;
    if (options.digits > 0 && !options.gap && !smooth(task)) rounded = ladder(task).integrator();
    integrators_.push_back(rounded ? make_auto(*rounded)
                                   : options.integrator->make(options.integrator_options));
  }
}

std::unique_ptr<DividedTask> JobRun::in_units(
    std::size_t task, std::optional<std::vector<std::size_t>> searched) const {
  const Options& options = subject_.options();
  if (options.proof)
    return std::make_unique<ProofInUnits>(
        embedded_ ? embedded_->script.at(task) : subject_.script()[task], *integrators_[task],
        options.gap);
  UnitOptions wanted{.gap = options.gap};
  if (smooth(task))
    wanted.smooth_digits = smooth_ladder(task).digits();
  else if (options.digits > 0 && !options.gap && ladder(task).integrator())
    wanted.significant_digits = ladder(task).integrator()->digits;
  return std::make_unique<TaskInUnits>(subject_.script()[task],
                                       observed_ ? *observed_ : *enumerator_, *integrators_[task],
                                       std::move(searched), std::move(wanted));
}

/// Keeps the pieces of all places of a record in a file of their own.
void JobRun::keep_proof(UnitRecord& record,
                        std::vector<std::vector<std::string>> pieces_of_places) const {
  std::string all;
  for (const std::vector<std::string>& pieces : pieces_of_places)
    for (const std::string& piece : pieces) all += piece;
  record.proof = job_.keep_proof(all);
}

UnitRecord JobRun::divide(const std::stop_token& stop) {
  const auto start = Clock::now();
  UnitRecord record = job_.blank(std::string(root_unit), {SearchPath()});
  const std::size_t tasks = subject_.script().size();
  const std::size_t parts =
      std::max<std::size_t>(1, job_.description().parts / std::max<std::size_t>(1, tasks));
  std::vector<SearchTree> trees;
  Pieces pieces;
  for (std::size_t task = 0; task < tasks; ++task) {
    const std::unique_ptr<DividedTask> whole = in_units(task, {});
    UnitResult found = whole->divide(parts, stop);
    trees.push_back(std::move(found.tree));
    add_part(record, {task, whole->searched(), std::move(found)}, pieces);
  }
  record.trees = {trees.empty() ? SearchTree::leaf(SearchTree::State::finished)
                                : SearchTree::inner({SearchNode::Kind::tasks}, std::move(trees))};
  number_units(record.trees, 0);
  record.note = subject_.note();
  if (subject_.options().proof) keep_proof(record, std::move(pieces));
  record.seconds = since(start);
  return record;
}

std::vector<std::vector<std::size_t>> JobRun::searched_goals(const UnitRecord& root) const {
  std::vector<std::vector<std::size_t>> result(subject_.script().size());
  for (const UnitRecord::OfTask& part : root.tasks)
    if (part.task < result.size() && part.searched) result[part.task] = *part.searched;
  return result;
}

UnitRecord JobRun::solve(const std::string& unit, const std::vector<SearchPath>& places,
                         const Pause& pause, std::size_t into) {
  const auto start = Clock::now();
  const std::string root_name(root_unit);
  const std::optional<UnitRecord> root = job_.record(root_name, {SearchPath()});
  if (!root)
    throw Error(printable(job_.directory().string()) +
                ": unit 0 is not done, from which all others come; solve it");
  const std::vector<std::vector<std::size_t>> searched = searched_goals(*root);

  const std::size_t tasks = subject_.script().size();
  UnitRecord record = job_.blank(unit, places);
  std::size_t calls = 0;
  bool paused = false;
  const auto should_pause = [&] { return paused = pause.due(++calls); };
  SearchTree tree = SearchTree::leaf(SearchTree::State::elsewhere);
  Pieces pieces;
  for (const auto& [task, paths] : by_task(unit, places, tasks)) {
    const PathStep step = task_step(task, tasks);
    if (paused) {
      for (const SearchPath& path : paths) merge(tree, along({step}, along(path, SearchTree())));
      if (subject_.options().proof)
        record.tasks.push_back({task,
                                {},
                                in_units(task, {})->solve({}, should_pause),
                                std::vector<std::vector<std::size_t>>(paths.size(), {0, 0})});
      continue;
    }
    UnitResult found = in_units(task, searched[task])->solve(paths, should_pause);
    merge(tree, along({step}, std::move(found.tree)));
    add_part(record, {task, {}, std::move(found)}, pieces);
  }
  for (const SearchPath& place : places) record.trees.push_back(at(tree, place));
  number_units(record.trees, into);
  record.calls = paused ? calls : 0;
  record.note = subject_.note();
  if (subject_.options().proof) keep_proof(record, std::move(pieces));
  record.seconds = since(start);
  return record;
}

/// The parts of a task in all records; their counts are added to those of its solution.
std::vector<UnitResult> JobRun::results_of(std::size_t task, const DividedTask& whole,
                                           const FoundUnits& found,
                                           CountedSolution& solution) const {
  std::vector<UnitResult> results;
  for (const UnitRecord& record : found.records)
    for (const UnitRecord::OfTask& part : record.tasks) {
      if (part.task >= subject_.script().size())
        throw Error("unit " + record.unit + " is of no task of this problem");
      if (part.task != task) continue;
      if (!whole.fits(part.found) || part.pieces.empty() == subject_.options().proof)
        throw Error(fmt::format("unit {}: its sums are not those of this problem", record.unit));
      results.push_back(part.found);
      solution.vertices += part.found.vertices;
      solution.used_doubles = solution.used_doubles || part.found.used_doubles;
    }
  return results;
}

std::vector<CountedSolution> JobRun::join(const FoundUnits& found, unsigned digits,
                                          const std::stop_token& stop,
                                          const std::string& certificate) {
  if (found.records.empty())
    throw Error(printable(job_.directory().string()) +
                ": unit 0 is not done, from which all others come; solve it");
  const std::vector<std::vector<std::size_t>> searched = searched_goals(found.records[0]);
  const std::size_t tasks = subject_.script().size();
  std::vector<CountedSolution> result;
  std::optional<NewFile> file;
  std::optional<CertificateGraft> graft;
  if (!certificate.empty()) {
    refuse_input(certificate);
    file.emplace(certificate);
    if (embedded_) file->stream() << embedded_->head;
    file->stream() << certificate_mark;
    graft.emplace(job_, found.records, file->stream());
  }
  for (std::size_t task = 0; task < tasks; ++task) {
    const std::unique_ptr<DividedTask> whole = in_units(task, searched[task]);
    CountedSolution solution;
    const std::vector<UnitResult> results = results_of(task, *whole, found, solution);
    const std::vector<SearchPath> open = below_task(found.places, task_step(task, tasks));
    JoinedTask joined = whole->join(results, open, digits, stop);
    solution.solution = std::move(joined.solution);
    result.push_back(std::move(solution));
    if (!graft) continue;
    for (std::size_t i = 0; i < open.size(); ++i) {
      SearchPath place = {task_step(task, tasks)};
      place.insert(place.end(), open[i].begin(), open[i].end());
      graft->leave_open(place, std::move(joined.open[i]));
    }
    graft->write({task_step(task, tasks)});
    file->stream() << joined.claims;
  }
  if (file) file->keep();
  return result;
}

bool JobRun::smooth(std::size_t task) const {
  return subject_.script()[task].problem.terms.smooth();
}

/// The precision of a task in this round.
DigitLadder JobRun::ladder(std::size_t task) const {
  DigitLadder result(subject_.options().digits);
  for (const std::vector<Climb>& climbs : job_.climbs())
    if (const Climb climb = climbs.at(task); climb != Climb::none)
      result.climb(climb == Climb::doubles);
  return result;
}

SmoothLadder JobRun::smooth_ladder(std::size_t task) const {
  const Options& options = subject_.options();
  SmoothLadder result(options.digits > 0 ? options.digits : standard_smooth_digits, options.gap);
  for (const std::vector<Climb>& climbs : job_.climbs())
    if (climbs.at(task) != Climb::none) result.climb();
  return result;
}

std::vector<Climb> JobRun::climbs(std::span<const CountedSolution> solutions) const {
  std::vector<Climb> result(solutions.size(), Climb::none);
  for (std::size_t task = 0; task < solutions.size(); ++task) {
    if (smooth(task)) {
      if (!smooth_ladder(task).reached(solutions[task].solution)) result[task] = Climb::rounded;
      continue;
    }
    if (subject_.options().digits == 0 || subject_.options().gap) continue;
    const DigitLadder precision = ladder(task);
    if (precision.integrator() && !precision.reached(solutions[task].solution))
      result[task] = solutions[task].used_doubles ? Climb::doubles : Climb::rounded;
  }
  return result;
}

void JobRun::begin_round(std::vector<Climb> climbs, const std::stop_token& stop) {
  // The root of the next round is found by the integrators of that round.
  Job next = job_;
  next.climb(climbs);
  UnitRecord root = JobRun(next, subject_).divide(stop);
  job_.begin_round(std::move(climbs), std::move(root));
  make_integrators();
}

}  // namespace wmi::frontends
