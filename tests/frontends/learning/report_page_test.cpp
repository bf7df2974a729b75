#include "frontends/learning/report_page.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/markup.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// Forecasts of mean i and deviation 1; the outcome lies `off` above each mean.
ReportInput regression(double off) {
  ReportInput input;
  input.title = "runs/tiny";
  input.target = "price";
  input.rows = "test.csv";
  input.samples = 3;
  input.trajectories = 1;
  constexpr double z[] = {-1.96, -1.645, -0.674, 0, 0.674, 1.645, 1.96};
  for (int i = 0; i < 40; ++i) {
    bnn::Forecast forecast;
    forecast.mean = i;
    forecast.deviation = 1;
    for (std::size_t k = 0; k < 7; ++k) forecast.quantiles[k] = i + z[k];
    forecast.log_density = -0.5 * off * off - 0.919;
    forecast.cdf = 0.5 * std::erfc(-off / std::sqrt(2));
    input.forecasts.push_back(forecast);
    input.outcomes.push_back(i + off);
  }
  return input;
}

ReportInput classification() {
  ReportInput input;
  input.title = "runs/iris";
  input.regression = false;
  input.target = "kind";
  input.classes = {"setosa", "<virginica>"};
  input.rows = "test.csv";
  for (int i = 0; i < 20; ++i) {
    bnn::Forecast forecast;
    forecast.probabilities = {0.75, 0.25};
    input.forecasts.push_back(forecast);
    input.outcomes.push_back(i % 4 == 0 ? 1 : 0);
  }
  input.inputs = {"length"};
  input.examples.push_back({"1", {"5.1"}, 1, input.forecasts[0]});
  return input;
}

}  // namespace

TEST_CASE("a page is well-formed and has no external resources") {
  for (const ReportInput& input : {regression(0.5), classification(), ReportInput{}}) {
    const std::string page = report_page(input);
    CHECK(page.starts_with("<!DOCTYPE html>\n"));
    CHECK(well_formed(page));
    CHECK(count(page, "name=\"viewport\"") == 1);
    CHECK(count(page, "<script") == 0);
    CHECK(count(page, "src=") == 0);
    CHECK(count(page, "href=") == 0);
    CHECK(count(page, "url(") == 0);
    CHECK(count(page, "@import") == 0);
    CHECK(page == report_page(input));
  }
}

TEST_CASE("every score has its interval") {
  const std::string page = report_page(regression(0.5));
  // Each outcome is off by 1/2: the error is 0.5 whatever rows are drawn.
  CHECK(count(page, "<td>RMSE</td>") == 1);
  CHECK(count(page, "<td class=\"number\">0.5</td><td class=\"number\">0.5 to 0.5</td>") == 1);
  CHECK(count(page, "<figure>") == 3);
  ReportInput compared = regression(0.5);
  compared.constant_guess = 19.5;  // outcomes are 0.5 ... 39.5
  // Mean (i - 19)^2 for i = 0 ... 39: (40^2 - 1)/12 + 1/4 = 133.5; its root 11.554
  CHECK(count(report_page(compared), "guessing the mean of the training rows, 19.5, is 11.55.") ==
        1);
}

TEST_CASE("the summary compares the coverage of intervals with chance") {
  const std::string narrow = report_page(regression(3));
  CHECK(count(narrow, "held 0\u00a0% of the outcomes") == 1);
  CHECK(count(narrow, "they are too narrow") == 1);
  const std::string wide = report_page(regression(0));
  CHECK(count(wide, "they are too wide") == 1);
  ReportInput mixed = regression(0);
  for (std::size_t i = 0; i < 4; ++i) mixed.outcomes[i] += 3;  // 36 of 40
  const std::string fair = report_page(mixed);
  CHECK(count(fair, "held 90\u00a0% of the outcomes") == 1);
  CHECK(count(fair, "they are too") == 0);
}

TEST_CASE("the page warns of training rows and of samples that hardly differ") {
  ReportInput input = regression(0.5);
  CHECK(count(report_page(input), "class=\"warning\"") == 0);
  input.seen_in_training = true;
  CHECK(count(report_page(input), "was trained on") == 1);
  input.seen_in_training = false;
  input.spread_to_noise = 0.05;
  CHECK(count(report_page(input), "The samples hardly differ") == 1);
  input.sampling_rate_chosen = true;
  CHECK(count(report_page(input), "class=\"warning\"") == 0);
  input.sampling_rate_chosen = false;
  input.spread_to_noise = 0.7;
  CHECK(count(report_page(input), "class=\"warning\"") == 0);
}

TEST_CASE("rows of the training are not judged") {
  ReportInput input = regression(3);
  input.seen_in_training = true;
  const std::string page = report_page(input);
  CHECK(count(page, "they are too narrow") == 0);
  CHECK(count(page, "Of new rows that says nothing.") == 1);
}

TEST_CASE("classes have a verdict, a baseline and a table of confusions") {
  ReportInput input = classification();
  const std::size_t classes = input.classes.size();
  input.class_shares.assign(classes, 1 / static_cast<double>(classes));
  const std::string page = report_page(input);
  CHECK(count(page, "Which class was taken for which") == 1);
  CHECK(count(page, "always predicting the shares of the classes") == 1);
  CHECK(count(page, "better than the shares of the classes alone.") == 1);
  ReportInput useless = input;
  for (bnn::Forecast& forecast : useless.forecasts)
    forecast.probabilities.assign(classes, 1 / static_cast<double>(classes));
  CHECK(count(report_page(useless), "no better than the shares of the classes alone") == 1);
  CHECK(count(page, "<td class=\"number\"><b>") == classes);  // the diagonal
  input.seen_in_training = true;
  CHECK(count(report_page(input), "than the shares of the classes alone") == 0);
}

TEST_CASE("many inputs stand below their row, where they wrap") {
  ReportInput input = regression(0.5);
  input.inputs = {"a", "b", "c", "d", "e", "f"};
  input.examples = {{"0", {"1", "2", "3", "4", "5", "6"}, 1.0, input.forecasts[0]}};
  const std::string page = report_page(input);
  CHECK(count(page, "a 1, b 2, c 3, d 4, e 5, f 6") == 1);
  input.inputs.resize(5);
  input.examples[0].inputs.resize(5);
  CHECK(count(report_page(input), "a 1, b 2") == 0);
}

TEST_CASE("intervals that are not drawn are not described") {
  ReportInput input = regression(0.5);
  CHECK(count(report_page(input), "Nine of ten intervals should meet") == 1);
  while (input.forecasts.size() <= 200) {
    input.forecasts.push_back(input.forecasts[0]);
    input.outcomes.push_back(input.outcomes[0]);
  }
  CHECK(count(report_page(input), "Nine of ten intervals should meet") == 0);
}

TEST_CASE("names of classes are escaped in HTML") {
  const std::string page = report_page(classification());
  CHECK(count(page, "right 75\u00a0% of the time") == 1);
  CHECK(count(page, "&lt;virginica&gt;") == 3);  // among the rows, and twice in the confusion table
  CHECK(count(page, "<virginica>") == 0);
  CHECK(count(page, "Brier score") == 1);
  CHECK(count(page, "RMSE") == 0);
  CHECK(count(page, "<figure>") == 1);
}

TEST_CASE("column names and assumptions are escaped in HTML") {
  ReportInput input = regression(0.5);
  const std::string evil = "</style><script>alert(1)</script>\x1b";
  input.title = input.target = input.rows = input.recipe = input.choices = input.method = evil;
  input.facts = {{evil, evil}};
  input.layers = {{evil, evil}};
  input.assumptions = {evil};
  input.inputs = {evil};
  input.examples = {{evil, {evil}, 1, input.forecasts[0]}};
  input.spreads = {{evil, 1, 1, 1}};
  input.losses = {{evil, false, {1, 2}, {1, 2}}};
  const std::string page = report_page(input);
  CHECK(well_formed(page));
  CHECK(count(page, "<script") == 0);
  CHECK(count(page, "\x1b") == 0);
}

TEST_CASE("without outcomes the page says what is missing") {
  ReportInput input = regression(0);
  input.outcomes.clear();
  const std::string page = report_page(input);
  CHECK(count(page, "give --data FILE.csv") == 1);
  CHECK(count(page, "RMSE") == 0);
}

TEST_CASE("the assumptions are on the page, one line each") {
  ReportInput input = regression(0.5);
  input.assumptions = {"likelihood: triangular instead of Gaussian", "forward pass: float32"};
  const std::string page = report_page(input);
  for (const std::string& line : input.assumptions)
    CHECK(count(page, "<li>" + line + "</li>") == 1);
}
