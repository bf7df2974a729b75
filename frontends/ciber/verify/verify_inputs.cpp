#include "frontends/ciber/verify/verify_inputs.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "encoders/density.h"
#include "encoders/joint_normal.h"
#include "frontends/ciber/joint_unknown.h"
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

/// A joint normal law of inputs, by their numbers.
struct JointLaw {
  std::vector<std::size_t> inputs;
  encoders::JointNormal law;
};

struct Laws {
  std::optional<GivenLaw> general;
  std::map<std::size_t, GivenLaw> single;
  std::vector<JointLaw> joint;

  bool has_joint(std::size_t input) const {
    return std::ranges::any_of(joint, [&](const JointLaw& one) {
      return std::ranges::find(one.inputs, input) != one.inputs.end();
    });
  }
};

/// `X_0,X_1` and `normal(MEANS, COVARIANCE)`; without names, of all inputs.
JointLaw read_joint_law(const std::string& names, const std::string& law,
                        const encoders::Shape& shape) {
  const std::size_t inputs = encoders::entry_count(shape);
  JointLaw result;
  if (names.empty())
    for (std::size_t i = 0; i < inputs; ++i) result.inputs.push_back(i);
  else
    for (const std::string& name : comma_separated(names))
      result.inputs.push_back(input_number(name, inputs, "law"));
  result.law = *read_joint_normal("all inputs", law);
  result.law.names.clear();
  for (const std::size_t input : result.inputs)
    result.law.names.push_back("input" + encoders::index_name(shape, input));
  return result;
}

Laws read_laws(const std::vector<std::string>& texts, const encoders::Shape& shape) {
  const std::size_t inputs = encoders::entry_count(shape);
  Laws result;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    const std::string law = sign == std::string::npos ? text : text.substr(sign + 1);
    try {
      if (is_joint_normal(law)) {
        JointLaw joint =
            read_joint_law(sign == std::string::npos ? "" : text.substr(0, sign), law, shape);
        std::set<std::size_t> members;
        for (const std::size_t input : joint.inputs)
          if (!members.insert(input).second || result.has_joint(input))
            throw Error("there are two laws for the same inputs");
        result.joint.push_back(std::move(joint));
        continue;
      }
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
  for (const auto& [input, law] : result.single)
    if (result.has_joint(input)) throw Error("--law: there are two laws of " + name_of(input));
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

std::vector<encoders::Unknown> unknowns_of(const JointLaw& joint) {
  try {
    return encoders::unknowns_of(joint.law);
  } catch (const Error& error) {
    throw Error(std::string("--law: ") + error.what());
  }
}

/// Throws Error if some combination of the entries of a joint law is a number: a box around them would
/// have points that they never take.
void check_full_rank(const std::vector<encoders::Unknown>& unknowns, const std::string& option) {
  std::size_t hidden = 0, sums = 0;
  for (const encoders::Unknown& unknown : unknowns) {
    if (unknown.hidden) ++hidden;
    if (unknown.combination) ++sums;
  }
  if (hidden < sums)
    throw Error("--" + option + ": the covariance of a joint law must not be singular here");
}

/// 2^k that is at least the square root, and less than three times as large.
Rational rough_root(const Rational& square) {
  const auto bits = static_cast<long>(mpz_sizeinbase(square.get_num_mpz_t(), 2)) -
                    static_cast<long>(mpz_sizeinbase(square.get_den_mpz_t(), 2)) + 1;
  const long exponent = bits >= 0 ? (bits + 1) / 2 : -(-bits / 2);
  return power(exponent < 0 ? ratio(1, 2) : Rational(2),
               static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
}

/// Most of the values of a normal law, in which counterexamples are looked for.
encoders::Unknown likely(const std::string& name, const Rational& mean, const Rational& variance) {
  const Rational reach = 4 * rough_root(variance);
  return {name, {Law::uniform(mean - reach, mean + reach), ""}};
}

/// The same weights, each uniform where it has most of its mass. Joint laws come after the hidden
/// unknowns that they are sums of.
std::vector<encoders::Unknown> on_box(const std::vector<encoders::Unknown>& weights) {
  std::map<std::string, Rational> variances;
  std::vector<encoders::Unknown> result;
  for (const encoders::Unknown& weight : weights) {
    const Density& density = weight.density;
    if (weight.hidden) {
      variances.emplace(weight.name, density.normal->variance);
    } else if (weight.combination) {
      Rational variance = 0;
      for (const auto& [name, factor] : weight.combination->terms)
        variance += factor * factor * variances.at(name);
      result.push_back(likely(weight.name, weight.combination->constant, variance));
    } else if (!density.bounded()) {
      result.push_back(likely(weight.name, density.normal->mean, density.normal->variance));
    } else if (density.number()) {
      result.push_back(weight);
    } else {
      const Interval support = density.law.support();
      result.push_back({weight.name, {Law::uniform(support.lower, support.upper), ""}});
    }
  }
  return result;
}

}  // namespace

Point point_in_box(const VerifyInputs& inputs, const Point& reals) {
  std::map<std::string, Rational> values;
  std::size_t next = 0;
  for (const encoders::Unknown& unknown : inputs.unknowns) {
    if (unknown.combination) {
      Rational value = unknown.combination->constant;
      for (const auto& [name, factor] : unknown.combination->terms)
        value += factor * values.at(name);
      values.emplace(unknown.name, std::move(value));
    } else if (!unknown.density.number()) {
      values.emplace(unknown.name, reals.at(next++));
    }
  }
  Point result;
  for (const encoders::Unknown& entry : inputs.uniform)
    if (!entry.density.number()) result.push_back(values.at(entry.name));
  return result;
}

VerifyInputs read_verify_inputs(const Network& network, const Property& property,
                                const VerifyArguments& arguments) {
  check_sizes(network, property);
  VerifyInputs result;
  result.box = input_box(property);
  const Laws laws = read_laws(arguments.laws, network.input);
  for (const JointLaw& joint : laws.joint) {
    std::vector<encoders::Unknown> unknowns = unknowns_of(joint);
    check_full_rank(unknowns, "law");
    for (const encoders::Unknown& unknown : unknowns)
      if (!unknown.combination && unknown.density.number())
        throw Error("--law: the joint law makes a constant of " + unknown.name +
                    "; leave it out, and fix it by --free and --input");
    std::ranges::move(unknowns, std::back_inserter(result.unknowns));
  }
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
    const bool constant = box.exact(), joint = laws.has_joint(i);
    const bool own = joint || single != laws.single.end();
    if (!constant && !arguments.free.empty() && !free.contains(i)) {
      if (own) throw Error("--law: " + name_of(i) + " is not among the inputs of --free");
      fix(given ? given->entries[i] : box.midpoint());
      result.whole = false;
    }
    if (constant && own)
      throw Error("--law: the property fixes " + name_of(i) + " to " + decimal(box.lower, 17));
    const std::string name = "input" + encoders::index_name(network.input, i);
    if (!box.exact()) {
      const GivenLaw* const law = single != laws.single.end() ? &single->second
                                  : laws.general && !joint    ? &*laws.general
                                                              : nullptr;
      if (law != nullptr && law->density.number()) {
        fix(*law->density.number());
        result.whole = false;
      } else {
        const Density even{Law::uniform(box.lower, box.upper), ""};
        result.uniform.push_back({name, even});
        if (!joint)
          result.unknowns.push_back({name, law == nullptr ? even : conditioned(*law, box, i)});
        uniform = uniform || (law == nullptr && !joint);
      }
    }
    result.support.push_back(box.exact() || joint ? box
                                                  : result.unknowns.back().density.law.support());
    result.fixed.entries[i] = box.lower;
  }
  if (uniform)
    result.assumptions.emplace_back(laws.single.empty() && laws.joint.empty()
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
  for (const JointLaw& joint : laws.joint) {
    std::string names;
    for (const std::size_t input : joint.inputs)
      names += (names.empty() ? "" : ", ") + name_of(input);
    result.assumptions.push_back(names + ": a joint normal law, given the input region");
  }
  if (!arguments.free.empty())
    result.assumptions.push_back(
        "inputs other than " + arguments.free +
        (given ? ": fixed at the given numbers" : ": fixed at the midpoints of their intervals"));

  std::vector<encoders::Unknown> weights = read_unknowns(arguments.unknowns);
  check_full_rank(weights, "unknown");
  std::ranges::move(on_box(weights), std::back_inserter(result.uniform));
  for (encoders::Unknown& weight : weights) {
    if (weight.name.starts_with("input["))
      throw Error("--unknown: '" + weight.name +
                  "' is an input; the property bounds it, and --law X_0=LAW gives it a law");
    result.bounded = result.bounded && !weight.hidden && weight.density.bounded();
    if (!weight.hidden)
      result.assumptions.push_back("weight " + weight.name + ": random, independent of the inputs");
    result.unknowns.push_back(std::move(weight));
    result.whole = false;
  }
  return result;
}

}  // namespace wmi::frontends
