#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wmi {

/// The rows of a polyhedron that are facets, in order, and for each the generators on it, as bits.
struct Facets {
  std::vector<std::size_t> rows;
  std::vector<std::uint64_t> incidences;
};

/// The facets among the rows from `first` to `end`, of which `tight(g, i)` says whether generator g
/// lies on row i: a facet contains at least `needed` generators, and all of them lie on no other row
/// but one that is equal.
template <class Tight>
Facets find_facets(std::size_t generators, std::size_t first, std::size_t end, std::size_t needed,
                   const Tight& tight) {
  const std::size_t words = (generators + 63) / 64;
  Facets result;
  result.rows.reserve(end - first);
  result.incidences.reserve((end - first) * words);
  const auto bits = [&](std::size_t k) { return result.incidences.data() + k * words; };
  for (std::size_t i = first; i < end; ++i) {
    result.rows.push_back(i);
    result.incidences.resize(result.incidences.size() + words);
    std::size_t members = 0;
    for (std::size_t g = 0; g < generators; ++g)
      if (tight(g, i)) {
        bits(result.rows.size() - 1)[g / 64] |= std::uint64_t{1} << g % 64;
        ++members;
      }
    if (members < needed) {
      result.rows.pop_back();
      result.incidences.resize(result.incidences.size() - words);
    }
  }

  const auto within = [&](std::size_t inner, std::size_t outer) {
    for (std::size_t w = 0; w < words; ++w)
      if (bits(inner)[w] & ~bits(outer)[w]) return false;
    return true;
  };
  std::vector<bool> facet(result.rows.size(), true);
  for (std::size_t i = 0; i < facet.size(); ++i)
    for (std::size_t k = 0; facet[i] && k < facet.size(); ++k)
      facet[i] = k == i || !facet[k] || !within(i, k);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < facet.size(); ++i) {
    if (!facet[i]) continue;
    result.rows[kept] = result.rows[i];
    std::copy_n(bits(i), words, bits(kept));
    ++kept;
  }
  result.rows.resize(kept);
  result.incidences.resize(kept * words);
  return result;
}

}  // namespace wmi
