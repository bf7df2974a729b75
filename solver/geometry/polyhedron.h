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

/// Machine words, with products in double words. Throws Overflow if a result is not small.
struct WordArithmetic {
  using Scalar = std::int64_t;

  struct Overflow {};

  /// Bounds on the size of numbers and the length of vectors: a scalar product then fits a double
  /// word.
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

/// Integers of any size, by GMP.
struct LargeArithmetic {
  using Scalar = Integer;

  static int sign(const Scalar* a, const Scalar* b, std::size_t n);
  static Scalar dot(const Scalar* a, const Scalar* b, std::size_t n);
  static void combine(Scalar* out, const Scalar& s, const Scalar* a, const Scalar& t,
                      const Scalar* b, std::size_t n);
  static void join(Scalar* out, const Scalar* a, std::size_t m, const Scalar* b, std::size_t n);
};

/// A full-dimensional convex polyhedron with its vertices, which can be cut by a hyperplane.
///
/// A hyperplane c + a.x = 0 is the row (c, a), without a common divisor.
///
///     const Integers origin(std::vector<Integer>{0, 1}), one(std::vector<Integer>{-1, 1});
///     const Polyhedron right = Polyhedron(1).above(origin);  // 0 <= x
///     right.sides(one);                                      // both: x = 1 cuts it
///     right.below(one).polytope().vertices();                // 0, 1
///
/// Numbers are machine words as long as they fit.
class Polyhedron {
 public:
  /// All of R^n, for n of at least 1.
  explicit Polyhedron(std::size_t dimension) : body_(Small(dimension)) {}
  /// Requires one that is not flat.
  explicit Polyhedron(const Polytope& polytope);
  /// The product of two, the coordinates of `a` first.
  static Polyhedron product(const Polyhedron& a, const Polyhedron& b);

  /// With the coordinates in another order: the k-th is the order[k]-th of this one.
  Polyhedron permuted(std::span<const std::size_t> order) const;

  std::size_t dimension() const;
  std::size_t generator_count() const;

  /// The sides of the hyperplane on which it has volume.
  Sides sides(const Integers& row) const;

  /// The part above (below) the hyperplane. Requires volume on both sides.
  Polyhedron above(const Integers& row) const;
  Polyhedron below(const Integers& row) const;
  /// Both parts, the one above first; cheaper than one after the other.
  std::pair<Polyhedron, Polyhedron> cut(const Integers& row) const;

  /// The minimum and the maximum of c + a.x on it; nullopt where it is unbounded.
  std::pair<std::optional<Rational>, std::optional<Rational>> range(const Integers& row) const;

  bool bounded() const;
  /// The directions in which it is unbounded: its rays, and one direction of each line.
  std::vector<Point> directions() const;
  /// Requires that it is bounded.
  Polytope polytope() const;
  /// One for each facet.
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
