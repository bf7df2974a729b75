#include "frontends/wmi/jobs/job_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "frontends/common/line.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

PathStep task_step(std::size_t task, std::size_t tasks) {
  return {{SearchNode::Kind::tasks},
          static_cast<std::uint32_t>(task),
          static_cast<std::uint32_t>(tasks)};
}

/// Throws Error if the sums are not those of such a plan.
void check_shape(const UnitRecord::OfTask& part, const Plan& plan, const std::string& unit) {
  const CellSums& sums = part.found.sums;
  bool fits = sums.sums.size() == plan.sums && sums.counts.size() == plan.sums &&
              sums.laws.size() == plan.laws;
  for (const UnitRefusal& refusal : part.found.refusals)
    for (const std::size_t sum : refusal.sums) fits = fits && sum < plan.sums;
  if (!fits) throw Error(fmt::format("unit {}: its sums are not those of this problem", unit));
}

}  // namespace

JobRun::JobRun(Job& job, JobSubject& subject)
    : job_(job),
      subject_(subject),
      enumerator_(subject.options().enumerator->make()),
      observed_(subject.observed(*enumerator_)) {
  make_integrators();
}

void JobRun::make_integrators() {
  const Options& options = subject_.options();
  integrators_.clear();
  for (std::size_t task = 0; task < subject_.script().size(); ++task) {
    std::optional<IntegratorOptions> rounded;
    if (options.digits > 0) {
      rounded = ladder(task).integrator();
    }
    integrators_.push_back(rounded ? make_auto(*rounded)
                                   : options.integrator->make(options.integrator_options));
  }
}

TaskInUnits JobRun::in_units(std::size_t task,
                             std::optional<std::vector<std::size_t>> searched) const {
  return {subject_.script()[task], observed_ ? *observed_ : *enumerator_, *integrators_[task],
          std::move(searched)};
}

UnitRecord JobRun::divide(const std::stop_token& stop) {
  const auto start = Clock::now();
  UnitRecord record = job_.blank(std::string(root_unit), {SearchPath()});
  const std::size_t tasks = subject_.script().size();
  const std::size_t parts =
      std::max<std::size_t>(1, job_.description().parts / std::max<std::size_t>(1, tasks));
  std::vector<SearchTree> trees;
  for (std::size_t task = 0; task < tasks; ++task) {
    TaskInUnits whole = in_units(task, {});
    std::optional<unsigned> significant_digits;
    if (subject_.options().digits > 0)
      if (const std::optional<IntegratorOptions> rounded = ladder(task).integrator())
        significant_digits = rounded->digits;
    UnitResult found = whole.divide(parts, stop, significant_digits);
    trees.push_back(std::move(found.tree));
    record.tasks.push_back({task, whole.searched(), std::move(found)});
  }
  record.trees = {trees.empty() ? SearchTree::leaf(SearchTree::State::finished)
                                : SearchTree::inner({SearchNode::Kind::tasks}, std::move(trees))};
  number_units(record.trees, 0);
  record.note = subject_.note();
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
  if (!root) throw Error(printable(job_.directory().string()) + ": the job is not divided yet");
  const std::vector<std::vector<std::size_t>> searched = searched_goals(*root);

  const std::size_t tasks = subject_.script().size();
  std::map<std::size_t, std::vector<SearchPath>> by_task;
  for (const SearchPath& place : places) {
    if (place.empty() || place[0] != task_step(place[0].branch, tasks))
      throw Error("unit " + unit + " is of no task of this problem");
    by_task[place[0].branch].emplace_back(place.begin() + 1, place.end());
  }
  UnitRecord record = job_.blank(unit, places);
  std::size_t calls = 0;
  bool paused = false;
  const auto should_pause = [&] {
    ++calls;
    paused = pause.calls > 0 ? calls >= pause.calls
                             : pause.stop.stop_requested() ||
                                   (pause.deadline && Clock::now() >= *pause.deadline);
    return paused;
  };
  SearchTree tree = SearchTree::leaf(SearchTree::State::elsewhere);
  for (const auto& [task, paths] : by_task) {
    const PathStep step = task_step(task, tasks);
    if (paused) {
      for (const SearchPath& path : paths) merge(tree, along({step}, along(path, SearchTree())));
      continue;
    }
    UnitResult found = in_units(task, searched[task]).solve(paths, should_pause);
    merge(tree, along({step}, std::move(found.tree)));
    record.tasks.push_back({task, {}, std::move(found)});
  }
  for (const SearchPath& place : places) record.trees.push_back(at(tree, place));
  number_units(record.trees, into);
  record.calls = paused ? calls : 0;
  record.note = subject_.note();
  record.seconds = since(start);
  return record;
}

JobRun::Found JobRun::find() const {
  Found found;
  job_.visit({[&](const UnitRecord& record) { found.records.push_back(record); },
              [&](const std::string& unit, const std::vector<SearchPath>& places,
                  const std::string& problem) {
                found.open.push_back(unit);
                found.places.insert(found.places.end(), places.begin(), places.end());
                if (!problem.empty()) found.problems.push_back(problem);
              }});
  return found;
}

std::vector<CountedSolution> JobRun::join(const Found& found, unsigned digits,
                                          const std::stop_token& stop) {
  if (found.records.empty())
    throw Error(printable(job_.directory().string()) + ": the job is not divided yet");
  const std::vector<std::vector<std::size_t>> searched = searched_goals(found.records[0]);
  const std::size_t tasks = subject_.script().size();
  std::vector<CountedSolution> result;
  for (std::size_t task = 0; task < tasks; ++task) {
    const TaskInUnits whole = in_units(task, searched[task]);
    CountedSolution solution;
    std::vector<UnitResult> results;
    for (const UnitRecord& record : found.records)
      for (const UnitRecord::OfTask& part : record.tasks) {
        if (part.task >= tasks)
          throw Error("unit " + record.unit + " is of no task of this problem");
        if (part.task != task) continue;
        check_shape(part, whole.plan(), record.unit);
        results.push_back(part.found);
        solution.vertices += part.found.vertices;
        solution.used_doubles = solution.used_doubles || part.found.used_doubles;
      }
    std::vector<SearchPath> open;
    for (const SearchPath& place : found.places)
      if (place.empty() || place[0] == task_step(task, tasks))
        open.emplace_back(place.begin() + (place.empty() ? 0 : 1), place.end());
    solution.solution = whole.join(results, open, digits, stop);
    result.push_back(std::move(solution));
  }
  return result;
}

/// The precision of a task in this round.
DigitLadder JobRun::ladder(std::size_t task) const {
  DigitLadder result(subject_.options().digits);
  for (const std::vector<Climb>& climbs : job_.climbs())
    if (const Climb climb = climbs.at(task); climb != Climb::none)
      result.climb(climb == Climb::doubles);
  return result;
}

std::vector<Climb> JobRun::climbs(std::span<const CountedSolution> solutions) const {
  std::vector<Climb> result(solutions.size(), Climb::none);
  if (subject_.options().digits == 0) return result;
  for (std::size_t task = 0; task < solutions.size(); ++task) {
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

void JobRun::recheck(const UnitRecord& record, const std::stop_token& stop) {
  UnitRecord again = record.unit == root_unit
                         ? divide(stop)
                         : solve(record.unit, record.places, {.calls = record.calls}, 0);
  again.seconds = record.seconds;
  again.calls = record.calls;
  // How the open places are grouped into units is not part of the result.
  UnitRecord before = record;
  number_units(before.trees, 0);
  number_units(again.trees, 0);
  if (to_text(again) != to_text(before))
    throw Error(
        fmt::format("{}: wrong: solved again, the unit has another result; remove the file "
                    "and solve it again",
                    printable(job_.file_of(record.unit).string())));
}

}  // namespace wmi::frontends
