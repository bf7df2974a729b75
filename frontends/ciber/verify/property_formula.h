#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontends/ciber/event.h"
#include "frontends/formats/vnnlib.h"
#include "solver/terms/interval.h"

// Operations on the formula of a property. All are loops over its nodes, bottom up.

namespace wmi::frontends {

/// Does the atom name an output?
bool mentions_output(const Property& property, const Atom& atom);
/// Of each node: does an atom in it name an output?
std::vector<bool> mentions_output(const Property& property);

/// Does every atom that names an output compare two outputs, as Y_0 <= Y_1?
bool compares_outputs_only(const Property& property);

/// The input region: the property with each atom about outputs replaced by true.
Property input_region(Property property);

/// The property with each atom about inputs alone that is true, or false, in the whole box replaced
/// by that, and what follows from it. A conjunction without children is true, a disjunction
/// without children is false.
Property simplified(const Property& property, std::span<const Interval> box);

/// Is it true, as simplified?
bool trivially_true(const Property& property);

/// The property with every atom loosened: form <= 0 becomes form <= slack, where the slack is
/// 2^-40 times the sum of the sizes of its numbers. Every point of the property has a neighbourhood
/// in the same inputs and outputs where the loosened property is true.
Property relaxed(Property property);

/// The parts of which the property is the union: the disjuncts of the only assert that is a
/// disjunction about outputs, each with all other asserts; the property itself, if there is no such
/// assert, there are several, or the disjuncts are very many.
std::vector<Property> unsafe_regions(const Property& property);

/// Whether the property certainly holds for all values (inputs, then outputs) in these intervals.
bool certainly_holds(const Property& property, std::span<const Interval> values);

/// The property as an event: `values` are the terms of inputs and outputs.
Event to_event(const Property& property, Terms& terms, std::span<const Term> values);

/// `Y_1 <= Y_0 and (Y_2 >= 0.5 or ...)`; what it says of inputs alone is left out, and so is the
/// end of a long text.
std::string property_text(const Property& property);

}  // namespace wmi::frontends
