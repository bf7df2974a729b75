#include "bnn/training/log_posterior.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/training/mlp.h"
#include "tests/bnn/training/line.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};

}  // namespace

TEST_CASE("the gradient of the log posterior is its difference") {
  const encoders::Network network = mlp(1, {3}, 1, "tanh");
  const Dataset data = line(6);
  LogPosterior posterior(network, make_dense_model, normal, data, 0.5, std::nullopt);
  std::vector<double> at = posterior.start(nullptr, 1), gradient(at.size()), unused(at.size());
  posterior(at, gradient);
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::vector<double> up = at, down = at;
    up[i] += 1e-6;
    down[i] -= 1e-6;
    CHECK(gradient[i] ==
          doctest::Approx((posterior(up, unused) - posterior(down, unused)) / 2e-6).epsilon(1e-5));
  }
  LogPosterior known(network, make_dense_model, normal, data, 0.5, 0.25);
  at = known.start(nullptr, 1);
  CHECK(at[known.layout().at(raw_variance_name).offset] == doctest::Approx(std::log(0.25)));
  known(at, gradient);
  CHECK(gradient[known.layout().at(raw_variance_name).offset] == 0);
  // All rows in one batch are all rows.
  std::vector<std::size_t> all{0, 1, 2, 3, 4, 5};
  known.gradient(at, all, unused);
  for (std::size_t i = 0; i < at.size(); ++i)
    CHECK(gradient[i] == doctest::Approx(unused[i]).epsilon(1e-12));
}
