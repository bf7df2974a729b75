// A class wins a softmax with the probability with which its logit plus a Gumbel number is the
// largest of all. With G(u) = exp(-e^-u), for independent logits
//
//     E softmax_k = integral of E[g(u - z_k)] product over j != k of E[G(u - z_j)] du,   g = G',
//
// one integral whatever the number of classes, of a function that is analytic in a strip: the
// trapezoidal rule with steps of 0.3 errs by e^(-pi^2 / 0.3). The laws of the logits are nodes:
// normal ones by the trapezoidal rule too, and so sums of many boxes, whose characteristic function
// is small from some frequency on; one box by the rule of Gauss and Legendre; sums of few boxes at
// points of their density. All terms are positive, so small probabilities keep their digits.

#include "bnn/predictive/classes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <variant>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/fast_law.h"
#include "solver/laws/likelihood.h"
#include "solver/laws/softmax/softmax.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double grid_step = 0.3;

/// A law as points and masses.
struct Nodes {
  std::vector<double> points;
  std::vector<double> masses;
};

Nodes normal_nodes(double mean, double deviation) {
  const double step = std::min(0.7, grid_step / deviation);
  const double reach = std::ceil(8.5 / step);
  Nodes result;
  double sum = 0;
  for (double i = -reach; i <= reach; ++i) {
    const double z = step * i;
    result.points.push_back(mean + deviation * z);
    result.masses.push_back(std::exp(-z * z / 2));
    sum += result.masses.back();
  }
  for (double& mass : result.masses) mass /= sum;
  return result;
}

/// A uniform law.
Nodes box_nodes(double from, double to) {
  const auto& rule = GaussLegendre<12>::rule();
  const double panels = std::ceil((to - from) / 2), half = (to - from) / 2 / panels;
  Nodes result;
  for (double panel = 0; panel < panels; ++panel)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      result.points.push_back(from + half * (2 * panel + 1 + rule.nodes[i]));
      result.masses.push_back(rule.weights[i] / (2 * panels));
    }
  return result;
}

/// The step of the trapezoidal rule for a sum of boxes, times a function whose Fourier transform
/// falls like e^(-pi |w| / 2); 0 when it would be too small. The error is what the product has at
/// the frequency 2 pi / step.
double smooth_step(const std::vector<WeightTerm<double>>& terms, double deviation) {
  constexpr double negligible = 1e-11, pi = std::numbers::pi;
  // At this frequency, and beyond it: |sin a / a| is at most e^(-a^2/6) up to 3, then 1/a.
  const auto characteristic = [&](double frequency) {
    double exponent = 0, result = 1;
    for (const WeightTerm<double>& term : terms) {
      const auto order = static_cast<double>(term.order);
      const double a = std::abs(term.coefficient) * (term.to - term.from) / (2 * order) * frequency;
      if (a < 3)
        exponent += order * a * a / 6;
      else
        result *= std::pow(std::min(a, 1e6), -order);
    }
    return result * std::exp(-exponent);
  };
  for (double step = std::min(0.7 * deviation, grid_step); step > 0.1 * std::min(deviation, 0.5);
       step *= 0.8) {
    const double frequency = 2 * pi / step;
    bool small = true;
    for (int i = 0; i <= 8 && small; ++i) {
      const double other = frequency * i / 8;
      small = characteristic(frequency - other) * std::exp(-pi / 2 * other) < negligible;
    }
    if (small) return step;
  }
  return 0;
}

/// Places and masses for any function, also one with corners.
Nodes nodes_of(const OutputLaw<double>& logit) {
  const FastLaw law(logit, {});
  const double deviation = std::sqrt(law.variance());
  if (!(deviation > 1e-9)) return {{law.mean()}, {1}};
  if (law.normal()) return normal_nodes(law.mean(), deviation);
  // Masses between points: differences of the distribution function are right for corners too.
  const double count =
      std::clamp(std::ceil((law.high() - law.low()) * 24 / deviation), 64.0, 512.0);
  const double step = (law.high() - law.low()) / count;
  Nodes result;
  double below = 0, distance_below = law.distance(law.low());
  for (double i = 0; i < count; ++i) {
    const double from = law.low() + step * i, to = from + step;
    const double cdf = i + 1 == count ? 1 : law.cdf(to);
    const double distance = law.distance(to);
    const double mass = cdf - below;
    // The mean within [from, to], from E|Y - y|, whose derivative is 2F - 1.
    if (mass > 0) {
      const double integral = (distance - distance_below + step) / 2;  // of F
      const double centre = std::clamp((to * cdf - from * below - integral) / mass, from, to);
      // Two points with the variance of a uniform number.
      const double half = std::min({step / std::sqrt(12.0), centre - from, to - centre});
      result.points.insert(result.points.end(), {centre - half, centre + half});
      result.masses.insert(result.masses.end(), 2, mass / 2);
    }
    below = cdf;
    distance_below = distance;
  }
  return result;
}

/// Fewer of them, for functions like e^(-e^z) and the sigmoid.
Nodes smooth_nodes_of(const OutputLaw<double>& logit) {
  if (!logit.units.empty() || logit.deviation > 0 || logit.noise > 0 || logit.estimated ||
      logit.terms.empty())
    return nodes_of(logit);
  const FastLaw law(logit, {});
  const double deviation = std::sqrt(law.variance());
  if (!(deviation > 1e-9)) return {{law.mean()}, {1}};
  if (logit.terms.size() == 1 && logit.terms[0].order == 1) {
    const double half = deviation * std::sqrt(3.0);
    return half < 50 ? box_nodes(law.mean() - half, law.mean() + half) : nodes_of(logit);
  }
  const double step = smooth_step(logit.terms, deviation);
  if (step == 0) return nodes_of(logit);
  const double count = std::ceil((law.high() - law.low()) / 2 / step);
  Nodes result;
  double sum = 0;
  for (double i = -count; i <= count; ++i) {
    const double point = law.mean() + step * i, density = law.rough_density(point);
    if (!(density * deviation > 1e-14)) continue;
    result.points.push_back(point);
    result.masses.push_back(density);
    sum += density;
  }
  for (double& mass : result.masses) mass /= sum;
  return result;
}

/// e^-x; most of the numbers it is asked for are very small or very large.
double exponential(double x) {
  if (x < 1e-5) return 1 - x * (1 - x / 2);
  return x > 750 ? 0 : std::exp(-x);
}

std::vector<double> softmax_of(std::span<const Nodes> logits) {
  const std::size_t count = logits.size();
  double low = -INFINITY, high = -INFINITY;
  for (const Nodes& logit : logits) {
    low = std::max(low, *std::ranges::min_element(logit.points) - 4);
    high = std::max(high, *std::ranges::max_element(logit.points));
  }
  high += 40;
  std::vector<double> result(count), below(count), densities(count);
  // e^(z - reference), so that nothing overflows near the largest.
  std::vector<std::vector<double>> powers(count);
  for (std::size_t j = 0; j < count; ++j)
    for (const double point : logits[j].points) powers[j].push_back(std::exp(point - low));
  for (double u = low; u < high; u += grid_step) {
    const double scale = std::exp(low - u);
    double product = 1;
    for (std::size_t j = 0; j < count; ++j) {
      double distribution = 0, density = 0;
      for (std::size_t i = 0; i < powers[j].size(); ++i) {
        const double e = powers[j][i] * scale;
        const double part = logits[j].masses[i] * exponential(e);
        distribution += part;
        density += part * e;
      }
      below[j] = distribution;
      densities[j] = density;
      product *= distribution;
    }
    if (product == 0) continue;
    for (std::size_t k = 0; k < count; ++k) result[k] += densities[k] * (product / below[k]);
  }
  const double sum = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& value : result) value /= sum;
  return result;
}

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
      found = softmax_of(logits);
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
    std::vector<FastLaw> laws;
    laws.reserve(sample.size());
    for (const OutputLaw<double>& logit : sample) laws.emplace_back(logit, OutcomeNoise{});
    if (observation.kind == Observation::Kind::sigmoid) {
      const double below = laws[0].cdf(0);
      result.resize(2);
      result[0] += share * below;
      result[1] += share * (1 - below);
      continue;
    }
    result.resize(laws.size());
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const Nodes nodes = nodes_of(sample[k]);
      for (std::size_t i = 0; i < nodes.points.size(); ++i) {
        double product = nodes.masses[i];
        for (std::size_t j = 0; j < laws.size(); ++j)
          if (j != k) product *= laws[j].cdf(nodes.points[i]);
        result[k] += share * product;
      }
    }
  }
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
      if (logit.deviation != 0 || logit.terms.size() > most_exact_terms)
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
