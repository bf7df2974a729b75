#include "frontends/ciber/query_arguments.h"

#include <optional>
#include <string_view>

#include "frontends/ciber/joint_unknown.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

using encoders::Network;
using encoders::Outcome;
using encoders::Unknown;

encoders::Tensor<Rational> read_input(const Network& network, const std::string& text) {
  auto input = encoders::Tensor<Rational>::filled(network.input, 0);
  if (text.empty()) return input;
  std::vector<Rational> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    try {
      numbers.push_back(parse_fraction(rest.substr(0, comma)));
    } catch (const Error& error) {
      throw Error(std::string("--input: ") + error.what());
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() != input.size())
    throw Error("--input: " + std::to_string(numbers.size()) + " numbers for an input of shape " +
                encoders::to_string(network.input));
  input.entries = std::move(numbers);
  return input;
}

std::vector<Unknown> read_unknowns(const std::vector<std::string>& texts) {
  std::vector<Unknown> result;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
      throw Error("--unknown '" + text + "': write NAME=DENSITY, as in fc2.bias[0]=[-1,1]");
    try {
      const std::string name = text.substr(0, sign), law = text.substr(sign + 1);
      if (const auto joint = read_joint_normal(name, law)) {
        for (Unknown& unknown : encoders::unknowns_of(*joint)) result.push_back(std::move(unknown));
        continue;
      }
      result.push_back({name, encoders::parse_density(law)});
    } catch (const Error& error) {
      throw Error("--unknown '" + text + "': " + error.what());
    }
  }
  return result;
}

Outcome read_likelihood(const std::string& text) {
  if (text.empty()) return {};
  const auto argument = [&](std::string_view name) -> std::optional<Rational> {
    if (!text.starts_with(name) || text.size() < name.size() + 2 || text[name.size()] != '(' ||
        !text.ends_with(')'))
      return std::nullopt;
    return parse_fraction(
        std::string_view(text).substr(name.size() + 1, text.size() - name.size() - 2));
  };
  try {
    if (const auto radius = argument("triangular")) return encoders::TriangularOutcome{*radius};
    if (const auto reach = argument("cubic")) return encoders::CubicSigmoid{*reach};
  } catch (const Error& error) {
    throw Error("--likelihood '" + text + "': " + error.what());
  }
  throw Error("--likelihood '" + text + "': write triangular(RADIUS) or cubic(REACH)");
}

}  // namespace wmi::frontends
