// Incremental against fresh vertex enumeration: all cells of an arrangement by cuts of the double
// description (no formula, no weights), and a sample of the same cells by cddlib from the halfspaces
// on their path, as an enumerator without vertices would find them.

#include "solver/geometry/polyhedron.h"
#include "tests/bench/problems.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

Integers row(const LinearForm& form, std::size_t dimension) {
  std::vector<Integer> entries(dimension + 1);
  entries[0] = form.constant.get_num();
  for (const auto& [variable, coefficient] : form.coefficients)
    entries[variable + 1] = coefficient.get_num();
  return Integers(std::move(entries));
}

class Cells {
 public:
  explicit Cells(const std::vector<Integers>& rows) : rows_(rows) {}

  /// Both halves of each cell that a row cuts; `leaf` sees every cell.
  template <class Leaf>
  void below(const Polyhedron& region, std::size_t k, const Leaf& leaf) {
    for (; k < rows_.size(); ++k) {
      if (region.sides(rows_[k]) != Sides::both) continue;
      const auto [above, rest] = region.cut(rows_[k]);
      path_.emplace_back(k, true);
      below(above, k + 1, leaf);
      path_.back().second = false;
      below(rest, k + 1, leaf);
      path_.pop_back();
      return;
    }
    leaf(region);
  }

  /// The halfspaces that lead to the cell.
  std::vector<Halfspace> path() const {
    const std::size_t dimension = rows_[0].size() - 1;
    std::vector<Halfspace> result;
    for (std::size_t j = 0; j < dimension; ++j)
      for (const int sign : {1, -1}) {
        result.push_back({std::vector<Rational>(dimension), 1});
        result.back().normal[j] = sign;
      }
    for (const auto& [k, above] : path_) {
      result.push_back({{}, above ? rows_[k][0] : Integer(-rows_[k][0])});
      for (std::size_t j = 1; j <= dimension; ++j)
        result.back().normal.emplace_back(above ? Integer(-rows_[k][j]) : rows_[k][j]);
    }
    return result;
  }

 private:
  const std::vector<Integers>& rows_;
  std::vector<std::pair<std::size_t, bool>> path_;
};

}  // namespace

int main() {
  Table table("cuts",
              {"dimension", "hyperplanes", "cells", "vertices_mean", "microseconds_per_cell",
               "cddlib_over_cut", "cddlib_of_facets_over_cut", "cddlib_over_degenerate_cut"});
  for (const auto& [n, m] : {std::pair(2, 40), {3, 30}, {4, 16}, {5, 11}, {6, 9}}) {
    const auto dimension = static_cast<std::size_t>(n);
    // In general position, and with few directions, so that much is parallel and concurrent.
    double per_cell[2] = {}, ratio_of[2] = {}, of_facets = 0;
    double vertices = 0, count = 0;
    for (const bool degenerate : {false, true}) {
      const Task task = arrangement(n, m);
      std::vector<Integers> rows;
      for (const Weight& weight : task.problem.weights) {
        const Terms& terms = task.problem.terms;
        LinearForm form = terms.atom(terms.node(weight.condition.node()).index).form;
        if (degenerate) {
          for (auto& [variable, coefficient] : form.coefficients)
            coefficient = sgn(coefficient) * (rows.size() % 2 == 0 || variable != 0 ? 1 : 0);
          std::erase_if(form.coefficients, [](const auto& entry) { return entry.second == 0; });
          form.constant = sgn(form.constant) * static_cast<int>(rows.size() % 3) / 2;
          if (form.is_constant()) continue;
          form.make_primitive();
        }
        rows.push_back(row(form, dimension));
      }
      Polyhedron cube(dimension);
      for (std::size_t j = 0; j < dimension; ++j)
        for (const std::int64_t sign : {1, -1}) {
          std::vector<std::int64_t> side(dimension + 1);
          side[0] = 1;
          side[j + 1] = sign;
          cube = cube.above(Integers(side));
        }
      std::size_t cells = 0;
      const double cutting = seconds(
          [&] {
            cells = 0;
            Cells(rows).below(cube, 0, [&](const Polyhedron&) { ++cells; });
          },
          5);
      std::vector<std::vector<Halfspace>> sample, facets;
      std::size_t corners = 0, number = 0;
      Cells search(rows);
      search.below(cube, 0, [&](const Polyhedron& cell) {
        corners += cell.generator_count();
        if (number++ % (cells / 200 + 1) != 0) return;
        sample.push_back(search.path());
        facets.push_back(cell.halfspaces());
      });
      const auto fresh = [&](const std::vector<std::vector<Halfspace>>& descriptions) {
        return seconds([&] {
                 for (const std::vector<Halfspace>& sides : descriptions)
                   Polytope(dimension, sides);
               }) /
               static_cast<double>(descriptions.size());
      };
      per_cell[degenerate] = cutting / static_cast<double>(cells);
      ratio_of[degenerate] = fresh(sample) / per_cell[degenerate];
      if (!degenerate) {
        of_facets = fresh(facets) / per_cell[0];
        vertices = static_cast<double>(corners) / static_cast<double>(cells);
        count = static_cast<double>(cells);
      }
    }
    table.add({double(n), double(m), count, vertices, 1e6 * per_cell[0], ratio_of[0], of_facets,
               ratio_of[1]});
  }
}
