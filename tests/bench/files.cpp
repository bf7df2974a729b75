// The benchmark files of the data folder, whole processes with one thread: how many are answered,
// how fast, against the stored seconds of a peer, and with how much memory. Without arguments the
// sets that take seconds; `files all` takes every set, with 60 seconds for each file, once exactly
// and, where that is not enough, once more with --digits 12.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// Runs wmi on a file.
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
  result.seconds = seconds([&] {
    const pid_t child = fork();
    if (child == 0) {
      if (freopen("/dev/null", "w", stdout) == nullptr ||
          freopen("/dev/null", "w", stderr) == nullptr)
        _exit(127);
      execv(program.c_str(), arguments.data());
      _exit(127);
    }
    wait4(child, &status, 0, &usage);
  });
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

int main(int argc, char**) {
  const auto folder = data_folder("wmi");
  if (!folder) return 0;
  const bool all = argc > 1;
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
  const std::string example = source_directory().string() + "/docs/examples/faith.smt2";
  std::vector<double> starts;
  for (int i = 0; i < 20; ++i) starts.push_back(run(program, example, {}).seconds);
  table.add({"a trivial file", 1., 1., 0., median(starts),
             *std::max_element(starts.begin(), starts.end()), "-", "-"});
  for (const Set& set : sets) {
    if (set.long_one && !all) continue;
    std::vector<double> times, ratios;
    double answered = 0, rounded = 0, longest = 0, memory = 0;
    std::size_t number = 0;
    for (const std::filesystem::path& file : files_of(*folder / set.folder, set.prefix)) {
      ++number;
      Outcome outcome = run(program, file, {"--timeout", "60"});
      answered += outcome.answered;
      memory = std::max(memory, outcome.megabytes);
      if (!outcome.answered) {
        outcome = run(program, file, {"--timeout", "60", "--digits", "12"});
        rounded += outcome.answered;
        memory = std::max(memory, outcome.megabytes);
        if (!outcome.answered) std::printf("not answered: %s\n", file.filename().c_str());
      }
      times.push_back(outcome.seconds);
      longest = std::max(longest, outcome.seconds);
      const std::string name = set.folder + "/" + file.filename().string();
      if (stored.contains(name))
        ratios.push_back(stored.at(name).at("peer_seconds").get<double>() / outcome.seconds);
    }
    table.add({set.folder + "/" + set.prefix, double(number), answered, rounded, median(times),
               longest, ratios.empty() ? Table::Entry("-") : Table::Entry(median(ratios)), memory});
  }
}
