#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

/// The index of a real variable of a problem, or of a coordinate of a cell.
using Variable = std::uint32_t;

struct Power {
  Variable variable;
  std::uint32_t exponent;

  friend auto operator<=>(const Power&, const Power&) = default;
};

/// A product of powers, by ascending variable, without exponents 0; the empty product is 1.
using Monomial = std::vector<Power>;

unsigned degree(const Monomial& monomial);

/// Limits on polynomials; larger ones are refused with an Error.
inline constexpr unsigned max_degree = 256;
inline constexpr std::size_t max_terms = 200'000;
inline constexpr std::size_t max_products = 40'000'000;  // of terms, in one product
inline constexpr std::size_t max_number_digits = 1'000'000;

/// A polynomial with rational coefficients.
///
///     const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
///     const Polynomial p = 2 * x * y + 1;
///     p.at(std::vector<Rational>{3, ratio(1, 2)});  // 4
class Polynomial {
 public:
  struct Term {
    Monomial monomial;
    Rational coefficient;

    friend bool operator==(const Term&, const Term&) = default;
  };

  Polynomial() = default;
  Polynomial(const Rational& constant);                         // NOLINT: a number is a polynomial
  Polynomial(int constant) : Polynomial(Rational(constant)) {}  // NOLINT
  /// Adds up terms with the same monomial, and drops zeros.
  explicit Polynomial(std::vector<Term> terms);

  static Polynomial variable(Variable variable);

  /// By ascending monomial, without zero coefficients; the constant, if any, is first.
  const std::vector<Term>& terms() const { return terms_; }
  bool zero() const { return terms_.empty(); }
  bool constant() const {
    return terms_.empty() || (terms_.size() == 1 && terms_[0].monomial.empty());
  }
  /// The coefficient of the empty monomial.
  Rational constant_term() const;
  unsigned degree() const;
  /// Ascending, each once.
  std::vector<Variable> variables() const;

  /// Replaces every variable by a polynomial.
  Polynomial substitute(const std::function<Polynomial(Variable)>& value) const;
  /// The same, but variables for which `value` is null stay.
  Polynomial replace(const std::function<const Polynomial*(Variable)>& value) const;
  Rational at(std::span<const Rational> point) const;

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);
  Polynomial& operator*=(const Rational& factor);

  friend bool operator==(const Polynomial&, const Polynomial&) = default;
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  std::vector<Term> terms_;
};

Polynomial operator+(Polynomial a, const Polynomial& b);
Polynomial operator-(Polynomial a, const Polynomial& b);
Polynomial operator-(Polynomial a);
Polynomial operator*(const Polynomial& a, const Polynomial& b);
Polynomial power(const Polynomial& base, unsigned exponent);

}  // namespace wmi
