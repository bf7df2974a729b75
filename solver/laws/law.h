#pragma once

#include <cstdint>
#include <vector>

#include "solver/laws/truncated_powers.h"
#include "solver/laws/univariate.h"
#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

/// A mass at one point.
struct PointMass {
  Rational at;
  Rational mass;

  friend bool operator==(const PointMass&, const PointMass&) = default;
};

/// A polynomial density on an interval.
struct Piece {
  Rational from;
  Rational to;
  Univariate density;  // in the value itself

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// The law of a real quantity: point masses and a piecewise polynomial density, both exact.
///
/// A value; equal laws have equal atoms and pieces. It need not be normalised: masses, densities
/// and moments are those of the measure; mean, variance, quantiles and scores are those of the law
/// divided by its mass. A density may be negative, if weights are.
///
///     const Law law({{0, ratio(1, 2)}}, {{0, 1, Univariate::constant(ratio(1, 2))}});
///     law.mean();                      // 1/4: half of the mass is at 0
///     law.cdf(0);                      // 1/2
///     law.quantile(ratio(3, 4), 10);   // 1/2
class Law {
 public:
  /// The zero measure.
  Law() = default;
  /// In any order; overlapping pieces are added up. Throws Error for a piece without length.
  Law(const std::vector<PointMass>& atoms, const std::vector<Piece>& pieces);
  explicit Law(TruncatedPowers powers);

  static Law point(const Rational& at);
  /// Throws Error unless from < to.
  static Law uniform(const Rational& from, const Rational& to);
  /// The density 1/r - |s - center|/r^2 where that is positive. Throws Error unless r > 0.
  static Law triangular(const Rational& center, const Rational& radius);

  /// Ascending, none of mass 0.
  const std::vector<PointMass>& atoms() const { return atoms_; }
  /// Ascending and disjoint, none zero, neighbours with the same polynomial merged.
  const std::vector<Piece>& pieces() const { return pieces_; }
  bool zero() const { return atoms_.empty() && pieces_.empty(); }
  /// Whether neither an atom nor the density is negative anywhere.
  bool non_negative() const;

  /// The convex hull of the support; throws Error for the zero measure.
  Interval support() const;
  /// The points of atoms and the ends of pieces, ascending, each once.
  std::vector<Rational> knots() const;

  Rational mass() const;
  Rational mass_at(const Rational& at) const;
  /// The mass of ]-oo, at].
  Rational cdf(const Rational& at) const;
  /// The density at a point; at a jump, the limit from the right or from the left.
  Rational density(const Rational& at) const;
  Rational density_left(const Rational& at) const;
  /// The integral of s^order.
  Rational moment(unsigned order) const;

  /// These are of the law divided by its mass; they throw Error if that is 0.
  Rational mean() const;
  Rational variance() const;
  /// The least c with cdf(c) >= probability * mass, exactly if it is rational (see `root_between`),
  /// otherwise to so many digits. Throws Error unless 0 < probability <= 1 and the law is nowhere
  /// negative.
  Interval quantile(const Rational& probability, unsigned digits) const;
  /// The continuous ranked probability score of the outcome: the integral of (F(s) - [s >= y])^2.
  Rational crps(const Rational& outcome) const;
  Law normalised() const;

  /// The law of factor * s + constant; a point mass if the factor is 0.
  Law image(const Rational& factor, const Rational& constant) const;
  /// The restriction to [from, to]. Throws Error if from > to.
  Law restricted(const Rational& from, const Rational& to) const;
  /// Random draws, by inverting the cdf at the numbers of a standard Mersenne Twister: the same for
  /// the same seed on every machine. Throws like `quantile`.
  std::vector<double> sample(std::size_t count, std::uint64_t seed) const;

  TruncatedPowers truncated_powers() const;

  Law& operator*=(const Rational& factor);

  friend bool operator==(const Law& a, const Law& b) {
    return a.atoms_ == b.atoms_ && a.pieces_ == b.pieces_;
  }

 private:
  void add_up();
  /// The masses of atoms and of pieces at or below a point.
  Rational atoms_below(const Rational& at) const;
  Rational pieces_below(const Rational& at) const;
  Interval quantile_of(const Rational& probability, unsigned digits) const;

  std::vector<PointMass> atoms_;
  std::vector<Piece> pieces_;
  std::vector<Rational> atom_sums_;   // of the masses up to and including each
  std::vector<Rational> piece_sums_;  // likewise
};

/// Mixtures: the sum of two measures, a multiple of one.
Law operator+(const Law& a, const Law& b);
Law operator*(const Rational& factor, Law law);

/// The law of the sum of two independent quantities.
Law convolution(const Law& a, const Law& b);

}  // namespace wmi
