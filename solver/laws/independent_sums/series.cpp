// The density and distribution of a sum of boxes and a Gaussian, in doubles, with proven bounds.
//
// About its centre the law is symmetric: its characteristic function f is real, the product of
// sin(hu) / hu over the boxes and e^(-sigma^2 u^2 / 2). With a period T and w = 2 pi / T
//
//     sum over k of p(x + kT)  =  1/T (1 + 2 sum over m >= 1 of f(mw) cos mwx),
//     F(x)  =  1/2 + x/T + 1/pi sum over m >= 1 of f(mw) sin(mwx) / m     (and its aliases).
//
// Let u = 2^-53, v the variance. Widths and x are truncated to doubles, at a cost of 2u of them.
//
// Aliasing. log(sinh a / a) <= a^2 / 6, so the moment generating function is at most e^(v s^2 / 2).
// With z = T - |x| the bounds of tilted.cpp, at s = z / v, give
//
//     2 c e^(-z^2 / 2v) / (1 - e^(-sT)),  c = e max(s, peak) for the density, 1 for F.
//
// A bounded support that ends before z has no aliases.
//
// Truncation. |sin a / a| is at most e^(-a^2/6) for a <= pi, at most 0.2173 for a >= pi, and at
// most 1/a. So e^(-a^2/6) up to a = 3.026, 0.2173 up to 4.602 and 1/a from there is an envelope
// that falls; from prefix sums over the sorted widths its product costs two binary searches. The
// rest of the series is summed in blocks, as in tilted.cpp.
//
// The coefficients. Narrow boxes, hu <= 1 for all u that matter, are taken together:
//
//     -log(sin a / a) = sum over i of  b_i a^(2i),    b_i = zeta(2i) / (i pi^(2i)),
//
// so that their product is e^-(polynomial in u^2), its coefficients power sums of the widths; all
// its terms have one sign, and its relative error is small however many boxes there are: sums in
// lanes err by (count/8 + 10) u, powers, u itself and Horner's scheme by less than 240 u. The part
// from i = 17 on is at most 1.2 b_17 (sum of a^2) (largest a)^32.
//
// Wide boxes, of which there are at most some hundred, take their sines from rotations
// (cos ma, sin ma) -> (cos (m+1)a, sin (m+1)a). The start is within 3u of the cosine and 3.2ua of
// the sine. A product of complex doubles errs by at most sqrt(5) u of its size, so after m steps
// the pair is off by at most 6.5mu. The error of the sine alone grows in step m by what the pair is
// off times a, by 3u of a sine of at most (m-1)a, by 3.2ua, and by the roundings 2uma: at most 12
// ma u, together 6 m^2 a u. Over ma these are 7u / a and 7mu, generously. The relative error of a,
// 5u, moves sin(ma) / ma by at most 5u |cos ma - sin(ma)/ma| <= 6.1u, and the two reciprocals and
// products add 4u. Each factor is thus off by d = u (12 + min(7/a, 7m)), and the product, with its
// own rounding, follows by  error <- error (|factor| + d) + |product| d.
//
// Compiled without contraction of a * b + c: the bounds are for the operations as written. The
// bounds themselves are computed in doubles and raised by 1e-9, and by 1e-280 for what underflows.

#include "solver/laws/independent_sums/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/laws/independent_sums/rotation.h"

namespace wmi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
constexpr double slack = 1e-9;
constexpr double underflow = 1e-280;
constexpr double most_coefficients = 4096;

// The envelope of sin a / a.
constexpr double second_lobe = 0.2173, lobe_start = 3.026, lobe_end = 4.602;

/// zeta(2i) / (i pi^(2i)) for i = 1 ... 17.
constexpr double sinc_logarithm[] = {
    0.1666666666666666667,     0.005555555555555555556,  0.0003527336860670194004,
    0.00002645502645502645503, 2.137779915557693335e-6,  1.803670234005331007e-7,
    1.566139132276698414e-8,   1.388413049373729942e-9,  1.250435917600499603e-10,
    1.140257560229609143e-11,  1.050292390863755641e-12, 9.75487784159370165e-14,
    9.123468230859097806e-15,  8.58371976189560935e-16,  8.117318009727789577e-17,
    7.710527514116273346e-18,  7.352844932712002641e-19};

}  // namespace

Series::Series(const Boxes& law) : sigma_(law.sigma.get_d()) {
  const std::size_t n = law.boxes.size();
  wider_count_.assign(n + 1, 0);
  wider_log_.assign(n + 1, 0);
  finer_square_.assign(n + 1, 0);
  for (const Box& box : law.boxes) widths_.push_back(box.half_width.get_d());
  for (std::size_t i = 0; i < n; ++i) {
    const double copies = law.boxes[i].count;
    reach_ += copies * widths_[i];
    wider_count_[i + 1] = wider_count_[i] + copies;
    wider_log_[i + 1] = wider_log_[i] + copies * std::log(std::max(widths_[i], 1e-300));
  }
  for (std::size_t i = n; i-- > 0;)
    finer_square_[i] = finer_square_[i + 1] + law.boxes[i].count * widths_[i] * widths_[i];
  variance_ = finer_square_[0] / 3 + sigma_ * sigma_;
  if (n > 0) peak_ = 1 / (2 * widths_[0]);
  if (sigma_ > 0) peak_ = std::min(peak_, 1 / (std::sqrt(2 * pi) * sigma_));
  peak_ *= 1 + slack;

  // Beyond this frequency coefficients underflow.
  double last = 1;
  while (last < 1e6 && log_envelope(last) > -37) last *= 1.125;
  const auto split = static_cast<std::size_t>(
      std::partition_point(widths_.begin(), widths_.end(),
                           [&](double width) { return width * last > 1; }) -
      widths_.begin());
  for (std::size_t i = 0; i < split; ++i)
    wide_.insert(wide_.end(), std::min<std::size_t>(law.boxes[i].count, 1 << 20), widths_[i]);

  std::array<std::array<double, lanes>, powers> sums{};
  for (std::size_t i = split; i < n; ++i) {
    const double square = widths_[i] * widths_[i];
    double term = law.boxes[i].count;
    for (std::size_t k = 0; k < powers; ++k) sums[k][i % lanes] += term *= square;
  }
  for (std::size_t k = 0; k < powers; ++k) {
    double sum = 0;
    for (const double part : sums[k]) sum += part;
    exponent_[k] = sinc_logarithm[k] * sum;
  }
  exponent_[0] += sigma_ * sigma_ / 2;
  if (split < n) narrow_ = widths_[split];
  narrow_count_ = static_cast<double>(n - split);
}

/// An upper bound on the logarithm of |f| at u and beyond.
double Series::log_envelope(double u) const {
  const auto wider_than = [&](double a) {
    return static_cast<std::size_t>(
        std::partition_point(widths_.begin(), widths_.end(),
                             [&](double width) { return width * u > a; }) -
        widths_.begin());
  };
  const std::size_t far = wider_than(lobe_end), lobe = wider_than(lobe_start);
  const double logs = wider_log_[far] + wider_count_[far] * std::log(u);
  const double result = -(sigma_ * sigma_ / 2 + finer_square_[lobe] / 6) * u * u +
                        (wider_count_[lobe] - wider_count_[far]) * std::log(second_lobe) - logs;
  const double size = std::abs(result) + std::abs(wider_log_[far]) + wider_count_[far] * 50;
  return result + slack * (1 + size) * 1e-2;
}

/// An upper bound on the logarithm of the sum of the envelopes at first w, (first + 1) w, ...
double Series::log_rest(double first, double frequency) const {
  const double w = frequency * (1 - slack), start = log_envelope(w * first);
  double sum = 0;
  for (double m = first; m < 1e30;) {
    const double length = std::max(1.0, std::floor(m / 8));
    sum += length * std::exp(log_envelope(w * m) - start);
    m += length;
    // From here in blocks [m, 2m), [2m, 4m), ...; factors of boxes past their lobe fall like 1/u.
    const double u = w * m;
    const auto far = std::partition_point(widths_.begin(), widths_.end(),
                                          [&](double width) { return width * u > lobe_end; });
    const double falls = wider_count_[static_cast<std::size_t>(far - widths_.begin())];
    const double shrink = 2 * std::exp2(-falls) * std::exp(-1.5 * sigma_ * sigma_ * u * u);
    if (shrink > 0.9) continue;
    const double block = m * std::exp(log_envelope(u) - start) / (1 - shrink);
    if (block < sum) return start + std::log(sum + block) + slack;
  }
  return infinity;
}

std::optional<Rounded> Series::density(double x, double wanted) const {
  return at(Kind::density, x, wanted);
}

std::optional<Rounded> Series::cdf(double x, double wanted) const {
  return at(Kind::cdf, x, wanted);
}

std::optional<Rounded> Series::at(Kind kind, double x, double wanted) const {
  if (!(wanted > 1e-16) || wide_.size() > 4096) return {};
  const double size = std::min(std::abs(x), 1e100), spread = std::sqrt(variance_);

  // log of c e^(-z^2 / 2v): an upper bound on the density at z or, for F, on the mass beyond.
  const auto log_beyond = [&](double z) {
    const double s = z / variance_;
    const double constant = kind == Kind::cdf ? 0 : 1 + std::log(std::max(s, peak_));
    const double exponent = z * z / (2 * variance_);
    return constant - exponent + slack * (1 + exponent);
  };
  const double log_wanted = std::log(wanted);
  if (log_beyond(size) < log_wanted) {
    const double bound = std::exp(log_beyond(size)) * (1 + slack) / 2;
    return Rounded{kind == Kind::cdf && x > 0 ? 1 - bound : bound, bound + double_unit};
  }

  double reach = spread * std::sqrt(std::max(2.0, -2 * log_wanted));
  while (log_beyond(reach) > log_wanted - 3) reach += spread / 16;
  const bool bounded = sigma_ == 0 && reach_ * (1 + slack) < reach;
  if (bounded) reach = reach_ * (1 + slack);
  const double period = std::max({size + reach, 2.7 * size, 5 * spread});
  double alias = 0;
  if (!bounded) {
    const double z = period - size;
    alias = 2 * std::exp(log_beyond(z)) / -std::expm1(-z / variance_ * period);
  }

  // The number of coefficients: the rest has the weight 2/T, or 1 / (pi m).
  const double frequency = 2 * pi / period;
  const auto rest_after = [&](double n) {
    return std::exp(log_rest(n + 1, frequency)) *
           (kind == Kind::cdf ? 1 / (pi * (n + 1)) : 2 / period) * (1 + slack);
  };
  double length = 1;
  while (log_envelope(frequency * (length + 1)) > log_wanted && length < most_coefficients)
    length += std::max(1.0, std::floor(length / 16));
  double rest = rest_after(length);
  while (rest > wanted / 8 && length < most_coefficients) {
    length += std::max(1.0, std::floor(length / 16));
    rest = rest_after(length);
  }
  if (length >= most_coefficients || narrow_ * frequency * length > 1.25) return {};

  // The rotations of the wide boxes, in lanes; unused lanes have the factor 1.
  const std::size_t blocks = (wide_.size() + lanes - 1) / lanes, padded = blocks * lanes;
  std::vector<double> storage(7 * padded);
  double* const cosines = storage.data();
  double* const sines = cosines + padded;
  double* const first_cosines = sines + padded;
  double* const first_sines = first_cosines + padded;
  double* const reciprocals = first_sines + padded;
  double* const errors = reciprocals + padded;  // 7u / a
  double* const fillers = errors + padded;
  for (std::size_t j = 0; j < padded; ++j) {
    if (j >= wide_.size()) {
      fillers[j] = 1;
      continue;
    }
    const double angle = wide_[j] * frequency;
    const UnitPoint start = on_circle(angle);
    first_cosines[j] = start.cosine;
    first_sines[j] = start.sine;
    cosines[j] = 1;
    reciprocals[j] = 1 / angle;
    errors[j] = rotation_error / angle;
  }

  const UnitPoint turn = on_circle(size * frequency);
  const double turn_error = rotation_error + 5 * double_unit * size * frequency;
  const double exponent_error = double_unit * (256 + narrow_count_ / lanes);
  UnitPoint phase;
  double sum = 0, sum_error = 0, sum_size = 0;
  for (double m = 1; m <= length; ++m) {
    double products[lanes], product_errors[lanes];
    std::fill_n(products, lanes, 1.0);
    std::fill_n(product_errors, lanes, 0.0);
    const double reciprocal = 1 / m, grown = rotation_error * m;
    for (std::size_t block = 0; block < padded; block += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t j = block + lane;
        const double cosine = cosines[j] * first_cosines[j] - sines[j] * first_sines[j];
        const double sine = sines[j] * first_cosines[j] + cosines[j] * first_sines[j];
        cosines[j] = cosine;
        sines[j] = sine;
        const double factor = sine * (reciprocals[j] * reciprocal) + fillers[j];
        const double error = 12 * double_unit + (errors[j] < grown ? errors[j] : grown);
        product_errors[lane] =
            product_errors[lane] * (std::abs(factor) + error) + std::abs(products[lane]) * error;
        products[lane] *= factor;
      }
    double value = 1, error = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      error = error * (std::abs(products[lane]) + product_errors[lane]) +
              std::abs(value) * (product_errors[lane] + double_unit * std::abs(products[lane]));
      value *= products[lane];
    }

    const double square = m * frequency * (m * frequency);
    double exponent = 0;
    for (std::size_t k = powers; k-- > 0;) exponent = (exponent + exponent_[k]) * square;
    // The terms from b_17 on, of the narrow boxes.
    const double largest = narrow_ * m * frequency;
    const double left_out = narrow_count_ == 0
                                ? 0
                                : 1.2 * sinc_logarithm[powers] * (3 * variance_ * square) *
                                      std::pow(largest * largest, 16);
    const double decay = exp_minus(exponent);
    const double decay_error = 8 * double_unit + exponent_error * exponent + left_out;
    error = decay * (error * (1 + 2 * decay_error) + std::abs(value) * 2 * decay_error) + underflow;
    value *= decay;

    phase = rotated(phase, turn);
    const double weight = kind == Kind::cdf ? reciprocal : 1;
    const double wave = kind == Kind::cdf ? phase.sine : phase.cosine;
    sum += value * wave * weight;
    sum_error += double_unit * std::abs(sum);
    sum_size += std::abs(value) * weight;
    sum_error += (error * (1 + m * turn_error) + std::abs(value) * m * turn_error) * weight;
  }
  sum_error += 4 * double_unit * sum_size;

  Rounded result;
  if (kind == Kind::density) {
    result.middle = (1 + 2 * sum) / period;
    result.radius = (2 * sum_error + 6 * double_unit * (1 + 2 * sum_size)) / period;
  } else {
    const double above = size / period + sum / pi;
    result.middle = x < 0 ? 0.5 - above : 0.5 + above;
    result.radius = sum_error / pi + 8 * double_unit * (2 + sum_size);
  }
  result.radius = (result.radius + alias + rest) * (1 + slack);
  if (!(result.radius <= wanted)) return {};
  return result;
}

}  // namespace wmi
