#include "solver/enumerators/filtered/ball_polynomial.h"

#include <cmath>
#include <limits>
#include <vector>

namespace wmi {
namespace {

constexpr double roundoff = 0x1p-53;
constexpr double underflow = std::numeric_limits<double>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result;
  auto left = a.begin(), right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && left->variable < right->variable))
      result.push_back(*left++);
    else if (left == a.end() || right->variable < left->variable)
      result.push_back(*right++);
    else
      result.push_back({left->variable, (left++)->exponent + (right++)->exponent});
  }
  return result;
}

}  // namespace

/// The rounding of the midpoint, and of the radius itself.
BallPolynomial::Ball& BallPolynomial::Ball::operator+=(const Ball& other) {
  midpoint += other.midpoint;
  radius = (radius + other.radius + std::abs(midpoint) * 2 * roundoff) * (1 + 8 * roundoff);
  return *this;
}

BallPolynomial::Ball BallPolynomial::Ball::operator*(const Ball& other) const {
  const double product = midpoint * other.midpoint;
  const double error = std::abs(midpoint) * other.radius + radius * std::abs(other.midpoint) +
                       radius * other.radius + std::abs(product) * 2 * roundoff;
  return {product, error * (1 + 16 * roundoff) + underflow};
}

BallPolynomial::BallPolynomial(const Rational& constant) {
  if (constant == 0) return;
  const DoubleInterval ends = round_outwards(constant);
  const double radius = ends.upper - ends.lower;
  coefficients_[{}] = std::isfinite(radius) ? Ball{ends.lower, radius} : Ball{0, infinity};
}

BallPolynomial::BallPolynomial(const EnclosedForm& form, std::size_t coordinates) {
  coefficients_[{}] = {form.coefficients[0], form.error};
  for (std::size_t k = 0; k < coordinates; ++k)
    if (form.coefficients[k + 1] != 0 || form.error != 0)
      coefficients_[{{static_cast<Variable>(k), 1}}] = {form.coefficients[k + 1], form.error};
}

BallPolynomial& BallPolynomial::operator+=(const BallPolynomial& other) {
  for (const auto& [monomial, ball] : other.coefficients_) coefficients_[monomial] += ball;
  return *this;
}

BallPolynomial operator*(const BallPolynomial& a, const BallPolynomial& b) {
  BallPolynomial result;
  for (const auto& [left, of_left] : a.coefficients_)
    for (const auto& [right, of_right] : b.coefficients_)
      result.coefficients_[product(left, right)] += of_left * of_right;
  return result;
}

BallPolynomial power(const BallPolynomial& base, unsigned exponent) {
  BallPolynomial result(Rational(1));
  for (unsigned i = 0; i < exponent; ++i) result = result * base;
  return result;
}

EnclosedPolynomial BallPolynomial::enclosed() const {
  std::vector<EnclosedPolynomial::Term> terms;
  for (const auto& [monomial, ball] : coefficients_)
    terms.push_back({monomial, std::nextafter(ball.midpoint - ball.radius, -infinity),
                     std::nextafter(ball.midpoint + ball.radius, infinity)});
  return EnclosedPolynomial(std::move(terms));
}

}  // namespace wmi
