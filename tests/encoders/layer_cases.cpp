#include "tests/encoders/layer_cases.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/encoders/random_values.h"
#include "tests/encoders/window_cases.h"

namespace wmi::encoders {
namespace {

/// A layer that applies a function to each entry.
LayerCase entry_by_entry(std::mt19937& random,
                         const std::function<Rational(const Rational&)>& function) {
  LayerCase result;
  result.inputs = {some_tensor(some_shape(random), random)};
  result.expected = result.inputs[0];
  for (Rational& entry : result.expected.entries) entry = function(entry);
  return result;
}

Rational kept(const Rational& x, const Rational& low, const Rational& high) {
  return x < low ? low : x > high ? high : x;
}

LayerCase linear(std::mt19937& random) {
  const std::size_t out = between(random, 1, 4), in = between(random, 1, 4);
  const std::size_t rows = coin(random) ? 1 : between(random, 2, 3);
  LayerCase result;
  result.inputs = {some_tensor(rows == 1 ? Shape{in} : Shape{rows, in}, random)};
  const Tensor<Rational> weight = some_tensor({out, in}, random), bias = some_tensor({out}, random);
  const bool has_bias = coin(random);
  result.parameters["weight"] = weight;
  if (has_bias) result.parameters["bias"] = bias;
  result.expected = Tensor<Rational>::filled(rows == 1 ? Shape{out} : Shape{rows, out}, 0);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < out; ++i) {
      Rational& y = result.expected.entries[row * out + i];
      if (has_bias) y = bias.entries[i];
      for (std::size_t j = 0; j < in; ++j)
        y += weight.entries[i * in + j] * result.inputs[0].entries[row * in + j];
    }
  return result;
}

LayerCase batch_norm(std::mt19937& random) {
  const Shape shape = some_shape(random);
  LayerCase result;
  result.inputs = {some_tensor(shape, random)};
  const bool affine = coin(random);
  Tensor<Rational> variance = some_tensor({shape[0]}, random);
  const Tensor<Rational> mean = some_tensor({shape[0]}, random);
  const Tensor<Rational> weight = some_tensor({shape[0]}, random);
  const Tensor<Rational> bias = some_tensor({shape[0]}, random);
  // The square root of variance + eps is 1 or 1/2, so that nothing is rounded.
  Numbers roots;
  const Rational eps = ratio(1, 8);
  for (Rational& entry : variance.entries) {
    const Rational root = ratio(1, 1 << between(random, 0, 1));
    entry = root * root - eps;
    roots.push_back(root);
  }
  result.attributes["eps"] = eps;
  result.parameters = {{"running_var", variance}, {"running_mean", mean}};
  if (affine) {
    result.parameters["weight"] = weight;
    result.parameters["bias"] = bias;
  }
  result.expected = result.inputs[0];
  for (std::size_t i = 0; i < result.expected.size(); ++i) {
    const std::size_t c = i / (result.expected.size() / shape[0]);
    Rational& y = result.expected.entries[i];
    y = (y - mean.entries[c]) / roots[c];
    if (affine) y = y * weight.entries[c] + bias.entries[c];
  }
  return result;
}

LayerCase leaky_relu(std::mt19937& random) {
  const Rational slope = number_of(between(random, 0, 4)) / 4;
  LayerCase result = entry_by_entry(
      random, [&](const Rational& x) -> Rational { return x >= 0 ? x : Rational(slope * x); });
  result.attributes["slope"] = slope;
  return result;
}

LayerCase prelu(std::mt19937& random) {
  const Shape shape = some_shape(random);
  const bool one = coin(random);
  LayerCase result;
  result.inputs = {some_tensor(shape, random)};
  const Tensor<Rational> weight = some_tensor({one ? 1 : shape[0]}, random);
  result.parameters["weight"] = weight;
  result.expected = result.inputs[0];
  for (std::size_t i = 0; i < result.expected.size(); ++i) {
    Rational& y = result.expected.entries[i];
    if (y < 0) y *= weight.entries[one ? 0 : i / (result.expected.size() / shape[0])];
  }
  return result;
}

LayerCase hardtanh(std::mt19937& random) {
  if (coin(random)) return entry_by_entry(random, [](const Rational& x) { return kept(x, -1, 1); });
  const Rational low = some_number(random), high = low + number_of(between(random, 0, 4));
  LayerCase result = entry_by_entry(random, [&](const Rational& x) { return kept(x, low, high); });
  result.attributes = {{"min", low}, {"max", high}};
  return result;
}

LayerCase maxout(std::mt19937& random) {
  const std::size_t pieces = between(random, 1, 3), groups = between(random, 1, 3);
  const std::size_t inner = between(random, 1, 3);
  LayerCase result;
  const bool planes = coin(random);
  result.inputs = {
      some_tensor(planes ? Shape{groups * pieces, inner, 1} : Shape{groups * pieces}, random)};
  result.attributes["pieces"] = number_of(pieces);
  const std::size_t size = planes ? inner : 1;
  result.expected.shape = planes ? Shape{groups, inner, 1} : Shape{groups};
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t i = 0; i < size; ++i) {
      Rational greatest = -1000;
      for (std::size_t p = 0; p < pieces; ++p)
        greatest = std::max(greatest, result.inputs[0].entries[(g * pieces + p) * size + i]);
      result.expected.entries.push_back(greatest);
    }
  return result;
}

LayerCase piecewise_linear(std::mt19937& random) {
  Numbers at, values;
  for (std::size_t n = between(random, 1, 4); n > 0; --n) {
    at.push_back((at.empty() ? Rational(-2) : at.back()) + ratio(between(random, 1, 3), 2));
    values.push_back(some_number(random));
  }
  const bool slopes = coin(random);
  const Rational left = slopes ? some_number(random) : Rational(0);
  const Rational right = slopes ? some_number(random) : Rational(0);
  LayerCase result = entry_by_entry(random, [&](const Rational& x) -> Rational {
    if (x <= at.front()) return values.front() + left * (x - at.front());
    if (x >= at.back()) return values.back() + right * (x - at.back());
    std::size_t i = 0;
    while (at[i + 1] < x) ++i;
    const Rational part = (x - at[i]) / (at[i + 1] - at[i]);
    return (1 - part) * values[i] + part * values[i + 1];
  });
  result.attributes = {{"at", at}, {"values", values}};
  if (slopes) {
    result.attributes["left_slope"] = left;
    result.attributes["right_slope"] = right;
  }
  return result;
}

LayerCase quantiser(std::mt19937& random) {
  const Rational step = number_of(between(random, 1, 4)) / 2, low = some_number(random);
  const std::size_t steps = between(random, 0, 4);
  const Rational high = low + number_of(steps) * step;
  LayerCase result = entry_by_entry(random, [&](const Rational& x) {
    Rational best = low;
    for (Rational value = low; value <= high; value += step)
      if (abs(x - value) <= abs(x - best)) best = value;
    return best;
  });
  result.attributes = {{"step", step}, {"low", low}, {"high", high}};
  return result;
}

LayerCase flatten(std::mt19937& random) {
  LayerCase result = entry_by_entry(random, [](const Rational& x) { return x; });
  result.expected.shape = {result.expected.entries.size()};
  return result;
}

LayerCase sign(std::mt19937& random) {
  const bool zero = coin(random);
  LayerCase result = entry_by_entry(random, [&](const Rational& x) -> Rational {
    return x < 0 ? -1 : x > 0 || !zero ? 1 : 0;
  });
  if (zero) result.attributes["at_zero"] = Rational(0);
  return result;
}

LayerCase rearrange(std::mt19937& random) {
  LayerCase result;
  const Tensor<Rational> x = some_tensor(some_shape(random), random);
  result.inputs = {x};
  if (coin(random)) {  // another shape alone
    result.expected = x;
    result.expected.shape = coin(random) ? Shape{1, x.size()} : Shape{x.size(), 1, 1};
  } else {
    const Rational fill = coin(random) ? some_number(random) : Rational(0);
    result.expected = Tensor<Rational>::filled(some_shape(random), fill);
    Numbers entries;
    for (Rational& entry : result.expected.entries) {
      const bool padding = between(random, 0, 3) == 0;
      const std::size_t from = between(random, 0, x.size() - 1);
      entries.push_back(padding ? Rational(-1) : number_of(from));
      if (!padding) entry = x.entries[from];
    }
    result.attributes["entries"] = entries;
    if (fill != 0) result.attributes["fill"] = fill;
  }
  Numbers shape;
  for (const std::size_t length : result.expected.shape) shape.push_back(number_of(length));
  result.attributes["shape"] = shape;
  return result;
}

LayerCase ramps(std::mt19937& random) {
  LayerCase result;
  const std::size_t inputs = between(random, 1, 4), count = between(random, 0, 4);
  result.inputs = {some_tensor({inputs}, random)};
  result.expected = Tensor<Rational>::filled({inputs + count}, 0);
  Numbers entries, from, to, low, high;
  for (std::size_t k = 0; k < inputs; ++k) result.expected.entries[k] = result.inputs[0].entries[k];
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t entry = between(random, 0, inputs - 1);
    entries.push_back(number_of(entry));
    from.push_back(k > 0 && coin(random) ? to.back() : some_number(random));
    to.push_back(from.back() + number_of(between(random, 1, 5)) / 2);
    low.push_back(some_number(random));
    high.push_back(some_number(random));
    const Rational x = kept(result.inputs[0].entries[entry], from[k], to[k]);
    result.expected.entries[inputs + k] =
        ((to[k] - x) * low[k] + (x - from[k]) * high[k]) / (to[k] - from[k]);
  }
  result.attributes["entries"] = entries;
  result.attributes["begin"] = from;
  result.attributes["end"] = to;
  result.attributes["low"] = low;
  result.attributes["high"] = high;
  return result;
}

LayerCase affine(std::mt19937& random) {
  const Shape shape{between(random, 1, 3), between(random, 1, 3), between(random, 1, 3)};
  LayerCase result;
  result.inputs = {some_tensor(shape, random)};
  result.expected = result.inputs[0];
  for (const char* const name : {"weight", "bias", "divisor"}) {
    if (coin(random)) continue;
    Shape small = shape;
    for (std::size_t& length : small)
      if (coin(random)) length = 1;
    Tensor<Rational> tensor = some_tensor(small, random);
    const bool divides = std::string(name) == "divisor";
    for (Rational& entry : tensor.entries)
      if (divides && entry == 0) entry = 3;
    for (std::size_t i = 0, next = 0; i < shape[0]; ++i)
      for (std::size_t j = 0; j < shape[1]; ++j)
        for (std::size_t k = 0; k < shape[2]; ++k) {
          const Rational& entry =
              tensor.entries[(i % small[0] * small[1] + j % small[1]) * small[2] + k % small[2]];
          Rational& y = result.expected.entries[next++];
          if (divides)
            y /= entry;
          else if (std::string(name) == "bias")
            y += entry;
          else
            y *= entry;
        }
    if (small[0] == 1 && coin(random)) tensor.shape.erase(tensor.shape.begin());
    result.parameters[name] = tensor;
  }
  return result;
}

LayerCase extreme(std::mt19937& random, bool greatest) {
  const Shape shape = some_shape(random);
  LayerCase result;
  for (std::size_t n = between(random, 1, 3); n > 0; --n) {
    result.inputs.push_back(some_tensor(shape, random));
    if (result.inputs.size() == 1) result.expected = result.inputs[0];
    for (std::size_t i = 0; i < result.expected.size(); ++i) {
      Rational& y = result.expected.entries[i];
      const Rational& x = result.inputs.back().entries[i];
      if (greatest ? x > y : x < y) y = x;
    }
  }
  return result;
}

LayerCase add(std::mt19937& random) {
  const Shape shape = some_shape(random);
  LayerCase result;
  result.expected = Tensor<Rational>::filled(shape, 0);
  for (std::size_t n = between(random, 1, 3); n > 0; --n) {
    result.inputs.push_back(some_tensor(shape, random));
    for (std::size_t i = 0; i < result.expected.size(); ++i)
      result.expected.entries[i] += result.inputs.back().entries[i];
  }
  return result;
}

LayerCase concatenate(std::mt19937& random) {
  const Shape shape{between(random, 1, 3), between(random, 1, 3), between(random, 1, 3)};
  const std::size_t axis = between(random, 0, 2);
  LayerCase result;
  result.attributes["axis"] = number_of(axis);
  Shape to = shape;
  to[axis] = 0;
  for (std::size_t n = between(random, 1, 3); n > 0; --n) {
    Shape mine = shape;
    mine[axis] = between(random, 1, 3);
    to[axis] += mine[axis];
    result.inputs.push_back(some_tensor(mine, random));
  }
  result.expected = Tensor<Rational>::filled(to, 0);
  std::size_t start = 0;
  for (const Tensor<Rational>& input : result.inputs) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < input.shape[0]; ++i)
      for (std::size_t j = 0; j < input.shape[1]; ++j)
        for (std::size_t k = 0; k < input.shape[2]; ++k) {
          std::size_t index[] = {i, j, k};
          index[axis] += start;
          result.expected.entries[(index[0] * to[1] + index[1]) * to[2] + index[2]] =
              input.entries[next++];
        }
    start += input.shape[axis];
  }
  return result;
}

LayerCase dropout(std::mt19937& random) {
  const Rational p = number_of(between(random, 0, 3)) / 4;
  const bool masks = coin(random);
  std::vector<bool> kept_entries;
  LayerCase result = entry_by_entry(random, [&](const Rational& x) -> Rational {
    if (!masks || p == 0) return x;
    const bool keep = coin(random);
    kept_entries.push_back(keep);
    return keep ? Rational(x / (1 - p)) : Rational(0);
  });
  result.masks = kept_entries;
  result.attributes["p"] = p;
  if (masks || coin(random))
    result.attributes["mode"] = std::string(masks ? "masks" : "evaluation");
  return result;
}

/// A smooth layer, inside its range and beyond.
LayerCase smooth(std::mt19937& random, long double (*function)(long double), int reach) {
  LayerCase result = entry_by_entry(random, [](const Rational& x) { return x; });
  const std::string side = coin(random) ? "lower" : "upper";
  result.attributes["side"] = side;
  result.attributes["low"] = Rational(-reach - static_cast<int>(between(random, 0, 2)));
  result.attributes["high"] = Rational(reach + static_cast<int>(between(random, 0, 2)));
  result.attributes["pieces"] = number_of(between(random, 4, 12));
  result.slack = ratio(1, 1'000'000'000'000);
  for (std::size_t i = 0; i < result.expected.size(); ++i) {
    Rational& x = result.inputs[0].entries[i];
    x *= number_of(between(random, 1, 3));
    result.expected.entries[i] =
        Rational(static_cast<double>(function(static_cast<long double>(x.get_d()))));
  }
  return result;
}

using Generator = std::function<LayerCase(std::mt19937&)>;

const std::map<std::string, Generator, std::less<>>& generators() {
  const auto each = [](Rational (*function)(const Rational&)) -> Generator {
    return [=](std::mt19937& random) { return entry_by_entry(random, function); };
  };
  const auto smooth_one = [](std::string type, long double (*function)(long double), int reach) {
    return std::pair<const std::string, Generator>(
        std::move(type), [=](std::mt19937& random) { return smooth(random, function, reach); });
  };
  static const std::map<std::string, Generator, std::less<>> result{
      {"linear", linear},
      {"conv2d", convolution_case},
      {"batch_norm", batch_norm},
      {"relu", each([](const Rational& x) -> Rational { return x > 0 ? x : Rational(0); })},
      {"leaky_relu", leaky_relu},
      {"prelu", prelu},
      {"relu6", each([](const Rational& x) { return kept(x, 0, 6); })},
      {"hardtanh", hardtanh},
      {"hardsigmoid", each([](const Rational& x) { return kept((x + 3) / 6, 0, 1); })},
      {"abs", each([](const Rational& x) -> Rational { return x < 0 ? Rational(-x) : x; })},
      {"maxout", maxout},
      {"piecewise_linear", piecewise_linear},
      {"ramps", ramps},
      {"sign", sign},
      {"step", each([](const Rational& x) -> Rational { return x < 0 ? 0 : 1; })},
      {"quantiser", quantiser},
      smooth_one(
          "tanh", [](long double x) { return std::tanh(x); }, 2),
      smooth_one(
          "sigmoid", [](long double x) { return 1 / (1 + std::exp(-x)); }, 3),
      smooth_one(
          "gelu", [](long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; }, 2),
      smooth_one(
          "softplus",
          [](long double x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x))); }, 3),
      smooth_one(
          "hardswish", [](long double x) { return x * std::clamp(x + 3, 0.0L, 6.0L) / 6; }, 3),
      {"max_pool", [](std::mt19937& random) { return pooling_case(random, false); }},
      {"avg_pool", [](std::mt19937& random) { return pooling_case(random, true); }},
      {"flatten", flatten},
      {"rearrange", rearrange},
      {"add", add},
      {"affine", affine},
      {"maximum", [](std::mt19937& random) { return extreme(random, true); }},
      {"minimum", [](std::mt19937& random) { return extreme(random, false); }},
      {"concatenate", concatenate},
      {"dropout", dropout},
  };
  return result;
}

}  // namespace

Network LayerCase::network(std::string_view type) const {
  Network result;
  result.layers.push_back({"layer", make_layer(type, Attributes(attributes)), {"input"}});
  result.output = {"layer"};
  if (!inputs.empty()) result.input = inputs[0].shape;
  for (const auto& [name, tensor] : parameters) result.parameters["layer." + name] = tensor;
  return result;
}

LayerCase random_case(std::string_view type, std::mt19937& random) {
  const auto found = generators().find(type);
  if (found == generators().end()) throw std::out_of_range("no case for " + std::string(type));
  return found->second(random);
}

}  // namespace wmi::encoders
