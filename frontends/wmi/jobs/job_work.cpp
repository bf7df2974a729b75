#include "frontends/wmi/jobs/job_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/wmi/jobs/job_run.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr unsigned usual_digits = 17;

bool all_complete(std::span<const CountedSolution> solutions) {
  return std::ranges::all_of(solutions, [](const CountedSolution& found) {
    return std::ranges::all_of(found.solution.answers, &Answer::complete);
  });
}

bool climbs(std::span<const Climb> tasks) {
  return std::ranges::any_of(tasks, [](Climb climb) { return climb != Climb::none; });
}

class SearchWork final : public JobWork {
 public:
  SearchWork(Job& job, std::unique_ptr<JobSubject> subject)
      : job_(job), subject_(std::move(subject)), run_(job, *subject_) {}

  UnitRecord divide(const std::stop_token& stop) override { return run_.divide(stop); }
  UnitRecord solve(const std::string& unit, const std::vector<SearchPath>& places,
                   const Pause& pause, std::size_t into) override {
    return run_.solve(unit, places, pause, into);
  }

  bool enough(const FoundUnits& found) override {
    const std::vector<CountedSolution> solutions = run_.join(found, usual_digits, {});
    return all_complete(solutions) && !climbs(run_.climbs(solutions));
  }

  int join(const Settings& settings, const FoundUnits& found, Terminal& terminal) override {
    Options how = read_options_over(settings, subject_->options());
    if (settings.given("certificate") && !how.proof)
      throw UsageError("--certificate: the units of this job are no proofs; make it with --proof");
    const bool allow_open = settings.flag("allow-open");
    if (!found.open.empty() && !allow_open && !how.gap)
      return say_open(job_, found, "solve them, or see --allow-open", terminal);
    const std::vector<CountedSolution> solutions =
        run_.join(found, static_cast<unsigned>(how.style.decimals) + 2, {},
                  settings.given("certificate") ? settings.text("certificate") : "");
    if (found.open.empty() || all_complete(solutions)) {
      const std::vector<Climb> higher = run_.climbs(solutions);
      if (climbs(higher)) {
        run_.begin_round(higher, {});
        terminal.say(fmt::format(
            "{}: these integrals do not have {} digits; a round with more precise ones has begun: "
            "solve its units, and join again",
            printable(job_.directory().string()),
            how.digits > 0 ? how.digits : standard_smooth_digits));
        return 3;
      }
    } else if (allow_open) {
      how.unfinished =
          fmt::format("{} open unit{}", found.open.size(), found.open.size() == 1 ? "" : "s");
    } else {
      return say_open(job_, found,
                      "the bounds are still wider than the gap: solve more units, or see "
                      "--allow-open",
                      terminal);
    }
    std::vector<std::string> notes;
    for (const UnitRecord& record : found.records)
      if (!record.note.empty()) notes.push_back(record.note);
    return subject_->report(how, solutions, notes, terminal);
  }

 private:
  Job& job_;
  const std::unique_ptr<JobSubject> subject_;
  JobRun run_;
};

const JobCommand& command_of(const Job& job, std::span<const JobCommand> table) {
  const auto found = std::ranges::find(table, job.description().command, &JobCommand::name);
  if (found == table.end())
    throw Error(printable(job.directory().string()) + ": the job is of an unknown command");
  return *found;
}

}  // namespace

FoundUnits find_units(const Job& job) {
  FoundUnits found;
  job.visit({[&](const UnitRecord& record) { found.records.push_back(record); },
             [&](const std::string& unit, const std::vector<SearchPath>& places,
                 const std::string& problem) {
               found.open.push_back(unit);
               found.places.insert(found.places.end(), places.begin(), places.end());
               if (!problem.empty()) found.problems.push_back(problem);
             }});
  return found;
}

void recheck(JobWork& work, const Job& job, const UnitRecord& record, const std::stop_token& stop) {
  UnitRecord again = record.unit == root_unit
                         ? work.divide(stop)
                         : work.solve(record.unit, record.places, {.calls = record.calls}, 0);
  again.seconds = record.seconds;
  again.build = record.build;
  again.calls = record.calls;
  // How the open places are grouped into units is not part of the result.
  UnitRecord before = record;
  number_units(before.trees, 0);
  number_units(again.trees, 0);
  if (to_text(again) != to_text(before))
    throw Error(
        fmt::format("{}: wrong: solved again, the unit has another result; remove the file "
                    "and solve it again",
                    printable(job.file_of(record.unit).string())));
}

void recheck_some(JobWork& work, const Job& job, std::span<const UnitRecord> records,
                  std::size_t count) {
  std::vector<const UnitRecord*> some;
  for (const UnitRecord& record : records) some.push_back(&record);
  std::shuffle(some.begin(), some.end(), std::mt19937(std::random_device()()));
  some.resize(std::min(count, some.size()));
  for (const UnitRecord* const record : some) recheck(work, job, *record, {});
}

int say_open(const Job& job, const FoundUnits& found, std::string_view advice, Terminal& terminal) {
  terminal.say(fmt::format(
      "{}: {} open, the first is {} (done: {}); {}", printable(job.directory().string()),
      found.open.size() == 1 ? "1 unit is" : fmt::format("{} units are", found.open.size()),
      found.open.at(0), found.records.size() - std::min<std::size_t>(1, found.records.size()),
      advice));
  return 3;
}

std::unique_ptr<JobWork> search_work(Job& job, std::unique_ptr<JobSubject> subject) {
  return std::make_unique<SearchWork>(job, std::move(subject));
}

std::unique_ptr<JobSubject> read_subject(const Job& job, std::span<const JobCommand> table,
                                         Terminal& terminal) {
  return command_of(job, table).read(job, terminal);
}

std::unique_ptr<JobWork> open_work(Job& job, std::span<const JobCommand> table,
                                   Terminal& terminal) {
  const JobCommand& command = command_of(job, table);
  if (command.open != nullptr) return command.open(job, terminal);
  return search_work(job, command.read(job, terminal));
}

}  // namespace wmi::frontends
