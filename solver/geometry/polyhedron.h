#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "solver/geometry/double_description.h"
#include "solver/geometry/integers.h"
#include "solver/geometry/polytope.h"

namespace wmi {

/// Machine words, with products in double words. Throws Overflow where a result is not small.
struct WordArithmetic {
  using Scalar = std::int64_t;

  struct Overflow {};

  /// Numbers are smaller than this, and vectors at most so long: a scalar product then fits a
  /// double word.
  static constexpr Scalar limit = Scalar{1} << 60;
  static constexpr std::size_t most_entries = 64;

  static int sign(const Scalar* a, const Scalar* b, std::size_t n) {
    Scalar sum = 0;
    if (!narrow_dot(a, b, n, sum)) return wide_sign(a, b, n);
    return (sum > 0) - (sum < 0);
  }
  static Scalar dot(const Scalar* a, const Scalar* b, std::size_t n) {
    Scalar sum = 0;
    if (!narrow_dot(a, b, n, sum) || sum >= limit || sum <= -limit) throw Overflow();
    return sum;
  }
  static void combine(Scalar* out, Scalar s, const Scalar* a, Scalar t, const Scalar* b,
                      std::size_t n);
  static void join(Scalar* out, const Scalar* a, std::size_t m, const Scalar* b, std::size_t n);

 private:
  /// False when a sum does not fit a word.
  static bool narrow_dot(const Scalar* a, const Scalar* b, std::size_t n, Scalar& sum) {
    bool over = false;
    for (std::size_t j = 0; j < n; ++j) {
      Scalar product = 0;
      over |= __builtin_mul_overflow(a[j], b[j], &product);
      over |= __builtin_add_overflow(sum, product, &sum);
    }
    return !over;
  }
  static int wide_sign(const Scalar* a, const Scalar* b, std::size_t n);
  static void wide_combine(Scalar* out, Scalar s, const Scalar* a, Scalar t, const Scalar* b,
                           std::size_t n);
};

/// GMP's integers.
struct LargeArithmetic {
  using Scalar = Integer;

  static int sign(const Scalar* a, const Scalar* b, std::size_t n);
  static Scalar dot(const Scalar* a, const Scalar* b, std::size_t n);
  static void combine(Scalar* out, const Scalar& s, const Scalar* a, const Scalar& t,
                      const Scalar* b, std::size_t n);
  static void join(Scalar* out, const Scalar* a, std::size_t m, const Scalar* b, std::size_t n);
};

/// A full-dimensional convex polyhedron that can be cut by a hyperplane, vertices and all.
///
///     const Polyhedron right = Polyhedron(1).above(Integers({0, 1}));    // 0 <= x
///     right.sides(Integers({-1, 1}));                                    // both, of x = 1
///     right.below(Integers({-1, 1})).polytope().vertices();              // 0, 1
///
/// A hyperplane is a row: (c, a) is c + a.x = 0, without a common divisor. Numbers are machine
/// words as long as they fit.
class Polyhedron {
 public:
  /// All of R^n, for n of at least 1.
  explicit Polyhedron(std::size_t dimension) : body_(Small(dimension)) {}
  /// The product of two, the coordinates of `a` first.
  static Polyhedron product(const Polyhedron& a, const Polyhedron& b);

  /// The same in another order of coordinates: the k-th is what was the order[k]-th.
  Polyhedron permuted(std::span<const std::size_t> order) const;

  std::size_t dimension() const;
  std::size_t generator_count() const;

  /// Where it has volume.
  Sides sides(const Integers& row) const;

  /// Its part above (below) the hyperplane, which it must have volume on both sides of.
  Polyhedron above(const Integers& row) const;
  Polyhedron below(const Integers& row) const;
  /// Both, the one above first: cheaper than one after the other.
  std::pair<Polyhedron, Polyhedron> cut(const Integers& row) const;

  /// The least and the greatest value of the row on it; nothing where there is none.
  std::pair<std::optional<Rational>, std::optional<Rational>> range(const Integers& row) const;

  bool bounded() const;
  /// The directions in which it goes on for ever: rays, and lines one way.
  std::vector<Point> directions() const;
  /// Requires that it is bounded.
  Polytope polytope() const;
  /// Those that bound it, one for each facet.
  std::vector<Halfspace> halfspaces() const;

 private:
  using Small = DoubleDescription<WordArithmetic>;
  using Large = DoubleDescription<LargeArithmetic>;
  using Body = std::variant<Small, Large>;

  explicit Polyhedron(Body body) : body_(std::move(body)) {}

  static Large enlarged(const Body& body);
  static Body fitted(Large body);
  void cut(const Integers& row, Polyhedron* above, Polyhedron* below) const;

  Body body_;
};

}  // namespace wmi
