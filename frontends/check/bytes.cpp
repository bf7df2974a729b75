#include "frontends/check/bytes.h"

namespace wmi::check {

void Bytes::rewind() {
  in_.clear();
  in_.seekg(0);
  offset_ = 0;
}

unsigned char Bytes::byte() {
  const int value = in_.get();
  if (value == std::istream::traits_type::eof()) throw Rejected("the certificate ends too early");
  ++offset_;
  return static_cast<unsigned char>(value);
}

void Bytes::expect(std::string_view text) {
  for (const char letter : text)
    if (byte() != static_cast<unsigned char>(letter))
      throw Rejected("not a certificate of this version");
}

void Bytes::expect_end() {
  if (!next_is(std::istream::traits_type::eof()))
    throw Rejected("the certificate goes on after its end");
}

std::string Bytes::text(std::size_t most) {
  std::string result;
  for (std::size_t left = count(most); left > 0; --left)
    result += static_cast<char>(byte());  // throws at the end of the file
  return result;
}

Integer Bytes::natural() {
  constexpr std::size_t longest = 1 << 20;
  std::basic_string<unsigned char> groups;
  do {
    if (groups.size() == longest) throw Rejected("a number is too long");
    groups += byte();
  } while (groups.back() >= 128);
  if (groups.back() == 0 && groups.size() > 1) throw Rejected("a number has a leading zero");
  Integer result;  // the import skips the high bits
  mpz_import(result.get_mpz_t(), groups.size(), -1, 1, 0, 1, groups.data());
  return result;
}

std::size_t Bytes::count(std::size_t most) {
  const Integer value = natural();
  if (value > most) throw Rejected("a count or an index is too large");
  return value.get_ui();
}

Integer Bytes::integer() {
  const Integer code = natural();
  return mpz_even_p(code.get_mpz_t()) ? Integer(code / 2) : Integer(-(code + 1) / 2);
}

Rational Bytes::rational() {
  const Integer numerator = integer(), denominator = natural();
  if (denominator == 0) throw Rejected("a denominator is 0");
  return ratio(numerator, denominator);
}

Set Bytes::share(Set& left) {
  Set result;
  for (std::size_t most = size(left), i = count(most); i > 0; --i) {
    const std::size_t number = count(mpz_sizeinbase(left.get_mpz_t(), 2));
    if (!contains(left, number)) throw Rejected("what is shared out is not there, or not any more");
    mpz_clrbit(left.get_mpz_t(), number);
    mpz_setbit(result.get_mpz_t(), number);
  }
  return result;
}

LinearForm Bytes::form(std::size_t variables) {
  LinearForm result;
  for (std::size_t left = count(variables); left > 0; --left) {
    const auto variable = static_cast<Variable>(count(variables - 1));
    if (!result.is_constant() && variable <= result.coefficients.back().first)
      throw Rejected("the variables of a form are not in order");
    result.coefficients.emplace_back(variable, integer());
    if (result.coefficients.back().second == 0) throw Rejected("a form has a coefficient 0");
  }
  result.constant = integer();
  if (result.is_constant()) throw Rejected("a form is constant");
  return result;
}

}  // namespace wmi::check
