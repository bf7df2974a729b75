#include "encoders/tensor.h"

#include <doctest/doctest.h>

#include "solver/terms/rational.h"

using namespace wmi;
using namespace wmi::encoders;

TEST_CASE("a number has no axes and one entry") {
  CHECK(entry_count({}) == 1);
  CHECK(encoders::to_string(Shape{}) == "[]");
  CHECK(index_name({}, 0) == "[]");
}

TEST_CASE("an axis of length 0 leaves no entries") {
  CHECK(entry_count({3, 4}) == 12);
  CHECK(entry_count({3, 0, 4}) == 0);
}

TEST_CASE("a value with too many entries is refused, whatever its shape") {
  CHECK_THROWS_WITH_AS(entry_count({std::size_t{1} << 33}), "a value with too many entries", Error);
  CHECK_THROWS_AS(entry_count({std::size_t{1} << 32, std::size_t{1} << 32}), Error);
  CHECK_THROWS_AS(entry_count({std::size_t{1} << 20, std::size_t{1} << 20, 16}), Error);
}

TEST_CASE("an entry is named by its index, the last axis fastest") {
  CHECK(index_name({2, 3}, 0) == "[0,0]");
  CHECK(index_name({2, 3}, 2) == "[0,2]");
  CHECK(index_name({2, 3}, 3) == "[1,0]");
  CHECK(index_name({2, 3, 4}, 23) == "[1,2,3]");
}

TEST_CASE("broadcasting repeats axes of length 1, and those in front that are missing") {
  using Entries = std::vector<std::size_t>;
  CHECK(broadcast({}, {2, 2}) == Entries{0, 0, 0, 0});
  CHECK(broadcast({2}, {3, 2}) == Entries{0, 1, 0, 1, 0, 1});
  CHECK(broadcast({3, 1}, {3, 2}) == Entries{0, 0, 1, 1, 2, 2});
  CHECK(broadcast({2, 1, 2}, {2, 2, 2}) == Entries{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK_THROWS_WITH_AS(broadcast({2}, {3}), "a tensor [2] cannot be broadcast to [3]", Error);
  CHECK_THROWS_WITH_AS(broadcast({1, 3}, {3}), "a tensor [1, 3] cannot be broadcast to [3]", Error);
  // Nothing, however long the other axes are.
  const std::size_t billion = 1'000'000'000;
  CHECK(broadcast({1}, {0, billion, billion}).empty());
}

TEST_CASE("a filled tensor has all entries the same") {
  const auto ones = Tensor<Rational>::filled({2, 2}, 1);
  CHECK(ones == Tensor<Rational>({2, 2}, {1, 1, 1, 1}));
  CHECK(ones != Tensor<Rational>({4}, {1, 1, 1, 1}));
}
