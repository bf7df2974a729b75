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
// So the recurrence of the triangulation integrator applies, with functions of w instead of
// numbers: dividing by w - a - <t,s> is F[m] <- (F[m] + sum_j s_j F[m - e_j]) / (w - a), in place.
// Coinciding values are poles of higher order and need no special treatment.
//
// If the polytope is simple and the form constant along no edge, the faster method of
// `vertex_cones.h` is used. Over a product of polytopes the form is a sum of independent ones,
// whose laws are convolved.

#include "solver/laws/pushforward.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/laws/vertex_cones.h"
#include "solver/numeric/flint.h"

namespace wmi {
namespace {

/// The poles, with the inverses of their differences.
struct Poles {
  std::vector<Rational> values;  // ascending
  std::vector<std::size_t> of;   // the pole of each vertex
  std::vector<Fmpq> inverses;    // 1/(value i - value j), row by row; 0 on the diagonal

  std::size_t size() const { return values.size(); }
  const fmpq* inverse(std::size_t i, std::size_t j) const {
    return inverses[i * values.size() + j].get();
  }
};

/// A rational function of w that vanishes at infinity, by its partial fractions.
class PartialFractions {
 public:
  explicit PartialFractions(std::size_t poles) : parts_(poles) {}

  /// The coefficients of 1/(w - pole), 1/(w - pole)^2, ...
  const std::vector<Fmpq>& part(std::size_t pole) const { return parts_[pole]; }

  void clear() {
    for (std::vector<Fmpq>& part : parts_) part.clear();
  }

  /// Sets the function to numerator/(denominator (w - pole)).
  void set(std::size_t pole, const Fmpz& numerator, const Fmpz& denominator) {
    clear();
    fmpq_set_fmpz_frac(parts_[pole].emplace_back().get(), numerator.get(), denominator.get());
  }

  void add(const PartialFractions& other) {
    for (std::size_t pole = 0; pole < parts_.size(); ++pole) {
      const std::vector<Fmpq>& more = other.parts_[pole];
      if (parts_[pole].size() < more.size()) parts_[pole].resize(more.size());
      for (std::size_t k = 0; k < more.size(); ++k)
        fmpq_add(parts_[pole][k].get(), parts_[pole][k].get(), more[k].get());
    }
  }

  void add_multiple(const PartialFractions& other, const Fmpz& factor) {
    if (fmpz_is_zero(factor.get())) return;
    Fmpq product;
    for (std::size_t pole = 0; pole < parts_.size(); ++pole) {
      const std::vector<Fmpq>& more = other.parts_[pole];
      if (parts_[pole].size() < more.size()) parts_[pole].resize(more.size());
      for (std::size_t k = 0; k < more.size(); ++k) {
        fmpq_mul_fmpz(product.get(), more[k].get(), factor.get());
        fmpq_add(parts_[pole][k].get(), parts_[pole][k].get(), product.get());
      }
    }
  }

  /// Divides by q (w - a), a the pole `divisor`. With d = v - a, from the highest order down,
  ///
  ///     1/((w - v)^k (w - a)) = (1/(w - v)^k - 1/((w - v)^(k-1) (w - a))) / d.
  ///
  /// Each other pole contributes a term of order 1 at a.
  void divide(std::size_t divisor, const Fmpz& q, const Poles& poles) {
    const bool scaled = !fmpz_is_one(q.get());
    Fmpq rest;
    for (std::size_t pole = 0; pole < parts_.size(); ++pole) {
      std::vector<Fmpq>& part = parts_[pole];
      if (pole == divisor || part.empty()) continue;
      for (std::size_t k = part.size(); k-- > 0;) {
        if (scaled) fmpq_div_fmpz(part[k].get(), part[k].get(), q.get());
        if (k + 1 < part.size()) fmpq_sub(part[k].get(), part[k].get(), part[k + 1].get());
        fmpq_mul(part[k].get(), part[k].get(), poles.inverse(pole, divisor));
      }
      fmpq_sub(rest.get(), rest.get(), part[0].get());
    }
    std::vector<Fmpq>& own = parts_[divisor];
    if (scaled)
      for (Fmpq& c : own) fmpq_div_fmpz(c.get(), c.get(), q.get());
    own.insert(own.begin(), std::move(rest));
  }

 private:
  std::vector<std::vector<Fmpq>> parts_;
};

/// The series of SimplexWalk: for each moment of the table a function of w.
class PoleSeries : public FmpzElimination {
 public:
  PoleSeries(std::size_t dimension, const std::vector<std::vector<Fmpz>>& corners,
             const Poles& poles, const MomentTable& table)
      : corners_(corners),
        poles_(poles),
        table_(table),
        series_(dimension + 1,
                std::vector<PartialFractions>(table.size(), PartialFractions(poles.size()))) {}

  std::vector<PartialFractions> take() && { return std::move(series_[0]); }

  void start(std::size_t depth, const std::vector<std::size_t>&) {
    for (PartialFractions& entry : series_[depth]) entry.clear();
  }

  void simplex(std::size_t depth, const std::vector<std::size_t>& vertices, const Fmpz& det) {
    // The first vertex divides a constant, which does not vanish at infinity.
    const std::size_t first = vertices[0];
    Fmpz size;
    fmpz_abs(size.get(), det.get());
    series_[depth][0].set(poles_.of[first], size, corners_[first][0]);
    divide(depth, first, 1);
    for (std::size_t i = 1; i < vertices.size(); ++i) divide(depth, vertices[i]);
  }

  void add(std::size_t depth) {
    for (std::size_t i = 0; i < table_.size(); ++i) series_[depth][i].add(series_[depth + 1][i]);
  }

  /// Divides by q (w - a) - <t,p>, from the given moment on, in an order in which lower moments
  /// come first.
  void divide(std::size_t depth, std::size_t vertex, std::size_t from = 0) {
    std::vector<PartialFractions>& series = series_[depth];
    auto step = table_.steps().begin();
    for (std::size_t i = from; i < table_.size(); ++i) {
      for (; step != table_.steps().end() && step->target == i; ++step)
        series[i].add_multiple(series[step->source], corners_[vertex][step->coordinate + 1]);
      series[i].divide(poles_.of[vertex], corners_[vertex][0], poles_);
    }
  }

 private:
  const std::vector<std::vector<Fmpz>>& corners_;
  const Poles& poles_;
  const MomentTable& table_;
  std::vector<std::vector<PartialFractions>> series_;  // by depth
};

/// The values of a form at the vertices, as poles.
Poles make_poles(const std::vector<std::vector<Fmpz>>& corners, const LinearForm& form) {
  Poles poles;
  std::vector<Rational> values;
  Fmpq sum, product;
  for (const std::vector<Fmpz>& corner : corners) {
    fmpq_zero(sum.get());
    for (const auto& [coordinate, coefficient] : form.coefficients) {
      fmpq_mul_fmpz(product.get(), Fmpq(coefficient).get(), corner[coordinate + 1].get());
      fmpq_add(sum.get(), sum.get(), product.get());
    }
    fmpq_div_fmpz(sum.get(), sum.get(), corner[0].get());
    fmpq_add(sum.get(), sum.get(), Fmpq(form.constant).get());
    values.push_back(sum.rational());
  }
  poles.values = values;
  std::sort(poles.values.begin(), poles.values.end());
  poles.values.erase(std::unique(poles.values.begin(), poles.values.end()), poles.values.end());
  for (const Rational& value : values)
    poles.of.push_back(static_cast<std::size_t>(
        std::lower_bound(poles.values.begin(), poles.values.end(), value) - poles.values.begin()));
  const std::size_t count = poles.size();
  poles.inverses.resize(count * count);
  const std::vector<Fmpq> points(poles.values.begin(), poles.values.end());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      fmpq* const inverse = poles.inverses[i * count + j].get();
      fmpq_sub(inverse, points[i].get(), points[j].get());
      fmpq_inv(inverse, inverse);
      fmpq_neg(poles.inverses[j * count + i].get(), inverse);
    }
  return poles;
}

/// The images of several weights, each a sum of multiples of moments, under a form on a polytope.
class Images {
 public:
  Images(const Polytope& region, std::span<const Polynomial> weights, const LinearForm& form)
      : dimension_(region.dimension()), table_(MomentTable::of(weights, region.dimension())) {
    std::vector<std::vector<Fmpz>> corners(region.vertex_count());
    for (std::size_t v = 0; v < region.vertex_count(); ++v)
      for (std::size_t j = 0; j <= dimension_; ++j)
        corners[v].emplace_back(region.homogeneous_vertices()[v * (dimension_ + 1) + j]);
    poles_ = make_poles(corners, form);
    // One series for each depth; a moment m has poles of order |m| + 1 at most vertices.
    constexpr std::size_t of_number = 64;
    const std::size_t of_pole = sizeof(std::vector<Fmpq>) + of_number * (table_->degree() / 2 + 1);
    check_plan_memory((dimension_ + 1) * table_->size() * poles_.size() * of_pole);
    PoleSeries series(dimension_, corners, poles_, *table_);
    SimplexWalk(region, corners, series).run();
    moments_ = std::move(series).take();
  }

  /// Requires one of the weights.
  TruncatedPowers of(const Polynomial& weight) const {
    std::vector<TruncatedPowers::Knot> knots(poles_.size());
    for (std::size_t pole = 0; pole < poles_.size(); ++pole) {
      knots[pole].at = poles_.values[pole];
      knots[pole].coefficients.resize(dimension_ + 1 + weight.degree());
    }
    Fmpz divisor;
    Fmpq summand;
    for (const Polynomial::Term& term : weight.terms()) {
      const std::size_t moment = table_->index(term.monomial);
      const std::size_t highest = dimension_ + 1 + degree(term.monomial);  // N
      const Fmpq scale(Rational(term.coefficient * table_->factorial(moment)));
      for (std::size_t pole = 0; pole < poles_.size(); ++pole) {
        const std::vector<Fmpq>& part = moments_[moment].part(pole);
        for (std::size_t k = 1; k <= part.size(); ++k) {
          fmpz_fac_ui(divisor.get(), k - 1);
          fmpq_mul(summand.get(), part[k - 1].get(), scale.get());
          fmpq_div_fmpz(summand.get(), summand.get(), divisor.get());
          if ((highest - k) % 2 != 0) fmpq_neg(summand.get(), summand.get());
          Rational& target = knots[pole].coefficients[highest - k];
          if (target == 0)
            fmpq_get_mpq(target.get_mpq_t(), summand.get());
          else
            target += summand.rational();
        }
      }
    }
    return TruncatedPowers(std::move(knots));
  }

 private:
  std::size_t dimension_;
  std::shared_ptr<const MomentTable> table_;
  Poles poles_;
  std::vector<PartialFractions> moments_;
};

/// The laws of the form over a polytope under each of the weights.
std::vector<TruncatedPowers> images(const Polytope& region, std::span<const Polynomial> weights,
                                    const LinearForm& form) {
  if (std::optional<std::vector<TruncatedPowers>> found = images_by_cones(region, weights, form))
    return std::move(*found);
  const Images by_simplices(region, weights, form);
  std::vector<TruncatedPowers> result;
  for (const Polynomial& weight : weights) result.push_back(by_simplices.of(weight));
  return result;
}

/// The part of a form (or monomial) in some coordinates, renumbered.
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
    const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), power.variable);
    if (found != coordinates.end() && *found == power.variable)
      result.push_back({static_cast<Variable>(found - coordinates.begin()), power.exponent});
  }
  return result;
}

/// Throws PlanTooLarge if so many laws of a factor would take too much memory.
void check_laws(const Polytope& factor, std::size_t count, unsigned degree) {
  constexpr std::size_t of_number = 64;
  check_plan_memory(count * factor.vertex_count() * (factor.dimension() + 1 + degree) * of_number);
}

TruncatedPowers whole_pushforward(const Region& region, const Polynomial& weight,
                                  const LinearForm& form) {
  TruncatedPowers result;
  if (region.factors.size() == 1)
    return std::move(images(region.factors[0].polytope, std::span(&weight, 1), form)[0]);

  // The law of each monomial in each factor; for a term, those of its parts are convolved.
  std::vector<std::map<Monomial, TruncatedPowers>> laws;
  for (const Region::Factor& factor : region.factors) {
    std::map<Monomial, TruncatedPowers>& known = laws.emplace_back();
    for (const Polynomial::Term& term : weight.terms())
      known.try_emplace(restricted(term.monomial, factor.coordinates));
    check_laws(factor.polytope, known.size(), weight.degree());
    std::vector<Polynomial> monomials;
    monomials.reserve(known.size());
    for (const auto& [monomial, law] : known)
      monomials.push_back(Polynomial({{monomial, Rational(1)}}));
    std::vector<TruncatedPowers> found =
        images(factor.polytope, monomials, restricted(form, factor.coordinates));
    std::size_t next = 0;
    for (auto& [monomial, law] : known) law = std::move(found[next++]);
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

}  // namespace

/// A weight for which that would take more memory than the cap is taken in halves: each monomial
/// needs only the moments that divide it.
TruncatedPowers pushforward(const Region& region, const Polynomial& weight,
                            const LinearForm& form) {
  thread_local const FlintCache cache;
  if (region.flat || weight.zero()) return {};
  try {
    return whole_pushforward(region, weight, form);
  } catch (const PlanTooLarge&) {
    if (weight.terms().size() == 1) throw;
  }
  const auto middle = weight.terms().begin() + std::ssize(weight.terms()) / 2;
  TruncatedPowers result = pushforward(region, Polynomial({weight.terms().begin(), middle}), form);
  result.add(pushforward(region, Polynomial({middle, weight.terms().end()}), form));
  result.settle();
  return result;
}

}  // namespace wmi
