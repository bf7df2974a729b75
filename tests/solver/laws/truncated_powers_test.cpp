#include "solver/laws/truncated_powers.h"

#include <doctest/doctest.h>

#include "solver/laws/law.h"
#include "solver/terms/error.h"

namespace wmi::tests {
namespace {

using Knot = TruncatedPowers::Knot;

TEST_CASE("powers at one knot are added up, and zeros are dropped") {
  TruncatedPowers powers;
  powers.add(2, 1, 3);
  powers.add(1, 0, 1);
  powers.add(2, 1, -3);
  powers.add(2, 2, 5);
  powers.add(3, 0, 0);
  powers.settle();
  CHECK(powers.knots() == std::vector<Knot>{{1, {1}}, {2, {0, 0, 5}}});
  powers.add(TruncatedPowers({{2, {0, 0, -5}}}));
  powers.settle();
  CHECK(powers.knots() == std::vector<Knot>{{1, {1}}});
  powers.scale(0);
  CHECK(powers.knots().empty());
}

TEST_CASE("knots may be added in any order and are sorted") {
  TruncatedPowers powers;
  for (int i = 0; i < 1000; ++i) powers.add((i * 37) % 500, 1, 1);
  powers.settle();
  REQUIRE(powers.knots().size() == 500);
  for (int i = 0; i < 500; ++i)
    CHECK(powers.knots()[static_cast<std::size_t>(i)] == Knot{i, {0, 2}});
}

TEST_CASE("a convolution adds knots and orders") {
  // (delta_1 + 2 s_+^0 at 3) * (s_+^1 at 5)
  const TruncatedPowers a({{1, {1}}, {3, {0, 2}}}), b({{5, {0, 0, 1}}});
  CHECK(convolution(a, b).knots() == std::vector<Knot>{{6, {0, 0, 1}}, {8, {0, 0, 0, 2}}});
}

TEST_CASE("too many knots are refused") {
  std::vector<Knot> fine, coarse;
  for (int i = 0; i < 500; ++i) {
    fine.push_back({i, {1}});
    coarse.push_back({1000 * i, {1}});
  }
  const TruncatedPowers long_one = convolution(TruncatedPowers(fine), TruncatedPowers(coarse));
  CHECK(long_one.too_long());
  TruncatedPowers sum(std::vector<Knot>{{1, {1}}});
  sum.add(long_one);
  CHECK(sum.too_long());
  CHECK(convolution(sum, TruncatedPowers(std::vector<Knot>{{1, {1}}})).too_long());
  CHECK_THROWS_WITH_AS(Law{sum},
                       "the law has more than 200000 pieces; ask for its moments or for single "
                       "probabilities instead",
                       Error);
}

}  // namespace
}  // namespace wmi::tests
