// ciber reproduce: the experiments of the published method, and one document of what they found.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <regex>

#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/outputs.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/data/directory_lock.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/markdown.h"
#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view document_title = "# What the published experiments give\n";

constexpr Setting settings_table[] = {
    {"data", "DIR", "", "the folder of data sets, for those that need it"},
    {"out", "DIR", "reproduction", "where tables, pictures and sections are kept"},
    {"quick", "", "", "fewer trials and splits: minutes instead of hours"},
    {"document", "FILE", "", "write all sections that are there as one document",
     kind::Output{{document_title}}},
    {"splits", "N", "", "of each UCI data set (default: 20 of small ones, 1 to 10 of large ones)",
     kind::Count{2, 1'000}},
    {"seed", "N", "1", "decides everything that is drawn", kind::Count{0}},
    {"threads", "N", "", "at once; the figures do not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
};

constexpr std::string_view examples =
    "  ciber reproduce warm-up\n"
    "  ciber reproduce linear --seed 7 --quick\n"
    "  ciber reproduce all --data data --out results --document results.md\n";

std::string names() {
  std::string text;
  for (const ExperimentEntry& entry : experiments())
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
  return text;
}

std::vector<const ExperimentEntry*> chosen(const Settings& settings) {
  std::vector<const ExperimentEntry*> result;
  for (const std::string& word : settings.words()) {
    bool found = false;
    for (const ExperimentEntry& entry : experiments())
      if (word == "all" || entry.name == word) {
        result.push_back(&entry);
        found = true;
      }
    if (!found)
      throw UsageError(fmt::format("reproduce: no '{}'; choose all or {}", word, names()));
  }
  if (result.empty()) throw UsageError("reproduce: name an experiment: all or " + names());
  return result;
}

/// The text of a file; empty if it does not exist.
std::string read_text(const fs::path& path) {
  return fs::exists(path) ? read_file(path.string()) : "";
}

/// The first line of a section, which identifies what it was made with.
std::string mark(const Conditions& conditions) {
  return fmt::format("<!-- seed {}{}{} -->\n", conditions.seed, conditions.quick ? ", quick" : "",
                     conditions.splits > 0 ? fmt::format(", {} splits", conditions.splits) : "");
}

std::string section(const ExperimentEntry& entry, const Conditions& conditions,
                    const Findings& findings, double seconds) {
  std::string text = mark(conditions);
  text += fmt::format("## {}: {}\n\n", entry.name, entry.title);
  text += fmt::format(
      "`ciber reproduce {}{} --seed {}{}{}`, {:.0f} s\n\n", entry.name,
      entry.needs_data ? " --data DIR" : "", conditions.seed, conditions.quick ? " --quick" : "",
      conditions.splits > 0 ? fmt::format(" --splits {}", conditions.splits) : "", seconds);
  text += findings.text;
  if (!findings.claims.empty()) text += "\n";
  for (const Claim& claim : findings.claims)
    text += fmt::format("- {}{}: {}\n", claim.holds ? "**holds**" : "**does not hold**",
                        claim.asserted ? "" : " (observed)", claim.text);
  return text;
}

/// Runs an experiment and writes all its files, the section last. Returns false if it was stopped.
bool run_one(const ExperimentEntry& entry, Conditions conditions, Terminal& terminal,
             bool& all_hold) {
  const fs::path file = conditions.out / (std::string(entry.name) + ".md");
  if (fs::exists(file) && read_text(file).starts_with(mark(conditions))) {
    terminal.say(fmt::format("{}: is done already, in {}", entry.name, file.string()));
    return true;
  }
  std::mutex mutex;
  std::string state = std::string(entry.name);
  conditions.progress = [&](std::string_view what, double share) {
    const std::lock_guard lock(mutex);
    state = fmt::format("{}: {}, {:.0f} %", entry.name, what, 100 * share);
  };
  Findings findings;
  const auto start = std::chrono::steady_clock::now();
  const bool finished = supervised(
      terminal, conditions.threads,
      [&](const std::stop_token& stop) {
        conditions.stop = stop;
        findings = entry.run(conditions);
      },
      [&] {
        const std::lock_guard lock(mutex);
        return state;
      },
      [&](std::string_view reason) {
        return fmt::format("stopped by {} in {}; the same command goes on", reason, entry.name);
      });
  if (!finished) return false;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  for (const Findings::File& each : findings.files)
    save((conditions.out / each.name).string(), each.text);
  save(file.string(), section(entry, conditions, findings, elapsed.count()));
  terminal.print(fmt::format("{} ({:.0f} s): {}\n", entry.name, elapsed.count(), file.string()));
  for (const Claim& claim : findings.claims) {
    terminal.print(fmt::format("  {}: {}\n", claim.holds ? "holds" : "does not hold", claim.text));
    all_hold = all_hold && (claim.holds || !claim.asserted);
  }
  return true;
}

constexpr std::string_view introduction =
    R"(
Generated by `ciber reproduce all --data DIR --out docs/results --document docs/results.md`; every
figure is from the command above it. Each experiment can be stopped, and the same command continues
it. Times are wall times on two cores of a machine with other work; for an experiment that was
stopped, the time of its last call. The published method is CIBER (Zeng and Van den Broeck,
*Collapsed Inference for Bayesian Deep Learning*, NeurIPS 2023); "paper" in a table is a figure
quoted from it.

The rules were fixed before the runs. Nothing sees a test row before it is scored: inputs and
outcomes are standardised on training rows, recipes are chosen on a validation part of the training
rows, and everything that is not chosen there (lambda = .3, temperature 1, the rule of the boxes,
numbers of samples) is the same for every data set. All methods of a table use the same trainings
and the same rows. Log likelihoods are those of the Gaussian likelihood without a floor unless a
line says otherwise. Each section ends with claims; the command fails if one does not hold, except
for those marked as observed.

)";

constexpr std::string_view unrun =
    R"(## What was not run

| experiment | why | command for it, with more time or larger hardware |
|---|---|---|
| CIFAR-100 and STL-10, VGG-16, PreResNet-164, WideResNet, 300 epochs | no such data here, and weeks of two cores | export checkpoints as a run directory (docs/run-directory.md), then `ciber evaluate RUN --data FILE` |
| uci-large: folds 4 to 10 of protein, 2 to 10 of the KEGG sets | hours of two cores | `ciber reproduce uci-large --data DIR --splits 10` |
| uci-large: layers of 1000 and 500 units, 200 epochs | days of two cores | `ciber evaluate DIR/uci_large/pol --recipe boston --hidden 1000,1000,500,50,2 --epochs 200 --out pol`, likewise for the others |
| uci-small: `all` on naval, 20 splits | hours of two cores | `ciber evaluate DIR/uci_small/naval-propulsion-plant --methods average,all --out naval` |
| uci-samples: ensembles of more than five trainings | eight times as long | `ciber evaluate DIR/uci_small/bostonHousing --methods average,ensemble --trajectories 40 --out boston` |
)";

/// All finished sections in the order of the table, with the paths of pictures relative to the
/// document, and then `conclusions.md`, which is written by hand.
std::string document(const fs::path& out, const fs::path& file) {
  std::string text = std::string(document_title) + std::string(introduction), missing;
  const std::string place =
      fs::relative(out, file.parent_path().empty() ? "." : file.parent_path()).generic_string();
  for (const ExperimentEntry& entry : experiments()) {
    const fs::path part = out / (std::string(entry.name) + ".md");
    if (!fs::exists(part)) {
      missing +=
          fmt::format("| {}: {} | not run to its end | `ciber reproduce {}{}` |\n", entry.name,
                      entry.title, entry.name, entry.needs_data ? " --data DIR" : "");
      continue;
    }
    const std::string body = read_text(part);
    text += std::regex_replace(body.substr(body.find('\n') + 1),
                               std::regex(R"(\]\(([^):]+\.svg)\))"), "](" + place + "/$1)");
    text += "\n";
  }
  const fs::path concluded = out / "conclusions.md";
  if (fs::exists(concluded)) text += read_text(concluded) + "\n";
  return wrapped(text + std::string(unrun) + missing);
}

int reproduce(const Settings& settings, Terminal& terminal) {
  const std::vector<const ExperimentEntry*> entries = chosen(settings);
  Conditions conditions;
  conditions.data = settings.text("data");
  conditions.out = settings.text("out");
  conditions.quick = settings.flag("quick");
  conditions.seed = settings.count("seed");
  if (settings.given("splits")) conditions.splits = settings.count("splits");
  conditions.threads = thread_count(settings);
  for (const ExperimentEntry* entry : entries)
    if (entry->needs_data && !settings.has("data") && settings.words()[0] != "all")
      throw UsageError(fmt::format("--data: {} needs the folder of data sets", entry->name));
  const DirectoryLock lock(conditions.out.string());
  bool all_hold = true;
  for (const ExperimentEntry* entry : entries) {
    if (entry->needs_data && !settings.has("data")) {
      terminal.say(fmt::format("{}: left out; it needs --data", entry->name));
      continue;
    }
    if (!run_one(*entry, conditions, terminal, all_hold)) return 3;
  }
  if (settings.has("document"))
    save_result(settings.text("document"), document(conditions.out, settings.text("document")));
  return all_hold ? 0 : 1;
}

}  // namespace

Command reproduce_command() {
  return {"reproduce",
          "NAME... | all",
          "Runs the experiments of the published method: tables, pictures, and what they show.",
          settings_table,
          examples,
          reproduce};
}

}  // namespace wmi::frontends
