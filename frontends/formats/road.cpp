// Evidence on a real is an observation, which belongs to the problem and not to the query:
// consecutive queries with the same observations form a task. Evidence on a Boolean is a condition.

#include <algorithm>

#include "frontends/formats/copies.h"
#include "frontends/formats/format.h"
#include "frontends/formats/json_problem.h"

namespace wmi::frontends {
namespace {

struct Evidence {
  std::vector<Observation> observations;
  Formula given;
};

Evidence read_evidence(const std::optional<Json::Value>& evidence, Declarations& declarations) {
  Evidence result;
  if (!evidence || evidence->kind() == Json::Kind::null) return result;
  std::vector<Formula> conditions;
  for (const Json::Value& entry : evidence->expect(Json::Kind::object, "'evidence'").items()) {
    const std::string& name = entry.key();
    const std::string what = "the evidence on '" + name + "'";
    const Value& value = declarations.value(name, entry.key_where());
    if (sort_of(value) == Sort::real) {
      result.observations.push_back(
          {declarations.real(name, entry.key_where()), read_number(entry, what)});
    } else {
      entry.expect(Json::Kind::boolean, what);
      const Formula literal = std::get<Formula>(value);
      conditions.push_back(entry.text() == "true" ? literal : !literal);
    }
  }
  // Sorted by variable, so that equal evidence compares equal.
  std::sort(result.observations.begin(), result.observations.end(),
            [](const Observation& a, const Observation& b) { return a.variable < b.variable; });
  result.given = declarations.terms().all(conditions);
  return result;
}

}  // namespace

Script read_road(const Source& source) {
  const Json json(source.text);
  const Json::Value root = json.root().expect(Json::Kind::object, "a road file");
  Declarations declarations;
  Problem problem;
  for (const Json::Value& entry : root.at("domain").expect(Json::Kind::array, "'domain'").items()) {
    entry.expect(Json::Kind::object, "a variable of the domain");
    declare(entry.at("name"), entry.at("type"), declarations);
    if (const std::optional<Json::Value> bounds = entry.find("bounds"))
      add_bounds(entry.at("name").text(), *bounds, declarations, problem.assertions);
  }
  problem.assertions.push_back(
      lisp_formula(read_lisp(root.at("support"), "'support'"), declarations));
  add_weights(read_lisp(root.at("weight"), "'weight'"), declarations, problem.weights);

  std::vector<Task> tasks = {{problem, {wmi_query()}}};
  const std::optional<Json::Value> queries = root.find("queries");
  if (queries && queries->kind() != Json::Kind::null) {
    for (const Json::Value& query : queries->expect(Json::Kind::array, "'queries'").items()) {
      query.expect(Json::Kind::object, "a query");
      const Formula event =
          lisp_formula(read_lisp(query.at("formula"), "the formula of a query"), declarations);
      const Evidence evidence = read_evidence(query.find("evidence"), declarations);
      if (tasks.back().problem.observations != evidence.observations) {
        tasks.push_back({problem, {}});
        tasks.back().problem.observations = evidence.observations;
      }
      tasks.back().queries.push_back(
          probability_query(declarations.terms(), event, evidence.given, query.where()));
    }
  }
  Script script;
  Copies copies;
  for (const Task& task : tasks) {
    script.push_back(declarations.finish(task));
    copies.add(script.back(), task.queries.front().where);
  }
  return script;
}

}  // namespace wmi::frontends
