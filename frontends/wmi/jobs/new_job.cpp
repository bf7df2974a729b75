#include "frontends/wmi/jobs/new_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/wmi/jobs/job_draft.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// A name that no other input has.
std::string input_name(const std::string& file, const std::vector<std::string>& taken) {
  std::string name = fs::path(file).filename().string();
  if (name.empty() || name == "-" || name.starts_with('.')) name = "input" + name;
  while (std::ranges::find(taken, name) != taken.end()) name = "_" + name;
  return name;
}

std::string contents_of(const std::string& file) {
  try {
    return read_input(file);
  } catch (const Error& error) {
    throw Error(message(file, error.where(), error.what()));
  }
}

/// Fills in the inputs of the job's description. Returns their contents.
std::vector<std::string> read_inputs(NewJob& job) {
  std::vector<std::string>& names = job.description.inputs;
  std::vector<std::string> contents;
  for (const auto& [name, file] : job.inputs) {
    names.push_back(name);
    contents.push_back(contents_of(file));
  }
  if (!job.inputs.empty()) return contents;
  for (const std::string& file : job.description.files) {
    names.push_back(input_name(file, names));
    contents.push_back(contents_of(file));
  }
  std::error_code error;
  for (const std::string& file : job.beside) {
    if (!fs::exists(file, error)) continue;
    names.push_back(input_name(file, {}));
    contents.push_back(contents_of(file));
  }
  return contents;
}

/// What is said of a job with so many units.
std::string made(const std::string& directory, std::size_t units) {
  const std::string name = printable(directory);
  if (units == 0) return name + ": 0 units; all is answered, join it";
  return fmt::format("{}: {} unit{}", name, units, units == 1 ? "" : "s");
}

}  // namespace

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

void check_no_job(const Settings& settings) {
  if (settings.flag("proof"))
    throw UsageError("--proof: needs --job DIR; without it, see --certificate OUT");
}

int make_job(NewJob job, std::span<const JobCommand> table, Terminal& terminal) {
  const std::vector<std::string> contents = read_inputs(job);
  const auto make = [&](const std::stop_token& stop) {
    JobDraft draft(job.directory, job.description, contents);
    const UnitRecord root = open_work(draft.job(), table, terminal)->divide(stop);
    draft.keep(root);
    terminal.say(made(job.directory, root.left_open().size()));
  };
  const auto stopped = [](std::string_view reason) {
    return fmt::format("stopped by {}; no job is made", reason);
  };
  return supervised(terminal, 1, make, {}, stopped, job.limits) ? 0 : 3;
}

}  // namespace wmi::frontends
