#include "bnn/predictive/certified_law.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "solver/laws/elementary.h"
#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/likelihood.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The law of constant + terms, by convolution.
Law sum_of(const Rational& constant, const std::vector<WeightTerm<Rational>>& terms) {
  Rational shift = constant;
  std::optional<Law> law;
  for (const WeightTerm<Rational>& term : terms) {
    Rational low = term.coefficient * term.from, high = term.coefficient * term.to;
    if (low == high) {
      shift += low;
      continue;
    }
    if (low > high) std::swap(low, high);
    const Law part = Law::uniform(low / term.order, high / term.order);
    for (unsigned i = 0; i < term.order; ++i) law = law ? convolution(*law, part) : part;
  }
  return law ? law->image(1, shift) : Law::point(shift);
}

}  // namespace

Law law_of(const Unit<Rational>& unit) {
  const Law before = sum_of(unit.constant, unit.terms);
  const Interval support = before.support();
  if (support.lower >= 0) return before.image(unit.factor, 0);
  if (support.upper <= 0) return before.image(unit.factor * unit.slope, 0);
  // The point 0 itself has no mass. Below it a ReLU has all mass at 0.
  const Law above = before.restricted(0, support.upper).image(unit.factor, 0);
  if (unit.slope == 0) return Law({{0, before.cdf(0)}}, above.pieces());
  return above + before.restricted(support.lower, 0).image(unit.factor * unit.slope, 0);
}

OutputLaw<Rational> to_exact(const OutputLaw<double>& output_law) {
  const auto terms = [](const std::vector<WeightTerm<double>>& from) {
    std::vector<WeightTerm<Rational>> result;
    result.reserve(from.size());
    for (const WeightTerm<double>& term : from)
      result.push_back(
          {Rational(term.coefficient), Rational(term.from), Rational(term.to), term.order});
    return result;
  };
  OutputLaw<Rational> result{Rational(output_law.constant),
                             terms(output_law.terms),
                             output_law.deviation,
                             {},
                             output_law.noise};
  for (const Unit<double>& unit : output_law.units)
    result.units.push_back(
        {Rational(unit.factor), Rational(unit.slope), Rational(unit.constant), terms(unit.terms)});
  const auto numbers = [](const std::vector<double>& from) {
    return std::vector<Rational>(from.begin(), from.end());
  };
  result.joint = {Rational(output_law.joint.slope), numbers(output_law.joint.factors),
                  numbers(output_law.joint.means), numbers(output_law.joint.covariance),
                  output_law.joint.numbers};
  return result;
}

Law law_of(const OutputLaw<Rational>& output_law) {
  if (output_law.deviation != 0 || !output_law.joint.empty())
    throw Error("a Gaussian part has no polynomial law");
  if (output_law.units.empty()) return sum_of(output_law.constant, output_law.terms);
  // The constant moves the result; convolving with it would cost as much as with any law.
  std::optional<Law> result;
  for (const Unit<Rational>& unit : output_law.units)
    result = result ? convolution(*result, law_of(unit)) : law_of(unit);
  if (!output_law.terms.empty()) result = convolution(*result, sum_of(0, output_law.terms));
  return result->image(1, output_law.constant);
}

void check_student(bool normal) {
  if (!normal)
    throw Error(
        "noise of Student's law is added to a normal law, not to boxes: take the plain average "
        "(partition 'none'), or the partition 'last' with the posterior 'conditional'");
}

/// The nearest doubles below in size: the error is less than 2^-52 of it.
RoundedValue rounded(const Rational& value) {
  const double found = value.get_d();
  return {found, std::abs(found) * 0x1p-52 + std::numeric_limits<double>::denorm_min()};
}

RectifiedLaw rectified_law_of(const OutputLaw<Rational>& output_law) {
  if (!output_law.units.empty() || !output_law.terms.empty() || output_law.deviation != 0)
    throw Error("units under a joint law stand by themselves");
  const JointUnits<Rational>& joint = output_law.joint;
  return RectifiedLaw({output_law.constant, joint.slope, joint.factors, joint.means,
                       joint.covariance, Rational(output_law.noise)});
}

CertifiedLaw::CertifiedLaw(const OutputLaw<Rational>& output_law, const OutcomeNoise& noise) {
  if (output_law.estimated)
    throw Error(
        "partition 'all' has products of unknowns: answers are in doubles, not certified; for "
        "certified ones collapse 'last' or 'second:K'");
  noise_width_ = output_law.noise * (noise.kind == OutcomeNoise::Kind::triangular ? noise.alpha : 1);
  if (noise.kind == OutcomeNoise::Kind::student) {
    check_student(output_law.terms.empty() && output_law.units.empty() && output_law.joint.empty());
    student_.emplace(output_law.constant, output_law.deviation, output_law.noise, noise.freedom);
    mean_ = student_->mean();
    centre_ = rounded(student_->mean());
    return;
  }
  const bool triangular = noise.kind == OutcomeNoise::Kind::triangular;
  const Rational radius(triangular ? noise.alpha * output_law.noise : 0.0);
  if (!output_law.joint.empty()) {
    if (triangular)
      throw Error(
          "a Gaussian posterior of hidden weights goes with the Gaussian likelihood; for the "
          "triangular one take the posterior moment, minmax or triangular");
    rectified_ = rectified_law_of(output_law);
    mean_ = rectified_->mean(30);
    return;
  }
  if (output_law.units.empty()) {
    std::vector<SumTerm> terms;
    for (const WeightTerm<Rational>& term : output_law.terms)
      terms.push_back({term.coefficient, term.from, term.to, term.order});
    if (radius > 0) terms.push_back({1, -radius, radius, 2});
    const double gaussian =
        triangular ? output_law.deviation : std::hypot(output_law.deviation, output_law.noise);
    sum_.emplace(output_law.constant, terms, Noise::gaussian(Rational(gaussian)));
    mean_ = sum_->mean();
    centre_ = rounded(sum_->mean());
    if (terms.empty()) normal_ = gaussian;
    return;
  }
  law_ = law_of(output_law);
  mean_ = law_.mean();
  if (!triangular)
    noise_ = Rational(output_law.noise);
  else if (radius > 0)
    law_ = convolution(law_, Law::triangular(0, radius));
}

Interval CertifiedLaw::variance() const {
  if (student_) return student_->variance();
  if (rectified_) return rectified_->variance(12);
  return sum_ ? sum_->variance() : Rational(law_.variance() + noise_ * noise_);
}

std::optional<Interval> CertifiedLaw::exponential_moment(const Rational& t,
                                                         unsigned digits) const {
  if (!sum_) return {};
  const Boxes boxes = sum_->about_mean();
  const unsigned more = digits + 3 + static_cast<unsigned>(std::to_string(boxes.count()).size());
  Interval result = exponential(t * sum_->mean() + t * t * boxes.sigma * boxes.sigma / 2, more);
  for (const Box& box : boxes.boxes) {
    const Interval factor = hyperbolic_sinc(t * box.half_width, more);
    for (unsigned i = 0; i < box.count; ++i)
      result = {result.lower * factor.lower, result.upper * factor.upper};
  }
  return result;
}

// A normal density of deviation s has slopes up to .25/s^2, a triangular one of radius s has 1/s^2,
// and Student's of scale s has less than .5/s^2. Sums with independent terms have no larger ones.
Rational CertifiedLaw::steepness() const {
  if (!(noise_width_ > 0)) throw Error("without noise the slope of the density has no bound");
  const Rational width(noise_width_);
  return 1 / (width * width);
}

Interval CertifiedLaw::density(const Rational& y, unsigned digits, Relative relative) const {
  if (student_) return student_->density(y, digits);
  if (rectified_) return rectified_->density(y, digits);
  if (sum_) {
    if (sum_->is_point()) throw Error("all mass lies at one place: it has no density");
    return sum_->density(y, digits, relative);
  }
  if (noise_ == 0) return law_.density(y);
  return make_gaussian({noise_})->density(law_, y, digits);
}

std::optional<Interval> CertifiedLaw::log_density(const Rational& y, unsigned digits) const {
  if (student_) return student_->log_density(y, digits);
  if (rectified_) return rectified_->log_density(y, digits);
  if (sum_) {
    if (sum_->is_point()) throw Error("all mass lies at one place: it has no density");
    if (const auto support = sum_->support();
        support && (y <= support->lower || y >= support->upper))
      return {};
    return sum_->log_density(y, digits);
  }
  if (noise_ > 0) return make_gaussian({noise_})->log_density(law_, y, digits);
  const Rational value = law_.density(y);
  if (value == 0) return {};
  // The logarithm of an exact density is that of a Gaussian's around the point 0, moved.
  return IndependentSum(0, {{1, 0, 1 / value}}).log_density(1 / (2 * value), digits);
}

// The error of the distance y - mean counts by the slope of what is asked: of the distribution
// function at most .4/s, of the density at most .25/s^2, and for Student's law 1/s and 1/s^2 of its
// scale. The distance itself rounds, by 2^-53 of it.

std::optional<RoundedValue> CertifiedLaw::rounded_cdf(const RoundedValue& y) const {
  if (normal_ == 0 && !student_) return {};
  const double distance = y.value - centre_.value, error = y.error + centre_.error;
  RoundedValue result = student_ ? student_->rounded_cdf(distance)
                                 : rounded_normal_cdf(distance, normal_);
  result.error += 1.01 * error / (student_ ? noise_width_ : normal_);
  return result;
}

std::optional<RoundedValue> CertifiedLaw::rounded_density(const RoundedValue& y) const {
  if (normal_ == 0 && !student_) return {};
  const double distance = y.value - centre_.value, error = y.error + centre_.error;
  RoundedValue result = student_ ? student_->rounded_density(distance)
                                 : rounded_normal_density(distance, normal_);
  const double width = student_ ? noise_width_ : normal_;
  result.error += 1.01 * error / width / width;
  return result;
}

Interval CertifiedLaw::cdf(const Rational& y, unsigned digits) const {
  if (student_) return student_->cdf(y, digits);
  if (rectified_) return rectified_->cdf(y, digits);
  if (sum_) {
    if (sum_->is_point()) return Interval(sum_->mean() <= y ? 1 : 0);
    return sum_->cdf(y, digits);
  }
  if (noise_ == 0) return law_.cdf(y);
  // P(f + noise <= y) is the integral of F(s) k(y - s): the polynomial pieces of F from the first
  // knot to the last, and 1 beyond.
  const std::vector<Rational> knots = law_.knots();
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    Univariate below = Univariate::constant(law_.cdf(knots[i]));
    for (const Piece& piece : law_.pieces())
      if (piece.from <= knots[i] && knots[i + 1] <= piece.to) {
        const Univariate primitive = piece.density.antiderivative();
        below += primitive - Univariate::constant(primitive.at(knots[i]));
      }
    pieces.push_back({knots[i], knots[i + 1], std::move(below)});
  }
  const IndependentSum noise(0, {}, Noise::gaussian(noise_));
  Interval result = noise.cdf(y - knots.back(), digits + 1);
  const Law distribution({}, pieces);
  if (!distribution.zero())
    result += distribution.mass() * make_gaussian({noise_})->density(distribution, y, digits + 2);
  return result;
}

}  // namespace wmi::bnn
