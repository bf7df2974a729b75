#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/geometry/incidences.h"

namespace wmi {

/// The sides of a hyperplane on which a full-dimensional region has volume.
enum class Sides : std::uint8_t { below, above, both };

/// A full-dimensional convex polyhedron in n dimensions as a cone in n + 1, in double description:
/// rows r with r . g >= 0, the first of them (1, 0, ..., 0); generators g, of which (q, q x) with
/// q > 0 is a vertex x and (0, y) a ray; lines; and which rows are tight at which generator.
///
/// One step of the double description method (Motzkin, Raiffa, Thompson, Thrall 1953) cuts it by a
/// hyperplane and yields both halves. Two generators on different sides give a new one on the
/// hyperplane if they are adjacent, that is, if no third generator lies on all the rows that they
/// share. In general position this needs no search: a generator on the minimal number of rows is
/// adjacent to every generator that shares all but one of them. Redundant rows are kept until a
/// word of bits is full; they do no harm.
///
/// `Arithmetic` computes with its type Scalar:
///
///     sign(a, b, n)                      of the scalar product
///     dot(a, b, n)                       the scalar product
///     combine(out, s, a, t, b, n)        out = s a + t b, divided by a positive common divisor
///     join(out, a, m, b, n)              out = (q, q x, q y) of the points a = (., x), b = (., y)
///
/// and may throw if a result does not fit its numbers.
template <class Arithmetic>
class DoubleDescription {
 public:
  using Scalar = typename Arithmetic::Scalar;
  using Word = std::uint64_t;

  /// Empty, for the result of a cut.
  DoubleDescription() = default;

  /// All of R^n.
  explicit DoubleDescription(std::size_t dimension)
      : width_(dimension + 1), rows_(width_), lines_(dimension * width_), generators_(width_) {
    rows_[0] = 1;
    generators_[0] = 1;
    for (std::size_t j = 0; j < dimension; ++j) lines_[j * width_ + j + 1] = 1;
    incidences_.assign(1, 0);
  }

  /// A polytope: its vertices, its facets (the row at infinity is added), and for each facet a bit
  /// for each vertex on it, rounded up to whole words.
  DoubleDescription(std::size_t dimension, std::vector<Scalar> vertices,
                    const std::vector<Scalar>& facets, std::span<const Word> incidences)
      : width_(dimension + 1), rows_(width_), generators_(std::move(vertices)) {
    rows_[0] = 1;
    rows_.insert(rows_.end(), facets.begin(), facets.end());
    words_ = (row_count() + 63) / 64;
    incidences_.resize(generator_count() * words_);
    const std::size_t words = (generator_count() + 63) / 64;
    for (std::size_t i = 1; i < row_count(); ++i)
      for (std::size_t g = 0; g < generator_count(); ++g)
        if (incidences[(i - 1) * words + g / 64] >> g % 64 & 1)
          incidences_[g * words_ + i / 64] |= Word{1} << i % 64;
  }

  /// Converted from another arithmetic, number by number.
  template <class Other, class Convert>
  DoubleDescription(const DoubleDescription<Other>& other, Convert&& convert)
      : width_(other.width_), words_(other.words_), incidences_(other.incidences_) {
    const auto converted = [&](const auto& from, std::vector<Scalar>& to) {
      to.reserve(from.size());
      for (const auto& entry : from) to.push_back(convert(entry));
    };
    converted(other.rows_, rows_);
    converted(other.lines_, lines_);
    converted(other.generators_, generators_);
  }

  /// The product of two, the coordinates of `a` first.
  static DoubleDescription product(const DoubleDescription& a, const DoubleDescription& b) {
    DoubleDescription result;
    result.width_ = a.width_ + b.width_ - 1;
    const std::size_t row_count = a.row_count() + b.row_count() - 1;
    result.words_ = (row_count + 63) / 64;
    const auto embed = [&](std::vector<Scalar>& to, const Scalar* from, bool first) {
      to.resize(to.size() + result.width_);
      Scalar* const out = to.data() + to.size() - result.width_;
      out[0] = from[0];
      const std::size_t width = first ? a.width_ : b.width_, skip = first ? 1 : a.width_;
      std::copy_n(from + 1, width - 1, out + skip);
    };
    for (std::size_t i = 0; i < a.row_count(); ++i) embed(result.rows_, a.row(i), true);
    for (std::size_t i = 1; i < b.row_count(); ++i) embed(result.rows_, b.row(i), false);
    for (std::size_t i = 0; i < a.line_count(); ++i) embed(result.lines_, a.line(i), true);
    for (std::size_t i = 0; i < b.line_count(); ++i) embed(result.lines_, b.line(i), false);

    // Row i of `b` becomes row a.row_count() + i - 1, except row 0, which both share.
    const auto mark = [&](Word* bits, std::size_t i) { bits[i / 64] |= Word{1} << i % 64; };
    const auto mark_a = [&](Word* bits, std::size_t g) {
      for (std::size_t i = 0; i < a.row_count(); ++i)
        if (a.tight(g, i)) mark(bits, i);
    };
    const auto mark_b = [&](Word* bits, std::size_t g) {
      for (std::size_t i = 0; i < b.row_count(); ++i)
        if (b.tight(g, i)) mark(bits, i == 0 ? 0 : a.row_count() + i - 1);
    };
    const auto fresh = [&]() {
      result.incidences_.resize(result.incidences_.size() + result.words_);
      return result.incidences_.data() + result.incidences_.size() - result.words_;
    };
    for (std::size_t g = 0; g < a.generator_count(); ++g) {
      if (a.is_vertex(g)) continue;
      embed(result.generators_, a.generator(g), true);
      Word* const bits = fresh();
      mark_a(bits, g);
      for (std::size_t i = 1; i < b.row_count(); ++i) mark(bits, a.row_count() + i - 1);
    }
    for (std::size_t g = 0; g < b.generator_count(); ++g) {
      if (b.is_vertex(g)) continue;
      embed(result.generators_, b.generator(g), false);
      Word* const bits = fresh();
      mark_b(bits, g);
      for (std::size_t i = 1; i < a.row_count(); ++i) mark(bits, i);
    }
    for (std::size_t g = 0; g < a.generator_count(); ++g)
      for (std::size_t h = 0; h < b.generator_count(); ++h) {
        if (!a.is_vertex(g) || !b.is_vertex(h)) continue;
        result.generators_.resize(result.generators_.size() + result.width_);
        Arithmetic::join(result.generators_.data() + result.generators_.size() - result.width_,
                         a.generator(g), a.width_, b.generator(h), b.width_);
        Word* const bits = fresh();
        mark_a(bits, g);
        mark_b(bits, h);
      }
    return result;
  }

  /// With the coordinates in another order: the k-th is the order[k]-th of this one.
  DoubleDescription permuted(std::span<const std::size_t> order) const {
    DoubleDescription result = *this;
    const auto permute = [&](const std::vector<Scalar>& from, std::vector<Scalar>& to) {
      for (std::size_t start = 0; start < from.size(); start += width_)
        for (std::size_t k = 0; k < order.size(); ++k)
          to[start + k + 1] = from[start + order[k] + 1];
    };
    permute(rows_, result.rows_);
    permute(lines_, result.lines_);
    permute(generators_, result.generators_);
    return result;
  }

  std::size_t width() const { return width_; }
  std::size_t row_count() const { return rows_.size() / width_; }
  std::size_t line_count() const { return lines_.size() / width_; }
  std::size_t generator_count() const { return generators_.size() / width_; }
  const Scalar* row(std::size_t i) const { return rows_.data() + i * width_; }
  const Scalar* line(std::size_t i) const { return lines_.data() + i * width_; }
  const Scalar* generator(std::size_t i) const { return generators_.data() + i * width_; }
  bool is_vertex(std::size_t generator) const { return generators_[generator * width_] != 0; }
  bool tight(std::size_t generator, std::size_t row) const {
    return incidences_[generator * words_ + row / 64] >> row % 64 & 1;
  }

  /// Whether it has volume where row . (1, x) <= 0, where >= 0, or both.
  Sides sides(const Scalar* row) const {
    for (std::size_t i = 0; i < line_count(); ++i)
      if (Arithmetic::sign(row, line(i), width_) != 0) return Sides::both;
    bool above = false, below = false;
    for (std::size_t i = 0; i < generator_count(); ++i) {
      const int sign = Arithmetic::sign(row, generator(i), width_);
      above = above || sign > 0;
      below = below || sign < 0;
      if (above && below) return Sides::both;
    }
    return above ? Sides::above : Sides::below;
  }

  /// The parts where row . (1, x) >= 0 and <= 0; either may be null. Requires volume on both sides.
  void cut(const Scalar* row, DoubleDescription* above, DoubleDescription* below) const {
    if (row_count() + 1 > 64 * words_) return compacted().cut_here(row, above, below);
    cut_here(row, above, below);
  }

 private:
  template <class>
  friend class DoubleDescription;

  struct Generator {
    std::size_t generator;
    bool simple;  // on the minimal number of rows
  };
  struct Scratch {  // of a cut
    std::vector<Scalar> values;
    std::vector<Generator> up, down;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
  };

  const Word* incidence(std::size_t generator) const {
    return incidences_.data() + generator * words_;
  }

  Incidences incidences() const { return {incidences_.data(), generator_count(), words_}; }

  /// The dimension of the cone modulo its lines; a generator lies on at least one row less.
  std::size_t pointed_dimension() const { return width_ - line_count(); }

  bool adjacent(std::size_t a, std::size_t b, bool either_simple) const {
    if (incidences().common(a, b) < pointed_dimension() - 2) return false;
    return either_simple || incidences().alone(a, b);
  }

  /// Without the rows that are tight at too few generators to be facets, and with an additional
  /// word of bits if none is free then.
  DoubleDescription compacted() const {
    DoubleDescription result;
    result.width_ = width_;
    result.lines_ = lines_;
    result.generators_ = generators_;
    std::vector<std::size_t> kept = {0};
    for (std::size_t i = 1; i < row_count(); ++i) {
      std::size_t count = 0;
      for (std::size_t g = 0; g < generator_count(); ++g) count += tight(g, i);
      if (count + 1 >= pointed_dimension()) kept.push_back(i);
    }
    result.words_ = kept.size() / 64 + 1;
    for (const std::size_t i : kept)
      result.rows_.insert(result.rows_.end(), row(i), row(i) + width_);
    result.incidences_.resize(generator_count() * result.words_);
    for (std::size_t g = 0; g < generator_count(); ++g)
      for (std::size_t k = 0; k < kept.size(); ++k)
        if (tight(g, kept[k])) result.incidences_[g * result.words_ + k / 64] |= Word{1} << k % 64;
    return result;
  }

  void cut_here(const Scalar* row, DoubleDescription* above, DoubleDescription* below) const {
    for (std::size_t i = 0; i < line_count(); ++i)
      if (Arithmetic::sign(row, line(i), width_) != 0) return cut_line(row, i, above, below);

    thread_local Scratch of_this_thread;
    Scratch& scratch = of_this_thread;
    std::vector<Scalar>& values = scratch.values;
    values.resize(generator_count());
    scratch.up.clear();
    scratch.down.clear();
    scratch.edges.clear();
    for (std::size_t g = 0; g < generator_count(); ++g) {
      values[g] = Arithmetic::dot(row, generator(g), width_);
      const bool simple = incidences().common(g, g) + 1 == pointed_dimension();
      if (values[g] > 0) scratch.up.push_back({g, simple});
      if (values[g] < 0) scratch.down.push_back({g, simple});
    }
    assert(!scratch.up.empty() && !scratch.down.empty());
    for (const Generator& up : scratch.up)
      for (const Generator& down : scratch.down)
        if (adjacent(up.generator, down.generator, up.simple || down.simple))
          scratch.edges.emplace_back(up.generator, down.generator);

    const DoubleDescription* done = nullptr;  // the half whose new generators are known
    for (DoubleDescription* const half : {above, below}) {
      if (half == nullptr) continue;
      half->begin(*this, row, half == below);
      const std::size_t gone = (half == above ? scratch.down : scratch.up).size(),
                        count = generator_count() - gone + scratch.edges.size();
      half->generators_.resize(count * width_);
      half->incidences_.resize(count * words_);
      Scalar* out = half->generators_.data();
      Word* bits = half->incidences_.data();
      const std::size_t bit = row_count();
      for (std::size_t g = 0; g < generator_count(); ++g) {
        if (half == above ? values[g] < 0 : values[g] > 0) continue;
        std::copy_n(generator(g), width_, out);
        std::copy_n(incidence(g), words_, bits);
        if (values[g] == 0) bits[bit / 64] |= Word{1} << bit % 64;
        out += width_;
        bits += words_;
      }
      if (done != nullptr)
        std::copy_n(
            done->generators_.end() - static_cast<std::ptrdiff_t>(scratch.edges.size() * width_),
            scratch.edges.size() * width_, out);
      for (const auto& [up, down] : scratch.edges) {
        if (done == nullptr)
          Arithmetic::combine(out, values[up], generator(down), Scalar(-values[down]),
                              generator(up), width_);
        for (std::size_t w = 0; w < words_; ++w) bits[w] = incidence(up)[w] & incidence(down)[w];
        bits[bit / 64] |= Word{1} << bit % 64;
        out += width_;
        bits += words_;
      }
      done = half;
    }
  }

  /// A line that crosses the hyperplane becomes a ray; all other lines and generators are moved
  /// along it onto the hyperplane.
  void cut_line(const Scalar* row, std::size_t crossing, DoubleDescription* above,
                DoubleDescription* below) const {
    const Scalar* const direction = line(crossing);
    const Scalar value = Arithmetic::dot(row, direction, width_);
    const bool up = value > 0;
    const Scalar size = up ? value : Scalar(-value);
    for (DoubleDescription* const half : {above, below}) {
      if (half == nullptr) continue;
      half->begin(*this, row, half == below);
      half->lines_.clear();
      const auto moved = [&](const Scalar* from, std::vector<Scalar>& to) {
        const Scalar off = Arithmetic::dot(row, from, width_);
        to.resize(to.size() + width_);
        Arithmetic::combine(to.data() + to.size() - width_, size, from, up ? Scalar(-off) : off,
                            direction, width_);
      };
      for (std::size_t i = 0; i < line_count(); ++i)
        if (i != crossing) moved(line(i), half->lines_);
      for (std::size_t g = 0; g < generator_count(); ++g) {
        moved(generator(g), half->generators_);
        half->incidences_.insert(half->incidences_.end(), incidence(g), incidence(g) + words_);
        half->mark_last(row_count());
      }
      for (std::size_t j = 0; j < width_; ++j)
        half->generators_.push_back((half == above) == up ? direction[j] : Scalar(-direction[j]));
      half->incidences_.resize(half->incidences_.size() + words_);
      for (std::size_t i = 0; i < row_count(); ++i) half->mark_last(i);
    }
  }

  /// Copies the rows and lines of `whole`, and adds the row that it is cut by.
  void begin(const DoubleDescription& whole, const Scalar* row, bool negated) {
    width_ = whole.width_;
    words_ = whole.words_;
    rows_.reserve(whole.rows_.size() + width_);
    rows_ = whole.rows_;
    for (std::size_t j = 0; j < width_; ++j) rows_.push_back(negated ? Scalar(-row[j]) : row[j]);
    lines_ = whole.lines_;
    generators_.clear();
    incidences_.clear();
  }

  void mark_last(std::size_t row) {
    incidences_[incidences_.size() - words_ + row / 64] |= Word{1} << row % 64;
  }

  std::size_t width_ = 0;
  std::size_t words_ = 1;
  std::vector<Scalar> rows_;
  std::vector<Scalar> lines_;
  std::vector<Scalar> generators_;
  std::vector<Word> incidences_;  // for each generator, a bit for each row that is tight at it
};

}  // namespace wmi
