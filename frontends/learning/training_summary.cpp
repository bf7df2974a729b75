#include "frontends/learning/training_summary.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/training/model.h"
#include "bnn/training/sample_quality.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/learning/training_search.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_rows = 1000;  // that spread and error are computed on
constexpr double least_spread = 0.2;     // less is hardly worth averaging

/// The root mean square distance between the mean over the samples and the outcomes, in standard
/// deviations of the outcome.
double mean_error(const TrainingJob& job, const std::vector<bnn::Weights>& samples,
                  const bnn::Dataset& rows) {
  std::vector<double> means(rows.rows());
  for (const bnn::Weights& weights : samples) {
    const bnn::Matrix found = bnn::outputs(job.run.network, bnn::make_model, weights, rows.inputs);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      means[i] += found.at(i, 0) / static_cast<double>(samples.size());
  }
  double square = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    square += (means[i] - rows.targets[i]) * (means[i] - rows.targets[i]);
  return std::sqrt(square / static_cast<double>(rows.rows()));
}

/// What was chosen, without the lists of alternatives, which stay in the run directory.
std::string chosen_lines(const TrainingJob& job) {
  const std::string file = (std::filesystem::path(job.run.path) / choices_file).string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return "";
  std::string result;
  bool listed = true;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(" ")) listed = line != "Candidates:" && line != "Alternatives:";
    if (listed) result += line + "\n";
  }
  return result;
}

}  // namespace

TrainingSummary summarise(const TrainingJob& job) {
  std::vector<bnn::Weights> samples;
  for (std::size_t i = 0; i < job.run.samples.size(); ++i)
    samples.push_back(read_sample(job.run, i));
  std::vector<std::size_t> some = bnn::shuffled(job.rows.rows(), 1);
  if (some.size() > most_rows) some.resize(most_rows);
  const bnn::Dataset rows = bnn::select(job.rows, some);
  const double spread =
      bnn::relative_spread(job.run.network, bnn::make_model, job.run.observation, samples, rows);
  TrainingSummary result;
  result.text = fmt::format("{} rows, {} input{}; {} sample{}", job.rows.rows(),
                            job.rows.inputs.columns, job.rows.inputs.columns == 1 ? "" : "s",
                            samples.size(), samples.size() == 1 ? "" : "s");
  if (job.trajectories > 1) result.text += fmt::format(" of {} trajectories", job.trajectories);
  result.text +=
      job.recipe.drawn ? "\n" : fmt::format(" at the rate {}\n", job.recipe.sampling_rate);
  const std::string chosen = chosen_lines(job);
  result.text += chosen;
  if (samples.size() > 1)
    result.text += fmt::format("spread over the samples: {:.2f} of the noise\n", spread);
  if (job.run.observation.regression())
    result.text += fmt::format("error on training rows: {:.2f} of the target's deviation\n",
                               mean_error(job, samples, rows));
  if (const auto& whole = job.run.schema.whole)
    result.text += fmt::format(
        "the target has whole numbers, {} to {}: ciber predict --discrete gives their "
        "probabilities\n",
        whole->least, whole->most);
  result.text += fmt::format("{}: complete\n", one_line(job.run.path));
  // A rate that validation rows have chosen needs no advice.
  if (samples.size() > 1 && spread < least_spread && !job.recipe.drawn &&
      chosen.find("sampling rate") == std::string::npos)
    result.warning = fmt::format(
        "the samples hardly differ, so there is little to average; a larger --sampling-rate{} "
        "would help",
        job.trajectories == 1 ? ", or several --trajectories," : "");
  return result;
}

}  // namespace wmi::frontends
