#include "solver/answers/bounded_query.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

using Rule = BoundedQuery::Rule;

/// One question, of parts with these answers.
Answer combined(Rule rule, const std::vector<Interval>& parts) {
  Task task;
  std::vector<Answer> answers(parts.size());
  task.queries.resize(parts.size());
  task.queries[0].bounded = {rule, "question"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    answers[i].value = parts[i];
    answers[i].cells = i + 1;
  }
  return enclosed(task, answers).at(0);
}

TEST_CASE("a task without bounded queries is answered as it is") {
  Task task;
  task.queries.resize(2);
  task.queries[1].text = "b";
  std::vector<Answer> answers(2);
  answers[1].value = Interval(3);
  CHECK(asked(task)[1].text == "b");
  CHECK(enclosed(task, answers)[1].value == Interval(3));
}

TEST_CASE("a quantity between two others is enclosed by their outer ends") {
  const Answer found = combined(Rule::between, {{1, 2}, {3, 4}});
  CHECK(found.value == Interval(1, 4));
  CHECK(found.cells == 3);
}

TEST_CASE("a standard deviation is off by the root of the mean square of the distance, halved") {
  // sd of the middle 3, distance 2: between 2 and 4.
  CHECK(combined(Rule::variance, {Interval(9), Interval(4)}).value == Interval(4, 16));
  // Below 0 it cannot be.
  CHECK(combined(Rule::variance, {ratio(1, 4), Interval(16)}).value == Interval(0, ratio(25, 4)));
  CHECK(combined(Rule::variance, {Interval(9), Interval(0)}).value == Interval(9));
  // Roots that are no rational numbers: sqrt(2) - 1/2 and sqrt(2) + 1/2, squared.
  const Interval found = *combined(Rule::variance, {Interval(2), Interval(1)}).value;
  const auto squared_distance = [](const Rational& x) {  // 0 where x = (sqrt(2) +- 1/2)^2
    return Rational((x - ratio(9, 4)) * (x - ratio(9, 4)) - 2);
  };
  CHECK(found.lower < ratio(9, 4));
  CHECK(squared_distance(found.lower) >= 0);
  CHECK(squared_distance(found.upper) >= 0);
  CHECK(squared_distance(found.lower) < ratio(1, 1'000'000'000'000));
  CHECK(squared_distance(found.upper) < ratio(1, 1'000'000'000'000));
  // So small, and so large, that bits are needed before and after the point.
  const Rational tiny = ratio(1, power(Rational(10), 40).get_num());
  const Interval small = *combined(Rule::variance, {Interval(2 * tiny), Interval(tiny)}).value;
  CHECK(small.lower > ratio(83, 100) * tiny);  // (sqrt(2) - 1/2)^2 = 0.8358
  CHECK(small.upper < ratio(367, 100) * tiny);
  const Interval large = *combined(Rule::variance, {Interval(2 / tiny), Interval(1 / tiny)}).value;
  CHECK(large.lower > ratio(83, 100) / tiny);
  CHECK(large.upper < ratio(367, 100) / tiny);
}

TEST_CASE("a probability under a condition that is enclosed") {
  // a in [1/8, 1/4], b in [1/8, 1/2]: a / (a + b) in [1/5, 2/3].
  const std::vector<Interval> parts = {ratio(1, 8), ratio(1, 4), ratio(1, 8),
                                       ratio(1, 2), ratio(1, 4), ratio(3, 4)};
  CHECK(combined(Rule::conditional_probability, parts).value == Interval(ratio(1, 5), ratio(2, 3)));
  // A mean: what is divided in [-1, 1], the probability in [1/4, 3/4].
  CHECK(combined(Rule::ratio, {Interval(-1), Interval(1), ratio(1, 4), ratio(3, 4)}).value ==
        Interval(-4, 4));
  CHECK(combined(Rule::ratio, {Interval(1), Interval(2), ratio(1, 4), ratio(1, 2)}).value ==
        Interval(2, 8));
}

TEST_CASE("under a condition that may have probability 0 an answer is undefined") {
  CHECK(combined(Rule::ratio, {Interval(0), Interval(0), Interval(0), Interval(0)}).undefined ==
        "the condition has probability 0");
  const Answer perhaps =
      combined(Rule::ratio, {Interval(0), Interval(1), Interval(0), ratio(1, 8)});
  CHECK(!perhaps.value);
  CHECK(perhaps.undefined ==
        "the condition has a probability between 0 and 0.125; narrower bounds may tell whether it "
        "is 0");
}

TEST_CASE("partial bounds, refusals and undefined parts pass through") {
  Task task;
  task.queries.resize(2);
  task.queries[0].bounded = {Rule::between, "question"};
  std::vector<Answer> answers(2);
  answers[0].complete = false;
  answers[0].lower = Rational(1);
  answers[1].value = Interval(5);
  const Answer partial = enclosed(task, answers)[0];
  CHECK(!partial.complete);
  CHECK(partial.lower == Rational(1));
  CHECK(partial.upper == Rational(5));
  answers[0].refused = "no";
  CHECK(enclosed(task, answers)[0].refused == "no");
  answers[0] = Answer();
  answers[0].undefined = "the condition has probability 0";
  CHECK(enclosed(task, answers)[0].undefined == "the condition has probability 0");
  CHECK(asked(task)[0].text == "question");
}

}  // namespace
}  // namespace wmi
