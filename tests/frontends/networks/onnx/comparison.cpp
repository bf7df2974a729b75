#include "tests/frontends/networks/onnx/comparison.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "encoders/bracket.h"
#include "tests/skipped.h"

namespace wmi::frontends::onnx {

std::optional<std::string> onnx_python() {
  return python(
      "import numpy, onnx, onnxruntime",
      "onnx and onnxruntime for python3; ./run test installs them in the build directory");
}

std::vector<Comparison> read_comparisons(const std::filesystem::path& path) {
  const auto numbers = [](const std::string& line) {
    std::istringstream words(line);
    std::vector<Rational> result;
    for (std::string word; words >> word;) result.push_back(parse_number(word));
    return result;
  };
  std::ifstream in(path);
  std::vector<Comparison> result;
  for (std::string first, second; std::getline(in, first) && std::getline(in, second);)
    result.push_back({numbers(first), numbers(second)});
  REQUIRE(!result.empty());
  return result;
}

void check_close(const encoders::Network& network, const Comparison& point) {
  const auto found = encoders::run_bracketed_exactly(network, {network.input, point.input});
  std::vector<Rational> lower, upper;
  for (const auto& value : found) {
    const auto& high = value.exact() ? value.lower : value.upper();
    lower.insert(lower.end(), value.lower.entries.begin(), value.lower.entries.end());
    upper.insert(upper.end(), high.entries.begin(), high.entries.end());
  }
  CHECK(lower.size() == point.output.size());
  if (lower.size() != point.output.size()) return;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const Rational& y = point.output[i];
    const Rational tolerance = (abs(y) + 1) / 20'000;
    CAPTURE(i);
    CAPTURE(y.get_d());
    CAPTURE(lower[i].get_d());
    CAPTURE(upper[i].get_d());
    CHECK(lower[i] <= y + tolerance);
    CHECK(upper[i] >= y - tolerance);
    CHECK(upper[i] - lower[i] < 1);
  }
}

}  // namespace wmi::frontends::onnx
