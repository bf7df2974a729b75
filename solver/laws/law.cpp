#include "solver/laws/law.h"

#include <algorithm>
#include <cassert>
#include <random>
#include <span>

#include "solver/numeric/common_denominator.h"
#include "solver/numeric/roots.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

Integer factorial(std::size_t n) {
  Integer result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

Error too_long_law() {
  return Error("the law has more than " + std::to_string(caps::knots) +
               " pieces; ask for its moments or for single probabilities instead");
}

/// The jump of a density at a point, as powers of (s - at).
void add_jump(TruncatedPowers& powers, const Rational& at, const Univariate& jump, int sign) {
  const Univariate local = jump.composed(1, at);
  for (std::size_t k = 0; k < local.coefficients().size(); ++k)
    powers.add(at, k + 1, sign * local.coefficients()[k] * Rational(factorial(k)));
}

TruncatedPowers powers_of(const std::vector<PointMass>& atoms, const std::vector<Piece>& pieces) {
  TruncatedPowers powers;
  for (const PointMass& atom : atoms) powers.add(atom.at, 0, atom.mass);
  for (const Piece& piece : pieces) {
    if (piece.from >= piece.to)
      throw Error("a piece of a density from " + to_string(piece.from) + " to " +
                  to_string(piece.to) + " has no length");
    add_jump(powers, piece.from, piece.density, 1);
    add_jump(powers, piece.to, piece.density, -1);
  }
  powers.settle();
  return powers;
}

/// The piece that contains `at`, including its right end if `right`, else its left end; or null.
const Piece* piece_at(const std::vector<Piece>& pieces, const Rational& at, bool right) {
  const auto after = std::partition_point(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return right ? piece.to <= at : piece.to < at;
  });
  if (after == pieces.end() || (right ? after->from > at : after->from >= at)) return nullptr;
  return &*after;
}

}  // namespace

Law::Law(const std::vector<PointMass>& atoms, const std::vector<Piece>& pieces)
    : Law(powers_of(atoms, pieces)) {}

namespace {

/// The density to the right of the knots so far.
class Sweep {
 public:
  /// Adds the change at a knot p/q: in order k, c_k (s - p/q)^(k-1) / (k-1)!.
  void cross(const TruncatedPowers::Knot& knot) {
    const std::size_t count = knot.coefficients.size() - 1;
    if (count == 0) return;
    CommonDenominator jump(std::span(knot.coefficients).subspan(1));
    Fmpz factor;
    fmpz_one(factor.get());  // (count - 1)!/k!
    for (std::size_t k = count; k-- > 0;) {
      fmpz_mul(jump.numerators[k].get(), jump.numerators[k].get(), factor.get());
      if (k > 0) fmpz_mul_ui(factor.get(), factor.get(), k);
    }
    fmpz_mul(jump.denominator.get(), jump.denominator.get(), factor.get());
    Fmpz p(knot.at.get_num());
    fmpz_neg(p.get(), p.get());
    const Fmpz q(knot.at.get_den());
    jump.compose(q.get(), p.get(), q.get());
    if (density_.size() < count) density_.resize(count);
    Fmpq summand;
    for (std::size_t k = 0; k < count; ++k) {
      fmpq_set_fmpz_frac(summand.get(), jump.numerators[k].get(), jump.denominator.get());
      fmpq_add(density_[k].get(), density_[k].get(), summand.get());
    }
    while (!density_.empty() && fmpq_is_zero(density_.back().get())) density_.pop_back();
  }

  bool zero() const { return density_.empty(); }
  Univariate density() const {
    std::vector<Rational> result(density_.size());
    for (std::size_t k = 0; k < result.size(); ++k)
      fmpq_get_mpq(result[k].get_mpq_t(), density_[k].get());
    return Univariate(std::move(result));
  }

 private:
  std::vector<Fmpq> density_;
};

}  // namespace

/// Sweeps from left to right, adding the change at each knot.
Law::Law(TruncatedPowers powers) {
  thread_local const FlintCache cache;
  powers.settle();
  if (powers.too_long()) throw too_long_law();
  Sweep sweep;
  const Rational* from = nullptr;
  pieces_.reserve(powers.knots().size());
  for (const TruncatedPowers::Knot& knot : powers.knots()) {
    if (!sweep.zero()) {
      assert(from != nullptr);  // it is zero before the first knot
      Univariate density = sweep.density();
      if (!pieces_.empty() && pieces_.back().to == *from && pieces_.back().density == density)
        pieces_.back().to = knot.at;
      else
        pieces_.push_back({*from, knot.at, std::move(density)});
    }
    if (knot.coefficients[0] != 0) atoms_.push_back({knot.at, knot.coefficients[0]});
    sweep.cross(knot);
    from = &knot.at;
  }
  if (!sweep.zero()) throw Error("a law with mass without end");
  add_up();
}

Law& Law::operator*=(const Rational& factor) {
  if (factor == 0) return *this = Law();
  for (PointMass& atom : atoms_) atom.mass *= factor;
  for (Piece& piece : pieces_) piece.density *= factor;
  for (Rational& sum : atom_sums_) sum *= factor;
  for (Rational& sum : piece_sums_) sum *= factor;
  return *this;
}

void Law::add_up() {
  Rational sum;
  atom_sums_.reserve(atoms_.size());
  piece_sums_.reserve(pieces_.size());
  for (const PointMass& atom : atoms_) atom_sums_.push_back(sum += atom.mass);
  sum = 0;
  for (const Piece& piece : pieces_)
    piece_sums_.push_back(sum += piece.density.integral(piece.from, piece.to));
}

Law Law::point(const Rational& at) { return Law({{at, 1}}, {}); }

Law Law::uniform(const Rational& from, const Rational& to) {
  if (from >= to)
    throw Error("a uniform law needs an interval, not from " + to_string(from) + " to " +
                to_string(to));
  return Law({}, {{from, to, Univariate::constant(1 / (to - from))}});
}

Law Law::triangular(const Rational& center, const Rational& radius) {
  if (radius <= 0) throw Error("a triangular law needs a radius above 0, not " + to_string(radius));
  const Rational slope = 1 / (radius * radius);
  const auto side = [&](int sign) {  // 1/r -+ (s - center)/r^2
    return Univariate({1 / radius + sign * center * slope, -sign * slope});
  };
  return Law({}, {{center - radius, center, side(-1)}, {center, center + radius, side(1)}});
}

bool Law::non_negative() const {
  return std::all_of(atoms_.begin(), atoms_.end(),
                     [](const PointMass& a) { return a.mass >= 0; }) &&
         std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
           return non_negative_between(piece.density, piece.from, piece.to);
         });
}

Interval Law::support() const {
  const std::vector<Rational> all = knots();
  if (all.empty()) throw Error("a law without mass has no support");
  return {all.front(), all.back()};
}

std::vector<Rational> Law::knots() const {
  std::vector<Rational> result;
  for (const Piece& piece : pieces_) {
    if (result.empty() || result.back() != piece.from) result.push_back(piece.from);
    result.push_back(piece.to);
  }
  const auto middle = static_cast<std::ptrdiff_t>(result.size());
  for (const PointMass& atom : atoms_) result.push_back(atom.at);
  std::inplace_merge(result.begin(), result.begin() + middle, result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Rational Law::mass() const {
  Rational result;
  if (!atoms_.empty()) result += atom_sums_.back();
  if (!pieces_.empty()) result += piece_sums_.back();
  return result;
}

Rational Law::mass_at(const Rational& at) const {
  const auto found = std::partition_point(atoms_.begin(), atoms_.end(),
                                          [&](const PointMass& atom) { return atom.at < at; });
  return found != atoms_.end() && found->at == at ? found->mass : Rational(0);
}

Rational Law::atoms_below(const Rational& at) const {
  const auto count = std::partition_point(atoms_.begin(), atoms_.end(),
                                          [&](const PointMass& atom) { return atom.at <= at; }) -
                     atoms_.begin();
  return count == 0 ? Rational(0) : atom_sums_[static_cast<std::size_t>(count) - 1];
}

Rational Law::pieces_below(const Rational& at) const {
  const auto count = static_cast<std::size_t>(
      std::partition_point(pieces_.begin(), pieces_.end(),
                           [&](const Piece& piece) { return piece.to <= at; }) -
      pieces_.begin());
  Rational result = count == 0 ? Rational(0) : piece_sums_[count - 1];
  if (count < pieces_.size() && pieces_[count].from < at)
    result += pieces_[count].density.integral(pieces_[count].from, at);
  return result;
}

Rational Law::cdf(const Rational& at) const { return atoms_below(at) + pieces_below(at); }

Rational Law::density(const Rational& at) const {
  const Piece* const piece = piece_at(pieces_, at, true);
  return piece == nullptr ? Rational(0) : piece->density.at(at);
}

Rational Law::density_left(const Rational& at) const {
  const Piece* const piece = piece_at(pieces_, at, false);
  return piece == nullptr ? Rational(0) : piece->density.at(at);
}

Rational Law::moment(unsigned order) const {
  Rational result;
  for (const PointMass& atom : atoms_) result += atom.mass * power(atom.at, order);
  for (const Piece& piece : pieces_) result += piece.density.integral(piece.from, piece.to, order);
  return result;
}

namespace {

std::vector<Rational> scaled(const std::vector<Rational>& numbers, const Rational& factor) {
  std::vector<Rational> result;
  result.reserve(numbers.size());
  for (const Rational& number : numbers) result.emplace_back(number * factor);
  return result;
}

Univariate scaled(const Univariate& polynomial, const Rational& factor) {
  return Univariate(scaled(polynomial.coefficients(), factor));
}

Rational checked_mass(const Law& law) {
  Rational mass = law.mass();
  if (mass == 0) throw Error("a law of mass 0 has no mean, no variance and no quantiles");
  return mass;
}

void check_non_negative(const Law& law) {
  checked_mass(law);
  if (!law.non_negative())
    throw Error(
        "the law is negative somewhere, so it has no quantiles and no draws; "
        "weights must not be negative");
}

}  // namespace

Rational Law::mean() const { return moment(1) / checked_mass(*this); }

Rational Law::variance() const {
  const Rational mass = checked_mass(*this);
  return moment(2) / mass - power(Rational(moment(1) / mass), 2);
}

Law Law::normalised() const {
  const Rational factor = 1 / checked_mass(*this);
  Law result;
  result.atoms_.reserve(atoms_.size());
  result.pieces_.reserve(pieces_.size());
  for (const PointMass& atom : atoms_) result.atoms_.push_back({atom.at, factor * atom.mass});
  for (const Piece& piece : pieces_)
    result.pieces_.push_back({piece.from, piece.to, scaled(piece.density, factor)});
  result.atom_sums_ = scaled(atom_sums_, factor);
  result.piece_sums_ = scaled(piece_sums_, factor);
  return result;
}

Interval Law::quantile(const Rational& probability, unsigned digits) const {
  if (sgn(probability) <= 0 || probability > 1)
    throw Error("a quantile needs a probability above 0 and at most 1, not " +
                to_string(probability));
  if (mass() < 0) return normalised().quantile(probability, digits);
  check_non_negative(*this);
  return quantile_of(probability, digits);
}

Interval Law::quantile_of(const Rational& probability, unsigned digits) const {
  const Rational sought = probability * mass();
  const std::vector<Rational> points = knots();
  const auto found = std::partition_point(
      points.begin(), points.end(), [&](const Rational& point) { return cdf(point) < sought; });
  const Rational& at = *found;
  const Rational reached = cdf(at);
  // The point mass crosses the level here, or the density before has just reached it.
  if (reached == sought || reached - mass_at(at) <= sought) return at;
  const Rational& before = *std::prev(found);  // there are no point masses between
  Univariate excess = piece_at(pieces_, at, false)->density.antiderivative();
  excess += Univariate::constant(cdf(before) - sought - excess.at(before));
  return root_between(excess, before, at, digits);
}

Rational Law::crps(const Rational& outcome) const {
  const Rational mass = checked_mass(*this);
  std::vector<Rational> points = knots();
  points.insert(std::lower_bound(points.begin(), points.end(), outcome), outcome);
  Rational result;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Rational &from = points[i], &to = points[i + 1];
    if (from == to) continue;
    const Piece* const piece = piece_at(pieces_, from, true);
    Univariate below = piece == nullptr ? Univariate() : piece->density.antiderivative();
    below += Univariate::constant(Rational(cdf(from) - below.at(from)));
    below *= 1 / mass;
    if (from >= outcome) below -= Univariate::constant(Rational(1));
    result += (below * below).integral(from, to);
  }
  return result;
}

Law Law::image(const Rational& factor, const Rational& constant) const {
  if (factor == 0) return Law({{constant, mass()}}, {});
  Law result;
  const Rational inverse = 1 / factor, scale = abs(inverse);
  for (const PointMass& atom : atoms_)
    result.atoms_.push_back({factor * atom.at + constant, atom.mass});
  for (const Piece& piece : pieces_) {
    Rational from = factor * piece.from + constant, to = factor * piece.to + constant;
    if (factor < 0) swap(from, to);
    result.pieces_.push_back(
        {from, to, scale * piece.density.composed(inverse, -constant * inverse)});
  }
  if (factor < 0) {
    std::reverse(result.atoms_.begin(), result.atoms_.end());
    std::reverse(result.pieces_.begin(), result.pieces_.end());
  }
  result.add_up();
  return result;
}

Law Law::restricted(const Rational& from, const Rational& to) const {
  if (from > to)
    throw Error("a law cannot be restricted to the empty interval from " + to_string(from) +
                " to " + to_string(to));
  Law result;
  for (const PointMass& atom : atoms_)
    if (from <= atom.at && atom.at <= to) result.atoms_.push_back(atom);
  for (const Piece& piece : pieces_) {
    Piece part{std::max(piece.from, from), std::min(piece.to, to), piece.density};
    if (part.from < part.to) result.pieces_.push_back(std::move(part));
  }
  result.add_up();
  return result;
}

std::vector<double> Law::sample(std::size_t count, std::uint64_t seed) const {
  if (mass() < 0) return normalised().sample(count, seed);
  check_non_negative(*this);
  std::mt19937_64 generator(seed);
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) {
    // The midpoint of one of 2^64 equal parts of ]0, 1[.
    Integer number(static_cast<unsigned long>(generator()));
    Rational probability(2 * number + 1);
    mpq_div_2exp(probability.get_mpq_t(), probability.get_mpq_t(), 65);
    result.push_back(quantile_of(probability, 17).midpoint().get_d());
  }
  return result;
}

TruncatedPowers Law::truncated_powers() const { return powers_of(atoms_, pieces_); }

Law operator+(const Law& a, const Law& b) {
  TruncatedPowers sum = a.truncated_powers();
  sum.add(b.truncated_powers());
  return Law(std::move(sum));
}

Law operator*(const Rational& factor, Law law) { return law *= factor; }

Law convolution(const Law& a, const Law& b) {
  return Law(convolution(a.truncated_powers(), b.truncated_powers()));
}

}  // namespace wmi
