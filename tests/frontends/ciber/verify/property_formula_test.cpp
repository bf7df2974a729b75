#include "frontends/ciber/verify/property_formula.h"

#include <doctest/doctest.h>

#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

const std::vector<Interval> square{{0, 1}, {0, 1}};

TEST_CASE("outputs are compared with each other, or with something else") {
  const auto compares = [](const std::string& asserts) {
    return compares_outputs_only(
        property(1, 2, "(assert (>= X_0 0)) (assert (<= X_0 1))" + asserts));
  };
  CHECK(compares(""));
  CHECK(compares("(assert (<= Y_0 Y_1))"));
  CHECK(compares("(assert (or (and (<= X_0 0.5) (>= (* 2 Y_0) (* 2 Y_1))) (<= Y_0 Y_1)))"));
  CHECK_FALSE(compares("(assert (<= Y_0 0))"));
  CHECK_FALSE(compares("(assert (<= Y_0 X_0))"));
  CHECK_FALSE(compares("(assert (<= (* 2 Y_0) Y_1))"));
  CHECK_FALSE(compares("(assert (<= (+ Y_0 Y_1) 0))"));
  CHECK_FALSE(compares("(assert (or (<= Y_0 Y_1) (<= Y_0 (+ Y_1 1))))"));
}

TEST_CASE("the input region is the property with atoms about outputs true") {
  const Property given =
      property(2, 1, unit_box(2) + "(assert (or (and (<= X_0 0.5) (<= Y_0 0)) (>= X_1 0.5)))");
  const Property region = input_region(given);
  const auto in_region = [&](const Rational& a, const Rational& b) {
    return certainly_holds(region, std::vector<Interval>{a, b, {-100, 100}});
  };
  CHECK(in_region(ratio(1, 4), 0));
  CHECK(in_region(1, 1));
  CHECK(!in_region(1, 0));
  CHECK(!in_region(2, 1));
  CHECK(!trivially_true(simplified(region, square)));
  CHECK(trivially_true(simplified(input_region(property(2, 1, unit_box(2))), square)));
}

TEST_CASE("atoms that the box decides are gone") {
  // X_0 <= 1 holds in the box; X_1 >= 2 nowhere, so the disjunction is Y_0 <= 0.
  const Property given = property(
      2, 1, "(assert (<= X_0 1))(assert (or (>= X_1 2) (<= Y_0 0) (and (<= Y_0 1) (> X_0 1))))");
  const Property simple = simplified(given, square);
  REQUIRE(simple.asserts.size() == 1);
  CHECK(property_text(simple) == "Y_0 <= 0");
}

TEST_CASE("strict atoms are decided at the ends of the box as they are") {
  const auto simple = [](const std::string& assertion) {
    return simplified(property(2, 1, "(assert " + assertion + ")"), square);
  };
  CHECK(trivially_true(simple("(<= X_0 1)")));
  CHECK(!trivially_true(simple("(< X_0 1)")));
  CHECK(trivially_true(simple("(or (< X_0 1) (<= X_1 1))")));
}

TEST_CASE("relaxed atoms are true near every point where they were") {
  // The slack of X_0 - 3 <= 0 is 4 / 2^40.
  const Property loose = relaxed(property(1, 1, "(assert (< X_0 3))"));
  const Rational slack = power(ratio(1, 2), 38);
  CHECK(loose.nodes[0].atom.form.constant == -3 - slack);
  const auto holds_at = [&](const Rational& x) {
    return certainly_holds(loose, std::vector<Interval>{x, Rational(0)});
  };
  CHECK(holds_at(3));
  CHECK(!holds_at(3 + slack));
}

TEST_CASE("the regions are the disjuncts of the only disjunction about outputs") {
  const std::string either = "(assert (or (<= Y_0 0) (and (>= Y_0 2) (<= Y_1 1))))";
  const std::vector<Property> two = unsafe_regions(
      property(1, 2, unit_box(1) + "(assert (or (<= X_0 0.1) (>= X_0 0.9)))" + either));
  REQUIRE(two.size() == 2);
  CHECK(property_text(two[0]) == "Y_0 <= 0");
  CHECK(property_text(two[1]) == "Y_0 >= 2 and Y_1 <= 1");
  CHECK(unsafe_regions(property(1, 2, unit_box(1) + either + either)).size() == 1);
  CHECK(unsafe_regions(property(1, 2, unit_box(1) + "(assert (<= Y_0 Y_1))")).size() == 1);
}

TEST_CASE("between bounds a property certainly holds, or possibly") {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  // 1 <= Y_0 - Y_1, for Y_0 between x and x + 1 and Y_1 between 2 x and 3 x.
  const Property given = property(1, 2, "(assert (<= 1 (- Y_0 Y_1)))");
  const std::vector<Term> values{
      {x}, {x, x + Polynomial(1)}, {Polynomial(2) * x, Polynomial(3) * x}};
  const Event event = to_event(given, terms, values);
  // Certainly: 1 - x + 3 x <= 0. Possibly: 1 - (x + 1) + 2 x <= 0.
  CHECK(event.certain == terms.less_equal(Polynomial(1) + Polynomial(2) * x, 0));
  CHECK(event.possible == terms.less_equal(x, 0));
  const std::vector<Term> known{{x}, {x}, {Polynomial(2) * x}};
  CHECK(to_event(given, terms, known).exact());
}

TEST_CASE("a property is written in infix, without what is said of inputs alone") {
  CHECK(property_text(property(1, 2,
                               unit_box(1) +
                                   "(assert (>= Y_0 0.25))"
                                   "(assert (or (< (* 2 Y_0) (+ Y_1 X_0 -1)) (> Y_1 3)))")) ==
        "Y_0 >= 0.25 and (2*Y_0 + 1 < X_0 + Y_1 or Y_1 > 3)");
  CHECK(property_text(property(1, 1, unit_box(1))) == "true");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "(assert (<= Y_0 " + std::to_string(i) + "))";
  const std::string text = property_text(property(1, 1, many));
  CHECK(text.size() < 200);
  CHECK(text.ends_with("..."));
}

}  // namespace
}  // namespace wmi::frontends
