// The distance of a point from the property is that of its formula: of an atom form <= 0 the form,
// divided by the size of its coefficients, of a conjunction the greatest and of a disjunction the
// least. It is lowered by a (1+1) evolution strategy with restarts: a step of random direction and
// size is kept if it does not lead away, steps grow with success and shrink without (Rechenberg's
// rule of one success in five).

#include "frontends/ciber/verify/attack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "encoders/bracket.h"
#include "encoders/encoding/steps.h"
#include "frontends/ciber/verify/double_algebra.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t runs_per_start = 400;

/// The property with its numbers as doubles.
class Distance {
 public:
  explicit Distance(const Property& property) : property_(property) {
    for (const PropertyNode& node : property.nodes) {
      Row row{{}, node.atom.form.constant.get_d()};
      double size = 0;
      for (const auto& [variable, coefficient] : node.atom.form.coefficients) {
        row.coefficients.emplace_back(variable, coefficient.get_d());
        size += std::abs(coefficient.get_d());
      }
      if (size > 0) {
        row.constant /= size;
        for (auto& [variable, coefficient] : row.coefficients) coefficient /= size;
      }
      rows_.push_back(std::move(row));
    }
    values_.resize(rows_.size());
  }

  double operator()(const std::vector<double>& point) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const PropertyNode& node = property_.nodes[i];
      if (node.kind == PropertyNode::Kind::atom) {
        values_[i] = rows_[i].constant;
        for (const auto& [variable, coefficient] : rows_[i].coefficients)
          values_[i] += coefficient * point[variable];
        continue;
      }
      const bool all = node.kind == PropertyNode::Kind::all;
      values_[i] = all ? -infinity : infinity;
      for (const std::uint32_t child : node.children)
        values_[i] =
            all ? std::max(values_[i], values_[child]) : std::min(values_[i], values_[child]);
    }
    double result = -infinity;
    for (const std::uint32_t node : property_.asserts) result = std::max(result, values_[node]);
    return result;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Row {
    std::vector<std::pair<Variable, double>> coefficients;
    double constant;
  };

  const Property& property_;
  std::vector<Row> rows_;       // of each node that is an atom
  std::vector<double> values_;  // of each node
};

/// The distance of a point in the unknowns, each scaled to [0, 1].
class Objective {
 public:
  explicit Objective(const VerificationProblem& problem)
      : network_(problem.network), algebra_(problem.network), distance_(problem.property) {
    input_ = encoders::Tensor<double>::filled(problem.network.input, 0);
    std::ranges::transform(problem.inputs.fixed.entries, input_.entries.begin(),
                           [](const Rational& entry) { return entry.get_d(); });
    for (const encoders::Unknown& unknown : problem.inputs.uniform) {
      const encoders::TensorEntry entry = encoders::find_entry(network_, unknown.name);
      const Law& law = unknown.density.law;
      const bool is_input = entry.tensor == "input";
      double& target =
          is_input ? input_.entries[entry.entry] : algebra_.entry(entry.tensor, entry.entry);
      if (law.pieces().empty())
        target = law.atoms().at(0).at.get_d();
      else
        targets_.push_back({&target, law.support()});
    }
  }

  std::size_t dimension() const { return targets_.size(); }

  double operator()(const std::vector<double>& point) {
    for (std::size_t k = 0; k < point.size(); ++k) {
      const Interval& range = targets_[k].range;
      *targets_[k].place =
          range.lower.get_d() + point[k] * (range.upper.get_d() - range.lower.get_d());
    }
    std::vector<double> values = input_.entries;
    for (const auto& output : encoders::run_bracketed(network_, algebra_, input_))
      for (std::size_t i = 0; i < output.lower.size(); ++i)
        values.push_back((output.lower.entries[i] + output.upper().entries[i]) / 2);
    return distance_(values);
  }

  Point exact(const std::vector<double>& point) const {
    Point result;
    for (std::size_t k = 0; k < point.size(); ++k) {
      const Interval& range = targets_[k].range;
      result.emplace_back(range.lower + Rational(point[k]) * (range.upper - range.lower));
    }
    return result;
  }

 private:
  struct Target {
    double* place;
    Interval range;
  };

  const encoders::Network& network_;
  DoubleAlgebra algebra_;
  Distance distance_;
  encoders::Tensor<double> input_;
  std::vector<Target> targets_;
};

/// A number between 0 and 1, the same on every machine.
double uniform(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11) * 0x1p-53; }

}  // namespace

std::size_t cheap_runs(const encoders::Network& network) {
  constexpr std::size_t most_runs = 400, most_products = 10'000'000;
  std::size_t weights = 1;
  for (const auto& [name, tensor] : network.parameters) weights += tensor.size();
  return std::clamp<std::size_t>(most_products / weights, 1, most_runs);
}

std::optional<Witness> attack(const VerificationProblem& problem, std::size_t runs,
                              const std::stop_token& stop) {
  Objective objective(problem);
  if (objective.dimension() == 0) return check_witness(problem, {});
  std::mt19937_64 engine(1);
  std::vector<double> point(objective.dimension()), step = point;
  for (std::size_t done = 0; done < runs && !stop.stop_requested();) {
    for (double& x : point) x = done == 0 ? 0.5 : uniform(engine);
    double best = objective(point), size = 0.3;
    ++done;
    for (std::size_t i = 0; i < runs_per_start && done < runs && best > 0; ++i, ++done) {
      for (std::size_t k = 0; k < point.size(); ++k)
        step[k] =
            std::clamp(point[k] + size * (2 * uniform(engine) - 1) * uniform(engine), 0.0, 1.0);
      const double found = objective(step);
      const bool success = found <= best;
      if (success) {
        best = found;
        point.swap(step);
      }
      size = std::clamp(size * (success ? 1.5 : 0.9), 1e-7, 0.5);
    }
    if (best <= 0)
      if (std::optional<Witness> witness = find_witness(problem, objective.exact(point)))
        return witness;
  }
  return std::nullopt;
}

}  // namespace wmi::frontends
