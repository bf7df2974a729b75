#include "encoders/attributes.h"

namespace wmi::encoders {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view what) {
  throw Error("attribute '" + std::string(name) + "' " + std::string(what));
}

std::size_t natural_from(const Rational& value, std::string_view name) {
  if (value.get_den() != 1 || value < 0 || value > 1'000'000'000)
    refuse(name, "must be a natural number, not " + wmi::to_string(value));
  return value.get_num().get_ui();
}

}  // namespace

std::optional<Attributes::Value> Attributes::take(std::string_view name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  Value value = std::move(found->second);
  values_.erase(found);
  return value;
}

Rational Attributes::number(std::string_view name, std::optional<Rational> otherwise) {
  const std::optional<Value> found = take(name);
  if (!found) {
    if (!otherwise) refuse(name, "is missing");
    return *otherwise;
  }
  const auto* const value = std::get_if<Rational>(&*found);
  if (value == nullptr) refuse(name, "must be a number");
  return *value;
}

std::size_t Attributes::natural(std::string_view name, std::optional<std::size_t> otherwise) {
  std::optional<Rational> number_otherwise;
  if (otherwise) number_otherwise = Rational(Integer(*otherwise));
  return natural_from(number(name, number_otherwise), name);
}

std::string Attributes::word(std::string_view name, std::optional<std::string> otherwise) {
  const std::optional<Value> found = take(name);
  if (!found) {
    if (!otherwise) refuse(name, "is missing");
    return *otherwise;
  }
  const auto* const value = std::get_if<std::string>(&*found);
  if (value == nullptr) refuse(name, "must be a word");
  return *value;
}

std::vector<Rational> Attributes::numbers(std::string_view name) {
  const std::optional<Value> found = take(name);
  if (!found) refuse(name, "is missing");
  const auto* const values = std::get_if<std::vector<Rational>>(&*found);
  if (values == nullptr) refuse(name, "must be a list of numbers");
  return *values;
}

std::vector<std::size_t> Attributes::naturals(std::string_view name, std::size_t n,
                                              std::optional<std::size_t> otherwise) {
  const std::optional<Value> found = take(name);
  if (!found) {
    if (!otherwise) refuse(name, "is missing");
    return std::vector<std::size_t>(n, *otherwise);
  }
  if (const auto* const single = std::get_if<Rational>(&*found))
    return std::vector<std::size_t>(n, natural_from(*single, name));
  const auto* const list = std::get_if<std::vector<Rational>>(&*found);
  if (list == nullptr || list->size() != n)
    refuse(name, "must be a number or a list of " + std::to_string(n));
  std::vector<std::size_t> result;
  for (const Rational& entry : *list) result.push_back(natural_from(entry, name));
  return result;
}

void Attributes::finish() const {
  if (!values_.empty()) refuse(values_.begin()->first, "means nothing to this type of layer");
}

}  // namespace wmi::encoders
