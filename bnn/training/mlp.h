#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "encoders/network.h"

namespace wmi::bnn {

/// Layers between the inputs and the first linear layer of a network.
struct InputLayers {
  std::optional<encoders::Ramps> ramps = {};  // `bins`: a piecewise-linear encoding
  /// `scale`: a trained factor for each input of the first linear layer, 1 at the start
  /// (Holzmueller, Grinsztajn and Steinwart, "Better by Default", 2024).
  bool scale = false;
};

/// A network of linear layers with an activation after each but the last: fc1, relu1, fc2, ...
/// Its parameters are 0; only their shapes matter, so tensors have no entries, but the factors 1.
///
///     mlp(13, {50}, 2);  // fc1 [50, 13], relu1, fc2 [2, 50]
///
/// The activation is the type of one of the encoders' layers that needs no tensors; with `dropout`
/// above 0, a layer drop1, ... follows each activation; `first` may add layers before fc1. Throws
/// Error.
encoders::Network mlp(std::size_t inputs, const std::vector<std::size_t>& hidden,
                      std::size_t outputs, const std::string& activation = "relu",
                      double dropout = 0, const InputLayers& first = {});

}  // namespace wmi::bnn
