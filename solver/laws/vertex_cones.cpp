// The law of an affine form l over a simple polytope, with a polynomial weight w.
//
// The integral of e^<y,x> over a polytope is the sum over its vertices v of the (meromorphically
// continued) integrals over the cones at v, spanned by the edges e_1 .. e_n (Brion, 1988):
//
//     e^<y,v> |det(e_1 .. e_n)| prod_i 1/<-y,e_i>.
//
// With y = t - z l this is the Laplace transform of the law, where the powers of t correspond to
// moments of x. In powers of 1/z the summand of v is, for the weight w,
//
//     e^(-z l(v)) |det| / prod_i l(e_i)  sum_k z^-(n+k) sum_{|b|=k} H_b (d^b w)(v),
//
// where H_b is the coefficient of t^b in prod_i 1/(1 - <t,e_i>/l(e_i)): the series of the moments
// of a simplex again. And e^(-z v) z^-k is the truncated power of order k at v.
//
// All numbers except the final coefficients are integers. A vertex is (q, p) with v = p/q, an edge
// from u to v is q_u p_v - q_v p_u; its length does not matter.

#include "solver/laws/vertex_cones.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/numeric/common_denominator.h"

namespace wmi {
namespace {

/// The graph of a simple polytope: its edges, and the n edges at each vertex.
struct Graph {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::size_t> at;  // vertex by vertex

  std::span<const std::size_t> of(std::size_t vertex, std::size_t dimension) const {
    return std::span(at).subspan(vertex * dimension, dimension);
  }
};

/// Returns nullopt unless each vertex is on n facets; two vertices are adjacent if they share
/// n - 1.
std::optional<Graph> simple_graph(const Polytope& region) {
  const std::size_t n = region.dimension(), vertices = region.vertex_count();
  const std::size_t words = (region.facet_count() + 63) / 64;
  std::vector<std::uint64_t> sets(vertices * words);  // the facets at each vertex
  std::vector<std::size_t> counts(vertices);
  for (std::size_t f = 0; f < region.facet_count(); ++f) {
    const std::span<const std::uint64_t> members = region.incidence(f);
    for (std::size_t w = 0; w < members.size(); ++w)
      for (std::uint64_t rest = members[w]; rest != 0; rest &= rest - 1) {
        const std::size_t v = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        sets[v * words + f / 64] |= std::uint64_t{1} << f % 64;
        ++counts[v];
      }
  }
  if (std::any_of(counts.begin(), counts.end(), [&](std::size_t c) { return c != n; }))
    return std::nullopt;
  Graph graph;
  graph.at.resize(vertices * n);
  std::fill(counts.begin(), counts.end(), std::size_t{0});  // of edges, from here on
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t u = 0; u < v; ++u) {
      std::size_t shared = 0;
      for (std::size_t w = 0; w < words; ++w)
        shared +=
            static_cast<std::size_t>(std::popcount(sets[u * words + w] & sets[v * words + w]));
      if (shared + 1 != n) continue;
      if (counts[u] == n || counts[v] == n) return std::nullopt;
      graph.at[u * n + counts[u]++] = graph.at[v * n + counts[v]++] = graph.edges.size();
      graph.edges.emplace_back(u, v);
    }
  if (std::any_of(counts.begin(), counts.end(), [&](std::size_t c) { return c != n; }))
    return std::nullopt;
  return graph;
}

std::vector<const Rational*> numbers_of(const LinearForm& form) {
  std::vector<const Rational*> result{&form.constant};
  for (const auto& [variable, coefficient] : form.coefficients) result.push_back(&coefficient);
  return result;
}

std::vector<const Rational*> numbers_of(const Polynomial& weight) {
  std::vector<const Rational*> result;
  for (const Polynomial::Term& term : weight.terms()) result.push_back(&term.coefficient);
  return result;
}

/// A weight: integer coefficients over a common denominator, and their moments.
struct Weight {
  unsigned degree;
  CommonDenominator numbers;
  std::vector<std::size_t> moments;

  Weight(const Polynomial& weight, const MomentTable& table)
      : degree(weight.degree()), numbers(numbers_of(weight)) {
    for (const Polynomial::Term& term : weight.terms())
      moments.push_back(table.index(term.monomial));
  }
};

class Cones {
 public:
  Cones(const Polytope& region, const Graph& graph, const LinearForm& form,
        const MomentTable& table)
      : n_(region.dimension()),
        graph_(graph),
        table_(table),
        form_(numbers_of(form)),
        corners_(region.homogeneous_vertices().size()),
        values_(region.vertex_count()),
        edges_(graph.edges.size() * n_),
        slopes_(graph.edges.size()),
        matrix_(n_ * n_),
        series_(table.size()),
        shifted_(table.size()),
        factorials_(table.size()) {
    const Integers& corners = region.homogeneous_vertices();
    for (std::size_t i = 0; i < corners_.size(); ++i)
      if (corners.small())
        fmpz_set_si(corners_[i].get(), corners.words()[i]);
      else
        fmpz_set_mpz(corners_[i].get(), corners.large()[i].get_mpz_t());
    for (std::size_t v = 0; v < values_.size(); ++v) {
      fmpz_mul(values_[v].get(), form_.numerators[0].get(), corner(v)[0].get());
      for (std::size_t i = 0; i < form.coefficients.size(); ++i)
        fmpz_addmul(values_[v].get(), form_.numerators[i + 1].get(),
                    corner(v)[form.coefficients[i].first + 1].get());
    }
    for (std::size_t i = 0; i < table_.size(); ++i) factorials_[i] = Fmpz(table_.factorial(i));
    fmpz_pow_ui(scale_.get(), form_.denominator.get(), n_);
    find_edges();
  }

  /// Whether the form is constant along no edge.
  bool generic() const {
    return std::none_of(slopes_.begin(), slopes_.end(),
                        [](const Fmpz& slope) { return fmpz_is_zero(slope.get()); });
  }

  std::vector<TruncatedPowers> images(std::span<const Polynomial> weights) {
    std::vector<Weight> whole;
    std::vector<std::vector<TruncatedPowers::Knot>> knots(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      whole.emplace_back(weights[i], table_);
      if (!weights[i].zero()) knots[i].resize(values_.size());
    }
    for (std::size_t v = 0; v < values_.size(); ++v) {
      find_cone(v);
      for (std::size_t i = 0; i < weights.size(); ++i)
        if (!weights[i].zero()) fill(knots[i][v], v, whole[i]);
    }
    std::vector<TruncatedPowers> result;
    result.reserve(knots.size());
    for (std::vector<TruncatedPowers::Knot>& list : knots) result.emplace_back(std::move(list));
    return result;
  }

 private:
  std::span<const Fmpz> corner(std::size_t v) const {
    return std::span(corners_).subspan(v * (n_ + 1), n_ + 1);
  }

  /// Computes q_u p_v - q_v p_u, and the same for the values of the form.
  void find_edges() {
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const auto [u, v] = graph_.edges[e];
      const auto difference = [&, qu = corner(u)[0].get(), qv = corner(v)[0].get()](
                                  Fmpz& target, const Fmpz& from, const Fmpz& to) {
        fmpz_mul(target.get(), to.get(), qu);
        fmpz_submul(target.get(), from.get(), qv);
      };
      for (std::size_t j = 0; j < n_; ++j)
        difference(edges_[e * n_ + j], corner(u)[j + 1], corner(v)[j + 1]);
      difference(slopes_[e], values_[u], values_[v]);
    }
  }

  /// Computes, at a vertex, |det(e)| D^n, prod_i l(e_i), and the series H_b over the |b|-th power
  /// of that product. An edge that ends here has the opposite sign, in direction and slope.
  void find_cone(std::size_t v) {
    fmpz_one(product_.get());
    fmpz_one(series_[0].get());
    for (std::size_t i = 1; i < series_.size(); ++i) fmpz_zero(series_[i].get());
    bool negative = false;
    std::size_t row = 0;
    for (const std::size_t e : graph_.of(v, n_)) {
      for (std::size_t j = 0; j < n_; ++j)
        fmpz_set(matrix_[row * n_ + j].get(), edges_[e * n_ + j].get());
      ++row;
      divide(e);
      fmpz_mul(product_.get(), product_.get(), slopes_[e].get());
      negative = negative != (graph_.edges[e].second == v);
    }
    eliminate();
    fmpz_mul(size_.get(), size_.get(), scale_.get());
    if (negative) fmpz_neg(size_.get(), size_.get());
  }

  /// Divides the series by 1 - D <t,e>/l; its denominators P^|b| become (P l)^|b|.
  void divide(std::size_t e) {
    if (table_.size() == 1) return;
    Fmpz power, factor;
    fmpz_one(power.get());
    for (unsigned d = 0; d <= table_.degree(); ++d) {
      for (std::size_t i = table_.start(d); i < table_.start(d + 1); ++i)
        fmpz_mul(series_[i].get(), series_[i].get(), power.get());
      fmpz_mul(power.get(), power.get(), slopes_[e].get());
    }
    std::vector<Fmpz> direction(n_);
    fmpz_mul(factor.get(), product_.get(), form_.denominator.get());
    for (std::size_t j = 0; j < n_; ++j)
      fmpz_mul(direction[j].get(), edges_[e * n_ + j].get(), factor.get());
    for (const MomentTable::Step& step : table_.steps())
      fmpz_addmul(series_[step.target].get(), direction[step.coordinate].get(),
                  series_[step.source].get());
    check_memory();
  }

  /// Throws PlanTooLarge. At high degrees, numbers are long.
  void check_memory() const {
    constexpr std::size_t many = 5'000;
    if (table_.size() < many) return;
    std::size_t limbs = 0;
    for (const std::vector<Fmpz>* const numbers : {&series_, &shifted_})
      for (const Fmpz& number : *numbers) limbs += fmpz_size(number.get());
    check_plan_memory(limbs * sizeof(mp_limb_t));
  }

  /// Sets `size_` to the absolute determinant of the matrix, by fraction-free elimination
  /// (Bareiss).
  void eliminate() {
    fmpz_one(size_.get());
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t column = k;
      while (fmpz_is_zero(matrix_[k * n_ + column].get())) ++column;
      if (column != k)
        for (std::size_t i = k; i < n_; ++i)
          fmpz_swap(matrix_[i * n_ + k].get(), matrix_[i * n_ + column].get());
      const fmpz* const pivot = matrix_[k * n_ + k].get();
      for (std::size_t i = k + 1; i < n_; ++i)
        for (std::size_t j = k + 1; j < n_; ++j) {
          fmpz* const entry = matrix_[i * n_ + j].get();
          fmpz_mul(entry, entry, pivot);
          fmpz_submul(entry, matrix_[i * n_ + k].get(), matrix_[k * n_ + j].get());
          if (k > 0) fmpz_divexact(entry, entry, size_.get());
        }
      fmpz_set(size_.get(), pivot);
    }
    fmpz_abs(size_.get(), size_.get());
  }

  /// Expands the weight around a vertex p/q: with M its degree and x = (p + Y)/q, it is q^-M times
  /// a polynomial in Y with integer coefficients over the weight's denominator.
  void shift(std::size_t v, const Weight& weight) {
    const std::span<const Fmpz> point = corner(v);
    std::vector<Fmpz> powers(weight.degree + 1);
    fmpz_one(powers[0].get());
    for (unsigned d = 1; d <= weight.degree; ++d)
      fmpz_mul(powers[d].get(), powers[d - 1].get(), point[0].get());
    for (Fmpz& entry : shifted_) fmpz_zero(entry.get());
    for (std::size_t i = 0; i < weight.moments.size(); ++i) {
      const std::size_t moment = weight.moments[i];
      fmpz_mul(shifted_[moment].get(), weight.numbers.numerators[i].get(),
               powers[weight.degree - degree_of(moment)].get());
    }
    for (std::uint32_t j = 0; j < n_; ++j) {
      if (fmpz_is_zero(point[j + 1].get())) continue;
      // A Taylor shift by p_j with repeated synthetic division.
      for (std::uint32_t pass = 0; pass < weight.degree; ++pass)
        for (auto step = table_.steps().rbegin(); step != table_.steps().rend(); ++step)
          if (step->coordinate == j && table_[step->source][j] >= pass)
            fmpz_addmul(shifted_[step->source].get(), point[j + 1].get(),
                        shifted_[step->target].get());
    }
    check_memory();
  }

  std::size_t degree_of(std::size_t moment) const {
    std::size_t result = 0;
    for (const std::uint32_t exponent : table_[moment]) result += exponent;
    return result;
  }

  /// Sets the coefficients of the vertex's knot: in order n + k
  ///
  ///     |det| D^n / P  P^-k q^(k-M)  sum_{|b|=k} H_b b! (the coefficient of Y^b).
  void fill(TruncatedPowers::Knot& knot, std::size_t v, const Weight& weight) {
    const fmpz* const q = corner(v)[0].get();
    Fmpq value;
    fmpz_mul(sum_.get(), form_.denominator.get(), q);
    fmpq_set_fmpz_frac(value.get(), values_[v].get(), sum_.get());
    fmpq_get_mpq(knot.at.get_mpq_t(), value.get());
    knot.coefficients.resize(n_ + 1 + weight.degree);
    if (weight.degree > 0) shift(v, weight);
    Fmpz divisor, summand;
    fmpz_pow_ui(divisor.get(), q, weight.degree);
    fmpz_mul(divisor.get(), divisor.get(), weight.numbers.denominator.get());
    fmpz_mul(divisor.get(), divisor.get(), product_.get());
    fmpz_set(power_.get(), size_.get());
    for (unsigned k = 0; k <= weight.degree; ++k) {
      fmpz_zero(sum_.get());
      if (weight.degree == 0)
        fmpz_set(sum_.get(), weight.numbers.numerators[0].get());
      else
        for (std::size_t b = table_.start(k); b < table_.start(k + 1); ++b) {
          fmpz_mul(summand.get(), series_[b].get(), factorials_[b].get());
          fmpz_addmul(sum_.get(), summand.get(), shifted_[b].get());
        }
      fmpz_mul(sum_.get(), sum_.get(), power_.get());
      fmpq_set_fmpz_frac(value.get(), sum_.get(), divisor.get());
      fmpq_get_mpq(knot.coefficients[n_ + k].get_mpq_t(), value.get());
      fmpz_mul(power_.get(), power_.get(), q);
      fmpz_mul(divisor.get(), divisor.get(), product_.get());
    }
  }

  std::size_t n_;
  const Graph& graph_;
  const MomentTable& table_;
  CommonDenominator form_;        // the constant first
  std::vector<Fmpz> corners_;     // (q, p) of each vertex, one after the other
  std::vector<Fmpz> values_;      // of the form at (q, p), times its denominator
  std::vector<Fmpz> edges_;       // one after the other
  std::vector<Fmpz> slopes_;      // of the form along them, times its denominator
  std::vector<Fmpz> matrix_;      // scratch of `eliminate`
  std::vector<Fmpz> series_;      // of the cone, by moment
  std::vector<Fmpz> shifted_;     // the weight around the vertex, by moment
  std::vector<Fmpz> factorials_;  // by moment
  Fmpz scale_, size_, product_, power_, sum_;
};

}  // namespace

std::optional<std::vector<TruncatedPowers>> images_by_cones(const Polytope& region,
                                                            std::span<const Polynomial> weights,
                                                            const LinearForm& form) {
  if (form.is_constant() && region.dimension() > 0) return std::nullopt;
  const std::optional<Graph> graph = simple_graph(region);
  if (!graph) return std::nullopt;
  const std::shared_ptr<const MomentTable> table = MomentTable::of(weights, region.dimension());
  Cones cones(region, *graph, form, *table);
  if (!cones.generic()) return std::nullopt;
  return cones.images(weights);
}

}  // namespace wmi
