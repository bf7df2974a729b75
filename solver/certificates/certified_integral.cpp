#include "solver/certificates/certified_integral.h"

#include <algorithm>
#include <iterator>

#include "solver/enumerators/goal.h"
#include "solver/terms/substitution.h"

namespace wmi {

std::vector<CertifiedIntegral> aims_of(const Query& query) {
  const std::vector<Formula> given{query.given};
  switch (query.kind) {
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

std::vector<CertifiedIntegral> aims_of(const Task& task) {
  std::vector<CertifiedIntegral> result;
  for (const Query& query : task.queries)
    for (CertifiedIntegral& aim : aims_of(query)) result.push_back(std::move(aim));
  return result;
}

Task certified(const Task& task) {
  Task result = apply_observations(task);
  for (Query& query : result.queries) {
    if (query.kind != Query::Kind::cdf) continue;
    query.kind = Query::Kind::probability;
    query.event = result.problem.terms.less_equal(query.term, query.at);
  }
  return result;
}

Truth condition(const CertifiedIntegral& aim, const Branch& branch) {
  Truth result = Truth::yes;
  for (const Formula part : aim.conditions) {
    if (branch.truth(part) == Truth::no) return Truth::no;
    if (branch.truth(part) == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

std::vector<Formula> open_conditions(const CertifiedIntegral& aim, const Branch& branch) {
  std::vector<Formula> result;
  std::copy_if(aim.conditions.begin(), aim.conditions.end(), std::back_inserter(result),
               [&](Formula part) { return branch.truth(part) == Truth::unknown; });
  return result;
}

std::vector<std::uint32_t> cone(const Problem& problem, std::span<const CertifiedIntegral> aims) {
  std::vector<Goal> goals;
  for (const CertifiedIntegral& aim : aims) {
    for (const Formula condition : aim.conditions) goals.push_back({condition, {}, {}});
    if (aim.term) goals.push_back({truth, {{*aim.term, 0}}, {}});
  }
  return cone(problem, goals);
}

}  // namespace wmi
