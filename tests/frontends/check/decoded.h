#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::tests {

/// The numbers of a certificate, which can be changed and written again. An independent reader of
/// the format of docs/certificate.md.
struct Decoded {
  enum class Kind { tag, natural, integer };
  enum class Role {
    node,
    coefficient,  // of a split or an equation, its constant included
    variable,     // of those; and coordinates, and reals of parts
    count,
    boolean,  // branched on; and of parts
    goal,
    multiplier,
    row,  // of a multiplier
    vertex,
    claim,
  };
  struct Number {
    Kind kind;
    Role role;
    Integer value;
  };
  struct Subtree {
    std::size_t begin, end;  // numbers
  };

  std::vector<Number> numbers;
  std::vector<Subtree> subtrees;  // all of them, in the order in which they end

  std::string encoded() const;
};

/// Decodes the valid certificate of one task, whose certified queries have so many numbers in their
/// claims, if they have a value.
Decoded decode(const std::string& certificate, const std::vector<int>& numbers);

}  // namespace wmi::tests
