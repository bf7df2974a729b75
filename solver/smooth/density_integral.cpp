// In coordinates x in [-1, 1]^n of a box around the region, the density is a product of functions
// f_k(x_k) = sum of c_kj T_j(x_k) + e_k (chebyshev_expansion.h). Their product without the terms of a
// total degree above d is a polynomial p, and since all |T_j| <= 1, the density differs from p by at
// most
//
//     sum over j_1 + ... + j_n > d of |c_1j_1 ... c_nj_n|
//         + product over k of (s_k + |e_k|) - product over k of s_k,
//
// s_k = sum of |c_kj|. This is known before p is made, and so the least d that is good enough. The
// moments of the region are those of the face lattice in doubles. If no d suffices, the region is
// bisected where the expansion decays most slowly. Regions that are boxes are products of integrals in
// closed form.
//
// The coefficients of p are computed in doubles. Each is a sum of products of a c_1j_1 ... c_nj_n and a
// coefficient of each T_j, integers; what rounding changes is at most
//
//     (n (d + 4) + 2) 2^-53 * sum of |c_1j_1 ... c_nj_n| |T_j_1| ... |T_j_n|
//
// where |T_j| is the sum of the sizes of its coefficients.

#include "solver/smooth/density_integral.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "solver/geometry/enclosed_cut.h"
#include "solver/integrators/enclosed_faces.h"
#include "solver/numeric/reals.h"
#include "solver/smooth/chebyshev_expansion.h"
#include "solver/smooth/stop_scope.h"

namespace wmi {
namespace {

constexpr slong bits = 96;
/// More than what roundings of positive numbers to nearest take away, here.
constexpr double up = 1 + 1e-9;
/// In n dimensions: beyond, bisecting is cheaper.
constexpr unsigned most_degree(std::size_t n) {
  constexpr unsigned most[] = {0, 16, 12, 10, 8, 7, 6, 5};
  return n < std::size(most) ? most[n] : 4;
}

/// x = shift + scale * u, exactly; within [-1, 1] on the region.
struct LocalBox {
  std::vector<double> shift, scale, lower, upper;

  explicit LocalBox(const EnclosedPolytope& region) {
    for (std::size_t k = 0; k < region.dimension; ++k) {
      double least = 1, most = -1;
      for (std::size_t v = 0; v < region.vertex_count(); ++v) {
        const double u = region.vertex(v)[k], radius = region.radii[v];
        least = v == 0 ? u - radius : std::min(least, u - radius);
        most = v == 0 ? u + radius : std::max(most, u + radius);
      }
      // Wider than rounding makes it narrower.
      const double slack = 0x1p-48 * std::max(std::abs(least), std::abs(most)) + 0x1p-200;
      lower.push_back(least - slack);
      upper.push_back(most + slack);
      const double middle = (lower[k] + upper[k]) / 2;
      const double half = (upper[k] - lower[k]) / 2 * (1 + 0x1p-20) + 16 * slack;
      scale.push_back(1 / half);
      shift.push_back(-middle * scale[k]);
    }
  }
};

/// Of the exponent in x.
ChebyshevExpansion expansion(const ExponentialDensity::Exponent& exponent, double shift,
                             double scale) {
  const Reals r{bits};
  const Ball a = r(exponent.square), b = r(exponent.linear), c = r(exponent.constant);
  const Ball slope = r(Rational(1 / Rational(scale)));
  const Ball middle = r.negative(r.product(r(Rational(shift)), slope));  // u at x = 0
  const Ball square = r.product(a, r.square(slope));
  const Ball linear = r.product(r.sum(r.product(r.product(r(2), a), middle), b), slope);
  const Ball constant = r.sum(r.product(r.sum(r.product(a, middle), b), middle), c);
  return expand_exponential(square, linear, constant);
}

/// The expansions of all factors, and what their product lacks.
class ProductExpansion {
 public:
  ProductExpansion(const ExponentialDensity& density, const LocalBox& box) {
    for (std::size_t k = 0; k < density.dimension(); ++k)
      factors_.push_back(expansion(density.exponents[k], box.shift[k], box.scale[k]));
    by_degree_ = {1};
    double known = 1, whole = 1;
    for (const ChebyshevExpansion& factor : factors_) {
      const std::vector<double>& c = factor.coefficients;
      std::vector<double> next(by_degree_.size() + c.size() - 1);
      for (std::size_t i = 0; i < by_degree_.size(); ++i)
        for (std::size_t j = 0; j < c.size(); ++j) next[i + j] += by_degree_[i] * std::abs(c[j]);
      by_degree_ = std::move(next);
      double size = 0;
      for (const double entry : c) size += std::abs(entry);
      // A product of sums s + e exceeds that of the s.
      lost_ = (lost_ * (size + factor.rest) + known * factor.rest) * up;
      known *= size * up;
      whole *= (size + factor.rest) * up;
    }
    whole_ = whole;
  }

  bool finite() const { return std::isfinite(lost_) && std::isfinite(whole_); }
  const std::vector<ChebyshevExpansion>& factors() const { return factors_; }

  /// How far the product without terms above a degree may be from the density.
  double error(unsigned degree) const {
    double sum = 0;
    for (std::size_t d = by_degree_.size(); d-- > degree + 1;) sum += by_degree_[d];
    return (sum + lost_) * up + 1e-300;
  }

  /// An estimate of its value in the middle of the box.
  double middle() const {
    double result = 1;
    for (const ChebyshevExpansion& factor : factors_) {
      double value = 0;
      for (std::size_t j = 0; j < factor.coefficients.size(); j += 2)
        value += (j % 4 == 0 ? 1 : -1) * factor.coefficients[j];
      result *= value;
    }
    return result;
  }

  /// The coordinate in which the factor is farthest from a line.
  std::size_t steepest() const {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      const std::vector<double>& c = factors_[k].coefficients;
      double size = 0, curved = 0;
      for (std::size_t j = 0; j < c.size(); ++j) {
        size += std::abs(c[j]);
        if (j > 1) curved += std::abs(c[j]);
      }
      if (curved > most * size) {
        most = curved / size;
        best = k;
      }
    }
    return best;
  }

 private:
  std::vector<ChebyshevExpansion> factors_;
  std::vector<double> by_degree_;  // the sums of the sizes of products of coefficients
  double lost_ = 0, whole_ = 0;
};

using Exponents = std::vector<std::uint32_t>;

/// All exponents of a total degree up to d, and where each is.
struct Exponentials {
  std::vector<Exponents> all;
  std::vector<Monomial> monomials;
  std::vector<std::vector<std::uint32_t>> two_below;  // by coordinate: where it is less by 2

  Exponentials(std::size_t n, unsigned degree) {
    std::map<Exponents, std::uint32_t> places;
    for (unsigned d = 0; d <= degree; ++d) {
      Exponents exponents(n);
      add(exponents, 0, d, places);
    }
    two_below.assign(n, std::vector<std::uint32_t>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      Monomial monomial;
      for (Variable k = 0; k < n; ++k) {
        if (all[i][k] > 0) monomial.push_back({k, all[i][k]});
        if (all[i][k] < 2) continue;
        Exponents below = all[i];
        below[k] -= 2;
        two_below[k][i] = places.at(below);
      }
      monomials.push_back(std::move(monomial));
    }
  }

  static const Exponentials& of(std::size_t n, unsigned degree) {
    thread_local std::map<std::pair<std::size_t, unsigned>, Exponentials> known;
    return known.try_emplace({n, degree}, n, degree).first->second;
  }

 private:
  void add(Exponents& exponents, std::size_t k, unsigned left,
           std::map<Exponents, std::uint32_t>& places) {
    if (k + 1 == exponents.size()) {
      exponents[k] = left;
      places.emplace(exponents, static_cast<std::uint32_t>(all.size()));
      all.push_back(exponents);
      return;
    }
    for (unsigned i = 0; i <= left; ++i) {
      exponents[k] = i;
      add(exponents, k + 1, left - i, places);
    }
  }
};

/// The product of the expansions up to a degree, and what rounding may have changed.
struct Expanded {
  std::vector<double> coefficients;  // in the order of Exponentials
  double error = 0;
};

Expanded expanded(const ProductExpansion& product, const Exponentials& table, unsigned degree) {
  const auto& chebyshev = chebyshev_polynomials();
  const std::size_t n = product.factors().size();
  std::vector<double> sizes(degree + 1);  // of T_j
  for (unsigned j = 0; j <= degree; ++j)
    for (const double entry : chebyshev[j]) sizes[j] += std::abs(entry);
  Expanded result;
  double size = 0;
  for (const Exponents& exponents : table.all) {
    double coefficient = 1, all = 1;
    for (std::size_t k = 0; k < n; ++k) {
      coefficient *= product.factors()[k].coefficients[exponents[k]];
      all *= sizes[exponents[k]];
    }
    size += std::abs(coefficient) * all;
    result.coefficients.push_back(coefficient);
  }
  for (std::size_t k = 0; k < n; ++k) {  // from T_j(x_k) to powers of x_k
    std::vector<double> next(table.all.size());
    for (std::size_t i = 0; i < table.all.size(); ++i) {
      std::size_t to = i;
      for (std::uint32_t j = table.all[i][k], power = j;; power -= 2) {
        next[to] += chebyshev[j][power] * result.coefficients[i];
        if (power < 2) break;
        to = table.two_below[k][to];
      }
    }
    result.coefficients = std::move(next);
  }
  result.error = (static_cast<double>(n * (degree + 4) + 2) * 0x1p-53 * size) * up + 1e-290;
  return result;
}

/// A polynomial in u as one in x, in balls.
std::map<Exponents, Ball> in_local(const EnclosedPolynomial& integrand, const LocalBox& box) {
  const Reals r{bits};
  const std::size_t n = box.scale.size();
  std::map<Exponents, Ball> result;
  for (const EnclosedPolynomial::Term& term : integrand.terms()) {
    std::map<Exponents, Ball> product;
    product.emplace(Exponents(n), ball(Interval(Rational(term.lower), Rational(term.upper)), bits));
    for (const Power& power : term.monomial) {
      const Variable k = power.variable;
      const Ball slope = r(Rational(1 / Rational(box.scale[k])));
      const Ball middle = r.negative(r.product(r(Rational(box.shift[k])), slope));
      for (std::uint32_t i = 0; i < power.exponent; ++i) {
        std::map<Exponents, Ball> next;
        for (const auto& [exponents, coefficient] : product) {
          Ball& same = next[exponents];
          same = r.sum(same, r.product(coefficient, middle));
          Exponents raised = exponents;
          ++raised[k];
          Ball& other = next[raised];
          other = r.sum(other, r.product(coefficient, slope));
        }
        product = std::move(next);
      }
    }
    for (const auto& [exponents, coefficient] : product) {
      Ball& sum = result[exponents];
      sum = r.sum(sum, coefficient);
    }
  }
  return result;
}

DoubleInterval outwards(const Ball& value) {
  const Interval exact = interval(value);
  return {round_outwards(exact.lower).lower, round_outwards(exact.upper).upper};
}

/// The product of an integrand and the expanded density, and an upper bound of the integrand's size.
std::pair<EnclosedPolynomial, double> product_of(const EnclosedPolynomial& integrand,
                                                 const LocalBox& box, const Expanded& density,
                                                 const Exponentials& table) {
  std::vector<EnclosedPolynomial::Term> terms;
  const Reals r{bits};
  double size = 0;
  std::map<Exponents, Ball> sums;
  for (const auto& [exponents, coefficient] : in_local(integrand, box)) {
    const DoubleInterval ends = outwards(coefficient);
    size += std::max(std::abs(ends.lower), std::abs(ends.upper)) * up;
    for (std::size_t i = 0; i < table.all.size(); ++i) {
      Exponents both = table.all[i];
      for (std::size_t k = 0; k < both.size(); ++k) both[k] += exponents[k];
      Ball& sum = sums[both];
      sum = r.sum(sum, r.product(coefficient, r(Rational(density.coefficients[i]))));
    }
  }
  for (const auto& [exponents, coefficient] : sums) {
    Monomial monomial;
    for (Variable k = 0; k < exponents.size(); ++k)
      if (exponents[k] > 0) monomial.push_back({k, exponents[k]});
    const DoubleInterval ends = outwards(coefficient);
    terms.push_back({std::move(monomial), ends.lower, ends.upper});
  }
  return {EnclosedPolynomial(std::move(terms)), size * up};
}

class Integration {
 public:
  Integration(std::span<const EnclosedPolynomial> integrands, const ExponentialDensity& density,
              const DensityAim& aim)
      : integrands_(integrands),
        density_(density),
        aim_(aim),
        constant_(std::ranges::all_of(integrands, &EnclosedPolynomial::constant)),
        results_(integrands.size()) {}

  /// Adds what the region contributes; false if that is not known.
  bool add(const EnclosedPolytope& whole) {
    std::vector<EnclosedPolytope> open{whole};
    for (std::size_t pieces = 0; !open.empty(); ++pieces) {
      const bool stopped = StopScope::stopped();
      if (pieces == aim_.most_pieces && !stopped) return false;
      const EnclosedPolytope region = std::move(open.back());
      open.pop_back();
      if (constant_ && add_box(region)) continue;
      const LocalBox box(region);
      const ProductExpansion product(density_, box);
      const double aim = aim_.share * std::max(product.middle(), density_.average);
      const unsigned most = most_degree(region.dimension);
      unsigned degree = 0;
      while (degree <= most && !(product.error(degree) <= aim)) ++degree;
      if (stopped && !product.finite()) return false;
      if (stopped) degree = std::min(degree, 0U);
      if (degree <= most && product.finite()) {
        if (!add_piece(region, box, product, degree)) return false;
        continue;
      }
      auto halves = bisected(region, box, product.steepest());
      if (!halves) return false;
      open.push_back(std::move(halves->second));
      open.push_back(std::move(halves->first));
    }
    return true;
  }

  std::vector<Interval> results() const {
    const Reals r{bits};
    const Ball factor = density_.factor();
    std::vector<Interval> result;
    for (const Ball& sum : results_) result.push_back(interval(r.product(sum, factor)));
    return result;
  }

 private:
  /// If the region is a box, up to the radii of its vertices: it is a hull of points that are at most
  /// `slack` from the corners, in each coordinate. So it is within the box that is larger by that, and
  /// contains the one that is smaller: the support functions say so.
  bool add_box(const EnclosedPolytope& region) {
    const std::size_t n = region.dimension, count = region.vertex_count();
    if (n > 16 || count != std::size_t{1} << n) return false;
    std::vector<double> least(n, 2), most(n, -2);
    double radius = 0;
    for (std::size_t v = 0; v < count; ++v) {
      radius = std::max(radius, region.radii[v]);
      for (std::size_t k = 0; k < n; ++k) {
        least[k] = std::min(least[k], region.vertex(v)[k]);
        most[k] = std::max(most[k], region.vertex(v)[k]);
      }
    }
    double slack = 0;
    std::vector<bool> seen(count);
    for (std::size_t v = 0; v < count; ++v) {
      std::size_t corner = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double u = region.vertex(v)[k], below = u - least[k], above = most[k] - u;
        if (above < below) corner |= std::size_t{1} << k;
        slack = std::max(slack, std::min(above, below));
      }
      if (seen[corner]) return false;
      seen[corner] = true;
    }
    slack = (slack + radius) * up;
    if (slack > 0x1p-30) return false;
    const Rational width(slack);
    std::vector<Rational> lower, upper, inner_lower, inner_upper;
    for (std::size_t k = 0; k < n; ++k) {
      lower.push_back(Rational(least[k]) - width);
      upper.push_back(Rational(most[k]) + width);
      inner_lower.push_back(Rational(least[k]) + width);
      inner_upper.push_back(Rational(most[k]) - width);
    }
    const ExponentialDensity bare{density_.exponents, 0, 0, 0};
    const Ball outer = bare.mass(lower, upper);
    const Ball inner = slack == 0 ? outer : bare.mass(inner_lower, inner_upper);
    Ball mass;
    arb_union(mass, outer, inner, bits);
    for (std::size_t i = 0; i < integrands_.size(); ++i)
      for (const EnclosedPolynomial::Term& term : integrands_[i].terms())
        add(i, Interval(Rational(term.lower), Rational(term.upper)), mass);
    return true;
  }

  /// The integral of the expansion up to a degree, and its error times the volume.
  bool add_piece(const EnclosedPolytope& region, const LocalBox& box,
                 const ProductExpansion& product, unsigned degree) {
    const Exponentials& table = Exponentials::of(region.dimension, degree);
    const Expanded density = expanded(product, table, degree);
    std::vector<EnclosedPolynomial> local;
    std::vector<double> sizes;
    if (constant_) {
      std::vector<EnclosedPolynomial::Term> terms;
      for (std::size_t i = 0; i < table.all.size(); ++i)
        terms.push_back({table.monomials[i], density.coefficients[i], density.coefficients[i]});
      local.emplace_back(std::move(terms));
    } else {
      for (const EnclosedPolynomial& integrand : integrands_) {
        auto [terms, size] = product_of(integrand, box, density, table);
        local.push_back(std::move(terms));
        sizes.push_back(size);
      }
    }
    local.emplace_back(Polynomial(1));
    EnclosedPolytope scaled = region;
    scaled.centre = box.shift;
    scaled.half_width = box.scale;
    const auto found = enclose_integrals_in_doubles(local, scaled);
    if (!found) return false;
    const Reals r{bits};
    Ball stretched = r(1);  // dx / du
    for (const double scale : box.scale) stretched = r.product(stretched, r(Rational(scale)));
    const Rational error =
        (Rational(product.error(degree)) + Rational(density.error)) * Rational(found->back().upper);
    for (std::size_t i = 0; i < integrands_.size(); ++i) {
      const DoubleInterval& ends = (*found)[constant_ ? 0 : i];
      const Rational off = constant_ ? error : error * Rational(sizes[i]);
      Interval integral(Rational(ends.lower) - off, Rational(ends.upper) + off);
      if (constant_) integral.lower = std::max(integral.lower, Rational(0));  // of the density
      const Ball mass = r.quotient(ball(integral, bits), stretched);
      if (!constant_) {
        add(i, Interval(Rational(1)), mass);
        continue;
      }
      for (const EnclosedPolynomial::Term& term : integrands_[i].terms())
        add(i, Interval(Rational(term.lower), Rational(term.upper)), mass);
    }
    return true;
  }

  void add(std::size_t i, const Interval& factor, const Ball& mass) {
    const Reals r{bits};
    results_[i] = r.sum(results_[i], r.product(ball(factor, bits), mass));
  }

  /// In the middle, or near it, between the enclosures of vertices.
  static std::optional<std::pair<EnclosedPolytope, EnclosedPolytope>> bisected(
      const EnclosedPolytope& region, const LocalBox& box, std::size_t k) {
    const double middle = (box.lower[k] + box.upper[k]) / 2, width = box.upper[k] - box.lower[k];
    for (int step = 0; step < 32; ++step) {
      const double off = (step % 2 == 0 ? 1 : -1) * ((step + 1) / 2) / 128.0;
      if (auto halves = cut_at(region, k, middle + off * width)) return halves;
    }
    return std::nullopt;
  }

  const std::span<const EnclosedPolynomial> integrands_;
  const ExponentialDensity& density_;
  const DensityAim& aim_;
  const bool constant_;
  std::vector<Ball> results_;
};

}  // namespace

std::optional<std::vector<Interval>> integrate_under_density(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region,
    const ExponentialDensity& density, const DensityAim& aim) {
  Integration integration(integrands, density, aim);
  if (!integration.add(region)) return std::nullopt;
  return integration.results();
}

}  // namespace wmi
