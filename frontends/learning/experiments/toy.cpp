// Ten points of a cubic, repeated with other points and other draws.

#include "frontends/learning/toy.h"

#include <fmt/format.h>

#include "bnn/numeric/random.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/experiments/journaled_numbers.h"

namespace wmi::frontends {

Findings run_toy(const Conditions& conditions) {
  const std::size_t repeats = conditions.quick ? 6 : 20;
  Chart picture;
  const auto run = [&](std::size_t i) {
    ToyOptions options;
    options.seed = bnn::mixed(conditions.seed, i) >> 1;
    options.threads = conditions.threads;
    options.stop = conditions.stop;
    return average_toy(options);
  };
  // The chains of a data set run at once, one data set after the other.
  std::vector<Toy> found;
  for (const std::vector<double>& numbers :
       journaled_numbers(conditions, "toy", "data sets", repeats, 1, [&](std::size_t i) {
         const Toy toy = run(i);
         if (i == 0) picture = toy.picture;
         return std::vector{toy.acceptance,     toy.r_hat,      toy.collapsed.mean,
                            toy.collapsed.band, toy.plain.mean, toy.plain.band};
       })) {
    Toy toy;
    toy.acceptance = numbers.at(0);
    toy.r_hat = numbers.at(1);
    toy.collapsed = {numbers.at(2), numbers.at(3)};
    toy.plain = {numbers.at(4), numbers.at(5)};
    found.push_back(toy);
  }
  if (picture.panels.empty()) picture = run(0).picture;  // it was drawn before a stop
  const auto over = [&](const auto& value) {
    std::vector<double> values;
    values.reserve(found.size());
    for (const Toy& toy : found) values.push_back(value(toy));
    return summary(values);
  };
  FigureTable table({"10 draws", "distance of the means", "distance of the 90 % bands"});
  const auto row = [&](const char* name, const auto& part) {
    table.add({name, with_error(over([&](const Toy& t) { return part(t).mean; })),
               with_error(over([&](const Toy& t) { return part(t).band; }))});
  };
  row("last layer collapsed", [](const Toy& t) { return t.collapsed; });
  row("as they are", [](const Toy& t) { return t.plain; });
  const Summary mean = over([](const Toy& t) { return t.collapsed.mean - t.plain.mean; });
  const Summary band = over([](const Toy& t) { return t.collapsed.band - t.plain.band; });
  table.add({"difference", with_error(mean), with_error(band)});
  double worst = 1;
  for (const Toy& toy : found) worst = std::max(worst, toy.r_hat);
  Findings findings;
  findings.text = fmt::format(
      "Ten inputs, uniform on [-1, -1/2] and [1/2, 1], outcomes 2 x^3 plus normal noise of "
      "standard deviation .1; "
      "a ReLU network with hidden layers of 10 and 10 units, standard normal priors, Gaussian "
      "likelihood. "
      "The reference is the predictive of all 2000 draws of four Hamiltonian Monte Carlo chains "
      "(acceptance rate {}, worst split R-hat "
      "of the predictive mean {}); 10 of these draws are averaged as they are, and with the last "
      "layer integrated out given the rest. "
      "Distances to the reference, integrated over [-1.5, 1.5]; mean and standard error over {} "
      "data sets:\n\n{}\n"
      "The paper shows a picture of this (its Figure 2), no number.\n\n![Mean and 90 % "
      "band](toy.svg)\n",
      figure(over([](const Toy& t) { return t.acceptance; }).mean, 2), figure(worst), repeats,
      table.markdown());
  findings.files = {{"toy.csv", table.csv()}, {"toy.svg", to_svg(picture)}};
  const Summary both = over([](const Toy& t) {
    return t.collapsed.mean + t.collapsed.band - t.plain.mean - t.plain.band;
  });
  findings.claims = {
      {fmt::format(
           "10 collapsed draws are nearer to the long run than the same 10 draws, means and "
           "bands together, by {}",
           with_error({-both.mean, both.deviation, both.error})),
       both.mean < (conditions.quick ? 0 : -3 * both.error)}};
  return findings;
}

}  // namespace wmi::frontends
