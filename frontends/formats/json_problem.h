#pragma once

#include <string>
#include <vector>

#include "frontends/formats/json.h"
#include "frontends/formats/lisp.h"

namespace wmi::frontends {

/// Parses the Lisp term in a JSON string, with the locations of its parts in the file. `what` names
/// the string in messages.
Tree read_lisp(const Json::Value& string, const std::string& what);

/// The exact value of a JSON number.
Rational read_number(const Json::Value& number, const std::string& what);

/// Declares a variable of the domain: `name` and `type` are strings.
void declare(const Json::Value& name, const Json::Value& type, Declarations& declarations);

/// Adds the bounds `[lower, upper]` of a real to `assertions`; null is no bound.
void add_bounds(const std::string& name, const Json::Value& bounds, Declarations& declarations,
                std::vector<Formula>& assertions);

/// The rest of a wmpy or pywmi file, once its domain is declared: formula, weights and queries.
Task read_problem(const Json::Value& root, Declarations& declarations,
                  std::vector<Formula> assertions);

}  // namespace wmi::frontends
