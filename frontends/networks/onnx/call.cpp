#include "frontends/networks/onnx/call.h"

#include <algorithm>
#include <limits>

#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {

std::string Call::name() const {
  return layer_name(node_.called(), layer_name(node_.type, "layer"));
}

std::string Call::name_by(const Constant& weight) const {
  const std::string owner = owner_name(weight.origin, "weight");
  return owner.empty() ? name() : owner;
}

const Value& Call::value(std::size_t i) const {
  if (!has(i)) throw Error("input " + std::to_string(i) + " is missing");
  return *inputs_[i];
}

Activation Call::activation(std::size_t i) const {
  if (const Constant* const constant = constant_if(i))
    return builder_.constant(layer_name(node_.inputs[i], name() + "_constant"), constant->tensor);
  return std::get<Activation>(value(i));
}

const Constant* Call::constant_if(std::size_t i) const { return std::get_if<Constant>(&value(i)); }

const Constant& Call::constant(std::size_t i) const {
  const Constant* const found = constant_if(i);
  if (found == nullptr)
    throw Error("'" + shortened(node_.inputs[i]) +
                "' depends on the input of the network, where a constant is supported only");
  return *found;
}

std::vector<std::int64_t> Call::input_integers(std::size_t i) const {
  std::vector<std::int64_t> result;
  for (const Rational& entry : constant(i).tensor.entries) {
    if (entry.get_den() != 1 || !entry.get_num().fits_slong_p())
      throw Error("'" + shortened(node_.inputs[i]) + "' must be integers");
    result.push_back(entry.get_num().get_si());
  }
  return result;
}

Rational Call::input_number(std::size_t i) const {
  const Constant& found = constant(i);
  if (found.tensor.size() != 1)
    throw Error("'" + shortened(node_.inputs[i]) + "' must be a single number");
  return found.tensor.entries[0];
}

template <class Kind>
const Kind* Call::find(std::string_view name, const char* what) {
  asked_.emplace(name);
  const auto found = node_.attributes.find(name);
  if (found == node_.attributes.end()) return nullptr;
  const Kind* const value = std::get_if<Kind>(&found->second);
  if (value == nullptr) throw Error("attribute '" + std::string(name) + "' must be " + what);
  return value;
}

std::int64_t Call::integer(std::string_view name, std::optional<std::int64_t> otherwise) {
  if (const auto* const found = find<std::int64_t>(name, "an integer")) return *found;
  if (!otherwise) throw Error("attribute '" + std::string(name) + "' is missing");
  return *otherwise;
}

Rational Call::real(std::string_view name, std::optional<Rational> otherwise) {
  if (const auto* const found = find<Rational>(name, "a number")) return *found;
  if (!otherwise) throw Error("attribute '" + std::string(name) + "' is missing");
  return *otherwise;
}

std::string Call::word(std::string_view name, std::string_view otherwise) {
  const auto* const found = find<std::string>(name, "a word");
  return found != nullptr ? *found : std::string(otherwise);
}

std::optional<std::vector<std::int64_t>> Call::integers(std::string_view name) {
  const auto* const found = find<std::vector<std::int64_t>>(name, "a list of integers");
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

const Constant* Call::tensor(std::string_view name) { return find<Constant>(name, "a tensor"); }

void Call::ignore(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) asked_.emplace(name);
}

void Call::finish() const {
  for (const auto& [name, value] : node_.attributes)
    if (!asked_.contains(name)) throw Error("attribute '" + shortened(name) + "' is not supported");
  for (std::size_t i = inputs_asked_; i < inputs_.size(); ++i)
    if (inputs_[i] != nullptr)
      throw Error("input '" + shortened(node_.inputs[i]) + "' is not supported");
}

std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  const auto length = static_cast<std::int64_t>(rank);
  if (axis < -length || axis >= length)
    throw Error("there is no axis " + std::to_string(axis) + " of " + std::to_string(rank));
  return static_cast<std::size_t>(axis < 0 ? axis + length : axis);
}

std::vector<std::size_t> axes_of(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<std::size_t> result;
  result.reserve(axes.size());
  for (const std::int64_t axis : axes) result.push_back(axis_of(axis, rank));
  std::ranges::sort(result);
  if (std::ranges::adjacent_find(result) != result.end()) throw Error("an axis is given twice");
  return result;
}

}  // namespace wmi::frontends::onnx
