// The law of an affine form l over a polytope, with a polynomial weight, simplex by simplex.
//
// On a simplex with vertices s_i, for every w off the values v_i = l(s_i),
//
//     n! vol [t^m] prod_i 1/(w - v_i - <t,s_i>) = (N-1)!/m! * integral of x^m / (w - l(x))^N,
//
// N = n + 1 + |m|: the formula for the moments (Baldoni et al., 2011) with l as one more coordinate
// and the powers of l summed up. The left side is a rational function of w whose poles are the
// values at the vertices, and the image of x^m dx under l is read off its partial fractions: the
// term c/(w - v)^k stands for
//
//     m!/(k-1)! (-1)^(N-k) c (s - v)_+^(N-k-1)/(N-k-1)!,
//
// and for k = N, which happens where l is constant, for a point mass. On a simplex with weight 1
// this is the B-spline of Curry and Schoenberg with knots v_i.
//
// So the recurrence of the triangulation integrator serves again, with functions of w in place of
// numbers: dividing by w - a - <t,s> is F[m] <- (F[m] + sum_j s_j F[m - e_j]) / (w - a), in place.
// Values that coincide are poles of higher order and need no special care.
//
// Over a product of polytopes the form is a sum of independent ones, and laws are convolved.

#include "solver/pushforward.h"

#include <algorithm>
#include <map>
#include <memory>

#include "solver/integrators/simplex_moments.h"

namespace wmi {
namespace {

/// A rational function of w that vanishes at infinity, by its partial fractions. Poles are
/// numbered.
class PartialFractions {
 public:
  explicit PartialFractions(std::size_t poles) : parts_(poles) {}

  /// The coefficients of 1/(w - pole), 1/(w - pole)^2, ...
  const std::vector<Rational>& part(std::size_t pole) const { return parts_[pole]; }

  void clear() {
    for (std::vector<Rational>& part : parts_) part.clear();
  }

  /// c/(w - pole), and nothing else.
  void set(std::size_t pole, const Rational& c) {
    clear();
    parts_[pole].push_back(c);
  }

  void add(const PartialFractions& other, const Integer& factor = 1) {
    for (std::size_t pole = 0; pole < parts_.size(); ++pole) {
      const std::vector<Rational>& more = other.parts_[pole];
      if (parts_[pole].size() < more.size()) parts_[pole].resize(more.size());
      for (std::size_t k = 0; k < more.size(); ++k) parts_[pole][k] += factor * more[k];
    }
  }

  /// Divides by scale * (w - pole `divisor`). With d = v - a, from the highest order down,
  ///
  ///     1/((w - v)^k (w - a)) = (1/(w - v)^k - 1/((w - v)^(k-1) (w - a))) / d.
  ///
  /// Whatever the divisor, what the other poles leave at it has order 1.
  void divide(std::size_t divisor, const Rational& scale, const std::vector<Rational>& poles) {
    Rational rest;
    for (std::size_t pole = 0; pole < parts_.size(); ++pole) {
      std::vector<Rational>& part = parts_[pole];
      if (pole == divisor || part.empty()) continue;
      const Rational inverse = 1 / (poles[pole] - poles[divisor]);
      for (std::size_t k = part.size(); k-- > 0;) {
        if (k + 1 == part.size())
          part[k] *= scale;
        else
          part[k] = part[k] * scale - part[k + 1];
        part[k] *= inverse;
      }
      rest -= part[0];
    }
    std::vector<Rational>& own = parts_[divisor];
    for (Rational& c : own) c *= scale;
    own.insert(own.begin(), std::move(rest));
  }

 private:
  std::vector<std::vector<Rational>> parts_;
};

/// What SimplexWalk adds up: for each moment of the table a function of w.
class PoleSeries {
 public:
  using Whole = Integer;

  PoleSeries(std::size_t dimension, const std::vector<std::vector<Integer>>& corners,
             const std::vector<std::size_t>& pole_of, const std::vector<Rational>& poles,
             const MomentTable& table)
      : corners_(corners),
        pole_of_(pole_of),
        poles_(poles),
        table_(table),
        series_(dimension + 1,
                std::vector<PartialFractions>(table.size(), PartialFractions(poles.size()))) {}

  std::vector<PartialFractions> take() && { return std::move(series_[0]); }

  void start(std::size_t depth, const std::vector<std::size_t>&) {
    for (PartialFractions& entry : series_[depth]) entry.clear();
  }

  void simplex(std::size_t depth, const std::vector<std::size_t>& vertices, const Integer& det) {
    // The first vertex divides a number, which is no function that vanishes at infinity.
    const std::size_t first = vertices[0];
    const Integer size = abs(det);
    series_[depth][0].set(pole_of_[first], ratio(size, corners_[first][0]));
    divide(depth, first, 1);
    for (std::size_t i = 1; i < vertices.size(); ++i) divide(depth, vertices[i]);
  }

  void add(std::size_t depth) {
    for (std::size_t i = 0; i < table_.size(); ++i) series_[depth][i].add(series_[depth + 1][i]);
  }

  /// By q (w - a) - <t,p>, the moments from the given one on: each once all that it takes from
  /// lower ones is in it.
  void divide(std::size_t depth, std::size_t vertex, std::size_t from = 0) {
    const Rational scale = ratio(1, corners_[vertex][0]);
    std::vector<PartialFractions>& series = series_[depth];
    auto step = table_.steps().begin();
    for (std::size_t i = from; i < table_.size(); ++i) {
      for (; step != table_.steps().end() && step->target == i; ++step)
        series[i].add(series[step->source], corners_[vertex][step->coordinate + 1]);
      series[i].divide(pole_of_[vertex], scale, poles_);
    }
  }

  static bool zero(const Integer& value) { return value == 0; }
  static void eliminate(Integer& entry, const Integer& pivot, const Integer& head,
                        const Integer& above) {
    entry *= pivot;
    entry -= head * above;
  }
  static void divide_exactly(Integer& entry, const Integer& divisor) {
    mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), divisor.get_mpz_t());
  }

 private:
  const std::vector<std::vector<Integer>>& corners_;
  const std::vector<std::size_t>& pole_of_;  // of each vertex
  const std::vector<Rational>& poles_;
  const MomentTable& table_;
  std::vector<std::vector<PartialFractions>> series_;  // by depth
};

/// The images of several weights, each a sum of multiples of moments, under a form on a polytope.
class Images {
 public:
  Images(const Polytope& region, std::span<const Polynomial> weights, const LinearForm& form)
      : dimension_(region.dimension()), table_(MomentTable::of(weights, region.dimension())) {
    std::vector<std::vector<Integer>> corners(region.vertex_count());
    std::vector<Rational> values;
    for (std::size_t v = 0; v < region.vertex_count(); ++v) {
      for (std::size_t j = 0; j <= dimension_; ++j)
        corners[v].push_back(region.corners()[v * (dimension_ + 1) + j]);
      Rational value;
      for (const auto& [coordinate, coefficient] : form.coefficients)
        value += coefficient * corners[v][coordinate + 1];
      values.push_back(value / corners[v][0] + form.constant);
    }
    poles_ = values;
    std::sort(poles_.begin(), poles_.end());
    poles_.erase(std::unique(poles_.begin(), poles_.end()), poles_.end());
    std::vector<std::size_t> pole_of;
    for (const Rational& value : values)
      pole_of.push_back(static_cast<std::size_t>(
          std::lower_bound(poles_.begin(), poles_.end(), value) - poles_.begin()));
    PoleSeries series(dimension_, corners, pole_of, poles_, *table_);
    SimplexWalk(region, corners, series);
    moments_ = std::move(series).take();
  }

  /// Requires one of the weights.
  TruncatedPowers of(const Polynomial& weight) const {
    std::vector<TruncatedPowers::Knot> knots;
    for (std::size_t pole = 0; pole < poles_.size(); ++pole) {
      TruncatedPowers::Knot knot{poles_[pole], {}};
      for (const Polynomial::Term& term : weight.terms()) {
        const std::size_t moment = table_->index(term.monomial);
        const std::size_t highest = dimension_ + 1 + degree(term.monomial);  // N
        if (knot.coefficients.size() < highest) knot.coefficients.resize(highest);
        Rational factor = term.coefficient * table_->factorial(moment);
        const std::vector<Rational>& part = moments_[moment].part(pole);
        for (std::size_t k = 1; k <= part.size(); ++k) {
          if (k > 1) factor /= Rational(Integer(k - 1));
          Rational& target = knot.coefficients[highest - k];
          if ((highest - k) % 2 == 0)
            target += factor * part[k - 1];
          else
            target -= factor * part[k - 1];
        }
      }
      knots.push_back(std::move(knot));
    }
    return TruncatedPowers(std::move(knots));
  }

 private:
  std::size_t dimension_;
  std::shared_ptr<const MomentTable> table_;
  std::vector<Rational> poles_;
  std::vector<PartialFractions> moments_;
};

/// What of a form or a monomial is in some coordinates, numbered as they come there.
LinearForm restricted(const LinearForm& form, const std::vector<Variable>& coordinates) {
  LinearForm result;
  for (Variable i = 0; i < coordinates.size(); ++i)
    if (const Rational c = form.coefficient(coordinates[i]); c != 0)
      result.coefficients.emplace_back(i, c);
  return result;
}

Monomial restricted(const Monomial& monomial, const std::vector<Variable>& coordinates) {
  Monomial result;
  for (const Power& power : monomial) {
    const auto place = std::lower_bound(coordinates.begin(), coordinates.end(), power.variable);
    if (place != coordinates.end() && *place == power.variable)
      result.push_back({static_cast<Variable>(place - coordinates.begin()), power.exponent});
  }
  return result;
}

}  // namespace

TruncatedPowers pushforward(const Region& region, const Polynomial& weight,
                            const LinearForm& form) {
  TruncatedPowers result;
  if (region.flat || weight.zero()) return result;
  if (region.factors.size() == 1)
    return Images(region.factors[0].polytope, std::span(&weight, 1), form).of(weight);

  // The law of each monomial in each factor; those of a term's monomial are convolved.
  std::vector<std::map<Monomial, TruncatedPowers>> laws;
  for (const Region::Factor& factor : region.factors) {
    std::map<Monomial, TruncatedPowers>& known = laws.emplace_back();
    for (const Polynomial::Term& term : weight.terms())
      known.try_emplace(restricted(term.monomial, factor.coordinates));
    std::vector<Polynomial> monomials;
    for (const auto& [monomial, law] : known)
      monomials.push_back(Polynomial({{monomial, Rational(1)}}));
    const Images image(factor.polytope, monomials, restricted(form, factor.coordinates));
    std::size_t next = 0;
    for (auto& [monomial, law] : known) law = image.of(monomials[next++]);
  }
  for (const Polynomial::Term& term : weight.terms()) {
    TruncatedPowers product;
    product.add(form.constant, 0, term.coefficient);
    product.settle();
    for (std::size_t i = 0; i < laws.size(); ++i)
      product = convolution(product,
                            laws[i].at(restricted(term.monomial, region.factors[i].coordinates)));
    result.add(product);
  }
  result.settle();
  return result;
}

}  // namespace wmi
