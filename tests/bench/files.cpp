// The benchmark files of the data folder, whole processes with one thread: how many are answered, in
// how much processor time, against the stored seconds of a peer, and with how much memory. Without
// arguments the sets that take seconds; `files all` takes every set, with 60 seconds of processor
// time for each file, once exactly and, where that is not enough, once more with --digits 12; other
// arguments are the sets to take, such as `files random/nr9- road/`.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/bench/table.h"
#include "tests/frontends/reading.h"
#include "tests/process.h"
#include "tests/skipped.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

struct Outcome {
  bool answered = false;
  double seconds = 0, megabytes = 0;
};

double processor_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Runs wmi on a file, for a minute of processor time at most.
Outcome run(const std::string& program, const std::string& file,
            const std::vector<std::string>& options) {
  std::vector<std::string> words = {program, "--threads", "1"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(file);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Outcome result;
  int status = 0;
  rusage usage{};
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlimit minute{60, 60};
    if (setrlimit(RLIMIT_CPU, &minute) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
        freopen("/dev/null", "w", stderr) == nullptr)
      _exit(127);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  wait4(child, &status, 0, &usage);
  result.seconds = processor_seconds(usage);
  result.answered = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder,
                                            const std::string& prefix) {
  std::vector<std::filesystem::path> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(prefix)) result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = data_folder("wmi");
  if (!folder) return 0;
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const std::string program = program_path("wmi");
  const auto stored = nlohmann::json::parse(load(*folder / "answers.json").text).at("answers");
  struct Set {
    std::string folder, prefix;
    bool long_one;
  };
  const Set sets[] = {{"random", "nr2-", false},
                      {"random", "nr3-", false},
                      {"random", "nr4-", false},
                      {"random", "nr5-", false},
                      {"random", "nr6-", false},
                      {"random", "nr7-", true},
                      {"random", "nr8-", true},
                      {"random", "nr9-", true},
                      {"random", "nr10-", true},
                      {"kolb", "", false},
                      {"sequential", "", false},
                      {"dets", "", false},
                      {"road", "", true},
                      {"synthetic", "r3_b3_d4", true},
                      {"synthetic", "r3_b3_d5", true},
                      {"synthetic", "r3_b3_d6", true},
                      {"synthetic", "r3_b3_d7", true}};
  Table table("files", {"set", "files", "exact_in_60_s", "more_with_digits", "median_s",
                        "longest_s", "peer_over_ours_median", "most_megabytes"});
  Table each("each_file", {"file", "options", "answered", "seconds", "megabytes"});
  const std::string example = source_directory().string() + "/docs/examples/faith.smt2";
  std::vector<double> starts;
  for (int i = 0; i < 20; ++i) starts.push_back(run(program, example, {}).seconds);
  table.add({"a trivial file", 1., 1., 0., median(starts),
             *std::max_element(starts.begin(), starts.end()), "-", "-"});
  for (const Set& set : sets) {
    const std::string set_name = set.folder + "/" + set.prefix;
    if (wanted.empty() ? set.long_one
                       : wanted[0] != "all" && std::ranges::find(wanted, set_name) == wanted.end())
      continue;
    std::vector<double> times, ratios;
    double answered = 0, rounded = 0, longest = 0, memory = 0;
    std::size_t number = 0;
    for (const std::filesystem::path& file : files_of(*folder / set.folder, set.prefix)) {
      ++number;
      const auto measured = [&](const std::vector<std::string>& options) {
        const Outcome outcome = run(program, file, options);
        memory = std::max(memory, outcome.megabytes);
        each.add({file.filename().string(), options.empty() ? "" : options[0] + " " + options[1],
                  double(outcome.answered), outcome.seconds, outcome.megabytes});
        return outcome;
      };
      Outcome outcome = measured({});
      answered += outcome.answered;
      if (!outcome.answered) {
        outcome = measured({"--digits", "12"});
        rounded += outcome.answered;
      }
      times.push_back(outcome.seconds);
      longest = std::max(longest, outcome.seconds);
      const std::string name = set.folder + "/" + file.filename().string();
      if (stored.contains(name))
        ratios.push_back(stored.at(name).at("peer_seconds").get<double>() / outcome.seconds);
    }
    table.add({set_name, double(number), answered, rounded, median(times), longest,
               ratios.empty() ? Table::Entry("-") : Table::Entry(median(ratios)), memory});
  }
}
