// Cells per second: the split enumerator, the z3 enumerator, and two plain AllSMT loops on Z3 that
// only enumerate, as the best that Z3 can do. On arrangements of hyperplanes, where every cell is a
// truth assignment to the atoms, and on ReLU networks.

#include <z3++.h>

#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/bench/problems.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

/// The conditions of an arrangement's weights and its box, as Z3's formulas.
class Plain {
 public:
  explicit Plain(const Task& task) : solver_(context_, "QF_LRA") {
    const Problem& problem = task.problem;
    for (std::size_t i = 0; i < problem.integrated.size(); ++i)
      reals_.push_back(context_.real_const(("x" + std::to_string(i)).c_str()));
    for (const Formula assertion : problem.assertions) {
      const Atom& atom = problem.terms.atom(problem.terms.node(assertion.node()).index);
      solver_.add(assertion.negated() ? value(atom.form) > 0 : value(atom.form) <= 0);
    }
    for (std::size_t k = 0; k < problem.weights.size(); ++k) {
      const Formula condition = problem.weights[k].condition;
      const Atom& atom = problem.terms.atom(problem.terms.node(condition.node()).index);
      atoms_.push_back(context_.bool_const(("p" + std::to_string(k)).c_str()));
      solver_.add(z3::implies(atoms_.back(), value(atom.form) < 0));
      solver_.add(z3::implies(!atoms_.back(), value(atom.form) > 0));
    }
  }

  std::size_t blocking() {
    std::size_t count = 0;
    while (solver_.check() == z3::sat) {
      ++count;
      const z3::model model = solver_.get_model();
      z3::expr_vector clause(context_);
      for (const z3::expr& atom : atoms_)
        clause.push_back(model.eval(atom, true).is_true() ? !atom : atom);
      solver_.add(z3::mk_or(clause));
    }
    return count;
  }

  std::size_t depth_first() {
    z3::expr_vector assumed(context_);
    return solver_.check() == z3::sat ? below(0, assumed, solver_.get_model()) : 0;
  }

 private:
  z3::expr value(const LinearForm& form) {
    z3::expr sum = context_.real_val(form.constant.get_str().c_str());
    for (const auto& [variable, coefficient] : form.coefficients)
      sum = sum + context_.real_val(coefficient.get_str().c_str()) * reals_[variable];
    return sum;
  }

  /// One branch is feasible by the model, the other is checked.
  std::size_t below(std::size_t k, z3::expr_vector& assumed, const z3::model& model) {
    if (k == atoms_.size()) return 1;
    const bool holds = model.eval(atoms_[k], true).is_true();
    assumed.push_back(holds ? atoms_[k] : !atoms_[k]);
    std::size_t count = below(k + 1, assumed, model);
    assumed.pop_back();
    assumed.push_back(holds ? !atoms_[k] : atoms_[k]);
    if (solver_.check(assumed) == z3::sat) count += below(k + 1, assumed, solver_.get_model());
    assumed.pop_back();
    return count;
  }

  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> reals_, atoms_;
};

std::size_t count_cells(const Enumerator& enumerator, Task task) {
  const Plan plan = make_plan(task);
  const auto cells = enumerator.start(task.problem, plan.goals, {});
  std::size_t count = 0;
  while (cells->next()) ++count;
  return count;
}

void arrangements() {
  Table table("arrangements", {"dimension", "hyperplanes", "cells", "split_cells_per_s",
                               "z3_blocking_per_s", "z3_depth_first_per_s", "split_over_better"});
  for (const auto& [n, m] : {std::pair(2, 30), {3, 20}, {4, 12}, {5, 10}}) {
    const Task task = arrangement(n, m);
    std::size_t cells = 0, blocked = 0, searched = 0;
    const double split = seconds([&] { cells = count_cells(*make_split(), task); }, 5);
    const double blocking = seconds([&] { blocked = Plain(task).blocking(); });
    const double depth_first = seconds([&] { searched = Plain(task).depth_first(); });
    if (cells != blocked || cells != searched) std::puts("the enumerators do not agree");
    const auto count = static_cast<double>(cells);
    table.add({double(n), double(m), count, count / split, count / blocking, count / depth_first,
               std::min(blocking, depth_first) / split});
  }
}

void networks() {
  Table table("networks",
              {"inputs", "hidden", "cells", "z3_cells", "split_cells_per_s", "split_over_z3"});
  for (const auto& [n, widths] :
       {std::pair(3, std::vector{12}), {4, {10}}, {3, {8, 8}}, {2, {16, 16}}}) {
    const Task task = network(n, widths);
    std::size_t cells = 0, reference = 0;
    const double split = seconds([&] { cells = count_cells(*make_split(), task); }, 5);
    const double z3 = seconds([&] { reference = count_cells(*make_z3(), task); });
    std::string hidden;
    for (const int width : widths) hidden += (hidden.empty() ? "" : "-") + std::to_string(width);
    table.add(
        {double(n), hidden, double(cells), double(reference), double(cells) / split, z3 / split});
  }
}

/// Three unknowns feed fifty ReLUs: the exact mean of the output, the whole solve, with one thread.
void fifty_units() {
  Table table("fifty_units", {"reach", "cells", "milliseconds", "z3_over_split"});
  for (const Rational& reach : {ratio(1, 4), ratio(1, 2), Rational(1)}) {
    const Task task = network(3, {50}, reach);
    Answer found, reference;
    const auto answer = [&](const Enumerator& enumerator) {
      return solve(task, enumerator, *make_auto({})).answers[0];
    };
    double split = 1e9;
    for (int i = 0; i < 3; ++i)
      split = std::min(split, processor_seconds([&] { found = answer(*make_split()); }));
    const double z3 = processor_seconds([&] { reference = answer(*make_z3()); });
    if (found.value != reference.value) std::puts("the enumerators do not agree");
    table.add({to_string(reach), double(found.cells), 1000 * split, z3 / split});
  }
}

}  // namespace

int main() {
  arrangements();
  networks();
  fifty_units();
}
