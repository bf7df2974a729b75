#include "bnn/collapse/float_forward.h"

#include <algorithm>

#include "bnn/collapse/float_algebra.h"
#include "bnn/numeric/products.h"
#include "encoders/network.h"

namespace wmi::bnn {
namespace {

/// Inputs are run so many at a time: as many as the caches hold, fewer for images.
std::size_t batch_rows(const encoders::Network& network) {
  return network.input.size() > 1 ? 16 : 256;
}

/// Writes the first `count` rows of a value behind the first `column` columns, from `row` on.
void write_rows(const FloatAlgebra::Value& value, std::size_t rows, std::size_t count,
                Matrix& target, std::size_t row, std::size_t column) {
  const std::size_t entries = encoders::entry_count(value.shape);
  for (std::size_t i = 0; i < count; ++i) {
    double* const to = target.row(row + i).data() + column;
    for (std::size_t j = 0; j < entries; ++j)
      to[j] = value.entries[value.batched ? j * rows + i : j];
  }
}

}  // namespace

Activations float_forward(const encoders::Network& network, const Weights& weights,
                          const Matrix& inputs, const std::string& layer) {
  const std::string entering = layer.empty() ? "" : entering_value(network, layer);
  const FloatAlgebra::Parameters parameters = FloatAlgebra::rounded(weights);
  const std::size_t all = inputs.rows(), batch = batch_rows(network);
  Activations result;
  for (std::size_t start = 0; start < all || start == 0; start += batch) {
    const std::size_t count = std::min(batch, all - start);
    const std::size_t rows =
        std::max<std::size_t>(1, (count + float_lanes - 1) / float_lanes) * float_lanes;
    FloatAlgebra::Value input{network.input, std::vector<float>(inputs.columns * rows), true};
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < inputs.columns; ++j)
        input.entries[j * rows + i] = static_cast<float>(inputs.at(start + i, j));
    FloatAlgebra algebra(parameters, rows);
    const auto values = encoders::run_all(
        network, algebra, input, [&](const std::string& name) { return name == entering; });
    if (start == 0) {
      std::size_t columns = 0;
      for (const std::string& name : network.output)
        columns += encoders::entry_count(values.at(name).shape);
      result.outputs = Matrix(all, columns);
      if (!entering.empty())
        result.entering = Matrix(all, encoders::entry_count(values.at(entering).shape));
    }
    std::size_t column = 0;
    for (const std::string& name : network.output) {
      write_rows(values.at(name), rows, count, result.outputs, start, column);
      column += encoders::entry_count(values.at(name).shape);
    }
    if (!entering.empty()) write_rows(values.at(entering), rows, count, result.entering, start, 0);
  }
  return result;
}

}  // namespace wmi::bnn
