#include "frontends/check/weight.h"

#include <functional>

namespace wmi::check {
namespace {

constexpr std::size_t most_booleans = 20;  // summed over at once

using Booleans = std::set<std::uint32_t>;

/// How weights are summed.
struct Rule {
  std::function<Booleans(const Weight&)> waits_for;  // some that are not decided
  std::function<Polynomial(const Weight&)> factor;   // of one that waits for none
};

/// Their product, summed over all values of the Booleans. Those that share a Boolean are summed
/// together, others are multiplied.
Polynomial summed(Path& path, std::vector<const Weight*> weights, Booleans booleans,
                  const Rule& rule) {
  Polynomial result = 1;
  while (!weights.empty()) {
    Booleans shared = rule.waits_for(*weights.back());
    if (shared.empty()) {
      if (path.truth(weights.back()->condition) != Truth::no)
        result = result * rule.factor(*weights.back());
      weights.pop_back();
      continue;
    }
    std::vector<const Weight*> group;
    while (std::erase_if(weights, [&](const Weight* weight) {
      const Booleans own = rule.waits_for(*weight);
      const bool joins = std::ranges::any_of(own, [&](auto one) { return shared.contains(one); });
      if (joins) shared.insert(own.begin(), own.end());
      if (joins) group.push_back(weight);
      return joins;
    })) {
    }
    if (shared.size() > most_booleans) throw Rejected("weights wait for many Booleans");
    for (const std::uint32_t boolean : shared)
      if (booleans.erase(boolean) == 0) throw Rejected("a weight has a Boolean of another part");
    const std::uint32_t first = shared.extract(shared.begin()).value();
    Polynomial sum;
    for (const bool holds : {false, true}) {
      path.mark();
      path.set_boolean(first, holds);
      sum += summed(path, group, shared, rule);
      path.undo();
    }
    result = result * sum;
  }
  return result *= Rational(Integer(1) << booleans.size());
}

}  // namespace

Polynomial summed_weight(Place& here) {
  const Path& path = here.path;
  const auto waits_for = [&](const Weight& weight) {
    const Truth condition = path.truth(weight.condition);
    if (condition == Truth::no || (condition == Truth::yes && path.known(weight.value)))
      return Booleans();
    Booleans result = path.needs({{weight.condition}, {weight.value}}).booleans;
    if (result.empty()) throw Rejected("a weight is not determined in a cell");
    return result;
  };
  return summed(here.path, here.part.weights, here.undecided(),
                {waits_for, [&](const Weight& weight) { return path.value(weight.value); }});
}

/// A weight that hangs on an undecided Boolean alone counts where it holds; others that are not
/// known may be 1 as well. The formula may hold for some values of the Booleans only, so what is
/// above 0 and what is below are added up apart: as p + n j, with j^2 = 1 in products.
Interval range_of_weight(Place& here, const Ranges& ranges) {
  const Polynomial below = Polynomial::variable(0);
  const auto waits_for = [&](const Weight& weight) {
    const Node& node = here.problem.terms.node(weight.condition.node());
    const bool waits =
        node.kind == Kind::boolean && here.path.truth(weight.condition) == Truth::unknown;
    return waits ? Booleans{node.index} : Booleans();
  };
  const auto factor = [&](const Weight& weight) {
    Interval range = ranges.of(weight.value);
    if (here.path.truth(weight.condition) == Truth::unknown) range = hull(range, Rational(1));
    range = hull(range, Rational(0));
    return Polynomial(range.upper) - range.lower * below;
  };
  const Polynomial sum =
      summed(here.path, here.part.weights, here.undecided(), {waits_for, factor});
  Interval result;
  for (const auto& [powers, size] : sum.terms())
    if (degree(powers) % 2 == 0)
      result.upper += size;
    else
      result.lower -= size;
  return result;
}

}  // namespace wmi::check
