#include "frontends/learning/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bnn/data/calibration.h"
#include "frontends/common/line.h"
#include "frontends/plots/plain_number.h"
#include "frontends/plots/svg.h"

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

using bnn::Estimate;
using bnn::Forecast;
using bnn::Metric;

constexpr std::string_view style = R"(
:root{color-scheme:light dark}
body{margin:0;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;
 color:#1b1b1b;background:#fff}
main{max-width:64rem;margin:0 auto;padding:1rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.6rem 0;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.2rem 0 .6rem;border-bottom:1px solid #ddd;padding-bottom:.2rem}
h3{font-size:1rem;margin:1rem 0 .3rem}
p{margin:.5rem 0;max-width:46rem}
.summary{background:#eef5fb;border-left:4px solid #0072b2;padding:.6rem .9rem;margin:1rem 0}
.warning{background:#fdf1e3;border-left:4px solid #d55e00;padding:.6rem .9rem;margin:1rem 0}
.small,figcaption{font-size:.875rem;color:#555}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #e5e5e5}
th{font-weight:600}
.number{text-align:right;white-space:nowrap}
.titled td{border:0;padding-bottom:0}
.wrap{overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem}
figure{margin:0}figure h3{margin-top:.2rem}
.chart{max-width:100%;height:auto;display:block}
pre{overflow-x:auto;background:#f5f5f5;padding:.7rem;font-size:.8125rem;line-height:1.4}
summary{cursor:pointer;padding:.3rem 0}
@media (prefers-color-scheme:dark){
body{color:#ddd;background:#14171a}
h2{border-color:#444}
.summary{background:#16293a}.warning{background:#38271a}
.small,figcaption{color:#aaa}
th,td{border-color:#333}
pre{background:#1e2226}
)";

constexpr std::size_t most_input_columns = 5;  // more do not fit beside the forecasts

std::string text(const std::string& words) { return escaped(printable(words, "\n")); }

/// Four digits, with a typographic minus sign.
std::string number(double value) {
  if (std::isnan(value)) return "\u2013";
  if (std::isinf(value)) return value < 0 ? "\u2212\u221e" : "\u221e";
  return typeset(plain_number(value, 4));
}
std::string percent(double part) { return fmt::format("{:.0f}\u00a0%", 100 * part); }

std::string cell(const std::string& markup, bool numeric = false) {
  return numeric ? "<td class=\"number\">" + markup + "</td>" : "<td>" + markup + "</td>";
}
std::string head(const std::string& words, bool numeric = false) {
  return numeric ? "<th class=\"number\">" + text(words) + "</th>" : "<th>" + text(words) + "</th>";
}

std::string figure(Chart chart, const std::string& caption) {
  chart.headed = false;
  return "<figure><h3>" + text(chart.title) + "</h3>\n" + to_svg(chart) + "<figcaption>" +
         text(caption) + "</figcaption></figure>\n";
}

std::string count(std::size_t number, const std::string& thing, const std::string& things) {
  return fmt::format("{} {}", number, number == 1 ? thing : things);
}

class Page {
 public:
  explicit Page(const ReportInput& input) : in_(input) {}

  std::string write() {
    out_ = page_beginning;
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
    out_ += text(in_.title) + "</title>\n<style>" + std::string(style) +
            std::string(dark_chart_style()) + "}\n</style>\n</head>\n<body>\n<main>\n<h1>" +
            text(in_.title) + "</h1>\n";
    summary();
    scores();
    forecasts();
    training();
    samples();
    assumptions();
    out_ += "<p class=\"small\">Written by ciber " WMI_VERSION
            "; the same run and rows give the same page.</p>\n</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void heading(const std::string& words) { out_ += "<h2>" + text(words) + "</h2>\n"; }
  void paragraph(const std::string& words) { out_ += "<p>" + text(words) + "</p>\n"; }

  bool scored() const { return !in_.forecasts.empty() && !in_.outcomes.empty(); }
  double score(std::string_view name) const {
    return bnn::score(bnn::find_metric(name), in_.forecasts, in_.outcomes);
  }

  /// A summary in words: accuracy, calibration and warnings.
  void summary() {
    std::string words;
    if (in_.samples > 0)
      words += fmt::format(
          "{} of a network{}. ", count(in_.samples, "weight sample", "weight samples"),
          in_.trajectories > 1 ? " from " + count(in_.trajectories, "trajectory", "trajectories")
                               : "");
    if (scored() && in_.regression) {
      const double covered = score("coverage_90");
      const bnn::Chance chance = bnn::chance(in_.forecasts.size(), 0.9, 0.95);
      words += fmt::format("On {} of {}, 90 % intervals held {} of the outcomes. ",
                           count(in_.forecasts.size(), "row", "rows"), in_.rows, percent(covered));
      if (in_.seen_in_training)
        words += "Of new rows that says nothing.";
      else
        words += covered < chance.lower   ? "That is less than chance allows: they are too narrow."
                 : covered > chance.upper ? "That is more than chance allows: they are too wide."
                                          : fmt::format(
                                                "Calibrated forecasts of as many rows hold "
                                                "{} to {} as a rule.",
                                                percent(chance.lower), percent(chance.upper));
    } else if (scored()) {
      words += fmt::format(
          "On {} of {}, the likeliest class was right {} of the time; on average it had "
          "probability {}. ",
          count(in_.forecasts.size(), "row", "rows"), in_.rows, percent(score("accuracy")),
          percent(mean_confidence()));
      words += class_verdict();
    } else {
      words += "No rows with outcomes were given, so nothing is scored: give --data FILE.csv.";
    }
    out_ += "<p class=\"summary\">" + text(words) + "</p>\n";
    if (in_.seen_in_training && !in_.forecasts.empty())
      out_ +=
          "<p class=\"warning\">These are the rows that the network was trained on: scores of new "
          "rows will be worse. Give rows that were held out with <code>--data</code>.</p>\n";
    if (in_.spread_to_noise && *in_.spread_to_noise < 0.2 && !in_.sampling_rate_chosen)
      out_ += fmt::format(
          "<p class=\"warning\">The samples hardly differ: the deviation of the mean over them is "
          "{} of the noise, so there is little to average. Sample at a higher rate.</p>\n",
          percent(*in_.spread_to_noise));
  }
  /// Whether probabilities are as they should be, and better than those of the classes alone.
  std::string class_verdict() const {
    if (in_.seen_in_training) return "Of new rows that says nothing.";
    const double right = score("accuracy"), sure = mean_confidence();
    const bnn::Chance chance = bnn::chance(in_.forecasts.size(), sure, 0.95);
    std::string words =
        right < chance.lower   ? "That is less often than chance allows: it is too sure. "
        : right > chance.upper ? "That is more often than chance allows: it is not sure enough. "
                               : "That is as it should be. ";
    if (const std::optional<double> constant = constant_log_likelihood())
      words += -score("nll") > *constant
                   ? "The probabilities are better than the shares of the classes alone."
                   : "The probabilities are no better than the shares of the classes alone: the "
                     "inputs have not helped.";
    return words;
  }
  /// The mean log probability of the outcomes under the shares of the training rows; nullopt if
  /// these are unknown or an outcome was not among them.
  std::optional<double> constant_log_likelihood() const {
    if (in_.class_shares.empty()) return std::nullopt;
    double sum = 0;
    for (const double outcome : in_.outcomes)
      sum += std::log(in_.class_shares.at(static_cast<std::size_t>(outcome)));
    if (!std::isfinite(sum)) return std::nullopt;
    return sum / static_cast<double>(in_.outcomes.size());
  }
  double mean_confidence() const {
    double sum = 0;
    for (const Forecast& forecast : in_.forecasts)
      sum += forecast.probabilities[bnn::likeliest(forecast)];
    return sum / static_cast<double>(in_.forecasts.size());
  }

  void scores() {
    if (!scored()) return;
    heading("Scores");
    out_ += "<div class=\"scroll\"><table>\n<tr>" + head("") + head("value", true) +
            head(fmt::format("{} interval", percent(in_.bootstrap.level)), true) + "</tr>\n";
    for (const Metric& metric : bnn::metrics(in_.regression)) {
      const Estimate found = bnn::estimate(metric, in_.forecasts, in_.outcomes, in_.bootstrap);
      std::string note(metric.description);
      if (metric.direction == Metric::Direction::level)
        note += "; ideally " + number(metric.level);
      else if (!metric.name.starts_with("width"))
        note +=
            metric.direction == Metric::Direction::more ? "; more is better" : "; less is better";
      out_ += "<tr class=\"titled\">" + cell(text(std::string(metric.title))) +
              cell(number(found.value), true) +
              cell(number(found.lower) + " to " + number(found.upper), true) +
              "</tr>\n<tr><td colspan=\"3\" class=\"small\">" + text(note) + "</td></tr>\n";
    }
    out_ +=
        "</table></div>\n<p class=\"small\">" +
        text(fmt::format("Intervals: of coverage and accuracy exact (binomial), of other scores by "
                         "percentile bootstrap over rows, {} replicates, seed {}.",
                         in_.bootstrap.replicates, in_.bootstrap.seed));
    if (in_.regression && in_.constant_guess) {
      double squares = 0;
      for (const double y : in_.outcomes)
        squares += (y - *in_.constant_guess) * (y - *in_.constant_guess);
      out_ +=
          text(fmt::format(" For comparison, the RMSE of always guessing the mean of the "
                           "training rows, {}, is {}.",
                           number(*in_.constant_guess),
                           number(std::sqrt(squares / static_cast<double>(in_.outcomes.size())))));
    }
    if (const std::optional<double> constant =
            in_.regression ? std::nullopt : constant_log_likelihood()) {
      const double most = *std::ranges::max_element(in_.class_shares);
      out_ += text(fmt::format(
          " For comparison, the log likelihood of always predicting the shares of the classes in "
          "the training rows is {}; always guessing the commonest would have been right in {} of "
          "these.",
          number(*constant), percent(most)));
    }
    out_ += "</p>\n";
    confusion();
  }

  /// How often each class was taken for each other one.
  void confusion() {
    constexpr std::size_t most_classes = 20;
    if (in_.regression || in_.classes.size() > most_classes) return;
    const std::size_t classes = in_.classes.size();
    std::vector<std::size_t> counts(classes * classes);
    for (std::size_t i = 0; i < in_.forecasts.size(); ++i)
      ++counts.at(static_cast<std::size_t>(in_.outcomes[i]) * classes +
                  bnn::likeliest(in_.forecasts[i]));
    out_ += "<h3>Which class was taken for which</h3>\n<div class=\"scroll\"><table>\n<tr>" +
            head("observed \u2193, likeliest \u2192");
    for (const std::string& name : in_.classes) out_ += head(name, true);
    out_ += "</tr>\n";
    for (std::size_t i = 0; i < classes; ++i) {
      out_ += "<tr>" + head(in_.classes[i]);
      for (std::size_t j = 0; j < classes; ++j) {
        const std::string number = std::to_string(counts[i * classes + j]);
        out_ += cell(i == j ? "<b>" + number + "</b>" : number, true);
      }
      out_ += "</tr>\n";
    }
    out_ += "</table></div>\n";
  }

  void forecasts() {
    if (in_.forecasts.empty() && !in_.band) return;
    heading("Forecasts");
    if (!in_.method.empty()) paragraph(in_.method);
    out_ += "<div class=\"figures\">\n";
    if (in_.band)
      out_ += figure(bands("Along " + in_.input, {*in_.band}, in_.input, in_.target),
                     "Mean, 90 % band, and rows.");
    if (scored() && in_.regression) {
      out_ += figure(prediction_picture(in_.forecasts, in_.outcomes, in_.target),
                     draws_intervals(in_.forecasts.size())
                         ? "Nine of ten intervals should meet the dashed line."
                         : "Means lie around the dashed line; intervals of so many rows are not "
                           "drawn.");
      out_ += figure(calibration_picture(in_.forecasts),
                     "A curve flatter than the line in the middle: intervals too narrow; steeper: "
                     "too wide. Grey: where nine of ten calibrated curves run at each level.");
      out_ += figure(pit_picture(in_.forecasts),
                     "Level when calibrated. High at both ends: intervals too narrow; high in the "
                     "middle: too wide; leaning: biased.");
    } else if (scored()) {
      out_ += figure(reliability_picture(in_.forecasts, in_.outcomes),
                     "Below the line: too sure; above: not sure enough. Grey: what chance does to "
                     "as many rows.");
    }
    out_ += "</div>\n";
    examples();
  }

  void examples() {
    if (in_.examples.empty()) return;
    out_ += "<h3>Some rows</h3>\n<div class=\"scroll\"><table>\n<tr>" + head("row", true);
    out_ += head("observed", true);
    if (in_.regression)
      out_ += head("mean", true) + head("deviation", true) + head("90 % interval", true);
    else
      out_ += head("likeliest", false) + head("probability", true) + head("of the observed", true);
    const bool below = in_.inputs.size() > most_input_columns;  // in a line of its own
    if (!below)
      for (const std::string& name : in_.inputs) out_ += head(name, true);
    out_ += "</tr>\n";
    for (const Example& example : in_.examples) {
      const Forecast& forecast = example.forecast;
      out_ += (below ? "<tr class=\"titled\">" : "<tr>") + cell(text(example.row), true);
      if (in_.regression) {
        out_ += cell(example.outcome ? number(*example.outcome) : "", true) +
                cell(number(forecast.mean), true) + cell(number(forecast.deviation), true) +
                cell(number(forecast.quantiles[1]) + " to " + number(forecast.quantiles[5]), true);
      } else {
        const std::size_t guess = bnn::likeliest(forecast);
        out_ +=
            cell(example.outcome ? class_name(*example.outcome) : "", true) +
            cell(class_name(static_cast<double>(guess))) +
            cell(number(forecast.probabilities[guess]), true) +
            cell(example.outcome
                     ? number(forecast.probabilities[static_cast<std::size_t>(*example.outcome)])
                     : "",
                 true);
      }
      if (!below) {
        for (const std::string& input : example.inputs) out_ += cell(text(input), true);
        out_ += "</tr>\n";
        continue;
      }
      std::string inputs;
      for (std::size_t i = 0; i < example.inputs.size(); ++i)
        inputs += (i > 0 ? ", " : "") + in_.inputs[i] + " " + example.inputs[i];
      out_ += "</tr>\n<tr><td></td><td colspan=\"4\" class=\"small wrap\">" + text(inputs) +
              "</td></tr>\n";
    }
    out_ += "</table></div>\n";
  }
  std::string class_name(double outcome) const {
    const auto index = static_cast<std::size_t>(outcome);
    return index < in_.classes.size() ? text(in_.classes[index]) : std::to_string(index);
  }

  void training() {
    if (in_.facts.empty() && in_.losses.empty() && in_.layers.empty()) return;
    heading("What was trained");
    if (!in_.facts.empty()) {
      out_ += "<div class=\"scroll\"><table>\n";
      for (const auto& [name, value] : in_.facts)
        out_ += "<tr>" + head(name) + "<td class=\"wrap\">" + text(value) + "</td></tr>\n";
      out_ += "</table></div>\n";
    }
    if (!in_.losses.empty())
      out_ += "<div class=\"figures\">\n" +
              figure(loss_picture(in_.losses), "The last part is the sampling phase.") + "</div>\n";
    if (!in_.layers.empty()) {
      out_ +=
          "<details><summary>The network, layer by layer</summary>\n<div class=\"scroll\">"
          "<table>\n<tr>" +
          head("layer") + head("what") + "</tr>\n";
      for (const auto& [name, what] : in_.layers)
        out_ += "<tr>" + cell("<code>" + text(name) + "</code>") + cell(text(what)) + "</tr>\n";
      out_ += "</table></div></details>\n";
    }
    if (!in_.choices.empty())
      out_ += "<details><summary>What the training chose, and why</summary>\n<pre>" +
              text(in_.choices) + "</pre></details>\n";
    if (!in_.recipe.empty())
      out_ += "<details><summary>All settings of the training</summary>\n<pre>" + text(in_.recipe) +
              "</pre></details>\n";
  }

  void samples() {
    if (in_.spreads.empty()) return;
    heading("Samples and their spread");
    std::string words = count(in_.samples, "sample", "samples") + " of the weights";
    if (in_.trajectories > 1)
      words += " from " + count(in_.trajectories, "trajectory", "trajectories");
    words += ".";
    if (in_.spread_to_noise)
      words += fmt::format(
          " The deviation of the network's mean over the samples is {} of the noise, on average "
          "over the rows.",
          percent(*in_.spread_to_noise));
    paragraph(words);
    out_ += "<div class=\"scroll\"><table>\n<tr>" + head("tensor") + head("entries", true) +
            head("size", true) + head("deviation", true) + head("ratio", true) + "</tr>\n";
    for (const TensorSpread& spread : in_.spreads)
      out_ += "<tr>" + cell("<code>" + text(spread.name) + "</code>") +
              cell(std::to_string(spread.entries), true) + cell(number(spread.size), true) +
              cell(number(spread.deviation), true) +
              cell(number(spread.size > 0 ? spread.deviation / spread.size : NAN), true) +
              "</tr>\n";
    out_ +=
        "</table></div>\n<p class=\"small\">Size: root mean square of the entries' means over the "
        "samples; deviation: likewise of their standard deviations.</p>\n";
  }

  void assumptions() {
    heading("Exact with respect to what");
    if (in_.assumptions.empty()) {
      paragraph("No step was recorded between the question and the numbers above.");
      return;
    }
    paragraph("Between the question and the numbers above stand these steps, and no others:");
    out_ += "<ul>\n";
    for (const std::string& step : in_.assumptions) out_ += "<li>" + text(step) + "</li>\n";
    out_ += "</ul>\n";
  }

  const ReportInput& in_;
  std::string out_;
};

}  // namespace

std::string report_page(const ReportInput& input) { return Page(input).write(); }

}  // namespace wmi::frontends
