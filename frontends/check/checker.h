#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/tree.h"
#include "solver/terms/query.h"

namespace wmi::check {

/// The first bytes of every certificate.
inline constexpr std::string_view mark = "wmi-certificate 2\n";

/// The answer to one query that a certificate proves.
struct Certified {
  bool certified = false;               // false for a query that certificates do not cover
  std::optional<Interval> value, left;  // of a density, the right limit and the left one
  std::string undefined;                // why there is no value
};

/// Reads the certificate of one task and checks that it proves its claims, which are returned for
/// each query in order. Throws Rejected.
std::vector<Certified> check(const Task& task, Bytes& in, Counts& counts);

}  // namespace wmi::check
