#pragma once

#include <algorithm>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// Entries of x in another shape, by their numbers in row-major order: reshaping, transposing,
/// slicing, repeating and padding. Attributes: shape; entries (default: all, in order), where -1 is
/// padding; fill, the value of the padding (default: 0).
struct Rearrange {
  static constexpr std::string_view keyword = "rearrange";
  Shape shape;
  std::vector<std::size_t> entries;  // `nothing` for padding; none: all, in order
  Rational fill = 0;

  static Rearrange make(Attributes& attributes) {
    Rearrange result;
    for (const Rational& length : attributes.numbers("shape")) {
      result.shape.push_back(index(length, "shape"));
      if (result.shape.back() == nothing || result.shape.back() == 0)
        throw Error("attribute 'shape' must be above 0");
    }
    if (attributes.values().contains("entries")) {
      const std::vector<Rational> numbers = attributes.numbers("entries");
      if (numbers.size() != entry_count(result.shape))
        throw Error("attribute 'entries' has " + std::to_string(numbers.size()) +
                    " numbers for a shape " + to_string(result.shape));
      for (const Rational& number : numbers) result.entries.push_back(index(number, "entries"));
    }
    result.fill = attributes.number("fill", 0);
    return result;
  }
  Attributes attributes() const {
    std::map<std::string, Attributes::Value, std::less<>> result{{"shape", attribute(shape)}};
    if (fill != 0) result.emplace("fill", fill);
    if (!entries.empty()) {
      std::vector<Rational> numbers;
      for (const std::size_t entry : entries)
        numbers.push_back(entry == nothing ? Rational(-1) : Rational(Integer(entry)));
      result.emplace("entries", std::move(numbers));
    }
    return Attributes(std::move(result));
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const std::size_t count = entry_count(a.shape(x));
    const auto beyond = [&](std::size_t entry) { return entry != nothing && entry >= count; };
    if (entries.empty() ? entry_count(shape) != count : std::ranges::any_of(entries, beyond))
      throw Error("an input " + to_string(a.shape(x)) + " has not the entries for a shape " +
                  to_string(shape));
    if (entries.empty()) return reshape(a, x, shape);
    typename A::Value result = a.gather(x, entries, shape);
    if (fill == 0 || std::ranges::find(entries, nothing) == entries.end()) return result;
    std::vector<std::size_t> padding;
    for (const std::size_t entry : entries) padding.push_back(entry == nothing ? 0 : nothing);
    return a.add(result, a.gather(a.constant({1}, fill), padding, shape));
  }

 private:
  static std::size_t index(const Rational& number, const std::string& name) {
    if (number == -1) return nothing;
    if (number.get_den() != 1 || number < 0 || number > 1'000'000'000)
      throw Error("attribute '" + name + "' must have natural numbers, not " +
                  wmi::to_string(number));
    return number.get_num().get_ui();
  }
};

}  // namespace wmi::encoders
