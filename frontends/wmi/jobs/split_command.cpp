#include "frontends/wmi/jobs/split_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "frontends/wmi/jobs/new_job.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<JobSubject> read_wmi_job(const Job& job, Terminal&);

constexpr JobCommand wmi_table[] = {{"split", read_wmi_job}};

constexpr std::string_view not_of_the_job[] = {"out", "parts", "config", "memory"};

std::span<const Setting> split_settings() {
  static const std::vector<Setting> table = [] {
    std::vector<Setting> result{
        {"out", "JOB", "", "the directory of the job, which is made"},
        {"parts", "N", "100", "about so many units", kind::Count{1, 10'000'000}},
        proof_setting,
    };
    for (const std::string_view name :
         {"enumerator", "integrator", "precision", "digits", "gap", "cap", "format"})
      result.push_back(*find(wmi_settings(), name));
    result.push_back(
        {"memory", "SIZE", "", "stop at a resident size in megabytes, or with a unit: 500M, 2G"});
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
    throw Error(message(job.file(0), unknown.where(), unknown.with_option("--format").what()));
  } catch (const Error& error) {
    throw Error(message(job.file(0), error.where(), error.what()));
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
  const Options options = read_options(settings);
  check_for_job(options);
  NewJob job{settings.text("out"), {}, siblings(settings.words()[0]), {}, options.limits};
  job.description.program = "wmi";
  job.description.command = "split";
  job.description.arguments = job_arguments(settings, split_settings(), not_of_the_job);
  job.description.files = settings.words();
  job.description.parts = settings.count("parts");
  return make_job(std::move(job), wmi_table, terminal);
}

}  // namespace

Command split_command() {
  return {.name = "split",
          .usage = "FILE --out JOB [options]",
          .description =
              "Makes a job of a FILE: a directory of work units that any number of processes may\n"
              "solve, by wmi part, and whose results wmi join adds up.",
          .settings = split_settings(),
          .examples =
              "  wmi split problem.smt2 --parts 1000 --out job\n"
              "  wmi units job | parallel wmi part job --unit {}\n  wmi join job\n",
          .run = run_split,
          .summary = "divides a problem into work units",
          .program = "wmi",
          .inputs = 1};
}

std::span<const JobCommand> wmi_job_commands() { return wmi_table; }

}  // namespace wmi::frontends
