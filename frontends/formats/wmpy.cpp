#include "frontends/formats/format.h"
#include "frontends/formats/json_problem.h"

namespace wmi::frontends {

Script read_wmpy(const Source& source) {
  const Json json(source.text);
  const Json::Value root = json.root().expect(Json::Kind::object, "a wmpy file");
  Declarations declarations;
  std::vector<Formula> assertions;
  for (const Json::Value& entry : root.at("domain").expect(Json::Kind::array, "'domain'").items()) {
    const std::vector<Json::Value> parts =
        entry.expect(Json::Kind::array, "a variable of the domain").items();
    if (parts.size() != 2 && parts.size() != 3)
      throw Error("a variable of the domain must be [name, type, bounds]", entry.where());
    declare(parts[0], parts[1], declarations);
    if (parts.size() == 3) add_bounds(parts[0].text(), parts[2], declarations, assertions);
  }
  return {declarations.finish(read_problem(root, declarations, std::move(assertions)))};
}

}  // namespace wmi::frontends
