#include "frontends/learning/prediction_text.h"

#include <fmt/format.h>

#include <charconv>

#include "frontends/common/json_writer.h"
#include "frontends/formats/json.h"
#include "frontends/wmi/jobs/unit_record.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Which members of a quantity have a value other than the usual one.
JsonText text_of(const Quantity& quantity) {
  JsonArray result;
  result.add(quantity.name).add(exact_text(quantity.value));
  if (!quantity.bounds && !quantity.certified && quantity.text.empty()) return result;
  return result.add(quantity.bounds ? JsonText(wmi::to_string(quantity.bounds->lower)) : nullptr)
      .add(quantity.bounds ? JsonText(wmi::to_string(quantity.bounds->upper)) : nullptr)
      .add(quantity.text)
      .add(quantity.digits)
      .add(quantity.certified);
}

const std::string& string_of(const Json::Value& value) {
  return value.expect(Json::Kind::string, "a string").text();
}

Quantity quantity_of(const Json::Value& value) {
  const std::vector<Json::Value> parts = value.expect(Json::Kind::array, "a quantity").items();
  if (parts.size() != 2 && parts.size() != 7) throw Error("a quantity has 2 or 7 parts");
  Quantity result{string_of(parts[0]), parse_exact_double(string_of(parts[1]))};
  if (parts.size() == 2) return result;
  if (parts[2].kind() == Json::Kind::string)
    result.bounds = Interval(parse_exact(string_of(parts[2])), parse_exact(string_of(parts[3])));
  result.text = string_of(parts[4]);
  const std::string& digits = parts[5].expect(Json::Kind::number, "a number").text();
  std::from_chars(digits.data(), digits.data() + digits.size(), result.digits);
  result.certified = parts[6].expect(Json::Kind::boolean, "true or false").text() == "true";
  return result;
}

}  // namespace

std::string exact_text(double value) { return fmt::format("{}", value); }

double parse_exact_double(const std::string& text) {
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error("'" + text.substr(0, 40) + "' is no number");
  return result;
}

std::string to_text(const Prediction& prediction) {
  JsonArray quantities;
  for (const Quantity& quantity : prediction.quantities) quantities.add(text_of(quantity));
  JsonArray result;
  result.add(prediction.error).add(exact_text(prediction.estimated_error)).add(quantities);
  return result.text();
}

Prediction parse_prediction(const std::string& text) {
  const Json json(text);
  const std::vector<Json::Value> parts =
      json.root().expect(Json::Kind::array, "a prediction").items();
  if (parts.size() != 3) throw Error("a prediction has 3 parts");
  Prediction result;
  result.error = string_of(parts[0]);
  result.estimated_error = parse_exact_double(string_of(parts[1]));
  for (const Json::Value& part : parts[2].expect(Json::Kind::array, "quantities").items())
    result.quantities.push_back(quantity_of(part));
  return result;
}

}  // namespace wmi::frontends
