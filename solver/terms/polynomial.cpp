#include "solver/terms/polynomial.h"

#include <algorithm>
#include <map>
#include <optional>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

using Collected = std::map<Monomial, Rational>;

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result;
  result.reserve(a.size() + b.size());
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->variable < j->variable)) {
      result.push_back(*i++);
    } else if (i == a.end() || j->variable < i->variable) {
      result.push_back(*j++);
    } else {
      result.push_back({i->variable, i->exponent + j->exponent});
      ++i, ++j;
    }
  }
  return result;
}

/// Throws Error for a number that has outgrown the cap: products would fill the memory.
void check_size(const Rational& number) {
  const std::size_t most_limbs = caps::number_digits / 19 + 1;  // 19 digits fit in one
  if (mpz_size(number.get_num_mpz_t()) > most_limbs ||
      mpz_size(number.get_den_mpz_t()) > most_limbs)
    throw Error("a number of more than " + std::to_string(caps::number_digits) + " digits");
}

void check_terms(std::size_t count) {
  if (count > caps::terms)
    throw Error("a polynomial of more than " + std::to_string(caps::terms) + " terms");
}

/// Throws Error for coefficients that have outgrown the cap: what is computed with them takes a
/// multiple of their memory.
void check_bytes(const std::vector<Polynomial::Term>& terms) {
  std::size_t limbs = 0;
  for (const Polynomial::Term& term : terms)
    limbs +=
        mpz_size(term.coefficient.get_num_mpz_t()) + mpz_size(term.coefficient.get_den_mpz_t());
  if (limbs * sizeof(mp_limb_t) > caps::coefficients)
    throw Error("a polynomial whose coefficients take more than " +
                std::to_string(caps::coefficients) +
                " bytes; an answer to a number of digits takes less");
}

std::vector<Polynomial::Term> drain(Collected& collected) {
  std::vector<Polynomial::Term> terms;
  terms.reserve(collected.size());
  while (!collected.empty()) {
    auto node = collected.extract(collected.begin());
    if (node.mapped() == 0) continue;
    check_size(node.mapped());
    terms.push_back({std::move(node.key()), std::move(node.mapped())});
  }
  check_terms(terms.size());
  check_bytes(terms);
  return terms;
}

/// Merges sorted lists of terms: a + sign * b.
std::vector<Polynomial::Term> merge(std::vector<Polynomial::Term>& a,
                                    const std::vector<Polynomial::Term>& b, int sign) {
  std::vector<Polynomial::Term> result;
  result.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  const auto signed_term = [&](const Polynomial::Term& term) {
    return sign > 0 ? term : Polynomial::Term{term.monomial, -term.coefficient};
  };
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->monomial < j->monomial)) {
      result.push_back(std::move(*i++));
    } else if (i == a.end() || j->monomial < i->monomial) {
      result.push_back(signed_term(*j++));
    } else {
      Rational sum = i->coefficient;
      if (sign > 0)
        sum += j->coefficient;
      else
        sum -= j->coefficient;
      check_size(sum);
      if (sum != 0) result.push_back({std::move(i->monomial), std::move(sum)});
      ++i, ++j;
    }
  }
  check_terms(result.size());
  return result;
}

/// Integer coefficients over a common denominator; nullopt where that is much longer than they are.
struct Scaled {
  std::vector<Integer> numerators;
  Integer denominator = 1;
};

std::optional<Scaled> scaled(const std::vector<Polynomial::Term>& terms) {
  Scaled result;
  std::size_t longest = 64;
  for (const Polynomial::Term& term : terms) {
    const Integer& denominator = term.coefficient.get_den();
    longest = std::max(longest, mpz_sizeinbase(denominator.get_mpz_t(), 2));
    result.denominator = lcm(result.denominator, denominator);
    if (mpz_sizeinbase(result.denominator.get_mpz_t(), 2) > 2 * longest) return std::nullopt;
  }
  for (const Polynomial::Term& term : terms)
    result.numerators.emplace_back(term.coefficient.get_num() *
                                   (result.denominator / term.coefficient.get_den()));
  return result;
}

/// Multiplies in a dense table of all monomials that could occur: no monomial is looked up, and
/// fractions are reduced once for each term of the result. Returns nullopt where the table would be
/// large.
std::optional<std::vector<Polynomial::Term>> dense_product(const std::vector<Polynomial::Term>& a,
                                                           const std::vector<Polynomial::Term>& b) {
  constexpr std::size_t worthwhile = 64, most_entries = 1 << 20;
  if (a.size() * b.size() < worthwhile) return std::nullopt;
  std::map<Variable, std::uint32_t> degrees;  // of each variable in the product
  for (const auto* const terms : {&a, &b}) {
    std::map<Variable, std::uint32_t> highest;
    for (const Polynomial::Term& term : *terms)
      for (const Power& power : term.monomial)
        highest[power.variable] = std::max(highest[power.variable], power.exponent);
    for (const auto& [variable, degree] : highest) degrees[variable] += degree;
  }
  std::size_t entries = 1;
  std::map<Variable, std::size_t> strides;
  for (auto entry = degrees.rbegin(); entry != degrees.rend(); ++entry) {
    strides[entry->first] = entries;
    entries *= entry->second + 1;
    if (entries > most_entries || entries > 16 * a.size() * b.size()) return std::nullopt;
  }
  const std::optional<Scaled> left = scaled(a), right = scaled(b);
  if (!left || !right) return std::nullopt;
  const auto indices = [&](const std::vector<Polynomial::Term>& terms) {
    std::vector<std::size_t> result;
    for (const Polynomial::Term& term : terms) {
      std::size_t index = 0;
      for (const Power& power : term.monomial) index += strides[power.variable] * power.exponent;
      result.push_back(index);
    }
    return result;
  };
  const std::vector<std::size_t> of_a = indices(a), of_b = indices(b);
  std::vector<Integer> table(entries);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      mpz_addmul(table[of_a[i] + of_b[j]].get_mpz_t(), left->numerators[i].get_mpz_t(),
                 right->numerators[j].get_mpz_t());
  const Integer denominator = left->denominator * right->denominator;
  std::vector<Polynomial::Term> result;
  for (std::size_t index = 0; index < entries; ++index) {
    if (table[index] == 0) continue;
    Polynomial::Term& term = result.emplace_back();
    for (const auto& [variable, degree] : degrees)
      if (const std::size_t exponent = index / strides[variable] % (degree + 1); exponent > 0)
        term.monomial.push_back({variable, static_cast<std::uint32_t>(exponent)});
    term.coefficient = ratio(table[index], denominator);
    check_size(term.coefficient);
  }
  check_terms(result.size());
  check_bytes(result);
  std::sort(result.begin(), result.end(), [](const Polynomial::Term& s, const Polynomial::Term& t) {
    return s.monomial < t.monomial;
  });
  return result;
}

}  // namespace

unsigned degree(const Monomial& monomial) {
  unsigned sum = 0;
  for (const Power& power : monomial) sum += power.exponent;
  return sum;
}

Polynomial::Polynomial(const Rational& constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}

Polynomial::Polynomial(std::vector<Term> terms) {
  std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
  const auto not_ascending = [](const Term& a, const Term& b) {
    return !(a.monomial < b.monomial);
  };
  if (std::adjacent_find(terms.begin(), terms.end(), not_ascending) == terms.end()) {
    for (const Term& term : terms) check_size(term.coefficient);
    check_terms(terms.size());
    terms_ = std::move(terms);
    return;
  }
  Collected collected;
  for (Term& term : terms) collected[std::move(term.monomial)] += term.coefficient;
  terms_ = drain(collected);
}

Polynomial Polynomial::variable(Variable variable) {
  Polynomial result;
  result.terms_.push_back({{{variable, 1}}, Rational(1)});
  return result;
}

Rational Polynomial::constant_term() const {
  return terms_.empty() || !terms_[0].monomial.empty() ? Rational(0) : terms_[0].coefficient;
}

unsigned Polynomial::degree() const {
  unsigned result = 0;
  for (const Term& term : terms_) result = std::max(result, wmi::degree(term.monomial));
  return result;
}

std::vector<Variable> Polynomial::variables() const {
  std::vector<Variable> result;
  for (const Term& term : terms_)
    for (const Power& power : term.monomial) result.push_back(power.variable);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Terms that differ only in variables mapped to variables are grouped, and each group is
/// multiplied once by the value of their common part.
Polynomial Polynomial::substitute(const std::function<Polynomial(Variable)>& value) const {
  std::map<Variable, std::vector<Polynomial>> powers;  // of each variable's value: 0, 1, 2 ...
  for (const Variable variable : variables()) powers[variable] = {Polynomial(1), value(variable)};
  std::map<Monomial, std::vector<Term>> alike;  // by what is replaced, with what stays
  for (const Term& term : terms_) {
    Monomial replaced, kept;
    for (const Power& power : term.monomial) {
      const std::vector<Term>& image = powers[power.variable][1].terms_;
      if (image.size() == 1 && image[0].coefficient == 1 && wmi::degree(image[0].monomial) == 1)
        kept = product(kept, {{image[0].monomial[0].variable, power.exponent}});
      else
        replaced.push_back(power);
    }
    alike[std::move(replaced)].push_back({std::move(kept), term.coefficient});
  }
  Collected collected;
  for (auto& [replaced, kept] : alike) {
    Polynomial image(std::move(kept));
    for (const Power& power : replaced) {
      std::vector<Polynomial>& known = powers[power.variable];
      while (known.size() <= power.exponent) known.push_back(known.back() * known[1]);
      image = image * known[power.exponent];
    }
    for (Term& term : image.terms_) collected[std::move(term.monomial)] += term.coefficient;
  }
  Polynomial result;
  result.terms_ = drain(collected);
  return result;
}

Polynomial Polynomial::replace(const std::function<const Polynomial*(Variable)>& value) const {
  if (degree() > 1)
    return substitute([&](Variable one) {
      const Polynomial* const image = value(one);
      return image != nullptr ? *image : variable(one);
    });
  const auto image_of = [&](const Term& term) {
    return term.monomial.empty() ? nullptr : value(term.monomial[0].variable);
  };
  if (std::none_of(terms_.begin(), terms_.end(), image_of)) return *this;
  Collected collected;
  for (const Term& term : terms_) {
    if (const Polynomial* const image = image_of(term)) {
      for (const Term& part : image->terms_)
        collected[part.monomial] += term.coefficient * part.coefficient;
    } else {
      collected[term.monomial] += term.coefficient;
    }
  }
  Polynomial result;
  result.terms_ = drain(collected);
  return result;
}

Rational Polynomial::at(std::span<const Rational> point) const {
  Rational result;
  for (const Term& term : terms_) {
    Rational value = term.coefficient;
    for (const Power& factor : term.monomial)
      value *= power(point[factor.variable], factor.exponent);
    result += value;
  }
  return result;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  terms_ = merge(terms_, other.terms_, 1);
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  terms_ = merge(terms_, other.terms_, -1);
  return *this;
}

Polynomial& Polynomial::operator*=(const Rational& factor) {
  if (factor == 0) terms_.clear();
  for (Term& term : terms_) {
    term.coefficient *= factor;
    check_size(term.coefficient);
  }
  return *this;
}

Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
Polynomial operator-(Polynomial a, const Polynomial& b) { return a -= b; }
Polynomial operator-(Polynomial a) { return a *= Rational(-1); }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.constant()) return Polynomial(b) *= a.constant_term();
  if (b.constant()) return Polynomial(a) *= b.constant_term();
  if (const unsigned degree = a.degree() + b.degree(); degree > caps::degree)
    throw Error("a polynomial of degree " + std::to_string(degree) + "; at most " +
                std::to_string(caps::degree) + " is allowed");
  if (a.terms().size() * b.terms().size() > caps::products)
    throw Error("a product of polynomials with " + std::to_string(a.terms().size()) + " and " +
                std::to_string(b.terms().size()) + " terms is too large");
  if (auto terms = dense_product(a.terms(), b.terms())) {
    Polynomial result;
    result.terms_ = std::move(*terms);
    return result;
  }
  Collected collected;
  for (const Polynomial::Term& s : a.terms())
    for (const Polynomial::Term& t : b.terms())
      collected[product(s.monomial, t.monomial)] += s.coefficient * t.coefficient;
  return Polynomial(drain(collected));
}

Polynomial power(const Polynomial& base, unsigned exponent) {
  if (base.constant()) {
    // A constant power may be as large as a literal in a file.
    const Rational value = base.constant_term();
    const std::size_t bits = std::max(mpz_sizeinbase(value.get_num_mpz_t(), 2),
                                      mpz_sizeinbase(value.get_den_mpz_t(), 2));
    if (value != 0 && bits > 1 && exponent > 4 * caps::digits / bits)
      throw Error("a power of more than " + std::to_string(caps::digits) + " digits");
    return power(value, exponent);
  }
  if (exponent > caps::degree || std::size_t{exponent} * base.degree() > caps::degree)
    throw Error("a polynomial of degree " + std::to_string(exponent) + " times " +
                std::to_string(base.degree()) + "; at most " + std::to_string(caps::degree) +
                " is allowed");
  Polynomial result(1), square = base;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result = result * square;
    if (exponent > 1) square = square * square;
  }
  return result;
}

}  // namespace wmi
