#pragma once

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"

namespace wmi::encoders {

/// Random numbers with a fixed seed.
class Draws {
 public:
  explicit Draws(unsigned seed) : engine_(seed) {}

  /// Uniform in low ... high.
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  Rational operator()(int low = -8, int high = 8, int denominator = 4) {
    return ratio(integer(low, high), denominator);
  }
  Tensor<Rational> tensor(const Shape& shape);

 private:
  std::mt19937 engine_;
};

/// Linear layers fc1, fc2, ... of these widths with activations relu1, ... between them.
Network mlp(const std::vector<std::size_t>& widths, const Layer& activation, Draws& draw);

using Values = std::map<std::string, Attributes::Value, std::less<>>;

/// A layer by the name of its type.
Layer layer(std::string_view type, Values attributes = {});

}  // namespace wmi::encoders
