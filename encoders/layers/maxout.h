#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The maximum of each group of `pieces` neighbouring units (channels): x.reshape(n, pieces,
/// ...).max(1) in torch.
struct Maxout {
  static constexpr std::string_view keyword = "maxout";
  std::size_t pieces;

  static Maxout make(Attributes& attributes) {
    Maxout result{attributes.natural("pieces")};
    if (result.pieces == 0) throw Error("attribute 'pieces' must be above 0");
    return result;
  }
  Attributes attributes() const { return Attributes({{"pieces", attribute(pieces)}}); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const Shape from = a.shape(x);
    if (from.empty() || from[0] == 0 || from[0] % pieces != 0)
      throw Error("an input " + to_string(from) + " does not fall into groups of " +
                  std::to_string(pieces));
    Shape to = from;
    to[0] /= pieces;
    const std::size_t inner = entry_count(from) / from[0];
    const auto member = [&](std::size_t piece) {
      std::vector<std::size_t> entries;
      for (std::size_t group = 0; group < to[0]; ++group)
        for (std::size_t i = 0; i < inner; ++i)
          entries.push_back((group * pieces + piece) * inner + i);
      return a.gather(x, entries, to);
    };
    typename A::Value result = member(0);
    for (std::size_t piece = 1; piece < pieces; ++piece) result = a.max(result, member(piece));
    return result;
  }
};

}  // namespace wmi::encoders
