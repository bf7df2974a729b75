// The transforms of softmax_estimate.cpp for sums of independent terms, z = mean + X. Let
// v = log t + mean and M(s) = E[e^(sX)], the product of sinh(rs)/(rs) over boxes, times
// exp(s^2 sigma^2/2). Then
//
//     E[e^v e^X exp(-e^(v + X))] = 1/(2 pi) integral of Gamma(1 + s) M(s) e^(-sv) over w,
//
// with s = c + iw and c > -1, and E[exp(-e^(v + X))] is the same with Gamma(s), for c > 0. Further
// left the poles at 0 and -1 contribute, with residues 1 and e^v E[e^X]. For each v the line is the
// one among c = (2j + 1)/2n whose value on the real axis is least: near a saddle point nothing
// cancels, so that small values are accurate, too. n grows with the standard deviation, as the peak
// on the line becomes narrower.
//
// The trapezoidal rule with step 2 pi/P adds e^(clP) times the value at v + lP for all l. A line is
// at least 1/2n from a pole, and as far from any line with a much smaller value on the real axis,
// so these aliases are about e^(-P/2n), which is 1e-16 for P = 76n.

#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/softmax/laplace_estimate.h"

namespace wmi {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t few_boxes = 3;  // sums of so many boxes are treated as laws
constexpr double negligible = 1e-18;

/// log Gamma(z) up to a multiple of 2 pi i, by Stirling's series after shifting to the right.
Complex log_gamma(Complex z) {
  Complex product = 1;
  while (z.real() < 12) {
    product *= z;
    z += 1;
  }
  constexpr double coefficients[] = {1. / 12,   -1. / 360,       1. / 1260, -1. / 1680,
                                     1. / 1188, -691. / 360360., 1. / 156};
  const Complex inverse = 1. / z, square = inverse * inverse;
  Complex series = 0;
  for (std::size_t k = std::size(coefficients); k-- > 0;)
    series = series * square + coefficients[k];
  return (z - 0.5) * std::log(z) - z + std::log(2 * std::numbers::pi) / 2 + series * inverse -
         std::log(product);
}

/// log(sinh(z)/z) up to a multiple of 2 pi i, for Re z >= 0.
Complex log_sinh_ratio(const Complex& z) {
  const Complex square = z * z;
  if (std::norm(z) < 0.01)
    return square * (1. / 6 + square * (-1. / 180 + square * (1. / 2835 - square * (1. / 37800))));
  if (z.real() < 1) return std::log(std::sinh(z) / z);
  return z - std::log(2. * z) + std::log(1. - std::exp(-2. * z));
}

class Lines : public LaplaceEstimate {
 public:
  Lines(const IndependentSum& sum, const Rational& shift)
      : mean_(Rational(sum.mean() + shift).get_d()) {
    const Boxes law = sum.about_mean();
    for (const Box& box : law.boxes) {
      half_widths_.push_back(box.half_width.get_d());
      counts_.push_back(box.count);
    }
    sigma_ = law.sigma.get_d();
    fineness_ = 1 + static_cast<int>(std::sqrt(law.variance().get_d()) / 2);
    period_ = 76 * fineness_;
    frequency_ = 2 * std::numbers::pi / period_;
    for (unsigned n = 0; n < 4; ++n)
      moments_[n] = std::exp(static_cast<long double>(n * mean_ + log_moment(n).real()));
    growth_ = exponential(mean_ + log_moment(4).real() - log_moment(3).real());
    least_ = sigma_ > 0 ? 0 : exponential(Rational(sum.mean() + shift - law.reach()).get_d());
  }

  void at(double log_t, double& value, long double& slope) override {
    const double v = log_t + mean_;
    choose(v);
    const Line& line = this->line(present_);
    const Complex turn = std::polar(1., -frequency_ * v);
    // Along the line, both halves.
    double value_sum = line.values[0].real(), slope_sum = line.slopes[0].real();
    Complex power = 2;
    for (std::size_t m = 1; m < line.slopes.size(); ++m) {
      power *= turn;
      value_sum += (line.values[m] * power).real();
      slope_sum += (line.slopes[m] * power).real();
    }
    const double c = abscissa(present_);
    const long double scale = std::exp(static_cast<long double>(line.log_size - c * v)) / period_;
    const long double first = exponential(log_t) * moments_[1];  // the residue at -1
    slope = scale * slope_sum + (c < -1 ? first : 0);
    value = static_cast<double>(scale * value_sum + (c < 0 ? 1 : 0) - (c < -1 ? first : 0));
  }

  const std::array<long double, 4>& moments() const override { return moments_; }
  long double growth() const override { return growth_; }
  long double least() const override { return least_; }

 private:
  /// The integrands on the nodes of a line, in units of e^log_size.
  struct Line {
    double log_size;
    std::vector<Complex> values, slopes;
  };

  double abscissa(int index) const { return (2 * index + 1) / (2. * fineness_); }

  /// log M(s)
  Complex log_moment(Complex s) const {
    if (s.real() < 0) s = -s;
    Complex result = s * s * (sigma_ * sigma_ / 2);
    for (std::size_t i = 0; i < half_widths_.size(); ++i)
      result += static_cast<double>(counts_[i]) * log_sinh_ratio(half_widths_[i] * s);
    return result;
  }
  /// M(s)/M(c) for s = c + iw. Of a box: sinh(rs)/sinh(rc) = cos(rw) + i coth(rc) sin(rw).
  Complex moment_ratio(const Complex& s) const {
    const double c = s.real(), w = s.imag();
    Complex logarithm = (s * s - c * c) * (sigma_ * sigma_ / 2), product = 1;
    for (std::size_t i = 0; i < half_widths_.size(); ++i) {
      const double r = half_widths_[i];
      if (r * r * std::norm(s) < 0.01) {
        logarithm += static_cast<double>(counts_[i]) *
                     (log_sinh_ratio(r * s) - log_sinh_ratio(Complex(r * c)));
      } else {
        const Complex factor =
            Complex(std::cos(r * w), std::sin(r * w) / std::tanh(r * c)) * (c / s);
        product *= counts_[i] == 1 ? factor : std::pow(factor, static_cast<int>(counts_[i]));
      }
    }
    return product * std::exp(logarithm);
  }
  /// log |Gamma(1 + c) M(c)|
  double log_size(double c) const { return std::lgamma(1 + c) + log_moment(c).real(); }

  /// Chooses the line for v, starting from the last one.
  void choose(double v) {
    const auto height = [&](int index) {
      auto [found, added] = sizes_.try_emplace(index, 0);
      if (added) found->second = log_size(abscissa(index));
      return found->second - abscissa(index) * v;
    };
    const int least = -fineness_ - 1;
    while (height(present_ + 1) < height(present_)) ++present_;
    while (present_ > least && height(present_ - 1) < height(present_)) --present_;
  }

  const Line& line(int index) {
    const auto [found, added] = lines_.try_emplace(index);
    Line& line = found->second;
    if (!added) return line;
    const double c = abscissa(index);
    line.log_size = log_size(c);
    // Past the peak: Gamma decreases, and nothing has grown for many nodes.
    int small = 0;
    for (int m = 0; small < 24; ++m) {
      const Complex s(c, frequency_ * m);
      const Complex slope = std::exp(log_gamma(1. + s) - std::lgamma(1 + c)) * moment_ratio(s);
      line.slopes.push_back(slope);
      line.values.push_back(slope / s);
      small = std::abs(slope) < negligible ? small + 1 : 0;
    }
    return line;
  }

  double mean_, sigma_;
  std::vector<double> half_widths_;
  std::vector<unsigned> counts_;
  int fineness_;  // n
  double period_, frequency_;
  std::array<long double, 4> moments_;
  long double growth_, least_;
  int present_ = 0;  // the line used last
  std::map<int, double> sizes_;
  std::map<int, Line> lines_;
};

}  // namespace

std::optional<Law> short_law(const IndependentSum& sum) {
  const Boxes boxes = sum.about_mean();
  if (boxes.sigma > 0 || boxes.count() > few_boxes) return std::nullopt;
  Law law = Law::point(sum.mean());
  for (const Box& box : boxes.boxes)
    for (unsigned i = 0; i < box.count; ++i)
      law = convolution(law, Law::uniform(-box.half_width, box.half_width));
  return law;
}

std::unique_ptr<LaplaceEstimate> estimate_laplace(const IndependentSum& sum,
                                                  const Rational& shift) {
  if (const std::optional<Law> law = short_law(sum)) return estimate_laplace(*law, shift);
  return std::make_unique<Lines>(sum, shift);
}

}  // namespace wmi
