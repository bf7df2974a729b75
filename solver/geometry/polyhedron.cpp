#include "solver/geometry/polyhedron.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "solver/geometry/facets.h"

namespace wmi {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

UnsignedWide size_of(Wide value) {
  return value < 0 ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
}

std::uint64_t size_of(std::int64_t value) {
  return value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

bool fits(Wide value) { return size_of(value) < static_cast<UnsignedWide>(WordArithmetic::limit); }

bool fits(const Integer& value) {
  static const Integer limit = static_cast<long>(WordArithmetic::limit);
  return mpz_cmpabs(value.get_mpz_t(), limit.get_mpz_t()) < 0;
}

UnsignedWide gcd(UnsignedWide a, UnsignedWide b) {
  while (b != 0) {
    if (static_cast<std::uint64_t>(a >> 64) == 0 && static_cast<std::uint64_t>(b >> 64) == 0)
      return std::gcd(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
    a = std::exchange(b, a % b);
  }
  return a;
}

/// Row 0, the one at infinity, is not a facet.
template <class Description>
Facets facets(const Description& body) {
  return find_facets(body.generator_count(), 1, body.row_count(),
                     body.width() - 1 - body.line_count(),
                     [&](std::size_t g, std::size_t i) { return body.tight(g, i); });
}

}  // namespace

int WordArithmetic::wide_sign(const Scalar* a, const Scalar* b, std::size_t n) {
  Wide sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += static_cast<Wide>(a[j]) * b[j];
  return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

void WordArithmetic::combine(Scalar* out, Scalar s, const Scalar* a, Scalar t, const Scalar* b,
                             std::size_t n) {
  bool over = false;
  std::uint64_t divisor = 0;
  for (std::size_t j = 0; j < n; ++j) {
    Scalar first = 0, second = 0;
    over |= __builtin_mul_overflow(s, a[j], &first);
    over |= __builtin_mul_overflow(t, b[j], &second);
    over |= __builtin_add_overflow(first, second, &out[j]);
    if (over) return wide_combine(out, s, a, t, b, n);
    if (divisor != 1) divisor = std::gcd(divisor, size_of(out[j]));
  }
  const auto factor = static_cast<Scalar>(divisor);  // at most the size of an entry
  for (std::size_t j = 0; j < n; ++j) {
    if (factor > 1) out[j] /= factor;
    if (out[j] >= limit || out[j] <= -limit) throw Overflow();
  }
}

void WordArithmetic::wide_combine(Scalar* out, Scalar s, const Scalar* a, Scalar t, const Scalar* b,
                                  std::size_t n) {
  std::vector<Wide> sums(n);
  UnsignedWide divisor = 0;
  for (std::size_t j = 0; j < n; ++j) {
    sums[j] = static_cast<Wide>(s) * a[j] + static_cast<Wide>(t) * b[j];
    if (divisor != 1) divisor = gcd(size_of(sums[j]), divisor);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (divisor > 1) sums[j] /= static_cast<Wide>(divisor);
    if (!fits(sums[j])) throw Overflow();
    out[j] = static_cast<Scalar>(sums[j]);
  }
}

void WordArithmetic::join(Scalar* out, const Scalar* a, std::size_t m, const Scalar* b,
                          std::size_t n) {
  const Scalar common = std::gcd(a[0], b[0]);
  const auto set = [](Scalar& target, Wide value) {
    if (!fits(value)) throw Overflow();
    target = static_cast<Scalar>(value);
  };
  set(out[0], static_cast<Wide>(a[0] / common) * b[0]);
  for (std::size_t j = 1; j < m; ++j) set(out[j], static_cast<Wide>(a[j]) * (b[0] / common));
  for (std::size_t j = 1; j < n; ++j)
    set(out[m + j - 1], static_cast<Wide>(b[j]) * (a[0] / common));
}

int LargeArithmetic::sign(const Scalar* a, const Scalar* b, std::size_t n) {
  return sgn(dot(a, b, n));
}

LargeArithmetic::Scalar LargeArithmetic::dot(const Scalar* a, const Scalar* b, std::size_t n) {
  Scalar sum;
  for (std::size_t j = 0; j < n; ++j)
    mpz_addmul(sum.get_mpz_t(), a[j].get_mpz_t(), b[j].get_mpz_t());
  return sum;
}

void LargeArithmetic::combine(Scalar* out, const Scalar& s, const Scalar* a, const Scalar& t,
                              const Scalar* b, std::size_t n) {
  Scalar divisor;
  for (std::size_t j = 0; j < n; ++j) {
    out[j] = s * a[j];
    mpz_addmul(out[j].get_mpz_t(), t.get_mpz_t(), b[j].get_mpz_t());
    if (divisor != 1) divisor = gcd(divisor, out[j]);
  }
  if (divisor > 1)
    for (std::size_t j = 0; j < n; ++j)
      mpz_divexact(out[j].get_mpz_t(), out[j].get_mpz_t(), divisor.get_mpz_t());
}

void LargeArithmetic::join(Scalar* out, const Scalar* a, std::size_t m, const Scalar* b,
                           std::size_t n) {
  const Scalar common = gcd(a[0], b[0]), of_a = b[0] / common, of_b = a[0] / common;
  out[0] = a[0] * of_a;
  for (std::size_t j = 1; j < m; ++j) out[j] = a[j] * of_a;
  for (std::size_t j = 1; j < n; ++j) out[m + j - 1] = b[j] * of_b;
}

Polyhedron::Large Polyhedron::enlarged(const Body& body) {
  if (const Large* const large = std::get_if<Large>(&body)) return *large;
  return Large(std::get<Small>(body),
               [](std::int64_t entry) -> Integer { return Integer(static_cast<long>(entry)); });
}

Polyhedron::Body Polyhedron::fitted(Large body) {
  const auto all_fit = [&](const Integer* begin, std::size_t count) {
    return std::all_of(begin, begin + count, [](const Integer& entry) { return fits(entry); });
  };
  if (all_fit(body.generator(0), body.generator_count() * body.width()) &&
      all_fit(body.row(0), body.row_count() * body.width()) &&
      all_fit(body.line(0), body.line_count() * body.width()))
    return Small(body,
                 [](const Integer& entry) { return static_cast<std::int64_t>(entry.get_si()); });
  return body;
}

Polyhedron::Polyhedron(const Polytope& polytope) {
  const auto numbers = [](const Integers& from) {
    std::vector<Integer> result;
    result.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) result.push_back(from[i]);
    return result;
  };
  std::vector<std::uint64_t> incidences;
  for (std::size_t i = 0; i < polytope.facet_count(); ++i)
    incidences.insert(incidences.end(), polytope.incidence(i).begin(), polytope.incidence(i).end());
  body_ = fitted(Large(polytope.dimension(), numbers(polytope.homogeneous_vertices()),
                       numbers(polytope.rows()), incidences));
}

Polyhedron Polyhedron::product(const Polyhedron& a, const Polyhedron& b) {
  const auto *small_a = std::get_if<Small>(&a.body_), *small_b = std::get_if<Small>(&b.body_);
  if (small_a != nullptr && small_b != nullptr) {
    try {
      return Polyhedron(Body(Small::product(*small_a, *small_b)));
    } catch (const WordArithmetic::Overflow&) {
    }
  }
  return Polyhedron(fitted(Large::product(enlarged(a.body_), enlarged(b.body_))));
}

Polyhedron Polyhedron::permuted(std::span<const std::size_t> order) const {
  return std::visit([&](const auto& body) { return Polyhedron(Body(body.permuted(order))); },
                    body_);
}

std::size_t Polyhedron::dimension() const {
  return std::visit([](const auto& body) { return body.width() - 1; }, body_);
}

std::size_t Polyhedron::generator_count() const {
  return std::visit([](const auto& body) { return body.generator_count(); }, body_);
}

namespace {

/// Whether the numbers are so small and so few that a scalar product fits a double word.
bool small_enough(const Integers& row) {
  if (!row.small() || row.size() > WordArithmetic::most_entries) return false;
  std::uint64_t bits = 0;
  for (const std::int64_t entry : row.words()) bits |= size_of(entry);
  return bits < static_cast<std::uint64_t>(WordArithmetic::limit);
}

std::vector<Integer> large(const Integers& row) {
  std::vector<Integer> result;
  for (std::size_t j = 0; j < row.size(); ++j) result.push_back(row[j]);
  return result;
}

}  // namespace

Sides Polyhedron::sides(const Integers& row) const {
  assert(row.size() == dimension() + 1);
  if (const Small* const body = std::get_if<Small>(&body_); body != nullptr && small_enough(row))
    return body->sides(row.words().data());
  const std::vector<Integer> entries = large(row);
  if (const Large* const body = std::get_if<Large>(&body_)) return body->sides(entries.data());
  return enlarged(body_).sides(entries.data());
}

void Polyhedron::cut(const Integers& row, Polyhedron* above, Polyhedron* below) const {
  assert(row.size() == dimension() + 1);
  if (const Small* const body = std::get_if<Small>(&body_); body != nullptr && small_enough(row)) {
    try {
      return body->cut(row.words().data(),
                       above == nullptr ? nullptr : &std::get<Small>(above->body_),
                       below == nullptr ? nullptr : &std::get<Small>(below->body_));
    } catch (const WordArithmetic::Overflow&) {
    }
  }
  Large upper, lower;
  enlarged(body_).cut(large(row).data(), above == nullptr ? nullptr : &upper,
                      below == nullptr ? nullptr : &lower);
  if (above != nullptr) above->body_ = fitted(std::move(upper));
  if (below != nullptr) below->body_ = fitted(std::move(lower));
}

Polyhedron Polyhedron::above(const Integers& row) const {
  Polyhedron result{Body()};
  cut(row, &result, nullptr);
  return result;
}

Polyhedron Polyhedron::below(const Integers& row) const {
  Polyhedron result{Body()};
  cut(row, nullptr, &result);
  return result;
}

std::pair<Polyhedron, Polyhedron> Polyhedron::cut(const Integers& row) const {
  std::pair<Polyhedron, Polyhedron> result{Polyhedron(Body()), Polyhedron(Body())};
  cut(row, &result.first, &result.second);
  return result;
}

std::pair<std::optional<Rational>, std::optional<Rational>> Polyhedron::range(
    const Integers& row) const {
  const std::vector<Integer> entries = large(row);
  return std::visit(
      [&](const auto& body) {
        std::optional<Rational> least, greatest;
        bool down = false, up = false;
        const auto value = [&](const auto* from) {
          Integer sum;
          for (std::size_t j = 0; j < body.width(); ++j) sum += entries[j] * Integer(from[j]);
          return sum;
        };
        for (std::size_t i = 0; i < body.line_count(); ++i)
          if (value(body.line(i)) != 0) down = up = true;
        for (std::size_t g = 0; g < body.generator_count(); ++g) {
          const Integer here = value(body.generator(g));
          if (!body.is_vertex(g)) {
            up = up || here > 0;
            down = down || here < 0;
            continue;
          }
          const Rational at = ratio(here, Integer(body.generator(g)[0]));
          if (!least || at < *least) least = at;
          if (!greatest || at > *greatest) greatest = at;
        }
        if (down) least.reset();
        if (up) greatest.reset();
        return std::pair(least, greatest);
      },
      body_);
}

bool Polyhedron::bounded() const {
  return std::visit(
      [](const auto& body) {
        bool result = body.line_count() == 0;
        for (std::size_t g = 0; result && g < body.generator_count(); ++g)
          result = body.is_vertex(g);
        return result;
      },
      body_);
}

std::vector<Point> Polyhedron::directions() const {
  return std::visit(
      [](const auto& body) {
        std::vector<Point> result;
        const auto add = [&](const auto* from) {
          result.emplace_back();
          for (std::size_t j = 1; j < body.width(); ++j)
            result.back().emplace_back(Integer(from[j]));
        };
        for (std::size_t i = 0; i < body.line_count(); ++i) add(body.line(i));
        for (std::size_t g = 0; g < body.generator_count(); ++g)
          if (!body.is_vertex(g)) add(body.generator(g));
        return result;
      },
      body_);
}

Polytope Polyhedron::polytope() const {
  assert(bounded());
  return std::visit(
      [](const auto& body) {
        using Scalar = typename std::decay_t<decltype(body)>::Scalar;
        auto found = facets(body);
        std::vector<Scalar> corners(body.generator(0),
                                    body.generator(0) + body.generator_count() * body.width()),
            rows;
        rows.reserve(found.rows.size() * body.width());
        for (const std::size_t i : found.rows)
          rows.insert(rows.end(), body.row(i), body.row(i) + body.width());
        return Polytope(body.width() - 1, Integers(std::move(corners)), Integers(std::move(rows)),
                        std::move(found.incidences));
      },
      body_);
}

std::vector<Halfspace> Polyhedron::halfspaces() const {
  return std::visit(
      [](const auto& body) {
        std::vector<Halfspace> result;
        for (const std::size_t i : facets(body).rows) {
          result.push_back({{}, Rational(Integer(body.row(i)[0]))});
          for (std::size_t j = 1; j < body.width(); ++j)
            result.back().normal.emplace_back(-Integer(body.row(i)[j]));
        }
        return result;
      },
      body_);
}

}  // namespace wmi
