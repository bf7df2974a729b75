#include "frontends/ciber/verify/verify_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "encoders/density.h"
#include "frontends/ciber/job_table.h"
#include "frontends/ciber/verify/verify_job.h"
#include "frontends/ciber/verify/verify_run.h"
#include "frontends/cli/usage_error.h"
#include "frontends/wmi/jobs/new_job.h"
#include "frontends/wmi/options.h"

namespace wmi::frontends {
namespace {

/// Options of wmi that make no sense here.
constexpr std::string_view left_out[] = {"write-smtlib", "format", "version", "pure"};

std::vector<Setting> verify_settings() {
  static const std::string law = [] {
    std::string text =
        "of all inputs, or of one: 'X_0=triangular(-1,0,1)'; always\n"
        "conditioned on the input region (default: uniform on it);\n"
        "laws: normal(SHARE), around the middle of each interval with\n"
        "SHARE times its half-width as deviation; of several,\n"
        "'X_0,X_1=normal([0,0],[[1,1/2],[1/2,1]])', or of all, from files:\n"
        "'normal(MEANS.csv, COVARIANCE.csv)'; [from, to]";
    for (const encoders::DensityEntry& entry : encoders::densities())
      text += fmt::format(", {}", entry.usage);
    return text;
  }();
  std::vector<Setting> result{
      {"law", "[X_I=]LAW", "", law, kind::Text{}, Repeat::list},
      {"free", "X_I,X_J,...", "",
       "only these inputs are random; all others stay at the midpoints\n"
       "of their intervals, or at --input"},
      {"input", "NUMBERS", "", "with --free: all inputs, in row-major order"},
      {"unknown", "NAME=LAW", "", "a weight that is random too: 'fc1.weight[0,3]=[-1,1]'",
       kind::Text{}, Repeat::list},
      {"width", "W", "",
       "of the bounds of each smooth layer (tanh, ...), between which answers\n"
       "then are: 1/1000 (default: as the layers say)"},
      {"plot", "OUT.svg", "",
       "draw the regions of the property over the two random inputs, with\n"
       "exact borders",
       kind::svg},
      {"vnncomp", "", "",
       "print the verdict alone, as the competitions want it: sat with a\n"
       "witness, unsat, unknown or timeout"},
  };
  result.insert(result.end(), std::begin(job_settings), std::end(job_settings));
  for (Setting setting : wmi_settings()) {
    if (std::ranges::find(left_out, setting.name) != std::end(left_out) ||
        find(result, setting.name) != nullptr)
      continue;
    setting.group = "wmi";
    result.push_back(setting);
  }
  return result;
}

VerifyRequest read_request(const Settings& settings, const std::vector<std::string>& words) {
  if (words.size() != 2)
    throw UsageError("name a network and a property: ciber verify NET PROPERTY.vnnlib");
  VerifyRequest result;
  result.network = words[0];
  result.property = words[1];
  result.arguments = {settings.texts("law"), settings.texts("unknown"), settings.text("free"),
                      settings.text("input"), settings.text("width")};
  result.competition = settings.flag("vnncomp");
  result.options = read_options(settings);
  result.options.files = {result.network};
  check(result.options);
  if (result.competition && (result.options.certificate || result.options.style.json))
    throw UsageError("--vnncomp: prints the verdict alone, without --json or --certificate");
  return result;
}

const std::vector<Setting>& settings_of_verify() {
  static const std::vector<Setting> result = verify_settings();
  return result;
}

int make_verify_job(const Settings& settings, Terminal& terminal) {
  const VerifyRequest request = read_request(settings, settings.words());
  check_for_job(request.options);
  if (request.competition) throw UsageError("--vnncomp: does not go with a job");
  NewJob job{settings.text("job"),
             {},
             {std::filesystem::path(request.network).replace_extension(".json").string()},
             {},
             request.options.limits};
  job.description.program = "ciber";
  job.description.command = "verify";
  job.description.arguments = job_arguments(settings, settings_of_verify(), not_of_a_job);
  job.description.files = settings.words();
  job.description.parts = settings.count("parts");
  job.description.remark = counterexamples_of(request);
  return make_job(std::move(job), ciber_job_commands(), terminal);
}

}  // namespace

std::unique_ptr<JobSubject> read_verify_job(const Job& job, Terminal&) {
  const JobDescription& description = job.description();
  const Settings settings("ciber verify", settings_of_verify(), description.arguments);
  return make_verify_subject(read_request(settings, description.files), job);
}

Command verify_command() {
  const std::vector<Setting>& settings = settings_of_verify();
  return {.name = "verify",
          .usage = "NET PROPERTY.vnnlib [options]",
          .description =
              "The probability that a network violates a property of the verification\n"
              "competitions (VNN-LIB 1.0, perhaps compressed): holds, violated (with a\n"
              "witness) or unknown. The property says where the network is unsafe, and inputs\n"
              "are uniform on the region that it gives them, unless they have another law.",
          .settings = settings,
          .examples =
              "  ciber verify net.onnx property.vnnlib\n"
              "  ciber verify net.onnx property.vnnlib --law 'X_0=gaussian(0,1)' --digits 6\n",
          .run =
              [](const Settings& given, Terminal& terminal) {
                if (given.given("job")) return make_verify_job(given, terminal);
                check_no_job(given);
                return verify(read_request(given, given.words()), terminal);
              },
          .summary = "how likely a network violates a VNN-LIB property",
          .notes =
              "The options of wmi hold as well: --gap, --digits, --timeout, --threads, --json,\n"
              "--certificate, --explain, ... wmi-check --network NET OUT checks a certificate; it\n"
              "reads networks in the safetensors form of docs/network.md alone.\n"};
}

}  // namespace wmi::frontends
