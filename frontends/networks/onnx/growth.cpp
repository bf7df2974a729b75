#include "frontends/networks/onnx/growth.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "frontends/common/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Tensor;

constexpr std::size_t bits_per_digit = 4;
constexpr std::size_t most_bits = std::size_t{1} << 32;

std::size_t length(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

void check_number(std::size_t bits) {
  // A number that a file has may itself be as long as the exponents of doubles allow.
  if (bits > std::max<std::size_t>(bits_per_digit * wmi::caps::digits, 10'000))
    throw Error("computes a constant of more than " + std::to_string(wmi::caps::digits) +
                " digits, the cap 'digits'");
}

std::size_t greatest_bits(const Tensor<Rational>& tensor) {
  std::size_t result = 0;
  for (const Rational& entry : tensor.entries)
    result = std::max(result, length(entry.get_num()) + length(entry.get_den()));
  return result;
}

/// The same with a common denominator.
std::size_t common_bits(const Tensor<Rational>& tensor) {
  Integer denominator = 1;
  std::size_t numerator = 0;
  for (const Rational& entry : tensor.entries) {
    numerator = std::max(numerator, length(entry.get_num()));
    if (mpz_divisible_p(denominator.get_mpz_t(), entry.get_den_mpz_t()) != 0) continue;
    mpz_lcm(denominator.get_mpz_t(), denominator.get_mpz_t(), entry.get_den_mpz_t());
    check_number(length(denominator));
  }
  return numerator + length(denominator);
}

}  // namespace

std::size_t checked_bits(const Tensor<Rational>& tensor) {
  std::size_t result = 0;
  for (const Rational& entry : tensor.entries) {
    const std::size_t bits = length(entry.get_num()) + length(entry.get_den());
    check_number(bits);
    result += bits;
  }
  return result;
}

void check_total_bits(std::size_t bits) {
  if (bits > most_bits) throw Error("computes constants with too many digits");
}

bool adds_up(std::string_view type) {
  static constexpr std::string_view table[] = {
      "AveragePool",       "Conv",   "ConvTranspose", "Gemm",
      "GlobalAveragePool", "MatMul", "ReduceMean",    "ReduceSum"};
  return std::ranges::find(table, type) != std::end(table);
}

void check_growth(const std::vector<const Tensor<Rational>*>& factors, std::size_t entries,
                  bool adds_up) {
  std::size_t bits = 0;
  for (const Tensor<Rational>* const factor : factors)
    bits += adds_up ? common_bits(*factor) : greatest_bits(*factor);
  check_number(bits);
  if (bits > 0 && entries > most_bits / bits) check_total_bits(most_bits + 1);
}

}  // namespace wmi::frontends::onnx
