// The worked example: y around ReLU(w x) at x = 1, with w uniform on [-3, 3]. Everything is solved
// as a formula, exactly.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "frontends/formats/format.h"
#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/plots/surface.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/laws/likelihood.h"
#include "solver/solve.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The network and its posterior.
constexpr std::string_view network = R"((declare-const w Real)
(define-fun z () Real (ite (> w 0) w 0))
(assert (<= (- 3) w 3))
(weight true (/ 1 6))
)";

/// The triangular likelihood of radius r around z, as the weights of two literals.
constexpr std::string_view triangular = R"((declare-const y Real)
(define-fun r () Real {})
(assert (<= (- r) (- y z) r))
(weight (> y z) (- (/ 1 r) (/ (- y z) (* r r))))
(weight (<= y z) (- (/ 1 r) (/ (- z y) (* r r))))
)";

std::vector<Answer> solved(const std::string& text) {
  const Script script = read_smtlib({"the worked example", text});
  std::vector<Answer> answers;
  for (const Task& task : script)
    for (Answer& answer : solve(task, *make_split(), *make_auto({})).answers)
      answers.push_back(std::move(answer));
  return answers;
}

std::string formatted(const Interval& value) {
  return value.exact() ? to_string(value.lower) + " = " + decimal(value.lower, 9)
                       : decimal(value.lower, 12, Rounding::down) + " ...";
}

}  // namespace

Findings run_warm_up(const Conditions&) {
  struct Radius {
    const char* term;
    Rational value;
    const char* why;
    Rational expected;  // density at 1, found independently
  };
  const Radius radii[] = {
      {"(/ 12 5)", ratio(12, 5), "rounded", ratio(445, 1728)},
      {"(/ 23 10)", ratio(23, 10), "rounded", ratio(415, 1587)},
      {"(/ 2297 1000)", ratio(2297, 1000), "nearest to the Gaussian in L2",
       ratio(4141000, 15828627)},
      {"(/ 49 20)", ratio(49, 20), "the authors' code", ratio(1840, 7203)},
  };
  FigureTable table({"likelihood", "mass", "E[y]", "Var[y]", "p(y = 1)", "P(y > 2)"});
  bool right = true;
  for (const Radius& radius : radii) {
    const std::vector<Answer> answers =
        solved(std::string(network) + fmt::format(triangular, radius.term) +
               "(get-wmi)(get-expectation y)(get-variance y)(get-density y :at 1)"
               "(get-probability (> y 2))");
    std::vector<std::string> row{
        fmt::format("triangular, r = {} ({})", to_string(radius.value), radius.why)};
    for (const Answer& answer : answers) row.push_back(formatted(answer.value.value()));
    table.add(row);
    right = right && *answers[0].value == Interval(Rational(1)) &&
            *answers[1].value == Interval(ratio(3, 4)) &&
            *answers[3].value == Interval(radius.expected);
  }
  const Law law = solved(fmt::format("{}(get-distribution z)", network)).at(0).law.value();
  const Interval gaussian = make_gaussian({})->density(law, 1, 30);
  table.add({"Gaussian, sigma = 1", "1", formatted(law.mean()),
             formatted(Rational(law.variance() + 1)), formatted(gaussian), "-"});
  right = right && decimal(gaussian.lower, 12, Rounding::down) == "0.257417797946" &&
          gaussian.upper - gaussian.lower < ratio(1, 1000000000);

  Findings findings;
  findings.text = fmt::format(
      "y scatters around ReLU(w) with w uniform on [-3, 3]; each line is solved as a formula with "
      "weights on its literals, in rational numbers (the Gaussian from the exact law of "
      "ReLU(w)).\n\n"
      "{}\n"
      "The paper prints E[y] = .752 and p(y = 1) = .164. Neither can be right. E[y] is E[ReLU(w)] "
      "= "
      "3/4 for every likelihood that is symmetric about the network's output, so .752 is the error "
      "of an "
      "estimate. No radius in use gives a density below .255, and the box weight as it is printed, "
      "(1 - |t|)/alpha, is not a density of mass 1: taken where it is positive, it "
      "gives 1/(6 alpha) = .068 to .073. The weight 1/r - |t|/r^2 is one, and is what "
      "is used "
      "here.\n\n![The integrand over w and y](warm-up.svg)\n",
      table.markdown());
  const auto relu = [](double w) { return std::max(w, 0.0); };
  findings.files.push_back({"warm-up.csv", table.csv()});
  findings.files.push_back(
      {"warm-up.svg",
       to_svg("What is integrated: p(w) p(y | w)",
              {{"triangular likelihood, r = 2.297", "w", "y", -3, 3, -3, 6,
                [&](double w, double y) {
                  const double t = std::abs(y - relu(w)) / 2.297;
                  return std::max(0.0, 1 - t) / 2.297 / 6;
                }},
               {"Gaussian likelihood, sigma = 1", "w", "y", -3, 3, -3, 6, [&](double w, double y) {
                  const double t = y - relu(w);
                  return std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi) / 6;
                }}})});
  findings.claims = {
      {"mean and densities of the worked example equal the values found independently, as "
       "fractions",
       right}};
  return findings;
}

}  // namespace wmi::frontends
