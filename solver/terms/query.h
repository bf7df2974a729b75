#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "solver/terms/problem.h"

namespace wmi {

/// One question to a problem. Its formulas and polynomials belong to the problem's `terms`.
struct Query {
  enum class Kind : std::uint8_t {
    echo,          // prints `text`
    satisfiable,   // (check-sat): sat or unsat
    wmi,           // the raw integral where `event` holds
    probability,   // of `event`, given `given`
    expectation,   // of `term`
    variance,      // of `term`
    moment,        // of `term` to the power `order`
    density,       // of `term`, at `at`
    distribution,  // the whole law of `term`
    cdf,           // the probability that `term` is at most `at`
    quantile,      // the least number that `term` is at most with probability `at`
  };

  Kind kind;
  Formula event;
  Formula given;
  Polynomial term;
  unsigned order = 1;
  Rational at;
  std::string text;  // as it was asked, for the report; of an echo, what to print
  Location where;

  /// Neither where it stands in a file nor how it was spelt is part of what is asked.
  friend bool operator==(const Query& a, const Query& b) {
    return a.kind == b.kind && a.event == b.event && a.given == b.given && a.term == b.term &&
           a.order == b.order && a.at == b.at && (a.kind != Kind::echo || a.text == b.text);
  }
};

/// What a defined real is called, and how its condition is to be read.
struct UnitName {
  std::string text;
  bool reversed = false;  // its condition holds where the unit is off

  friend bool operator==(const UnitName&, const UnitName&) = default;
};

/// A question about what is known only between bounds. Several queries of its task, which follow
/// each other, give an enclosure of the answer together; how is said in enclosing.h.
struct BoundedQuery {
  enum class Rule : std::uint8_t {
    as_it_is,  // one query
    between,   // at least the first, at most the second
    variance,  // the variance of the middle of two bounds, the mean square of their distance
    ratio,     // the first two enclose what is divided, the next two the probability of a condition
    share,     // event and condition, certainly and possibly; condition without event, likewise;
               // condition, likewise
  };

  Rule rule;
  std::string text;  // as it was asked
  std::size_t first;

  friend bool operator==(const BoundedQuery&, const BoundedQuery&) = default;
};

/// A term under a name, for who reads the problem.
struct NamedTerm {
  std::string name;
  Polynomial term;

  friend bool operator==(const NamedTerm&, const NamedTerm&) = default;
};

/// A problem and the questions to it, in order.
struct Task {
  Problem problem;
  std::vector<Query> queries;
  std::map<Variable, UnitName> names = {};    // of defined reals, for who reads or prints them
  std::vector<std::string> assumptions = {};  // modelling steps before it: what all answers are
                                              // exact with respect to
  std::vector<BoundedQuery> enclosings = {};  // if any, what is asked: then queries are their parts
  std::vector<NamedTerm> outputs = {};        // written into files, asked about or not

  friend bool operator==(const Task&, const Task&) = default;
};

/// All that a task is made of: what a walk through its terms starts from.
struct Roots {
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;

  void add(const Weight& weight) {
    formulas.push_back(weight.condition);
    polynomials.push_back(weight.value);
  }
};

inline Roots roots(const Task& task) {
  Roots result{task.problem.assertions, {}};
  for (const Weight& weight : task.problem.weights) result.add(weight);
  for (const Query& query : task.queries) {
    result.formulas.push_back(query.event);
    result.formulas.push_back(query.given);
    result.polynomials.push_back(query.term);
  }
  return result;
}

/// What a file says: tasks in order. Most files have one.
using Script = std::vector<Task>;

}  // namespace wmi
