#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/formats/operators.h"
#include "frontends/formats/sexpr.h"

namespace wmi::frontends {

/// What is known of a name outside of a macro, or of an operator.
struct NamedSort {
  std::optional<Sort> sort;   // nullopt: that of its arguments, as of `ite`
  std::size_t expansion = 0;  // terms that a call of it, a macro, reads
};

/// The meaning of a name; nullopt: it has none.
using NamedSorts = std::function<std::optional<NamedSort>(const std::string& name)>;

/// The sort of a macro's body, without a call of it: what its outermost operator returns, or what
/// the name in its place stands for. Throws Undeclared.
Sort body_sort(const Tree& body, const std::vector<std::pair<std::string, Sort>>& parameters,
               const NamedSorts& names);

/// The terms that a call of the macro reads: those of its body, and of the macros that it calls. It
/// is never larger than SIZE_MAX / 2.
std::size_t expansion(const Tree& body, const NamedSorts& names);

}  // namespace wmi::frontends
