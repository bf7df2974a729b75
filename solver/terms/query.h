#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/terms/error.h"
#include "solver/terms/problem.h"

namespace wmi {

/// A question about a quantity that is known only between bounds. Several consecutive queries of a
/// task enclose its answer together; answers/bounded_query.h says how.
struct BoundedQuery {
  enum class Rule : std::uint8_t {
    single,                   // one query
    between,                  // at least the first, at most the second
    variance,                 // of the midpoint of two bounds; the mean square of their distance
    ratio,                    // two enclose the numerator, two the probability of a condition
    conditional_probability,  // event and condition, certainly and possibly; condition without
                              // event, likewise; condition, likewise
  };

  Rule rule;
  std::string text;  // as it was asked

  friend bool operator==(const BoundedQuery&, const BoundedQuery&) = default;
};

/// One question to a problem. Its formulas and polynomials belong to the problem's `terms`.
struct Query {
  enum class Kind : std::uint8_t {
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
  std::string text;  // as it was asked, for the report
  Location where;
  std::optional<BoundedQuery> bounded = {};  // of the first of the queries that enclose one answer
  std::string refused = {};  // why its reader found that it has no answer; empty: it may have one

  /// The location in a file and the spelling are not part of the question.
  friend bool operator==(const Query& a, const Query& b) {
    return a.kind == b.kind && a.event == b.event && a.given == b.given && a.term == b.term &&
           a.order == b.order && a.at == b.at && a.bounded == b.bounded && a.refused == b.refused;
  }
};

/// A text that a script prints between its answers. The solver ignores it.
struct Echo {
  std::string text;
  std::size_t answers_before;  // of its task
  Location where;

  friend bool operator==(const Echo& a, const Echo& b) {
    return a.text == b.text && a.answers_before == b.answers_before;
  }
};

/// The name of a defined real, and how its condition is to be read.
struct UnitName {
  std::string text;
  bool reversed = false;  // its condition holds where the unit is off

  friend bool operator==(const UnitName&, const UnitName&) = default;
};

/// A term with a name, under which it is written into files.
struct NamedTerm {
  std::string name;
  Polynomial term;

  friend bool operator==(const NamedTerm&, const NamedTerm&) = default;
};

/// A problem and the questions to it, in order.
struct Task {
  Problem problem;
  std::vector<Query> queries;
  std::map<Variable, UnitName> names = {};    // of defined reals, for reports and files
  std::vector<std::string> assumptions = {};  // modelling steps before it: what all answers are
                                              // exact with respect to
  std::vector<Echo> echoes = {};              // in order
  std::vector<NamedTerm> outputs = {};        // written into files, asked about or not

  friend bool operator==(const Task&, const Task&) = default;
};

/// All formulas and polynomials of a task: the roots of a walk through its terms.
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

/// Throws the reason, as an Error, if the reader of a query has refused it.
inline void refuse_unanswerable(const Task& task) {
  for (const Query& query : task.queries)
    if (!query.refused.empty()) throw Error(query.refused, query.where);
}

/// The task itself. Throws Error if it has smooth functions, for what is about polynomials.
inline const Task& polynomial_only(const Task& task) {
  if (task.problem.terms.smooth())
    throw Error("a certificate covers weights and terms that are polynomials; here are others");
  return task;
}

/// Visits what a task prints, in order: each echo, and each answer by its number.
///
///     in_order(1, std::vector<Echo>{{"first", 0, {}}, {"last", 1, {}}},
///              [](const Echo&) {}, [](std::size_t) {});  // first, answer 0, last
template <typename OnEcho, typename OnAnswer>
void in_order(std::size_t answers, const std::vector<Echo>& echoes, OnEcho on_echo,
              OnAnswer on_answer) {
  auto echo = echoes.begin();
  for (std::size_t i = 0; i <= answers; ++i) {
    for (; echo != echoes.end() && echo->answers_before <= i; ++echo) on_echo(*echo);
    if (i < answers) on_answer(i);
  }
}

/// The tasks of a file, in order. Most files have one.
using Script = std::vector<Task>;

}  // namespace wmi
