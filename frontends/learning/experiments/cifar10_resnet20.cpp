// A whole network for images, trained on from pretrained weights: averages of its checkpoints, and
// checkpoints whose last layer is collapsed. What takes long is kept in a folder of its own, a file
// for each checkpoint and for what each set of weights makes of the images, so that a run that was
// killed goes on.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>

#include "bnn/collapse/collapse.h"
#include "bnn/data/calibration.h"
#include "bnn/data/metrics.h"
#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/classes.h"
#include "bnn/torch/residual.h"
#include "bnn/training/mlp.h"
#include "bnn/training/sampler.h"
#include "frontends/common/write_file.h"
#include "frontends/data/cifar.h"
#include "frontends/data/packed_file.h"
#include "frontends/data/splits.h"
#include "frontends/learning/experiments/experiment.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/pictures.h"
#include "frontends/networks/safetensors.h"
#include "frontends/plots/chart.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t features = 64, classes = 10;
constexpr std::size_t reported_rows = 50;  // images between two reports of progress

/// How much of it: minutes of one core, whatever else runs beside. Nothing here was chosen by
/// looking at a score.
struct Extent {
  std::size_t checkpoints = 20;
  std::size_t step = 2000;        // training images from one checkpoint to the next
  std::size_t training = 10'000;  // images
  std::size_t given = 2500;       // the first of these, for the law of the last layer
  std::size_t statistics = 1000;  // the first of these, for the statistics of normalisation
  std::size_t test = 2000;        // test images for all methods, after those that trials have shown
  std::size_t verified = 10'000;  // ... for the pretrained network
  std::size_t few = 5;            // the number of checkpoints of the lines for few
  std::size_t shown = 2000;       // the first test images: put last
};

Extent extent(bool quick) {
  if (quick) return {4, 100, 250, 125, 100, 100, 200, 2, 100};
  return {};
}

std::vector<std::size_t> first_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

bnn::Weights weights_of(const Safetensors& file, std::string_view prefix = "") {
  bnn::Weights result;
  for (const auto& [name, tensor] : file.tensors) {
    if (!name.starts_with(prefix)) continue;
    std::vector<double> entries;
    for (const Rational& entry : tensor.entries) entries.push_back(entry.get_d());
    result[name.substr(prefix.size())] = {tensor.shape, std::move(entries)};
  }
  return result;
}

void add_tensors(Safetensors& file, const bnn::Weights& weights, const std::string& prefix) {
  for (const auto& [name, tensor] : weights) {
    std::vector<Rational> entries;
    for (const double entry : tensor.entries) entries.emplace_back(entry);
    file.tensors[prefix + name] = {tensor.shape, std::move(entries)};
  }
}

/// A set of weights as the last layer sees it.
struct Sample {
  bnn::Weights layer;    // fc1.weight, fc1.bias
  bnn::Matrix training;  // what enters it, of training images
  bnn::Matrix test;      // ... of test images
};

/// The last layer alone, under the names of a network of one layer.
bnn::Weights last_layer(const bnn::Weights& weights) {
  bnn::Weights result;
  for (const char* const part : {".weight", ".bias"}) {
    const auto found = weights.find(std::string(bnn::residual_head) + part);
    if (found == weights.end()) throw Error("the network has no last layer");
    result[std::string("fc1") + part] = found->second;
  }
  if (result["fc1.weight"].shape != encoders::Shape{classes, features} ||
      result["fc1.bias"].shape != encoders::Shape{classes})
    throw Error("the last layer is not one of 64 features and 10 classes");
  return result;
}

/// The logits of a row of features.
std::vector<double> logits(const bnn::Weights& layer, std::span<const double> entering) {
  std::vector<double> result = layer.at("fc1.bias").entries;
  const std::vector<double>& weights = layer.at("fc1.weight").entries;
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t j = 0; j < features; ++j) result[k] += weights[k * features + j] * entering[j];
  return result;
}

/// Everything that takes long, kept in a folder.
class Work {
 public:
  Work(const Conditions& conditions, const Extent& extent)
      : conditions_(conditions), extent_(extent) {
    recipe_.batch = 50;
    const fs::path images = conditions.data / "cifar10";
    training_ = read_cifar(images / "data_batch_1.bin.xz", extent.training);
    test_ = read_cifar(images / "test_batch.bin.xz", extent.verified);
    if (training_.count() < extent.training || test_.count() < extent.verified)
      throw Error(fmt::format("{}: has fewer images than CIFAR-10", images.string()));
    const auto shown = static_cast<std::ptrdiff_t>(extent.shown);
    std::ranges::rotate(test_.classes, test_.classes.begin() + shown);
    std::ranges::rotate(test_.pixels,
                        test_.pixels.begin() + shown * std::ptrdiff_t{bnn::Images::bytes});
    pretrained_ = weights_of(read_safetensors(
        (conditions.data / "cifar10_pretrained" / "resnet20.safetensors").string()));
    folder_ = conditions.out / fmt::format("cifar10-resnet20-seed{}{}", conditions.seed,
                                           conditions.quick ? "-quick" : "");
    fs::create_directories(folder_);
    // Sets of weights whose features are needed: pretrained, checkpoints, SWA and SWAG.
    total_ = static_cast<double>(extent.checkpoints) *
                 (3.0 * static_cast<double>(extent.step) +
                  static_cast<double>(extent.statistics + extent.given + extent.test)) +
             static_cast<double>(extent.checkpoints + 1) *
                 static_cast<double>(extent.statistics + extent.test) +
             static_cast<double>(extent.verified);
  }

  const bnn::Images& training() const { return training_; }
  const bnn::Images& test() const { return test_; }
  const bnn::Weights& pretrained() const { return pretrained_; }
  const bnn::ResidualRecipe& recipe() const { return recipe_; }

  /// The checkpoints with statistics of their own, and the training loss before each.
  struct Trajectory {
    std::vector<bnn::Weights> checkpoints;
    std::vector<double> losses;
  };
  Trajectory train() {
    Trajectory result;
    bnn::ResidualState state{pretrained_};
    for (std::size_t i = 0; i < extent_.checkpoints; ++i) {
      const std::string what = fmt::format("checkpoint {} of {}", i + 1, extent_.checkpoints);
      const fs::path file = folder_ / fmt::format("checkpoint_{:02}.safetensors", i + 1);
      double loss = 0;
      if (fs::exists(file)) {
        loss = read_state(file, state);
        done_ += 3.0 * static_cast<double>(extent_.step);
      } else {
        const std::vector<std::size_t> rows = rows_of_step(i);
        loss = bnn::train_residual(
            state, training_, rows, recipe_, bnn::mixed(conditions_.seed, 1000 + i),
            [&](double share) { report(what, 3 * share * static_cast<double>(rows.size())); });
        done_ += 3.0 * static_cast<double>(extent_.step);
        write_state(file, state, loss);
      }
      result.losses.push_back(loss);
      result.checkpoints.push_back(state.weights);
    }
    return result;
  }

  /// What the last layer sees under weights; those of a name are kept.
  Sample sample(const std::string& name, bnn::Weights weights, bool statistics,
                std::size_t training_rows, std::size_t test_rows) {
    Sample result;
    result.layer = last_layer(weights);
    const fs::path file = folder_ / (name + ".features");
    std::vector<float> numbers((training_rows + test_rows) * features);
    if (fs::exists(file)) {
      const std::string bytes = read_unpacked(file.string());
      if (bytes.size() != numbers.size() * sizeof(float))
        throw Error(file.string() + ": is not of this experiment; take another --out");
      std::memcpy(numbers.data(), bytes.data(), bytes.size());
      if (statistics) done_ += static_cast<double>(extent_.statistics);
      done_ += static_cast<double>(training_rows + test_rows);
    } else {
      if (statistics) {
        report(name, 0);
        weights = bnn::with_statistics(weights, training_, first_rows(extent_.statistics));
        done_ += static_cast<double>(extent_.statistics);
      }
      run(name, weights, training_, training_rows, numbers.data());
      run(name, weights, test_, test_rows, numbers.data() + training_rows * features);
      std::string bytes(numbers.size() * sizeof(float), '\0');
      std::memcpy(bytes.data(), numbers.data(), bytes.size());
      save(file.string(), bytes);
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(training_rows * features);
    result.training = bnn::Matrix(training_rows, features);
    std::copy(numbers.begin(), middle, result.training.entries.begin());
    result.test = bnn::Matrix(test_rows, features);
    std::copy(middle, numbers.end(), result.test.entries.begin());
    return result;
  }

 private:
  void report(const std::string& what, double more) const {
    conditions_.report(what, 0.9 * (done_ + more) / total_);
  }

  /// The images of a step: each image comes once before any comes again.
  std::vector<std::size_t> rows_of_step(std::size_t step) const {
    std::vector<std::size_t> result;
    for (std::size_t i = step * extent_.step; i < (step + 1) * extent_.step; ++i) {
      const std::size_t epoch = i / extent_.training;
      if (!orders_.contains(epoch))
        orders_[epoch] = bnn::shuffled(extent_.training, bnn::mixed(conditions_.seed, epoch));
      result.push_back(orders_[epoch][i % extent_.training]);
    }
    return result;
  }

  /// What a file of this experiment says of itself.
  std::string setup() const {
    return fmt::format("seed {}, rate {}, momentum {}, weight decay {}, batch {}, step {} of {}",
                       conditions_.seed, recipe_.rate, recipe_.momentum, recipe_.weight_decay,
                       recipe_.batch, extent_.step, extent_.training);
  }

  void write_state(const fs::path& path, const bnn::ResidualState& state, double loss) const {
    Safetensors file;
    add_tensors(file, state.weights, "weights.");
    add_tensors(file, state.velocity, "velocity.");
    file.metadata = {{"setup", setup()}, {"loss", fmt::format("{}", loss)}};
    save(path.string(), to_bytes(file));
  }

  double read_state(const fs::path& path, bnn::ResidualState& state) const {
    const Safetensors file = read_safetensors(path.string());
    const auto said = file.metadata.find("setup"), loss = file.metadata.find("loss");
    if (said == file.metadata.end() || said->second != setup() || loss == file.metadata.end())
      throw Error(path.string() + ": is of another experiment; take another --out");
    state.weights = weights_of(file, "weights.");
    state.velocity = weights_of(file, "velocity.");
    return parse_numbers(loss->second, path.string()).at(0).at(0);
  }

  void run(const std::string& name, const bnn::Weights& weights, const bnn::Images& images,
           std::size_t count, float* to) {
    const std::size_t pieces = (count + reported_rows - 1) / reported_rows;
    std::mutex mutex;
    bnn::in_parallel(pieces, conditions_.threads, [&](std::size_t piece) {
      std::vector<std::size_t> rows;
      for (std::size_t i = piece * reported_rows; i < std::min(count, (piece + 1) * reported_rows);
           ++i)
        rows.push_back(i);
      const bnn::Activations found = bnn::residual_forward(weights, images, rows);
      float* const place = to + piece * reported_rows * features;
      std::ranges::transform(found.entering.entries, place,
                             [](double entry) { return static_cast<float>(entry); });
      const std::lock_guard lock(mutex);
      done_ += static_cast<double>(rows.size());
      report(name, 0);
    });
  }

  const Conditions& conditions_;
  Extent extent_;
  bnn::ResidualRecipe recipe_;
  bnn::Images training_, test_;
  bnn::Weights pretrained_;
  fs::path folder_;
  mutable std::map<std::size_t, std::vector<std::size_t>> orders_;
  double done_ = 0, total_ = 1;
};

/// The probabilities that one sample gives to all test images, image by image.
using Table = std::vector<double>;

const bnn::Observation softmax{bnn::Observation::Kind::softmax, {}, 0};

Table plain(const Sample& sample) {
  Table result;
  for (std::size_t i = 0; i < sample.test.rows(); ++i) {
    std::vector<double> row = logits(sample.layer, sample.test.row(i));
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (double& entry : row) sum += entry = std::exp(entry - most);
    for (const double entry : row) result.push_back(entry / sum);
  }
  return result;
}

/// ... of a collapsed sample: jointly, or by the authors' formula for one weight of each class.
Table collapsed(const Sample& sample, const bnn::CollapsedSample& law, bool authors,
                unsigned threads) {
  Table result(sample.test.rows() * classes);
  bnn::in_parallel(sample.test.rows(), threads, [&](std::size_t i) {
    const auto entering = sample.test.row(i);
    const std::vector<double> outputs = logits(sample.layer, entering);
    std::vector<double> found;
    if (authors) {
      found = bnn::authors_class_probabilities(law, entering, outputs);
    } else {
      const std::vector<std::vector<bnn::OutputLaw<double>>> one{
          bnn::components(law, entering, outputs)};
      found = bnn::class_probabilities(one, softmax);
    }
    std::ranges::copy(found, result.begin() + static_cast<std::ptrdiff_t>(i * classes));
  });
  return result;
}

/// The mean of some tables, as forecasts.
std::vector<bnn::Forecast> average(std::span<const Table> tables) {
  std::vector<bnn::Forecast> result(tables[0].size() / classes);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].probabilities.assign(classes, 0);
    for (const Table& table : tables)
      for (std::size_t k = 0; k < classes; ++k)
        result[i].probabilities[k] += table[i * classes + k] / static_cast<double>(tables.size());
  }
  return result;
}

/// Every so many of them, the last among them.
std::vector<Table> some(std::span<const Table> tables, std::size_t count) {
  std::vector<Table> result;
  for (std::size_t i = 1; i <= count; ++i) result.push_back(tables[i * tables.size() / count - 1]);
  return result;
}

/// The expected calibration error with the paper's number of bins.
bnn::Metric calibration_error_20() {
  constexpr std::size_t bins = 20;
  bnn::Metric result = bnn::find_metric("ece");
  result.bins = bins;
  result.term = [](const bnn::Forecast& forecast, double outcome) {
    const std::size_t best = bnn::likeliest(forecast);
    const double probability = forecast.probabilities[best];
    return bnn::Metric::Term{bnn::confidence_bin(probability, bins), probability,
                             static_cast<double>(best) == outcome ? 1.0 : 0.0};
  };
  return result;
}

struct Line {
  std::string name;
  std::vector<bnn::Forecast> forecasts;
  bool sums_to_one = true;
};

std::string with_interval(const bnn::Estimate& estimate) {
  return fmt::format("{} [{}, {}]", figure(estimate.value, 4), figure(estimate.lower, 4),
                     figure(estimate.upper, 4));
}

/// Scores against the number of checkpoints.
Chart progress_chart(std::span<const Table> plain_tables, std::span<const Table> conditional,
                     std::span<const double> outcomes, double pretrained) {
  const bnn::Metric& nll = bnn::find_metric("nll");
  Mark each{Mark::Kind::dots, Hue::grey, "each checkpoint"};
  Mark plain_mean{Mark::Kind::line, Hue::orange, "average of the first"};
  Mark collapsed_mean{Mark::Kind::line, Hue::blue, "... last layer collapsed"};
  Mark start{Mark::Kind::dashes, Hue::green, "pretrained"};
  for (std::size_t i = 0; i < plain_tables.size(); ++i) {
    const auto x = static_cast<double>(i + 1);
    for (Mark* const mark : {&each, &plain_mean, &collapsed_mean, &start}) mark->x.push_back(x);
    each.y.push_back(bnn::score(nll, average(plain_tables.subspan(i, 1)), outcomes));
    plain_mean.y.push_back(bnn::score(nll, average(plain_tables.first(i + 1)), outcomes));
    collapsed_mean.y.push_back(bnn::score(nll, average(conditional.first(i + 1)), outcomes));
    start.y.push_back(pretrained);
  }
  return {.title = "Checkpoints of a ResNet-20, and their averages",
          .panels = {{.across = "checkpoints",
                      .up = "negative log likelihood, test images",
                      .marks = {start, each, plain_mean, collapsed_mean}}}};
}

/// The reliability of two methods side by side.
Chart reliability_chart(const Line& first, const Line& second, std::span<const double> outcomes) {
  Chart result = reliability_picture(first.forecasts, outcomes);
  result.panels[0].title = first.name;
  Chart other = reliability_picture(second.forecasts, outcomes);
  result.panels.push_back(other.panels.at(0));
  result.panels[1].title = second.name;
  result.same_scale = true;
  return result;
}

}  // namespace

Findings run_cifar10_resnet20(const Conditions& conditions) {
  const Extent how = extent(conditions.quick);
  conditions.report("images", 0);
  Work work(conditions, how);
  const std::vector<double>& all_outcomes = work.test().classes;
  const std::span<const double> outcomes(all_outcomes.data(), how.test);

  const Sample pretrained = work.sample("pretrained", work.pretrained(), false, 0, how.verified);
  const Work::Trajectory trajectory = work.train();
  std::vector<Sample> checkpoints;
  for (std::size_t i = 0; i < how.checkpoints; ++i)
    checkpoints.push_back(work.sample(fmt::format("checkpoint_{:02}", i + 1),
                                      trajectory.checkpoints[i], true, how.given, how.test));

  // Averages and draws of all weights; what these samplers ask is the trajectory alone.
  const encoders::Network layer = bnn::mlp(features, {}, classes);
  const std::vector<std::vector<bnn::Weights>> trajectories{trajectory.checkpoints};
  const bnn::Dataset nothing;
  const bnn::SamplerInput input{layer, softmax, nothing, trajectories};
  bnn::SamplerOptions sampling;
  sampling.count = how.checkpoints;
  std::map<std::string, std::vector<Table>> drawn;
  for (const std::string name : {"swa", "swag"}) {
    const auto samples =
        bnn::find_sampler(name).draw(input, sampling, bnn::mixed(conditions.seed, 2000)).samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
      drawn[name].push_back(
          plain(work.sample(fmt::format("{}_{:02}", name, i + 1), samples[i], true, 0, how.test)));
  }

  std::vector<bnn::Weights> layers;
  for (const Sample& sample : checkpoints) layers.push_back(sample.layer);
  const auto laws = [&](const char* partition, const char* choose, const char* posterior) {
    bnn::CollapseOptions options;
    options.partition = partition;
    options.choose = choose;
    options.posterior = posterior;
    return bnn::collapse(layer, softmax, layers, {}, nullptr, options);
  };
  // The conditional law of each sample is given its own features.
  std::vector<bnn::CollapsedSample> gaussian(how.checkpoints);
  bnn::in_parallel(how.checkpoints, conditions.threads, [&](std::size_t i) {
    conditions.report("posterior of the last layer", 0.9);
    const auto& names = work.training().classes;
    const bnn::Dataset rows{
        checkpoints[i].training,
        {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(how.given)}};
    bnn::CollapseOptions options;
    options.partition = "last";
    options.posterior = "conditional";
    // Those given stand for all training images, each for as many: these divide the precision.
    const double part = static_cast<double>(how.given) / static_cast<double>(how.training);
    options.options.lambda *= part;
    options.options.temperature *= part;
    gaussian[i] = bnn::collapse(layer, softmax, std::span(&layers[i], 1), {}, &rows, options).at(0);
  });
  double share = 0.91;
  const auto tables = [&](std::span<const bnn::CollapsedSample> of, const char* what,
                          bool authors = false) {
    std::vector<Table> result;
    for (std::size_t i = 0; i < how.checkpoints; ++i) {
      conditions.report(what, share);
      result.push_back(collapsed(checkpoints[i], of[i], authors, conditions.threads));
    }
    share += 0.01;
    return result;
  };
  std::vector<Table> monte_carlo;
  for (const Sample& sample : checkpoints) monte_carlo.push_back(plain(sample));
  const std::vector<bnn::CollapsedSample> minmax = laws("last", "variance", "minmax");
  const std::vector<Table> conditional = tables(gaussian, "whole layer, conditional");
  std::vector<Table> start{plain(pretrained)};
  const std::vector<bnn::Forecast> verified = average(start);
  start[0].resize(how.test * classes);

  std::vector<Line> lines;
  const auto add = [&](const std::string& name, std::span<const Table> from, bool sums = true) {
    lines.push_back({name, average(from), sums});
  };
  add("pretrained network", start);
  add("SGD: the last checkpoint", std::span(monte_carlo).last(1));
  add("SWA", drawn["swa"]);
  const std::size_t plain_line = lines.size();
  add(fmt::format("MC: {} checkpoints", how.checkpoints), monte_carlo);
  add(fmt::format("SWAG: {} draws", how.checkpoints), drawn["swag"]);
  add("one weight a class, minmax, the authors' formula", tables(minmax, "one weight", true),
      false);
  add("one weight a class, minmax, joint softmax",
      tables(laws("last:1", "effect", "minmax"), "one weight, joint"));
  add("whole layer, minmax", tables(minmax, "whole layer, minmax"));
  add("whole layer, moment", tables(laws("last", "variance", "moment"), "whole layer, moment"));
  const std::size_t conditional_line = lines.size();
  add("whole layer, conditional (Laplace)", conditional);
  add(fmt::format("MC: {} checkpoints", how.few), some(monte_carlo, how.few));
  add(fmt::format("{} checkpoints, conditional", how.few), some(conditional, how.few));
  const std::size_t few_line = lines.size() - 1;
  // The same law as boxes: at one checkpoint in so many.
  std::vector<Table> boxes;
  for (std::size_t i = 1; i <= how.few; ++i) {
    const std::size_t number = i * how.checkpoints / how.few - 1;
    bnn::CollapsedSample sample = gaussian[number];
    for (bnn::CollapsedSample::Row& row : sample.rows)
      row.basis = bnn::symmetric_eigen(row.joint.covariance);
    conditions.report("whole layer, conditional, as boxes", share);
    boxes.push_back(collapsed(checkpoints[number], sample, false, conditions.threads));
  }
  add(fmt::format("{} checkpoints, conditional, as boxes", how.few), boxes);

  conditions.report("scores", 0.98);
  FigureTable table({"method", "NLL", "NLL minus MC's", "accuracy", "ECE (20 bins)", "Brier"});
  table.add({"paper: CIBER, VGG-16 (another network, all training images)", ".1927", "", ".9364",
             ".0130", ""});
  const bnn::Metric nll = bnn::find_metric("nll");
  double off = 0, authors_sum = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& forecasts = lines[i].forecasts;
    table.add({lines[i].name, with_interval(bnn::estimate(nll, forecasts, outcomes)),
               i == plain_line ? ""
                               : with_interval(bnn::paired_difference(
                                     nll, forecasts, lines[plain_line].forecasts, outcomes)),
               with_interval(bnn::estimate(bnn::find_metric("accuracy"), forecasts, outcomes)),
               with_interval(bnn::estimate(calibration_error_20(), forecasts, outcomes)),
               with_interval(bnn::estimate(bnn::find_metric("brier"), forecasts, outcomes))});
    for (const bnn::Forecast& each : forecasts) {
      const double sum = std::accumulate(each.probabilities.begin(), each.probabilities.end(), 0.0);
      if (lines[i].sums_to_one)
        off = std::max(off, std::abs(sum - 1));
      else
        authors_sum += sum / static_cast<double>(forecasts.size());
    }
  }
  FigureTable each({"checkpoint", "training loss", "test NLL", "test accuracy"});
  double mean_nll = 0;
  for (std::size_t i = 0; i < how.checkpoints; ++i) {
    const std::vector<bnn::Forecast> one = average(std::span(monte_carlo).subspan(i, 1));
    const double found = bnn::score(nll, one, outcomes);
    mean_nll += found / static_cast<double>(how.checkpoints);
    each.add({std::to_string(i + 1), figure(trajectory.losses[i], 5), figure(found, 5),
              figure(bnn::score(bnn::find_metric("accuracy"), one, outcomes), 4)});
  }
  const auto score = [&](std::size_t line, const char* name) {
    return bnn::score(bnn::find_metric(name), lines[line].forecasts, outcomes);
  };

  const auto stated = [&](const char* name) {
    return bnn::score(bnn::find_metric(name), verified, all_outcomes);
  };

  Findings findings;
  const bnn::ResidualRecipe& recipe = work.recipe();
  findings.text = fmt::format(
      "A substitute for the paper's networks, labelled as such: they trained VGG-16 and others on "
      "all 50 000 images for 300 epochs; here a ResNet-20 that others trained (on those 50 000) is "
      "trained on with the {} images of one batch, cut out with a margin of 4 pixels and mirrored "
      "at random, by SGD at the constant rate {} (momentum {}, weight decay {}, batches of {}). A "
      "checkpoint every {} images, {} of them. These were fixed beforehand: the rate is the "
      "one that SWAG was published with, and the decay that of the pretraining. Held-out "
      "training images could not have chosen better: the pretrained network has seen them all. "
      "Every set of weights, checkpoints, averages and draws alike, has its own statistics of "
      "BatchNorm, computed on the same {} training images. The laws of the last layer are given {} "
      "training images, each of which stands for {} (lambda .3, temperature 1, as everywhere). "
      "Scores on {} test images, "
      "with 95 % bootstrap intervals: those after the first {} of the file, whose scores had been "
      "seen in trials while this was written. No score of an image that counts here chose "
      "anything.\n\n{}\n"
      "Before any training, the network has accuracy {} and NLL {} on {} test images; stated are "
      ".9173 and .37266 on 10 000. The authors' formula gives probabilities that do not sum "
      "to 1: to {} on average; its scores are those of the numbers as they are. All other lines "
      "are joint probabilities of sum 1.\n\n"
      "The mean training loss before the first checkpoint was {}, before the last {}; the network "
      "had "
      "seen all these images before. Trained on with a fifth of its images at this rate it loses "
      "accuracy, and what averages win is measured from there.\n\n"
      "![Checkpoints and averages](cifar10-resnet20.svg)\n\n"
      "![Reliability](cifar10-resnet20-reliability.svg)\n",
      how.training, recipe.rate, recipe.momentum, recipe.weight_decay, recipe.batch, how.step,
      how.checkpoints, how.statistics, how.given, how.training / how.given, how.test, how.shown,
      table.markdown(), figure(stated("accuracy"), 4), figure(stated("nll"), 5), how.verified,
      figure(authors_sum, 4), figure(trajectory.losses.front(), 4),
      figure(trajectory.losses.back(), 4));
  findings.files = {
      {"cifar10-resnet20.csv", table.csv()},
      {"cifar10-resnet20-checkpoints.csv", each.csv()},
      {"cifar10-resnet20.svg",
       to_svg(progress_chart(monte_carlo, conditional, outcomes, score(0, "nll")))},
      {"cifar10-resnet20-reliability.svg",
       to_svg(reliability_chart(lines[plain_line], lines[conditional_line], outcomes))}};
  findings.claims = {{"joint probabilities of the classes sum to 1", off < 1e-9},
                     {"the average of the checkpoints has a smaller NLL than these have on average",
                      score(plain_line, "nll") < mean_nll}};
  if (conditions.quick)
    findings.claims.push_back({"the pretrained network is right on more than 85 % of the images",
                               stated("accuracy") > 0.85});
  else
    findings.claims.push_back(
        {"the pretrained network has the accuracy and the NLL that its source states",
         std::abs(stated("accuracy") - 0.9173) < 1.5e-4 &&
             std::abs(stated("nll") - 0.37266) < 1.5e-5});
  findings.claims.push_back({"the average of the checkpoints has a smaller NLL than the last one",
                             score(plain_line, "nll") < score(1, "nll"), false});
  findings.claims.push_back(
      {fmt::format(
           "{} checkpoints with a collapsed last layer have a smaller NLL than {} plain ones",
           how.few, how.few),
       score(few_line, "nll") < score(few_line - 1, "nll"), false});
  return findings;
}

}  // namespace wmi::frontends
