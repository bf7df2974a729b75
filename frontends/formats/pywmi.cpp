#include <unordered_map>

#include "frontends/formats/format.h"
#include "frontends/formats/json_problem.h"

namespace wmi::frontends {

Script read_pywmi(const Source& source) {
  const Json json(source.text);
  const Json::Value root = json.root().expect(Json::Kind::object, "a pywmi file");
  const Json::Value domain = root.at("domain").expect(Json::Kind::object, "'domain'");
  const Json::Value types = domain.at("var_types").expect(Json::Kind::object, "'var_types'");
  const std::optional<Json::Value> bounds = domain.find("var_domains");
  std::unordered_map<std::string, Json::Value> type_of;
  for (const Json::Value& type : types.items()) type_of.emplace(type.key(), type);
  Declarations declarations;
  std::vector<Formula> assertions;
  for (const Json::Value& name :
       domain.at("variables").expect(Json::Kind::array, "'variables'").items()) {
    const auto type =
        type_of.find(name.expect(Json::Kind::string, "the name of a variable").text());
    if (type == type_of.end())
      throw Error("'" + name.text() + "' has no type in 'var_types'", name.where());
    declare(name, type->second, declarations);
  }
  for (const Json::Value& type : types.items())
    if (!declarations.contains(type.key()))
      throw Error("'" + type.key() + "' has a type but is missing from 'variables'",
                  type.key_where());
  if (bounds && bounds->kind() != Json::Kind::null) {
    for (const Json::Value& entry : bounds->expect(Json::Kind::object, "'var_domains'").items()) {
      if (!declarations.contains(entry.key())) throw Undeclared(entry.key(), entry.key_where());
      add_bounds(entry.key(), entry, declarations, assertions);
    }
  }
  return {declarations.finish(read_problem(root, declarations, std::move(assertions)))};
}

}  // namespace wmi::frontends
