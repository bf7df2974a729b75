#include "frontends/ciber/verify/input_box.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Bounds of an input, as far as it has any.
struct Bounds {
  std::optional<Rational> lower, upper;

  bool empty() const { return lower && upper && *lower > *upper; }
};

/// Of the inputs that have bounds; nullopt: nothing satisfies it.
using Box = std::optional<std::map<Variable, Bounds>>;

void intersect(Bounds& a, const Bounds& b) {
  if (b.lower && (!a.lower || *b.lower > *a.lower)) a.lower = b.lower;
  if (b.upper && (!a.upper || *b.upper < *a.upper)) a.upper = b.upper;
}

Bounds hull(const Bounds& a, const Bounds& b) {
  Bounds result;
  if (a.lower && b.lower) result.lower = std::min(*a.lower, *b.lower);
  if (a.upper && b.upper) result.upper = std::max(*a.upper, *b.upper);
  return result;
}

Box box_of(const Atom& atom, std::size_t inputs) {
  const LinearForm& form = atom.form;
  if (form.coefficients.empty())
    return holds(form.constant, atom.comparison) ? Box(std::in_place) : std::nullopt;
  std::map<Variable, Bounds> result;
  if (form.coefficients.size() == 1 && form.coefficients[0].first < inputs) {
    const auto& [variable, coefficient] = form.coefficients[0];
    const Rational bound = -form.constant / coefficient;
    (coefficient > 0 ? result[variable].upper : result[variable].lower) = bound;
  }
  return result;
}

/// The intersection; the larger box takes in the smaller one. Inputs that become empty stay, so
/// that a message can name them.
Box intersection(Box a, Box b) {
  if (!a || !b) return std::nullopt;
  if (a->size() < b->size()) std::swap(a, b);
  for (const auto& [variable, bounds] : *b) intersect((*a)[variable], bounds);
  return a;
}

bool empty(const Box& box) {
  return !box || std::ranges::any_of(*box, [](const auto& entry) { return entry.second.empty(); });
}

Box hull(const Box& a, const Box& b) {
  if (empty(a)) return b;
  if (empty(b)) return a;
  std::map<Variable, Bounds> result;
  for (const auto& [variable, bounds] : *a)
    if (const auto other = b->find(variable); other != b->end())
      result.emplace(variable, hull(bounds, other->second));
  return result;
}

}  // namespace

std::vector<Interval> input_box(const Property& property) {
  std::vector<Box> boxes;
  std::vector<std::size_t> uses(property.nodes.size());
  for (const PropertyNode& node : property.nodes)
    for (const std::uint32_t child : node.children) ++uses[child];
  for (const std::uint32_t node : property.asserts) ++uses[node];
  const auto take = [&](std::uint32_t node) {
    return --uses[node] == 0 ? std::move(boxes[node]) : boxes[node];
  };
  for (const PropertyNode& node : property.nodes) {
    if (node.kind == PropertyNode::Kind::atom) {
      boxes.push_back(box_of(node.atom, property.inputs));
      continue;
    }
    const bool all = node.kind == PropertyNode::Kind::all;
    Box box = all ? Box(std::in_place) : std::nullopt;
    for (const std::uint32_t child : node.children)
      box = all ? intersection(std::move(box), take(child)) : hull(box, take(child));
    boxes.push_back(std::move(box));
  }
  Box whole(std::in_place);
  for (const std::uint32_t node : property.asserts)
    whole = intersection(std::move(whole), take(node));
  if (!whole) throw Error("the input region is empty: an assert has no solution");

  std::vector<Interval> result;
  for (Variable input = 0; input < property.inputs; ++input) {
    const std::string name = "X_" + std::to_string(input);
    const Bounds& bounds = (*whole)[input];
    if (!bounds.lower || !bounds.upper)
      throw Error("input " + name + " has no " + (bounds.lower ? "upper" : "lower") +
                  " bound; assert one, as in (assert (" + (bounds.lower ? "<= " : ">= ") + name +
                  " 1))");
    if (bounds.empty())
      throw Error("the input region is empty: " + name + " is at least " +
                  decimal(*bounds.lower, 17) + " and at most " + decimal(*bounds.upper, 17));
    result.emplace_back(*bounds.lower, *bounds.upper);
  }
  return result;
}

}  // namespace wmi::frontends
