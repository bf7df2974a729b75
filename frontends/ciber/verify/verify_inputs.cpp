#include "frontends/ciber/verify/verify_inputs.h"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "encoders/density.h"
#include "frontends/ciber/query_arguments.h"
#include "frontends/ciber/verify/input_box.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/text.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Density;
using encoders::Network;

std::string name_of(std::size_t input) { return "X_" + std::to_string(input); }

std::string interval_text(const Interval& interval) {
  return "[" + decimal(interval.lower, 17) + ", " + decimal(interval.upper, 17) + "]";
}

/// The number of the input that `X_3` names. Throws Error.
std::size_t input_number(std::string_view name, std::size_t inputs, const std::string& option) {
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const bool named = name.starts_with("X_");
  const auto [stop, error] = std::from_chars(name.data() + (named ? 2 : 0), end, number);
  if (!named || error != std::errc() || stop != end || number >= inputs)
    throw Error("--" + option + ": '" + shortened(name) + "' is no input; they are X_0 to " +
                name_of(inputs - 1));
  return number;
}

struct GivenLaw {
  std::string text;
  Density density;
  std::optional<Rational> share =
      {};  // of half-widths: the deviation of a normal law in the middle
};

/// `normal(1/3)`: around the middle of each interval; nullopt for any other law. Throws Error.
std::optional<GivenLaw> read_relative(const std::string& text) {
  constexpr std::string_view name = "normal(";
  if (!text.starts_with(name) || !text.ends_with(')') || text.find(',') != std::string::npos)
    return std::nullopt;
  const Rational share = parse_fraction(text.substr(name.size(), text.size() - name.size() - 1));
  if (share <= 0)
    throw Error("normal(SHARE) needs a share of the half-width above 0, as its deviation");
  return GivenLaw{text, {Law(), "", encoders::NormalLaw{0, 1}}, share};
}

struct Laws {
  std::optional<GivenLaw> general;
  std::map<std::size_t, GivenLaw> single;
};

Laws read_laws(const std::vector<std::string>& texts, std::size_t inputs) {
  Laws result;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    const std::string law = sign == std::string::npos ? text : text.substr(sign + 1);
    try {
      std::optional<GivenLaw> relative = read_relative(law);
      GivenLaw given = relative ? *relative : GivenLaw{law, encoders::parse_density(law)};
      const bool fresh =
          sign == std::string::npos
              ? !std::exchange(result.general, std::move(given))
              : result.single
                    .emplace(input_number(text.substr(0, sign), inputs, "law"), std::move(given))
                    .second;
      if (!fresh) throw Error("there are two laws for the same inputs");
    } catch (const Error& error) {
      const std::string what = error.what();
      throw Error(what.starts_with("--law") ? what : "--law '" + text + "': " + what);
    }
  }
  return result;
}

void check_sizes(const Network& network, const Property& property) {
  const std::size_t inputs = encoders::entry_count(network.input);
  if (inputs != property.inputs)
    throw Error("the property is about " + std::to_string(property.inputs) +
                " inputs, but the input of the network has shape " +
                encoders::to_string(network.input));
}

/// The law on the interval, with mass 1. Throws Error if it does not reach there.
Density conditioned(const GivenLaw& given, const Interval& interval, std::size_t input) {
  if (given.share) {
    const Rational deviation = *given.share * (interval.upper - interval.lower) / 2;
    return {Law::uniform(interval.lower, interval.upper), "",
            encoders::NormalLaw{interval.midpoint(), deviation * deviation}};
  }
  if (given.density.normal && !given.density.bounded())
    return {Law::uniform(interval.lower, interval.upper), "", given.density.normal};
  Law law = given.density.law.restricted(interval.lower, interval.upper);
  if (law.zero() || law.mass() == 0)
    throw Error("--law: " + given.text + " has no mass on the interval " + interval_text(interval) +
                " of " + name_of(input));
  return {law.normalised(), given.density.instead_of, given.density.normal};
}

}  // namespace

VerifyInputs read_verify_inputs(const Network& network, const Property& property,
                                const VerifyArguments& arguments) {
  check_sizes(network, property);
  VerifyInputs result;
  result.box = input_box(property);
  const Laws laws = read_laws(arguments.laws, property.inputs);
  std::set<std::size_t> free;
  if (!arguments.free.empty())
    for (const std::string& name : comma_separated(arguments.free))
      free.insert(input_number(name, property.inputs, "free"));
  if (arguments.free.empty() && !arguments.input.empty())
    throw Error("--input: needs --free, which says which inputs are not fixed");
  std::optional<encoders::Tensor<Rational>> given;
  if (!arguments.input.empty()) given = read_input(network, arguments.input);

  result.fixed = encoders::Tensor<Rational>::filled(network.input, 0);
  bool uniform = false;
  for (std::size_t i = 0; i < property.inputs; ++i) {
    Interval& box = result.box[i];
    const auto single = laws.single.find(i);
    const auto fix = [&](const Rational& value) {
      if (!box.contains(value))
        throw Error("the value " + decimal(value, 17) + " of " + name_of(i) +
                    " is outside its interval " + interval_text(box));
      box = Interval(value);
    };
    const bool constant = box.exact();
    if (!constant && !arguments.free.empty() && !free.contains(i)) {
      if (single != laws.single.end())
        throw Error("--law: " + name_of(i) + " is not among the inputs of --free");
      fix(given ? given->entries[i] : box.midpoint());
      result.whole = false;
    }
    if (constant && single != laws.single.end())
      throw Error("--law: the property fixes " + name_of(i) + " to " + decimal(box.lower, 17));
    const std::string name = "input" + encoders::index_name(network.input, i);
    if (!box.exact()) {
      const GivenLaw* const law = single != laws.single.end() ? &single->second
                                  : laws.general              ? &*laws.general
                                                              : nullptr;
      if (law != nullptr && law->density.number()) {
        fix(*law->density.number());
        result.whole = false;
      } else {
        const Density on_box{Law::uniform(box.lower, box.upper), ""};
        result.uniform.push_back({name, on_box});
        result.unknowns.push_back({name, law == nullptr ? on_box : conditioned(*law, box, i)});
        uniform = uniform || law == nullptr;
      }
    }
    result.support.push_back(box.exact() ? box : result.unknowns.back().density.law.support());
    result.fixed.entries[i] = box.lower;
  }
  if (uniform)
    result.assumptions.emplace_back(laws.single.empty()
                                        ? "inputs: uniform on the input region"
                                        : "inputs without a law: uniform on the input region");
  const auto described = [](const GivenLaw& law) {
    return (law.share ? "normal around the middles of their intervals, with deviations of " +
                            to_string(*law.share) + " times their half-widths"
                      : law.text) +
           ", given the input region";
  };
  if (laws.general) result.assumptions.push_back("inputs: " + described(*laws.general));
  for (const auto& [input, law] : laws.single)
    result.assumptions.push_back(name_of(input) + ": " + described(law));
  if (!arguments.free.empty())
    result.assumptions.push_back(
        "inputs other than " + arguments.free +
        (given ? ": fixed at the given numbers" : ": fixed at the midpoints of their intervals"));

  for (encoders::Unknown& weight : read_unknowns(arguments.unknowns)) {
    if (weight.name.starts_with("input["))
      throw Error("--unknown: '" + weight.name +
                  "' is an input; the property bounds it, and --law X_0=LAW gives it a law");
    if (weight.hidden || weight.combination)
      throw Error("--unknown: joint laws have no bounds, and are for 'ciber query'");
    if (!weight.density.bounded())
      throw Error("--unknown: the law of '" + weight.name +
                  "' needs bounds: normal(mean, deviation, from, to)");
    const std::optional<Rational> value = weight.density.number();
    const Interval support = weight.density.law.support();
    result.uniform.push_back(
        value ? weight
              : encoders::Unknown{weight.name, {Law::uniform(support.lower, support.upper), ""}});
    result.assumptions.push_back("weight " + weight.name + ": random, independent of the inputs");
    result.unknowns.push_back(std::move(weight));
    result.whole = false;
  }
  return result;
}

}  // namespace wmi::frontends
