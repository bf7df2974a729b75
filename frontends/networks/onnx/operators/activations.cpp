#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

std::vector<Value> entrywise(Call& call, encoders::Layer layer) {
  call.ignore({"consumed_inputs"});
  return {call.builder().add_entrywise(call.name(), std::move(layer), call.activation(0))};
}

}  // namespace

std::vector<Value> translate_relu(Call& call) { return entrywise(call, encoders::Relu{}); }

}  // namespace wmi::frontends::onnx
