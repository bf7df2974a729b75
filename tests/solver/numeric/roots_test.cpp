#include "solver/numeric/roots.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

Univariate from_roots(const std::vector<Rational>& roots) {
  Univariate result = Univariate::constant(1);
  for (const Rational& root : roots) result = result * Univariate({-root, 1});
  return result;
}

TEST_CASE("the simplest fraction has the smallest denominator") {
  CHECK(simplest_between(ratio(3, 10), ratio(4, 10)) == ratio(1, 3));
  CHECK(simplest_between(ratio(-4, 10), ratio(-3, 10)) == ratio(-1, 3));
  CHECK(simplest_between(ratio(-1, 10), ratio(3, 10)) == 0);
  CHECK(simplest_between(ratio(5, 2), ratio(7, 2)) == 3);
  CHECK(simplest_between(ratio(5, 7), ratio(5, 7)) == ratio(5, 7));
  Random random(43);
  for (int i = 0; i < 500; ++i) {
    const Rational a = ratio(random.integer(-300, 300), random.integer(1, 60));
    const Rational b = a + ratio(random.integer(0, 30), random.integer(1, 60));
    const Rational found = simplest_between(a, b);
    CHECK((a <= found && found <= b));
    for (Integer q = 1; q < found.get_den(); ++q) {  // no smaller denominator will do
      Integer least = a.get_num() * q;
      mpz_cdiv_q(least.get_mpz_t(), least.get_mpz_t(), a.get_den_mpz_t());
      CHECK(ratio(least, q) > b);
    }
  }
}

TEST_CASE("a root that is rational is found exactly") {
  CHECK(root_between(Univariate({-1, 0, 4}), 0, 3, 5) == Interval(ratio(1, 2)));
  const Univariate f = from_roots({ratio(355, 113)}) * Univariate({1, 0, 1});
  CHECK(root_between(f, 0, 10, 3) == Interval(ratio(355, 113)));
}

TEST_CASE("a root that is not rational is enclosed to the digits asked for") {
  const Univariate f({-2, 0, 1});
  for (const unsigned digits : {1u, 5u, 30u, 300u}) {
    const Interval found = root_between(f, 0, 2, digits);
    CHECK(found.lower < found.upper);
    CHECK(f.at(found.lower) < 0);
    CHECK(f.at(found.upper) > 0);
    CHECK((found.upper - found.lower) * power(Rational(10), digits) <= found.lower);
  }
}

TEST_CASE("a multiple root has the same digits as a simple one") {
  const Univariate simple({-2, 0, 1}), even({-3, 1});  // (x^2 - 2)^k (x - 3)^2
  Univariate f = even * even;
  for (int k = 1; k <= 9; ++k) {
    f = f * simple;
    if (k % 2 == 0) continue;
    CAPTURE(k);
    for (const unsigned digits : {20u, 100u, 1000u}) {
      const Interval found = root_between(f, 0, 2, digits);
      CHECK(found == root_between(simple, 0, 2, digits));
      CHECK(simple.at(found.lower) < 0);
      CHECK(simple.at(found.upper) > 0);
      CHECK((found.upper - found.lower) * power(Rational(10), digits) <= found.lower);
    }
  }
  // (x - 1/3)^5 (x^2 + 1)^2
  const Univariate at_third = from_roots(std::vector<Rational>(5, ratio(1, 3)));
  CHECK(root_between(at_third * Univariate({1, 0, 1}) * Univariate({1, 0, 1}), -7, 2, 10) ==
        Interval(ratio(1, 3)));
  // An end that is a double root is not the result: x^2 (x^2 - 2) on [0, 2].
  const Interval beside = root_between(Univariate({0, 0, -2, 0, 1}), 0, 2, 30);
  CHECK(simple.at(beside.lower) < 0);
  CHECK(simple.at(beside.upper) > 0);
}

TEST_CASE("signs change at roots of odd multiplicity, and at no others") {
  // (x-1) (x-2)^2 (x-3)^3 between 1/2 and 4
  const Univariate f = from_roots({1, 2, 2, 3, 3, 3});
  CHECK(sign_changes(f, ratio(1, 2), 4, 5) == std::vector<Interval>{Rational(1), Rational(3)});
  CHECK(sign_changes(f, 1, 3, 5).empty());
  CHECK(sign_changes(Univariate::constant(2), 0, 1, 5).empty());
  CHECK(sign_changes(Univariate(), 0, 1, 5).empty());
}

TEST_CASE("sign changes and signs of a product are those of its factors") {
  Random random(44);
  for (int i = 0; i < 600; ++i) {
    std::vector<Rational> roots(static_cast<std::size_t>(random.integer(1, 5)));
    for (Rational& root : roots) root = ratio(random.integer(-12, 12), random.integer(1, 3));
    Univariate f = from_roots(roots);
    std::set<Rational> odd;  // those that change the sign, as they toggle
    for (const Rational& root : roots)
      if (!odd.insert(root).second) odd.erase(root);
    // A quadratic factor: without real roots, or with roots +-sqrt(c).
    const int c = random.integer(-6, 6);
    f = f * Univariate({c, 0, 1});
    if (random.chance(50)) f = ratio(-random.integer(1, 9), 7) * f;
    const Rational from = random.integer(-5, 0), to = random.integer(1, 5);
    const std::vector<Interval> found = sign_changes(f, from, to, 20);
    for (std::size_t k = 0; k + 1 < found.size(); ++k) CHECK(found[k].upper <= found[k + 1].lower);
    for (const Rational& root : odd)
      if (from < root && root < to && !(c <= 0 && root * root == -c))
        CHECK(std::count(found.begin(), found.end(), Interval(root)) == 1);
    // Between neighbouring sign changes the sign is constant, and it alternates.
    std::vector<Rational> probes{from};
    for (const Interval& change : found) {
      probes.push_back(change.lower);
      probes.push_back(change.upper);
    }
    probes.push_back(to);
    bool negative = false;
    int last = 0;
    for (std::size_t k = 0; k + 1 < probes.size(); k += 2)
      for (int t = 1; t < 8; ++t) {
        const int sign = sgn(f.at(probes[k] + (probes[k + 1] - probes[k]) * ratio(t, 8)));
        if (sign == 0) continue;
        negative = negative || sign < 0;
        if (t == 1) CHECK(sign != last);
        last = sign;
      }
    CHECK(non_negative_between(f, from, to) == !negative);
  }
}

}  // namespace
}  // namespace wmi::tests
