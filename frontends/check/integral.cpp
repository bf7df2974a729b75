// The integrals of all monomials are the coefficients of one power series: over a simplex of
// dimension k with the vertices s_0 ... s_k,
//
//     integral of x^m = k! vol * m! / (|m| + k)! * [t^m] product of 1 / (1 - <t, s_i>),
//
// where the x may be any linear forms, and s_i their values. Any other face is divided into the
// pyramids over its facets with an apex among its points, and these are divided further. So its
// series is the sum over the facets without the apex of series times height, divided by
// 1 - <t, apex>; each face is computed once, although it belongs to many others.
//
// The volume of a face is that of its projection to the first columns that are independent on it.
// The columns of a facet are then those of the face but one; and the height is the quotient of two
// determinants, which fraction-free elimination yields.

#include "frontends/check/integral.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

namespace wmi::check {
namespace {

/// The coefficients of a power series: some monomials and all their divisors.
struct MonomialTable {
  const std::vector<std::size_t>& column_of;
  std::map<Monomial, std::size_t> numbers = {};
  std::vector<unsigned> degrees = {};                  // by number
  std::vector<std::array<std::size_t, 3>> steps = {};  // target, source, column

  std::size_t add(const Monomial& monomial) {
    if (const auto known = numbers.find(monomial); known != numbers.end()) return known->second;
    std::vector<std::size_t> sources;
    for (std::size_t i = 0; i < monomial.size(); ++i) {
      Monomial below = monomial;
      if (--below[i].exponent == 0) below.erase(below.begin() + static_cast<std::ptrdiff_t>(i));
      sources.push_back(add(below));
    }
    const std::size_t number = numbers.emplace(monomial, numbers.size()).first->second;
    degrees.push_back(degree(monomial));
    for (std::size_t i = 0; i < monomial.size(); ++i)
      steps.push_back({number, sources[i], column_of[monomial[i].variable]});
    return number;
  }
};

/// Points in echelon form, times a positive number.
struct Echelon {
  std::vector<std::size_t> columns = {};  // of each point: there it is `pivot`, the others are 0
  std::vector<Integer> rows = {};         // the entries of all other columns
  std::size_t width = 0;                  // of a row
  Integer pivot = 1;                      // the determinant of the points in these columns

  bool has(std::size_t column) const { return std::ranges::count(columns, column) > 0; }

  /// `pivot` times an entry of the point, reduced by the rows.
  void reduce(Integer& entry, const Point& point, std::size_t column) const {
    entry = pivot * point[column];
    for (std::size_t i = 0; i < columns.size(); ++i)
      mpz_submul(entry.get_mpz_t(), point[columns[i]].get_mpz_t(),
                 rows[i * width + column].get_mpz_t());
  }

  /// Adds an independent point.
  void add(const Point& point) {
    const std::size_t size = columns.size();
    rows.resize(std::max(rows.size(), (size + 1) * width));
    Integer* const row = &rows[size * width];
    std::size_t lead = width;
    for (std::size_t j = width; j-- > 0;) {
      if (has(j)) continue;
      reduce(row[j], point, j);
      if (row[j] != 0) lead = j;
    }
    if (row[lead] < 0)
      for (std::size_t j = lead; j < width; ++j) mpz_neg(row[j].get_mpz_t(), row[j].get_mpz_t());
    columns.push_back(lead);
    for (std::size_t j = 0; j < width; ++j) {
      if (has(j)) continue;
      for (std::size_t i = 0; i < size; ++i) {
        mpz_ptr entry = rows[i * width + j].get_mpz_t();
        mpz_mul(entry, entry, row[lead].get_mpz_t());
        mpz_submul(entry, rows[i * width + lead].get_mpz_t(), row[j].get_mpz_t());
        mpz_divexact(entry, entry, pivot.get_mpz_t());
      }
    }
    pivot = row[lead];
  }
};

/// The series of a face of dimension k.
struct Integral {
  Echelon echelon = {};              // of k + 1 points of it
  Integer common = 1;                // denominator of its points
  std::vector<Integer> series = {};  // times common^(k + 1 + |m|)
};

class Integration {
 public:
  Integration(Faces& faces, const std::vector<Point>& points, const MonomialTable& table)
      : faces_(faces), points_(points), table_(table) {}

  const Integral& of(Faces::Face& face) {
    if (const auto known = known_.find(&face); known != known_.end()) return *known->second;
    const std::vector<std::size_t> points = members(face.first);
    Integral& result = fresh();
    if (points.size() == face.second.dimension + 1)
      add_simplex(result, points);
    else
      add_pyramids(result, face, points[0]);
    return *known_.emplace(&face, &result).first->second;
  }

 private:
  /// Reuses the memory of numbers from one integration to the next.
  Integral& fresh() {
    static thread_local std::vector<std::unique_ptr<Integral>> store;
    if (used_ == store.size()) store.push_back(std::make_unique<Integral>());
    Integral& result = *store[used_++];
    result.echelon.columns.clear();
    result.echelon.width = faces_.whole().second.dimension + 1;
    result.echelon.pivot = result.common = 1;
    result.series.resize(table_.degrees.size());
    for (Integer& entry : result.series) entry = 0;
    return result;
  }

  void add_simplex(Integral& result, const std::vector<std::size_t>& points) {
    for (const std::size_t point : points) {
      result.echelon.add(points_[point]);
      result.common = lcm(result.common, points_[point][0]);
    }
    result.series[0] = result.echelon.pivot;
    for (const std::size_t point : points) result.series[0] *= result.common / points_[point][0];
    for (const std::size_t point : points) divide(result, point);
  }

  /// Adds the pyramids over the facets without the apex.
  void add_pyramids(Integral& result, Faces::Face& face, std::size_t apex) {
    std::vector<const Integral*> bases;
    result.common = points_[apex][0];
    for (Faces::Face* const facet : faces_.facets(face)) {
      if (contains(facet->first, apex)) continue;
      bases.push_back(&of(*facet));
      result.common = lcm(result.common, bases.back()->common);
    }
    result.echelon = bases.at(0)->echelon;
    result.echelon.add(points_[apex]);
    for (const Integral* const base : bases) add(result, *base, points_[apex]);
    divide(result, apex);
  }

  /// Adds the series of a facet times the height of the apex.
  void add(Integral& result, const Integral& base, const Point& apex) {
    const auto column = std::ranges::find_if_not(
        result.echelon.columns, [&](std::size_t candidate) { return base.echelon.has(candidate); });
    base.echelon.reduce(height_, apex, *column);
    ratio_ = result.common / base.common;
    mpz_pow_ui(entry_.get_mpz_t(), ratio_.get_mpz_t(), base.echelon.columns.size());
    height_ = abs(height_) * entry_;
    height_ *= result.common / apex[0];
    entry_ = gcd(height_, base.echelon.pivot);
    divisor_ = base.echelon.pivot / entry_;
    heights_.resize(1 + std::ranges::max(table_.degrees));
    heights_[0] = height_ / entry_;
    for (std::size_t i = 1; i < heights_.size(); ++i) heights_[i] = heights_[i - 1] * ratio_;
    for (std::size_t i = 0; i < base.series.size(); ++i) {
      const Integer& height = heights_[table_.degrees[i]];
      if (divisor_ == 1) {
        mpz_addmul(result.series[i].get_mpz_t(), base.series[i].get_mpz_t(), height.get_mpz_t());
        continue;
      }
      entry_ = base.series[i] * height;
      mpz_divexact(entry_.get_mpz_t(), entry_.get_mpz_t(), divisor_.get_mpz_t());
      result.series[i] += entry_;
    }
  }

  /// Divides the series by 1 - <t, point>: F[m] += sum over j of point_j F[m - e_j].
  void divide(Integral& result, std::size_t point) {
    ratio_ = result.common / points_[point][0];
    scaled_.resize(points_[point].size());
    for (std::size_t j = 1; j < scaled_.size(); ++j) scaled_[j] = ratio_ * points_[point][j];
    for (const auto& [target, source, column] : table_.steps)
      mpz_addmul(result.series[target].get_mpz_t(), scaled_[column].get_mpz_t(),
                 result.series[source].get_mpz_t());
  }

  Faces& faces_;
  const std::vector<Point>& points_;
  const MonomialTable& table_;
  std::unordered_map<const Faces::Face*, const Integral*> known_;
  std::size_t used_ = 0;
  Integer height_, ratio_, divisor_, entry_;  // members only to keep their memory
  std::vector<Integer> heights_, scaled_;     // by degree; by column
};

}  // namespace

std::vector<std::size_t> integrate(Faces& faces, Faces::Face& face,
                                   const std::vector<Point>& points,
                                   const std::vector<std::size_t>& column_of,
                                   std::map<Monomial, Rational>& integrals) {
  MonomialTable table{column_of};
  for (const auto& [monomial, integral] : integrals) table.add(monomial);
  Integration integration(faces, points, table);
  const auto& [echelon, common, series] = integration.of(face);
  for (auto& [monomial, integral] : integrals) {
    const std::size_t number = table.numbers.at(monomial), dimension = face.second.dimension;
    const unsigned degree = table.degrees[number];
    Integer numerator = series[number], power;
    for (const Power& factor : monomial) numerator *= factorial(Integer(factor.exponent));
    mpz_pow_ui(power.get_mpz_t(), common.get_mpz_t(), dimension + 1 + degree);
    integral = ratio(numerator, power * factorial(Integer(degree + dimension)));
  }
  return echelon.columns;
}

}  // namespace wmi::check
