#include "frontends/formats/json_problem.h"

#include <utility>

namespace wmi::frontends {

Tree read_lisp(const Json::Value& string, const std::string& what) {
  string.expect(Json::Kind::string, what);
  if (string.inside().line != 0) return read_lisp(string.text(), string.inside());
  try {  // a string with escapes: every location is that of the string
    Tree tree = read_lisp(string.text(), {1, 1});
    for (Sexpr& item : tree) item.where = string.where();
    return tree;
  } catch (const Error& error) {
    throw Error(error.what(), string.where());
  }
}

Rational read_number(const Json::Value& number, const std::string& what) {
  number.expect(Json::Kind::number, what);
  try {
    return parse_number(number.text());
  } catch (const Error& error) {
    throw Error(error.what(), number.where());
  }
}

void declare(const Json::Value& name, const Json::Value& type, Declarations& declarations) {
  name.expect(Json::Kind::string, "the name of a variable");
  type.expect(Json::Kind::string, "the type of '" + name.text() + "'");
  declarations.declare(name.text(), lisp_sort(type.text(), type.where()), name.where());
}

void add_bounds(const std::string& name, const Json::Value& bounds, Declarations& declarations,
                std::vector<Formula>& assertions) {
  if (bounds.kind() == Json::Kind::null) return;
  const std::vector<Json::Value> ends =
      bounds.expect(Json::Kind::array, "the bounds of '" + name + "'").items();
  if (ends.size() != 2)
    throw Error("the bounds of '" + name + "' must be [lower, upper]", bounds.where());
  Terms& terms = declarations.terms();
  const Polynomial x = Polynomial::variable(declarations.real(name, bounds.where()));
  std::vector<Formula> parts;
  if (ends[0].kind() != Json::Kind::null)
    parts.push_back(terms.less_equal(read_number(ends[0], "the lower bound of '" + name + "'"), x));
  if (ends[1].kind() != Json::Kind::null)
    parts.push_back(terms.less_equal(x, read_number(ends[1], "the upper bound of '" + name + "'")));
  if (!parts.empty()) assertions.push_back(terms.all(parts));
}

Task read_problem(const Json::Value& root, Declarations& declarations,
                  std::vector<Formula> assertions) {
  Task task;
  task.problem.assertions = std::move(assertions);
  task.problem.assertions.push_back(
      lisp_formula(read_lisp(root.at("formula"), "'formula'"), declarations));
  add_weights(read_lisp(root.at("weights"), "'weights'"), declarations, task.problem.weights);
  task.queries.push_back(wmi_query());
  const std::optional<Json::Value> queries = root.find("queries");
  if (queries && queries->kind() != Json::Kind::null)
    for (const Json::Value& query : queries->expect(Json::Kind::array, "'queries'").items())
      task.queries.push_back(probability_query(
          declarations.terms(), lisp_formula(read_lisp(query, "a query"), declarations), truth,
          query.where()));
  return task;
}

}  // namespace wmi::frontends
