// What the reference pipeline costs, as CSV. Times differ between machines; ratios within one run
// are what docs/performance.md keeps.

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <random>

#include "solver/enumerator.h"
#include "solver/goal.h"
#include "solver/integrator.h"
#include "solver/solve.h"

namespace {

using namespace wmi;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The cells of m random hyperplanes in the cube [-1, 1]^n, each under a weight of its own.
Task arrangement(int n, int m) {
  std::mt19937 engine(static_cast<unsigned>(100 * n + m));
  std::uniform_int_distribution<int> digit(-9, 9);
  Task task;
  Problem& problem = task.problem;
  for (int i = 0; i < n; ++i) {
    const Polynomial x = Polynomial::variable(problem.terms.declare_real("x" + std::to_string(i)));
    problem.integrated.push_back(true);
    problem.assertions.push_back(problem.terms.less_equal(-1, x));
    problem.assertions.push_back(problem.terms.less_equal(x, 1));
  }
  for (int j = 0; j < m; ++j) {
    Polynomial form(ratio(digit(engine), 4));
    for (int i = 0; i < n; ++i)
      form += Polynomial(Rational(digit(engine))) * Polynomial::variable(static_cast<Variable>(i));
    problem.weights.push_back({problem.terms.less(form, 0), Polynomial(2)});
  }
  Query query;
  query.kind = Query::Kind::wmi;
  task.queries.push_back(query);
  return task;
}

/// The peak of the process so far: flat if memory does not grow with the cells.
void print_memory() {
  std::puts("cells,peak_kilobytes");
  for (const int m : {10, 20, 30}) {
    const Solution solution = solve(arrangement(3, m), *make_z3(), *make_triangulation({}));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%zu,%ld\n", solution.answers[0].cells, usage.ru_maxrss);
  }
}

}  // namespace

int main() {
  print_memory();
  std::puts(
      "dimension,hyperplanes,cells,enumerate_cells_per_s,vertices_over_enumerate,"
      "triangulation_over_vertices,mpfr_over_triangulation");
  for (const auto& [n, m] : {std::pair(2, 20), {3, 12}, {3, 20}, {4, 10}, {5, 8}}) {
    Task task = arrangement(n, m);
    const Plan plan = make_plan(task);
    std::vector<Cell> cells;
    const double enumeration = seconds([&] {
      const auto source = make_z3()->start(task.problem, plan.goals, {});
      while (auto cell = source->next()) cells.push_back(std::move(*cell));
    });
    std::vector<Polytope> regions;
    const double vertices = seconds([&] {
      for (const Cell& cell : cells) regions.push_back(cell.region());
    });
    const auto integrate = [&](const Integrator& integrator) {
      return seconds([&] {
        for (std::size_t i = 0; i < cells.size(); ++i)
          integrator.integrate(cells[i].integrands, regions[i]);
      });
    };
    const double exact = integrate(*make_triangulation({}));
    const double rounded = integrate(*make_mpfr({}));
    std::printf("%d,%d,%zu,%.0f,%.2f,%.2f,%.2f\n", n, m, cells.size(),
                static_cast<double>(cells.size()) / enumeration, vertices / enumeration,
                exact / vertices, rounded / exact);
  }
}
