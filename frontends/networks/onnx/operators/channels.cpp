#include "frontends/networks/onnx/operators.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {

// Inputs: x, scale, bias, mean and variance, each with an entry for each channel.
std::vector<Value> translate_batch_normalization(Call& call) {
  const Rational eps = call.real("epsilon", Rational(static_cast<double>(1e-5F)));
  call.ignore({"momentum", "is_test", "consumed_inputs"});
  if (call.integer("training_mode", 0) != 0 || call.integer("spatial", 1) != 1)
    throw Error("is supported for inference only; export the model after model.eval()");
  const Activation x = call.activation(0);
  if (x.shape.size() < 2 || x.shape[0] != 1)
    throw Error("a value " + encoders::to_string(x.shape) + ", where a batch of 1 is needed");
  const Activation inner = Builder::reshaped(x, without_batch(x.shape));
  const Activation result =
      call.builder().add(call.name_by(call.constant(1)), encoders::BatchNorm{eps}, {inner},
                         {{"weight", call.constant(1).tensor},
                          {"bias", call.constant(2).tensor},
                          {"running_mean", call.constant(3).tensor},
                          {"running_var", call.constant(4).tensor}});
  return {Builder::reshaped(result, x.shape)};
}

}  // namespace wmi::frontends::onnx
