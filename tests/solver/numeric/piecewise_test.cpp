#include "solver/numeric/piecewise.h"

#include <doctest/doctest.h>

namespace wmi::tests {
namespace {

DensePolynomial polynomial(std::vector<Rational> coefficients) {
  return DensePolynomial(Univariate(std::move(coefficients)));
}

/// 1 on [0, 1], x on [2, 4].
Piecewise two_pieces() { return Piecewise({{0, 1, polynomial({1})}, {2, 4, polynomial({0, 1})}}); }

TEST_CASE("zero pieces are dropped, and equal neighbours merged") {
  const Piecewise merged(
      {{0, 1, polynomial({2})}, {1, 2, polynomial({2})}, {2, 3, polynomial({})}});
  REQUIRE(merged.pieces().size() == 1);
  CHECK(merged.support() == Interval(0, 2));
}

TEST_CASE("a piecewise polynomial has limits from both sides and an integral") {
  const Piecewise f = two_pieces();
  const Piecewise one({{-1, 9, polynomial({1})}});
  CHECK(integral_of_product(f, one) == 7);  // 1 + (16 - 4)/2
  CHECK(f.limits(1) == std::pair<Rational, Rational>(1, 0));
  CHECK(f.limits(2) == std::pair<Rational, Rational>(0, 2));
  CHECK(f.limits(3) == std::pair<Rational, Rational>(3, 3));
  CHECK(f.limits(4) == std::pair<Rational, Rational>(4, 0));
  CHECK(f.limits(9) == std::pair<Rational, Rational>(0, 0));
}

TEST_CASE("the product has pieces where both have") {
  const Piecewise other({{ratio(1, 2), 3, polynomial({0, 2})}});
  const Piecewise product = two_pieces() * other;
  REQUIRE(product.pieces().size() == 2);
  CHECK(product.pieces()[0].from == ratio(1, 2));
  CHECK(product.pieces()[0].to == 1);
  CHECK(product.pieces()[1].from == 2);
  CHECK(product.pieces()[1].to == 3);
  CHECK(product.pieces()[1].value == polynomial({0, 0, 2}));
  CHECK((two_pieces() * Rational(0)).zero());
  const Piecewise line({{-1, 9, polynomial({ratio(1, 3), ratio(-2, 7)})}});
  CHECK((two_pieces() * Rational(3)).pieces()[1].value == polynomial({0, 3}));
  // 1/3 x - 1/7 x^2 on [0, 1], 1/6 x^2 - 2/21 x^3 on [2, 4]
  const Rational expected = ratio(4, 21) + 2 - ratio(16, 3);
  CHECK(integral_of_product(two_pieces(), line) == expected);
  CHECK(integral_of_product(line, two_pieces()) == expected);
  CHECK(integral_of_product(two_pieces(), Piecewise()) == 0);
}

TEST_CASE("an antiderivative is constant in gaps and after the support") {
  const PiecewiseOnLine primitive(two_pieces(), polynomial({1}));
  const auto at = [&](const Rational& x) { return primitive.piece(primitive.piece_from(x)).at(x); };
  CHECK(at(-5) == 0);
  CHECK(at(ratio(1, 2)) == ratio(1, 2));
  CHECK(at(ratio(3, 2)) == 1);
  CHECK(at(3) == ratio(7, 2));  // 1 + (9 - 4)/2
  CHECK(at(100) == 7);
}

TEST_CASE("a sum cuts a composed function at its knots, rising or falling") {
  const PiecewiseOnLine primitive(two_pieces(), polynomial({1}));
  for (const int slope : {1, -1, 0}) {
    CAPTURE(slope);
    PiecewiseSum sum;
    sum.add(-3, 3, primitive, slope, 1, 2, false);  // x^2 F(slope x + 1)
    sum.add(-3, 3, primitive, slope, 1, 0, true);
    const Piecewise total = sum.total();
    for (int i = -29; i < 30; ++i) {
      const Rational x = ratio(i, 10), y = slope * x + 1;
      const Rational value = primitive.piece(primitive.piece_from(y)).at(y);
      CHECK(total.limits(x).second == (x * x - 1) * value);
      CHECK(total.limits(x).first == (x * x - 1) * value);
    }
  }
}

}  // namespace
}  // namespace wmi::tests
