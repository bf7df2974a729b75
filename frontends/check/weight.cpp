#include "frontends/check/weight.h"

#include <map>

namespace wmi::check {
namespace {

constexpr std::size_t most_booleans = 20;  // summed over at once

/// Weights that share Booleans, and all Booleans that they wait for.
struct Group {
  std::set<std::uint32_t> booleans;
  std::vector<const Weight*> weights;
};

/// The Booleans that a weight waits for; none if it is settled.
std::set<std::uint32_t> waits_for(const Path& path, const Weight& weight) {
  const Truth condition = path.truth(weight.condition);
  if (condition == Truth::no || (condition == Truth::yes && path.known(weight.value))) return {};
  Roots roots;
  add(roots, weight);
  std::set<std::uint32_t> result = path.waiting(roots).booleans;
  if (result.empty()) throw Rejected("a weight is not determined in a cell");
  return result;
}

/// Over all values of so many Booleans, to which all belong that the weights wait for.
Polynomial summed(Path& path, const Cell& cell, const std::vector<const Weight*>& weights,
                  std::size_t booleans) {
  Roots all;
  for (const Weight* const weight : weights) add(all, *weight);
  decide(path, cell, all);
  Polynomial result;
  for (const Weight* const weight : weights) {
    const std::set<std::uint32_t> open = waits_for(path, *weight);
    if (open.empty()) continue;
    for (const bool holds : {false, true}) {
      path.mark();
      path.set_boolean(*open.begin(), holds);
      result += summed(path, cell, weights, booleans - 1);
      path.undo();
    }
    return result;
  }
  result = Rational(Integer(1) << booleans);
  for (const Weight* const weight : weights)
    if (path.truth(weight->condition) == Truth::yes) result = result * path.value(weight->value);
  return result;
}

}  // namespace

void decide(Path& path, const Cell& cell, const Roots& roots) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const std::uint32_t atom : path.waiting(roots).atoms) {
      if (path.truth({atom, false}) != Truth::unknown) continue;
      const int side = cell.side(path.form_of(atom));
      if (side != 0) path.decide(atom, side < 0);
      progress |= side != 0;
    }
  }
}

/// Weights that share a Boolean are summed together, others are multiplied.
Polynomial summed_weight(Place& here, const Cell& cell) {
  std::vector<Group> groups;
  std::vector<const Weight*> settled;
  for (const Weight* const weight : here.part.weights) {
    Group joined{waits_for(here.path, *weight), {weight}};
    if (joined.booleans.empty()) {
      settled.push_back(weight);
      continue;
    }
    std::erase_if(groups, [&](Group& group) {
      if (std::ranges::none_of(group.booleans,
                               [&](auto boolean) { return joined.booleans.contains(boolean); }))
        return false;
      joined.booleans.merge(group.booleans);
      joined.weights.insert(joined.weights.end(), group.weights.begin(), group.weights.end());
      return true;
    });
    groups.push_back(std::move(joined));
  }
  std::size_t free = here.free_booleans();
  Polynomial result = summed(here.path, cell, settled, 0);
  for (const Group& group : groups) {
    if (group.booleans.size() > most_booleans) throw Rejected("weights wait for many Booleans");
    free -= group.booleans.size();
    result = result * summed(here.path, cell, group.weights, group.booleans.size());
  }
  return result *= Rational(Integer(1) << free);
}

/// A weight that hangs on an undecided Boolean alone counts where it holds; others that are not
/// known may be 1 as well.
Interval range_of_weight(const Place& here, Ranges& ranges) {
  struct Ways {
    Interval holding = Rational(1), failing = Rational(1);
  };
  std::map<std::uint32_t, Ways> booleans;
  Interval result = Rational(1);
  for (const Weight* const weight : here.part.weights) {
    const Truth condition = here.path.truth(weight->condition);
    if (condition == Truth::no) continue;
    Interval value = ranges.of(weight->value);
    const Node& node = here.problem.terms.node(weight->condition.node());
    const bool on_boolean = condition == Truth::unknown && node.kind == Kind::boolean;
    if (condition == Truth::unknown && !on_boolean) value = hull(value, Rational(1));
    Interval& factor = !on_boolean                   ? result
                       : weight->condition.negated() ? booleans[node.index].failing
                                                     : booleans[node.index].holding;
    factor = factor * value;
  }
  for (const auto& [boolean, ways] : booleans) {
    const bool add = ways.holding.lower >= 0 && ways.failing.lower >= 0;
    result = result * (add ? ways.holding + ways.failing
                           : hull(ways.holding, ways.failing) * Interval(Rational(2)));
  }
  const Rational free = Integer(1) << (here.free_booleans() - booleans.size());
  return hull(result * Interval(free), Interval());
}

}  // namespace wmi::check
