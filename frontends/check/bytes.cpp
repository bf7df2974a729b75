#include "frontends/check/bytes.h"

namespace wmi::check {
namespace {

constexpr std::size_t longest = 1 << 20;  // groups of a number

}  // namespace

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
  if (in_.peek() != std::istream::traits_type::eof())
    throw Rejected("the certificate goes on after its end");
}

bool Bytes::next_is(char letter) const { return in_.peek() == static_cast<unsigned char>(letter); }

std::string Bytes::text(std::size_t most) {
  std::string result;
  for (std::size_t left = count(most); left > 0; --left)
    result += static_cast<char>(byte());  // as far as there are any
  return result;
}

Integer Bytes::natural() {
  groups_.clear();
  do {
    if (groups_.size() == longest) throw Rejected("a number is too long");
    groups_.push_back(byte());
  } while (groups_.back() >= 128);
  if (groups_.back() == 0 && groups_.size() > 1) throw Rejected("a number has a leading zero");
  if (groups_.size() > 8) {
    Integer result;  // the import leaves out the high bits
    mpz_import(result.get_mpz_t(), groups_.size(), -1, 1, 0, 1, groups_.data());
    return result;
  }
  unsigned long result = 0;
  for (std::size_t i = groups_.size(); i-- > 0;) result = result << 7 | (groups_[i] & 127U);
  return result;
}

std::size_t Bytes::count(std::size_t most) {
  const Integer value = natural();
  if (value > most) throw Rejected("a count or an index is too large");
  return value.get_ui();
}

Integer Bytes::integer() {
  Integer code = natural();
  if (mpz_even_p(code.get_mpz_t())) return code / 2;
  return -(code + 1) / 2;
}

Rational Bytes::rational() {
  const Integer numerator = integer(), denominator = natural();
  if (denominator == 0) throw Rejected("a denominator is 0");
  return ratio(numerator, denominator);
}

LinearForm Bytes::form(std::size_t variables) {
  LinearForm result;
  const std::size_t size = count(variables);
  for (std::size_t i = 0; i < size; ++i) {
    const auto variable = static_cast<Variable>(count(variables - 1));
    if (i > 0 && variable <= result.coefficients.back().first)
      throw Rejected("the variables of a form are not in order");
    result.coefficients.emplace_back(variable, integer());
    if (result.coefficients.back().second == 0) throw Rejected("a form has a coefficient 0");
  }
  result.constant = integer();
  if (result.is_constant()) throw Rejected("a form is constant");
  return result;
}

}  // namespace wmi::check
