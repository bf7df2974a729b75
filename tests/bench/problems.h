#pragma once

#include <random>
#include <string>
#include <vector>

#include "solver/terms/query.h"

namespace wmi::bench {

inline Query wmi_query() {
  Query query;
  query.kind = Query::Kind::wmi;
  return query;
}

/// n reals in [-reach, reach].
inline Task cube(int n, const Rational& reach = 1) {
  Task task;
  Problem& problem = task.problem;
  for (int i = 0; i < n; ++i) {
    const Polynomial x = Polynomial::variable(problem.terms.declare_real("x" + std::to_string(i)));
    problem.integrated.push_back(true);
    problem.assertions.push_back(problem.terms.less_equal(Polynomial(-reach), x));
    problem.assertions.push_back(problem.terms.less_equal(x, Polynomial(reach)));
  }
  task.queries.push_back(wmi_query());
  return task;
}

/// A random form with one-digit coefficients.
class Forms {
 public:
  Forms(int n, unsigned seed) : n_(n), engine_(seed) {}

  Polynomial next() {
    Polynomial form(ratio(digit_(engine_), 4));
    for (int i = 0; i < n_; ++i)
      form +=
          Polynomial(Rational(digit_(engine_))) * Polynomial::variable(static_cast<Variable>(i));
    return form;
  }

 private:
  int n_;
  std::mt19937 engine_;
  std::uniform_int_distribution<int> digit_{-9, 9};
};

/// The cells of m random hyperplanes in the cube [-1, 1]^n, each under a weight of its own.
inline Task arrangement(int n, int m) {
  Task task = cube(n);
  Problem& problem = task.problem;
  Forms forms(n, static_cast<unsigned>(100 * n + m));
  for (int j = 0; j < m; ++j)
    problem.weights.push_back({problem.terms.less(forms.next(), 0), Polynomial(2)});
  return task;
}

/// The mean output of a random ReLU net with these widths of its hidden layers, inputs in the cube.
inline Task network(int n, const std::vector<int>& widths, const Rational& reach = 1) {
  Task task = cube(n, reach);
  Problem& problem = task.problem;
  std::mt19937 engine(static_cast<unsigned>(n + 7 * widths.size()));
  std::uniform_int_distribution<int> digit(-9, 9);
  std::vector<Polynomial> layer;
  for (Variable i = 0; i < static_cast<Variable>(n); ++i) layer.push_back(Polynomial::variable(i));
  for (const int width : widths) {
    std::vector<Polynomial> next;
    for (int k = 0; k < width; ++k) {
      Polynomial sum(ratio(digit(engine), 4));
      for (const Polynomial& input : layer) sum += Polynomial(ratio(digit(engine), 8)) * input;
      next.push_back(problem.terms.choice(problem.terms.less(0, sum), sum, 0));
    }
    layer = std::move(next);
  }
  Polynomial output;
  for (const Polynomial& unit : layer) output += Polynomial(Rational(digit(engine))) * unit;
  task.queries[0].kind = Query::Kind::expectation;
  task.queries[0].term = output;
  return task;
}

}  // namespace wmi::bench
