#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// The attributes of a layer in a file: names with numbers, lists of numbers, or words.
///
/// A layer takes the attributes that it knows; `finish` refuses the rest. Errors name the
/// attribute; the reader of the network adds the name of the layer.
class Attributes {
 public:
  using Value = std::variant<Rational, std::vector<Rational>, std::string>;

  Attributes() = default;
  explicit Attributes(std::map<std::string, Value, std::less<>> values)
      : values_(std::move(values)) {}

  /// Throw Error if the attribute is of another kind, out of range, or missing without a default.
  Rational number(std::string_view name, std::optional<Rational> otherwise = {});
  std::size_t natural(std::string_view name, std::optional<std::size_t> otherwise = {});
  std::string word(std::string_view name, std::optional<std::string> otherwise = {});
  std::vector<Rational> numbers(std::string_view name);
  /// `n` natural numbers; a single number is repeated.
  std::vector<std::size_t> naturals(std::string_view name, std::size_t n,
                                    std::optional<std::size_t> otherwise = {});

  /// Throws Error if there are attributes that were not taken.
  void finish() const;

  /// The attributes that were not taken.
  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

 private:
  std::optional<Value> take(std::string_view name);

  std::map<std::string, Value, std::less<>> values_;
};

/// The attribute that `Attributes::natural` and `naturals` read back.
inline Attributes::Value attribute(std::size_t natural) { return Rational(Integer(natural)); }
inline Attributes::Value attribute(const std::vector<std::size_t>& naturals) {
  std::vector<Rational> result;
  result.reserve(naturals.size());
  for (const std::size_t natural : naturals) result.emplace_back(Integer(natural));
  return result;
}

}  // namespace wmi::encoders
