#include "solver/geometry/farkas.h"

#include <doctest/doctest.h>

#include <random>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

/// Whether multipliers prove that form <= 0 wherever all rows are: they are not negative, and their
/// sum of rows is the form plus a constant that is not negative.
bool proves(const std::vector<Rational>& multipliers, const LinearForm& form,
            const std::vector<LinearForm>& rows) {
  REQUIRE(multipliers.size() == rows.size());
  Polynomial sum;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (multipliers[i] < 0) return false;
    sum += Polynomial(multipliers[i]) * rows[i].polynomial();
  }
  const LinearForm excess(sum - form.polynomial());
  return excess.is_constant() && excess.constant >= 0;
}

TEST_CASE("an implied inequality has multipliers that prove it") {
  // x <= 1 and y <= 2 imply x + 2y <= 5, and x + 2y <= 6.
  const std::vector<LinearForm> rows{LinearForm(x - 1), LinearForm(y - 2)};
  for (const int bound : {5, 6}) {
    const LinearForm form(x + 2 * y - bound);
    const auto multipliers = implied_by(form, rows);
    REQUIRE(multipliers);
    CHECK(*multipliers == std::vector<Rational>{1, 2});
    CHECK(proves(*multipliers, form, rows));
  }
}

TEST_CASE("an inequality that some point violates is not implied") {
  const std::vector<LinearForm> rows{LinearForm(x - 1), LinearForm(y - 2)};
  CHECK(!implied_by(LinearForm(x + 2 * y - 4), rows));  // 5 at (1, 2)
  CHECK(!implied_by(LinearForm(-x), rows));             // unbounded below
  CHECK(!implied_by(LinearForm(x), {}));
  CHECK(!implied_by(LinearForm(Polynomial(1)), rows));
}

TEST_CASE("a constant that is not positive is implied by nothing") {
  CHECK(implied_by(LinearForm(Polynomial(0)), {}) == std::vector<Rational>{});
  CHECK(implied_by(LinearForm(Polynomial(-3)), {}) == std::vector<Rational>{});
}

TEST_CASE("random combinations of rows are implied, and are not when the bound is lowered") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    std::mt19937 engine(seed);
    const auto integer = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(engine);
    };
    // A box around 0, cut by planes that leave 0 inside.
    std::vector<LinearForm> rows;
    for (const Polynomial& v : {x, y}) {
      rows.push_back(LinearForm(v - 3));
      rows.push_back(LinearForm(-v - 3));
    }
    for (int i = 0; i < 3; ++i)
      rows.push_back(LinearForm(integer(-3, 3) * x + integer(-3, 3) * y - integer(1, 4)));
    Polynomial sum;
    for (const LinearForm& row : rows) sum += integer(0, 2) * row.polynomial();
    const LinearForm form(sum);
    const auto multipliers = implied_by(form, rows);
    REQUIRE(multipliers);
    CHECK(proves(*multipliers, form, rows));
    LinearForm positive = form;  // at the origin, which satisfies all rows
    positive.constant = 1;
    CHECK(!implied_by(positive, rows));
  }
}

}  // namespace
}  // namespace wmi
