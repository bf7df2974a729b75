#include "frontends/networks/network.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "frontends/common/caps.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/read_file.h"
#include "frontends/common/text.h"
#include "frontends/formats/json.h"
#include "frontends/networks/description.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

using encoders::Attributes;
using encoders::NamedLayer;
using encoders::Network;
using encoders::Shape;
using wmi::to_string;

/// True for a fraction such as `1/3`, the form of numbers without a finite decimal; `2` is one too.
bool is_fraction(std::string_view text) {
  const auto digits = [](std::string_view part) {
    return !part.empty() &&
           std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  return digits(text.substr(0, slash)) &&
         (slash == std::string_view::npos || digits(text.substr(slash + 1)));
}

std::optional<Rational> number(const Json::Value& value) {
  try {
    if (value.kind() == Json::Kind::boolean) return value.text() == "true" ? 1 : 0;
    if (value.kind() == Json::Kind::number ||
        (value.kind() == Json::Kind::string && is_fraction(value.text())))
      return parse_fraction(value.text());
  } catch (const Error& error) {
    throw Error(error.what(), value.where());
  }
  return std::nullopt;
}

Attributes::Value read_attribute(const Json::Value& value) {
  if (const std::optional<Rational> single = number(value)) return *single;
  if (value.kind() == Json::Kind::string) return value.text();
  std::vector<Rational> numbers;
  bool good = value.kind() == Json::Kind::array;
  for (const Json::Value& item : good ? value.items() : std::vector<Json::Value>{}) {
    const std::optional<Rational> entry = number(item);
    if (entry) numbers.push_back(*entry);
    good = good && entry;
  }
  if (!good)
    throw Error(
        "attribute '" + shortened(value.key()) + "' must be a number, a list of numbers or a word",
        value.where());
  return numbers;
}

/// A list of names, or a single name.
std::vector<std::string> read_names(const Json::Value& value, const std::string& what) {
  if (value.kind() == Json::Kind::string) return {value.text()};
  std::vector<std::string> result;
  for (const Json::Value& item : value.expect(Json::Kind::array, what).items())
    result.push_back(item.expect(Json::Kind::string, "a name in " + what).text());
  return result;
}

NamedLayer read_layer(const Json::Value& value, const std::string& before) {
  value.expect(Json::Kind::object, "a layer");
  const std::string name = value.at("name").expect(Json::Kind::string, "'name'").text();
  try {
    const std::string type = value.at("type").expect(Json::Kind::string, "'type'").text();
    std::vector<std::string> from{before};
    std::map<std::string, Attributes::Value, std::less<>> attributes;
    for (const Json::Value& item : value.items()) {
      if (item.key() == "from")
        from = read_names(item, "'from'");
      else if (item.key() != "name" && item.key() != "type")
        attributes.emplace(item.key(), read_attribute(item));
    }
    return {name, encoders::make_layer(type, Attributes(std::move(attributes))), std::move(from)};
  } catch (const Error& error) {
    throw Error(shortened(name) + ": " + error.what(),
                error.where().line > 0 ? error.where() : value.where());
  }
}

Shape read_shape(const Json::Value& value) {
  const Error bad("'input' must be a list of natural numbers above 0, the lengths of its axes",
                  value.where());
  if (value.kind() != Json::Kind::array) throw bad;
  Shape result;
  for (const Json::Value& item : value.items()) {
    const std::string& text = item.text();
    std::size_t length = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (item.kind() != Json::Kind::number || failure != std::errc() ||
        end != text.data() + text.size() || length == 0)
      throw bad;
    result.push_back(length);
    if (length > caps::tensors || encoders::entry_count(result) > caps::tensors)
      throw Error("'input' has more than " + std::to_string(caps::tensors) + " entries",
                  value.where());
  }
  return result;
}

}  // namespace

Network parse_description(const Json::Value& root) {
  root.expect(Json::Kind::object, "a network");
  for (const Json::Value& item : root.items())
    if (item.key() != "input" && item.key() != "layers" && item.key() != "output" &&
        item.key() != "logits_of")
      throw Error("'" + shortened(item.key()) +
                      "' means nothing to a network; it has 'input', 'layers' and 'output'",
                  item.key_where());
  Network result;
  result.input = read_shape(root.at("input"));
  std::string before = "input";
  for (const Json::Value& item : root.at("layers").expect(Json::Kind::array, "'layers'").items()) {
    result.layers.push_back(read_layer(item, before));
    before = result.layers.back().name;
  }
  const std::optional<Json::Value> output = root.find("output");
  result.output = output ? read_names(*output, "'output'") : std::vector<std::string>{before};
  if (const std::optional<Json::Value> type = root.find("logits_of")) {
    result.logits_of = type->expect(Json::Kind::string, "'logits_of'").text();
    if (result.logits_of != "Softmax" && result.logits_of != "LogSoftmax")
      throw Error("'logits_of' must be Softmax or LogSoftmax", type->where());
  }
  return result;
}

namespace {

/// Parses a text; errors name it as `called`.
Network parse_description(std::string_view text, const std::string& called) {
  try {
    return parse_description(Json(text).root());
  } catch (const Error& error) {
    throw Error("in " + called + " at " + std::to_string(error.where().line) + ":" +
                std::to_string(error.where().column) + ": " + error.what());
  }
}

/// The description in the .json file beside a safetensors file.
Network read_beside(const std::string& path) {
  const fs::path beside = fs::path(path).replace_extension(".json");
  const std::string name = "'" + beside.filename().string() + "'";
  std::error_code failure;
  if (beside == fs::path(path) || !fs::exists(beside, failure))
    throw Error("no network: it has no metadata 'network', and there is no " + name + " beside it");
  std::string text;
  try {
    text = read_file(beside.string());
    if (text.size() > caps::header)
      throw Error("longer than " + std::to_string(caps::header) + " bytes");
  } catch (const Error& error) {
    throw Error(name + ": " + error.what());
  }
  return parse_description(text, name);
}

Network with_parameters(Network network, Safetensors file) {
  for (const auto& [name, tensor] : file.tensors)
    if (tensor.size() == 0) throw Error("the tensor '" + shortened(name) + "' is empty");
  network.parameters = std::move(file.tensors);
  encoders::check_names(network);
  return network;
}

}  // namespace

Network to_network(Safetensors file) {
  const auto description = file.metadata.find("network");
  if (description == file.metadata.end()) throw Error("no network: it has no metadata 'network'");
  Network network = parse_description(description->second, "the metadata 'network'");
  return with_parameters(std::move(network), std::move(file));
}

Network read_network(const std::string& path) {
  const std::string bytes = read_file(path);
  Safetensors file;
  try {
    file = parse_safetensors(bytes);
  } catch (const Error&) {
    const bool blank = bytes.find_first_not_of('\0') == std::string::npos;
    if (blank || (!path.ends_with(".onnx") && !path.ends_with(".onnx.gz"))) throw;
    throw Error(
        "an ONNX model; write it as a network file: ciber convert NET.onnx NET.safetensors");
  }
  if (file.metadata.contains("network")) return to_network(std::move(file));
  return with_parameters(read_beside(path), std::move(file));
}

// ---------------------------------------------------------------------------------------------

namespace {

JsonText written(const Rational& value) {
  const std::string text = to_string(value);
  return value.get_den() == 1 ? JsonText::verbatim(text) : JsonText(text);
}

JsonText written(const Attributes::Value& value) {
  if (const auto* const single = std::get_if<Rational>(&value)) return written(*single);
  if (const auto* const word = std::get_if<std::string>(&value)) return *word;
  JsonArray numbers(JsonSpacing::blanks);
  for (const Rational& entry : std::get<std::vector<Rational>>(value)) numbers.add(written(entry));
  return numbers;
}

/// The attributes from which the layer can be made again.
Attributes attributes(const encoders::Layer& layer) {
  return std::visit(
      []<class Type>(const Type& type) {
        if constexpr (requires { type.attributes(); }) {
          return Attributes(type.attributes());
        } else {
          static_assert(std::is_empty_v<Type>, "a layer with members says its attributes()");
          return Attributes();
        }
      },
      layer);
}

JsonObject written(const NamedLayer& layer) {
  const std::string_view type =
      std::visit([](const auto& made) { return made.keyword; }, layer.layer);
  JsonObject result(JsonSpacing::blanks);
  result.add("name", layer.name)
      .add("type", type)
      .add("from", JsonArray::of(layer.from, JsonSpacing::blanks));
  const Attributes made_from = attributes(layer.layer);
  for (const auto& [name, value] : made_from.values()) result.add(name, written(value));
  return result;
}

}  // namespace

std::string description(const Network& network) {
  JsonArray layers(JsonSpacing::blanks);
  for (const NamedLayer& layer : network.layers) layers.line(2).add(written(layer));
  JsonObject result(JsonSpacing::blanks);
  result.add("input", JsonArray::of(network.input, JsonSpacing::blanks))
      .line(1)
      .add("layers", layers)
      .line(1)
      .add("output", JsonArray::of(network.output, JsonSpacing::blanks));
  if (!network.logits_of.empty()) result.line(1).add("logits_of", network.logits_of);
  return result.text() + "\n";
}

Safetensors to_safetensors(const Network& network) {
  encoders::check_names(network);
  return {network.parameters, {{"network", description(network)}}};
}

void write_network(const std::string& path, const Network& network) {
  write_safetensors(path, to_safetensors(network));
}

}  // namespace wmi::frontends
