#include "frontends/cli/config_formats.h"
#include "frontends/formats/json.h"

namespace wmi::frontends {
namespace {

std::string scalar(const Json::Value& value) {
  if (value.kind() == Json::Kind::object || value.kind() == Json::Kind::array ||
      value.kind() == Json::Kind::null)
    throw Error("expected a number, a word, true or false", value.where());
  return value.text();
}

ConfigEntry entry(const std::string& section, const Json::Value& member) {
  ConfigEntry result{
      section, member.key(), {}, member.kind() == Json::Kind::boolean, member.key_where()};
  if (member.kind() == Json::Kind::array)
    for (const Json::Value& item : member.items()) result.values.push_back(scalar(item));
  else
    result.values.push_back(scalar(member));
  return result;
}

}  // namespace

std::vector<ConfigEntry> parse_config_json(std::string_view text) {
  const Json json(text);
  const Json::Value root = json.root();
  root.expect(Json::Kind::object, "an object of settings");
  std::vector<ConfigEntry> result;
  for (const Json::Value& member : root.items()) {
    if (member.kind() != Json::Kind::object)
      result.push_back(entry("", member));
    else
      for (const Json::Value& inner : member.items()) result.push_back(entry(member.key(), inner));
  }
  return result;
}

}  // namespace wmi::frontends
