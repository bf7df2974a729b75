// The cells that a search finds, one by one, as pictures and explanations need them. A search may
// hand out less: a cell in doubles, which is worked out in exact numbers here, or a product whose
// factors are problems of their own, which are searched, and every combination of their cells is a
// cell.

#include "frontends/python/core/cells.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "frontends/ciber/verify/slice_plot.h"
#include "solver/answers/evaluation.h"
#include "solver/solve.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi::python {
namespace {

constexpr std::size_t most_vertices = 10'000;  // of one cell

/// A region and the weight on it.
struct Piece {
  std::vector<Halfspace> halfspaces;
  Polynomial weight;
};

/// In the coordinates of a whole, of which those of the piece are some.
Piece embedded(const Piece& piece, const std::vector<Variable>& coordinates,
               std::size_t dimension) {
  Piece result;
  for (const Halfspace& halfspace : piece.halfspaces) {
    Halfspace wide{std::vector<Rational>(dimension), halfspace.bound};
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      wide.normal[coordinates[i]] = halfspace.normal[i];
    result.halfspaces.push_back(std::move(wide));
  }
  result.weight =
      piece.weight.substitute([&](Variable i) { return Polynomial::variable(coordinates[i]); });
  return result;
}

Piece product(Piece a, const Piece& b) {
  a.halfspaces.insert(a.halfspaces.end(), b.halfspaces.begin(), b.halfspaces.end());
  a.weight = a.weight * b.weight;
  return a;
}

class Search {
 public:
  explicit Search(std::stop_token stop) : stop_(std::move(stop)) {}

  /// The pieces of the problem where the condition holds.
  std::vector<Piece> pieces(const Problem& problem, Formula condition) const {
    const Goal goal{condition, {{Polynomial(1), 0}}, {}};
    std::vector<Piece> result;
    const auto cells = enumerator_->start(problem, std::span(&goal, 1), stop_);
    while (const std::optional<Cell> cell = cells->next()) add(*cell, result);
    return result;
  }

 private:
  void add(const Cell& cell, std::vector<Piece>& result) const {
    if (const auto* const enclosed = std::get_if<EnclosedCell>(&cell.kind))
      for (const Cell& exact : enclosed->exact->cells()) add(exact, result);
    for (const Polynomial& weight : cell.integrands) {
      if (const auto* const plain = std::get_if<PlainCell>(&cell.kind))
        result.push_back({halfspaces(plain->bounds), weight});
      if (const auto* const whole = std::get_if<ProductCell>(&cell.kind))
        for (Piece& piece : combined(*whole, weight, cell.variables.size()))
          result.push_back(std::move(piece));
    }
  }

  std::vector<Piece> combined(const ProductCell& cell, const Polynomial& weight,
                              std::size_t dimension) const {
    std::vector<Piece> result = {
        embedded({cell.region.halfspaces(), {}}, cell.coordinates, dimension)};
    result[0].weight = weight;
    for (const Part& part : cell.parts) {
      std::vector<Piece> next;
      for (const Piece& factor : pieces_of(part))
        for (const Piece& piece : result)
          next.push_back(product(piece, embedded(factor, part.coordinates, dimension)));
      result = std::move(next);
    }
    return result;
  }

  /// A part without reals, a sum over Booleans, is one piece.
  std::vector<Piece> pieces_of(const Part& part) const {
    std::vector<Piece> result = pieces(part.problem, truth);
    if (!part.coordinates.empty() || result.empty()) return result;
    for (std::size_t i = 1; i < result.size(); ++i) result[0].weight += result[i].weight;
    result.resize(1);
    return result;
  }

  const std::unique_ptr<Enumerator> enumerator_ = make_split();
  const std::stop_token stop_;
};

/// Every combination of vertices of the factors.
std::vector<Point> vertices(const Region& region, std::size_t dimension) {
  std::vector<Point> result = {Point(dimension)};
  for (const Region::Factor& factor : region.factors) {
    if (result.size() * factor.polytope.vertex_count() > most_vertices)
      throw GaveUp("a cell has more than " + std::to_string(most_vertices) +
                   " vertices, too many to list them");
    std::vector<Point> next;
    for (const Point& point : result)
      for (const Point& vertex : factor.polytope.vertices()) {
        next.push_back(point);
        for (std::size_t i = 0; i < vertex.size(); ++i)
          next.back()[factor.coordinates[i]] = vertex[i];
      }
    result = std::move(next);
  }
  std::ranges::sort(result);
  return result;
}

/// Nullopt if the piece has no volume.
std::optional<ListedCell> listed(Piece piece, const std::vector<Variable>& coordinates,
                                 const Evaluation& evaluate) {
  const std::size_t dimension = coordinates.size();
  Cell cell{coordinates, PlainCell{std::move(piece.halfspaces)}, {piece.weight}, {{0}}};
  const Region region = make_region(dimension, std::get<PlainCell>(cell.kind).bounds);
  if (region.flat) return std::nullopt;
  ListedCell result{vertices(region, dimension), std::move(piece.weight),
                    evaluate(cell).integrals[0].lower};
  if (dimension == 2) {
    result.vertices.clear();
    for (frontends::Position& corner : frontends::corners(cell))
      result.vertices.push_back({std::move(corner.x), std::move(corner.y)});
  }
  return result;
}

}  // namespace

ListedCells list_cells(const Task& task, const std::stop_token& stop) {
  const Task sliced = apply_observations(task);
  const Problem& problem = sliced.problem;
  std::vector<Variable> coordinates;
  ListedCells result;
  for (Variable real = 0; real < problem.integrated.size(); ++real)
    if (problem.integrated[real]) {
      coordinates.push_back(real);
      result.coordinates.push_back(problem.terms.real_name(real));
    }
  const std::unique_ptr<Integrator> integrator = make_auto({});
  const Evaluation evaluate(*integrator);
  try {
    for (Piece& piece : Search(stop).pieces(problem, sliced.queries.at(0).event)) {
      if (stop.stop_requested()) throw Stopped();
      if (std::optional<ListedCell> cell = listed(std::move(piece), coordinates, evaluate))
        result.cells.push_back(*std::move(cell));
    }
  } catch (const Unbounded&) {  // which a solve explains
    const Solution refused = solve(task, *make_split(), *integrator, {.stop = stop});
    if (refused.answers[0].refused.empty()) throw;
    throw Error(refused.answers[0].refused);
  }
  return result;
}

}  // namespace wmi::python
