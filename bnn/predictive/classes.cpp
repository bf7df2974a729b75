// A class wins a softmax with the probability with which its logit plus a Gumbel number is the
// largest of all. With G(u) = exp(-e^-u), for independent logits
//
//     E softmax_k = integral of E[g(u - z_k)] product over j != k of E[G(u - z_j)] du,   g = G',
//
// one integral whatever the number of classes, of a function that is analytic in a strip: the
// trapezoidal rule with steps of 0.38 errs by e^(-pi^2 / 0.38). The laws of the logits are nodes
// (logit_nodes.h). All terms are positive, so small probabilities keep their digits.

#include "bnn/predictive/classes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <variant>

#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/logit_law.h"
#include "bnn/predictive/logit_nodes.h"
#include "solver/laws/likelihood.h"
#include "solver/laws/softmax/softmax.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double grid_step = 0.38;

/// e^-x for x >= 0.
double exponential(double x) { return x > 750 ? 0 : std::exp(-x); }

/// E[G(u - z)] as a function of s = e^(-u), where s e^z is small: H(s) = 1 + h1 s + h2 s^2 + ...
/// with hp = E[(-e^z)^p] / p!.
struct SmallSeries {
  static constexpr std::size_t terms = 5;
  static constexpr double small = 1e-3;  // s e^z at most: the next term is below 1e-20

  /// `powers` are the e^z of the nodes.
  SmallSeries(std::span<const double> powers, std::span<const double> masses) {
    for (std::size_t i = 0; i < powers.size(); ++i) {
      double term = masses[i];
      for (std::size_t p = 0; p < terms; ++p) {
        term *= -powers[i] / static_cast<double>(p + 1);
        of_distribution[p] += term;
      }
    }
    for (std::size_t p = 0; p < terms; ++p) {
      of_ratio[p] = -static_cast<double>(p + 1) * of_distribution[p];
      for (std::size_t i = 0; i < p; ++i) of_ratio[p] -= of_ratio[i] * of_distribution[p - 1 - i];
    }
  }

  /// A series without its constant term.
  static double at(const std::array<double, terms>& series, double s) {
    double sum = 0;
    for (std::size_t p = terms; p-- > 0;) sum = (sum + series[p]) * s;
    return sum;
  }

  std::array<double, terms> of_distribution{};
  std::array<double, terms> of_ratio{};  // of -s H'(s) / H(s) = E[g] / E[G]
};

/// The integral over all u by steps of `grid_step`. From where s e^z is small for all nodes, the
/// sum over u is one of a few powers of s, the same for all classes.
class Softmax {
 public:
  explicit Softmax(std::span<const Nodes> logits) : logits_(logits) {
    low_ = high_ = -INFINITY;
    for (const Nodes& logit : logits) {
      const auto [least, most] = std::ranges::minmax(logit.points);
      low_ = std::max(low_, least - 4);
      high_ = std::max(high_, most);
      highest_.push_back(most);
    }
    for (const Nodes& logit : logits) {
      std::vector<double> powers;
      powers.reserve(logit.points.size());
      for (const double point : logit.points) powers.push_back(std::exp(point - high_));
      series_.emplace_back(powers, logit.masses);
      powers_.push_back(std::move(powers));
    }
  }

  std::vector<double> probabilities() {
    std::vector<double> result(logits_.size());
    const double far = high_ - std::log(SmallSeries::small);
    add_far(far, result);
    // What lies below u is at most the probability that the largest does, for every class.
    for (double u = far - grid_step; u > low_; u -= grid_step)
      if (add_near(u, result) < 1e-16 * *std::ranges::min_element(result)) break;
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& value : result) value /= sum;
    return result;
  }

 private:
  /// E[G(u - z)] and E[g(u - z)] of one logit.
  struct Averages {
    double distribution = 0;
    double density = 0;
  };

  Averages averages(std::size_t k, double u, double s) const {
    if (highest_[k] - u < std::log(SmallSeries::small)) {
      const double distribution = 1 + SmallSeries::at(series_[k].of_distribution, s);
      return {distribution, SmallSeries::at(series_[k].of_ratio, s) * distribution};
    }
    Averages result;
    const bool representable = high_ - u < 600;  // else powers and s may be 0 and infinite
    for (std::size_t i = 0; i < powers_[k].size(); ++i) {
      const double e = representable ? powers_[k][i] * s : std::exp(logits_[k].points[i] - u);
      const double part = logits_[k].masses[i] * exponential(e);
      if (part == 0) continue;
      result.distribution += part;
      result.density += part * e;
    }
    return result;
  }

  /// Returns the product, the probability that the largest of all is below u.
  double add_near(double u, std::vector<double>& result) {
    const double s = std::exp(high_ - u);
    double product = 1;
    ratios_.clear();
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      const Averages found = averages(k, u, s);
      product *= found.distribution;
      if (product == 0) return 0;
      ratios_.push_back(found.density / found.distribution);
    }
    for (std::size_t k = 0; k < logits_.size(); ++k) result[k] += ratios_[k] * product;
    return product;
  }

  /// From u on.
  void add_far(double u, std::vector<double>& result) const {
    std::array<double, SmallSeries::terms> logarithm{},
        sums{};  // log of the product; of s^p times it
    for (const SmallSeries& series : series_)
      for (std::size_t p = 0; p < SmallSeries::terms; ++p)
        logarithm[p] -= series.of_ratio[p] / static_cast<double>(p + 1);
    for (; u < high_ + 40; u += grid_step) {
      const double s = std::exp(high_ - u);
      double power = std::exp(SmallSeries::at(logarithm, s));
      for (double& sum : sums) sum += power *= s;
    }
    for (std::size_t k = 0; k < result.size(); ++k)
      for (std::size_t p = 0; p < SmallSeries::terms; ++p)
        result[k] += series_[k].of_ratio[p] * sums[p];
  }

  std::span<const Nodes> logits_;
  double low_, high_;                        // the first u; the highest node
  std::vector<double> highest_;              // of the nodes of each logit
  std::vector<std::vector<double>> powers_;  // e^(z - high) for all nodes
  std::vector<SmallSeries> series_;          // in s = e^(high - u)
  std::vector<double> ratios_;
};

double sigmoid_of(const Nodes& logit) {
  double sum = 0;
  for (std::size_t i = 0; i < logit.points.size(); ++i)
    sum += logit.masses[i] / (1 + std::exp(-logit.points[i]));
  return sum;
}

Logit exact_logit(const OutputLaw<Rational>& logit) {
  if (!logit.units.empty()) return law_of(logit);
  std::vector<SumTerm> terms;
  for (const WeightTerm<Rational>& term : logit.terms)
    terms.push_back({term.coefficient, term.from, term.to, term.order});
  IndependentSum sum(logit.constant, terms, Noise::gaussian(Rational(logit.deviation)));
  if (sum.is_point()) return Law::point(sum.mean());
  return sum;
}

template <class Number, class Laws>
Number total_weight(const Laws& samples) {
  Number sum(0);
  for (const auto& sample : samples) sum += Number(sample[0].weight);
  return sum;
}

}  // namespace

std::vector<double> class_probabilities(std::span<const std::vector<OutputLaw<double>>> samples,
                                        const Observation& observation) {
  std::vector<double> result;
  const auto total = total_weight<double>(samples);
  for (const std::vector<OutputLaw<double>>& sample : samples) {
    std::vector<double> found;
    if (observation.kind == Observation::Kind::sigmoid) {
      const double p = sigmoid_of(smooth_nodes_of(sample.at(0)));
      found = {1 - p, p};
    } else {
      std::vector<Nodes> logits;
      logits.reserve(sample.size());
      for (const OutputLaw<double>& logit : sample) logits.push_back(smooth_nodes_of(logit));
      found = Softmax(logits).probabilities();
    }
    result.resize(found.size());
    const double share = sample[0].weight / total;
    for (std::size_t k = 0; k < found.size(); ++k) result[k] += share * found[k];
  }
  return result;
}

std::vector<Interval> certified_class_probabilities(
    std::span<const std::vector<OutputLaw<Rational>>> samples, const Observation& observation,
    unsigned digits) {
  std::vector<Interval> result;
  const auto total = total_weight<Rational>(samples);
  for (const std::vector<OutputLaw<Rational>>& sample : samples) {
    const Rational share = Rational(sample[0].weight) / total;
    if (!sample[0].joint.empty()) {  // the one logit of two classes
      const RectifiedLaw law = rectified_law_of(sample[0]);
      result.resize(2);
      for (const int sign : {-1, 1})
        result[sign > 0 ? 1 : 0] += law.mean_sigmoid(sign, digits) * Interval(share);
      continue;
    }
    std::vector<Logit> logits;
    if (observation.kind == Observation::Kind::sigmoid) logits.emplace_back(Law::point(0));
    for (const OutputLaw<Rational>& logit : sample) logits.push_back(exact_logit(logit));
    const std::vector<Interval> found = softmax(logits, digits);
    result.resize(found.size());
    for (std::size_t k = 0; k < found.size(); ++k) result[k] += found[k] * Interval(share);
  }
  return result;
}

std::vector<double> largest_probabilities(std::span<const std::vector<OutputLaw<double>>> samples,
                                          const Observation& observation) {
  std::vector<double> result;
  const auto total = total_weight<double>(samples);
  for (const std::vector<OutputLaw<double>>& sample : samples) {
    const double share = sample[0].weight / total;
    std::vector<LogitLaw> laws;
    laws.reserve(sample.size());
    for (const OutputLaw<double>& logit : sample) laws.emplace_back(logit);
    if (observation.kind == Observation::Kind::sigmoid) {
      const double below = laws[0].cdf(0);
      result.resize(2);
      result[0] += share * below;
      result[1] += share * (1 - below);
      continue;
    }
    result.resize(laws.size());
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const Nodes nodes = nodes_of(laws[k]);
      for (std::size_t i = 0; i < nodes.points.size(); ++i) {
        double product = nodes.masses[i];
        for (std::size_t j = 0; j < laws.size(); ++j)
          if (j != k) product *= laws[j].cdf(nodes.points[i]);
        result[k] += share * product;
      }
    }
  }
  for (double& probability : result) probability = std::min(probability, 1.0);  // but for rounding
  return result;
}

std::vector<Rational> exact_largest_probabilities(
    std::span<const std::vector<OutputLaw<Rational>>> samples, const Observation& observation) {
  std::vector<Rational> result;
  const auto total = total_weight<Rational>(samples);
  for (const std::vector<OutputLaw<Rational>>& sample : samples) {
    std::vector<Law> laws;
    if (observation.kind == Observation::Kind::sigmoid) laws.push_back(Law::point(0));
    for (const OutputLaw<Rational>& logit : sample) {
      if (logit.deviation != 0 || !logit.joint.empty() || logit.terms.size() > most_exact_terms)
        throw Error("the exact probability of the largest output needs boxes, at most " +
                    std::to_string(most_exact_terms) + " of each row: the partition last:" +
                    std::to_string(most_exact_terms) + " with the posterior minmax");
      laws.push_back(law_of(logit));
    }
    result.resize(laws.size());
    // Between the knots of all laws each distribution function is a polynomial.
    std::vector<Rational> knots;
    for (const Law& law : laws) {
      const std::vector<Rational> own = law.knots();
      knots.insert(knots.end(), own.begin(), own.end());
    }
    std::ranges::sort(knots);
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
    for (std::size_t k = 0; k < laws.size(); ++k) {
      Rational sum;
      for (const PointMass& atom : laws[k].atoms()) {  // strictly larger than all others
        Rational product = atom.mass;
        for (std::size_t j = 0; j < laws.size(); ++j)
          if (j != k) product *= laws[j].cdf(atom.at) - laws[j].mass_at(atom.at);
        sum += product;
      }
      for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
        const Rational &from = knots[i], &to = knots[i + 1];
        const auto piece_of = [&](const Law& law) {
          for (const Piece& piece : law.pieces())
            if (piece.from <= from && to <= piece.to) return piece.density;
          return Univariate();
        };
        Univariate product = piece_of(laws[k]);
        if (product.zero()) continue;
        for (std::size_t j = 0; j < laws.size(); ++j) {
          if (j == k) continue;
          const Univariate primitive = piece_of(laws[j]).antiderivative();
          product =
              product *
              (primitive + Univariate::constant(Rational(laws[j].cdf(from) - primitive.at(from))));
        }
        sum += product.integral(from, to);
      }
      result[k] += Rational(sample[0].weight) / total * sum;
    }
  }
  return result;
}

std::vector<double> authors_class_probabilities(const CollapsedSample& sample,
                                                std::span<const double> entering,
                                                std::span<const double> outputs) {
  const auto softplus = [](double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  };
  std::vector<double> result;
  for (std::size_t k = 0; k < sample.rows.size(); ++k) {
    const CollapsedSample::Row& row = sample.rows[k];
    double most = -1, z = 1, weight = 0;
    Marginal marginal;
    for (const Candidate& candidate : row.candidates) {
      if (candidate.input == entering.size()) continue;  // weights only
      const double effect =
          (candidate.marginal.to - candidate.marginal.from) * std::abs(entering[candidate.input]);
      if (effect <= most) continue;
      most = effect;
      z = entering[candidate.input];
      weight = row.weights[candidate.input];
      marginal = candidate.marginal;
    }
    double others = sample.rows.size() == 1 ? 0 : -INFINITY;  // log sum of e^(z_j), j != k
    for (std::size_t j = 0; j < sample.rows.size(); ++j)
      if (j != k) {
        const double larger = std::max(others, outputs[j]);
        others = larger + std::log(std::exp(others - larger) + std::exp(outputs[j] - larger));
      }
    const double c = others - outputs[k] + z * weight;
    const double width = z * (marginal.to - marginal.from);
    result.push_back(
        width == 0 ? 1 / (1 + std::exp(others - outputs[k]))
                   : (softplus(z * marginal.to - c) - softplus(z * marginal.from - c)) / width);
  }
  if (result.size() == 1) result.insert(result.begin(), 1 - result[0]);
  return result;
}

}  // namespace wmi::bnn
