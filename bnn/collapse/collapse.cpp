#include "bnn/collapse/collapse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>
#include <variant>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using Kind = CollapsedSample::Kind;

const encoders::NamedLayer* find_layer(const encoders::Network& network, const std::string& name) {
  for (const encoders::NamedLayer& layer : network.layers)
    if (layer.name == name) return &layer;
  return nullptr;
}

/// The layer that a value comes from, behind layers that change nothing.
const encoders::NamedLayer* source(const encoders::Network& network, const std::string& name) {
  const encoders::NamedLayer* layer = find_layer(network, name);
  while (layer) {
    const auto* const dropout = std::get_if<encoders::Dropout>(&layer->layer);
    if (!dropout || dropout->masks) return layer;
    layer = find_layer(network, layer->from[0]);
  }
  return nullptr;
}

/// What a partition's text asks for.
struct Partition {
  Kind kind = Kind::none;
  std::size_t most = SIZE_MAX;
  bool bias = false;                    // ... and the bias in any case
  bool one_unit = false;                // ... all of one hidden unit
  std::vector<std::string> names = {};  // of an explicit list
};

std::size_t read_count(const std::string& text, const std::string& digits) {
  std::size_t count = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || stop != digits.data() + digits.size() || count == 0)
    throw Error("partition '" + text + "': '" + digits + "' is no number of weights");
  return count;
}

Partition parse_partition(const std::string& text, const Head& head) {
  if (text == "none") return {};
  if (text == "all") return {Kind::all};
  if (text == "last") return {Kind::last};
  if (text.starts_with("last:") && text.ends_with("+bias"))
    return {Kind::last, read_count(text, text.substr(5, text.size() - 10)) + 1, true};
  if (text.starts_with("last:")) return {Kind::last, read_count(text, text.substr(5))};
  if (text.starts_with("second:") && text.ends_with("+bias"))
    return {Kind::second, read_count(text, text.substr(7, text.size() - 12)) + 1, true, true};
  if (text.starts_with("second:")) return {Kind::second, read_count(text, text.substr(7))};
  if (text.find('[') == std::string::npos)
    throw Error("no partition '" + text +
                "'; choose none, last, last:K, second:K, all or entries such as 'fc2.weight[0,3]'");
  Partition result;
  std::string layer;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ;", at), text.size());
    if (end > at) result.names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  for (const std::string& name : result.names) {
    const std::size_t dot = name.rfind('.');
    const std::string of = name.substr(0, dot);
    if (dot == std::string::npos)
      throw Error("'" + name + "': write the tensor and the index, as in fc2.weight[0,3]");
    if (!layer.empty() && of != layer)
      throw Error("'" + name + "' and '" + result.names[0] +
                  "': products of two unknowns are not linear; collapse one layer only");
    layer = of;
  }
  if (layer == head.output)
    result.kind = Kind::last;
  else if (layer == head.hidden)
    result.kind = Kind::second;
  else
    throw Error("'" + result.names[0] + "': only weights of '" + head.output + "'" +
                (head.hidden.empty() ? "" : " or '" + head.hidden + "'") +
                " can be collapsed here; ciber query answers for deeper layers");
  return result;
}

const encoders::Tensor<double>& tensor(const Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) throw Error("a sample has no tensor '" + name + "'");
  return found->second;
}

/// A linear layer's weight and bias at a sample.
struct Layer {
  Matrix weights;
  std::vector<double> bias;
  bool has_bias = false;
};

Layer linear_layer(const Weights& weights, const std::string& name) {
  const encoders::Tensor<double>& weight = tensor(weights, name + ".weight");
  if (weight.shape.size() != 2) throw Error(name + ": the weight is no matrix");
  Layer result{Matrix(weight.shape[0], weight.shape[1]), {}, weights.contains(name + ".bias")};
  result.weights.entries = weight.entries;
  result.bias.assign(weight.shape[0], 0);
  if (result.has_bias) result.bias = tensor(weights, name + ".bias").entries;
  return result;
}

std::string entry_name(const std::string& layer, const Candidate& candidate, std::size_t inputs) {
  const std::string unit = std::to_string(candidate.unit);
  return candidate.input == inputs
             ? layer + ".bias[" + unit + "]"
             : layer + ".weight[" + unit + "," + std::to_string(candidate.input) + "]";
}

double value_of(const Layer& layer, const Candidate& candidate) {
  return candidate.input == layer.weights.columns
             ? layer.bias[candidate.unit]
             : layer.weights.at(candidate.unit, candidate.input);
}

/// All entries of some units of a layer.
std::vector<Candidate> all_entries(const Layer& layer, const std::string& name,
                                   std::span<const std::size_t> units) {
  std::vector<Candidate> result;
  const std::size_t inputs = layer.weights.columns;
  for (const std::size_t unit : units)
    for (std::size_t input = 0; input < inputs + (layer.has_bias ? 1 : 0); ++input) {
      result.push_back({unit, input, {}, "", false});
      result.back().name = entry_name(name, result.back(), inputs);
    }
  return result;
}

double variance_of(std::span<const double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

/// The indices of the `most` largest, the first ones among equals, ascending.
std::vector<std::size_t> largest(std::span<const double> sizes, std::size_t most) {
  if (most < sizes.size() && most <= 8) {  // the usual few: one pass
    std::vector<std::size_t> best;
    if (most == 0) return best;
    best.reserve(most);
    double least = 0;  // of the best, once they are enough
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i >= most) {
        if (!(sizes[i] > least)) continue;
        best.pop_back();
      }
      std::size_t place = best.size();
      while (place > 0 && sizes[i] > sizes[best[place - 1]]) --place;
      best.insert(best.begin() + static_cast<std::ptrdiff_t>(place), i);
      least = sizes[best.back()];
    }
    std::ranges::sort(best);
    return best;
  }
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (most >= order.size()) return order;
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return sizes[a] > sizes[b] || (sizes[a] == sizes[b] && a < b);
                    });
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

/// Of the unit whose `most` largest add up to most, these: candidates of a unit are neighbours, and
/// those that are always unknown come first.
std::vector<std::size_t> largest_of_one_unit(std::span<const Candidate> candidates,
                                             std::span<const double> sizes, std::size_t most) {
  std::vector<std::size_t> best;
  double best_sum = -1;
  for (std::size_t start = 0, end = 0; start < candidates.size(); start = end) {
    std::vector<double> ranks;
    for (end = start; end < candidates.size() && candidates[end].unit == candidates[start].unit;
         ++end)
      ranks.push_back(candidates[end].always ? std::numeric_limits<double>::infinity()
                                             : sizes[end]);
    std::vector<std::size_t> taken = largest(ranks, most);
    double sum = 0;
    for (std::size_t& i : taken) sum += sizes[i += start];
    if (sum > best_sum) {
      best_sum = sum;
      best = std::move(taken);
    }
  }
  return best;
}

/// Collapses the samples of one trajectory.
class Collapser {
 public:
  Collapser(const encoders::Network& network, const Forward& forward,
            const Observation& observation, std::vector<const Weights*> samples,
            const Dataset* training, const CollapseOptions& options)
      : network_(network),
        forward_(forward),
        observation_(observation),
        samples_(std::move(samples)),
        training_(training),
        options_(options),
        head_(find_head(network)),
        partition_(parse_partition(options.partition, head_)),
        posterior_(find_posterior(posterior_name(options, network))),
        name_(hidden() ? head_.hidden : head_.output) {
    if (options.choose != "variance" && options.choose != "effect")
      throw Error("weights are chosen by variance or by effect, not by '" + options.choose + "'");
    if (hidden() && head_.hidden.empty())
      throw Error("'" + options.partition + "': what enters '" + head_.output +
                  "' is no ReLU of a linear layer; collapse 'last'");
    if (conditional() && hidden())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' is one of the output's row; with '" + options.partition +
                  "' take moment, minmax or triangular");
    if (partition_.kind == Kind::all) check_all();
    if (partition_.kind == Kind::second && observation.kind == Observation::Kind::softmax)
      throw Error("'" + options.partition +
                  "' would make the logits dependent; collapse 'last' or 'last:K'");
    if (conditional() && by_effect())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' needs the same weights at all inputs; choose them by variance");
    for (const Weights* const sample : samples_) layers_.push_back(linear_layer(*sample, name_));
  }

  std::vector<CollapsedSample> run() {
    std::vector<CollapsedSample> result;
    const std::size_t outputs = tensor(*samples_[0], head_.output + ".weight").shape[0];
    const std::size_t rows = observation_.kind == Observation::Kind::softmax ? outputs : 1;
    if (rows > outputs || (observation_.kind == Observation::Kind::heteroscedastic && outputs < 2))
      throw Error("'" + head_.output + "' has " + std::to_string(outputs) +
                  " outputs: too few for this likelihood");
    std::vector<std::vector<Candidate>> candidates;
    if (partition_.kind != Kind::none)
      for (std::size_t row = 0; row < rows; ++row) candidates.push_back(candidates_of(row));
    const std::vector<Candidate> outgoing =
        partition_.kind == Kind::all ? outgoing_entries() : std::vector<Candidate>();
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      CollapsedSample sample;
      sample.kind = partition_.kind;
      sample.layer = name_;
      sample.observation = observation_;
      if (observation_.kind == Observation::Kind::homoscedastic)
        sample.raw_variance = tensor(*samples_[i], raw_variance_name).entries.at(0);
      const Layer output = hidden() ? linear_layer(*samples_[i], head_.output) : layers_[i];
      if (hidden()) {
        sample.slope = head_.slope;
        sample.hidden_weights = layers_[i].weights;
        sample.hidden_bias = layers_[i].bias;
      }
      for (std::size_t row = 0; row < rows; ++row) {
        CollapsedSample::Row made{{output.weights.row(row).begin(), output.weights.row(row).end()},
                                  output.bias[row],
                                  {},
                                  0,
                                  {},
                                  {}};
        if (sample.kind != Kind::none) made.candidates = candidates[row];
        made.most = by_effect() ? partition_.most : made.candidates.size();
        made.one_unit = by_effect() && partition_.one_unit;
        if (sample.kind == Kind::all) made.outgoing = outgoing;
        sample.rows.push_back(std::move(made));
      }
      if (sample.kind == Kind::last && conditional()) condition(sample, *samples_[i]);
      result.push_back(std::move(sample));
    }
    return result;
  }

 private:
  bool conditional() const {
    return partition_.kind != Kind::none && posterior_.kind == PosteriorEntry::Kind::conditional;
  }
  /// Are weights of the hidden layer unknown?
  bool hidden() const { return partition_.kind == Kind::second || partition_.kind == Kind::all; }
  bool by_effect() const { return options_.choose == "effect" && partition_.names.empty(); }

  void check_all() const {
    if (!observation_.regression())
      throw Error("'all' is for outcomes that are numbers; collapse 'last' for classes");
    if (source(network_, find_layer(network_, head_.hidden)->from[0]))
      throw Error("'all' is for networks of one hidden layer, and there are layers before '" +
                  head_.hidden + "'; collapse 'last' or 'second:K'");
    if (posterior_.name == "triangular")
      throw Error("'all' is for uniform weights; take the posterior moment or minmax");
  }

  /// The entries of the mean's row of the output layer, when both layers are unknown.
  std::vector<Candidate> outgoing_entries() const {
    std::vector<Layer> layers;
    for (const Weights* const sample : samples_)
      layers.push_back(linear_layer(*sample, head_.output));
    const std::vector<std::size_t> units{0};
    std::vector<Candidate> result = all_entries(layers[0], head_.output, units);
    for (Candidate& candidate : result) {
      std::vector<double> values;
      for (const Layer& layer : layers) values.push_back(value_of(layer, candidate));
      candidate.marginal = posterior_.marginal(values, options_.options);
    }
    return result;
  }

  bool keeps(const Candidate& candidate) const {
    return partition_.bias && candidate.input == layers_[0].weights.columns;
  }

  std::vector<double> values(const Candidate& candidate) const {
    std::vector<double> result;
    for (const Layer& layer : layers_) result.push_back(value_of(layer, candidate));
    return result;
  }

  std::vector<Candidate> candidates_of(std::size_t row) const {
    std::vector<std::size_t> units{row};
    if (hidden()) {
      units.resize(layers_[0].weights.rows());
      std::iota(units.begin(), units.end(), std::size_t{0});
    }
    std::vector<Candidate> result = all_entries(layers_[0], name_, units);
    for (Candidate& candidate : result) candidate.always = keeps(candidate);
    if (!partition_.names.empty()) {
      result = named(result);
    } else if (!by_effect() && partition_.most < result.size()) {
      std::vector<double> variances;
      for (const Candidate& candidate : result)
        variances.push_back(candidate.always && !partition_.one_unit
                                ? std::numeric_limits<double>::infinity()
                                : variance_of(values(candidate)));
      std::vector<Candidate> kept;
      for (const std::size_t i : partition_.one_unit
                                     ? largest_of_one_unit(result, variances, partition_.most)
                                     : largest(variances, partition_.most))
        kept.push_back(result[i]);
      result = std::move(kept);
    }
    if (!conditional())
      for (Candidate& candidate : result)
        candidate.marginal = posterior_.marginal(values(candidate), options_.options);
    return result;
  }

  std::vector<Candidate> named(const std::vector<Candidate>& all) const {
    std::vector<Candidate> result;
    for (const std::string& name : partition_.names) {
      const auto found = std::ranges::find(all, name, &Candidate::name);
      if (found == all.end())
        throw Error("'" + name + "' cannot be collapsed: " +
                    (partition_.kind == Kind::last && observation_.regression()
                         ? "only row 0 of '" + name_ + "', the mean, can; its entries are "
                         : "the entries of '" + name_ + "' are ") +
                    all.front().name + " ... " + all.back().name);
      if (std::ranges::find(result, name, &Candidate::name) != result.end())
        throw Error("'" + name + "' is named twice");
      result.push_back(*found);
    }
    return result;
  }

  void condition(CollapsedSample& sample, const Weights& weights) const {
    if (!training_)
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' needs the training rows, which the run does not have; take moment or minmax");
    const Activations found = forward_(network_, weights, training_->inputs, head_.output);
    const std::size_t inputs = found.entering.columns;
    if (observation_.regression()) {
      CollapsedSample::Row& row = sample.rows[0];
      std::vector<double> targets = training_->targets, variances;
      std::vector<bool> unknown(inputs + 1);
      for (const Candidate& candidate : row.candidates) unknown[candidate.input] = true;
      Matrix features(training_->rows(), row.candidates.size());
      for (std::size_t i = 0; i < training_->rows(); ++i) {
        const double raw = observation_.kind == Observation::Kind::heteroscedastic
                               ? found.outputs.at(i, 1)
                               : sample.raw_variance;
        variances.push_back(variance(observation_, raw));
        for (std::size_t j = 0; j < inputs; ++j)
          if (!unknown[j]) targets[i] -= row.weights[j] * found.entering.at(i, j);
        if (!unknown[inputs]) targets[i] -= row.bias;
        for (std::size_t j = 0; j < row.candidates.size(); ++j)
          features.at(i, j) =
              row.candidates[j].input == inputs ? 1 : found.entering.at(i, row.candidates[j].input);
      }
      row.joint = conditional_posterior(features, targets, variances, options_.options);
      if (posterior_.box) row.basis = symmetric_eigen(row.joint.covariance);
      return;
    }
    if (partition_.most != SIZE_MAX || !partition_.names.empty())
      throw Error("posterior '" + std::string(posterior_.name) +
                  "' of logits is one of whole rows; collapse 'last'");
    const std::size_t columns = sample.rows[0].candidates.size();
    Matrix features(training_->rows(), columns), start(sample.rows.size(), columns);
    for (std::size_t i = 0; i < features.rows(); ++i)
      for (std::size_t j = 0; j < columns; ++j)
        features.at(i, j) = j == inputs ? 1 : found.entering.at(i, j);
    for (std::size_t k = 0; k < start.rows(); ++k)
      for (std::size_t j = 0; j < columns; ++j)
        start.at(k, j) = j == inputs ? sample.rows[k].bias : sample.rows[k].weights[j];
    std::vector<JointGaussian> found_rows =
        laplace_posterior(features, training_->targets, start, options_.options);
    for (std::size_t k = 0; k < found_rows.size(); ++k) {
      sample.rows[k].joint = std::move(found_rows[k]);
      if (posterior_.box) sample.rows[k].basis = symmetric_eigen(sample.rows[k].joint.covariance);
    }
  }

  const encoders::Network& network_;
  const Forward& forward_;
  const Observation& observation_;
  std::vector<const Weights*> samples_;
  const Dataset* training_;
  const CollapseOptions& options_;
  Head head_;
  Partition partition_;
  const PosteriorEntry& posterior_;
  std::string name_;
  std::vector<Layer> layers_;
};

double to_double(double value) { return value; }
double to_double(const Rational& value) { return value.get_d(); }

void assign(double& to, const Rational& from) { to = from.get_d(); }
void assign(Rational& to, const Rational& from) { to = from; }

/// A sum of products. Exact numbers that come from floats have powers of two below them, which are
/// aligned instead of reduced.
class DoubleSum {
 public:
  void add(double value) { sum_ += value; }
  void add(double a, double b) { sum_ += a * b; }
  double value() const { return sum_; }

 private:
  double sum_ = 0;
};

class ExactSum {
 public:
  void add(const Rational& value) { add(value, 1); }
  void add(const Rational& a, const Rational& b) {
    if (mpz_popcount(a.get_den_mpz_t()) != 1 || mpz_popcount(b.get_den_mpz_t()) != 1) {
      rest_ += a * b;
      return;
    }
    const mp_bitcnt_t shift = mpz_scan1(a.get_den_mpz_t(), 0) + mpz_scan1(b.get_den_mpz_t(), 0);
    mpz_mul(product_.get_mpz_t(), a.get_num_mpz_t(), b.get_num_mpz_t());
    if (shift > shift_) {
      mpz_mul_2exp(sum_.get_mpz_t(), sum_.get_mpz_t(), shift - shift_);
      shift_ = shift;
    } else if (shift < shift_) {
      mpz_mul_2exp(product_.get_mpz_t(), product_.get_mpz_t(), shift_ - shift);
    }
    sum_ += product_;
  }
  Rational value() const {
    Rational result(sum_);
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), shift_);
    return result + rest_;
  }

 private:
  Integer sum_, product_;
  mp_bitcnt_t shift_ = 0;
  Rational rest_;
};

template <class Number>
using Sum = std::conditional_t<std::is_same_v<Number, double>, DoubleSum, ExactSum>;

/// What a candidate is multiplied by.
template <class Number>
Number multiplier(std::span<const Number> entering, const Candidate& candidate) {
  return candidate.input == entering.size() ? Number(1) : entering[candidate.input];
}

template <class Number>
std::vector<std::size_t> chosen_of(const CollapsedSample& sample, const CollapsedSample::Row& row,
                                   std::span<const Number> entering) {
  const std::size_t count = row.candidates.size();
  if (row.most >= count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  thread_local std::vector<double> multipliers, effects;
  multipliers.resize(entering.size() + 1);
  for (std::size_t j = 0; j < entering.size(); ++j)
    multipliers[j] = std::abs(to_double(entering[j]));
  multipliers.back() = 1;  // of the bias
  effects.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Candidate& candidate = row.candidates[i];
    double effect =
        (candidate.marginal.to - candidate.marginal.from) * multipliers[candidate.input];
    if (sample.kind == Kind::second) effect *= std::abs(row.weights[candidate.unit]);
    effects[i] =
        candidate.always && !row.one_unit ? std::numeric_limits<double>::infinity() : effect;
  }
  return row.one_unit ? largest_of_one_unit(row.candidates, effects, row.most)
                      : largest(effects, row.most);
}

template <class Number>
OutputLaw<Number> last_component(const CollapsedSample& sample, const CollapsedSample::Row& row,
                                 std::span<const Number> entering) {
  const std::size_t inputs = entering.size();
  OutputLaw<Number> result{Number(0), {}, 0, {}, 0};
  const std::vector<std::size_t> unknown = chosen_of(sample, row, entering);
  std::vector<bool> skip(inputs + 1);
  for (const std::size_t i : unknown) skip[row.candidates[i].input] = true;
  Sum<Number> constant;
  for (std::size_t j = 0; j < inputs; ++j)
    if (!skip[j]) constant.add(entering[j], Number(row.weights[j]));
  if (!skip[inputs]) constant.add(Number(row.bias));
  result.constant = constant.value();
  if (row.joint.mean.empty()) {
    result.terms.reserve(unknown.size());
    for (const std::size_t i : unknown) {
      const Candidate& candidate = row.candidates[i];
      result.terms.push_back({multiplier(entering, candidate), Number(candidate.marginal.from),
                              Number(candidate.marginal.to), candidate.marginal.order});
    }
    return result;
  }
  const std::size_t n = row.candidates.size();
  std::vector<Number> z;
  for (std::size_t i = 0; i < n; ++i) {
    z.push_back(multiplier(entering, row.candidates[i]));
    constant.add(Number(row.joint.mean[i]), z[i]);
  }
  result.constant = constant.value();
  if (row.basis.values.empty()) {
    double variance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double zi = to_double(z[i]);
      if (zi == 0) continue;
      double sum = row.joint.covariance.at(i, i) * zi;
      for (std::size_t j = 0; j < i; ++j)
        sum += 2 * row.joint.covariance.at(i, j) * to_double(z[j]);
      variance += sum * zi;
    }
    result.deviation = std::sqrt(std::max(0.0, variance));
    return result;
  }
  for (std::size_t k = 0; k < n; ++k) {
    Sum<Number> along;
    for (std::size_t i = 0; i < n; ++i) along.add(Number(row.basis.vectors.at(k, i)), z[i]);
    const double half = std::sqrt(3 * std::max(0.0, row.basis.values[k]));
    result.terms.push_back({along.value(), Number(-half), Number(half), 1});
  }
  return result;
}

template <class Number>
OutputLaw<Number> second_component(const CollapsedSample& sample, const CollapsedSample::Row& row,
                                   std::span<const Number> entering) {
  const std::size_t inputs = entering.size();
  OutputLaw<Number> result{Number(0), {}, 0, {}, 0};
  Sum<Number> constant;
  constant.add(Number(row.bias));
  const std::vector<std::size_t> unknown = chosen_of(sample, row, entering);
  std::map<std::size_t, std::vector<const Candidate*>> units;
  for (const std::size_t i : unknown) units[row.candidates[i].unit].push_back(&row.candidates[i]);
  Number slope;
  assign(slope, sample.slope);
  for (std::size_t unit = 0; unit < sample.hidden_weights.rows(); ++unit) {
    const auto found = units.find(unit);
    const bool random = found != units.end();
    const auto skipped = [&](std::size_t input) {
      return random && std::ranges::any_of(found->second, [&](const Candidate* candidate) {
               return candidate->input == input;
             });
    };
    Unit<Number> made{Number(row.weights[unit]), slope, Number(0), {}};
    const std::span<const double> weights = sample.hidden_weights.row(unit);
    Sum<Number> before;
    if (!skipped(inputs)) before.add(Number(sample.hidden_bias[unit]));
    if (random) {
      for (std::size_t j = 0; j < inputs; ++j)
        if (!skipped(j)) before.add(Number(weights[j]), entering[j]);
    } else {
      for (std::size_t j = 0; j < inputs; ++j) before.add(Number(weights[j]), entering[j]);
    }
    made.constant = before.value();
    bool spread = false;
    if (random)
      for (const Candidate* const candidate : found->second) {
        const Number factor = multiplier(entering, *candidate);
        const Marginal& marginal = candidate->marginal;
        spread = spread || (factor != 0 && marginal.from != marginal.to);
        if (factor != 0)
          made.terms.push_back(
              {factor, Number(marginal.from), Number(marginal.to), marginal.order});
      }
    if (spread && made.factor != 0) {
      result.units.push_back(std::move(made));
      continue;
    }
    for (const WeightTerm<Number>& term : made.terms) made.constant += term.coefficient * term.from;
    const Number leaked = made.constant * slope;
    constant.add(made.factor, made.constant > leaked ? made.constant : leaked);
  }
  result.constant = constant.value();
  return result;
}

/// Everything unknown: the units with all that enters them, and what they are multiplied by.
template <class Number>
OutputLaw<Number> all_component(const CollapsedSample& sample, const CollapsedSample::Row& row,
                                std::span<const Number> entering) {
  OutputLaw<Number> result{Number(0), {}, 0, {}, 0, true};
  Number slope;
  assign(slope, sample.slope);
  const std::size_t units = sample.hidden_weights.rows();
  result.units.assign(units, {Number(0), slope, Number(0), {}});
  for (const Candidate& candidate : row.candidates)
    result.units[candidate.unit].terms.push_back(
        {multiplier(entering, candidate), Number(candidate.marginal.from),
         Number(candidate.marginal.to), candidate.marginal.order});
  for (const Candidate& candidate : row.outgoing) {
    const Number from(candidate.marginal.from), to(candidate.marginal.to);
    if (candidate.input == units) {
      result.terms.push_back({Number(1), from, to, candidate.marginal.order});
      continue;
    }
    result.units[candidate.input].factor = (from + to) / 2;
    result.units[candidate.input].half_width = (to - from) / 2;
  }
  return result;
}

template <class Number>
std::vector<OutputLaw<Number>> components_of(const CollapsedSample& sample,
                                             std::span<const Number> entering,
                                             std::span<const Number> outputs) {
  std::vector<OutputLaw<Number>> result;
  double noise = 0;
  if (sample.observation.regression())
    noise = std::sqrt(
        variance(sample.observation, sample.observation.kind == Observation::Kind::heteroscedastic
                                         ? to_double(outputs[1])
                                         : sample.raw_variance));
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const CollapsedSample::Row& row = sample.rows[i];
    if (sample.kind == Kind::none)
      result.push_back({outputs[i], {}, 0, {}, 0});
    else if (sample.kind == Kind::last)
      result.push_back(last_component(sample, row, entering));
    else if (sample.kind == Kind::second)
      result.push_back(second_component(sample, row, entering));
    else
      result.push_back(all_component(sample, row, entering));
    result.back().noise = noise;
  }
  return result;
}

}  // namespace

Head find_head(const encoders::Network& network) {
  const encoders::NamedLayer* const output =
      network.output.size() == 1 ? source(network, network.output[0]) : nullptr;
  if (!output || !std::holds_alternative<encoders::Linear>(output->layer))
    throw Error(
        "the outputs of the network do not come from one linear layer; nothing can be "
        "collapsed");
  Head result{output->name, "", 0};
  const encoders::NamedLayer* const activation = source(network, output->from[0]);
  if (!activation || activation->from.size() != 1) return result;
  const auto* const leaky = std::get_if<encoders::LeakyRelu>(&activation->layer);
  if (!leaky && !std::holds_alternative<encoders::Relu>(activation->layer)) return result;
  const encoders::NamedLayer* const hidden = source(network, activation->from[0]);
  if (!hidden || !std::holds_alternative<encoders::Linear>(hidden->layer)) return result;
  result.hidden = hidden->name;
  if (leaky) result.slope = leaky->slope;
  return result;
}

std::string posterior_name(const CollapseOptions& options, const encoders::Network& network) {
  if (!options.posterior.empty()) return options.posterior;
  const Head head = find_head(network);
  const Kind kind = parse_partition(options.partition, head).kind;
  return kind == Kind::second || kind == Kind::all || options.choose == "effect" ? "moment"
                                                                                 : "conditional";
}

std::vector<CollapsedSample> collapse(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const Weights> samples,
                                      std::span<const std::size_t> trajectories,
                                      const Dataset* training, const CollapseOptions& options) {
  if (samples.empty()) throw Error("there are no samples of weights");
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < samples.size(); ++i)
    groups[trajectories.empty() ? 0 : trajectories[i]].push_back(i);
  std::vector<CollapsedSample> result(samples.size());
  for (const auto& [trajectory, members] : groups) {
    std::vector<const Weights*> group;
    for (const std::size_t i : members) group.push_back(&samples[i]);
    std::vector<CollapsedSample> made =
        Collapser(network, forward, observation, std::move(group), training, options).run();
    for (std::size_t i = 0; i < members.size(); ++i) result[members[i]] = std::move(made[i]);
  }
  return result;
}

std::vector<Chosen> chosen(const CollapsedSample& sample, std::span<const double> entering) {
  std::vector<Chosen> result;
  for (std::size_t row = 0; row < sample.rows.size(); ++row)
    for (const std::size_t i : chosen_of(sample, sample.rows[row], entering))
      result.push_back({row, i});
  return result;
}

std::vector<OutputLaw<double>> components(const CollapsedSample& sample,
                                          std::span<const double> entering,
                                          std::span<const double> outputs) {
  return components_of(sample, entering, outputs);
}

std::vector<OutputLaw<Rational>> components(const CollapsedSample& sample,
                                            std::span<const Rational> entering,
                                            std::span<const Rational> outputs) {
  return components_of(sample, entering, outputs);
}

std::vector<std::string> ledger(const CollapseOptions& options, const encoders::Network& network,
                                bool exact_forward) {
  std::vector<std::string> result;
  const Head head = find_head(network);
  const Partition partition = parse_partition(options.partition, head);
  if (!exact_forward)
    result.emplace_back(partition.kind == Kind::none
                            ? "outputs: 32-bit forward pass, taken as the numbers they are"
                            : "activations: 32-bit forward pass, taken as the numbers they are");
  if (partition.kind == Kind::none) {
    result.emplace_back("posterior: the samples alone");
    return result;
  }
  result.push_back("posterior of " + options.partition + ": " + posterior_name(options, network) +
                   ", its numbers rounded to doubles");
  result.emplace_back(partition.kind == Kind::second || partition.kind == Kind::all
                          ? "variance of the outcome: at the sample, not at the unknown weights"
                          : "variance of the outcome: at the sample, rounded to a double");
  return result;
}

}  // namespace wmi::bnn
