// The residual network on published weights and images, as the experiment cifar10_resnet20 runs it.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "bnn/torch/residual.h"
#include "frontends/data/cifar.h"
#include "frontends/networks/safetensors.h"
#include "frontends/packed/packed_file.h"
#include "tests/skipped.h"

using namespace wmi;
using namespace wmi::frontends;
namespace fs = std::filesystem;

TEST_CASE("a pretrained network gives the recorded features") {
  const std::optional<fs::path> features = data_folder("cifar10_features");
  if (!features) return;
  const fs::path data = features->parent_path();
  constexpr std::size_t count = 40;
  const bnn::Images images = read_cifar(data / "cifar10" / "test_batch.bin.xz", count);
  bnn::Weights weights;
  for (const auto& [name, tensor] :
       read_safetensors(data / "cifar10_pretrained" / "resnet20.safetensors").tensors) {
    std::vector<double> entries;
    for (const Rational& entry : tensor.entries) entries.push_back(entry.get_d());
    weights[name] = {tensor.shape, std::move(entries)};
  }
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(i);
  const bnn::Activations found = bnn::residual_forward(weights, images, rows);
  const std::string stored =
      read_unpacked(data / "cifar10_features" / "r20_test_n10000x64_scale8192.u16le.gz");
  const std::string names = read_unpacked(data / "cifar10_features" / "labels_test.u8");
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(images.classes[i] == static_cast<unsigned char>(names[i]));
    for (std::size_t j = 0; j < 64; ++j) {
      const std::size_t at = 2 * (i * 64 + j);
      const double expected = (static_cast<unsigned char>(stored[at]) +
                               256.0 * static_cast<unsigned char>(stored[at + 1])) /
                              8192;
      worst = std::max(worst, std::abs(found.entering.at(i, j) - expected));
      largest = std::max(largest, expected);
    }
  }
  CHECK(largest > 1);
  CHECK(worst < 1.0 / 8192);  // half a step of the stored numbers, and the rounding of floats
}
