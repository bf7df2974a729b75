#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The piecewise-linear encoding of numeric features (Gorishniy, Rubachev and Babenko, "On
/// Embeddings for Numerical Features in Tabular Deep Learning", 2022): a vector x, followed by ramps
/// of its entries. Ramp k is low[k] where x[entries[k]] is at most begin[k], high[k] where it is at
/// least end[k], and linear between. The five attributes are lists of one length; begin[k] < end[k].
struct Ramps {
  static constexpr std::string_view keyword = "ramps";
  std::vector<std::size_t> entries;
  std::vector<Rational> begin, end, low, high;

  static Ramps make(Attributes& attributes) {
    Ramps result;
    for (const Rational& entry : attributes.numbers("entries")) {
      if (entry.get_den() != 1 || entry < 0 || entry > 1'000'000'000)
        throw Error("attribute 'entries' must have natural numbers, not " + wmi::to_string(entry));
      result.entries.push_back(entry.get_num().get_ui());
    }
    result.begin = attributes.numbers("begin");
    result.end = attributes.numbers("end");
    result.low = attributes.numbers("low");
    result.high = attributes.numbers("high");
    for (const auto* const list : {&result.begin, &result.end, &result.low, &result.high})
      if (list->size() != result.entries.size())
        throw Error("attributes 'entries', 'begin', 'end', 'low' and 'high' must be equally long");
    for (std::size_t k = 0; k < result.size(); ++k)
      if (result.begin[k] >= result.end[k]) throw Error("attribute 'begin' must be below 'end'");
    return result;
  }
  Attributes attributes() const {
    return Attributes({{"entries", attribute(entries)},
                       {"begin", begin},
                       {"end", end},
                       {"low", low},
                       {"high", high}});
  }

  std::size_t size() const { return entries.size(); }

  /// Throws Error if an input is no vector, or has too few entries.
  void check(const Shape& shape) const {
    if (shape.size() != 1) throw Error("an input " + to_string(shape) + " is no vector");
    if (std::ranges::any_of(entries, [&](std::size_t entry) { return entry >= shape[0]; }))
      throw Error("an input " + to_string(shape) + " has not all entries of the ramps");
  }

  /// An algebra may offer `ramps` to compute them all at once.
  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    check(a.shape(x));
    if constexpr (requires { a.ramps(*this, x); })
      return a.ramps(*this, x);
    else
      return sums_of_max_terms(a, x);
  }

 private:
  /// Neighbouring ramps share the max term of the point between them.
  template <Algebra A>
  typename A::Value sums_of_max_terms(A& a, const typename A::Value& x) const {
    const std::size_t inputs = a.shape(x)[0];
    std::map<std::pair<std::size_t, Rational>, typename A::Value> above;
    const auto beyond = [&](std::size_t entry, const Rational& point) {
      auto found = above.find({entry, point});
      if (found == above.end())
        found = above
                    .emplace(std::pair(entry, point),
                             a.max(shift(a, a.gather(x, {entry}, {1}), -point), a.constant({1}, 0)))
                    .first;
      return found->second;
    };
    std::vector<typename A::Value> parts{x};
    std::vector<std::vector<std::size_t>> targets(1);
    for (std::size_t j = 0; j < inputs; ++j) targets[0].push_back(j);
    for (std::size_t k = 0; k < size(); ++k) {
      const typename A::Value risen =
          a.add(beyond(entries[k], begin[k]), negative(a, beyond(entries[k], end[k])));
      const Rational slope = (high[k] - low[k]) / (end[k] - begin[k]);
      parts.push_back(shift(a, a.scale(slope, risen), low[k]));
      targets.push_back({inputs + k});
    }
    return scatter(a, parts, targets, {inputs + size()});
  }
};

}  // namespace wmi::encoders
