#include "solver/messages/block_tree.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

using Vertices = std::vector<Vertex>;

/// A problem with these edges x_i < x_j.
struct Edges : SmallProblem {
  Edges(int vertices, const std::vector<std::pair<int, int>>& edges) {
    for (int i = 0; i < vertices; ++i) real(("x" + std::to_string(i)).c_str());
    for (const auto& [i, j] : edges)
      require(terms.less(Polynomial::variable(static_cast<Variable>(i)),
                         i == j ? Polynomial(1) : Polynomial::variable(static_cast<Variable>(j))));
  }
  std::vector<Vertices> blocks(const std::vector<Vertex>& joining = {}) const {
    const Factors factors(problem);
    std::vector<bool> separates(problem.integrated.size(), true);
    for (const Vertex vertex : joining) separates[vertex] = false;
    const BlockTree tree(factors, factors.of_problem(), separates.size(), separates);
    std::vector<Vertices> result;
    for (const Block& block : tree.blocks()) result.push_back(block.vertices);
    std::ranges::sort(result);
    return result;
  }
};

TEST_CASE("the edges of a path are blocks, a cycle is one") {
  CHECK(Edges(4, {{0, 1}, {1, 2}, {2, 3}}).blocks() ==
        std::vector<Vertices>{{0, 1}, {1, 2}, {2, 3}});
  CHECK(Edges(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}).blocks() ==
        std::vector<Vertices>{{0, 1, 2}, {2, 3}});
}

TEST_CASE("factors of one variable are a block together") {
  const Edges edges(2, {{0, 0}, {0, 1}, {1, 1}});
  CHECK(edges.blocks() == std::vector<Vertices>{{0}, {0, 1}, {1}});
}

TEST_CASE("blocks are not separated at a vertex that must not separate") {
  CHECK(Edges(4, {{0, 1}, {1, 2}, {2, 3}}).blocks({1}) == std::vector<Vertices>{{0, 1, 2}, {2, 3}});
}

TEST_CASE("steps lead from a root to all that is connected, and a centre halves the way") {
  const Edges path(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {6, 7}});
  const Factors factors(path.problem);
  const BlockTree tree(factors, factors.of_problem(), 8, std::vector<bool>(8, true));
  const std::size_t end = tree.at(0)[0];
  const std::vector<BlockTree::Step> steps = tree.from(end);
  REQUIRE(steps.size() == 5);
  CHECK(steps[1].towards == 1);
  CHECK(steps[4].towards == 4);
  CHECK(tree.blocks()[tree.centre(end)].vertices == Vertices{2, 3});
  CHECK(tree.from(tree.at(6)[0]).size() == 1);
}

/// Whether removing a vertex disconnects two others, by a walk.
bool cuts(const std::vector<std::pair<int, int>>& edges, int removed, int from, int to, int count) {
  std::vector<bool> seen(static_cast<std::size_t>(count));
  std::vector<int> open = {from};
  seen[static_cast<std::size_t>(from)] = true;
  while (!open.empty()) {
    const int here = open.back();
    open.pop_back();
    for (const auto& [i, j] : edges)
      for (const auto& [a, b] : {std::pair(i, j), std::pair(j, i)})
        if (a == here && b != removed && !seen[static_cast<std::size_t>(b)]) {
          seen[static_cast<std::size_t>(b)] = true;
          open.push_back(b);
        }
  }
  return !seen[static_cast<std::size_t>(to)];
}

TEST_CASE("two vertices share a block if and only if no third one separates them") {
  Random random(43);
  CAPTURE(random.seed());
  for (int round = 0; round < 300; ++round) {
    const int count = random.integer(2, 8);
    std::vector<std::pair<int, int>> edges;
    for (int i = 0, size = random.integer(1, 10); i < size; ++i) {
      const int a = random.integer(0, count - 1), b = random.integer(0, count - 1);
      if (a != b) edges.emplace_back(a, b);
    }
    const std::vector<Vertices> blocks = Edges(count, edges).blocks();
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b) {
        const bool together = std::ranges::any_of(blocks, [&](const Vertices& block) {
          return std::ranges::binary_search(block, static_cast<Vertex>(a)) &&
                 std::ranges::binary_search(block, static_cast<Vertex>(b));
        });
        // An edge that is a bridge is a block although other vertices lie behind its ends.
        bool expected = !cuts(edges, -1, a, b, count);
        for (int c = 0; c < count; ++c)
          if (c != a && c != b && cuts(edges, c, a, b, count)) expected = false;
        CHECK(together == expected);
      }
  }
}

}  // namespace
}  // namespace wmi::tests
