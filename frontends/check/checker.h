#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontends/check/bytes.h"
#include "solver/query.h"

namespace wmi::check {

/// What a certificate proves of one query.
struct Certified {
  bool certified = false;          // false for a query that certificates do not cover
  std::optional<Rational> value;   // of a density, the right limit
  std::optional<Rational> left;    // of a density
  std::string undefined;           // why there is no value
};

struct Report {
  std::vector<Certified> answers;  // of the queries, in order
  std::size_t leaves = 0, cells = 0, simplices = 0;
};

/// Reads the certificate of one task and checks that it proves its claims. Throws Rejected.
Report check(const Task& task, Bytes& in);

/// The mark at the beginning of a certificate, and its end. Throw Rejected.
void check_mark(Bytes& in);
void check_end(Bytes& in);

}  // namespace wmi::check
