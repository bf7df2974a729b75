#include <algorithm>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/tensors.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Tensor;

Constant integers(const std::vector<std::int64_t>& values) {
  Constant result{ElementType::int64, {{values.size()}, {}}, ""};
  for (const std::int64_t value : values) result.tensor.entries.emplace_back(long{value});
  return result;
}

}  // namespace

std::vector<Value> translate_constant(Call& call) {
  const auto& attributes = call.node().attributes;
  if (attributes.size() != 1) throw Error("must have one attribute, its value");
  const auto& [name, value] = *attributes.begin();
  call.ignore({name});
  if (const auto* const tensor = std::get_if<Constant>(&value)) {
    Constant result = *tensor;
    result.origin = call.node().outputs.at(0);
    return {result};
  }
  if (const auto* const real = std::get_if<Rational>(&value))
    return {Constant{ElementType::real, {{}, {*real}}, ""}};
  if (const auto* const reals = std::get_if<std::vector<Rational>>(&value))
    return {Constant{ElementType::real, {{reals->size()}, *reals}, ""}};
  if (const auto* const integer = std::get_if<std::int64_t>(&value))
    return {Constant{ElementType::int64, {{}, {Rational(long{*integer})}}, ""}};
  if (const auto* const list = std::get_if<std::vector<std::int64_t>>(&value))
    return {integers(*list)};
  throw Error("attribute '" + name + "' is not supported; numbers and tensors are");
}

std::vector<Value> translate_constant_of_shape(Call& call) {
  encoders::Shape shape;
  for (const std::int64_t length : call.input_integers(0)) {
    if (length < 0) throw Error("an axis of length " + std::to_string(length));
    shape.push_back(static_cast<std::size_t>(length));
  }
  allowed_count(shape);
  Constant result{ElementType::real, {}, ""};
  Rational entry = 0;
  if (const Constant* const value = call.tensor("value")) {
    if (value->tensor.size() != 1) throw Error("attribute 'value' must have one entry");
    result.type = value->type;
    entry = value->tensor.entries[0];
  }
  result.tensor = Tensor<Rational>::filled(shape, entry);
  return {result};
}

std::vector<Value> translate_shape(Call& call) {
  const encoders::Shape& shape = call.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto clamped = [&](std::int64_t axis) {
    return std::clamp(axis < 0 ? axis + rank : axis, std::int64_t{0}, rank);
  };
  const std::int64_t start = clamped(call.integer("start", 0)),
                     end = clamped(call.integer("end", rank));
  std::vector<std::int64_t> lengths;
  for (std::int64_t axis = start; axis < end; ++axis)
    lengths.push_back(static_cast<std::int64_t>(shape[static_cast<std::size_t>(axis)]));
  return {integers(lengths)};
}

// Values are exact, so a cast between floats changes nothing. Of constants, one to integers rounds
// towards 0.
std::vector<Value> translate_cast(Call& call) {
  const ElementType to = element_type(call.integer("to"));
  call.ignore({"saturate", "round_mode"});
  const Constant* const constant = call.constant_if(0);
  if (constant == nullptr) {
    if (to != ElementType::real)
      throw Error("rounds a value that depends on the input of the network");
    return {call.value(0)};
  }
  Constant result = *constant;
  result.type = to;
  for (Rational& entry : result.tensor.entries) {
    if (is_integer(to)) entry = Rational(Integer(entry.get_num() / entry.get_den()));
    if (to == ElementType::boolean) entry = entry == 0 ? 0 : 1;
  }
  check_entries(to, result.tensor.entries);
  return {result};
}

}  // namespace wmi::frontends::onnx
