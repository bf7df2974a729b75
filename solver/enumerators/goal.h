#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/query.h"

namespace wmi {

/// A power of a term, which multiplies the weight, and the sum that collects the integral. The power
/// is not expanded: a power of a term with many defined reals would be long, but that of its value in
/// a cell is not.
struct Summand {
  Polynomial term;
  std::size_t sum;
  unsigned order = 1;

  /// Is the integrand the weight itself?
  bool is_one() const { return order == 0 || term == Polynomial(1); }
  /// The range of the power, given that of the term.
  std::optional<Interval> range(const std::optional<Interval>& of_term) const {
    return of_term ? std::optional(power(*of_term, order)) : std::nullopt;
  }

  friend bool operator==(const Summand&, const Summand&) = default;
};

/// The slice term = at of a measure: for the density of `term` there.
struct Slice {
  Polynomial term;
  Rational at;
  std::size_t mass;   // sum of the cells on which the term is constantly `at`
  std::size_t left;   // sum of the slices of the cells that reach below `at`
  std::size_t right;  // ... above `at`

  friend bool operator==(const Slice&, const Slice&) = default;
};

/// A term, and the number of the law that collects it.
struct Output {
  Polynomial term;
  std::size_t law;

  friend bool operator==(const Output&, const Output&) = default;
};

/// Integrals over the models of the problem that also satisfy `condition`: of the weight times
/// each factor; or, with a slice, of the weight over the slice. And the laws of terms there.
struct Goal {
  Formula condition;
  std::vector<Summand> summands;
  std::optional<Slice> slice;
  std::vector<Output> outputs = {};
  bool encloses = false;  // enclosures are enough: long weights need not be multiplied out

  /// Does it need integrals over whole cells only?
  bool plain() const { return !slice && outputs.empty(); }

  friend bool operator==(const Goal&, const Goal&) = default;
};

/// The sums and laws of one enumeration that answer all queries of a task, each integral once.
struct Plan {
  std::vector<Goal> goals;
  std::size_t sums = 0;
  std::size_t laws = 0;

  /// The sums that a query's answer is made of.
  struct Parts {
    std::optional<std::size_t> total;          // of the weight where `given` holds
    std::optional<std::size_t> first, second;  // numerator; the same with the term squared
    std::optional<std::size_t> mass, left, right;
    std::optional<std::size_t> law;  // its mass is `total`
  };
  std::vector<Parts> parts;  // one for each query
};

/// Adds to the terms of the task's problem the formulas that the plan needs.
Plan make_plan(Task& task);

/// The nodes that decide the problem and the goals, children first.
std::vector<std::uint32_t> cone(const Problem& problem, std::span<const Goal> goals);

}  // namespace wmi
