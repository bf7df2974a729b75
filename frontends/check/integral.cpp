// The integrals of all monomials are one power series: over a simplex of dimension k with the
// vertices s_0 ... s_k,
//
//     integral of x^m = k! vol * m! / (|m| + k)! * [t^m] product of 1 / (1 - <t, s_i>),
//
// where the x may be any linear forms, and s_i their values. Any other face is divided into the
// pyramids over its facets with an apex among its points, and these are divided further. So its
// series is that of each facet without the apex, times the height, added up and divided by
// 1 - <t, apex>; each face is met often and computed once.
//
// The volume of a face is measured in some of the columns of its points, the first ones that are
// independent on it. Those of a facet are then among those of the face, all but one; and the height
// is the quotient of two determinants, which elimination without fractions yields.

#include "frontends/check/integral.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace wmi::check {
namespace {

/// The monomials whose integrals are needed and all that divide them, as the places of a power
/// series that goes no further.
struct Monomials {
  struct Step {
    std::size_t target, source, axis;
  };

  std::map<Exponents, std::size_t> places;
  std::vector<unsigned> degrees;  // by place
  std::vector<Step> steps;        // those of one monomial after those of all that divide it
  unsigned most = 0;              // of the degrees

  /// In their lexicographic order, what divides a monomial comes before it.
  explicit Monomials(std::set<Exponents> needed) {
    const auto each_below = [](const Exponents& monomial, const auto& action) {
      Exponents below = monomial;
      for (std::size_t j = 0; j < monomial.size(); ++j) {
        if (monomial[j] == 0) continue;
        --below[j];
        action(below, j);
        ++below[j];
      }
    };
    for (auto last = needed.end(); last != needed.begin();)
      each_below(*--last, [&](const Exponents& below, std::size_t) { needed.insert(below); });
    for (const Exponents& monomial : needed) {
      const std::size_t place = places.emplace(monomial, places.size()).first->second;
      degrees.push_back(std::accumulate(monomial.begin(), monomial.end(), 0U));
      most = std::max(most, degrees.back());
      each_below(monomial, [&](const Exponents& below, std::size_t j) {
        steps.push_back({place, places.at(below), j});
      });
    }
  }
};

/// Points in echelon form, times a positive number.
struct Echelon {
  std::vector<std::size_t> columns = {};  // of each point, one in which it has `pivot`, others 0
  std::vector<Integer> rows = {};         // all entries, those in `columns` left out
  Integer pivot = 1;                      // the determinant of the points in these columns

  bool has(std::size_t column) const { return std::ranges::count(columns, column) > 0; }

  /// `pivot` times an entry of the point, reduced by those that are there.
  void reduce(Integer& entry, const Vector& point, std::size_t column) const {
    entry = pivot * point[column];
    for (std::size_t i = 0; i < columns.size(); ++i)
      mpz_submul(entry.get_mpz_t(), point[columns[i]].get_mpz_t(),
                 rows[i * point.size() + column].get_mpz_t());
  }

  /// One more point, which is independent.
  void add(const Vector& point) {
    const std::size_t width = point.size(), size = columns.size();
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

/// Of a face of dimension k.
struct Integral {
  Echelon echelon = {};              // of k + 1 points of it
  Integer common = 1;                // denominator of its points
  std::vector<Integer> series = {};  // times common^(k + 1 + |m|)

  /// Numbers that are no longer needed leave their memory to others.
  static std::vector<std::unique_ptr<Integral>>& spare() {
    static thread_local std::vector<std::unique_ptr<Integral>> result;
    return result;
  }
  static std::unique_ptr<Integral> make(std::size_t places) {
    if (spare().empty()) spare().push_back(std::make_unique<Integral>());
    std::unique_ptr<Integral> result = std::move(spare().back());
    spare().pop_back();
    result->echelon.columns.clear();
    result->echelon.pivot = result->common = 1;
    result->series.resize(places);
    for (Integer& entry : result->series) entry = 0;
    return result;
  }
};

class Integrals {
 public:
  Integrals(Polytope& body, const Monomials& monomials, const std::vector<Vector>& axes)
      : body_(body), monomials_(monomials) {
    for (const Vector& point : body.points()) {
      std::vector<Integer>& values = values_.emplace_back();
      for (const Vector& axis : axes) values.push_back(product(axis, point));
    }
  }

  ~Integrals() {
    for (auto& [face, integral] : known_) Integral::spare().push_back(std::move(integral));
  }
  Integrals(const Integrals&) = delete;
  Integrals& operator=(const Integrals&) = delete;

  const Integral& of(Polytope::Face& face) {
    if (const auto known = known_.find(&face); known != known_.end()) return *known->second;
    const std::vector<std::size_t> points = face.first.members();
    std::unique_ptr<Integral> result = Integral::make(monomials_.degrees.size());
    if (points.size() == face.second.dimension + 1)
      add_simplex(*result, points);
    else
      add_pyramids(*result, face, points[0]);
    return *known_.emplace(&face, std::move(result)).first->second;
  }

 private:
  void add_simplex(Integral& result, const std::vector<std::size_t>& points) {
    for (const std::size_t point : points) {
      result.echelon.add(body_.points()[point]);
      result.common = lcm(result.common, body_.points()[point][0]);
    }
    result.series[0] = result.echelon.pivot;
    for (const std::size_t point : points)
      result.series[0] *= result.common / body_.points()[point][0];
    for (const std::size_t point : points) divide(result, point);
  }

  /// All with the same apex.
  void add_pyramids(Integral& result, Polytope::Face& face, std::size_t apex) {
    std::vector<const Integral*> bases;
    result.common = body_.points()[apex][0];
    for (Polytope::Face* const facet : body_.facets(face)) {
      if (facet->first.contains(apex)) continue;
      bases.push_back(&of(*facet));
      result.common = lcm(result.common, bases.back()->common);
    }
    result.echelon = bases.at(0)->echelon;
    result.echelon.add(body_.points()[apex]);
    for (const Integral* const base : bases) add(result, *base, body_.points()[apex]);
    divide(result, apex);
  }

  /// Adds the series of a facet times the height of the apex.
  void add(Integral& result, const Integral& base, const Vector& apex) {
    const auto column = std::ranges::find_if_not(
        result.echelon.columns, [&](std::size_t candidate) { return base.echelon.has(candidate); });
    base.echelon.reduce(height_, apex, *column);
    ratio_ = result.common / base.common;
    mpz_pow_ui(entry_.get_mpz_t(), ratio_.get_mpz_t(), base.echelon.columns.size());
    height_ = abs(height_) * entry_;
    height_ *= result.common / apex[0];
    entry_ = gcd(height_, base.echelon.pivot);
    divisor_ = base.echelon.pivot / entry_;
    heights_.resize(monomials_.most + 1);
    heights_[0] = height_ / entry_;
    for (std::size_t i = 1; i < heights_.size(); ++i) heights_[i] = heights_[i - 1] * ratio_;
    for (std::size_t i = 0; i < monomials_.degrees.size(); ++i) {
      const Integer& height = heights_[monomials_.degrees[i]];
      mpz_ptr sum = result.series[i].get_mpz_t();
      if (divisor_ == 1) {
        mpz_addmul(sum, base.series[i].get_mpz_t(), height.get_mpz_t());
        continue;
      }
      mpz_mul(entry_.get_mpz_t(), base.series[i].get_mpz_t(), height.get_mpz_t());
      mpz_divexact(entry_.get_mpz_t(), entry_.get_mpz_t(), divisor_.get_mpz_t());
      mpz_add(sum, sum, entry_.get_mpz_t());
    }
  }

  /// Divides the series by 1 - <t, point>: F[m] += sum over j of point_j F[m - e_j].
  void divide(Integral& result, std::size_t point) {
    ratio_ = result.common / body_.points()[point][0];
    scaled_.resize(values_[point].size());
    for (std::size_t i = 0; i < scaled_.size(); ++i) scaled_[i] = ratio_ * values_[point][i];
    for (const auto& [target, source, axis] : monomials_.steps)
      mpz_addmul(result.series[target].get_mpz_t(), scaled_[axis].get_mpz_t(),
                 result.series[source].get_mpz_t());
  }

  Polytope& body_;
  const Monomials& monomials_;
  std::vector<std::vector<Integer>> values_;  // of the axes, at each point
  std::unordered_map<const Polytope::Face*, std::unique_ptr<Integral>> known_;
  Integer height_, ratio_, divisor_, entry_;  // here only to keep their memory
  std::vector<Integer> heights_, scaled_;     // by degree; by axis
};

}  // namespace

std::map<Exponents, Rational> integrals(Polytope& body, const std::set<Exponents>& needed,
                                        const std::vector<Vector>& axes, const Vector* row) {
  std::map<Exponents, Rational> result;
  for (const Exponents& monomial : needed) result[monomial] = 0;
  Polytope::Face* face = &body.whole();
  if (row != nullptr) {
    Set points(body.points().size());
    for (std::size_t v = 0; v < body.points().size(); ++v)
      if (sign_of_product(*row, body.points()[v]) == 0) points.add(v);
    const auto facet = std::ranges::find(body.facets(*face), points, &Polytope::Face::first);
    if (facet == body.facets(*face).end()) return result;
    face = *facet;
  }
  const Monomials monomials(needed);
  Integrals all(body, monomials, axes);
  const Integral& found = all.of(*face);
  Integer measure = 1, power;
  for (std::size_t column = 1; row != nullptr && column < row->size(); ++column)
    if (!found.echelon.has(column)) measure = abs((*row)[column]);
  for (auto& [monomial, integral] : result) {
    const std::size_t place = monomials.places.at(monomial), dimension = face->second.dimension;
    const unsigned degree = monomials.degrees[place];
    mpz_pow_ui(power.get_mpz_t(), found.common.get_mpz_t(), dimension + 1 + degree);
    Integer numerator = found.series[place];
    for (const std::uint32_t exponent : monomial) numerator *= factorial(Integer(exponent));
    integral = ratio(numerator, power * measure * factorial(Integer(degree + dimension)));
  }
  return result;
}

}  // namespace wmi::check
