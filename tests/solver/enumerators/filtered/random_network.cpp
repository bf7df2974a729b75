#include "tests/solver/enumerators/filtered/random_network.h"

#include <cmath>

#include "tests/solver/power_of_two.h"

namespace wmi::tests {
namespace {

/// A polynomial and its values at some points of the box.
struct Traced {
  Polynomial term;
  std::vector<Rational> at;
};

Traced operator+(const Traced& a, const Traced& b) {
  Traced result{a.term + b.term, a.at};
  for (std::size_t i = 0; i < a.at.size(); ++i) result.at[i] += b.at[i];
  return result;
}

Traced operator*(const Rational& factor, const Traced& a) {
  Traced result{Polynomial(factor) * a.term, a.at};
  for (Rational& value : result.at) value *= factor;
  return result;
}

template <class T>
const T& pick(Random& random, const std::vector<T>& from) {
  return from[static_cast<std::size_t>(random.integer(0, static_cast<int>(from.size()) - 1))];
}

class Builder {
 public:
  Builder(Random& random, const NetworkShape& shape) : random_(random), shape_(shape) {
    for (int i = 0; i < 3; ++i) pool_.push_back(random_float(random_));
  }

  RandomNetwork build() {
    std::vector<Traced> layer = inputs();
    for (int i = 0; i < shape_.layers; ++i) {
      std::vector<Traced> next;
      const int width = random_.integer(1, shape_.widest);
      for (int k = 0; k < width; ++k) {
        next.push_back(unit(layer));
        result_.units.push_back(next.back().term);
      }
      layer = std::move(next);
    }
    const int outputs = random_.integer(1, 2);
    rows_.clear();
    for (int i = 0; i < outputs; ++i) {
      const Traced output = affine(layer);
      result_.outputs.push_back(output.term);
      result_.levels.insert(result_.levels.end(), output.at.begin(), output.at.end());
    }
    return std::move(result_);
  }

 private:
  std::vector<Traced> inputs() {
    std::vector<Traced> result;
    for (int i = 0; i < shape_.inputs; ++i) {
      const Rational lower = random_.chance(60)   ? Rational(random_.integer(-2, 1))
                             : random_.chance(50) ? random_float(random_)
                                                  : ratio(random_.integer(-9, 9), 7);
      Rational width = random_.chance(60) ? Rational(random_.integer(1, 3))
                                          : ratio(random_.integer(1, 9), random_.integer(1, 9));
      if (random_.chance(5)) width *= power_of_two(random_.chance(50) ? -30 : 20);
      const Rational upper = lower + width;
      Terms& terms = result_.problem.terms;
      const Polynomial x = Polynomial::variable(terms.declare_real("x" + std::to_string(i)));
      result_.problem.integrated.push_back(true);
      result_.problem.assertions.push_back(terms.less_equal(lower, x));
      result_.problem.assertions.push_back(terms.less_equal(x, upper));
      Traced traced{x, {}};
      for (int corner = 0; corner < 4; ++corner)
        traced.at.push_back(random_.chance(50) ? lower : upper);
      traced.at.push_back((lower + upper) / 2);
      result.push_back(std::move(traced));
    }
    return result;
  }

  Rational weight() {
    switch (shape_.weights) {
      case Weights::ties:
      case Weights::corners:
        if (random_.chance(15)) return 0;
        if (random_.chance(25)) return random_.integer(-1, 1);
        if (random_.chance(30)) return pick(random_, pool_);
        break;
      case Weights::cancelling:
        if (random_.chance(60))
          return Rational(random_.chance(50) ? 1 : -1) *
                 (1 + power_of_two(-random_.integer(10, 23)) * random_.integer(0, 1));
        break;
      case Weights::wild:
        if (random_.chance(15)) return 0;
        if (random_.chance(40)) {
          const std::vector<int> sizes{-100, -60, -20, 20, 60, 100};
          return random_float(random_) * power_of_two(pick(random_, sizes));
        }
        break;
      case Weights::plain:
      case Weights::near:
        break;
    }
    return random_float(random_);
  }

  Traced affine(const std::vector<Traced>& layer) {
    std::vector<Rational> row;
    for (std::size_t i = 0; i < layer.size(); ++i) row.push_back(weight());
    if (!rows_.empty() && rows_.back().size() == row.size()) {
      if (shape_.weights == Weights::ties && random_.chance(40)) row = pick(random_, rows_);
      if (shape_.weights == Weights::ties && random_.chance(20))
        for (Rational& entry : row) entry = -entry;
      if (shape_.weights == Weights::cancelling && random_.chance(50)) {
        row = pick(random_, rows_);
        Rational& entry =
            row[static_cast<std::size_t>(random_.integer(0, static_cast<int>(row.size()) - 1))];
        entry *= -1 - power_of_two(-random_.integer(20, 60));
      }
    } else {
      rows_.clear();
    }
    rows_.push_back(row);
    Traced result{Polynomial(), std::vector<Rational>(layer[0].at.size())};
    for (std::size_t i = 0; i < layer.size(); ++i) result = result + row[i] * layer[i];
    Rational bias = random_.chance(20) ? Rational(0) : random_float(random_);
    const bool vanishes = shape_.weights == Weights::corners || shape_.weights == Weights::near ||
                          shape_.weights == Weights::cancelling;
    if (vanishes && random_.chance(70)) {
      bias = -pick(random_, result.at);
      if (shape_.weights != Weights::corners)
        bias += power_of_two(-random_.integer(45, 80)) * random_.integer(-1, 1);
    }
    if (shape_.weights == Weights::ties && random_.chance(10)) bias = -50;  // never active
    return result + bias * Traced{Polynomial(1), std::vector<Rational>(result.at.size(), 1)};
  }

  Traced choice(bool strict, const Traced& difference, const Traced& then,
                const Traced& otherwise) {
    // difference < 0, or not 0 <= difference: they differ on a null set.
    Terms& terms = result_.problem.terms;
    const Formula condition =
        strict ? terms.less(difference.term, 0) : !terms.less_equal(0, difference.term);
    Traced result{terms.choice(condition, then.term, otherwise.term), then.at};
    for (std::size_t i = 0; i < result.at.size(); ++i)
      if (!(difference.at[i] < 0)) result.at[i] = otherwise.at[i];
    return result;
  }

  Traced unit(const std::vector<Traced>& layer) {
    const Traced a = affine(layer);
    const bool strict = random_.chance(50);
    switch (random_.integer(0, 7)) {
      case 0:
        return choice(strict, a, ratio(1, 4) * a, a);
      case 1:
        return choice(strict, a, -1 * a, a);
      case 2: {  // the maximum of two, or of three
        Traced most = a;
        for (int i = random_.integer(1, 2); i > 0; --i) {
          const Traced b = affine(layer);
          most = choice(strict, most + Rational(-1) * b, b, most);
        }
        return most;
      }
      case 3:
        if (random_.chance(30)) {
          const Traced one{Polynomial(1), std::vector<Rational>(a.at.size(), 1)};
          return choice(strict, a, 0 * one, one);
        }
        [[fallthrough]];
      default:
        return choice(strict, a, 0 * a, a);
    }
  }

  Random& random_;
  const NetworkShape shape_;
  RandomNetwork result_;
  std::vector<Rational> pool_;
  std::vector<std::vector<Rational>> rows_;  // of this layer
};

}  // namespace

Rational random_float(Random& random) {
  const double size = std::ldexp(random.integer(-(1 << 24), 1 << 24), -23);
  return Rational(static_cast<double>(static_cast<float>(size)));
}

RandomNetwork random_network(Random& random, const NetworkShape& shape) {
  return Builder(random, shape).build();
}

NetworkShape random_shape(Random& random, int most_inputs, int most_layers, int widest) {
  return {random.integer(1, most_inputs), random.integer(1, most_layers), widest,
          static_cast<Weights>(random.integer(0, 5))};
}

}  // namespace wmi::tests
