// The worked examples with answers that were found by other means: each answer comes out of a
// single question, and of the whole law of the term.

#include <doctest/doctest.h>

#include "solver/laws/law.h"
#include "solver/solve.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// What the questions after a problem are answered.
std::vector<Answer> answers(const std::string& problem, const std::string& questions,
                            const Enumerator& enumerator) {
  std::vector<Answer> result;
  for (const Task& task : read({"example", problem + questions}))
    for (const Answer& answer : solve(task, enumerator, *make_auto({})).answers)
      result.push_back(answer);
  return result;
}

struct Example {
  std::string problem;
  std::string term;
  Rational mean;
  Rational density_at;
  Rational density;
};

void check(const Example& example) {
  CAPTURE(example.problem);
  CAPTURE(example.term);
  for (const auto& enumerator : {make_split(), make_z3()}) {
    const std::vector<Answer> found = answers(
        example.problem,
        "(get-expectation " + example.term + ")(get-density " + example.term + " :at (/ " +
            example.density_at.get_num().get_str() + " " + example.density_at.get_den().get_str() +
            "))(get-distribution " + example.term + ")",
        *enumerator);
    REQUIRE(found.size() == 3);
    CHECK(*found[0].value == Interval(example.mean));
    CHECK(*found[1].value == Interval(example.density));
    REQUIRE(found[2].law);
    CHECK(found[2].law->mass() == 1);
    CHECK(found[2].law->mean() == example.mean);
    CHECK(found[2].law->density(example.density_at) == example.density);
  }
}

/// A triangular outcome y of this radius around f.
std::string outcome(const std::string& radius) {
  return "(declare-const y Real)(define-const r Real " + radius + ")" +
         "(assert (<= (- r) (- y f) r))"
         "(weight (> y f) (- (/ 1 r) (/ (- y f) (* r r))))"
         "(weight (< y f) (- (/ 1 r) (/ (- f y) (* r r))))";
}

const std::string relu =
    "(declare-const w Real)(assert (<= (- 3) w 3))(define-fun f () Real (ite (> w 0) w 0))";
const std::string three_weights =
    "(declare-const w1 Real)(declare-const w2 Real)(declare-const w3 Real)"
    "(assert (and (<= (/ (- 1) 2) w1 0.75) (<= 0.1 w2 1.2) (<= (- 0.2) w3 0.2)))"
    "(define-fun f () Real (+ 0.3 (* 0.7 w1) (* (- 0.4) w2) w3))";
const std::string two_weights =
    "(declare-const w1 Real)(declare-const w2 Real)"
    "(assert (and (<= (- 1) w1 1) (<= (- 1) w2 1)))"
    "(define-fun a () Real (+ 0.25 w1 (* 0.5 w2)))"
    "(define-fun u () Real (ite (> a 0) a 0))(define-fun f () Real (+ (- 0.2) (* 1.5 u)))";

}  // namespace

TEST_CASE("a ReLU of a uniform weight, and an outcome around it") {
  const Rational mean = ratio(3, 4);
  check({relu + outcome("(/ 12 5)"), "y", mean, 1, ratio(445, 1728)});
  check({relu + outcome("2.3"), "y", mean, 1, ratio(415, 1587)});
  check({relu + outcome("2.297"), "y", mean, 1, ratio(4141000, 15828627)});
  check({relu + outcome("2.45"), "y", mean, 1, ratio(1840, 7203)});
  check({relu, "f", mean, 1, ratio(1, 6)});
  // Half of the mass at 0, with and without the end.
  const std::vector<Answer> found =
      answers(relu,
              "(get-probability (<= f 0))(get-probability (= f 0))(get-probability (< f 0))"
              "(get-cdf f :at 0)(get-distribution f)",
              *make_split());
  CHECK(*found[0].value == Interval(ratio(1, 2)));
  CHECK(*found[1].value == Interval(ratio(1, 2)));
  CHECK(*found[2].value == Interval(Rational(0)));
  CHECK(*found[3].value == Interval(ratio(1, 2)));
  CHECK(found[4].law->mass_at(0) == ratio(1, 2));
  CHECK(found[4].law->cdf(0) == ratio(1, 2));
}

TEST_CASE("three weights and an outcome around their sum") {
  const std::string problem = three_weights + outcome("(/ 49 40)");
  check({problem, "y", ratio(51, 400), ratio(9, 10), Rational("453130613/1479016000")});
  const std::vector<Answer> found =
      answers(problem,
              "(get-probability (<= (/ (- 3) 2) y 2))(get-cdf y :at 2)(get-cdf y :at (/ (- 3) 2))"
              "(get-distribution y)",
              *make_split());
  const Rational inside("1266817878373/1267728000000");
  CHECK(*found[0].value == Interval(inside));
  CHECK(found[1].value->lower - found[2].value->lower == inside);
  CHECK(found[3].law->cdf(2) - found[3].law->cdf(ratio(-3, 2)) == inside);
  // The law of the sum alone, convolved with the triangle.
  const Law sum = *answers(three_weights, "(get-distribution f)", *make_split())[0].law;
  CHECK(convolution(sum, Law::triangular(0, ratio(49, 40))) == *found[3].law);
}

TEST_CASE("a ReLU of two weights and an outcome around it") {
  const std::string problem = two_weights + outcome("(/ 49 20)");
  check({problem, "y", ratio(267, 640), 1, ratio(52891, 192080)});
  CHECK(ratio(52891, 192080).get_d() == doctest::Approx(.275359225322782).epsilon(1e-14));
  check({two_weights, "u", ratio(79, 192), ratio(1, 4), ratio(1, 2)});
  const std::vector<Answer> found = answers(
      two_weights,
      "(get-probability (< a 0))(get-distribution a)(get-distribution u)(get-distribution f)",
      *make_split());
  CHECK(*found[0].value == Interval(ratio(3, 8)));
  CHECK(found[1].law->cdf(0) == ratio(3, 8));
  CHECK(found[2].law->mass_at(0) == ratio(3, 8));
  CHECK(convolution(*found[3].law, Law::triangular(0, ratio(49, 20))).density(1) ==
        ratio(52891, 192080));
}

TEST_CASE("twice x on a triangle under A, otherwise the unit square") {
  const std::string problem =
      "(declare-const x Real)(declare-const y Real)(declare-const A Bool)"
      "(assert (and (<= 0 x 1) (<= 0 y 1)))(assert (=> A (<= (+ x y) 1)))(weight A (* 2 x))";
  const std::vector<Answer> found =
      answers(problem, "(get-wmi)(get-probability A)(get-distribution (ite A 1 0))", *make_split());
  CHECK(*found[0].value == Interval(ratio(4, 3)));
  CHECK(*found[1].value == Interval(ratio(1, 4)));
  CHECK(*found[2].law == Law({{0, ratio(3, 4)}, {1, ratio(1, 4)}}, {}));
  // 2x(1 - x) and 1 add up to 1 + 2x - 2x^2, divided by 4/3.
  const Law x = *answers(problem, "(get-distribution x)", *make_split())[0].law;
  CHECK(x == Law({}, {{0, 1, Univariate({ratio(3, 4), ratio(3, 2), ratio(-3, 2)})}}));
}
