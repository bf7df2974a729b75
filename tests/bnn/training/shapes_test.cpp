#include "bnn/training/shapes.h"

#include <doctest/doctest.h>

#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::bnn;

namespace {

std::string refusal(const encoders::Network& network, const Observation& observation,
                    std::size_t classes, const Weights& weights) {
  try {
    check_weights(network, observation, classes, weights);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("outputs are counted without running the network") {
  const encoders::Network network = mlp(3, {5, 4}, 2);
  CHECK(count_outputs(network, weights_of(network, {})) == 2);
}

TEST_CASE("weights of another model are refused by the name of what does not fit") {
  const Observation two;
  const encoders::Network network = mlp(3, {5}, 2);
  const Weights weights = weights_of(network, two);
  CHECK(refusal(network, two, 0, weights) == "");
  CHECK(refusal(network, {Observation::Kind::homoscedastic}, 0, weights) ==
        "the network has 2 outputs, and the likelihood reads 1");
  CHECK(refusal(network, {Observation::Kind::softmax}, 3, weights) ==
        "the network has 2 outputs, and the likelihood reads 3");
  CHECK(refusal(network, two, 0, weights_of(mlp(4, {5}, 2), two)) ==
        "fc1: weight [5, 4] does not fit an input [3]");
  CHECK(refusal(network, two, 0, weights_of(mlp(3, {5, 5}, 2), two)) ==
        "no layer asks for the tensor 'fc3.bias'");
  Weights more = weights;
  more.emplace("fc9.weight", encoders::Tensor<double>::filled({1}, 0));
  CHECK(refusal(network, two, 0, more) == "no layer asks for the tensor 'fc9.weight'");
  Weights fewer = weights;
  fewer.erase("fc2.weight");
  CHECK(refusal(network, two, 0, fewer) == "fc2: there is no tensor 'fc2.weight'");
  CHECK(refusal(mlp(3, {5}, 1), {Observation::Kind::homoscedastic}, 0,
                weights_of(mlp(3, {5}, 1), two)) == "there is no tensor 'likelihood.raw_variance'");
}
