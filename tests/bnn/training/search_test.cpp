#include "bnn/training/search.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "bnn/training/mlp.h"
#include "bnn/training/random_features.h"
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

/// A search over candidates whose scores are known, by candidate and rung; what was tried.
struct Known {
  std::vector<std::vector<double>> scores;
  std::vector<std::pair<std::size_t, std::size_t>> tried = {};

  SearchResult search(double budget, std::size_t drawn = 99) {
    std::vector<TrainingCandidate> candidates(scores.size(), candidate(5, 10));
    if (drawn < candidates.size()) {
      candidates[drawn] = {"drawn", with_prior_layer(mlp(1, {5}, 1, "tanh")), {}, {}};
      candidates[drawn].recipe.drawn = true;
    }
    return bnn::search(candidates, 100, 2, budget, [&](std::span<const TrialRequest> requests) {
      std::vector<Trial> result;
      for (const TrialRequest& request : requests) {
        tried.emplace_back(request.candidate, request.rung);
        const double score = scores[request.candidate][request.rung];
        // The second sampling rate is always better by 1.
        result.push_back({request.candidate, request.rung, 10 + request.rung, {score, score + 1}});
      }
      return result;
    });
  }
};

}  // namespace

TEST_CASE("the better half of the candidates goes on, and the best of these to the end") {
  Known known{{{1, 1, 1}, {4, 0, 0}, {3, 3, 3}, {2, 9, 9}}};
  const SearchResult found = known.search(1e9);
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(known.tried == Pairs{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 1}, {2, 2}});
  CHECK(found.candidate == 2);
  CHECK(found.rate == 1);
  CHECK(found.score == 4);
  CHECK(found.epochs == 12);
  CHECK(found.trials.size() == 7);
}

TEST_CASE("drawn weights are compared with the best of the others at the end") {
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  Known known{{{1, 1, 1}, {9, 9, 5}, {4, 4, 4}, {3, 3, 3}}};
  CHECK(known.search(1e9, 1).candidate == 1);
  CHECK(known.tried == Pairs{{0, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {2, 2}, {1, 2}});
  Known worse{{{6, 6, 6}, {9, 9, 5}}};
  CHECK(worse.search(1e9, 1).candidate == 0);
  CHECK(worse.tried == Pairs{{0, 2}, {1, 2}});
  Known alone{{{1, 1, 1}}};
  CHECK(alone.search(0, 0).candidate == 0);
  CHECK(alone.tried == Pairs{{0, 2}});
}

TEST_CASE("the budget limits the candidates, but never the first") {
  // A training of 6 * 22 parameters' operations on 100 rows, 10 epochs and 2 x 2 of sampling.
  const double one = nominal_seconds(candidate(5, 10), 100, 2);
  CHECK(one == doctest::Approx(100 * 14 * (6.0 * 22 / 2.5e10 + 150e-9)));
  Known poor{{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}};
  CHECK(poor.search(0).candidate == 0);
  CHECK(poor.tried == std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}});
  Known some{{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}};
  CHECK(some.search((1 + 2.5 * rungs[0]) * one).candidate == 1);
  CHECK(some.tried.size() == 3);  // two, of which one goes on
}

TEST_CASE("a candidate that diverges loses, and if all do, it is said") {
  constexpr double never = -std::numeric_limits<double>::infinity();
  Known some{{{never, never, never}, {-5, -5, -5}}};
  CHECK(some.search(1e9).candidate == 1);
  Known none{{{never, never, never}, {never, never, never}}};
  CHECK_THROWS_WITH_AS(none.search(1e9), "every training that was tried diverges", Error);
}

TEST_CASE("a trial goes on from rung to rung, scores each rate, and depends on its seed only") {
  for (const bool corrected : {false, true}) {
    CAPTURE(corrected);
    TrainingCandidate tried = candidate(4, 30);
    tried.recipe.corrected = corrected;
    const Dataset rows = line(60);
    std::vector<std::size_t> first, last;
    for (std::size_t i = 0; i < 60; ++i) (i < 40 ? first : last).push_back(i);
    const Part part{select(rows, first), select(rows, last)};
    const double rates[] = {0.001, 0.01, 1e200};
    const auto run = [&](std::uint64_t seed, std::vector<std::size_t> on) {
      std::optional<Checkpoint> state;
      Trial result;
      for (const std::size_t rung : on)
        result = run_trial(tried, make_dense_model, part, rates, seed, rung, state, {});
      return result;
    };
    CHECK(run(3, {0}).scores.size() == 1);
    const Trial found = run(3, {0, 1, 2});
    REQUIRE(found.scores.size() == 3);
    CHECK(std::isfinite(found.scores[0]));
    CHECK(std::isfinite(found.scores[1]));
    CHECK(std::isinf(found.scores[2]));  // diverges
    CHECK(found.epochs >= 1);
    CHECK(found.epochs <= 30);
    CHECK(run(3, {2}).scores == found.scores);
    CHECK(run(4, {2}).scores != found.scores);
    CHECK(run(3, {0}).scores[0] <= run(3, {1}).scores[0]);
  }
}

TEST_CASE("a trial of drawn weights has one score, and knows a smooth function") {
  Dataset rows{Matrix(80, 1), {}};
  for (std::size_t i = 0; i < 80; ++i) {
    rows.inputs.at(i, 0) = -2 + 0.05 * static_cast<double>((i * 37) % 80);
    rows.targets.push_back(std::sin(2 * rows.inputs.at(i, 0)));
  }
  std::vector<std::size_t> first, last;
  for (std::size_t i = 0; i < 80; ++i) (i < 60 ? first : last).push_back(i);
  const Part part{select(rows, first), select(rows, last)};
  for (const bool corrected : {false, true}) {
    TrainingCandidate tried{"drawn", with_prior_layer(mlp(1, {40}, 1, "tanh")), {}, {}};
    tried.observation = {Observation::Kind::homoscedastic, Observation::Link::bounded, 1e-9};
    tried.recipe.drawn = true;
    tried.recipe.samples = 2;
    tried.recipe.corrected = corrected;
    std::optional<Checkpoint> state;
    const double rates[] = {0.1, 0.2};
    const Trial found = run_trial(tried, make_dense_model, part, rates, 3, 2, state, {});
    REQUIRE(found.scores.size() == 1);
    CHECK(found.scores[0] > 2);  // a deviation of 1/20 at most
    CHECK(run_trial(tried, make_dense_model, part, rates, 3, 2, state, {}).scores == found.scores);
    CHECK(run_trial(tried, make_dense_model, part, rates, 4, 2, state, {}).scores != found.scores);
  }
}

}  // namespace wmi::bnn
