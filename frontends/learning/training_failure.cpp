#include "frontends/learning/training_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/training/model.h"
#include "bnn/training/sample_quality.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_rows = 1000;
/// A few epochs may leave a network below a constant forecast; steps that are too large leave it
/// far below.
constexpr double most_loss = 1;

}  // namespace

std::optional<TrainingFailure> find_failure(const TrainingJob& job) {
  std::vector<bnn::Weights> samples;
  for (std::size_t i = 0; i < job.run.samples.size(); ++i)
    samples.push_back(read_sample(job.run, i));
  std::vector<std::size_t> some = bnn::shuffled(job.rows.rows(), 1);
  if (some.size() > most_rows) some.resize(most_rows);
  const bnn::Dataset rows = bnn::select(job.rows, some);
  const double found = bnn::average_log_likelihood(job.run.network, bnn::make_model,
                                                   job.run.observation, samples, rows);
  const double constant = bnn::constant_log_likelihood(rows, job.run.observation.regression());
  if (found > constant) return std::nullopt;
  const bool diverged = !(found >= constant - most_loss);
  return TrainingFailure{
      fmt::format("the training has {}: the log likelihood of its own rows is {:.4g}, and that "
                  "of a constant forecast {:.4g}; take a smaller --rate or more --epochs",
                  diverged ? "diverged" : "learnt nothing", found, constant),
      diverged};
}

}  // namespace wmi::frontends
