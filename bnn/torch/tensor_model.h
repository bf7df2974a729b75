#pragma once

#include <memory>

#include "bnn/training/model.h"

namespace wmi::bnn {

/// A ModelFactory for every network, by tensors: that of `use_tensor_models`.
std::unique_ptr<Model> make_tensor_model(const encoders::Network& network, const Layout& layout);

}  // namespace wmi::bnn
