// Hopcroft and Tarjan's algorithm ("Efficient algorithms for graph manipulation", 1973) on the
// bipartite graph of variables and factors, which has as many edges as factors have variables, and
// the same separating variables as the graph of variables. Blocks that share a factor are joined
// afterwards, as are those that share a variable that must not separate.

#include "solver/messages/block_tree.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace wmi {
namespace {

/// A bipartite graph: vertices, then factors.
using Graph = std::vector<std::vector<std::size_t>>;

/// The blocks as sets of edges, here as the nodes at both ends.
std::vector<std::vector<std::size_t>> biconnected(const Graph& graph) {
  constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();
  struct Visit {
    std::size_t node, parent, next;
  };
  std::vector<std::vector<std::size_t>> result;
  std::vector<std::size_t> depth(graph.size(), unseen), low(graph.size());
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t start = 0; start < graph.size(); ++start) {
    if (depth[start] != unseen || graph[start].empty()) continue;
    std::vector<Visit> path = {{start, unseen, 0}};
    depth[start] = low[start] = 0;
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::size_t node = visit.node;
      if (visit.next < graph[node].size()) {
        const std::size_t other = graph[node][visit.next++];
        if (other == visit.parent || (depth[other] != unseen && depth[other] > depth[node]))
          continue;
        edges.emplace_back(node, other);
        if (depth[other] != unseen) {
          low[node] = std::min(low[node], depth[other]);
        } else {
          depth[other] = low[other] = path.size();
          path.push_back({other, node, 0});
        }
        continue;
      }
      path.pop_back();
      if (path.empty()) break;
      const std::size_t parent = path.back().node;
      low[parent] = std::min(low[parent], low[node]);
      if (low[node] < depth[parent]) continue;
      std::vector<std::size_t>& block = result.emplace_back();
      for (bool last = false; !last;) {
        last = edges.back() == std::pair(parent, node);
        block.push_back(edges.back().first);
        block.push_back(edges.back().second);
        edges.pop_back();
      }
    }
  }
  return result;
}

std::size_t find(std::vector<std::size_t>& parents, std::size_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

}  // namespace

BlockTree::BlockTree(const Factors& factors, std::span<const std::size_t> numbers,
                     std::size_t vertices, const std::vector<bool>& separates)
    : at_(vertices) {
  Graph graph(vertices + numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (const Vertex vertex : factors[numbers[i]].vertices) {
      graph[vertex].push_back(vertices + i);
      graph[vertices + i].push_back(vertex);
    }
  const std::vector<std::vector<std::size_t>> found = biconnected(graph);

  // Join blocks that share a node at which they must not be separated; and those of one variable.
  std::vector<std::size_t> parents(found.size());
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first(graph.size(), none), alone(vertices, none);
  for (std::size_t block = 0; block < found.size(); ++block)
    for (const std::size_t node : found[block]) {
      std::size_t& other =
          node >= vertices && graph[node].size() == 1 ? alone[graph[node][0]] : first[node];
      if (node < vertices && separates[node]) continue;
      if (other == none)
        other = block;
      else
        parents[find(parents, block)] = find(parents, other);
    }

  std::map<std::size_t, std::size_t> numbers_of;  // blocks by their sets
  for (std::size_t block = 0; block < found.size(); ++block)
    for (const std::size_t node : found[block]) {
      if (node < vertices) continue;
      const auto [place, fresh] = numbers_of.try_emplace(find(parents, block), blocks_.size());
      if (fresh) blocks_.emplace_back();
      blocks_[place->second].factors.push_back(node - vertices);
    }
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    Block& block = blocks_[number];
    std::ranges::sort(block.factors);
    block.factors.erase(std::unique(block.factors.begin(), block.factors.end()),
                        block.factors.end());
    for (std::size_t& factor : block.factors) {
      factor = numbers[factor];
      const std::vector<Vertex>& more = factors[factor].vertices;
      block.vertices.insert(block.vertices.end(), more.begin(), more.end());
    }
    std::ranges::sort(block.factors);
    std::ranges::sort(block.vertices);
    block.vertices.erase(std::unique(block.vertices.begin(), block.vertices.end()),
                         block.vertices.end());
    for (const Vertex vertex : block.vertices) at_[vertex].push_back(number);
  }
}

std::vector<BlockTree::Step> BlockTree::from(std::size_t block) const {
  std::vector<Step> result = {{block, std::numeric_limits<Vertex>::max()}};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Step here = result[i];
    for (const Vertex vertex : blocks_[here.block].vertices) {
      if (vertex == here.towards) continue;
      for (const std::size_t next : at_[vertex])
        if (next != here.block) result.push_back({next, vertex});
    }
  }
  return result;
}

std::size_t BlockTree::centre(std::size_t block) const {
  const std::size_t end = from(from(block).back().block).back().block;
  // Distances from one end of a longest path; then half way back from the other end.
  const std::vector<Step> steps = from(end);
  std::map<std::size_t, std::size_t> before;  // the step before a block
  std::map<Vertex, std::size_t> reached;      // the first block of a vertex
  for (const Step& step : steps) {
    if (step.block != end) before[step.block] = reached.at(step.towards);
    for (const Vertex vertex : blocks_[step.block].vertices)
      reached.try_emplace(vertex, step.block);
  }
  std::vector<std::size_t> path = {steps.back().block};
  while (path.back() != end) path.push_back(before.at(path.back()));
  return path[path.size() / 2];
}

bool has_small_blocks(const Problem& problem) {
  constexpr std::ptrdiff_t most_reals = 2;
  const Factors factors(problem);
  const std::size_t reals = problem.integrated.size();
  const std::size_t vertices = reals + problem.terms.boolean_count();
  const BlockTree tree(factors, factors.of_problem(), vertices, std::vector<bool>(vertices, true));
  return std::ranges::all_of(tree.blocks(), [&](const Block& block) {
    return std::ranges::count_if(block.vertices, [&](Vertex vertex) { return vertex < reals; }) <=
           most_reals;
  });
}

}  // namespace wmi
