#include "frontends/ciber/network_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "encoders/density.h"
#include "frontends/ciber/embedded_problem.h"
#include "frontends/ciber/job_table.h"
#include "frontends/ciber/network_query.h"
#include "frontends/ciber/noted_network.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/networks/onnx/network_file.h"
#include "frontends/wmi/answer_files.h"
#include "frontends/wmi/jobs/new_job.h"
#include "frontends/wmi/options.h"

namespace wmi::frontends {
namespace {

/// The settings of both commands that are about the network.
std::vector<Setting> network_settings() {
  static const std::string unknown = [] {
    std::string text =
        "an entry that is not a number: 'fc2.weight[0,3]=[-1,1]',\n"
        "'fc2.bias[0]=triangular(-1,0,1)', 'input[1]=gaussian(0,1/2)'; laws:\n"
        "[from, to]";
    for (const encoders::DensityEntry& entry : encoders::densities())
      text += fmt::format(", {}", entry.usage);
    return text +
           "; of\n"
           "several: 'fc2.weight[0,0..1]=normal([0,0],[[1,1/2],[1/2,1]])',\n"
           "means and covariance, or normal(MEANS.csv, COVARIANCE.csv)";
  }();
  std::vector<Setting> result{
      {"input", "NUMBERS", "", "the input, in row-major order: 1,0.5 (default: all 0)"},
      {"unknown", "NAME=LAW", "", unknown, kind::Text{}, Repeat::list},
      {"likelihood", "LAW", "",
       "of an outcome y around the first output: triangular(RADIUS);\n"
       "cubic(REACH): of a class, by a cubic sigmoid; ask --class"},
      {"output", "NAME", "", "asks about this one: out[0], y, a unit (default: all outputs, or y)",
       kind::Text{}, Repeat::list},
      {"given", "EVENT", "", "conditions all questions"},
      {"width", "W", "",
       "of the bounds of each smooth layer (tanh, ...), between which answers\n"
       "then are: 1/1000 (default: as the layers say)"},
  };
  for (const QuestionEntry& entry : question_table())
    result.push_back(
        {entry.name, entry.argument, "", entry.description, kind::Text{}, Repeat::list});
  return result;
}

/// With the options of wmi, but for those that make no sense with a network and those that the
/// table has itself.
std::vector<Setting> with_options_of_wmi(std::vector<Setting> settings) {
  for (Setting setting : wmi_settings()) {
    if (setting.name == "write-smtlib" || setting.name == "format" || setting.name == "version" ||
        find(settings, setting.name) != nullptr)
      continue;
    setting.group = "wmi";
    settings.push_back(setting);
  }
  return settings;
}

NetworkQuery read_query(const Settings& settings) {
  NetworkQuery asked;
  asked.input = settings.text("input");
  asked.unknowns = settings.texts("unknown");
  asked.likelihood = settings.text("likelihood");
  asked.outputs = settings.texts("output");
  asked.given = settings.text("given");
  asked.width = settings.text("width");
  for (const auto& [name, value] : settings.occurrences()) {
    const auto entry = std::ranges::find(question_table(), name, &QuestionEntry::name);
    if (entry != question_table().end())
      asked.questions.emplace_back(name, entry->argument.empty() ? "" : value);
  }
  return asked;
}

EmbeddedScript embedded_script(const std::string& file, const encoders::Network& network,
                               const NetworkQuery& asked) {
  const EmbeddedProblem problem = embedded_problem(network, asked);
  std::ostringstream head;
  problem.write(head);
  return {head.str(), read_smtlib({file, problem.text()})};
}

int answer_query(const NetworkQuery& asked, const Options& options, Terminal& terminal) {
  check(options);
  return answer(
      options, terminal,
      [&](const std::string& file) {
        return Script{make_task(read_noted_network(file, terminal), asked)};
      },
      [&](const std::string& file) {
        return embedded_script(file, read_noted_network(file, terminal), asked);
      });
}

const std::vector<Setting>& query_settings() {
  static const std::vector<Setting> result = [] {
    std::vector<Setting> table = network_settings();
    table.insert(table.end(), std::begin(job_settings), std::end(job_settings));
    return with_options_of_wmi(std::move(table));
  }();
  return result;
}

NetworkQuery read_questions(const Settings& settings) {
  NetworkQuery asked = read_query(settings);
  if (asked.questions.empty())
    asked.questions.emplace_back(asked.likelihood.starts_with("cubic") ? "class" : "mean", "");
  return asked;
}

int make_query_job(const Settings& settings, Terminal& terminal) {
  const Options options = read_options(settings);
  check(options);
  check_for_job(options);
  if (settings.words().size() != 1) throw UsageError("--job: is about one network");
  const std::string& network = settings.words()[0];
  NewJob job{settings.text("job"),
             {},
             {std::filesystem::path(network).replace_extension(".json").string()},
             {},
             options.limits};
  job.description.program = "ciber";
  job.description.command = "query";
  job.description.arguments = job_arguments(settings, query_settings(), not_of_a_job);
  job.description.files = settings.words();
  job.description.parts = settings.count("parts");
  return make_job(std::move(job), ciber_job_commands(), terminal);
}

constexpr std::string_view notes =
    "The options of wmi hold as well: --json, --digits, --threads, --timeout, --plot, ...\n";

}  // namespace

std::unique_ptr<JobSubject> read_query_job(const Job& job, Terminal&) {
  const JobDescription& description = job.description();
  const std::string& file = job.file(0);
  const Settings settings("ciber query", query_settings(), description.arguments);
  Options options = read_options(settings);
  options.files = description.files;
  try {
    onnx::ReadNetwork read = read_any_network(job.input(0).string());
    std::vector<std::string> said;
    for (const std::string& note : read.notes)
      said.push_back(printable(file) + ": note: " + one_line(note));
    const NetworkQuery asked = read_questions(settings);
    Script script{make_task(read.network, asked)};
    return std::make_unique<ScriptSubject>(std::move(script), std::move(options), std::move(said),
                                           [file, asked, network = std::move(read.network)] {
                                             return embedded_script(file, network, asked);
                                           });
  } catch (const Error& error) {
    throw Error(message(file, error.where(), error.what()));
  }
}

Command query_network_command() {
  const std::vector<Setting>& settings = query_settings();
  return {.name = "query",
          .usage = "NET [options]",
          .description =
              "Answers questions about a partly unknown network, NET.safetensors or NET.onnx:\n"
              "exactly, or, with smooth layers, by an enclosure that certainly holds the true\n"
              "answer.",
          .settings = settings,
          .examples =
              "  ciber query net.safetensors --input 1,0.5 --unknown 'fc2.bias[0]=[-1,1]' "
              "--mean\n",
          .run =
              [](const Settings& given, Terminal& terminal) {
                if (given.given("job")) return make_query_job(given, terminal);
                check_no_job(given);
                return answer_query(read_questions(given), read_options(given), terminal);
              },
          .summary = "answers questions about a partly unknown network",
          .notes = notes};
}

Command encode_network_command() {
  static const std::vector<Setting> settings = [] {
    std::vector<Setting> table = network_settings();
    table.push_back(
        {"out", "FILE", "", "where to (default: standard output)", kind::Output{{written_by_wmi}}});
    table.push_back({"pure", "", "", "without weights and questions, for other solvers"});
    return with_options_of_wmi(std::move(table));
  }();
  return {.name = "encode",
          .usage = "NET [options]",
          .description =
              "Writes the problem of a partly unknown network as an SMT-LIB file.\n"
              "Of a run directory: see ciber encode RUN --help.",
          .settings = settings,
          .run =
              [](const Settings& given, Terminal& terminal) {
                Options options = read_options(given);
                options.write_smtlib = given.has("out") ? given.text("out") : "-";
                return answer_query(read_query(given), options, terminal);
              },
          .summary = "writes such a network as an SMT-LIB file",
          .notes = notes};
}

}  // namespace wmi::frontends
