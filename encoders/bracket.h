#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "encoders/exact.h"
#include "encoders/network.h"

namespace wmi::encoders {

/// A lower and an upper bound of a value, entry by entry; or one value, if it is exact.
template <class Value>
struct Bracket {
  Value lower;
  std::optional<Value> above = {};  // nullopt: equal to the lower one

  bool exact() const { return !above; }
  const Value& upper() const { return above ? *above : lower; }
};

/// The meaning of a network with smooth layers, on top of any other algebra: a lower and an upper
/// bound of every value, which hold for every input and all weights.
///
/// Replacing each smooth layer by its lower bound would be wrong: a negative weight after it turns
/// a lower bound into an upper one. So both are computed, and every operation combines the right
/// ends: sums, maxima and steps are monotone and keep them, a negative multiple swaps them, and a
/// product with w (a number or an unknown) is max(w, 0) times one end plus min(w, 0) times the
/// other. Values before the first smooth layer stay exact, at no extra cost.
///
/// Each operation preserves the bounds, hence so does the network. The bounds are tight for a
/// single operation but not for the composition: a value that is used twice may be at its lower end
/// in one use and at its upper end in the other. Their width tends to 0 with that of the layers.
///
/// Answers follow: E[lower] <= E[y] <= E[upper] and P(upper <= c) <= P(y <= c) <= P(lower <= c).
/// Dropout multiplies both ends by the same non-negative masks. The product of two bracketed values
/// is refused.
template <Algebra A>
class BracketAlgebra {
 public:
  using Value = Bracket<typename A::Value>;

  explicit BracketAlgebra(A& algebra) : a_(algebra) {}

  void enter(std::string_view layer) { a_.enter(layer); }
  Shape shape(const Value& x) const { return a_.shape(x.lower); }
  Value constant(const Shape& shape, const Rational& c) { return {a_.constant(shape, c)}; }
  bool has_parameter(std::string_view name) const { return a_.has_parameter(name); }
  Value parameter(std::string_view name) { return {a_.parameter(name)}; }

  Value add(const Value& x, const Value& y) {
    return monotone([&](const auto& p, const auto& q) { return a_.add(p, q); }, x, y);
  }
  Value max(const Value& x, const Value& y) {
    return monotone([&](const auto& p, const auto& q) { return a_.max(p, q); }, x, y);
  }
  Value at_least_zero(const Value& x) {
    return monotone([&](const auto& p) { return a_.at_least_zero(p); }, x);
  }
  Value gather(const Value& x, const std::vector<std::size_t>& entries, const Shape& shape) {
    return monotone([&](const auto& p) { return a_.gather(p, entries, shape); }, x);
  }
  Value scale(const Rational& c, const Value& x) {
    if (x.exact() || c >= 0) return monotone([&](const auto& p) { return a_.scale(c, p); }, x);
    return {a_.scale(c, x.upper()), a_.scale(c, x.lower)};
  }
  Value multiply(const Value& x, const Value& y) {
    return product([&](const auto& p, const auto& q) { return a_.multiply(p, q); }, x, y);
  }
  Value matrix(const Value& x, const Value& y) {
    return product([&](const auto& p, const auto& q) { return a_.matrix(p, q); }, x, y);
  }
  Value mask(const Value& x, const Rational& keep) {
    if (x.exact()) return {a_.mask(x.lower, keep)};
    auto [lower, upper] = a_.mask_both(x.lower, x.upper(), keep);
    return {std::move(lower), std::move(upper)};
  }
  Value inverse_root(const Value& x, const Rational& c) {
    if (!x.exact()) throw Error("a square root of a bracketed value");
    return {a_.inverse_root(x.lower, c)};
  }
  Value reciprocal(const Value& x) {
    if (!x.exact()) throw Error("a division by a bracketed value");
    return {a_.reciprocal(x.lower)};
  }

  /// The range of the function between the ends, or an enclosure of it.
  Value piecewise(const PiecewiseLinear& function, const Value& x) {
    if (x.exact()) return {function.forward(a_, x.lower)};
    return {end(function, x.lower, x.upper()), end(function, x.upper(), x.lower)};
  }
  Value smooth(const Enclosure& enclosure, const Value& x) {
    return {end(enclosure.lower, x.lower, x.upper()), end(enclosure.upper, x.upper(), x.lower)};
  }

 private:
  /// The rising part of the function at one end, plus the falling part at the other.
  typename A::Value end(const PiecewiseLinear& function, const typename A::Value& here,
                        const typename A::Value& there) {
    const auto [rising, falling] = parts(function);
    if (!falling) return rising->forward(a_, here);
    if (!rising) return falling->forward(a_, there);
    return a_.add(rising->forward(a_, here), falling->forward(a_, there));
  }

  /// The function as a sum of a non-decreasing and a non-increasing one; nullopt if it is 0.
  static std::pair<std::optional<PiecewiseLinear>, std::optional<PiecewiseLinear>> parts(
      const PiecewiseLinear& function) {
    bool rises = false, falls = false;
    for (std::size_t i = 0; i <= function.at.size(); ++i)
      (function.slope(i) < 0 ? falls : rises) = true;
    if (!falls) return {function, {}};
    if (!rises) return {{}, function};
    PiecewiseLinear rising = function, falling = function;
    for (PiecewiseLinear* const part : {&rising, &falling}) {
      const auto own = [&](const Rational& slope) {
        return (slope < 0) == (part == &falling) ? slope : Rational(0);
      };
      part->left_slope = own(function.left_slope);
      part->right_slope = own(function.right_slope);
      if (part == &falling) part->values[0] = 0;
      for (std::size_t i = 1; i < part->at.size(); ++i)
        part->values[i] =
            part->values[i - 1] + own(function.slope(i)) * (part->at[i] - part->at[i - 1]);
    }
    return {rising, falling};
  }

  template <class Function, class... Values>
  static Value monotone(Function&& function, const Values&... values) {
    Value result{function(values.lower...)};
    if (!(values.exact() && ...)) result.above = function(values.upper()...);
    return result;
  }

  template <class Function>
  Value product(Function&& function, const Value& x, const Value& y) {
    if (x.exact() && y.exact()) return {function(x.lower, y.lower)};
    if (!x.exact() && !y.exact())
      throw Error("a product of two values after smooth layers cannot be bracketed");
    const typename A::Value& factor = x.exact() ? x.lower : y.lower;
    const typename A::Value positive = a_.max(factor, a_.constant(a_.shape(factor), 0));
    const typename A::Value rest = a_.add(factor, a_.scale(-1, positive));
    const auto sum = [&](const typename A::Value& p, const typename A::Value& q) {
      return x.exact() ? a_.add(function(positive, p), function(rest, q))
                       : a_.add(function(p, positive), function(q, rest));
    };
    const Value& other = x.exact() ? y : x;
    return {sum(other.lower, other.upper()), sum(other.upper(), other.lower)};
  }

  A& a_;
};

static_assert(Algebra<BracketAlgebra<ExactAlgebra>>);

/// Runs the network with bounds for its smooth layers; the input is a value of the algebra.
template <Algebra A>
std::vector<Bracket<typename A::Value>> run_bracketed(const Network& network, A& algebra,
                                                      const typename A::Value& input) {
  BracketAlgebra<A> bracketing(algebra);
  return run(network, bracketing, {input});
}

/// Lower and upper bounds of the outputs of the network for an input.
inline std::vector<Bracket<Tensor<Rational>>> run_bracketed_exactly(const Network& network,
                                                                    const Tensor<Rational>& input,
                                                                    std::vector<bool> masks = {}) {
  ExactAlgebra algebra(network, std::move(masks));
  return run_bracketed(network, algebra, input);
}

}  // namespace wmi::encoders
