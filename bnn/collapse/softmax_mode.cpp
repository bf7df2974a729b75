// The log posterior is concave. Newton's Hessian couples the classes; L-BFGS starts from its blocks
// of one class each, sum p (1 - p) z z' + lambda I, renewed now and then, with p (1 - p) not below
// what it is near equal probabilities, for the sake of starts far from the mode. The directions of
// the last steps correct them. A step is as long as makes the slope along it small, which a concave
// function needs no values for.

#include "bnn/collapse/softmax_mode.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/products.h"

namespace wmi::bnn {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sums[4]{};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void add_multiple(double factor, std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// p of every class, from logits; of a single logit, that of class 1.
void take_softmax(std::span<double> logits) {
  if (logits.size() == 1) {
    logits[0] = 1 / (1 + std::exp(-logits[0]));
    return;
  }
  const double most = *std::ranges::max_element(logits);
  for (double& logit : logits) logit -= most;
  exponentials(logits.size(), logits.data());
  double sum = 0;
  for (const double logit : logits) sum += logit;
  for (double& logit : logits) logit /= sum;
}

std::size_t padded(std::size_t columns) { return (columns + lanes - 1) / lanes * lanes; }

/// The rows of a matrix, each filled up with zeros.
Matrix with_padding(const Matrix& matrix) {
  Matrix result(matrix.rows(), padded(matrix.columns));
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    std::ranges::copy(matrix.row(i), result.row(i).begin());
  return result;
}

/// The log posterior as a function of the weights.
class LogPosterior {
 public:
  LogPosterior(const Matrix& features, std::span<const double> classes, const Matrix& centre,
               double lambda, std::span<const double> row_weights)
      : features_(with_padding(features)),
        inputs_(features.columns),
        classes_(classes),
        row_weights_(row_weights),
        centre_(centre),
        count_(centre.rows()),
        lambda_(lambda),
        transposed_(inputs_, padded(count_)),
        spread_(features.rows(), padded(count_)) {}

  /// Probabilities of all classes for all examples; columns beyond the classes are not used.
  const Matrix& predict(const Matrix& weights) {
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t j = 0; j < inputs_; ++j) transposed_.at(j, k) = weights.at(k, j);
    std::ranges::fill(spread_.entries, 0);
    add_products(spread_.rows(), inputs_, {features_.entries.data(), features_.columns, 1},
                 transposed_.entries.data(), transposed_.columns, spread_.entries.data());
    for (std::size_t i = 0; i < spread_.rows(); ++i) take_softmax(spread_.row(i).first(count_));
    return spread_;
  }

  Matrix gradient(const Matrix& weights) {
    predict(weights);
    for (std::size_t i = 0; i < spread_.rows(); ++i) {
      for (double& p : spread_.row(i)) p = -p;
      if (count_ > 1)
        spread_.at(i, static_cast<std::size_t>(classes_[i])) += 1;
      else
        spread_.at(i, 0) += classes_[i];
      if (!row_weights_.empty())
        for (double& entry : spread_.row(i)) entry *= row_weights_[i];
    }
    Matrix sums(count_, features_.columns);
    add_products(count_, spread_.rows(), {spread_.entries.data(), 1, spread_.columns},
                 features_.entries.data(), features_.columns, sums.entries.data());
    Matrix result(count_, inputs_);
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t j = 0; j < inputs_; ++j)
        result.at(k, j) = sums.at(k, j) - lambda_ * (weights.at(k, j) - centre_.at(k, j));
    return result;
  }

 private:
  Matrix features_;  // padded
  std::size_t inputs_;
  std::span<const double> classes_;
  std::span<const double> row_weights_;  // empty: all alike
  const Matrix& centre_;
  std::size_t count_;
  double lambda_;
  Matrix transposed_;  // the weights
  Matrix spread_;
};

/// The blocks of the negative Hessian, a lower triangle for each class.
std::vector<Matrix> blocks_of(const Matrix& features, const Matrix& probabilities,
                              std::size_t count, double lambda,
                              std::span<const double> row_weights) {
  Matrix scales(count, features.rows());
  const double least = 0.25 / static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < features.rows(); ++i)
      scales.at(k, i) = std::max(probabilities.at(i, k) * (1 - probabilities.at(i, k)), least) *
                        (row_weights.empty() ? 1 : row_weights[i]);
  std::vector<Matrix> result = weighted_grams(features, count, scales);
  for (Matrix& block : result) {
    for (std::size_t j = 0; j < block.columns; ++j) block.at(j, j) += lambda;
    block = cholesky(block);
  }
  return result;
}

/// Every row times the inverse of its block.
Matrix solved(const std::vector<Matrix>& blocks, Matrix rows) {
  for (std::size_t k = 0; k < rows.rows(); ++k)
    std::ranges::copy(solve_cholesky(blocks[k], rows.row(k)), rows.row(k).begin());
  return rows;
}

/// A step that was taken, the gradient's fall on it, and one over their product.
struct Step {
  Matrix move;
  Matrix fall;
  double curvature;
};

/// The inverse of the negative Hessian times the gradient, as the last steps have it: `scale` times
/// that of the blocks where they say nothing.
Matrix direction(const std::vector<Matrix>& blocks, double scale, const std::deque<Step>& steps,
                 Matrix gradient) {
  std::vector<double> factors;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    factors.push_back(step->curvature * dot(step->move.entries, gradient.entries));
    add_multiple(-factors.back(), step->fall.entries, gradient.entries);
  }
  Matrix result = solved(blocks, std::move(gradient));
  for (double& entry : result.entries) entry *= scale;
  for (const Step& step : steps) {
    const double product = step.curvature * dot(step.fall.entries, result.entries);
    add_multiple(factors.back() - product, step.move.entries, result.entries);
    factors.pop_back();
  }
  return result;
}

}  // namespace

SoftmaxMode softmax_mode(const Matrix& features, std::span<const double> classes,
                         const Matrix& start, const Matrix& centre, double lambda,
                         std::span<const double> row_weights) {
  constexpr int most_steps = 500, most_tries = 30, renewal = 20;
  constexpr std::size_t most_kept = 8;
  constexpr double longest = 10;        // times the step before
  constexpr double near_enough = 1e-9;  // a bound on twice the gap to the mode
  const std::size_t count = start.rows();
  LogPosterior posterior(features, classes, centre, lambda, row_weights);
  Matrix weights = start, gradient = posterior.gradient(weights);
  std::vector<Matrix> blocks;
  std::deque<Step> steps;
  double scale = 1;
  for (int i = 0; i < most_steps && dot(gradient.entries, gradient.entries) > near_enough * lambda;
       ++i) {
    if (i % renewal == 0) {
      blocks = blocks_of(features, posterior.predict(weights), count, lambda, row_weights);
      scale = 1;
    }
    const Matrix along = direction(blocks, scale, steps, gradient);
    const double slope = dot(along.entries, gradient.entries);
    if (!(slope > 0)) break;
    double length = 1;
    Matrix next, next_gradient;
    for (int attempt = 0; attempt < most_tries; ++attempt) {
      next = weights;
      add_multiple(length, along.entries, next.entries);
      next_gradient = posterior.gradient(next);
      const double slope_there = dot(along.entries, next_gradient.entries);
      if (std::abs(slope_there) < 0.9 * slope) break;
      // To the zero of the slope, if it falls evenly.
      length *= std::min(slope / (slope - slope_there), longest);
      if (!(slope_there < slope)) break;  // rounding
    }
    Step step{next, std::move(gradient), 0};
    add_multiple(-1, weights.entries, step.move.entries);
    add_multiple(-1, next_gradient.entries, step.fall.entries);
    weights = std::move(next);
    gradient = std::move(next_gradient);
    const double product = dot(step.move.entries, step.fall.entries);
    if (!(product > 0)) continue;
    step.curvature = 1 / product;
    scale = product / dot(step.fall.entries, solved(blocks, step.fall).entries);
    steps.push_back(std::move(step));
    if (steps.size() > most_kept) steps.pop_front();
  }
  SoftmaxMode result{std::move(weights), Matrix(features.rows(), count)};
  const Matrix& spread = posterior.predict(result.weights);
  for (std::size_t i = 0; i < features.rows(); ++i)
    std::ranges::copy(spread.row(i).first(count), result.probabilities.row(i).begin());
  return result;
}

}  // namespace wmi::bnn
