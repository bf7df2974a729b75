#pragma once

#include <memory>

#include "bnn/training/model.h"

namespace wmi::bnn {

/// A ModelFactory for any network: plain loops (make_dense_model) where they are faster, which is
/// for small chains of layers, and tensors for all others.
std::unique_ptr<Model> make_model(const encoders::Network& network, const Layout& layout);

/// Tensors for every network.
std::unique_ptr<Model> make_tensor_model(const encoders::Network& network, const Layout& layout);

}  // namespace wmi::bnn
