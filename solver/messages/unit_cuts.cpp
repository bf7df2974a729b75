#include "solver/messages/unit_cuts.h"

#include <algorithm>
#include <numeric>

namespace wmi {
namespace {

UnitCuts::Form on_unit_box(const CutBox& box, const CutBox::Cut& cut,
                           const std::vector<bool>& flipped) {
  std::vector<Rational> numbers;
  Rational origin, least, most;
  for (std::size_t i = 0; i < cut.form.coefficients.size(); ++i) {
    const auto& [variable, coefficient] = cut.form.coefficients[i];
    const auto& [low, high] = box.sides[variable];
    numbers.push_back(Rational((flipped[i] ? low - high : high - low) * coefficient));
    origin += coefficient * (flipped[i] ? high : low);
    (numbers[i] > 0 ? most : least) += numbers[i];
  }
  const auto within = [&](const std::optional<Rational>& bound, const Rational& otherwise) {
    if (!bound) return otherwise;
    return Rational(std::clamp(Rational(*bound - origin), least, most));
  };
  numbers.push_back(within(cut.ends.lower, least));
  numbers.push_back(within(cut.ends.upper, most));
  Integer common = 1;
  for (const Rational& number : numbers) common = lcm(common, number.get_den());
  UnitCuts::Form result;
  for (const Rational& number : numbers)
    result.coefficients.push_back(number.get_num() * (common / number.get_den()));
  result.upper = result.coefficients.back();
  result.coefficients.pop_back();
  result.lower = result.coefficients.back();
  result.coefficients.pop_back();
  return result;
}

}  // namespace

std::optional<UnitCuts> UnitCuts::of(const CutBox& box) {
  if (box.cuts.size() != 2) return std::nullopt;
  const auto &first = box.cuts[0].form.coefficients, &second = box.cuts[1].form.coefficients;
  if (!std::ranges::equal(first, second,
                          [](const auto& a, const auto& b) { return a.first == b.first; }))
    return std::nullopt;
  UnitCuts result;
  for (const auto& [real, coefficient] : first) {
    result.reals.push_back(real);
    result.flipped.push_back(coefficient < 0);
  }
  result.a = on_unit_box(box, box.cuts[0], result.flipped);
  result.b = on_unit_box(box, box.cuts[1], result.flipped);
  if (result.a.lower >= result.a.upper || result.b.lower >= result.b.upper) return std::nullopt;
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (result.minor(i, j) == 0) return std::nullopt;
  return result;
}

Rational UnitCuts::between(
    const std::function<Rational(const Integer& s, const Integer& t)>& below) const {
  Integer least;  // of b.u
  for (const Integer& one : b.coefficients)
    if (one < 0) least += one;
  const auto part = [&](const Integer& s, const Integer& t) -> Rational {
    return s <= 0 || t <= least ? Rational(0) : below(s, t);
  };
  return part(a.upper, b.upper) - part(a.lower, b.upper) - part(a.upper, b.lower) +
         part(a.lower, b.lower);
}

std::vector<std::size_t> order_of(const UnitCuts::Numbers& numbers) {
  std::vector<std::size_t> result(numbers.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  std::ranges::stable_sort(result,
                           [&](std::size_t i, std::size_t j) { return numbers[i] < numbers[j]; });
  return result;
}

}  // namespace wmi
