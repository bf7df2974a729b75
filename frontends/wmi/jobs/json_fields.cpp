#include "frontends/wmi/jobs/json_fields.h"

#include <charconv>

#include "solver/terms/error.h"

namespace wmi::frontends {

const std::string& string_of(const Json::Value& value) {
  return value.expect(Json::Kind::string, "a string").text();
}

std::vector<std::string> strings_of(const Json::Value& value) {
  return list_of(value, [](const Json::Value& item) { return string_of(item); });
}

std::size_t count_of(const Json::Value& value) {
  const std::string& text = value.expect(Json::Kind::number, "a number").text();
  std::size_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("'" + text.substr(0, 40) + "' is no count");
  return result;
}

std::vector<std::size_t> counts_of(const Json::Value& value) { return list_of(value, count_of); }

bool truth_of(const Json::Value& value) {
  return value.expect(Json::Kind::boolean, "true or false").text() == "true";
}

}  // namespace wmi::frontends
