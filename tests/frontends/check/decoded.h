#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::tests {

/// A certificate as the numbers that it is made of, so that one can be changed and all be written
/// again. This is a reader of its own: it follows docs/certificate.md.
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

/// Of one task, whose certified queries have so many numbers in their claims, if they have a value.
/// Requires a valid one.
Decoded decode(const std::string& certificate, const std::vector<int>& numbers);

}  // namespace wmi::tests
