#include "bnn/torch/forward.h"

#include <algorithm>

#include "bnn/torch/tensors.h"
#include "encoders/network.h"

namespace wmi::bnn {
namespace {

/// Inputs are run so many at a time.
constexpr std::size_t batch_rows = 4096;

/// Writes the entries of a batch behind the first `column` columns, from `row` on.
void write_rows(const torch::Tensor& values, Matrix& target, std::size_t row, std::size_t column) {
  const torch::Tensor doubles = values.to(torch::kDouble).contiguous();
  const double* from = doubles.data_ptr<double>();
  const auto rows = static_cast<std::size_t>(doubles.size(0));
  const auto columns = static_cast<std::size_t>(doubles.size(1));
  for (std::size_t i = 0; i < rows; ++i, from += columns)
    std::copy_n(from, columns, target.row(row + i).begin() + static_cast<std::ptrdiff_t>(column));
}

}  // namespace

Activations torch_forward(const encoders::Network& network, const Weights& weights,
                          const Matrix& inputs, const std::string& layer) {
  const std::string entering = layer.empty() ? "" : entering_value(network, layer);
  std::map<std::string, torch::Tensor, std::less<>> parameters;
  for (const auto& [name, tensor] : weights) {
    std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    parameters.emplace(
        name, torch::tensor(tensor.entries, torch::kDouble).reshape(shape).to(torch::kFloat));
  }
  const torch::NoGradGuard no_gradients;
  const std::size_t rows = inputs.rows();
  Activations result;
  for (std::size_t start = 0; start < rows || start == 0; start += batch_rows) {
    const std::size_t count = std::min(batch_rows, rows - start);
    const torch::Tensor batch =
        torch::from_blob(
            const_cast<double*>(inputs.entries.data()) + start * inputs.columns,
            {static_cast<std::int64_t>(count), static_cast<std::int64_t>(inputs.columns)},
            torch::kDouble)
            .to(torch::kFloat);
    TensorAlgebra algebra(parameters, false);
    const auto values =
        encoders::run_all(network, algebra, TensorAlgebra::Value{batch, network.input});
    const auto of = [&](const std::string& name) {
      const torch::Tensor& entries = values.at(name).entries;
      return entries.dim() == 2
                 ? entries
                 : entries.expand({static_cast<std::int64_t>(count), entries.size(0)});
    };
    if (start == 0) {
      std::size_t columns = 0;
      for (const std::string& name : network.output)
        columns += encoders::entry_count(values.at(name).shape);
      result.outputs = Matrix(rows, columns);
      if (!entering.empty())
        result.entering = Matrix(rows, encoders::entry_count(values.at(entering).shape));
    }
    std::size_t column = 0;
    for (const std::string& name : network.output) {
      write_rows(of(name), result.outputs, start, column);
      column += encoders::entry_count(values.at(name).shape);
    }
    if (!entering.empty()) write_rows(of(entering), result.entering, start, 0);
    if (rows == 0) break;
  }
  return result;
}

}  // namespace wmi::bnn
