// The cost of the law of a term compared to that of the weighted model integral, and of queries to a
// law that is known.

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/bench/problems.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

Answer answer_of(const Task& task) { return solve(task, *make_split(), *make_auto({})).answers[0]; }

/// The same problem with a query for the law of x0 + 2 x1 - 3 x2 ...
Task distribution(Task task, int n) {
  Polynomial term;
  for (int i = 0; i < n; ++i)
    term +=
        Polynomial(i % 2 == 0 ? i + 1 : -i - 1) * Polynomial::variable(static_cast<Variable>(i));
  task.queries[0].kind = Query::Kind::distribution;
  task.queries[0].term = std::move(term);
  return task;
}

/// A weight of this degree on every cell.
Task weighted(Task task, unsigned degree) {
  if (degree > 0)
    task.problem.weights.push_back(
        {truth, power(Polynomial::variable(0) + Polynomial::variable(1) + 3, degree)});
  return task;
}

void whole_laws() {
  Table table("laws", {"dimension", "cells", "degree", "pieces", "law_over_wmi"});
  for (const auto& [n, m] : {std::pair(2, 14), {3, 8}, {3, 14}, {4, 7}})
    for (const unsigned degree : {0u, 2u}) {
      const Task wmi = weighted(arrangement(n, m), degree);
      const Task law = distribution(wmi, n);
      Answer answer;
      const double number = seconds([&] { answer = answer_of(wmi); }, 9);
      const double whole = seconds([&] { answer = answer_of(law); }, 9);
      table.add({double(n), double(answer.cells), double(degree),
                 double(answer.law->pieces().size()), whole / number});
    }
}

}  // namespace

int main() { whole_laws(); }
