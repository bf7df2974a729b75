// ciber demo: the toy regression in a picture.

#include <fmt/format.h>

#include "frontends/cli/usage_error.h"
#include "frontends/common/outputs.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/thread_count.h"
#include "frontends/learning/toy.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting settings_table[] = {
    {"out", "FILE", "demo.svg", "the picture", kind::svg},
    {"draws", "N", "4000", "of the long run", kind::Count{100, 1'000'000}},
    {"samples", "N", "10", "of these, the ones that are collapsed"},
    {"hidden", "N,N", "10,10", "units of the hidden layers", kind::Counts{}},
    {"noise", "SIGMA", "0.1", "standard deviation of the outcomes around the cubic",
     kind::Number{1e-3, 10}},
    {"seed", "N", "1", "decides everything that is drawn", kind::Count{0}},
    {"threads", "N", "", "at once; the result does not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
};

int demo(const Settings& settings, Terminal& terminal) {
  if (!settings.words().empty()) throw UsageError("demo: takes options only");
  ToyOptions options;
  options.draws = settings.count("draws");
  options.samples = settings.count("samples", 1, options.draws / 10);
  options.hidden = settings.counts("hidden");
  options.noise = settings.number("noise");
  options.seed = settings.count("seed");
  options.threads = thread_count(settings);
  options.progress = [&](double share) {
    terminal.progress(fmt::format("Hamiltonian Monte Carlo: {:.0f} %", 100 * share));
  };
  const Toy toy = average_toy(options);
  terminal.progress("");
  terminal.print(
      fmt::format("reference: {} draws of {} chains, acceptance rate {:.2f}, split R-hat of the "
                  "predictive mean "
                  "{:.3f}\n",
                  toy.draws, toy.chains, toy.acceptance, toy.r_hat));
  for (const auto& [name, average] : {std::pair("{} collapsed samples", toy.collapsed),
                                      std::pair("the same {} samples", toy.plain)})
    terminal.print(fmt::format(
        "{}: mean {:.4f} and 90 % band {:.4f} from the reference (integrated over [-1.5, 1.5])\n",
        fmt::format(fmt::runtime(name), options.samples), average.mean, average.band));
  save_result(settings.text("out"), to_svg(toy.picture));
  terminal.print(fmt::format("the picture is in {}\n", settings.text("out")));
  return 0;
}

}  // namespace

Command demo_command() {
  return {"demo",
          "[options]",
          "Averages over networks that fit ten points: collapsed samples beside Monte Carlo.",
          settings_table,
          "  ciber demo --out demo.svg\n",
          demo};
}

}  // namespace wmi::frontends
