#include "solver/certificates/aim.h"

#include <algorithm>
#include <iterator>

#include "solver/goal.h"
#include "solver/substitution.h"

namespace wmi {

std::vector<Aim> aims_of(const Query& query) {
  const std::vector<Formula> given{query.given};
  switch (query.kind) {
    case Query::Kind::echo:
    case Query::Kind::satisfiable:
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return {};
    case Query::Kind::wmi:
      return {{{query.event}}};
    case Query::Kind::probability:
    case Query::Kind::cdf:
      return {{given}, {{query.given, query.event}}};
    case Query::Kind::density:
      return {{given}, {given, query.term, 1, true, query.at}};
    case Query::Kind::variance:
      return {{given}, {given, query.term, 1}, {given, query.term, 2}};
    case Query::Kind::moment:
      return {{given}, {given, query.term, query.order}};
    case Query::Kind::expectation:
      return {{given}, {given, query.term, 1}};
  }
  return {};
}

std::vector<Aim> aims_of(const Task& task) {
  std::vector<Aim> result;
  for (const Query& query : task.queries)
    for (Aim& aim : aims_of(query)) result.push_back(std::move(aim));
  return result;
}

Task certified(const Task& task) {
  Task result = observed(task);
  for (Query& query : result.queries) {
    if (query.kind != Query::Kind::cdf) continue;
    query.kind = Query::Kind::probability;
    query.event = result.problem.terms.less_equal(query.term, query.at);
  }
  return result;
}

Truth condition(const Aim& aim, const Branch& branch) {
  Truth result = Truth::yes;
  for (const Formula part : aim.conditions) {
    if (branch.truth(part) == Truth::no) return Truth::no;
    if (branch.truth(part) == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

std::vector<Formula> open_conditions(const Aim& aim, const Branch& branch) {
  std::vector<Formula> result;
  std::copy_if(aim.conditions.begin(), aim.conditions.end(), std::back_inserter(result),
               [&](Formula part) { return branch.truth(part) == Truth::unknown; });
  return result;
}

std::vector<std::uint32_t> cone(const Problem& problem, std::span<const Aim> aims) {
  std::vector<Goal> goals;
  for (const Aim& aim : aims) {
    for (const Formula condition : aim.conditions) goals.push_back({condition, {}, {}});
    if (aim.term) goals.push_back({truth, {{*aim.term, 0}}, {}});
  }
  return cone(problem, goals);
}

}  // namespace wmi
