#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "solver/terms/problem.h"

namespace wmi {

/// A variable of a problem, as a vertex of a graph: its declared reals first, then its Booleans.
using Vertex = std::uint32_t;

/// A factor of the measure: a formula that must hold, or a weight.
struct Factor {
  bool asserts = false;
  Formula condition;             // asserted, or of the weight
  Polynomial value = {};         // of the weight
  std::vector<Vertex> vertices;  // ascending: what it depends on, directly or by definitions

  friend bool operator==(const Factor&, const Factor&) = default;
};

/// The factors of a problem and of its goals, each with a number. A product of variables is a
/// factor for each of them.
class Factors {
 public:
  /// The problem must outlive this.
  explicit Factors(const Problem& problem);

  const Factor& operator[](std::size_t number) const { return all_[number]; }
  std::size_t size() const { return all_.size(); }
  /// Those of the problem itself.
  const std::vector<std::size_t>& of_problem() const { return of_problem_; }

  /// The factors of a formula or monomial that comes on top.
  std::vector<std::size_t> of_formula(Formula formula);
  std::vector<std::size_t> of_monomial(const Monomial& monomial);
  /// A factor that is 1 everywhere: it keeps together what a term depends on.
  std::size_t around(const Polynomial& term);

 private:
  std::vector<std::size_t> of_weight(const Weight& weight);
  std::size_t add(Factor factor);

  const Problem& problem_;
  std::vector<Factor> all_;
  std::multimap<std::pair<Formula, std::size_t>, std::size_t> known_;  // by condition and terms
  std::vector<std::size_t> of_problem_;
};

}  // namespace wmi
