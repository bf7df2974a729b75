#include "solver/answers/smooth_queries.h"

#include <doctest/doctest.h>

#include "solver/solve.h"

namespace wmi {
namespace {

Query ask(Query::Kind kind, const Polynomial& term, const Rational& at = 0) {
  Query query{};
  query.kind = kind;
  query.term = term;
  query.at = at;
  return query;
}

/// A cdf that is known to within an error, of the law with cdf x^2 on [0, 1].
EncloseCdf square(const Rational& error) {
  return [=](const Rational& at) {
    const Rational x = at < 0 ? Rational(0) : at > 1 ? Rational(1) : at;
    Answer answer;
    answer.value = Interval(x * x - error, x * x + error);
    return answer;
  };
}

TEST_CASE("a quantile is enclosed, as narrowly as the cdf is known") {
  for (const Rational& p : {ratio(1, 4), ratio(1, 100), ratio(99, 100), ratio(1, 2)}) {
    const Interval found = *smooth_quantile(p, 8, square(ratio(1, 1'000'000'000'000))).value;
    CHECK(found.lower * found.lower < p);
    CHECK(p <= found.upper * found.upper);
    CHECK(has_digits(found, 8));
    const Interval rough = *smooth_quantile(p, 8, square(ratio(1, 1000))).value;
    CHECK(rough.lower * rough.lower < p);
    CHECK(p <= rough.upper * rough.upper);
  }
}

TEST_CASE("a quantile that is not bounded is refused, and so is what its cdf refuses") {
  const Answer unbounded = smooth_quantile(ratio(999, 1000), 6, [](const Rational&) {
    Answer answer;
    answer.value = Interval(ratio(1, 2), ratio(1, 2));
    return answer;
  });
  CHECK_FALSE(unbounded.value);
  CHECK_FALSE(unbounded.refused.empty());
  const Answer refused = smooth_quantile(ratio(1, 2), 6, [](const Rational&) {
    Answer answer;
    answer.refused = "no";
    return answer;
  });
  CHECK(refused.refused == "no");
}

/// A standard normal law.
Task normal_law() {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  task.problem.integrated = {true};
  task.problem.weights = {{truth, terms.apply(Function::normal, x)}};
  return task;
}

TEST_CASE("under smooth weights cdf, quantile and density have answers, a distribution has not") {
  Task task = normal_law();
  const Polynomial x = Polynomial::variable(0);
  task.queries.push_back(ask(Query::Kind::cdf, x, ratio(1, 2)));
  task.queries.push_back(ask(Query::Kind::quantile, x, ratio(39, 40)));
  task.queries.push_back(ask(Query::Kind::density, x, 1));
  task.queries.push_back(ask(Query::Kind::distribution, x));
  const std::vector<Answer> answers = solve(task, *make_split(), *make_auto({})).answers;
  // Phi(1/2), the quantile of 0.975, and phi(1).
  CHECK(answers[0].value->lower.get_d() == doctest::Approx(0.691462461274013).epsilon(1e-8));
  CHECK(answers[1].value->lower < parse_number("1.959963984540055"));
  CHECK(answers[1].value->upper > parse_number("1.959963984540054"));
  CHECK(answers[2].value->lower.get_d() == doctest::Approx(0.241970724519143).epsilon(1e-8));
  CHECK(answers[3].refused.find("get-cdf") != std::string::npos);
}

}  // namespace
}  // namespace wmi
