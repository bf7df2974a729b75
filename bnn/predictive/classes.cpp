#include "bnn/predictive/classes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/logit_law.h"
#include "bnn/predictive/logit_nodes.h"
#include "bnn/predictive/softmax_average.h"
#include "solver/laws/likelihood.h"
#include "solver/laws/softmax/softmax.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The averages of the sigmoids of -z and z: each a sum of positive terms, since 1 minus the other
/// would lose a small one.
std::vector<double> sigmoids_of(const Nodes& logit) {
  std::vector<double> result(2);
  for (std::size_t i = 0; i < logit.points.size(); ++i) {
    result[0] += logit.masses[i] / (1 + std::exp(logit.points[i]));
    result[1] += logit.masses[i] / (1 + std::exp(-logit.points[i]));
  }
  const double sum = result[0] + result[1];
  return {result[0] / sum, result[1] / sum};
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

/// The averages of the softmax of these logits. Where wide ones are read from a table, errors are
/// absolute: small probabilities are found by nodes, all of whose terms are positive.
std::vector<double> softmax_of(const std::vector<OutputLaw<double>>& laws) {
  constexpr double least = 1e-8;
  std::vector<SmoothNodes> logits;
  logits.reserve(laws.size());
  for (const OutputLaw<double>& law : laws) logits.push_back(softmax_nodes_of(law));
  std::vector<double> result = average_softmax(logits);
  const auto wide = [](const SmoothNodes& logit) { return logit.wide_deviation > 0; };
  if (std::ranges::min(result) >= least || std::ranges::none_of(logits, wide)) return result;
  for (std::size_t k = 0; k < laws.size(); ++k)
    if (wide(logits[k])) logits[k] = smooth_nodes_of(laws[k]);
  return average_softmax(logits);
}

}  // namespace

std::vector<double> class_probabilities(std::span<const std::vector<OutputLaw<double>>> samples,
                                        const Observation& observation) {
  std::vector<double> result;
  const auto total = total_weight<double>(samples);
  for (const std::vector<OutputLaw<double>>& sample : samples) {
    std::vector<double> found;
    if (observation.kind == Observation::Kind::sigmoid)
      found = sigmoids_of(smooth_nodes_of(sample.at(0)));
    else
      found = softmax_of(sample);
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
