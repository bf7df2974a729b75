#include "bnn/training/shapes.h"

#include <string>

#include "bnn/training/loss.h"
#include "encoders/shape_algebra.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

std::size_t count_outputs(const encoders::Network& network, const Weights& weights) {
  encoders::ShapeAlgebra algebra(weights);
  std::size_t result = 0;
  for (const auto& value : encoders::run(network, algebra, {network.input}))
    result += encoders::entry_count(value.shape);
  for (const auto& [name, tensor] : weights)
    if (!algebra.used().contains(name) && name != raw_variance_name &&
        name.find("num_batches") == std::string::npos)
      throw Error("no layer asks for the tensor '" + name + "'");
  return result;
}

void check_weights(const encoders::Network& network, const Observation& observation,
                   std::size_t classes, const Weights& weights) {
  const std::size_t found = count_outputs(network, weights);
  const std::size_t wanted =
      observation.kind == Observation::Kind::softmax ? classes : output_count(observation);
  if (found != wanted)
    throw Error("the network has " + std::to_string(found) + " outputs, and the likelihood reads " +
                std::to_string(wanted));
  const auto raw = weights.find(raw_variance_name);
  if (observation.kind == Observation::Kind::homoscedastic) {
    if (raw == weights.end()) throw Error("there is no tensor '" + raw_variance_name + "'");
    if (raw->second.size() != 1)
      throw Error("'" + raw_variance_name + "' must be one number, not " +
                  encoders::to_string(raw->second.shape));
  } else if (raw != weights.end()) {
    throw Error("'" + raw_variance_name + "' means nothing to this likelihood");
  }
}

}  // namespace wmi::bnn
