// ciber predict: laws of outcomes for the rows of a table, or for one input.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "bnn/numeric/parallel.h"
#include "bnn/predictive/certified_predictive.h"
#include "bnn/predictive/classes.h"
#include "bnn/predictive/formulas.h"
#include "bnn/predictive/predictive.h"
#include "bnn/torch/forward.h"
#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/networks/json_writer.h"
#include "frontends/wmi/options.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting predict_settings[] = {
    {"input", "VALUES", "", "one input instead of a table, in the order of its columns: 3.5,red"},
    {"intervals", "LEVELS", "0.5,0.9,0.95", "central intervals of these probabilities"},
    {"at", "Y", "", "the outcome whose density is asked (default: the table's, if it is there)"},
    {"above", "C", "", "also the probability that the outcome is above C"},
    {"digits", "N", "",
     "certified answers of N digits: an interval that holds the true value, for each"},
    {"via", "NAME", "law",
     "law: the law of the outcome; wmi: a formula for each input and sample, solved exactly "
     "(--likelihood triangular, few weights)"},
    {"enumerator", "NAME", "split", "of --via wmi: split, z3"},
    {"integrator", "NAME", "auto", "of --via wmi: auto, triangulation, face-lattice, mpfr"},
    {"forward", "NAME", "float",
     "of the sampled layers: float (32 bits), exact (rational numbers, with --digits or --via "
     "wmi)"},
    {"largest", "", "", "of classes: the probability that an output is the largest, too"},
    {"json", "", "", "one JSON object for each row"},
    {"out", "FILE", "", "write there instead of to the standard output"},
};

constexpr std::string_view examples =
    "  ciber predict houses.run new.csv --intervals 0.9 --out predictions.csv\n"
    "  ciber predict houses.run --input 0.02,0,7.1,0,0.5 --above 30\n"
    "  ciber predict houses.run new.csv --partition last:2 --likelihood triangular --posterior \\\n"
    "      minmax --via wmi --at 21 --json\n";

std::vector<double> read_levels(const Settings& settings) {
  std::vector<double> result;
  const std::string& text = settings.text("intervals");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    double level = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + comma, level);
    if (error != std::errc() || stop != text.data() + comma || !(level > 0 && level < 1))
      throw UsageError(fmt::format(
          "--intervals: '{}' is no list of probabilities between 0 and 1, such as 0.5,0.9",
          one_line(text)));
    result.push_back(level);
    at = comma + 1;
  }
  return result;
}

/// One number of an answer, or an interval that holds it.
struct Figure {
  std::string name;
  double value = 0;
  std::optional<Interval> bounds;  // certified
  std::string exact;               // the fraction, where it is one and short
  int shown = 17;                  // digits of the bounds
};

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

struct Questions {
  std::vector<double> levels;
  std::optional<double> at, above;
  std::optional<unsigned> digits;
  bool formulas = false;
  bool exact_forward = false;
  bool largest = false;
  bool authors = false;  // classes by the authors' formula
  std::unique_ptr<Enumerator> enumerator;
  std::unique_ptr<Integrator> integrator;
};

template <class Entry>
const Entry& find_entry(std::span<const Entry> table, const Settings& settings,
                        std::string_view name) {
  std::vector<std::string_view> names;
  for (const Entry& entry : table) names.push_back(entry.name);
  const std::string chosen = settings.choice(name, names);
  return *std::ranges::find(table, chosen, &Entry::name);
}

Questions read_questions(const Settings& settings, const Predictor& predictor) {
  Questions result;
  result.levels = read_levels(settings);
  if (settings.has("at")) result.at = settings.number("at", -1e300, 1e300);
  if (settings.has("above")) result.above = settings.number("above", -1e300, 1e300);
  if (settings.has("digits"))
    result.digits = static_cast<unsigned>(settings.count("digits", 1, 1000));
  result.formulas =
      settings.choice("via", std::to_array<std::string_view>({"law", "wmi"})) == "wmi";
  result.exact_forward =
      settings.choice("forward", std::to_array<std::string_view>({"float", "exact"})) == "exact";
  result.largest = settings.flag("largest");
  result.authors = settings.has("variant");
  const bool regression = predictor.run.observation.regression();
  if (result.exact_forward && !result.digits && !result.formulas)
    throw UsageError("--forward exact: goes with --digits N or --via wmi");
  if (regression && result.largest) throw UsageError("--largest: is about classes");
  if (!regression && result.formulas)
    throw UsageError("--via wmi: is about numbers; ciber query asks about classes");
  if (!regression && (result.at || result.above))
    throw UsageError("--at and --above: are about numbers, and the target has classes");
  if (result.formulas && (predictor.options.noise.kind != bnn::OutcomeNoise::Kind::triangular ||
                          predictor.options.epsilon > 0))
    throw UsageError("--via wmi: weights of formulas are polynomials; --likelihood triangular");
  result.enumerator = find_entry(enumerators(), settings, "enumerator").make();
  result.integrator = find_entry(integrators(), settings, "integrator").make({});
  return result;
}

/// The double nearest to a number; get_d cuts digits off.
double nearest(const Rational& number) {
  const std::string text = decimal(number, 40);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Figure certified(const std::string& name, const Interval& bounds, unsigned digits = 15) {
  Figure result{name, nearest(bounds.midpoint()), bounds, "",
                std::max(17, static_cast<int>(digits) + 2)};
  if (bounds.exact() && to_string(bounds.lower).size() <= 200)
    result.exact = to_string(bounds.lower);
  return result;
}

/// Its square, the variance, is a double.
constexpr double largest_noise = 1e150;

/// What is known of one row.
class Answerer {
 public:
  /// `first` is the number of the first of these inputs, for messages.
  Answerer(const Predictor& predictor, const Questions& questions, bnn::Matrix inputs,
           std::size_t first)
      : predictor_(predictor),
        questions_(questions),
        first_(first),
        inputs_(std::move(inputs)),
        found_(bnn::activations(predictor.run.network, predictor.samples, predictor.collapsed,
                                inputs_)) {}

  /// What is known of a row; where the answer's error is an estimate, it is left in `error`.
  std::vector<Figure> answer(std::size_t row, std::optional<double> outcome, double& error) const {
    if (questions_.at) outcome = questions_.at;
    const bnn::InputComponents made = bnn::components_at(predictor_.collapsed, found_, row);
    for (const auto& sample : made)
      if (predictor_.run.observation.regression() && !(sample[0].noise <= largest_noise))
        throw Error(fmt::format(
            "row {}: the variance of the outcome overflows; the input is too far away from the "
            "training rows",
            first_ + row));
    if (predictor_.run.observation.regression() && questions_.formulas)
      return through_formulas(row, outcome);
    if (!predictor_.run.observation.regression()) return classes(made, row, outcome);
    std::vector<bnn::OutputLaw<double>> mixture;
    for (const auto& sample : made) mixture.push_back(sample[0]);
    const bnn::Predictive law(mixture, predictor_.options, predictor_.run.standardisation);
    if (questions_.digits) return certified_numbers(law, row, outcome);
    error = law.estimated_error();
    std::vector<Figure> result{{"mean", law.mean(), {}, ""},
                               {"deviation", law.deviation(), {}, ""}};
    for (const double level : questions_.levels) {
      result.push_back({fmt::format("low_{}", level), law.quantile((1 - level) / 2), {}, ""});
      result.push_back({fmt::format("high_{}", level), law.quantile((1 + level) / 2), {}, ""});
    }
    if (questions_.above) result.push_back({"above", 1 - law.cdf(*questions_.above), {}, ""});
    if (outcome) {
      result.push_back({"outcome", *outcome, {}, ""});
      result.push_back({"log_density", law.log_density(*outcome), {}, ""});
      result.push_back({"cdf", law.cdf(*outcome), {}, ""});
      result.push_back({"crps", law.crps(*outcome), {}, ""});
    }
    return result;
  }

 private:
  /// The activations of a sample, as exact numbers.
  bnn::ExactActivations activations(std::size_t sample, std::size_t row) const {
    if (questions_.exact_forward) {
      const bool plain = predictor_.collapsed[sample].kind == bnn::CollapsedSample::Kind::none;
      std::vector<Rational> numbers;
      for (const double value : inputs_.row(row)) numbers.emplace_back(value);
      return bnn::exact_forward(predictor_.run.network, predictor_.samples[sample], numbers,
                                plain ? "" : predictor_.collapsed[sample].layer);
    }
    bnn::ExactActivations result;
    if (found_[sample].entering.rows() > 0)
      for (const double value : found_[sample].entering.row(row))
        result.entering.emplace_back(value);
    for (const double value : found_[sample].outputs.row(row)) result.outputs.emplace_back(value);
    return result;
  }

  std::vector<std::vector<bnn::OutputLaw<Rational>>> exact_components(std::size_t row) const {
    std::vector<std::vector<bnn::OutputLaw<Rational>>> result;
    for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
      const bnn::ExactActivations found = activations(i, row);
      result.push_back(bnn::components(predictor_.collapsed[i],
                                       std::span<const Rational>(found.entering),
                                       std::span<const Rational>(found.outputs)));
    }
    return result;
  }

  std::vector<Figure> certified_numbers(const bnn::Predictive& guess, std::size_t row,
                                        std::optional<double> outcome) const {
    std::vector<bnn::OutputLaw<Rational>> mixture;
    for (const auto& sample : exact_components(row)) mixture.push_back(sample[0]);
    const bnn::CertifiedPredictive law(mixture, predictor_.options.noise,
                                       predictor_.run.standardisation,
                                       Rational(predictor_.options.floor));
    const unsigned digits = *questions_.digits;
    std::vector<Figure> result{certified("mean", law.mean()),
                               certified("variance", law.variance())};
    for (const double level : questions_.levels)
      for (const int side : {-1, 1}) {
        const double p = (1 + side * level) / 2;
        result.push_back(certified(fmt::format("{}_{}", side < 0 ? "low" : "high", level),
                                   law.quantile(Rational(p), Rational(guess.quantile(p)), digits),
                                   digits));
      }
    if (questions_.above)
      result.push_back(
          certified("above", Interval(1) - law.cdf(Rational(*questions_.above), digits), digits));
    if (outcome) {
      const Rational y(*outcome);
      result.push_back({"outcome", *outcome, {}, ""});
      result.push_back(certified("density", law.density(y, digits), digits));
      if (const auto log = law.log_density(y, digits))
        result.push_back(certified("log_density", *log, digits));
      else
        result.push_back({"log_density", -INFINITY, {}, ""});
      result.push_back(certified("cdf", law.cdf(y, digits), digits));
    }
    return result;
  }

  std::vector<Figure> through_formulas(std::size_t row, std::optional<double> outcome) const {
    Interval mean(0), density(0);
    std::size_t cells = 0;
    const Rational share = ratio(1, Integer(predictor_.samples.size()));
    for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
      const bnn::ExactActivations found = activations(i, row);
      const double noise =
          bnn::components(predictor_.collapsed[i], std::span<const Rational>(found.entering),
                          std::span<const Rational>(found.outputs))[0]
              .noise;
      const Task task = bnn::sample_task(
          bnn::encode_sample(predictor_.run.network, predictor_.samples[i], predictor_.collapsed[i],
                             found.entering, found.outputs,
                             Rational(predictor_.options.noise.alpha * noise)),
          predictor_.run.standardisation,
          outcome ? std::optional(Rational(*outcome)) : std::nullopt);
      const bnn::FormulaAnswer answer =
          bnn::solve_sample(task, *questions_.enumerator, *questions_.integrator);
      mean += answer.mean * Interval(share);
      if (answer.density) density += *answer.density * Interval(share);
      cells += answer.cells;
    }
    std::vector<Figure> result{certified("mean", mean)};
    if (outcome) {
      const Rational floor(predictor_.options.floor);
      result.push_back({"outcome", *outcome, {}, ""});
      result.push_back(
          certified("density", {std::max(density.lower, floor), std::max(density.upper, floor)}));
    }
    result.push_back({"cells", static_cast<double>(cells), {}, ""});
    return result;
  }

  std::vector<Figure> classes(const bnn::InputComponents& made, std::size_t row,
                              std::optional<double> outcome) const {
    const bnn::Observation& observation = predictor_.run.observation;
    std::vector<Figure> result;
    const auto name = [&](std::size_t k) {
      return k < predictor_.run.schema.classes.size() ? predictor_.run.schema.classes[k]
                                                      : std::to_string(k);
    };
    std::vector<double> found;
    if (questions_.authors) {
      for (std::size_t i = 0; i < predictor_.samples.size(); ++i) {
        const std::vector<double> part = bnn::authors_class_probabilities(
            predictor_.collapsed[i], found_[i].entering.row(row), found_[i].outputs.row(row));
        found.resize(part.size());
        for (std::size_t k = 0; k < part.size(); ++k)
          found[k] += part[k] / static_cast<double>(predictor_.samples.size());
      }
      for (std::size_t k = 0; k < found.size(); ++k)
        result.push_back({"p_" + name(k), found[k], {}, ""});
    } else if (questions_.digits) {
      const auto exact = exact_components(row);
      const std::vector<Interval> bounds =
          bnn::certified_class_probabilities(exact, observation, *questions_.digits);
      for (std::size_t k = 0; k < bounds.size(); ++k) {
        result.push_back(certified("p_" + name(k), bounds[k], *questions_.digits));
        found.push_back(bounds[k].midpoint().get_d());
      }
    } else {
      found = bnn::class_probabilities(made, observation);
      for (std::size_t k = 0; k < found.size(); ++k)
        result.push_back({"p_" + name(k), found[k], {}, ""});
    }
    if (questions_.largest && questions_.digits) {
      const auto largest = bnn::exact_largest_probabilities(exact_components(row), observation);
      for (std::size_t k = 0; k < largest.size(); ++k)
        result.push_back(certified("largest_" + name(k), largest[k]));
    } else if (questions_.largest) {
      const std::vector<double> largest = bnn::largest_probabilities(made, observation);
      for (std::size_t k = 0; k < largest.size(); ++k)
        result.push_back({"largest_" + name(k), largest[k], {}, ""});
    }
    const auto best = std::ranges::max_element(found) - found.begin();
    result.push_back(
        {"class", static_cast<double>(best), {}, name(static_cast<std::size_t>(best))});
    if (outcome)
      result.push_back(
          {"log_probability", std::log(found.at(static_cast<std::size_t>(*outcome))), {}, ""});
    return result;
  }

  const Predictor& predictor_;
  const Questions& questions_;
  std::size_t first_;
  bnn::Matrix inputs_;
  std::vector<bnn::Activations> found_;
};

std::string json_line(std::size_t row, const std::vector<Figure>& figures,
                      const std::vector<std::string>& assumptions) {
  std::string text = fmt::format("{{\"row\":{}", row);
  for (const Figure& figure : figures) {
    text += fmt::format(",{}:", json_string(figure.name));
    if (figure.name == "class") {
      text += json_string(figure.exact);
    } else if (figure.bounds) {
      text += fmt::format("{{\"exact\":{},\"decimal\":{},\"lower\":{},\"upper\":{}}}",
                          figure.exact.empty() ? "null" : json_string(figure.exact),
                          json_number(figure.value),
                          json_string(decimal(figure.bounds->lower, figure.shown, Rounding::down)),
                          json_string(decimal(figure.bounds->upper, figure.shown, Rounding::up)));
    } else {
      text += json_number(figure.value);
    }
  }
  text += ",\"exactWithRespectTo\":[";
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    text += (i > 0 ? "," : "") + json_string(assumptions[i]);
  return text + "]}\n";
}

std::string csv_word(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + "\"";
}

std::string csv_header(const std::vector<Figure>& figures) {
  std::string text = "row";
  for (const Figure& figure : figures) {
    text += "," + csv_word(figure.name);
    if (figure.bounds)
      text += "," + csv_word(figure.name + "_lower") + "," + csv_word(figure.name + "_upper");
  }
  return text + "\n";
}

std::string csv_line(std::size_t row, const std::vector<Figure>& figures) {
  std::string text = std::to_string(row);
  for (const Figure& figure : figures) {
    text +=
        "," + (figure.name == "class" ? csv_word(figure.exact) : fmt::format("{}", figure.value));
    if (figure.bounds)
      text += fmt::format(",{},{}", decimal(figure.bounds->lower, figure.shown, Rounding::down),
                          decimal(figure.bounds->upper, figure.shown, Rounding::up));
  }
  return text + "\n";
}

std::string plain_text(const std::vector<Figure>& figures) {
  std::string text;
  for (const Figure& figure : figures) {
    if (figure.name == "class")
      text += fmt::format("{:<12} {}\n", figure.name, figure.exact);
    else if (!figure.bounds)
      text += fmt::format("{:<12} {}\n", figure.name, figure.value);
    else if (!figure.exact.empty() && figure.exact.size() < 80)
      text += fmt::format("{:<12} {} = {}\n", figure.name, figure.exact, figure.value);
    else if (figure.bounds->exact())
      text += fmt::format("{:<12} {} (exact)\n", figure.name, figure.value);
    else
      text += fmt::format("{:<12} [{}, {}]\n", figure.name,
                          decimal(figure.bounds->lower, figure.shown, Rounding::down),
                          decimal(figure.bounds->upper, figure.shown, Rounding::up));
  }
  return text;
}

int run_predict(const Settings& settings, Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.empty() || words.size() > 2)
    throw UsageError("name a run directory and a table: ciber predict RUN DATA.csv");
  if ((words.size() == 2) == settings.has("input"))
    throw UsageError("name either a table or --input VALUES");
  const Predictor predictor = read_predictor(words[0], settings);
  const Questions questions = read_questions(settings, predictor);
  const Rows rows = settings.has("input") ? read_words(predictor.run, settings.text("input"))
                                          : read_rows(predictor.run, words[1]);
  std::vector<std::string> assumptions = predictor.assumptions;
  if (questions.exact_forward && !assumptions.empty()) assumptions.erase(assumptions.begin());
  if (!questions.digits && !questions.formulas)
    assumptions.emplace_back("arithmetic: doubles, compared with certified answers in tests");
  const auto with_error = [&](double error) {
    std::vector<std::string> result = assumptions;
    if (error > 0)
      result.back() = fmt::format(
          "all: doubles, estimated error {:.1e} of probabilities (an estimate, not a bound)",
          error);
    return result;
  };

  std::string text;
  double largest_error = 0;
  const bool json = settings.flag("json"), single = settings.has("input");
  constexpr std::size_t batch_rows = 1024;
  for (std::size_t start = 0; start < rows.inputs.rows(); start += batch_rows) {
    const std::size_t count = std::min(batch_rows, rows.inputs.rows() - start);
    bnn::Matrix batch(count, rows.inputs.columns);
    std::copy_n(rows.inputs.row(start).data(), count * batch.columns, batch.entries.data());
    const Answerer answerer(predictor, questions, std::move(batch), start);
    std::vector<std::vector<Figure>> answers(count);
    std::vector<double> errors(count);
    bnn::in_parallel(count, predictor.options.threads, [&](std::size_t i) {
      answers[i] = answerer.answer(
          i, rows.outcomes.empty() ? std::nullopt : std::optional(rows.outcomes[start + i]),
          errors[i]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      largest_error = std::max(largest_error, errors[i]);
      if (json)
        text += json_line(start + i, answers[i], with_error(errors[i]));
      else if (single)
        text += plain_text(answers[i]);
      else
        text += (start + i == 0 ? csv_header(answers[i]) : "") + csv_line(start + i, answers[i]);
    }
  }
  if (!json) {
    const std::string line =
        fmt::format("exact with respect to: {}", fmt::join(with_error(largest_error), "; "));
    if (single)
      text += line + "\n";
    else
      terminal.say(line);
  }
  if (settings.has("out"))
    save(settings.text("out"), text);
  else
    terminal.print(text);
  return 0;
}

}  // namespace

Command predict_command() {
  return {"predict",
          "RUN [DATA.csv] [options]",
          "The law of the outcome for each row of a table: mean, standard deviation, intervals,\n"
          "and, where the outcome is known, its density and scores; of classes, probabilities.\n"
          "The mixture over all samples of the run, with some of their weights averaged exactly.",
          with_prediction_settings(predict_settings),
          examples,
          run_predict};
}

}  // namespace wmi::frontends
