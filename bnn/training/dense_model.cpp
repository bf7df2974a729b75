// Gradients of a small multilayer perceptron in plain loops. Autograd takes some hundred
// microseconds for a step whatever its size; for 50 units and 30 rows the arithmetic is a tenth of
// that. Values are stored unit by unit, the rows of the batch side by side and padded with zeros to
// a whole number of vectors, so that every inner loop runs along rows, without a remainder, and is
// vectorised. For training 32-bit floats do: what they lose is far below the noise of a batch.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bnn/numeric/products.h"
#include "bnn/numeric/random.h"
#include "bnn/training/model.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::size_t chunk = 64;  // rows that are predicted at once

struct Affine {
  std::size_t weight;
  std::size_t bias;  // or `none`
};
/// An affine layer with a weight for each entry.
struct Diagonal {
  std::size_t weight;
};
/// Of encoders::Ramps, in machine numbers.
template <class Number>
struct Ramp {
  std::size_t entry;
  Number begin;
  Number factor;  // 1 / (end - begin)
  Number low;
  Number rise;
};
template <class Number>
struct RampList {
  std::vector<Ramp<Number>> ramps;
};
struct LeakyRectifier {
  double slope;
};
struct HyperbolicTangent {};
struct Logistic {};
struct Mask {
  double keep;
};
template <class Number>
using Operation = std::variant<Affine, Diagonal, RampList<Number>, LeakyRectifier,
                               HyperbolicTangent, Logistic, Mask>;

template <class Number>
struct Step {
  Operation<Number> operation;
  std::size_t inputs;
  std::size_t outputs;
};

/// Where a value lies in a ramp: 0 at its begin, 1 at its end.
template <class Number>
Number relative(const Ramp<Number>& ramp, Number x) {
  return (x - ramp.begin) * ramp.factor;
}

/// A vector of doubles as one of these numbers, in `room` where they differ.
template <class Number>
std::span<const Number> as_numbers(std::span<const double> from, std::vector<Number>& room) {
  if constexpr (std::is_same_v<Number, double>) {
    return from;
  } else {
    room.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) room[i] = static_cast<Number>(from[i]);
    return room;
  }
}

template <class Number>
class DenseModel final : public Model {
 public:
  DenseModel(std::size_t inputs, std::vector<Step<Number>> steps)
      : inputs_(inputs), outputs_(steps.back().outputs), steps_(std::move(steps)) {
    values_.resize(steps_.size() + 1);
    slopes_.resize(steps_.size() + 1);
  }

  Matrix outputs(std::span<const double> parameters, const Matrix& inputs) override {
    Matrix result(inputs.rows(), outputs_);
    const std::span<const Number> weights = as_numbers(parameters, parameters_);
    for (std::size_t from = 0; from < inputs.rows(); from += chunk) {
      const std::size_t count = std::min(chunk, inputs.rows() - from);
      load(inputs, from, count);
      forward(weights, std::nullopt);
      unload(count, result, from);
    }
    return result;
  }

  void gradient(std::span<const double> parameters, const Matrix& inputs,
                std::optional<std::uint64_t> dropout, const Backward& backward,
                std::span<double> gradient) override {
    const std::size_t count = inputs.rows();
    load(inputs, 0, count);
    const std::span<const Number> weights = as_numbers(parameters, parameters_);
    forward(weights, dropout);
    Matrix outputs(count, outputs_), derivatives(count, outputs_);
    unload(count, outputs, 0);
    backward(outputs, derivatives);
    gradient_.assign(gradient.size(), 0);
    std::vector<Number>& last = slopes_.back();
    last.assign(outputs_ * rows_, 0);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < outputs_; ++j)
        last[j * rows_ + i] = static_cast<Number>(derivatives.at(i, j));
    for (std::size_t s = steps_.size(); s-- > 0;)
      std::visit([&](const auto& operation) { back(operation, s, weights, gradient_); },
                 steps_[s].operation);
    std::ranges::copy(gradient_, gradient.begin());
  }

 private:
  static constexpr std::size_t width = std::is_same_v<Number, float> ? float_lanes : lanes;

  void load(const Matrix& inputs, std::size_t from, std::size_t count) {
    if (inputs.columns != inputs_)
      throw Error("rows of " + std::to_string(inputs.columns) + " inputs for a network of " +
                  std::to_string(inputs_));
    rows_ = (count + width - 1) / width * width;
    values_[0].assign(inputs_ * rows_, 0);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < inputs_; ++j)
        values_[0][j * rows_ + i] = static_cast<Number>(inputs.at(from + i, j));
  }

  void unload(std::size_t count, Matrix& to, std::size_t from) const {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < outputs_; ++j) to.at(from + i, j) = values_.back()[j * rows_ + i];
  }

  void forward(std::span<const Number> parameters, std::optional<std::uint64_t> dropout) {
    masks_.clear();
    std::optional<Random> random;
    if (dropout) random.emplace(*dropout);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const std::vector<Number>& x = values_[s];
      std::vector<Number>& y = values_[s + 1];
      const Step<Number>& step = steps_[s];
      y.resize(step.outputs * rows_);
      if (const auto* affine = std::get_if<Affine>(&step.operation)) {
        for (std::size_t o = 0; o < step.outputs; ++o)
          std::fill_n(y.data() + o * rows_, rows_,
                      affine->bias == none ? Number(0) : parameters[affine->bias + o]);
        add_products(step.outputs, step.inputs, {&parameters[affine->weight], step.inputs, 1},
                     x.data(), rows_, y.data());
      } else if (const auto* diagonal = std::get_if<Diagonal>(&step.operation)) {
        for (std::size_t o = 0; o < step.outputs; ++o)
          for (std::size_t r = o * rows_; r < (o + 1) * rows_; ++r)
            y[r] = parameters[diagonal->weight + o] * x[r];
      } else if (const auto* list = std::get_if<RampList<Number>>(&step.operation)) {
        std::ranges::copy(x, y.begin());
        Number* to = y.data() + step.inputs * rows_;
        for (const Ramp<Number> ramp : list->ramps) {  // a copy, which no store can change
          const Number* const from = x.data() + ramp.entry * rows_;
          for (std::size_t r = 0; r < rows_; ++r) {
            const Number at = relative(ramp, from[r]);
            const Number above = at > 0 ? at : 0;
            to[r] = ramp.low + ramp.rise * (above < 1 ? above : 1);
          }
          to += rows_;
        }
      } else if (const auto* leaky = std::get_if<LeakyRectifier>(&step.operation)) {
        for (std::size_t i = 0; i < y.size(); ++i)
          y[i] = std::max(x[i], static_cast<Number>(leaky->slope) * x[i]);
      } else if (std::holds_alternative<HyperbolicTangent>(step.operation)) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::tanh(x[i]);
      } else if (std::holds_alternative<Logistic>(step.operation)) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1 / (1 + std::exp(-x[i]));
      } else {
        const auto keep = static_cast<Number>(std::get<Mask>(step.operation).keep);
        for (std::size_t i = 0; i < y.size(); ++i) {
          masks_.push_back(!random ? 1 : random->uniform() < double{keep} ? 1 / keep : 0);
          y[i] = masks_.back() * x[i];
        }
      }
    }
    mask_end_ = masks_.size();
  }

  /// The sum of term(0) ... term(count - 1), lane by lane; the count is a multiple of `width`.
  template <class Term>
  static Number sum(std::size_t count, const Term& term) {
    Number lane[width] = {};
    for (std::size_t i = 0; i < count; i += width)
      for (std::size_t l = 0; l < width; ++l) lane[l] += term(i + l);
    for (std::size_t half = width / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
  }

  /// Adds the gradient by the weights of an affine step, dy x'. With the inputs turned, row by row,
  /// its sums run along vectors.
  void add_weights(const Step<Number>& step, const std::vector<Number>& dy,
                   const std::vector<Number>& x, Number* gradient) {
    const std::size_t columns = (step.inputs + width - 1) / width * width;
    turned_.assign(rows_ * columns, 0);
    for (std::size_t k = 0; k < step.inputs; ++k)
      for (std::size_t r = 0; r < rows_; ++r) turned_[r * columns + k] = x[k * rows_ + r];
    products_.assign(step.outputs * columns, 0);
    add_products(step.outputs, rows_, {dy.data(), rows_, 1}, turned_.data(), columns,
                 products_.data());
    for (std::size_t o = 0; o < step.outputs; ++o)
      for (std::size_t k = 0; k < step.inputs; ++k)
        gradient[o * step.inputs + k] += products_[o * columns + k];
  }

  void back(const Affine& affine, std::size_t s, std::span<const Number> parameters,
            std::span<Number> gradient) {
    const Step<Number>& step = steps_[s];
    const std::vector<Number>& dy = slopes_[s + 1];
    add_weights(step, dy, values_[s], &gradient[affine.weight]);
    if (affine.bias != none)
      for (std::size_t o = 0; o < step.outputs; ++o)
        gradient[affine.bias + o] += sum(rows_, [&](std::size_t r) { return dy[o * rows_ + r]; });
    if (s == 0) return;
    std::vector<Number>& dx = slopes_[s];
    dx.assign(step.inputs * rows_, 0);
    add_products(step.inputs, step.outputs, {&parameters[affine.weight], 1, step.inputs}, dy.data(),
                 rows_, dx.data());
  }

  void back(const Diagonal& diagonal, std::size_t s, std::span<const Number> parameters,
            std::span<Number> gradient) {
    slopes_[s].resize(slopes_[s + 1].size());
    for (std::size_t o = 0; o < steps_[s].outputs; ++o) {
      const Number* const dy = &slopes_[s + 1][o * rows_];
      const Number* const x = &values_[s][o * rows_];
      gradient[diagonal.weight + o] += sum(rows_, [&](std::size_t r) { return dy[r] * x[r]; });
      for (std::size_t r = 0; r < rows_; ++r)
        slopes_[s][o * rows_ + r] = dy[r] * parameters[diagonal.weight + o];
    }
  }
  void back(const RampList<Number>& list, std::size_t s, std::span<const Number>,
            std::span<Number>) {
    if (s == 0) return;
    const auto inputs = static_cast<std::ptrdiff_t>(steps_[s].inputs * rows_);
    slopes_[s].assign(slopes_[s + 1].begin(), slopes_[s + 1].begin() + inputs);
    const Number* dy = slopes_[s + 1].data() + inputs;
    for (const Ramp<Number> ramp : list.ramps) {
      const Number* const x = values_[s].data() + ramp.entry * rows_;
      Number* const dx = slopes_[s].data() + ramp.entry * rows_;
      for (std::size_t r = 0; r < rows_; ++r) {
        const Number at = relative(ramp, x[r]), slope = dy[r] * ramp.rise * ramp.factor;
        dx[r] += (at > 0) & (at < 1) ? slope : 0;
      }
      dy += rows_;
    }
  }

  /// dx = dy * slope(entry), entry by entry.
  template <class Slope>
  void scale(std::size_t s, const Slope& slope) {
    slopes_[s].resize(slopes_[s + 1].size());
    for (std::size_t i = 0; i < slopes_[s].size(); ++i)
      slopes_[s][i] = slopes_[s + 1][i] * slope(i);
  }
  void back(const LeakyRectifier& leaky, std::size_t s, std::span<const Number>,
            std::span<Number>) {
    // Without a branch, which would be as often wrong as signs change.
    slopes_[s].resize(slopes_[s + 1].size());
    const Number* const x = values_[s].data();
    const Number* const dy = slopes_[s + 1].data();
    Number* const dx = slopes_[s].data();
    const auto slope = static_cast<Number>(leaky.slope);
    for (std::size_t i = 0; i < slopes_[s].size(); ++i) {
      const Number below = slope * dy[i];
      dx[i] = x[i] > 0 ? dy[i] : below;
    }
  }
  void back(const HyperbolicTangent&, std::size_t s, std::span<const Number>, std::span<Number>) {
    scale(s, [&](std::size_t i) { return 1 - values_[s + 1][i] * values_[s + 1][i]; });
  }
  void back(const Logistic&, std::size_t s, std::span<const Number>, std::span<Number>) {
    scale(s, [&](std::size_t i) { return values_[s + 1][i] * (1 - values_[s + 1][i]); });
  }
  void back(const Mask&, std::size_t s, std::span<const Number>, std::span<Number>) {
    mask_end_ -= slopes_[s + 1].size();
    scale(s, [&](std::size_t i) { return masks_[mask_end_ + i]; });
  }

  std::size_t inputs_;
  std::size_t outputs_;
  std::vector<Step<Number>> steps_;
  std::size_t rows_ = 0;                     // of the batch, padded
  std::vector<std::vector<Number>> values_;  // before each step, and after the last
  std::vector<std::vector<Number>> slopes_;  // derivatives by these
  std::vector<Number> masks_;                // of all dropout layers, one after the other
  std::size_t mask_end_ = 0;
  std::vector<Number> parameters_;
  std::vector<Number> gradient_;
  std::vector<Number> turned_, products_;  // of the gradient by weights
};

template <class Number>
RampList<Number> ramp_list(const encoders::Ramps& layer) {
  RampList<Number> result;
  const auto number = [](const Rational& value) { return static_cast<Number>(value.get_d()); };
  for (std::size_t k = 0; k < layer.size(); ++k)
    result.ramps.push_back({layer.entries[k], number(layer.begin[k]),
                            number(1 / (layer.end[k] - layer.begin[k])), number(layer.low[k]),
                            number(layer.high[k] - layer.low[k])});
  return result;
}

/// Null if the network is no chain of such layers.
template <class Number>
std::unique_ptr<Model> make_chain(const encoders::Network& network, const Layout& layout) {
  if (network.input.size() != 1 || network.layers.empty() ||
      network.output != std::vector<std::string>{network.layers.back().name})
    return nullptr;
  std::vector<Step<Number>> steps;
  std::string before = "input";
  std::size_t width = network.input[0];
  for (const encoders::NamedLayer& layer : network.layers) {
    if (layer.from != std::vector<std::string>{before}) return nullptr;
    before = layer.name;
    if (std::holds_alternative<encoders::Linear>(layer.layer)) {
      const Parameter* const weight = layout.find(layer.name + ".weight");
      const Parameter* const bias = layout.find(layer.name + ".bias");
      if (weight == nullptr || weight->shape.size() != 2 || weight->shape[1] != width ||
          (bias != nullptr && bias->shape != encoders::Shape{weight->shape[0]}))
        return nullptr;  // the tensor model reports what is wrong
      steps.push_back(
          {Affine{weight->offset, bias == nullptr ? none : bias->offset}, width, weight->shape[0]});
      width = weight->shape[0];
      continue;
    }
    if (const auto* ramps = std::get_if<encoders::Ramps>(&layer.layer)) {
      if (std::ranges::any_of(ramps->entries, [&](std::size_t e) { return e >= width; }))
        return nullptr;
      steps.push_back({ramp_list<Number>(*ramps), width, width + ramps->size()});
      width += ramps->size();
      continue;
    }
    std::optional<Operation<Number>> operation;
    if (std::holds_alternative<encoders::Affine>(layer.layer)) {
      const Parameter* const weight = layout.find(layer.name + ".weight");
      if (weight == nullptr || weight->shape != encoders::Shape{width} ||
          layout.find(layer.name + ".bias") != nullptr ||
          layout.find(layer.name + ".divisor") != nullptr)
        return nullptr;
      operation = Diagonal{weight->offset};
    } else if (std::holds_alternative<encoders::Relu>(layer.layer))
      operation = LeakyRectifier{0};
    else if (const auto* leaky = std::get_if<encoders::LeakyRelu>(&layer.layer))
      operation = LeakyRectifier{leaky->slope.get_d()};
    else if (std::holds_alternative<encoders::Tanh>(layer.layer))
      operation = HyperbolicTangent{};
    else if (std::holds_alternative<encoders::Sigmoid>(layer.layer))
      operation = Logistic{};
    else if (const auto* drop = std::get_if<encoders::Dropout>(&layer.layer))
      operation = Mask{1 - drop->drop.get_d()};
    if (!operation) return nullptr;
    steps.push_back({*operation, width, width});
  }
  return std::make_unique<DenseModel<Number>>(network.input[0], std::move(steps));
}

std::unique_ptr<Model> checked(std::unique_ptr<Model> model) {
  if (!model) throw Error("the network is no chain of linear layers and common activations");
  return model;
}

}  // namespace

std::unique_ptr<Model> try_dense_model(const encoders::Network& network, const Layout& layout,
                                       Precision precision) {
  return precision == Precision::floats ? make_chain<float>(network, layout)
                                        : make_chain<double>(network, layout);
}

std::unique_ptr<Model> make_dense_model(const encoders::Network& network, const Layout& layout) {
  return checked(try_dense_model(network, layout, Precision::doubles));
}

std::unique_ptr<Model> make_float_model(const encoders::Network& network, const Layout& layout) {
  return checked(try_dense_model(network, layout, Precision::floats));
}

}  // namespace wmi::bnn
