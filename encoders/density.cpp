#include "encoders/density.h"

#include <algorithm>
#include <vector>

#include "encoders/densities/bspline.h"
#include "encoders/densities/gaussian.h"
#include "encoders/densities/normal.h"
#include "encoders/densities/piecewise.h"
#include "encoders/densities/triangular.h"
#include "encoders/densities/uniform.h"
#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

/// Checks the number of arguments; 0 means any number.
template <class Type>
Density make(std::span<const Rational> arguments) {
  if (Type::arguments != 0 && arguments.size() != Type::arguments)
    throw Error("expected " + std::string(Type::usage));
  return Type::make(arguments);
}

template <class Type>
constexpr DensityEntry entry{Type::name, Type::usage, make<Type>};

constexpr DensityEntry table[] = {
    entry<Uniform>,   entry<Triangular>, entry<Bspline>,
    entry<Piecewise>, entry<Gaussian>,   entry<Normal>,
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<Rational> numbers(std::string_view text) {
  std::vector<Rational> result;
  for (;;) {
    const std::size_t comma = text.find(',');
    result.push_back(parse_fraction(text.substr(0, comma)));
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

std::span<const DensityEntry> densities() { return table; }

Density parse_density(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']'))
    return make<Uniform>(numbers(text.substr(1, text.size() - 2)));
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')'))
    return {Law::point(parse_fraction(text)), ""};
  const std::string_view name = trimmed(text.substr(0, open));
  for (const DensityEntry& known : table)
    if (known.name == name)
      return known.make(numbers(text.substr(open + 1, text.size() - open - 2)));
  std::string usages;
  for (const DensityEntry& known : table) usages += ", " + std::string(known.usage);
  throw Error("no density named '" + std::string(name) + "'; write a number, [from, to]" + usages);
}

}  // namespace wmi::encoders
