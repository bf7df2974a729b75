#include "tests/solver/random_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "solver/terms/decimal.h"

namespace wmi::tests {

Rational ten_to(int exponent) { return parse_number("1e" + std::to_string(exponent)); }

int RandomSum::integer(int from, int to) {
  return std::uniform_int_distribution(from, to)(generator_);
}

double RandomSum::real(double from, double to) {
  return std::uniform_real_distribution(from, to)(generator_);
}

Rational RandomSum::number(double from, double to) {
  const double value = real(from, to);
  return integer(0, 1) == 0 ? Rational(value) : ratio(std::lround(value * 1000) + 1, 1000);
}

std::vector<Rational> RandomSum::halves(int count, Widths widths) {
  std::vector<Rational> result;
  const Rational common = number(0.1, 2);
  for (int i = 0; i < count; ++i) switch (widths) {
      case Widths::alike:
        result.push_back(number(0.5, 2));
        break;
      case Widths::equal:
        result.push_back(common);
        break;
      case Widths::uneven:
        result.push_back(number(0.01, 3));
        break;
      case Widths::orders:
        result.emplace_back(number(1, 2) * ten_to(-integer(0, 20)));
        break;
      case Widths::one_dominant:
        result.emplace_back(number(1, 2) * (i == 0 ? 1 : ratio(1, 1'000'000)));
        break;
      case Widths::few_tiny:
        result.emplace_back(number(1, 2) * (i % 3 == 0 ? ten_to(-12) : Rational(1)));
        break;
    }
  return result;
}

Rational RandomSum::point(const Rational& reach, const Rational& spread) {
  switch (integer(0, 9)) {
    case 0:
      return 0;
    case 1:
      return reach;
    case 2:
      return -reach;
    case 3:
      return reach * number(1, 2);
    case 4:
      return reach * (1 - number(0, 1) * ten_to(-integer(1, 8)));
    case 5:
      return reach * number(-1, 1);
    default:
      return spread * number(-4, 4);
  }
}

Case RandomSum::question(int round, int most_terms) {
  Case result;
  const Widths widths = all_widths[round % std::size(all_widths)];
  result.halves = halves(integer(1, most_terms), widths);
  const Rational reach = sum_of(result.halves);
  switch (integer(0, 5)) {
    case 0:
      break;
    case 1:
      result.sigma = reach * ten_to(-9);
      break;
    case 2:
      result.sigma = reach * number(1, 50);
      break;
    default:
      result.sigma = reach * number(0.01, 0.5);
  }
  result.x = point(reach, rough_spread(boxes_of(result.halves, result.sigma)));
  return result;
}

std::vector<SumTerm> terms_of(const std::vector<Rational>& halves) {
  std::vector<SumTerm> result;
  for (const Rational& half : halves) result.push_back({1, -half, half});
  return result;
}

Boxes boxes_of(std::vector<Rational> halves, const Rational& sigma) {
  std::sort(halves.begin(), halves.end(), std::greater<>());
  Boxes result{{}, sigma};
  for (const Rational& half : halves) {
    if (!result.boxes.empty() && result.boxes.back().half_width == half)
      ++result.boxes.back().count;
    else
      result.boxes.push_back({half, 1});
  }
  return result;
}

Rational sum_of(const std::vector<Rational>& values) {
  Rational result;
  for (const Rational& value : values) result += value;
  return result;
}

Rational rough_spread(const Boxes& law) { return Rational(std::sqrt(law.variance().get_d())); }

int times(int usual) { return std::getenv("WMI_LONG") != nullptr ? 20 * usual : usual; }

}  // namespace wmi::tests
