#include "frontends/ciber/verify/property_formula.h"

#include <algorithm>
#include <utility>

#include "solver/terms/decimal.h"

namespace wmi::frontends {
namespace {

using Kind = PropertyNode::Kind;

constexpr unsigned slack_bits = 40;
constexpr std::size_t longest_text = 160;  // characters
constexpr std::size_t most_regions = 100, most_region_nodes = 5'000'000;

PropertyNode constant(bool value) { return {value ? Kind::all : Kind::any}; }

bool is_constant(const PropertyNode& node) {
  return node.kind != Kind::atom && node.children.empty();
}

/// The values of an affine form for variables in these intervals.
Interval range(const LinearForm& form, std::span<const Interval> values) {
  Interval result(form.constant);
  for (const auto& [variable, coefficient] : form.coefficients) {
    const Interval& value = values[variable];
    const bool rises = coefficient > 0;
    result.lower += coefficient * (rises ? value.lower : value.upper);
    result.upper += coefficient * (rises ? value.upper : value.lower);
  }
  return result;
}

/// `2*X_0 - Y_1`, without the constant.
std::string form_text(const Property& property, const LinearForm& form, bool positive) {
  std::string result;
  for (const auto& [variable, coefficient] : form.coefficients) {
    if ((coefficient > 0) != positive) continue;
    if (!result.empty()) result += " + ";
    const Rational size = abs(coefficient);
    if (size != 1) result += decimal(size, 17) + "*";
    result += variable < property.inputs ? "X_" + std::to_string(variable)
                                         : "Y_" + std::to_string(variable - property.inputs);
  }
  return result;
}

/// `Y_1 <= Y_0 + 0.5`: what is subtracted stands on the other side.
std::string atom_text(const Property& property, const Atom& atom) {
  std::string left = form_text(property, atom.form, true);
  std::string right = form_text(property, atom.form, false);
  const Rational& constant = atom.form.constant;
  const std::string sign = atom.comparison == Comparison::less ? "<" : "<=";
  if (right.empty()) return left + " " + sign + " " + decimal(-constant, 17);
  if (left.empty()) return right + (sign == "<" ? " > " : " >= ") + decimal(constant, 17);
  if (constant < 0) right += " + " + decimal(-constant, 17);
  if (constant > 0) left += " + " + decimal(constant, 17);
  return left + " " + sign + " " + right;
}

}  // namespace

bool mentions_output(const Property& property, const Atom& atom) {
  // Variables ascend, and outputs come last.
  return !atom.form.coefficients.empty() &&
         atom.form.coefficients.back().first >= property.output(0);
}

std::vector<bool> mentions_output(const Property& property) {
  std::vector<bool> result;
  for (const PropertyNode& node : property.nodes)
    result.push_back(node.kind == Kind::atom
                         ? mentions_output(property, node.atom)
                         : std::ranges::any_of(node.children,
                                               [&](std::uint32_t child) { return result[child]; }));
  return result;
}

bool compares_outputs_only(const Property& property) {
  return std::ranges::all_of(property.nodes, [&](const PropertyNode& node) {
    if (node.kind != Kind::atom || !mentions_output(property, node.atom)) return true;
    const auto& terms = node.atom.form.coefficients;
    return terms.size() == 2 && terms[0].first >= property.output(0) &&
           terms[0].second == -terms[1].second && node.atom.form.constant == 0;
  });
}

Property input_region(Property property) {
  for (PropertyNode& node : property.nodes)
    if (node.kind == Kind::atom && mentions_output(property, node.atom)) node = constant(true);
  return property;
}

Property simplified(const Property& property, std::span<const Interval> box) {
  Property result = property;
  for (PropertyNode& node : result.nodes) {
    if (node.kind == Kind::atom) {
      if (mentions_output(property, node.atom)) continue;
      const Interval values = range(node.atom.form, box);
      if (holds(values.upper, node.atom.comparison))
        node = constant(true);
      else if (!holds(values.lower, node.atom.comparison))
        node = constant(false);
      continue;
    }
    const bool neutral = node.kind == Kind::all;  // true in a conjunction, false in a disjunction
    std::vector<std::uint32_t> kept;
    bool decided = false;
    for (const std::uint32_t child : node.children) {
      const PropertyNode& below = result.nodes[child];
      if (!is_constant(below))
        kept.push_back(child);
      else if ((below.kind == Kind::all) != neutral)
        decided = true;
    }
    node = decided ? constant(!neutral) : PropertyNode{node.kind, {}, std::move(kept)};
  }
  std::erase_if(result.asserts, [&](std::uint32_t node) {
    return is_constant(result.nodes[node]) && result.nodes[node].kind == Kind::all;
  });
  return result;
}

bool trivially_true(const Property& property) { return property.asserts.empty(); }

Property relaxed(Property property) {
  for (PropertyNode& node : property.nodes) {
    if (node.kind != Kind::atom) continue;
    LinearForm& form = node.atom.form;
    Rational size = abs(form.constant);
    for (const auto& [variable, coefficient] : form.coefficients) size += abs(coefficient);
    mpq_div_2exp(size.get_mpq_t(), size.get_mpq_t(), slack_bits);
    form.constant -= size;
  }
  return property;
}

std::vector<Property> unsafe_regions(const Property& property) {
  const std::vector<bool> about_outputs = mentions_output(property);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < property.asserts.size(); ++i) {
    const std::uint32_t node = property.asserts[i];
    if (property.nodes[node].kind == Kind::any && about_outputs[node]) found.push_back(i);
  }
  if (found.size() != 1) return {property};
  const std::vector<std::uint32_t>& disjuncts = property.nodes[property.asserts[found[0]]].children;
  if (disjuncts.size() > most_regions ||
      disjuncts.size() * property.nodes.size() > most_region_nodes)
    return {property};
  std::vector<Property> result;
  for (const std::uint32_t child : disjuncts) {
    result.push_back(property);
    result.back().asserts[found[0]] = child;
  }
  return result;
}

bool certainly_holds(const Property& property, std::span<const Interval> values) {
  std::vector<bool> result;
  for (const PropertyNode& node : property.nodes) {
    const auto holds_below = [&](std::uint32_t child) { return result[child]; };
    result.push_back(node.kind == Kind::atom
                         ? holds(range(node.atom.form, values).upper, node.atom.comparison)
                     : node.kind == Kind::all ? std::ranges::all_of(node.children, holds_below)
                                              : std::ranges::any_of(node.children, holds_below));
  }
  return std::ranges::all_of(property.asserts, [&](std::uint32_t node) { return result[node]; });
}

Event to_event(const Property& property, Terms& terms, std::span<const Term> values) {
  std::vector<Event> events;
  const auto combined = [&](const std::vector<std::uint32_t>& nodes, bool all) -> Event {
    std::vector<Formula> certain, possible;
    for (const std::uint32_t node : nodes) {
      certain.push_back(events[node].certain);
      possible.push_back(events[node].possible);
    }
    return all ? Event{terms.all(certain), terms.all(possible)}
               : Event{terms.any(certain), terms.any(possible)};
  };
  for (const PropertyNode& node : property.nodes) {
    if (node.kind != Kind::atom) {
      events.push_back(combined(node.children, node.kind == Kind::all));
      continue;
    }
    Polynomial lower(node.atom.form.constant), upper = lower;
    bool exact = true;
    for (const auto& [variable, coefficient] : node.atom.form.coefficients) {
      const Term& value = values[variable];
      const Polynomial factor(coefficient);
      exact = exact && value.exact();
      lower = lower + factor * (coefficient > 0 ? value.lower : value.upper());
      if (!value.exact() || !exact)
        upper = upper + factor * (coefficient > 0 ? value.upper() : value.lower);
      else
        upper = lower;
    }
    const Formula possible = terms.compare(lower, node.atom.comparison);
    events.push_back({exact ? possible : terms.compare(upper, node.atom.comparison), possible});
  }
  return combined(property.asserts, true);
}

std::string property_text(const Property& property) {
  const std::vector<bool> about_outputs = mentions_output(property);
  std::vector<std::string> texts;
  const auto joined = [&](const std::vector<std::uint32_t>& nodes, bool all) {
    std::vector<std::uint32_t> shown;
    for (const std::uint32_t node : nodes)
      if (about_outputs[node]) shown.push_back(node);
    std::string result;
    for (const std::uint32_t node : shown) {
      if (!result.empty()) result += all ? " and " : " or ";
      const PropertyNode& part = property.nodes[node];
      const bool bracket =
          shown.size() > 1 && part.children.size() > 1 && (part.kind == Kind::all) != all;
      result += bracket ? "(" + texts[node] + ")" : texts[node];
      if (result.size() > longest_text) {
        result.resize(longest_text);
        result += "...";
        return result;
      }
    }
    return result;
  };
  for (std::size_t i = 0; i < property.nodes.size(); ++i) {
    const PropertyNode& node = property.nodes[i];
    texts.push_back(!about_outputs[i]         ? ""
                    : node.kind == Kind::atom ? atom_text(property, node.atom)
                                              : joined(node.children, node.kind == Kind::all));
  }
  const std::string result = joined(property.asserts, true);
  return result.empty() ? "true" : result;
}

}  // namespace wmi::frontends
