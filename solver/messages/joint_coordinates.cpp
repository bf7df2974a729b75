// Which Boolean is joined to which real is decided as eliminations are ordered (minimum fill; Kjaerulff,
// "Triangulation of graphs", 1990): the pair comes first whose contraction adds the fewest edges to
// the graph of variables. In a chain of states (x_i, b_i) none adds any.

#include "solver/messages/joint_coordinates.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>

#include "solver/messages/block_tree.h"
#include "solver/messages/factors.h"
#include "solver/messages/implied_bounds.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

constexpr std::size_t most_vertices = 1'000, most_in_factor = 16, most_at_real = 3;
constexpr std::ptrdiff_t most_new_edges = 4;

using Graph = std::vector<std::set<Vertex>>;
/// The Booleans that each real stands for, too.
using Joined = std::map<Variable, std::vector<std::uint32_t>>;

/// The variables that share a factor with each; nullopt if some share one with too many.
std::optional<Graph> graph_of(const Factors& factors, std::size_t vertices) {
  Graph result(vertices);
  for (const std::size_t number : factors.of_problem()) {
    const std::vector<Vertex>& all = factors[number].vertices;
    if (all.size() > most_in_factor) return std::nullopt;
    for (const Vertex vertex : all) result[vertex].insert(all.begin(), all.end());
  }
  for (Vertex vertex = 0; vertex < vertices; ++vertex) result[vertex].erase(vertex);
  return result;
}

/// The Booleans of blocks that have three reals or more.
std::set<Vertex> in_large_blocks(const Problem& problem, const Factors& factors,
                                 std::size_t vertices) {
  const BlockTree tree(factors, factors.of_problem(), vertices, std::vector<bool>(vertices, true));
  const std::size_t reals = problem.integrated.size();
  std::set<Vertex> result;
  for (const Block& block : tree.blocks()) {
    const auto booleans = std::ranges::lower_bound(block.vertices, reals);
    if (booleans - block.vertices.begin() > 2) result.insert(booleans, block.vertices.end());
  }
  return result;
}

Joined joined(const Problem& problem) {
  const Factors factors(problem);
  const std::size_t reals = problem.integrated.size();
  const std::size_t vertices = reals + problem.terms.boolean_count();
  if (vertices > most_vertices) return {};
  std::optional<Graph> graph = graph_of(factors, vertices);
  if (!graph) return {};
  std::set<Vertex> open = in_large_blocks(problem, factors, vertices);
  Joined result;
  const auto new_edges = [&](Vertex boolean, Vertex real) {
    return std::ranges::count_if((*graph)[boolean], [&](Vertex other) {
      return other != real && !(*graph)[real].contains(other);
    });
  };
  while (!open.empty()) {
    std::optional<std::tuple<std::ptrdiff_t, Vertex, Vertex>> best;
    for (const Vertex boolean : open) {
      if (best && std::get<0>(*best) == 0) break;
      for (const Vertex real : (*graph)[boolean]) {
        if (real >= reals || !problem.integrated[real]) continue;
        if (const auto found = result.find(real);
            found != result.end() && found->second.size() == most_at_real)
          continue;
        const std::tuple merit(new_edges(boolean, real), boolean, real);
        if (!best || merit < *best) best = merit;
      }
    }
    if (!best) break;
    if (std::get<0>(*best) > most_new_edges) return {};
    const auto& [fill, boolean, real] = *best;
    for (const Vertex other : (*graph)[boolean]) {
      (*graph)[other].erase(boolean);
      if (other == real) continue;
      (*graph)[other].insert(real);
      (*graph)[real].insert(other);
    }
    (*graph)[boolean].clear();
    open.erase(boolean);
    result[real].push_back(static_cast<std::uint32_t>(boolean - reals));
  }
  return result;
}

}  // namespace

std::optional<JointCoordinates> in_joint_coordinates(const Problem& problem,
                                                     std::span<const Goal> goals) {
  const Joined all = joined(problem);
  if (all.empty()) return std::nullopt;
  const auto bounds = implied_bounds(problem);
  JointCoordinates result;
  Terms& terms = result.problem.terms;
  std::vector<Formula>& assertions = result.problem.assertions;
  result.problem.integrated = problem.integrated;
  for (Variable real = 0; real < problem.integrated.size(); ++real)
    terms.declare_real(problem.terms.real_name(real));
  std::vector<std::optional<Formula>> booleans(problem.terms.boolean_count());
  Substitution substitution(problem.terms, terms);
  for (Variable real = 0; real < problem.integrated.size(); ++real) {
    Polynomial value = Polynomial::variable(real);
    if (const auto found = all.find(real); found != all.end()) {
      const auto& [lower, upper] = bounds[real];
      if (!lower || !upper || *lower >= *upper) return std::nullopt;
      Rational width = *upper - *lower;
      for (std::size_t i = 1; i < found->second.size(); ++i) width *= 2;
      assertions.push_back(terms.less_equal(*lower, value));
      assertions.push_back(terms.less_equal(value, Rational(*lower + 2 * width)));
      for (const std::uint32_t boolean : found->second) {
        booleans[boolean] = terms.less(Rational(*lower + width), value);
        value = terms.choice(*booleans[boolean], value - width, value);
        width /= 2;
      }
    }
    substitution.set_real(real, value);
  }
  for (std::uint32_t boolean = 0; boolean < booleans.size(); ++boolean)
    substitution.set_boolean(
        boolean, booleans[boolean] ? *booleans[boolean]
                                   : terms.declare_boolean(problem.terms.boolean_name(boolean)));

  for (const Formula assertion : problem.assertions) assertions.push_back(substitution(assertion));
  for (const Weight& weight : problem.weights)
    result.problem.weights.push_back({substitution(weight.condition), substitution(weight.value)});
  if (!has_small_blocks(result.problem)) return std::nullopt;
  for (const Goal& goal : goals) {
    Goal& changed = result.goals.emplace_back(goal);
    changed.condition = substitution(goal.condition);
    for (Summand& summand : changed.summands) summand.term = substitution(summand.term);
    if (changed.slice) changed.slice->term = substitution(changed.slice->term);
    for (Output& output : changed.outputs) output.term = substitution(output.term);
  }
  return result;
}

}  // namespace wmi
