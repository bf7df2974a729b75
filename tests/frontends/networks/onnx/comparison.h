#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "encoders/network.h"
#include "solver/terms/rational.h"

namespace wmi::frontends::onnx {

/// A Python with onnx and onnxruntime, or nullopt and a remark that the test is skipped.
std::optional<std::string> onnx_python();

/// An input and the outputs for it, computed by another program in floats.
struct Comparison {
  std::vector<Rational> input, output;
};

/// Reads pairs of lines of numbers.
std::vector<Comparison> read_comparisons(const std::filesystem::path& path);

/// Checks that the network's outputs are near: exactly computed, within the accuracy of 32-bit
/// floats; or, behind smooth layers, that the bounds enclose them.
void check_close(const encoders::Network& network, const Comparison& point);

}  // namespace wmi::frontends::onnx
