// Is the hull of some points the region of some rows, and what are its integrals?
//
// Faces are the points that they contain. Those of a face F are cut out of it by rows: a row is
// nowhere above 0, so the points of F where it is 0, if they are not all, span a face of F of a
// smaller dimension. The largest of these are listed as the facets of F, and it is checked that
//
//   1. from the whole, n steps from faces to listed facets always lead to one point. As each step
//      lowers the dimension and there are only n to lose, each lowers it by 1: what is listed are
//      facets.
//   2. each facet of a listed facet of F is a facet of another listed facet of F, too; and a face
//   of
//      dimension 1 has two listed facets. Facets that share a ridge are neighbours, in a polytope
//      all facets are connected through neighbours, and a ridge belongs to two facets; so with
//      one facet all are listed. (By induction: those of facets are.)
//
// Then every facet of the hull lies on a row, so the region of the rows is within the hull; and
// the points are in the region. A simplex whose facets are all listed needs no look at smaller
// faces.
//
// The integrals of all monomials are one power series: over a simplex of dimension k with the
// vertices s_0 ... s_k,
//
//     integral of x^m = k! vol * m! / (|m| + k)! * [t^m] product of 1 / (1 - <t, s_i>).
//
// A face is divided into the pyramids over its facets with an apex among its points, and these are
// divided further. So the series of a face is that of each facet without the apex, times the
// height, added up and divided by 1 - <t, apex>; each face is met often and computed once.
//
// The volume of a face is measured in some of the columns of its points, the first ones that are
// independent on it. Those of a facet are then among those of the face, all but one; and the height
// is the quotient of two determinants, which elimination without fractions yields.

#include "frontends/check/polytope.h"

#include <algorithm>
#include <bit>

#include "frontends/check/bytes.h"

namespace wmi::check {
namespace {

using Set = std::span<const std::uint64_t>;

bool within(Set a, Set b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] & ~b[i]) != 0) return false;
  return true;
}

bool contains(Set set, std::size_t point) { return (set[point / 64] >> point % 64 & 1) != 0; }

std::size_t points_in(Set set) {
  std::size_t result = 0;
  for (const std::uint64_t word : set) result += static_cast<std::size_t>(std::popcount(word));
  return result;
}

std::size_t first(Set set) {
  std::size_t word = 0;
  while (set[word] == 0) ++word;
  return 64 * word + static_cast<std::size_t>(std::countr_zero(set[word]));
}

bool in(const std::vector<std::size_t>& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::uint64_t hash(Set set) {
  std::uint64_t result = 0;
  for (const std::uint64_t word : set) result = (result ^ word ^ word >> 29) * 0x9E3779B97F4A7C15U;
  return result;
}

}  // namespace

/// Of a face of dimension k.
struct Polytope::Integral {
  std::vector<std::size_t> columns;  // in which it is measured, k + 1
  std::vector<Integer> rows;    // its points, reduced: one with `pivot` in each of the columns,
  Integer pivot;                // which are left out; a determinant in them
  Integer common;               // denominator of its points
  std::vector<Integer> series;  // times common^(k + 1 + |m|)

  /// Numbers that are no longer needed leave their memory to others.
  static std::vector<std::unique_ptr<Integral>>& spare() {
    static thread_local std::vector<std::unique_ptr<Integral>> result;
    return result;
  }
};

std::optional<std::uint32_t> Polytope::find(Set points) const {
  const auto [begin, end] = numbers_.equal_range(hash(points));
  for (auto place = begin; place != end; ++place)
    if (std::equal(points.begin(), points.end(), set(place->second).begin())) return place->second;
  return std::nullopt;
}

std::uint32_t Polytope::face(Set points, std::size_t dimension) {
  if (const std::optional<std::uint32_t> known = find(points)) {
    if (faces_[*known].dimension != dimension)
      throw Rejected("a face of a cell has two dimensions");
    return *known;
  }
  const auto number = static_cast<std::uint32_t>(faces_.size());
  numbers_.emplace(hash(points), number);
  bits_.insert(bits_.end(), points.begin(), points.end());
  faces_.push_back({dimension});
  return number;
}

/// Lists the facets.
void Polytope::expand(std::uint32_t number) {
  if (faces_[number].expanded) return;
  const Set own = set(number);
  std::vector<std::uint64_t> cuts;  // one after the other, none within another
  std::vector<std::uint64_t> cut(words_);
  for (std::size_t row = 0; row < on_.size(); row += words_) {
    for (std::size_t i = 0; i < words_; ++i) cut[i] = own[i] & on_[row + i];
    bool largest = !within(own, cut) && points_in(cut) > 0;
    for (std::size_t other = 0; other < cuts.size() && largest;) {
      const Set there = Set(cuts).subspan(other, words_);
      largest = !within(cut, there);
      if (largest && within(there, cut)) {
        std::copy(cuts.end() - static_cast<std::ptrdiff_t>(words_), cuts.end(),
                  cuts.begin() + static_cast<std::ptrdiff_t>(other));
        cuts.resize(cuts.size() - words_);
      } else {
        other += words_;
      }
    }
    if (largest) cuts.insert(cuts.end(), cut.begin(), cut.end());
  }
  const std::size_t dimension = faces_[number].dimension;
  if (dimension == 0 && !cuts.empty())
    throw Rejected("a cell has two points in a face of dimension 0");
  const auto begin = static_cast<std::uint32_t>(facets_.size());
  for (std::size_t i = 0; i < cuts.size(); i += words_)
    facets_.push_back(face(Set(cuts).subspan(i, words_), dimension - 1));
  faces_[number] = {dimension, true, begin, static_cast<std::uint32_t>(facets_.size())};
}

/// False for a simplex, whose facets are complete and are as well simplices.
bool Polytope::check_face(std::uint32_t number) {
  expand(number);
  const std::vector<std::uint32_t> own(facets(number).begin(), facets(number).end());
  const std::size_t dimension = faces_[number].dimension, points = points_in(set(number));
  if (dimension == 0) {
    if (points != 1) throw Rejected("a cell has two points in a face of dimension 0");
    return false;
  }
  if (points == dimension + 1 && own.size() == points &&
      std::all_of(own.begin(), own.end(),
                  [&](std::uint32_t facet) { return points_in(set(facet)) == dimension; }))
    return false;
  std::vector<std::uint32_t> ridges;
  for (const std::uint32_t facet : own) {
    expand(facet);
    ridges.insert(ridges.end(), facets(facet).begin(), facets(facet).end());
  }
  std::sort(ridges.begin(), ridges.end());
  bool closed = dimension == 1 ? own.size() == 2 : !ridges.empty() && ridges.size() % 2 == 0;
  for (std::size_t i = 0; i < ridges.size() && closed; i += 2)
    closed = ridges[i] == ridges[i + 1] && (i == 0 || ridges[i] != ridges[i - 1]);
  if (!closed) throw Rejected("the boundary of a cell is not closed: a vertex is missing or wrong");
  return true;
}

void Polytope::check(std::span<const Vector> rows) {
  words_ = (points_.size() + 63) / 64;
  std::vector<std::uint64_t> all(words_);
  on_.resize(rows.size() * words_);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    const std::uint64_t bit = std::uint64_t{1} << v % 64;
    all[v / 64] |= bit;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const int sign = sign_of_product(rows[row], points_[v]);
      if (sign > 0) throw Rejected("a vertex is not in the region of its path");
      if (sign == 0) on_[row * words_ + v / 64] |= bit;
    }
  }
  std::vector<std::uint32_t> open{face(all, points_[0].size() - 1)};
  std::vector<bool> seen{true};
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    if (!check_face(number)) continue;
    seen.resize(faces_.size());
    for (const std::uint32_t facet : facets(number)) {
      if (!seen[facet]) open.push_back(facet);
      seen[facet] = true;
    }
  }
}

/// The first point is the apex of all pyramids.
const Polytope::Integral& Polytope::integral(std::uint32_t number, const Monomials& monomials,
                                             Integrals& known) {
  expand(number);
  known.resize(faces_.size());
  if (known[number]) return *known[number];
  const std::size_t apex_number = first(set(number)), width = points_[0].size();
  const Vector& apex = points_[apex_number];
  if (Integral::spare().empty()) Integral::spare().push_back(std::make_unique<Integral>());
  std::unique_ptr<Integral> result = std::move(Integral::spare().back());
  Integral::spare().pop_back();
  result->common = apex[0];
  result->series.resize(monomials.size());
  for (Integer& entry : result->series) entry = 0;
  std::vector<const Integral*> bases;
  for (std::size_t i = faces_[number].first; i < faces_[number].last; ++i) {
    if (contains(set(facets_[i]), apex_number)) continue;
    bases.push_back(&integral(facets_[i], monomials, known));
    result->common = lcm(result->common, bases.back()->common);
  }
  const Integer scale = result->common / apex[0];
  Integer height, power;
  // The apex, reduced by the rows of a facet, in one column.
  const auto reduce = [&](Integer& entry, const Integral& base, std::size_t column) {
    entry = base.pivot * apex[column];
    for (std::size_t i = 0; i < base.columns.size(); ++i)
      mpz_submul(entry.get_mpz_t(), apex[base.columns[i]].get_mpz_t(),
                 base.rows[i * width + column].get_mpz_t());
  };
  if (bases.empty()) {
    result->columns = {0};
    result->rows.resize(width);
    for (std::size_t j = 1; j < width; ++j) result->rows[j] = apex[j];
    result->pivot = apex[0];
    result->series[0] = apex[0];
  } else {
    const Integral& base = *bases[0];
    const std::size_t size = base.columns.size();
    result->rows.resize((size + 1) * width);
    Integer* const row = &result->rows[size * width];
    std::size_t lead = width;
    for (std::size_t j = width; j-- > 0;) {
      if (in(base.columns, j)) continue;
      reduce(row[j], base, j);
      if (row[j] != 0) lead = j;
    }
    if (row[lead] < 0)
      for (std::size_t j = lead; j < width; ++j) row[j] = -row[j];
    result->pivot = row[lead];
    result->columns = base.columns;
    result->columns.push_back(lead);
    for (std::size_t i = 0; i < size * width; ++i) {
      if (in(result->columns, i % width)) continue;
      Integer& entry = result->rows[i];
      entry = result->pivot * base.rows[i];
      mpz_submul(entry.get_mpz_t(), base.rows[i - i % width + lead].get_mpz_t(),
                 row[i % width].get_mpz_t());
      mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), base.pivot.get_mpz_t());
    }
  }
  Integer entry;
  for (const Integral* base : bases) {
    const auto column =
        std::find_if(result->columns.begin(), result->columns.end(),
                     [&](std::size_t candidate) { return !in(base->columns, candidate); });
    reduce(height, *base, *column);
    const Integer ratio = result->common / base->common;
    mpz_pow_ui(power.get_mpz_t(), ratio.get_mpz_t(), base->columns.size());
    height = abs(height) * power * scale;
    mpz_gcd(power.get_mpz_t(), height.get_mpz_t(), base->pivot.get_mpz_t());
    height /= power;
    const Integer divisor = base->pivot / power;
    for (std::size_t i = 0, degree = 0; i < monomials.size(); ++i) {
      for (; degree < monomials.degree(i); ++degree) height *= ratio;
      if (divisor == 1) {
        mpz_addmul(result->series[i].get_mpz_t(), base->series[i].get_mpz_t(), height.get_mpz_t());
        continue;
      }
      mpz_mul(entry.get_mpz_t(), base->series[i].get_mpz_t(), height.get_mpz_t());
      mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), divisor.get_mpz_t());
      result->series[i] += entry;
    }
  }
  std::vector<Integer> point;
  for (std::size_t j = 1; j < width; ++j) point.emplace_back(scale * apex[j]);
  monomials.divide(result->series, point);
  known[number] = std::move(result);
  return *known[number];
}

std::vector<Rational> Polytope::integrals(const Monomials& monomials, const Vector* row) {
  std::vector<std::uint64_t> points(set(0).begin(), set(0).end());  // the whole
  for (std::size_t v = 0; row != nullptr && v < points_.size(); ++v)
    if (sign_of_product(*row, points_[v]) != 0) points[v / 64] &= ~(std::uint64_t{1} << v % 64);
  std::vector<Rational> result(monomials.size());
  const std::size_t dimension = faces_[0].dimension - (row != nullptr);
  const std::optional<std::uint32_t> face = find(points);  // all facets are known
  if (!face || faces_[*face].dimension != dimension) return result;
  Integrals known;
  const Integral& found = integral(*face, monomials, known);
  Rational measure = 1;
  for (std::size_t column = 1; row != nullptr && column < points_[0].size(); ++column)
    if (!in(found.columns, column)) measure = abs((*row)[column]);
  Integer power;
  for (std::size_t i = 0; i < result.size(); ++i) {
    mpz_pow_ui(power.get_mpz_t(), found.common.get_mpz_t(), dimension + 1 + monomials.degree(i));
    result[i] = ratio(found.series[i], power) * monomials.factor(i, dimension) / measure;
  }
  for (std::unique_ptr<Integral>& done : known)
    if (done) Integral::spare().push_back(std::move(done));
  return result;
}

}  // namespace wmi::check
