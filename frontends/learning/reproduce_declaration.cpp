// The command line of `ciber reproduce`, apart from what it runs: the manual page and the completion
// of ciber have it without LibTorch.

#include "frontends/learning/commands.h"

namespace wmi::frontends {
namespace {

constexpr Setting settings_table[] = {
    {"data", "DIR", "", "the folder of data sets, for those that need it"},
    {"out", "DIR", "reproduction", "where tables, pictures and sections are kept"},
    {"quick", "", "", "fewer trials and splits: minutes instead of hours"},
    {"document", "FILE", "", "write all sections that are there as one document",
     kind::Output{{reproduction_title}}},
    {"splits", "N", "", "of each UCI data set (default: 20 of small ones, 3 or 10 of large ones)",
     kind::Count{2, 1'000}},
    {"sets", "NAMES", "", "of the UCI data sets, those to run: pol,protein (default: all)"},
    {"seed", "N", "1", "decides everything that is drawn", kind::Count{0}},
    {"threads", "N", "", "at once; the figures do not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
};

constexpr std::string_view examples =
    "  ciber reproduce warm-up\n"
    "  ciber reproduce linear --seed 7 --quick\n"
    "  ciber reproduce all --data data --out results --document results.md\n";

}  // namespace

Command reproduce_declaration() {
  return {"reproduce", "NAME... | all",
          "Runs the experiments of the published method: tables, pictures, and what they show.",
          settings_table, examples};
}

}  // namespace wmi::frontends
