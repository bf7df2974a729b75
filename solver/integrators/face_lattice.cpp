// Exact integration, face by face: the recurrence of FacePlan on integers, over a denominator of
// each face's own. Those of a whole polytope can have thousands of digits, and most of the work is
// on small faces.
//
// An integral is linear in the series of the region, and so is the series of a face in those of its
// parts. So there are two ways through the plan: upwards with series, which serve all integrands at
// once, and downwards with functionals, one for each integrand, whose numbers know only the apexes
// above a face and are shortest for the highest degrees, where most monomials are.
//
// With q_i the denominators of the vertices, the series of a face with d dimensions is an integer
// for each monomial m over
//
//     lcm over its simplices of prod q_i  *  (lcm of q_i)^|m|
//
// which is far less than (lcm of q_i)^(d+1+|m|); likewise for functionals, with M-|m| for |m|.
// How large a number can get is known from bounds on series and functionals degree by degree, as
// binary logarithms, so that numbers have a fixed width for each degree and never overflow.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/face_walk.h"
#include "solver/integrators/limbs.h"
#include "solver/integrators/methods.h"
#include "solver/integrators/simplex_moments.h"

namespace wmi {
namespace {

using limbs::Limb;

constexpr double zero = -std::numeric_limits<double>::infinity();  // its logarithm

/// Bounds on the binary logarithm of a number's magnitude: that of its mantissa, in [1/2, 1), lies
/// between chord and tangent, and roundings are far below the margin.
inline double log_above(double mantissa, long exponent) {
  return static_cast<double>(exponent) + (mantissa - 1) * 1.4426950408889634 + 1e-9;
}

/// The first 32 bits of a positive number, as a fraction of 2^exponent.
struct Leading {
  std::uint64_t bits;
  long exponent;

  explicit Leading(const Integer& value) {
    const std::size_t words = mpz_size(value.get_mpz_t());
    const Limb top = mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(words) - 1);
    const int spare = std::countl_zero(top);
    bits = (top << spare) >> 32;
    exponent = static_cast<long>(words * 64) - spare;
  }
};
inline double log_above(const Integer& value) {
  if (value == 0) return zero;
  const Leading leading(value);
  return log_above(static_cast<double>(leading.bits + 1) * 0x1p-32, leading.exponent);
}
inline double log_above(double value) {  // positive, and may have been rounded
  constexpr std::uint64_t half = 0x3fe0000000000000, mantissa = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return log_above(std::bit_cast<double>(half | (bits & mantissa)),
                   static_cast<long>(bits >> 52) - 1022);
}
inline double log_below(const Integer& value) {
  const Leading leading(value);
  return static_cast<double>(leading.exponent) + static_cast<double>(leading.bits) * 0x1p-31 - 2 -
         1e-9;
}

/// A bound on log(2^a + 2^b): log(1 + y) <= y log(e), and y = 2^(low - high) is rounded up.
inline double log_sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  if (low == zero) return high;
  const double gap = std::min(high - low, 1000.0);
  const double y = std::bit_cast<double>((1023 - static_cast<std::uint64_t>(gap)) << 52);
  return high + std::min(1.0, y * 1.4426950408889634) + 1e-9;
}

inline std::size_t words_for(double bits) {
  return bits < 64 ? 1 : static_cast<std::size_t>(bits / 64) + 1;
}

struct Denominator {
  Integer apexes = 1;
  Integer powers = 1;
  Integer pulled = 1;  // of functionals: `apexes` once the face itself is pulled
};

/// Numbers for all monomials, in as many words as those of its degree may need.
///
/// A series stands for entries / (apexes powers^k), k the degree of the monomial, a functional for
/// entries / (apexes powers^(M-k)).
struct Vector {
  struct Degree {
    double bound = zero;     // on what the entries stand for
    double bits = 0;         // of an entry, its sign included
    std::size_t width = 0;   // of an entry, in words
    std::size_t offset = 0;  // where the 0-th entry of all would be, were it of this degree
  };

  std::vector<Degree> degrees;
  std::vector<Limb> numbers;
  bool allocated = false;

  void reset(unsigned degree) {
    degrees.assign(degree + 1, {});
    allocated = false;
  }

  Limb* entry(unsigned k, std::size_t m) {
    return numbers.data() + (degrees[k].offset + m * degrees[k].width);
  }
  const Limb* entry(unsigned k, std::size_t m) const {
    return numbers.data() + (degrees[k].offset + m * degrees[k].width);
  }

  /// Zeros, with room for all that the bounds allow.
  void allocate(const MomentTable& table, const Denominator& denominator, bool functional) {
    const double apexes = log_above(denominator.apexes), powers = log_above(denominator.powers);
    std::size_t size = 0;
    for (unsigned k = 0; k <= table.degree(); ++k) {
      Degree& degree = degrees[k];
      degree.bits = degree.bound + apexes + powers * (functional ? table.degree() - k : k) + 2;
      degree.width = words_for(degree.bits);
      degree.offset = size - table.start(k) * degree.width;
      size += (table.start(k + 1) - table.start(k)) * degree.width;
    }
    if (numbers.size() < size) numbers.resize(size);
    std::fill_n(numbers.begin(), size, 0);
    allocated = true;
  }
};

const Limb* data(const Integer& value) { return mpz_limbs_read(value.get_mpz_t()); }
std::size_t size(const Integer& value) { return mpz_size(value.get_mpz_t()); }
/// The lowest.
Limb limb(const Integer& value) { return mpz_getlimbn(value.get_mpz_t(), 0); }
/// A positive number that is less than 2^63.
bool is_word(const Integer& value) { return size(value) == 1 && limb(value) >> 63 == 0; }

// Many denominators are 1, or equal, or of one word, and GMP is slow to find out.

inline bool is_one(const Integer& value) { return size(value) == 1 && limb(value) == 1; }
inline bool equal(const Integer& a, const Integer& b) {
  return size(a) == size(b) && limb(a) == limb(b) && (size(a) == 1 || a == b);
}

Limb remainder(const Integer& value, Limb word) {
  return size(value) == 1 ? limb(value) % word : mpz_fdiv_ui(value.get_mpz_t(), word);
}

/// Of a positive number and any other. No branch depends on which of two is the larger.
inline Limb divisor(Limb a, Limb b) {
  if (b == 0) return a;
  const int twos = std::countr_zero(a | b);
  a >>= std::countr_zero(a);
  do {
    b >>= std::countr_zero(b);
    const Limb less = std::min(a, b);
    b = a > b ? a - b : b - a;
    a = less;
  } while (b != 0);
  return a << twos;
}

/// What a word lacks of the least common multiple with a number, of which this is the remainder.
Limb missing(Limb word, Limb remainder) {
  const Limb common = divisor(word, remainder);
  return common == 1 ? word : word / common;
}

/// Requires positive numbers, the second a divisor of the first.
inline void set_quotient(Integer& result, const Integer& a, const Integer& b) {
  if (is_one(b))
    result = a;
  else if (equal(a, b))
    result = 1;
  else if (size(a) == 1)
    result = limb(a) / limb(b);
  else
    mpz_divexact(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}

/// The least common multiple with another one, of positive numbers.
void set_multiple(Integer& result, const Integer& other) {
  if (is_one(other) || equal(result, other)) return;
  if (is_one(result)) {
    result = other;
  } else if (size(other) == 1) {
    const Limb word = limb(other), rest = remainder(result, word);
    if (rest != 0) mpz_mul_ui(result.get_mpz_t(), result.get_mpz_t(), missing(word, rest));
  } else if (size(result) == 1) {
    const Limb word = limb(result), rest = remainder(other, word);
    mpz_mul_ui(result.get_mpz_t(), other.get_mpz_t(), missing(word, rest));
  } else {
    mpz_lcm(result.get_mpz_t(), result.get_mpz_t(), other.get_mpz_t());
  }
}

/// A positive number by which others are multiplied: a word as long as it fits, since GMP is slow
/// to multiply two of them.
class Factor {
 public:
  /// The number is overwritten when a word is not enough any more.
  explicit Factor(Integer& value) : word_(is_word(value) ? limb(value) : 0), large_(value) {}

  /// Less than 2^63, or 0 where it does not fit.
  Limb word() const { return word_; }
  const Limb* data() const { return word_ != 0 ? &word_ : mpz_limbs_read(large_.get_mpz_t()); }
  std::size_t size() const { return word_ != 0 ? 1 : mpz_size(large_.get_mpz_t()); }

  void multiply(const Integer& other) {
    if (!is_word(other))
      grow() *= other;
    else
      multiply(limb(other));
  }
  void multiply(const Integers& numbers, std::size_t i) {
    if (numbers.small())
      multiply(static_cast<Limb>(numbers.words()[i]));
    else
      multiply(numbers.large()[i]);
  }

 private:
  void multiply(Limb other) {
    Limb product = 0;
    if (word_ != 0 && !__builtin_mul_overflow(word_, other, &product) && product >> 63 == 0)
      word_ = product;
    else
      grow() *= other;
  }

  Integer& grow() {
    if (word_ != 0) large_ = word_;
    word_ = 0;
    return large_;
  }

  Limb word_;
  Integer& large_;
};

/// Keeps its memory from one region to the next.
class Exact {
 public:
  std::vector<Interval> integrals(std::span<const Polynomial> integrands, const Polytope& region,
                                  const FacePlan& plan) {
    dimension_ = region.dimension();
    const std::shared_ptr<const MomentTable> table = MomentTable::of(integrands, dimension_);
    table_ = table.get();
    plan_ = &plan;
    faces_ = plan.faces();
    // Downwards is faster, and more so in higher degrees, but for one integrand only.
    upwards_ = integrands.size() > 2;
    read_corners(region);

    if (functionals_.size() < integrands.size()) functionals_.resize(integrands.size());
    if (values_.size() < integrands.size()) values_.resize(integrands.size());
    find_denominators();
    if (upwards_) go_up();
    const std::size_t top = faces_.size() - 1;
    std::size_t count = 0, first_term = 0;
    units_.resize(integrands.size());
    for (std::size_t i = 0; i < integrands.size(); ++i) {
      std::vector<Vector>& functionals = functionals_[i];
      if (functionals.size() < faces_.size()) functionals.resize(faces_.size());
      functionals[top].reset(table->degree());
      units_[i] = start(integrands[i], first_term, functionals[top]);
      first_term += integrands[i].terms().size();
      if (upwards_) {
        count = 1;
        if (values_[i].empty()) values_[i].emplace_back();
        evaluate(functionals[top], values_[i][0]);
      } else {
        count = go_down(functionals, values_[i]);
      }
    }

    Integer factorial;
    mpz_fac_ui(factorial.get_mpz_t(), table->degree() + dimension_);
    std::vector<Interval> result;
    result.reserve(integrands.size());
    for (std::size_t i = 0; i < integrands.size(); ++i)
      result.emplace_back(add_up(std::span(values_[i]).first(count), factorial * units_[i]));
    return result;
  }

  /// How much of its memory the last region has used or left, in words.
  std::size_t capacity() const {
    std::size_t result = 0;
    for (std::size_t slot = 0; slot < std::min(plan_->slots(), series_.size()); ++slot)
      result += series_[slot].numbers.capacity();
    for (const std::vector<Vector>& functionals : functionals_)
      for (std::size_t f = 0; f < std::min(faces_.size(), functionals.size()); ++f)
        result += functionals[f].numbers.capacity();
    return result;
  }

 private:
  /// numerator / (apexes powers^M).
  struct Value {
    Integer numerator;
    Denominator denominator;
  };

  void read_corners(const Polytope& region) {
    corners_ = &region.corners();
    const std::size_t count = region.vertex_count();
    denominators_.resize(count);
    denominator_logs_.resize(count);
    lengths_.resize(count);
    sizes_.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
      const std::size_t first = v * (dimension_ + 1);
      if (corners_->small()) {
        const std::span<const std::int64_t> corner = corners_->words().subspan(first);
        denominators_[v] = static_cast<long>(corner[0]);
        double size = 0;
        for (std::size_t j = 1; j <= dimension_; ++j)
          size += std::abs(static_cast<double>(corner[j]));
        denominator_logs_[v] = log_below(denominators_[v]);
        lengths_[v] = size == 0 ? zero : log_above(size);
        sizes_[v] = lengths_[v] - denominator_logs_[v];
      } else {
        const std::span<const Integer> corner = corners_->large().subspan(first);
        denominators_[v] = corner[0];
        Integer size;
        for (std::size_t j = 1; j <= dimension_; ++j) size += abs(corner[j]);
        denominator_logs_[v] = log_below(denominators_[v]);
        lengths_[v] = size == 0 ? zero : log_above(size);
        sizes_[v] = lengths_[v] - denominator_logs_[v];
      }
    }
    if (corners_->small()) return;
    corner_width_ = 1;
    for (const Integer& entry : corners_->large())
      corner_width_ = std::max(corner_width_, size(entry) + 1);
    large_corners_.resize(corner_width_ * corners_->size());
    for (std::size_t i = 0; i < corners_->size(); ++i)
      limbs::store(&large_corners_[i * corner_width_], corner_width_, corners_->large()[i]);
  }

  double weight_log(std::size_t i) const {
    return plan_->weights().small() ? log_above(static_cast<double>(plan_->weights().words()[i]))
                                    : log_above(plan_->weights().large()[i]);
  }
  /// Of the functionals: `apexes` before the face itself is pulled, `powers` afterwards.
  void find_denominators() {
    if (functional_denominators_.size() < faces_.size())
      functional_denominators_.resize(faces_.size());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      functional_denominators_[f].apexes = 1;
      functional_denominators_[f].powers = 1;
    }
    if (upwards_) return;
    for (std::size_t f = faces_.size(); f-- > 0;) {
      const FacePlan::Face& face = faces_[f];
      Denominator& own = functional_denominators_[f];
      if (table_->degree() > 0) set_multiple(own.powers, denominators_[face.apex]);
      own.pulled = own.apexes * denominators_[face.apex];
      for (std::size_t i = face.first; i < face.last; ++i) {
        Denominator& part = functional_denominators_[plan_->part(i)];
        set_multiple(part.powers, own.powers);
        set_multiple(part.apexes, own.pulled);
      }
    }
  }

  /// The functional of an integrand, times (M+n)! and what is returned, a common denominator of
  /// its coefficients: that of x^m is m! (M+n)!/(|m|+n)!.
  Integer start(const Polynomial& integrand, std::size_t first_term, Vector& functional) {
    Integer common = 1;
    for (const Polynomial::Term& term : integrand.terms())
      set_multiple(common, term.coefficient.get_den());

    const Denominator& denominator = functional_denominators_[faces_.size() - 1];
    scales_.resize(table_->degree() + 1);
    scales_[table_->degree()] = 1;
    for (unsigned k = table_->degree(); k-- > 0;)
      scales_[k] = scales_[k + 1] * (k + 1 + dimension_) * denominator.powers;

    const std::size_t count = integrand.terms().size();
    if (entries_.size() < count) entries_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Polynomial::Term& term = integrand.terms()[i];
      const unsigned k = degree(term.monomial);
      Integer& entry = entries_[i];
      entry = term.coefficient.get_num() * table_->factorial(table_->terms()[first_term + i]);
      entry *= scales_[k];
      if (!is_one(common)) entry *= common / term.coefficient.get_den();
      double& bound = functional.degrees[k].bound;
      bound = std::max(bound, log_above(entry));
    }
    const double powers = log_below(denominator.powers);
    for (unsigned k = 0; k < table_->degree(); ++k)
      functional.degrees[k].bound -= powers * (table_->degree() - k);
    if (!upwards_) pull_bounds(functional, faces_.back().apex);
    functional.allocate(*table_, denominator, true);
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned k = degree(integrand.terms()[i].monomial);
      limbs::store(functional.entry(k, table_->terms()[first_term + i]),
                   functional.degrees[k].width, entries_[i]);
    }
    constexpr std::size_t many = 4096;  // not worth keeping for the next region
    if (entries_.size() > many) entries_ = std::vector<Integer>();
    return common;
  }

  /// What `pull` does to the bounds of a functional.
  void pull_bounds(Vector& functional, std::size_t apex) const {
    for (unsigned k = table_->degree(); k-- > 0;) {
      double& bound = functional.degrees[k].bound;
      bound = log_sum(bound, functional.degrees[k + 1].bound + sizes_[apex]);
    }
  }

  /// The functional at every face from that of the region, and its values at the vertices, of
  /// which it returns the number.
  std::size_t go_down(std::vector<Vector>& functionals, std::vector<Value>& values) {
    for (std::size_t f = 0; f + 1 < faces_.size(); ++f) functionals[f].reset(table_->degree());
    for (std::size_t f = faces_.size(); f-- > 0;) {
      const FacePlan::Face& face = faces_[f];
      Vector& own = functionals[f];
      if (f + 1 < faces_.size()) pull_bounds(own, face.apex);
      for (std::size_t i = face.first; i < face.last; ++i) {
        Vector& part = functionals[plan_->part(i)];
        const double weight = weight_log(i) - denominator_logs_[face.apex];
        for (unsigned k = 0; k <= table_->degree(); ++k)
          part.degrees[k].bound = log_sum(part.degrees[k].bound, own.degrees[k].bound + weight);
      }
    }
    Descent descent{*this, functionals, values};
    walk_down(*plan_, descent);
    return descent.count;
  }

  /// What `walk_down` asks for.
  struct Descent {
    Exact& exact;
    std::vector<Vector>& functionals;
    std::vector<Value>& values;
    std::size_t count = 0;

    void pull(std::size_t f) { exact.pull(functionals[f], f); }
    void take(std::size_t f) {
      if (values.size() == count) values.emplace_back();
      Value& value = values[count++];
      Vector& own = functionals[f];
      limbs::load(value.numerator, own.entry(0, 0), own.degrees[0].width);
      value.denominator.apexes = exact.functional_denominators_[f].pulled;
      value.denominator.powers = exact.functional_denominators_[f].powers;
    }
    void hand_down(std::size_t f, std::size_t i) {
      Vector& own = functionals[f];
      exact.hand_down(own, functionals[exact.plan_->part(i)], f, i);
      constexpr std::size_t large = 1 << 14;  // not worth keeping for the next region
      if (i + 1 == exact.faces_[f].last && own.numbers.size() > large)
        own.numbers = std::vector<Limb>();
    }
  };

  void hand_down(const Vector& own, Vector& part, std::size_t f, std::size_t i) {
    const Denominator& part_denominator = functional_denominators_[plan_->part(i)];
    if (!part.allocated) part.allocate(*table_, part_denominator, true);
    set_quotient(factor_, part_denominator.apexes, functional_denominators_[f].pulled);
    set_quotient(ratio_, part_denominator.powers, functional_denominators_[f].powers);
    Factor factor(factor_);
    factor.multiply(plan_->weights(), i);
    const bool grows = !is_one(ratio_);
    for (unsigned k = table_->degree() + 1; k-- > 0;) {
      add_multiple(part, own, k, factor);
      if (k > 0 && grows) factor.multiply(ratio_);
    }
  }

  /// target += factor * other, in one degree.
  void add_multiple(Vector& target, const Vector& other, unsigned k, const Factor& factor) const {
    const std::size_t width = target.degrees[k].width, other_width = other.degrees[k].width;
    const std::size_t begin = table_->start(k), count = table_->start(k + 1) - begin;
    Limb* to = target.entry(k, begin);
    const Limb* from = other.entry(k, begin);
    limbs::with_width(width, [&](auto constant) {
      constexpr std::size_t fixed = decltype(constant)::value;
      if constexpr (fixed > 0) {
        if (const Limb word = factor.word(); word != 0) {
          if (width == other_width)
            for (std::size_t m = 0; m < count; ++m, to += fixed, from += fixed)
              limbs::add_product<fixed>(to, from, static_cast<std::int64_t>(word));
          else if (fixed == 2 && other_width == 1)
            for (std::size_t m = 0; m < count; ++m, to += 2, ++from)
              limbs::add_pair(to, *from, static_cast<std::int64_t>(word));
          else if (fixed == 1)
            for (std::size_t m = 0; m < count; ++m, ++to, from += other_width)
              limbs::add_product<1>(to, from, static_cast<std::int64_t>(word));
          else
            for (std::size_t m = 0; m < count; ++m, to += fixed, from += other_width)
              limbs::add_word_product(to, fixed, from, std::min(fixed, other_width), word);
          return;
        }
      }
      for (std::size_t m = 0; m < count; ++m, to += width, from += other_width) {
        if constexpr (fixed == 0)
          limbs::add_product(to, width, from, other_width, factor.data(), factor.size());
        else
          limbs::add_product<fixed>(to, from, other_width, factor.data(), factor.size());
      }
    });
  }

  /// p of a vertex, as words or as numbers of a common width.
  struct Coordinates {
    const std::int64_t* words;
    const Limb* large;
    std::size_t large_width;

    /// target += p_j * number, both of one width.
    template <std::size_t fixed>
    void add_product(Limb* target, const Limb* number, std::size_t width, std::size_t j) const {
      if (words == nullptr)
        limbs::add_signed_product(target, width, number, width, large + j * large_width,
                                  large_width);
      else if constexpr (fixed == 0)
        limbs::add_product(target, width, number, width, words[j]);
      else
        limbs::add_product<fixed>(target, number, words[j]);
    }
  };

  Coordinates coordinates(std::size_t v) const {
    const std::size_t first = v * (dimension_ + 1) + 1;
    if (corners_->small()) return {corners_->words().data() + first, nullptr, 0};
    return {nullptr, large_corners_.data() + first * corner_width_, corner_width_};
  }

  /// functional[m] += sum over j of x_j functional[m + e_j], x the apex.
  void pull(Vector& functional, std::size_t f) {
    const std::size_t apex = faces_[f].apex;
    if (sizes_[apex] == zero || table_->degree() == 0) return;
    set_quotient(ratio_, functional_denominators_[f].powers, denominators_[apex]);
    const Coordinates point = coordinates(apex);
    const MomentTable::Step* rise = table_->rises().data() + table_->rises().size();
    for (unsigned k = table_->degree(); k-- > 0;) {
      const Vector::Degree &here = functional.degrees[k], &above = functional.degrees[k + 1];
      const std::size_t width = std::min(here.width, words_for(above.bits + lengths_[apex]));
      const std::size_t next = table_->start(k + 1), count = table_->start(k + 2) - next;
      const Limb* numbers = functional.entry(k + 1, next);
      const bool pairs = width == 2 && above.width == 1 && point.words != nullptr;
      if (above.width != width && !pairs) {
        scratch_.resize(count * width);
        for (std::size_t i = 0; i < count; ++i)
          limbs::extend(&scratch_[i * width], width, numbers + i * above.width, above.width);
        numbers = scratch_.data();
      }
      const auto add_up = [&](auto constant, auto&& add) {
        sum_up<decltype(constant)::value>(functional, k, width, rise, add);
      };
      if (pairs)
        add_up(std::integral_constant<std::size_t, 2>(),
               [=, words = point.words](Limb* sum, const MomentTable::Step& step) {
                 limbs::add_pair(sum, numbers[step.target - next], words[step.coordinate]);
               });
      else
        limbs::with_width(width, [&](auto constant) {
          constexpr std::size_t fixed = decltype(constant)::value;
          if constexpr (fixed > 0)
            if (point.words != nullptr)
              return add_up(constant,
                            [=, words = point.words](Limb* sum, const MomentTable::Step& step) {
                              limbs::add_product<fixed>(sum, numbers + (step.target - next) * fixed,
                                                        words[step.coordinate]);
                            });
          add_up(std::integral_constant<std::size_t, 0>(),
                 [&](Limb* sum, const MomentTable::Step& step) {
                   point.add_product<0>(sum, numbers + (step.target - next) * width, width,
                                        step.coordinate);
                 });
        });
    }
  }

  /// The entries of degree k in `pull`, by sums of so many words that `add` adds up.
  template <std::size_t fixed, class Add>
  void sum_up(Vector& functional, unsigned k, std::size_t width, const MomentTable::Step*& last,
              Add add) const {
    const MomentTable::Step* const begin = table_->rises().data();
    const MomentTable::Step* rise = last;
    const std::size_t own_width = functional.degrees[k].width;
    const bool word = is_word(ratio_);
    const Limb ratio = limb(ratio_);
    std::vector<Limb> room(fixed > 0 ? 0 : width);
    Limb* entry = functional.entry(k, table_->start(k + 1));
    for (std::size_t m = table_->start(k + 1); m-- > table_->start(k);) {
      entry -= own_width;
      Limb numbers[fixed > 0 ? fixed : 1] = {};
      Limb* const sum = fixed > 0 ? numbers : room.data();
      if constexpr (fixed == 0) std::fill(room.begin(), room.end(), 0);
      for (; rise != begin && rise[-1].source == m; --rise) add(sum, rise[-1]);
      if (word)
        limbs::add_word_product(entry, own_width, sum, fixed > 0 ? fixed : width, ratio);
      else
        limbs::add_product(entry, own_width, sum, width, data(ratio_), size(ratio_));
    }
    last = rise;
  }

  void go_up() {
    if (series_.size() < plan_->slots()) {
      series_.resize(plan_->slots());
      series_denominators_.resize(plan_->slots());
    }
    for (const FacePlan::Face& face : faces_) combine(face);
  }

  /// The series of a face from those of its parts.
  void combine(const FacePlan::Face& face) {
    Vector& own = series_[face.slot];
    Denominator& denominator = series_denominators_[face.slot];
    denominator.powers = 1;
    if (table_->degree() > 0) denominator.powers = denominators_[face.apex];
    denominator.apexes = 1;
    own.reset(table_->degree());
    if (face.first == face.last) own.degrees[0].bound = -denominator_logs_[face.apex];
    for (std::size_t i = face.first; i < face.last; ++i) {
      const std::size_t slot = faces_[plan_->part(i)].slot;
      set_multiple(denominator.powers, series_denominators_[slot].powers);
      set_multiple(denominator.apexes, series_denominators_[slot].apexes);
      const double weight = weight_log(i) - denominator_logs_[face.apex];
      for (unsigned k = 0; k <= table_->degree(); ++k)
        own.degrees[k].bound =
            log_sum(own.degrees[k].bound, series_[slot].degrees[k].bound + weight);
    }
    for (unsigned k = 1; k <= table_->degree(); ++k)
      own.degrees[k].bound =
          log_sum(own.degrees[k].bound, own.degrees[k - 1].bound + sizes_[face.apex]);
    power_ = denominator.apexes;
    denominator.apexes *= denominators_[face.apex];
    own.allocate(*table_, denominator, false);

    if (face.first == face.last) own.entry(0, 0)[0] = 1;
    for (std::size_t i = face.first; i < face.last; ++i) {
      const std::size_t slot = faces_[plan_->part(i)].slot;
      set_quotient(factor_, power_, series_denominators_[slot].apexes);
      set_quotient(ratio_, denominator.powers, series_denominators_[slot].powers);
      Factor factor(factor_);
      factor.multiply(plan_->weights(), i);
      const bool grows = !is_one(ratio_);
      for (unsigned k = 0; k <= table_->degree(); ++k) {
        add_multiple(own, series_[slot], k, factor);
        if (k < table_->degree() && grows) factor.multiply(ratio_);
      }
    }
    divide(own, denominator, face.apex);
  }

  /// series[m] += sum over j of x_j series[m - e_j], x the apex.
  void divide(Vector& series, const Denominator& denominator, std::size_t apex) {
    if (sizes_[apex] == zero || table_->degree() == 0) return;
    set_quotient(ratio_, denominator.powers, denominators_[apex]);
    const Coordinates point = coordinates(apex);
    auto step = table_->steps().begin();
    for (unsigned k = 1; k <= table_->degree(); ++k) {
      const std::size_t width = series.degrees[k].width, before = table_->start(k - 1);
      scratch_.assign((table_->start(k) - before) * width, 0);
      limbs::with_width(width, [&](auto constant) {
        constexpr std::size_t fixed = decltype(constant)::value;
        for (std::size_t m = before; m < table_->start(k); ++m) {
          Limb* const to = &scratch_[(m - before) * width];
          const Limb* const from = series.entry(k - 1, m);
          const std::size_t from_width = series.degrees[k - 1].width;
          if constexpr (fixed == 0)
            limbs::add_product(to, width, from, from_width, data(ratio_), size(ratio_));
          else
            limbs::add_product<fixed>(to, from, from_width, data(ratio_), size(ratio_));
        }
        for (; step != table_->steps().end() && step->target < table_->start(k + 1); ++step)
          point.template add_product<fixed>(series.entry(k, step->target),
                                            &scratch_[(step->source - before) * width], width,
                                            step->coordinate);
      });
    }
  }

  /// The functional of the region, at its series.
  void evaluate(const Vector& functional, Value& result) {
    const Vector& series = series_[faces_.back().slot];
    const Denominator& below = series_denominators_[faces_.back().slot];
    const Denominator& above = functional_denominators_[faces_.size() - 1];
    result.denominator.apexes = above.apexes * below.apexes;
    result.denominator.powers = above.powers;
    set_multiple(result.denominator.powers, below.powers);
    set_quotient(factor_, result.denominator.powers, above.powers);
    set_quotient(ratio_, result.denominator.powers, below.powers);
    result.numerator = 0;
    power_ = 1;
    for (unsigned k = 0; k <= table_->degree(); ++k) {
      const std::size_t width = functional.degrees[k].width, other = series.degrees[k].width;
      scratch_.assign(width + other + 1, 0);
      for (std::size_t m = table_->start(k); m < table_->start(k + 1); ++m)
        limbs::add_signed_product(scratch_.data(), scratch_.size(), functional.entry(k, m), width,
                                  series.entry(k, m), other);
      limbs::load(sum_, scratch_.data(), scratch_.size());
      if (k > 0) result.numerator *= factor_;
      mpz_addmul(result.numerator.get_mpz_t(), power_.get_mpz_t(), sum_.get_mpz_t());
      if (k < table_->degree()) power_ *= ratio_;
    }
  }

  Rational add_up(std::span<const Value> values, const Integer& divisor) {
    all_.apexes = all_.powers = 1;
    for (const Value& value : values) set_multiple(all_.apexes, value.denominator.apexes);
    if (table_->degree() > 0)
      for (const Integer& denominator : denominators_) set_multiple(all_.powers, denominator);
    sum_ = 0;
    for (const Value& value : values) {
      set_quotient(factor_, all_.apexes, value.denominator.apexes);
      if (table_->degree() > 0) {
        set_quotient(ratio_, all_.powers, value.denominator.powers);
        if (table_->degree() > 1)
          mpz_pow_ui(ratio_.get_mpz_t(), ratio_.get_mpz_t(), table_->degree());
        factor_ *= ratio_;
      }
      mpz_addmul(sum_.get_mpz_t(), value.numerator.get_mpz_t(), factor_.get_mpz_t());
    }
    Rational result;
    result.get_num() = sum_ * plan_->scale();
    mpz_pow_ui(ratio_.get_mpz_t(), all_.powers.get_mpz_t(), table_->degree());
    ratio_ *= all_.apexes;
    result.get_den() = ratio_ * divisor;
    result.canonicalize();
    return result;
  }

  std::size_t dimension_ = 0;
  const MomentTable* table_ = nullptr;
  const FacePlan* plan_ = nullptr;
  std::span<const FacePlan::Face> faces_;
  bool upwards_ = false;
  const Integers* corners_ = nullptr;
  std::vector<Integer> denominators_;     // of the vertices
  std::vector<double> denominator_logs_;  // from below
  std::vector<double> lengths_;           // bounds on log(|p_1| + ... + |p_n|), (q, p) a vertex
  std::vector<double> sizes_;             // likewise with p/q
  std::size_t corner_width_ = 0;
  std::vector<Limb> large_corners_;
  std::vector<std::vector<Vector>> functionals_;      // by integrand and face
  std::vector<Denominator> functional_denominators_;  // by face
  std::vector<Vector> series_;                        // by slot
  std::vector<Denominator> series_denominators_;      // likewise
  std::vector<Limb> scratch_;
  std::vector<std::vector<Value>> values_;  // by integrand; they add up to the integral
  std::vector<Integer> units_;              // by integrand
  std::vector<Integer> scales_, entries_;   // scratch of `start`, by degree and by term
  Integer factor_, ratio_, power_, sum_;
  Denominator all_;  // of all values
};

class FaceLattice : public Integrator {
 public:
  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    if (region.flat()) return std::vector<Interval>(integrands.size());
    return integrate_faces(integrands, region, FacePlan(region));
  }
};

}  // namespace

std::vector<Interval> integrate_faces(std::span<const Polynomial> integrands,
                                      const Polytope& region, const FacePlan& plan) {
  constexpr std::size_t kept = 1 << 21;
  thread_local Exact exact;
  std::vector<Interval> result = exact.integrals(integrands, region, plan);
  if (exact.capacity() > kept) exact = Exact();
  return result;
}

std::unique_ptr<Integrator> make_face_lattice(const IntegratorOptions&) {
  return std::make_unique<FaceLattice>();
}

}  // namespace wmi
