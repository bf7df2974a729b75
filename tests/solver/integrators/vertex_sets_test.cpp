#include "solver/integrators/vertex_sets.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace wmi::tests {
namespace {

using Set = std::vector<std::uint64_t>;

TEST_CASE("sets of vertices are compared and visited") {
  const Set edge{0b101, 1}, face{0b111, 1};
  CHECK(vertex_sets::count(edge) == 3);
  CHECK(vertex_sets::within(edge, face));
  CHECK_FALSE(vertex_sets::within(face, edge));
  CHECK(vertex_sets::contains(edge, 64));
  CHECK_FALSE(vertex_sets::contains(edge, 1));
  std::vector<std::size_t> visited;
  vertex_sets::for_each(edge, [&](std::size_t v) { visited.push_back(v); });
  CHECK(visited == std::vector<std::size_t>{0, 2, 64});
}

TEST_CASE("a table finds the number of each set, while it grows") {
  std::mt19937_64 engine(1);
  vertex_sets::VertexSetTable table;
  for (int round = 0; round < 2; ++round) {
    table.clear(2);
    std::map<Set, std::uint32_t> expected;
    for (std::uint32_t number = 0; number < 2'000; ++number) {
      const Set set{engine() % 64, engine() % 64};
      const std::uint32_t found = table.find(set);
      if (const auto known = expected.find(set); known != expected.end()) {
        CHECK(found == known->second);
      } else {
        CHECK(found == vertex_sets::VertexSetTable::none);
        table.insert(set, number);
        expected[set] = number;
      }
    }
  }
}

}  // namespace
}  // namespace wmi::tests
