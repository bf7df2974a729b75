// The outputs at one input as sums of independent unknowns. The last layer gives a linear form of
// its unknown weights; unknown weights of the layer before it give units, each a ReLU of a linear
// form. Written once for doubles and for exact numbers.

#include "bnn/collapse/output_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

#include "bnn/collapse/collapse.h"
#include "bnn/numeric/products.h"

namespace wmi::bnn {
namespace {

double to_double(double value) { return value; }
double to_double(const Rational& value) { return value.get_d(); }

void assign(double& to, const Rational& from) { to = from.get_d(); }
void assign(Rational& to, const Rational& from) { to = from; }

/// A sum of products. Exact numbers that come from floats have powers of two as denominators, which
/// are aligned instead of reduced.
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
    add_product(shift);
  }
  /// The product of two finite doubles, exactly.
  void add(double a, double b) {
    if (a == 0 || b == 0) return;
    constexpr int bits = std::numeric_limits<double>::digits;
    int first = 0, second = 0;
    const auto of_a = static_cast<long>(std::ldexp(std::frexp(a, &first), bits));
    const auto of_b = static_cast<long>(std::ldexp(std::frexp(b, &second), bits));
    mpz_set_si(product_.get_mpz_t(), of_a);
    mpz_mul_si(product_.get_mpz_t(), product_.get_mpz_t(), of_b);
    const int exponent = first + second - 2 * bits;
    if (exponent > 0)
      mpz_mul_2exp(product_.get_mpz_t(), product_.get_mpz_t(), static_cast<mp_bitcnt_t>(exponent));
    add_product(exponent < 0 ? static_cast<mp_bitcnt_t>(-exponent) : 0);
  }
  Rational value() const {
    Rational result(sum_);
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), shift_);
    return result + rest_;
  }

 private:
  /// Adds product_ / 2^shift.
  void add_product(mp_bitcnt_t shift) {
    if (shift > shift_) {
      mpz_mul_2exp(sum_.get_mpz_t(), sum_.get_mpz_t(), shift - shift_);
      shift_ = shift;
    } else if (shift < shift_) {
      mpz_mul_2exp(product_.get_mpz_t(), product_.get_mpz_t(), shift_ - shift);
    }
    sum_ += product_;
  }

  Integer sum_, product_;
  mp_bitcnt_t shift_ = 0;
  Rational rest_;
};

template <class Number>
using Sum = std::conditional_t<std::is_same_v<Number, double>, DoubleSum, ExactSum>;

/// The factor of a candidate: the input of its weight, or 1 for a bias.
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
    if (sample.layers == UnknownLayers::second) effect *= std::abs(row.weights[candidate.unit]);
    effects[i] =
        candidate.always && !row.one_unit ? std::numeric_limits<double>::infinity() : effect;
  }
  return row.one_unit ? largest_of_one_unit(row.candidates, effects, row.most)
                      : largest(effects, row.most);
}

/// Whether the whole row is unknown, under a joint Gaussian: the common case.
bool whole_gaussian(const CollapsedSample::Row& row) {
  return row.whole && !row.joint.mean.empty() && row.basis.values.empty();
}

/// The law of such a row, without a list of what is unknown.
OutputLaw<double> whole_row_law(const CollapsedSample::Row& row, std::span<const double> entering) {
  thread_local std::vector<double> z;
  z.assign(entering.begin(), entering.end());
  z.push_back(1);
  OutputLaw<double> result{0, {}, 0, {}, 0};
  for (std::size_t i = 0; i < z.size(); ++i) result.constant += row.joint.mean[i] * z[i];
  result.deviation = std::sqrt(
      std::max(0.0, quadratic_form(z.size(), row.joint.covariance.entries.data(), z.data())));
  return result;
}

/// The same exactly, for entering values that are doubles.
OutputLaw<Rational> exact_whole_row_law(const CollapsedSample::Row& row,
                                        std::span<const double> entering) {
  const OutputLaw<double> rounded = whole_row_law(row, entering);
  ExactSum constant;
  for (std::size_t i = 0; i < entering.size(); ++i) constant.add(row.joint.mean[i], entering[i]);
  constant.add(row.joint.mean.back(), 1.0);
  return {constant.value(), {}, rounded.deviation, {}, 0};
}

template <class Number>
OutputLaw<Number> last_law(const CollapsedSample& sample, const CollapsedSample::Row& row,
                           std::span<const Number> entering) {
  if constexpr (std::is_same_v<Number, double>)
    if (whole_gaussian(row)) return whole_row_law(row, entering);
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
    thread_local std::vector<double> rounded;
    rounded.clear();
    for (const Number& each : z) rounded.push_back(to_double(each));
    result.deviation = std::sqrt(
        std::max(0.0, quadratic_form(n, row.joint.covariance.entries.data(), rounded.data())));
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

/// Units under a joint Gaussian law of the weights into them. Those without spread are numbers, which
/// are added to the constant.
template <class Number>
JointUnits<Number> joint_units(const CollapsedSample& sample, const CollapsedSample::Row& row,
                               std::span<const Number> entering, Sum<Number>& constant) {
  const std::size_t inputs = entering.size(), count = row.candidates.size();
  std::map<std::size_t, std::vector<std::size_t>> units;
  std::vector<Number> z;
  for (std::size_t i = 0; i < count; ++i) {
    units[row.candidates[i].unit].push_back(i);
    z.push_back(multiplier(entering, row.candidates[i]));
  }
  const auto covariance = [&](const std::vector<std::size_t>& a,
                              const std::vector<std::size_t>& b) {
    Sum<Number> sum;
    for (const std::size_t i : a) {
      Sum<Number> inner;
      for (const std::size_t k : b) inner.add(Number(row.joint.covariance.at(i, k)), z[k]);
      sum.add(z[i], inner.value());
    }
    return sum.value();
  };
  JointUnits<Number> result;
  assign(result.slope, sample.slope);
  std::vector<const std::vector<std::size_t>*> kept;
  for (const auto& [unit, members] : units) {
    std::vector<bool> skip(inputs + 1);
    for (const std::size_t i : members) skip[row.candidates[i].input] = true;
    Sum<Number> before;
    if (!skip[inputs]) before.add(Number(sample.hidden_bias[unit]));
    for (std::size_t j = 0; j < inputs; ++j)
      if (!skip[j]) before.add(Number(sample.hidden_weights.at(unit, j)), entering[j]);
    for (const std::size_t i : members) before.add(Number(row.joint.mean[i]), z[i]);
    const Number mean = before.value(), factor(row.weights[unit]);
    if (factor == 0 || !(covariance(members, members) > 0)) {
      const Number leaked = mean * result.slope;
      constant.add(factor, mean > leaked ? mean : leaked);
      continue;
    }
    result.factors.push_back(factor);
    result.means.push_back(mean);
    result.numbers.push_back(unit);
    kept.push_back(&members);
  }
  for (const std::vector<std::size_t>* const a : kept)
    for (const std::vector<std::size_t>* const b : kept)
      result.covariance.push_back(covariance(*a, *b));
  return result;
}

template <class Number>
OutputLaw<Number> second_law(const CollapsedSample& sample, const CollapsedSample::Row& row,
                             std::span<const Number> entering) {
  const std::size_t inputs = entering.size();
  OutputLaw<Number> result{Number(0), {}, 0, {}, 0};
  Sum<Number> constant;
  constant.add(Number(row.bias));
  const std::vector<std::size_t> unknown = chosen_of(sample, row, entering);
  std::map<std::size_t, std::vector<const Candidate*>> units;
  for (const std::size_t i : unknown) units[row.candidates[i].unit].push_back(&row.candidates[i]);
  const bool joint = !row.joint.mean.empty();
  if (joint) result.joint = joint_units(sample, row, entering, constant);
  Number slope;
  assign(slope, sample.slope);
  for (std::size_t unit = 0; unit < sample.hidden_weights.rows(); ++unit) {
    const auto found = units.find(unit);
    const bool random = found != units.end();
    if (random && joint) continue;
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

/// Every weight is unknown: those into the units, and those that multiply the units.
template <class Number>
OutputLaw<Number> all_law(const CollapsedSample& sample, const CollapsedSample::Row& row,
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

/// Turns the law of f into that of factor * f.
template <class Number>
void scale_law(OutputLaw<Number>& law, double factor) {
  const Number exact(factor);
  law.constant *= exact;
  for (WeightTerm<Number>& term : law.terms) term.coefficient *= exact;
  law.deviation *= factor;
  for (Unit<Number>& unit : law.units) {
    unit.factor *= exact;
    unit.half_width *= exact;
  }
  for (Number& each : law.joint.factors) each *= exact;
}

/// The deviation of the outcome's noise at the sample; 0 for classes.
template <class Number>
double noise_of(const CollapsedSample& sample, std::span<const Number> outputs) {
  if (!sample.observation.regression()) return 0;
  return std::sqrt(
      variance(sample.observation, sample.observation.kind == Observation::Kind::heteroscedastic
                                       ? to_double(outputs[1])
                                       : sample.raw_variance));
}

template <class Number>
std::vector<OutputLaw<Number>> output_laws_of(const CollapsedSample& sample,
                                              std::span<const Number> entering,
                                              std::span<const Number> outputs) {
  std::vector<OutputLaw<Number>> result;
  const double noise = noise_of(sample, outputs);
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const CollapsedSample::Row& row = sample.rows[i];
    if (sample.layers == UnknownLayers::none)
      result.push_back({outputs[i], {}, 0, {}, 0});
    else if (sample.layers == UnknownLayers::last)
      result.push_back(last_law(sample, row, entering));
    else if (sample.layers == UnknownLayers::second)
      result.push_back(second_law(sample, row, entering));
    else
      result.push_back(all_law(sample, row, entering));
    result.back().noise = noise;
    result.back().weight = sample.weight;
    if (!sample.observation.regression() && sample.logit_scale != 1)
      scale_law(result.back(), 1 / sample.logit_scale);
  }
  return result;
}

}  // namespace

std::vector<Chosen> chosen(const CollapsedSample& sample, std::span<const double> entering) {
  std::vector<Chosen> result;
  for (std::size_t row = 0; row < sample.rows.size(); ++row)
    for (const std::size_t i : chosen_of(sample, sample.rows[row], entering))
      result.push_back({row, i});
  return result;
}

std::vector<OutputLaw<double>> output_laws(const CollapsedSample& sample,
                                           std::span<const double> entering,
                                           std::span<const double> outputs) {
  return output_laws_of(sample, entering, outputs);
}

std::vector<OutputLaw<Rational>> output_laws(const CollapsedSample& sample,
                                             std::span<const Rational> entering,
                                             std::span<const Rational> outputs) {
  return output_laws_of(sample, entering, outputs);
}

std::vector<OutputLaw<Rational>> exact_output_laws(const CollapsedSample& sample,
                                                   std::span<const double> entering,
                                                   std::span<const double> outputs) {
  const bool whole = sample.layers == UnknownLayers::last && sample.observation.regression() &&
                     std::ranges::all_of(sample.rows, &whole_gaussian);
  if (!whole) {
    const std::vector<Rational> exact_entering(entering.begin(), entering.end()),
        exact_outputs(outputs.begin(), outputs.end());
    return output_laws_of(sample, std::span(exact_entering), std::span(exact_outputs));
  }
  std::vector<OutputLaw<Rational>> result;
  for (const CollapsedSample::Row& row : sample.rows) {
    result.push_back(exact_whole_row_law(row, entering));
    result.back().noise = noise_of(sample, outputs);
    result.back().weight = sample.weight;
  }
  return result;
}

}  // namespace wmi::bnn
