// Affine forms as integers over a common denominator odd * 2^exponent. Networks have floats for
// weights, so the odd part is 1, or comes from decimals in the input; a product of tensors
// multiplies the denominators, and a sum takes the larger power of 2. Nothing is ever reduced: the
// exponent grows by that of the weights with every layer, as that of the reduced sums does too.
//
// The product of matrices, where nearly all of the time goes, adds up products of limbs in two's
// complement, in accumulators wide enough for all sums: no sign or length is looked at before the
// end.

#include "encoders/affine_tensor.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "encoders/algebra.h"

namespace wmi::encoders {
namespace {

constexpr std::size_t limb_bits = 64;
static_assert(GMP_NUMB_BITS == limb_bits && sizeof(mp_limb_t) == 8);

/// Denominators, odd * 2^exponent, of more bits than this are left to polynomials.
constexpr std::size_t most_denominator_bits = std::size_t{1} << 20;

std::size_t bits(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

/// A view of limbs as a GMP integer.
struct View {
  explicit View(const AffineTensor::Term& term) { mpz_roinit_n(raw, term.limbs, term.size); }
  mpz_t raw;
};

/// odd * 2^exponent.
struct Denominator {
  Integer odd = 1;
  std::size_t exponent = 0;

  static Denominator of(const Integer& number) {
    Denominator result;
    result.exponent = mpz_scan1(number.get_mpz_t(), 0);
    result.odd = number >> result.exponent;
    return result;
  }
  /// Makes it a multiple of the other.
  void include(const Denominator& other) {
    exponent = std::max(exponent, other.exponent);
    if (odd != other.odd && mpz_divisible_p(odd.get_mpz_t(), other.odd.get_mpz_t()) == 0)
      odd = lcm(odd, other.odd);
  }
  std::size_t size() const { return exponent + bits(odd); }
};

/// The integer that takes numbers over one denominator to numbers over a multiple of it.
struct Factor {
  Factor(const Denominator& from, const Denominator& to)
      : odd(to.odd / from.odd), shift(to.exponent - from.exponent) {}
  Factor(const Denominator& to, const Integer& denominator)
      : Factor(Denominator::of(denominator), to) {}

  void apply(Integer& number) const {
    if (odd != 1) number *= odd;
    number <<= shift;
  }

  Integer odd;
  std::size_t shift;
};

}  // namespace

/// Lists of terms with their limbs. Row 0 is the form 0.
class AffineTensor::Rows {
 public:
  Rows() : ends_{0} {}

  void add(std::uint32_t key, mpz_srcptr number) {
    if (mpz_sgn(number) == 0) return;
    add(key, mpz_limbs_read(number), mpz_size(number), mpz_sgn(number) < 0);
  }
  void add(std::uint32_t key, const mp_limb_t* limbs, std::size_t length, bool negative) {
    while (length > 0 && limbs[length - 1] == 0) --length;
    if (length == 0) return;
    const auto size = static_cast<std::int32_t>(length);
    terms_.push_back({key, negative ? -size : size, nullptr});
    limbs_.insert(limbs_.end(), limbs, limbs + length);
  }
  /// Ends the row; returns its number.
  std::uint32_t end() {
    if (terms_.size() == ends_.back()) return 0;
    ends_.push_back(terms_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  /// After the last row.
  std::shared_ptr<const Rows> finish() && {
    limbs_.shrink_to_fit();
    terms_.shrink_to_fit();
    const mp_limb_t* next = limbs_.data();
    for (Term& term : terms_) {
      term.limbs = next;
      next += term.length();
    }
    return std::make_shared<const Rows>(std::move(*this));
  }

  std::span<const Term> row(std::uint32_t number) const {
    if (number == 0) return {};
    return std::span(terms_).subspan(ends_[number - 1], ends_[number] - ends_[number - 1]);
  }

 private:
  std::vector<std::size_t> ends_;
  std::vector<Term> terms_;
  std::vector<mp_limb_t> limbs_;
};

AffineTensor::AffineTensor(Shape shape, std::shared_ptr<const Rows> rows,
                           std::vector<std::uint32_t> numbers, Integer odd, std::size_t exponent)
    : shape_(std::move(shape)),
      stored_(std::move(rows)),
      rows_(std::move(numbers)),
      odd_(std::move(odd)),
      exponent_(exponent) {}

namespace {

/// The common denominator of numbers, unless numbers over it would be much longer than they are.
class CommonDenominator {
 public:
  void add(const Rational& number) {
    if (sgn(number) == 0) return;
    const std::size_t below = bits(number.get_den());
    own_ += (bits(number.get_num()) + below) / limb_bits + 1;
    numerators_ += bits(number.get_num());
    denominators_ += below;
    ++count_;
    longest_ = std::max(longest_, below);
    if (!too_long_) found_.include(Denominator::of(number.get_den()));
    too_long_ = too_long_ || found_.size() > 4 * longest_ + 256;
  }
  std::optional<Denominator> found() const {
    if (too_long_ || found_.size() > most_denominator_bits) return std::nullopt;
    // Each number becomes longer by the missing part of its denominator.
    const std::size_t limbs =
        (numerators_ + count_ * found_.size() - denominators_) / limb_bits + count_;
    if (limbs > 16 * own_ + (std::size_t{1} << 16)) return std::nullopt;
    return found_;
  }

 private:
  Denominator found_;
  std::size_t own_ = 0, numerators_ = 0, denominators_ = 0, count_ = 0, longest_ = 0;
  bool too_long_ = false;
};

Integer over(const Rational& number, const Denominator& denominator) {
  Integer result = number.get_num();
  if (denominator.odd == 1)  // so the number's denominator is a power of 2
    result <<= denominator.exponent - mpz_scan1(number.get_den_mpz_t(), 0);
  else
    Factor(denominator, number.get_den()).apply(result);
  return result;
}

/// Fewer than the row numbers can count.
bool too_many(std::size_t entries) { return entries >= std::numeric_limits<std::uint32_t>::max(); }

}  // namespace

std::optional<AffineTensor> AffineTensor::make(const Tensor<Polynomial>& polynomials) {
  CommonDenominator common;
  for (const Polynomial& entry : polynomials.entries)
    for (const Polynomial::Term& term : entry.terms()) {
      if (degree(term.monomial) > 1) return std::nullopt;
      common.add(term.coefficient);
    }
  const std::optional<Denominator> denominator = common.found();
  if (!denominator || too_many(polynomials.size())) return std::nullopt;
  Rows rows;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(polynomials.size());
  for (const Polynomial& entry : polynomials.entries) {
    for (const Polynomial::Term& term : entry.terms())
      rows.add(term.monomial.empty() ? 0 : term.monomial[0].variable + 1,
               over(term.coefficient, *denominator).get_mpz_t());
    numbers.push_back(rows.end());
  }
  return AffineTensor(polynomials.shape, std::move(rows).finish(), std::move(numbers),
                      denominator->odd, denominator->exponent);
}

std::optional<AffineTensor> AffineTensor::make(
    const Tensor<Rational>& tensor, std::span<const std::pair<std::size_t, Variable>> unknowns) {
  CommonDenominator common;
  for (const Rational& entry : tensor.entries) common.add(entry);
  const std::optional<Denominator> denominator = common.found();
  if (!denominator || too_many(tensor.size())) return std::nullopt;
  Rows rows;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(tensor.size());
  for (const Rational& entry : tensor.entries) {
    rows.add(0, over(entry, *denominator).get_mpz_t());
    numbers.push_back(rows.end());
  }
  const Integer one = denominator->odd << denominator->exponent;
  for (const auto& [entry, variable] : unknowns) {
    rows.add(variable + 1, one.get_mpz_t());
    numbers[entry] = rows.end();
  }
  return AffineTensor(tensor.shape, std::move(rows).finish(), std::move(numbers), denominator->odd,
                      denominator->exponent);
}

AffineTensor AffineTensor::zeros(const Shape& shape) {
  return {shape, Rows().finish(), std::vector<std::uint32_t>(entry_count(shape)), 1, 0};
}

std::span<const AffineTensor::Term> AffineTensor::terms(std::size_t entry) const {
  return stored_->row(rows_[entry]);
}

bool AffineTensor::constant(std::size_t entry) const {
  const std::span<const Term> row = terms(entry);
  return row.empty() || (row.size() == 1 && row[0].key == 0);
}

Polynomial AffineTensor::polynomial(std::size_t entry) const {
  std::vector<Polynomial::Term> result;
  result.reserve(terms(entry).size());
  for (const Term& term : terms(entry)) {
    Polynomial::Term& made = result.emplace_back();
    if (term.key > 0) made.monomial.push_back({term.key - 1, 1});
    Integer numerator(View(term).raw);
    const std::size_t common = std::min(mpz_scan1(numerator.get_mpz_t(), 0), exponent_);
    numerator >>= common;
    Integer denominator = odd_ << (exponent_ - common);
    if (odd_ == 1) {
      made.coefficient.get_num() = std::move(numerator);
      made.coefficient.get_den() = std::move(denominator);
    } else {
      made.coefficient = ratio(numerator, denominator);
    }
  }
  return Polynomial(std::move(result));
}

Tensor<Polynomial> AffineTensor::polynomials() const {
  Tensor<Polynomial> result{shape_, {}};
  result.entries.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.entries.push_back(polynomial(i));
  return result;
}

AffineTensor AffineTensor::gather(const std::vector<std::size_t>& entries,
                                  const Shape& shape) const {
  std::vector<std::uint32_t> numbers(entry_count(shape));
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i] != nothing) numbers.at(i) = rows_.at(entries[i]);
  return {shape, stored_, std::move(numbers), odd_, exponent_};
}

std::optional<AffineTensor> AffineTensor::scaled(const Rational& factor) const {
  if (factor == 0) return zeros(shape_);
  const Denominator by = Denominator::of(factor.get_den());
  const Denominator denominator{odd_ * by.odd, exponent_ + by.exponent};
  if (denominator.size() > most_denominator_bits) return std::nullopt;
  if (factor.get_num() == 1)
    return AffineTensor(shape_, stored_, rows_, denominator.odd, denominator.exponent);
  Rows rows;
  std::vector<std::uint32_t> numbers(size());
  Integer number;
  for (std::size_t i = 0; i < size(); ++i) {
    for (const Term& term : terms(i)) {
      mpz_mul(number.get_mpz_t(), View(term).raw, factor.get_num_mpz_t());
      rows.add(term.key, number.get_mpz_t());
    }
    numbers[i] = rows.end();
  }
  return AffineTensor(shape_, std::move(rows).finish(), std::move(numbers), denominator.odd,
                      denominator.exponent);
}

std::optional<AffineTensor> AffineTensor::assembled(
    std::span<const AffineTensor* const> sources,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& choice, const Shape& shape) {
  Denominator denominator;
  for (const AffineTensor* const source : sources)
    denominator.include({source->odd_, source->exponent_});
  if (denominator.size() > most_denominator_bits) return std::nullopt;
  std::vector<Factor> factors;
  for (const AffineTensor* const source : sources)
    factors.emplace_back(Denominator{source->odd_, source->exponent_}, denominator);
  Rows rows;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(choice.size());
  Integer number;
  for (const auto& [source, entry] : choice) {
    const Factor& factor = factors[source];
    for (const Term& term : sources[source]->terms(entry)) {
      if (factor.odd == 1 && factor.shift == 0) {
        rows.add(term.key, term.limbs, term.length(), term.size < 0);
        continue;
      }
      mpz_set(number.get_mpz_t(), View(term).raw);
      factor.apply(number);
      rows.add(term.key, number.get_mpz_t());
    }
    numbers.push_back(rows.end());
  }
  return AffineTensor(shape, std::move(rows).finish(), std::move(numbers), denominator.odd,
                      denominator.exponent);
}

std::optional<AffineTensor> sum(const AffineTensor& x, const AffineTensor& y) {
  const Denominator of_x{x.odd_, x.exponent_}, of_y{y.odd_, y.exponent_};
  Denominator denominator = of_x;
  denominator.include(of_y);
  if (denominator.size() > most_denominator_bits) return std::nullopt;
  const Factor from_x(of_x, denominator), from_y(of_y, denominator);
  AffineTensor::Rows rows;
  std::vector<std::uint32_t> numbers(x.size());
  Integer number, other;
  for (std::size_t entry = 0; entry < x.size(); ++entry) {
    const auto a = x.terms(entry), b = y.terms(entry);
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
      const bool take_a = j == b.end() || (i != a.end() && i->key <= j->key);
      const bool take_b = i == a.end() || (j != b.end() && j->key <= i->key);
      const std::uint32_t key = take_a ? i->key : j->key;
      if (take_a) {
        mpz_set(number.get_mpz_t(), View(*i++).raw);
        from_x.apply(number);
      }
      if (take_b) {
        mpz_set(other.get_mpz_t(), View(*j++).raw);
        from_y.apply(other);
        number = take_a ? Integer(number + other) : other;
      }
      rows.add(key, number.get_mpz_t());
    }
    numbers[entry] = rows.end();
  }
  return AffineTensor(x.shape_, std::move(rows).finish(), std::move(numbers), denominator.odd,
                      denominator.exponent);
}

std::optional<AffineTensor> product(const AffineTensor& x, const AffineTensor& y) {
  const Denominator denominator{x.odd_ * y.odd_, x.exponent_ + y.exponent_};
  if (denominator.size() > most_denominator_bits) return std::nullopt;
  AffineTensor::Rows rows;
  std::vector<std::uint32_t> numbers(x.size());
  Integer number;
  for (std::size_t entry = 0; entry < x.size(); ++entry) {
    auto form = x.terms(entry), factor = y.terms(entry);
    if (form.empty() || factor.empty()) continue;
    if (!y.constant(entry)) std::swap(form, factor);
    if (factor.size() != 1 || factor[0].key != 0) return std::nullopt;
    for (const AffineTensor::Term& term : form) {
      mpz_mul(number.get_mpz_t(), View(term).raw, View(factor[0]).raw);
      rows.add(term.key, number.get_mpz_t());
    }
    numbers[entry] = rows.end();
  }
  return AffineTensor(x.shape_, std::move(rows).finish(), std::move(numbers), denominator.odd,
                      denominator.exponent);
}

namespace {

/// Adds a product to a number of `width` limbs in two's complement, modulo 2^(64 width). The
/// number has at least as many limbs as the product.
void add_product(mp_limb_t* number, std::size_t width, const AffineTensor::Term& a,
                 const AffineTensor::Term& b) {
  const AffineTensor::Term &longer = a.length() >= b.length() ? a : b,
                           &shorter = a.length() >= b.length() ? b : a;
  const std::size_t length = longer.length();
  const bool negative = (a.size < 0) != (b.size < 0);
  for (std::size_t i = 0; i < shorter.length(); ++i) {
    mp_limb_t* const at = number + i;
    const auto n = static_cast<mp_size_t>(length);
    mp_limb_t carry = negative ? mpn_submul_1(at, longer.limbs, n, shorter.limbs[i])
                               : mpn_addmul_1(at, longer.limbs, n, shorter.limbs[i]);
    for (std::size_t k = i + length; carry != 0 && k < width; ++k) {
      const mp_limb_t before = number[k];
      number[k] = negative ? before - carry : before + carry;
      carry = (negative ? before < carry : number[k] < before) ? 1 : 0;
    }
  }
}

std::size_t longest(const AffineTensor& tensor) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < tensor.size(); ++i)
    for (const AffineTensor::Term& term : tensor.terms(i)) result = std::max(result, term.length());
  return result;
}

/// Places for the keys of forms, in ascending order.
class Places {
 public:
  void clear() {
    for (const std::uint32_t key : keys_) place_[key] = none;
    keys_.clear();
  }
  void include(std::span<const AffineTensor::Term> form) {
    for (const AffineTensor::Term& term : form) {
      if (term.key >= place_.size()) place_.resize(term.key + 1, none);
      if (place_[term.key] != none) continue;
      place_[term.key] = 0;
      keys_.push_back(term.key);
    }
  }
  void sort() {
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < keys_.size(); ++i) place_[keys_[i]] = static_cast<std::uint32_t>(i);
  }
  std::uint32_t operator[](std::uint32_t key) const { return place_[key]; }
  const std::vector<std::uint32_t>& keys() const { return keys_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place_, keys_;
};

}  // namespace

std::optional<AffineTensor> matrix_product(const AffineTensor& x, const AffineTensor& y) {
  const std::size_t m = x.shape_[0], k = x.shape_[1], n = y.shape_[1];
  const Denominator denominator{x.odd_ * y.odd_, x.exponent_ + y.exponent_};
  if (denominator.size() > most_denominator_bits || too_many(entry_count({m, n})))
    return std::nullopt;
  // A sum of k products of p and q limbs is below k * 2^(64 (p + q)); one limb more for k, and its
  // highest bit, or that of yet another one, is free for the sign: k < 2^63.
  const std::size_t width = longest(x) + longest(y) + 1;
  AffineTensor::Rows rows;
  std::vector<std::uint32_t> numbers(m * n);
  Places places;
  std::vector<mp_limb_t> sums;
  std::vector<std::pair<std::size_t, std::span<const AffineTensor::Term>>> column;  // not zero
  for (std::size_t j = 0; j < n; ++j) {
    column.clear();
    places.clear();
    for (std::size_t l = 0; l < k; ++l) {
      const std::span<const AffineTensor::Term> form = y.terms(l * n + j);
      if (form.empty()) continue;
      column.emplace_back(l, form);
      places.include(form);
    }
    for (const auto& [l, form] : column)
      for (std::size_t i = 0; i < m; ++i)
        if (!x.constant(i * k + l)) places.include(x.terms(i * k + l));
    places.sort();
    for (std::size_t i = 0; i < m; ++i) {
      sums.assign(places.keys().size() * width, 0);
      for (const auto& [l, form] : column) {
        std::span<const AffineTensor::Term> factor = x.terms(i * k + l), other = form;
        if (factor.empty()) continue;
        if (factor.size() != 1 || factor[0].key != 0) std::swap(factor, other);
        if (factor.size() != 1 || factor[0].key != 0) return std::nullopt;
        for (const AffineTensor::Term& term : other)
          add_product(sums.data() + places[term.key] * width, width, term, factor[0]);
      }
      for (std::size_t place = 0; place < places.keys().size(); ++place) {
        mp_limb_t* const number = sums.data() + place * width;
        const bool negative = (number[width - 1] >> (limb_bits - 1)) != 0;
        if (negative) mpn_neg(number, number, static_cast<mp_size_t>(width));
        rows.add(places.keys()[place], number, width, negative);
      }
      numbers[i * n + j] = rows.end();
    }
  }
  return AffineTensor({m, n}, std::move(rows).finish(), std::move(numbers), denominator.odd,
                      denominator.exponent);
}

}  // namespace wmi::encoders
