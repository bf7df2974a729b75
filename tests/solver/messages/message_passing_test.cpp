#include "solver/messages/message_passing.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "solver/answers/answer_accumulator.h"
#include "solver/answers/part_integrator.h"
#include "solver/solve.h"
#include "tests/solver/messages/random_cactus.h"

namespace wmi::tests {
namespace {

/// Messages wherever they are possible.
constexpr MessageRules always{0, 0};

TEST_CASE("messages give what a search gives, for random trees of blocks") {
  Random random(47);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 20'000 : 300;
  std::size_t answered = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    Task task = random_cactus(random, random.integer(2, 4));
    const Plan plan = make_plan(task);
    const std::unique_ptr<Enumerator> enumerator = make_exact_split();
    MessagePassing messages(task.problem, *enumerator, {}, always);
    AnswerAccumulator by_messages(task, plan), by_search(task, plan);
    std::vector<Goal> goals;
    for (const Goal& goal : plan.goals) {
      const std::optional<MessagePassing::Result> found = messages(goal);
      if (!found) continue;
      by_messages.add(found->cell, found->found);
      goals.push_back(goal);
    }
    if (goals.empty()) continue;
    answered += goals.size();
    const std::unique_ptr<Integrator> integrator = make_auto({});
    const Evaluation evaluation(*integrator, enumerate_parts(*enumerator, {}));
    const auto cells = enumerator->start(task.problem, goals, {});
    while (const std::optional<Cell> cell = cells->next()) by_search.add(*cell, evaluation(*cell));
    const std::vector<Answer> a = by_messages.finish(20), b = by_search.finish(20);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(i);
      CHECK(a[i].value == b[i].value);
      CHECK(a[i].left == b[i].left);
      CHECK(a[i].refused == b[i].refused);
      CHECK(a[i].undefined == b[i].undefined);
      CHECK(a[i].law == b[i].law);
    }
  }
  CHECK(answered > static_cast<std::size_t>(2 * rounds));
}

}  // namespace
}  // namespace wmi::tests
