#include "bnn/training/search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "bnn/training/mlp.h"
#include "solver/terms/error.h"
#include "tests/bnn/training/line.h"

namespace wmi::bnn {
namespace {

TrainingCandidate candidate(std::size_t hidden, std::size_t epochs) {
  TrainingCandidate result{"hidden " + std::to_string(hidden), mlp(1, {hidden}, 2), {}, {}};
  result.recipe.epochs = epochs;
  result.recipe.samples = 2;
  result.recipe.every = 1;
  result.recipe.from_best = true;
  return result;
}

/// A search over candidates whose scores are known, by candidate and part; what was tried.
struct Known {
  std::vector<std::vector<double>> scores;
  std::vector<std::pair<std::size_t, std::size_t>> tried = {};

  SearchResult search(double budget) {
    const std::vector<TrainingCandidate> candidates(scores.size(), candidate(5, 10));
    return bnn::search(
        candidates, scores[0].size(), 100, 2, budget, [&](std::span<const TrialRequest> requests) {
          std::vector<Trial> result;
          for (const TrialRequest& request : requests) {
            tried.emplace_back(request.candidate, request.part);
            const double score = scores[request.candidate][request.part];
            // The second sampling rate is always better by 1.
            result.push_back(
                {request.candidate, request.part, 10 + request.part, {score, score + 1}});
          }
          return result;
        });
  }
};

}  // namespace

TEST_CASE("the better half of the candidates goes on to the next part") {
  Known known{{{1, 1, 1}, {4, 0, 0}, {3, 3, 3}, {2, 9, 9}}};
  const SearchResult found = known.search(1e9);
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  // All on part 0; 1 and 2 on part 1, where 2 has (3 + 3) / 2 and 1 has (4 + 0) / 2; 2 on part 2.
  CHECK(known.tried == Pairs{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 1}, {2, 2}});
  CHECK(found.candidate == 2);
  CHECK(found.rate == 1);
  CHECK(found.score == 4);
  CHECK(found.epochs == 11);  // the mean of 10, 11 and 12
  CHECK(found.trials.size() == 7);
}

TEST_CASE("the budget limits candidates and rounds, but never the first trial") {
  // A trial of 6 * 22 parameters' operations on 100 rows, 10 epochs and 2 x 2 of sampling.
  const double one = nominal_seconds(candidate(5, 10), 100, 2);
  CHECK(one == doctest::Approx(6.0 * 22 * 100 * 14 / 1.5e10));
  Known poor{{{1, 1}, {2, 2}, {3, 3}}};
  CHECK(poor.search(0).candidate == 0);
  CHECK(poor.tried.size() == 1);
  Known some{{{1, 1}, {2, 2}, {3, 3}}};
  CHECK(some.search(2.5 * one).candidate == 1);
  CHECK(some.tried.size() == 2);
}

TEST_CASE("a candidate that diverges loses, and if all do, it is said") {
  constexpr double never = -std::numeric_limits<double>::infinity();
  Known some{{{never}, {-5}}};
  CHECK(some.search(1e9).candidate == 1);
  Known none{{{never}, {never}}};
  CHECK_THROWS_WITH_AS(none.search(1e9), "every training that was tried diverges", Error);
}

TEST_CASE("a trial scores each sampling rate from the best epoch, and depends on its seed only") {
  const TrainingCandidate tried = candidate(4, 30);
  const Dataset rows = line(60);
  std::vector<std::size_t> first, last;
  for (std::size_t i = 0; i < 60; ++i) (i < 40 ? first : last).push_back(i);
  const Part part{select(rows, first), select(rows, last)};
  const double rates[] = {0.001, 0.01, 1e200};
  const Trial found = run_trial(tried, make_dense_model, part, rates, 3, {});
  REQUIRE(found.scores.size() == 3);
  CHECK(std::isfinite(found.scores[0]));
  CHECK(std::isfinite(found.scores[1]));
  CHECK(std::isinf(found.scores[2]));  // diverges
  CHECK(found.epochs >= 1);
  CHECK(found.epochs <= 30);
  CHECK(run_trial(tried, make_dense_model, part, rates, 3, {}).scores == found.scores);
  CHECK(run_trial(tried, make_dense_model, part, rates, 4, {}).scores != found.scores);
}

}  // namespace wmi::bnn
