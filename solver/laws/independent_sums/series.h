#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

/// A number in doubles with a proven bound on its error.
struct Rounded {
  double middle = 0;
  double radius = 0;
};

/// The Fourier series of a sum's density in doubles: about twelve certified digits in microseconds.
///
/// Made once for a law of variance between 1 and 4, then evaluated at any number of points.
/// `wanted` is the absolute error to reach; the result is nullopt if doubles cannot reach it.
class Series {
 public:
  explicit Series(const Boxes& law);

  /// x may have a relative error of 2^-52, from truncation to a double.
  std::optional<Rounded> density(double x, double wanted) const;
  /// P(S <= x).
  std::optional<Rounded> cdf(double x, double wanted) const;

 private:
  enum class Kind { density, cdf };
  static constexpr std::size_t lanes = 8;
  static constexpr std::size_t powers = 16;

  std::optional<Rounded> at(Kind kind, double x, double wanted) const;
  double log_envelope(double u) const;
  double log_rest(double first, double frequency) const;

  double sigma_;
  double variance_ = 0;
  double reach_ = 0;
  double peak_ = std::numeric_limits<double>::infinity();  // an upper bound on the density

  // For the envelope: for each i, sums over the first i boxes or over those from i on.
  std::vector<double> widths_;        // the widest first
  std::vector<double> wider_count_;   // their number
  std::vector<double> wider_log_;     // of the logarithms of half widths
  std::vector<double> finer_square_;  // of the squares of half widths

  std::vector<double> wide_;  // half widths that take sines, with repetition
  double narrow_ = 0;         // the widest of those taken by their power sums
  double narrow_count_ = 0;   // how many they are
  std::array<double, powers>
      exponent_{};  // -log of their and the Gaussian's part, by u^2, u^4, ...
};

}  // namespace wmi
