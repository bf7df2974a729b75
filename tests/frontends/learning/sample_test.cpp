#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bnn/training/sampler.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/run_recipe.h"
#include "tests/frontends/program.h"

using namespace wmi::frontends;

TEST_CASE("every sampler adds samples to a run or makes a new run") {
  const TemporaryDirectory scratch;
  const fs::path path = scratch.path();
  std::ofstream data(path / "data.csv");
  data << "x,y\n";
  for (int i = 0; i < 30; ++i) data << i % 13 << "," << i % 13 + (i * 7) % 5 << "\n";
  data.close();
  const std::string directory = quoted(path / "run");
  REQUIRE(
      ciber("train " + quoted(path / "data.csv") +
            " --target y --search no --hidden 3 --dropout 0.1 --epochs 3 --samples 3 --every 1 "
            "--sampling-rate 0.05 --beta 0.5 --likelihood homoscedastic --trajectories 2 --out " +
            directory)
          .exit == 0);
  CHECK(recipe_of(read_run(path / "run")).sampling_rate == 0.05);
  CHECK(recipe_of(read_run(path / "run")).beta == 0.5);
  std::size_t expected = 6;
  for (const wmi::bnn::SamplerEntry& sampler : wmi::bnn::samplers()) {
    CAPTURE(sampler.name);
    const Finished finished =
        ciber("sample " + directory + " --sampler " + std::string(sampler.name) +
              " --count 4 --chains 2 --warm-up 20 --thinning 2 --leapfrog 3");
    // Chains as short as these may not agree.
    CHECK((finished.errors == "" || finished.errors.starts_with("ciber: warning: the chains do")));
    REQUIRE(finished.exit == 0);
    expected += sampler.name == "sgd" || sampler.name == "swa" ? 1
                : sampler.name == "ensemble"                   ? 2
                                                               : 4;
    const Run made = read_run(path / "run");
    REQUIRE(made.samples.size() == expected);
    for (std::size_t i = 0; i < expected; ++i) read_sample(made, i);
  }
  const Finished other = ciber("sample " + directory + " --sampler hmc --fresh --noise 2 " +
                               "--count 8 --chains 2 --warm-up 20 --out " + quoted(path / "hmc"));
  REQUIRE(other.exit == 0);
  CHECK(other.output.find("acceptance rate: ") != std::string::npos);
  const Finished apart = ciber(
      "sample " + directory + " --sampler hmc --fresh --noise 0.01 --step " +
      "1e-9 --acceptance 0.99 --count 8 --chains 2 --warm-up 1 --out " + quoted(path / "apart"));
  CHECK(apart.exit == 0);
  CHECK(contains(apart.errors, "warning: the chains do not agree: split R-hat of the outputs is "));
  CHECK(other.output.find("split R-hat of the outputs: ") != std::string::npos);
  CHECK(read_run(path / "hmc").samples.size() == 8);
  CHECK(read_training_rows(read_run(path / "hmc"))->rows() == 30);
  CHECK(ciber("sample " + directory + " --out " + quoted(path / "hmc")).exit == 2);
  const Finished bad = ciber("sample " + directory + " --sampler gibbs");
  CHECK(bad.exit == 2);
  CHECK(bad.errors.find("--sampler: no sampler named 'gibbs'; choose trajectory, sgd") !=
        std::string::npos);
}
