// ciber encode RUN: the problem of each collapsed sample at one input as an SMT-LIB file.

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/write_file.h"
#include "frontends/formats/format.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/predictor.h"
#include "frontends/learning/sample_formula.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting encode_settings[] = {
    {"data", "FILE", "", "a table with the row (default: the rows that were trained on)"},
    {"row", "N", "0", "which of its rows, from 0 on"},
    {"input", "VALUES", "", "the input itself instead, in the order of its columns: 3.5,red"},
    {"at", "Y", "", "the outcome whose density is asked (default: the table's, if it is there)",
     kind::Number{-1e300, 1e300}},
    {"forward", "NAME", "float", "of the sampled layers: float (32 bits), exact (rational numbers)",
     kind::OneOf{"float|exact"}},
    {"out", "DIR", "", "where the files go: 000.smt2, one for each sample"},
    {"overwrite", "", "", "replace files of these names, even if they are no earlier results"},
};

constexpr std::string_view examples =
    "  ciber encode houses.run --data houses.csv --row 7 --partition second:3 --out formulas\n"
    "  wmi formulas/000.smt2\n";

/// Of an earlier result.
constexpr std::array<std::string_view, 1> beginnings = {"; sample "};

int run_encode(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1) throw UsageError("name a run directory: ciber encode RUN");
  if (!settings.has("out")) throw UsageError("--out: name the directory for the files");
  const Predictor predictor = read_predictor(settings.words()[0], settings);
  if (!predictor.run.observation.regression())
    throw Error(
        "the likelihood of classes is no polynomial; ciber encode NET.safetensors writes "
        "other questions");
  if (predictor.run.standardisation.target_transform != bnn::TargetTransform::none)
    throw Error("formulas are of targets without a transform (--target-transform)");
  if (predictor.options.epsilon > 0)
    throw UsageError("--likelihood smoothed: is no formula; take triangular");
  const bool exact = settings.text("forward") == "exact";
  const Rows row = read_named_row(predictor, settings);
  std::optional<Rational> y;
  if (settings.has("at"))
    y = Rational(settings.number("at"));
  else if (!row.outcomes.empty())
    y = Rational(row.outcomes[0]);
  const std::vector<bnn::Activations> found = forward(predictor, row.inputs);
  const std::filesystem::path folder = settings.text("out");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: {}", one_line(settings.text("out")), error.message()));
  for (std::size_t i = 0; i < predictor.samples.size(); ++i) {
    const Task task = sample_formula(
        predictor, i, exact_activations(predictor, i, row.inputs, found, 0, exact), y);
    std::string text = fmt::format("; sample {} of {}: the outcome's mean{}\n", i,
                                   one_line(settings.words()[0]), y ? " and density" : "");
    for (const std::string& line : predictor.assumptions)
      if (!line.starts_with("likelihood")) text += "; exact with respect to " + line + "\n";
    text +=
        fmt::format("; exact with respect to likelihood: triangular of {} standard deviations\n",
                    predictor.options.noise.alpha);
    text += write_smtlib({task});
    const std::string file = (folder / fmt::format("{:03}.smt2", i)).string();
    check_output(file, beginnings, settings.flag("overwrite"));
    save(file, text);
  }
  terminal.print(fmt::format("{}: {} files, one for each sample\n", one_line(settings.text("out")),
                             predictor.samples.size()));
  return 0;
}

}  // namespace

Command encode_command() {
  return {"encode",
          "RUN [--data FILE.csv] --row N --out DIR [options]",
          "Writes the problem of each collapsed sample at one input as an SMT-LIB file: network,\n"
          "posterior box, triangular likelihood. wmi FILE answers it; the mean over the files is\n"
          "what ciber predict --via wmi says.",
          with_prediction_settings(encode_settings),
          examples,
          run_encode};
}

}  // namespace wmi::frontends
