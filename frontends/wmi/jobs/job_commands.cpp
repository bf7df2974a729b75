#include "frontends/wmi/jobs/job_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "frontends/cli/limits.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/amounts.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "frontends/wmi/jobs/job_run.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// `1 unit`, `3 units`
std::string counted(std::size_t number, std::string_view noun = "unit") {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

const Setting& setting_of_wmi(std::string_view name) { return *find(wmi_settings(), name); }

std::string directory_of(const Settings& settings) {
  if (settings.words().size() != 1) throw UsageError("name one directory of a job");
  return settings.words()[0];
}

/// Runs the work under limits; 3 if it was stopped or abandoned.
int supervised(const Limits& limits, Terminal& terminal,
               const std::function<int(const std::stop_token&)>& work) {
  Supervisor supervisor(limits);
  int status = 3;
  std::exception_ptr failure;
  const bool returned = supervisor.run([&](const std::stop_token& stop) {
    try {
      status = work(stop);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (!returned) {
    terminal.say(fmt::format("stopped by {}; nothing is written", supervisor.reason()));
    _exit(3);
  }
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Stopped&) {
    terminal.say(fmt::format("stopped by {}; nothing is written", supervisor.reason()));
    return 3;
  }
  return status;
}

Limits limits_of(const Settings& settings) {
  Limits result;
  if (settings.given("memory")) {
    result.memory = parse_bytes(settings.text("memory"));
    if (!result.memory) throw UsageError("--memory: write megabytes, or a unit: 500M, 2G");
  }
  return result;
}

/// A unit, until its budget is used up.
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
  const UnitRecord record = work.solve(unit, places, pause, into);
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
  return supervised(limits_of(settings), terminal, [&](const std::stop_token& stop) {
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
    return 0;
  });
}

int run_join(const Settings& settings, Terminal& terminal, std::string_view program,
             std::span<const JobCommand> table) {
  Job job = Job::open(directory_of(settings), std::string(program));
  const std::unique_ptr<JobWork> work = open_work(job, table, terminal);
  const FoundUnits found = find_units(job);
  if (!settings.flag("allow-open") && !found.problems.empty()) throw Error(found.problems[0]);
  for (const std::string& problem : found.problems) terminal.say("warning: " + problem);
  if (settings.has("recheck")) recheck_some(*work, job, found.records, settings.count("recheck"));
  return work->join(settings, found, terminal);
}

/// Do bounds of a certain width end it?
bool has_gap(const Job& job) {
  return std::ranges::any_of(job.description().arguments, [](const std::string& argument) {
    return argument.starts_with("--gap=");
  });
}

int run_units(const Settings& settings, Terminal& terminal, std::string_view program,
              std::span<const JobCommand> table) {
  Job job = Job::open(directory_of(settings), std::string(program));
  std::string done, open;
  job.visit(
      {[&](const UnitRecord& record) {
         std::size_t cells = 0;
         for (const UnitRecord::OfTask& part : record.tasks) cells += part.found.sums.cells;
         done += fmt::format("{} {:.6f} {}\n", record.unit, record.seconds, cells);
       },
       [&](const std::string& unit, const std::vector<SearchPath>&, const std::string& problem) {
         if (!problem.empty()) terminal.say("warning: " + problem);
         open += unit + "\n";
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
      setting_of_wmi("memory"),
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

std::unique_ptr<JobSubject> read_wmi_job(const Job& job, Terminal&);

constexpr JobCommand wmi_table[] = {{"split", read_wmi_job}};

constexpr std::string_view of_the_job[] = {"out", "parts", "config"};

std::span<const Setting> split_settings() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> result{
        {"out", "JOB", "", "the directory of the job, which is made"},
        {"parts", "N", "100", "about so many units", kind::Count{1, 10'000'000}},
        proof_setting,
    };
    for (const std::string_view name :
         {"enumerator", "integrator", "precision", "digits", "gap", "cap", "format", "memory"})
      result.push_back(setting_of_wmi(name));
    return result;
  }();
  return table;
}

std::unique_ptr<JobSubject> read_wmi_job(const Job& job, Terminal&) {
  const JobDescription& description = job.description();
  Options options = read_options(Settings("wmi split", split_settings(), description.arguments));
  options.files = description.files;
  const std::string input = job.input(0).string();
  try {
    Script script = read({input, read_file(input)}, options.format);
    return std::make_unique<ScriptSubject>(std::move(script), std::move(options));
  } catch (const UnknownFormat& unknown) {
    throw Error(
        message(description.files[0], unknown.where(), unknown.with_option("--format").what()));
  } catch (const Error& error) {
    throw Error(message(description.files[0], error.where(), error.what()));
  }
}

/// The other files of a triple.
std::vector<std::string> siblings(const std::string& file) {
  const fs::path path = file;
  const std::string extension = path.extension().string();
  std::vector<std::string> result;
  for (const char* part : {".support", ".weights", ".query"}) {
    if (extension != ".support" && extension != ".weights" && extension != ".query") break;
    if (extension != part) result.push_back(fs::path(path).replace_extension(part).string());
  }
  return result;
}

int run_split(const Settings& settings, Terminal& terminal) {
  if (!settings.given("out")) throw UsageError("--out: name a directory for the job");
  if (settings.words().size() != 1) throw UsageError("name one FILE; a job is about one");
  check_for_job(read_options(settings));
  NewJob job{settings.text("out"), {}, siblings(settings.words()[0])};
  job.description.program = "wmi";
  job.description.command = "split";
  job.description.arguments = job_arguments(settings, split_settings(), of_the_job);
  job.description.files = settings.words();
  job.description.parts = settings.count("parts");
  return make_job(std::move(job), wmi_table, terminal);
}

/// A name that no other input has.
std::string input_name(const std::string& file, const std::vector<std::string>& taken) {
  std::string name = fs::path(file).filename().string();
  if (name.empty() || name == "-" || name.starts_with('.')) name = "input" + name;
  while (std::ranges::find(taken, name) != taken.end()) name.insert(0, "_");
  return name;
}

}  // namespace

std::vector<Command> job_commands(std::string_view program, std::span<const JobCommand> table) {
  return {part_command(program, table), units_command(program, table),
          join_command(program, table)};
}

std::vector<std::string> job_arguments(const Settings& settings, std::span<const Setting> table,
                                       std::span<const std::string_view> left_out) {
  std::vector<std::string> result;
  for (const auto& [name, value] : settings.occurrences()) {
    if (std::ranges::find(left_out, name) != left_out.end()) continue;
    const Setting* const setting = find(table, name);
    const bool flag = setting != nullptr && setting->argument.empty();
    result.push_back(flag ? "--" + name : "--" + name + "=" + value);
  }
  return result;
}

void check_for_job(const Options& options) {
  const auto refuse = [](std::string_view option, std::string_view what) {
    throw UsageError(fmt::format("--{}: {}", option, what));
  };
  if (options.digits > 0 && options.integrator->make != make_auto)
    refuse("digits", "needs --integrator auto, which it is by default");
  if (options.limits.time) refuse("timeout", "a job has none; each `part` has its --budget");
  if (options.explain) refuse("explain", "a job does not keep the patterns of its cells");
  if (options.certificate)
    refuse("certificate", "make the job with --proof; then join has --certificate OUT");
  if (options.proof && options.digits > 0) refuse("digits", "proofs are of exact answers");
  if (options.proof && options.enumerator->make != make_split)
    refuse("enumerator", "proofs have a search of their own, a variant of split");
  if (options.write_smtlib || options.parse_only)
    refuse(options.write_smtlib ? "write-smtlib" : "parse-only", "does not go with a job");
}

int make_job(NewJob job, std::span<const JobCommand> table, Terminal& terminal) {
  std::vector<std::string> contents;
  for (const auto& [name, file] : job.inputs) {
    job.description.inputs.push_back(name);
    contents.push_back(read_input(file));
  }
  for (const std::string& file : job.description.files) {
    if (!job.inputs.empty()) break;
    job.description.inputs.push_back(input_name(file, job.description.inputs));
    contents.push_back(read_input(file));
  }
  std::error_code error;
  for (const std::string& file : job.beside) {
    if (!fs::exists(file, error)) continue;
    job.description.inputs.push_back(fs::path(file).filename().string());
    contents.push_back(read_input(file));
  }
  return supervised({}, terminal, [&](const std::stop_token& stop) {
    Job made = Job::create(job.directory, job.description, contents);
    try {
      const UnitRecord root = open_work(made, table, terminal)->divide(stop);
      made.keep(root);
      terminal.say(
          fmt::format("{}: {}", printable(job.directory), counted(root.left_open().size())));
      return 0;
    } catch (...) {  // there is no job then
      fs::remove_all(job.directory, error);
      throw;
    }
  });
}

Command split_command() {
  return {.name = "split",
          .usage = "FILE --out JOB [options]",
          .description =
              "Makes a job of a FILE: a directory of work units that any number of processes may\n"
              "solve, by wmi part, and whose results wmi join adds up.",
          .settings = split_settings(),
          .examples =
              "  wmi split problem.smt2 --parts 1000 --out job\n"
              "  wmi units job | parallel wmi part job --unit {} --budget 60\n  wmi join job\n",
          .run = run_split,
          .summary = "divides a problem into work units",
          .program = "wmi",
          .inputs = 1};
}

std::span<const JobCommand> wmi_job_commands() { return wmi_table; }

}  // namespace wmi::frontends
