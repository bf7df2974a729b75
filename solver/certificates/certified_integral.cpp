#include "solver/certificates/certified_integral.h"

#include <algorithm>
#include <iterator>

#include "solver/enumerators/goal.h"
#include "solver/terms/substitution.h"

namespace wmi {

std::vector<CertifiedIntegral> integrals_of(const Query& query) {
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

std::vector<CertifiedIntegral> integrals_of(const Task& task) {
  std::vector<CertifiedIntegral> result;
  for (const Query& query : task.queries)
    for (CertifiedIntegral& integral : integrals_of(query)) result.push_back(std::move(integral));
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

Truth condition(const CertifiedIntegral& integral, const Branch& branch) {
  Truth result = Truth::yes;
  for (const Formula part : integral.conditions) {
    if (branch.truth(part) == Truth::no) return Truth::no;
    if (branch.truth(part) == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

std::vector<Formula> open_conditions(const CertifiedIntegral& integral, const Branch& branch) {
  std::vector<Formula> result;
  std::copy_if(integral.conditions.begin(), integral.conditions.end(), std::back_inserter(result),
               [&](Formula part) { return branch.truth(part) == Truth::unknown; });
  return result;
}

std::vector<std::uint32_t> cone(const Problem& problem,
                                std::span<const CertifiedIntegral> integrals) {
  std::vector<Goal> goals;
  for (const CertifiedIntegral& integral : integrals) {
    for (const Formula condition : integral.conditions) goals.push_back({condition, {}, {}});
    if (integral.term) goals.push_back({truth, {{*integral.term, 0}}, {}});
  }
  return cone(problem, goals);
}

}  // namespace wmi
