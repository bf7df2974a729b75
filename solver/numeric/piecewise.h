#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "solver/numeric/dense_polynomial.h"
#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

/// A univariate piecewise polynomial with bounded support. Private to the solver's sources.
class Piecewise {
 public:
  struct Piece {
    Rational from, to;
    DensePolynomial value;
  };

  /// 0 everywhere.
  Piecewise() = default;
  /// Ascending and disjoint; zeros are dropped, equal neighbours merged.
  explicit Piecewise(std::vector<Piece> pieces);

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool zero() const { return pieces_.empty(); }
  /// The hull of the support, of a function that is not 0.
  Interval support() const { return {pieces_.front().from, pieces_.back().to}; }
  /// Limits from the left and from the right.
  std::pair<Rational, Rational> limits(const Rational& at) const;

  friend Piecewise operator*(const Piecewise& a, const Piecewise& b);
  friend Piecewise operator*(Piecewise function, const Rational& factor);
  /// Over all of the line.
  friend Rational integral_of_product(const Piecewise& a, const Piecewise& b);

 private:
  std::vector<Piece> pieces_;
};

/// A function that is a polynomial between knots, and before the first and after the last as well.
/// An antiderivative of a piecewise polynomial is one.
class PiecewiseOnLine {
 public:
  /// A polynomial everywhere.
  explicit PiecewiseOnLine(DensePolynomial everywhere);
  /// The integral of function * factor from below; continuous.
  PiecewiseOnLine(const Piecewise& function, const DensePolynomial& factor);

  /// The number of the piece at this place and right of it.
  std::size_t piece_from(const Rational& at) const;
  /// Ascending; one less than the pieces.
  const std::vector<Rational>& knots() const { return knots_; }
  const DensePolynomial& piece(std::size_t number) const { return pieces_[number]; }

 private:
  std::vector<Rational> knots_;
  std::vector<DensePolynomial> pieces_;
};

/// Adds up polynomials on intervals.
class PiecewiseSum {
 public:
  void add(const Rational& from, const Rational& to, const DensePolynomial& value);
  void subtract(const Rational& from, const Rational& to, const DensePolynomial& value);
  /// Adds or subtracts x^power * function(factor * x + constant) on an interval.
  void add(const Rational& from, const Rational& to, const PiecewiseOnLine& function,
           const Rational& factor, const Rational& constant, std::size_t power, bool negative);

  std::size_t size() const { return jumps_.size(); }
  Piecewise total();

 private:
  struct Jump {
    Rational at;
    DensePolynomial by;
  };
  std::deque<Jump> jumps_;  // never copied: moving a number of GMP may throw
};

}  // namespace wmi
