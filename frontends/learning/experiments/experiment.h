#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// A statement and whether the results support it. `ciber reproduce` fails if an asserted claim
/// does not hold; the others are only reported.
struct Claim {
  std::string text;
  bool holds = false;
  bool asserted = true;
};

/// The results of an experiment: a section of the document, tables and pictures.
struct Findings {
  struct File {
    std::string name;
    std::string text;
  };
  std::string text;  // Markdown; pictures as ![words](NAME)
  std::vector<File> files;
  std::vector<Claim> claims;
};

/// The settings of an experiment.
struct Conditions {
  std::filesystem::path data;  // the folder of data sets
  std::filesystem::path out;   // where long experiments record what is done
  bool quick = false;          // fewer trials and splits of the same code
  std::uint64_t seed = 1;
  std::size_t splits = 0;         // of each UCI set; 0: the experiment's own number
  std::vector<std::string> sets;  // the UCI sets that are run, by name; empty: all
  unsigned threads = 1;           // results do not depend on it
  std::stop_token stop;
  std::function<void(std::string_view what, double share)> progress;  // from any thread

  /// Reports progress. Throws Stopped if a stop was requested.
  void report(std::string_view what, double share) const;
};

/// An experiment of the published method; each has a file in experiments/.
struct ExperimentEntry {
  std::string_view name;
  std::string_view title;
  bool needs_data;
  Findings (*run)(const Conditions& conditions);
};

/// The table of experiments, in the order of the document.
std::span<const ExperimentEntry> experiments();

Findings run_warm_up(const Conditions& conditions);
Findings run_linear(const Conditions& conditions);
Findings run_sigmoid(const Conditions& conditions);
Findings run_toy(const Conditions& conditions);
Findings run_uci_small(const Conditions& conditions);
Findings run_uci_samples(const Conditions& conditions);
Findings run_uci_large(const Conditions& conditions);
Findings run_cifar10_features(const Conditions& conditions);
Findings run_cifar10_resnet20(const Conditions& conditions);
Findings run_ablations(const Conditions& conditions);

}  // namespace wmi::frontends
