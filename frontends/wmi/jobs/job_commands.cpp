#include "frontends/wmi/jobs/job_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "frontends/cli/limits.h"
#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/amounts.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

const Setting& setting_of_wmi(std::string_view name) { return *find(wmi_settings(), name); }

std::string directory_of(const Settings& settings) {
  if (settings.words().size() != 1) throw UsageError("name one directory of a job");
  return settings.words()[0];
}

Limits limits_of(const Settings& settings) {
  Limits result;
  if (settings.given("memory")) {
    result.memory = parse_bytes(settings.text("memory"));
    if (!result.memory) throw UsageError("--memory: write megabytes, or a unit: 500M, 2G");
  }
  return result;
}

/// A unit, until its budget is used up; or the root, which is done unless its file is lost.
void solve_unit(const Job& job, JobWork& work, const std::string& unit, const JobWork::Pause& pause,
                std::size_t into, Terminal& terminal) {
  const std::vector<SearchPath> places = job.places_of(unit);
  bool damaged = false;
  try {
    if (job.record(unit, places)) {
      terminal.say(fmt::format("unit {} is done already", unit));
      return;
    }
  } catch (const Error& error) {
    terminal.say(std::string("warning: ") + error.what());
    damaged = true;
  }
  const UnitRecord record =
      unit == root_unit ? work.divide(pause.stop) : work.solve(unit, places, pause, into);
  if (damaged)
    job.replace(record);
  else if (!job.keep(record))
    terminal.say(fmt::format("unit {} was done by another process meanwhile", unit));
}

int run_part(const Settings& settings, Terminal& terminal, std::string_view program,
             std::span<const JobCommand> table) {
  std::optional<double> budget;
  if (settings.given("budget")) {
    budget = parse_seconds(settings.text("budget"));
    if (!budget) throw UsageError("--budget: write a number of seconds above 0");
  }
  if (!settings.given("unit")) throw UsageError("--unit: name a unit; `units` lists them");
  const std::vector<std::string> units = comma_separated(settings.text("unit"));
  const std::string directory = directory_of(settings);
  const auto solve = [&](const std::stop_token& stop) {
    Job job = Job::open(directory, std::string(program));
    for (const std::string& unit : units) job.places_of(unit);  // they exist
    const std::unique_ptr<JobWork> work = open_work(job, table, terminal);
    for (const std::string& unit : units) {
      if (stop.stop_requested()) break;
      JobWork::Pause pause{.stop = stop};
      if (budget)
        pause.deadline = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double>(*budget));
      solve_unit(job, *work, unit, pause, settings.count("into"), terminal);
    }
  };
  const auto stopped = [](std::string_view reason) {
    return fmt::format("stopped by {}; the unit is not done", reason);
  };
  return supervised(terminal, 1, solve, {}, stopped, limits_of(settings)) ? 0 : 3;
}

/// Of several builds, none is wrong; but only one of them is compared with one process.
void warn_of_builds(const Job& job, const FoundUnits& found, Terminal& terminal) {
  const auto another = std::ranges::find_if(found.records, [&](const UnitRecord& record) {
    return record.build != found.records[0].build;
  });
  if (another == found.records.end()) return;
  terminal.say(
      fmt::format("warning: {}: units {} and {} are by two builds of version {}: the last digits "
                  "may be others than those of one process; --recheck compares them",
                  printable(job.directory().string()), found.records[0].unit, another->unit,
                  job.description().version));
}

int run_join(const Settings& settings, Terminal& terminal, std::string_view program,
             std::span<const JobCommand> table) {
  Job job = Job::open(directory_of(settings), std::string(program));
  const std::unique_ptr<JobWork> work = open_work(job, table, terminal);
  const FoundUnits found = find_units(job);
  if (!settings.flag("allow-open") && !found.problems.empty()) throw Error(found.problems[0]);
  for (const std::string& problem : found.problems) terminal.say("warning: " + problem);
  warn_of_builds(job, found, terminal);
  if (settings.has("recheck")) recheck_some(*work, job, found.records, settings.count("recheck"));
  return work->join(settings, found, terminal);
}

/// Do bounds of a certain width end it?
bool has_gap(const Job& job) {
  return std::ranges::any_of(job.description().arguments, [](const std::string& argument) {
    return argument.starts_with("--gap=");
  });
}

std::size_t cells_of(const UnitRecord& record) {
  std::size_t result = 0;
  for (const UnitRecord::OfTask& part : record.tasks) result += part.found.sums.cells;
  return result;
}

/// What `units` prints of a unit that is done, and of one that is open.
std::string line(const UnitRecord& record) {
  return fmt::format("{} {:.6f} {}\n", record.unit, record.seconds, cells_of(record));
}
std::string json_line(const UnitRecord& record) {
  return JsonObject()
             .add("unit", record.unit)
             .add("seconds", JsonText::verbatim(fmt::format("{:.6f}", record.seconds)))
             .add("cells", cells_of(record))
             .add("left", record.left_open().size())
             .text() +
         "\n";
}
std::string json_line(const std::string& unit, const std::vector<SearchPath>& places,
                      const std::string& problem) {
  JsonObject result;
  result.add("unit", unit).add("places", places.size());
  if (!problem.empty()) result.add("problem", JsonText::display(problem));
  return result.text() + "\n";
}

int run_units(const Settings& settings, Terminal& terminal, std::string_view program,
              std::span<const JobCommand> table) {
  Job job = Job::open(directory_of(settings), std::string(program));
  const bool json = settings.flag("json");
  std::string done, open;
  job.visit({[&](const UnitRecord& record) { done += json ? json_line(record) : line(record); },
             [&](const std::string& unit, const std::vector<SearchPath>& places,
                 const std::string& problem) {
               if (!problem.empty()) terminal.say("warning: " + problem);
               open += json ? json_line(unit, places, problem) : unit + "\n";
             }});
  if (settings.flag("done")) {
    terminal.print(done);
    return 0;
  }
  if (!open.empty() && has_gap(job) && open_work(job, table, terminal)->enough(find_units(job)))
    return 0;
  terminal.print(open);
  return 0;
}

Command part_command(std::string_view program, std::span<const JobCommand> table) {
  static const std::vector<Setting> settings{
      {"unit", "N[,N...]", "",
       "the unit to solve: 17, or 17.2; several follow each other, and the\nproblem is read once"},
      {"budget", "SECONDS", "",
       "hand the rest of each unit back as new units after so many seconds;\n"
       "at least one cell is always found, and no cell is broken off"},
      {"into", "K", "4", "as at most so many units", kind::Count{1, 1'000'000}},
      {"memory", "SIZE", "",
       "hand the rest back at a resident size in megabytes, or with a unit:\n500M, 2G; if a single "
       "cell needs more, the unit is not done"},
  };
  return {.name = "part",
          .usage = "JOB --unit N [options]",
          .description =
              "Solves one unit of a job, in one thread: JOB/done/N appears whole or not at all.\n"
              "SIGTERM ends it like the budget.",
          .settings = settings,
          .examples = "  wmi part job --unit 17 --budget 60\n",
          .run = [program, table](
                     const Settings& given,
                     Terminal& terminal) { return run_part(given, terminal, program, table); },
          .summary = "solves one unit of a job",
          .program = program};
}

Command units_command(std::string_view program, std::span<const JobCommand> table) {
  static const std::vector<Setting> settings{
      {"done", "", "", "instead, those that are done, with their seconds and cells"},
      {"json", "", "",
       "each as JSON: of open units the number of their places, and what is\nwrong with their "
       "file; "
       "of others the number of units that they left, too"},
  };
  return {
      .name = "units",
      .usage = "JOB",
      .description =
          "Lists the units of a job that are open, one a line. If the job has a --gap, there are\n"
          "none as soon as the answers are known to within it.",
      .settings = settings,
      .run = [program, table](
                 const Settings& given,
                 Terminal& terminal) { return run_units(given, terminal, program, table); },
      .summary = "lists the open units of a job",
      .program = program};
}

Command join_command(std::string_view program, std::span<const JobCommand> table) {
  static const std::vector<Setting> settings = [] {
    std::vector<Setting> result{
        {"allow-open", "", "", "with open units: certified bounds of the answers"},
        {"recheck", "K", "", "first solve K random units again, and compare", kind::Count{0}},
        {"certificate", "OUT", "",
         "of a job made with --proof: also write the proof of the answers,\nwhich wmi-check can "
         "check",
         kind::Output{{"wmi-certificate ", "query-certificate "}}},
    };
    for (const std::string_view name : {"exact", "decimals", "json", "plot", "stats"})
      result.push_back(setting_of_wmi(name));
    return result;
  }();
  return {.name = "join",
          .usage = "JOB [options]",
          .description =
              "Checks that the units of a job are the whole search, each counted once, and prints\n"
              "the answers: the same bytes as one process.",
          .settings = settings,
          .examples = "  wmi join job --recheck 3\n",
          .run = [program, table](
                     const Settings& given,
                     Terminal& terminal) { return run_join(given, terminal, program, table); },
          .summary = "the answers of a job",
          .program = program,
          .notes = "Exit status: 0 answered, 1 a file is damaged, 3 units are open.\n"};
}

}  // namespace

std::vector<Command> job_commands(std::string_view program, std::span<const JobCommand> table) {
  return {part_command(program, table), units_command(program, table),
          join_command(program, table)};
}

}  // namespace wmi::frontends
