// Every operation against the same one on polynomials.

#include "encoders/affine_tensor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

#include "encoders/algebra.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed), odd_((Integer(1) << (1 + seed % 150)) + 1) {}

  std::size_t below(std::size_t limit) { return engine_() % limit; }

  /// Small and large numbers: integers, floats, decimals, thirds, and ends of limbs.
  Rational number() {
    Integer large = 1;
    large <<= below(200);
    switch (below(8)) {
      case 0:
        return 0;
      case 1:
        return Rational(static_cast<long>(below(7))) - 3;
      case 2:
        return Rational(std::ldexp(static_cast<double>(below(1 << 24)) - (1 << 23),
                                   -static_cast<int>(below(40))));
      case 3:
        return ratio(Integer(below(2001)) - 1000, 1000);
      case 4:
        return ratio(Integer(below(9)) - 4, 3);
      case 5:
        return Rational(1 - large);
      case 6:
        return ratio(below(2) == 0 ? 1 : -1, large);
      default:
        return ratio(large - below(2), odd_);
    }
  }
  Polynomial form(bool constant) {
    Polynomial result(number());
    for (Variable variable = 0; variable < 6 && !constant; ++variable)
      if (below(3) == 0) result += number() * Polynomial::variable(variable);
    return result;
  }
  /// With a share of constants, from 0 to 4 quarters.
  Tensor<Polynomial> tensor(const Shape& shape, std::size_t constants) {
    Tensor<Polynomial> result{shape, {}};
    for (std::size_t i = 0; i < entry_count(shape); ++i)
      result.entries.push_back(form(below(4) < constants));
    return result;
  }

 private:
  std::mt19937_64 engine_;
  Integer odd_;  // a denominator
};

AffineTensor affine(const Tensor<Polynomial>& polynomials) {
  std::optional<AffineTensor> result = AffineTensor::make(polynomials);
  REQUIRE(result);
  CHECK(result->polynomials() == polynomials);
  return *result;
}

}  // namespace

TEST_CASE("operations on affine tensors are those on their polynomials") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const Shape shape{1 + draw.below(3), 1 + draw.below(3)};
    const Tensor<Polynomial> a = draw.tensor(shape, 1), b = draw.tensor(shape, 2);
    const AffineTensor x = affine(a), y = affine(b);

    Tensor<Polynomial> expected = a;
    for (std::size_t i = 0; i < a.size(); ++i) expected.entries[i] += b.entries[i];
    CHECK(sum(x, y).value().polynomials() == expected);

    const Rational factor = draw.number();
    expected = a;
    for (Polynomial& entry : expected.entries) entry *= factor;
    CHECK(x.scaled(factor).value().polynomials() == expected);

    bool is_affine = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
      expected.entries[i] = a.entries[i] * b.entries[i];
      is_affine = is_affine && expected.entries[i].degree() <= 1;
    }
    const std::optional<AffineTensor> found = product(x, y);
    CHECK(found.has_value() == is_affine);
    if (found) CHECK(found->polynomials() == expected);

    std::vector<std::size_t> entries;
    expected = {{4}, {}};
    for (std::size_t i = 0; i < 4; ++i) {
      entries.push_back(draw.below(3) == 0 ? nothing : draw.below(a.size()));
      expected.entries.push_back(entries[i] == nothing ? Polynomial() : a.entries[entries[i]]);
    }
    CHECK(x.gather(entries, {4}).polynomials() == expected);

    std::vector<std::pair<std::uint32_t, std::uint32_t>> choice;
    expected = {{5}, {}};
    for (std::size_t i = 0; i < 5; ++i) {
      choice.emplace_back(draw.below(2), draw.below(a.size()));
      expected.entries.push_back((choice[i].first == 0 ? a : b).entries[choice[i].second]);
    }
    CHECK(AffineTensor::assembled(std::array{&x, &y}, choice, {5}).value().polynomials() ==
          expected);
  }
}

TEST_CASE("products of affine matrices are those of polynomials") {
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const std::size_t m = 1 + draw.below(3), k = 1 + draw.below(6), n = 1 + draw.below(3);
    const bool swapped = draw.below(2) == 0;
    const std::size_t constants = draw.below(8) == 0 ? 3 : 4;
    const Tensor<Polynomial> a = draw.tensor({m, k}, swapped ? 1 : constants),
                             b = draw.tensor({k, n}, swapped ? constants : 1);
    Tensor<Polynomial> expected = Tensor<Polynomial>::filled({m, n}, Polynomial());
    bool is_affine = true;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < k; ++l) {
          const Polynomial term = a.entries[i * k + l] * b.entries[l * n + j];
          is_affine = is_affine && term.degree() <= 1;
          expected.entries[i * n + j] += term;
        }
    const std::optional<AffineTensor> found = matrix_product(affine(a), affine(b));
    CHECK(found.has_value() == is_affine);
    if (found) CHECK(found->polynomials() == expected);
    refused += found ? 0 : 1;
  }
  CHECK(refused > 10);
}

TEST_CASE("numbers and unknowns make an affine tensor") {
  const Tensor<Rational> numbers({3}, {ratio(1, 3), 0, ratio(-5, 8)});
  const std::array<std::pair<std::size_t, Variable>, 1> unknowns{{{1, 4}}};
  const AffineTensor made = AffineTensor::make(numbers, unknowns).value();
  CHECK(made.polynomials() ==
        Tensor<Polynomial>({3}, {ratio(1, 3), Polynomial::variable(4), ratio(-5, 8)}));
  CHECK(made.constant(0));
  CHECK(!made.constant(1));
  CHECK(!made.zero(1));
  CHECK(AffineTensor::zeros({2}).zero(1));
}

TEST_CASE("what is not affine, or would take much memory, is no affine tensor") {
  const Polynomial x = Polynomial::variable(0);
  CHECK(!AffineTensor::make(Tensor<Polynomial>({1}, {x * x})));
  // One long denominator would make all of many short numbers long.
  Tensor<Rational> numbers = Tensor<Rational>::filled({100'000}, 1);
  numbers.entries[7] = ratio(1, Integer(1) << 30'000);
  CHECK(!AffineTensor::make(numbers, {}));
  // Denominators without common factors.
  Tensor<Rational> fractions({1000}, {});
  for (int i = 0; i < 1000; ++i) fractions.entries.push_back(ratio(1, 2 * i + 1));
  CHECK(!AffineTensor::make(fractions, {}));
}
