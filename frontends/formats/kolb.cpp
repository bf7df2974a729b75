#include "frontends/formats/format.h"
#include "frontends/formats/lisp.h"

namespace wmi::frontends {

Script read_kolb(const Source& source) {
  const Tree tree = read_lisp(source.text, {1, 1});
  const std::vector<std::uint32_t> parts = children(tree, 0);
  if (parts.size() < 2 || tree[parts[0]].kind != Sexpr::Kind::symbol || tree[parts[0]].text != "*")
    throw Error("expected (* SUPPORT WEIGHT ...)", tree[0].where);
  Declarations declarations;
  declare_variables(tree, declarations);
  Task task;
  task.problem.assertions.push_back(lisp_formula(tree, declarations, parts[1]));
  for (std::size_t part = 2; part < parts.size(); ++part)
    add_weights(tree, declarations, task.problem.weights, parts[part]);
  task.queries.push_back(wmi_query());
  return {declarations.finish(task)};
}

}  // namespace wmi::frontends
