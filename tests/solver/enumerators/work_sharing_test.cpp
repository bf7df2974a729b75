#include "solver/enumerators/work_sharing.h"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "solver/solve.h"
#include "solver/terms/error.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// The numbers from `next` to `end`, as cells whose one integrand they are.
class Numbers final : public Cells {
 public:
  Numbers(int next, int end) : next_(next), end_(end) {}

  std::optional<Cell> next() override {
    if (next_ == end_) return std::nullopt;
    Cell cell;
    cell.integrands = {Polynomial(next_++)};
    return cell;
  }

  std::unique_ptr<Cells> fork() override {
    const int middle = next_ + (end_ - next_) / 2;
    if (end_ - next_ < 2) return nullptr;
    auto part = std::make_unique<Numbers>(middle, end_);
    end_ = middle;
    return part;
  }

 private:
  int next_, end_;
};

TEST_CASE("every cell is given out once, to whichever thread") {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    CAPTURE(threads);
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::mutex mutex;
      std::multiset<int> seen;
      share_work(
          std::make_unique<Numbers>(0, 100), threads, [&](const Cell& cell, unsigned thread) {
            CHECK(thread < threads);
            const std::lock_guard lock(mutex);
            seen.insert(static_cast<int>(cell.integrands[0].constant_term().get_num().get_si()));
          });
      REQUIRE(seen.size() == 100);
      CHECK(std::set<int>(seen.begin(), seen.end()).size() == 100);
    }
  }
}

TEST_CASE("an exception in one thread ends all") {
  for (const unsigned threads : {1u, 2u, 4u})
    for (int repeat = 0; repeat < 50; ++repeat)
      CHECK_THROWS_WITH_AS(share_work(std::make_unique<Numbers>(0, 1000), threads,
                                      [](const Cell& cell, unsigned) {
                                        if (cell.integrands[0].constant_term() == 500)
                                          throw Error("five hundred");
                                      }),
                           "five hundred", Error);
}

TEST_CASE("a thread without cells is given some of another's") {
  std::atomic<bool> other = false;
  for (int tries = 0; tries < 1000 && !other; ++tries)
    share_work(std::make_unique<Numbers>(0, 64), 2, [&](const Cell&, unsigned thread) {
      if (thread == 1) other = true;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  CHECK(other);
}

TEST_CASE("answers do not depend on the number of threads, refusals included") {
  Random random(80);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {random.integer(1, 4), 2, 12, 2, true});
    if (i % 5 == 0) problem.assertions.erase(problem.assertions.begin());  // unbounded
    const Formula event = random_formula(random, problem, 2);
    Query expectation;
    expectation.kind = Query::Kind::expectation;
    expectation.term = Polynomial::variable(0);
    const Task task{problem, {wmi_of(truth), wmi_of(event), expectation}};
    const Solution one = solve(task, *make_split(), *make_triangulation({}));
    for (const unsigned threads : {2u, 5u}) {
      const Solution several =
          solve(task, *make_split(), *make_triangulation({}), {.threads = threads});
      for (std::size_t q = 0; q < task.queries.size(); ++q) {
        CHECK(one.answers[q].value == several.answers[q].value);
        CHECK(one.answers[q].refused == several.answers[q].refused);
        CHECK(one.answers[q].cells == several.answers[q].cells);
      }
    }
  }
}

}  // namespace
}  // namespace wmi::tests
