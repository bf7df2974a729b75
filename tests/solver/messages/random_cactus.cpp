#include "tests/solver/messages/random_cactus.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "solver/terms/substitution.h"

namespace wmi::tests {
namespace {

/// A random problem whose graph is a tree of blocks of two or three variables, some Boolean.
class RandomCactus {
 public:
  RandomCactus(Random& random, int blocks, bool squares) : random_(random), squares_(squares) {
    add_variable();
    for (int i = 0; i < blocks; ++i) {
      std::vector<std::size_t> block = {pick()};
      for (int more = random.chance(75) ? 1 : 2; more > 0; --more) block.push_back(add_variable());
      if (random.chance(30)) block.push_back(add_boolean());
      for (int factors = random.integer(1, 3); factors > 0; --factors) add_factor(block);
      if (random.chance(10)) add_derived(block);
    }
    for (int unary = random.integer(0, 2); unary > 0; --unary) add_factor({pick()});
  }

  Problem problem;

  Formula formula(const std::vector<std::size_t>& block, int depth) {
    if (depth > 0 && random_.chance(60)) {
      const Formula a = formula(block, depth - 1), b = formula(block, depth - 1);
      return random_.chance(60) ? problem.terms.either(a, b)
                                : problem.terms.choice(a, b, formula(block, depth - 1));
    }
    const std::size_t one =
        block[static_cast<std::size_t>(random_.integer(0, static_cast<int>(block.size()) - 1))];
    if (variables_[one].boolean && random_.chance(70))
      return random_.chance(50) ? variables_[one].formula : !variables_[one].formula;
    const Formula atom =
        problem.terms.compare(affine(block), random_.chance(3)    ? Comparison::equal
                                             : random_.chance(50) ? Comparison::less
                                                                  : Comparison::less_equal);
    return random_.chance(50) ? atom : !atom;
  }
  /// An affine form in the reals of a block.
  Polynomial affine(const std::vector<std::size_t>& block) {
    Polynomial result(ratio(random_.integer(-3, 3), 2));
    for (const std::size_t variable : block)
      if (!variables_[variable].boolean)
        result += Polynomial(Rational(random_.integer(-2, 2))) * variables_[variable].real;
    return result;
  }
  /// Any variable, that is no derived real.
  std::size_t pick() {
    return static_cast<std::size_t>(random_.integer(0, static_cast<int>(variables_.size()) - 1));
  }
  std::optional<Polynomial> pick_real() {
    const std::size_t picked = pick();
    return variables_[picked].boolean ? std::nullopt : std::optional(variables_[picked].real);
  }

 private:
  struct Any {
    bool boolean;
    Formula formula;
    Polynomial real;
  };

  std::size_t add_boolean() {
    const std::string name = "b" + std::to_string(variables_.size());
    variables_.push_back({true, problem.terms.declare_boolean(name), {}});
    return variables_.size() - 1;
  }

  std::size_t add_variable() {
    if (random_.chance(20)) return add_boolean();
    const Polynomial x = real(true);
    variables_.push_back({false, {}, x});
    const int low = random_.integer(-1, 0);
    if (!random_.chance(2)) problem.assertions.push_back(problem.terms.less_equal(low, x));
    if (!random_.chance(2))
      problem.assertions.push_back(problem.terms.less_equal(x, low + random_.integer(1, 2)));
    return variables_.size() - 1;
  }

  Polynomial real(bool integrated) {
    problem.integrated.push_back(integrated);
    return Polynomial::variable(
        problem.terms.declare_real("x" + std::to_string(problem.integrated.size())));
  }

  void add_factor(const std::vector<std::size_t>& block) {
    if (random_.chance(60)) {
      problem.assertions.push_back(formula(block, 1));
      return;
    }
    Polynomial value = affine(block);
    if (random_.chance(50)) value = value * affine(block) + 1;
    if (random_.chance(30))
      value = problem.terms.choice(formula(block, 0), value, affine(block)) * affine(block);
    add_weight(random_.chance(50) ? truth : formula(block, 1), value);
  }

  /// z = an affine form, and a factor with it.
  void add_derived(const std::vector<std::size_t>& block) {
    const Polynomial z = real(false);
    problem.assertions.push_back(problem.terms.equal(z, affine(block)));
    problem.assertions.push_back(problem.terms.less(z, ratio(random_.integer(-1, 3), 2)));
    if (random_.chance(50)) add_weight(truth, z + 1);
  }

  void add_weight(Formula condition, const Polynomial& value) {
    problem.weights.push_back({condition, squares_ ? power(value, 2) : value});
  }

  Random& random_;
  const bool squares_;
  std::vector<Any> variables_;
};

/// Declared reals come before defined ones, which the generator mixes: the same task with its terms
/// renumbered, by reading the variables in their order.
Task in_order(const Task& task, const Problem& source) {
  std::vector<Variable> reals;
  std::vector<std::uint32_t> booleans;
  for (Variable real = 0; real < source.terms.real_count(); ++real)
    if (source.terms.defining_node(real) == 0) reals.push_back(real);
  for (std::uint32_t i = 0; i < source.terms.boolean_count(); ++i) booleans.push_back(i);
  return extract(source.terms, reals, booleans, task);
}

Query query(Query::Kind kind, Formula event, Formula given, const Polynomial& term = {}) {
  Query result;
  result.kind = kind;
  result.event = event;
  result.given = given;
  result.term = term;
  result.at = ratio(1, 3);
  return result;
}

/// A search takes long for laws of many reals, and gigabytes for those of high degrees.
bool has_short_laws(const Problem& problem) {
  constexpr auto most_reals = 5;
  constexpr unsigned highest = 8;
  unsigned degree = 0;  // choices count 1, but may be products of two
  for (const Weight& weight : problem.weights) degree += weight.value.degree();
  return degree <= highest && std::ranges::count(problem.integrated, true) <= most_reals;
}

}  // namespace

Task random_cactus(Random& random, int blocks, bool squares) {
  RandomCactus cactus(random, blocks, squares);
  Task task;
  task.queries.push_back(query(Query::Kind::wmi, truth, truth));
  task.queries.push_back(query(Query::Kind::wmi, cactus.formula({cactus.pick()}, 1), truth));
  task.queries.push_back(query(Query::Kind::wmi, cactus.formula({cactus.pick(), cactus.pick()}, 0),
                               cactus.formula({cactus.pick()}, 0)));
  const std::optional<Polynomial> x = cactus.pick_real(), y = cactus.pick_real();
  if (x) task.queries.push_back(query(Query::Kind::expectation, truth, truth, 2 * *x + 1));
  const bool laws = has_short_laws(cactus.problem);
  if (x && laws) {
    task.queries.push_back(query(Query::Kind::distribution, truth, truth, 1 - 2 * *x));
    task.queries.push_back(query(Query::Kind::density, truth, truth, *x * 3 - 1));
  }
  if (x && y) task.queries.push_back(query(Query::Kind::variance, truth, truth, *x - *y));
  if (x && y && laws)
    task.queries.push_back(query(Query::Kind::distribution, truth, truth, *x + *y));
  task.problem.integrated = cactus.problem.integrated;
  task.problem.assertions = cactus.problem.assertions;
  task.problem.weights = cactus.problem.weights;
  return in_order(task, cactus.problem);
}

}  // namespace wmi::tests
