// The Levenshtein distance, by the rows of its table: row[j] is the distance between the part of
// one word that has been read and the first j characters of the other.

#include "frontends/cli/suggestion.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wmi::frontends {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (letter == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string_view suggestion(std::string_view misspelt, std::span<const std::string_view> words) {
  constexpr std::size_t most = 2;
  constexpr std::size_t longest = 100;  // no option is longer; the distance takes quadratic time
  if (misspelt.size() > longest) return {};
  std::string_view best;
  std::size_t least = most + 1;
  for (const std::string_view word : words)
    if (const std::size_t found = distance(misspelt, word); found < least) {
      least = found;
      best = word;
    }
  return best;
}

}  // namespace wmi::frontends
