#include "bnn/collapse/candidates.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace wmi::bnn {

std::vector<std::size_t> largest(std::span<const double> sizes, std::size_t most) {
  if (most < sizes.size() && most <= 8) {  // the usual few: one pass
    std::vector<std::size_t> best;
    if (most == 0) return best;
    best.reserve(most);
    double least = 0;  // of the best, once they are enough
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i >= most) {
        if (!(sizes[i] > least)) continue;
        best.pop_back();
      }
      std::size_t place = best.size();
      while (place > 0 && sizes[i] > sizes[best[place - 1]]) --place;
      best.insert(best.begin() + static_cast<std::ptrdiff_t>(place), i);
      least = sizes[best.back()];
    }
    std::ranges::sort(best);
    return best;
  }
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (most >= order.size()) return order;
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return sizes[a] > sizes[b] || (sizes[a] == sizes[b] && a < b);
                    });
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

std::vector<std::size_t> largest_of_one_unit(std::span<const Candidate> candidates,
                                             std::span<const double> sizes, std::size_t most) {
  std::vector<std::size_t> best;
  double best_sum = -1;
  for (std::size_t start = 0, end = 0; start < candidates.size(); start = end) {
    std::vector<double> ranks;
    for (end = start; end < candidates.size() && candidates[end].unit == candidates[start].unit;
         ++end)
      ranks.push_back(candidates[end].always ? std::numeric_limits<double>::infinity()
                                             : sizes[end]);
    std::vector<std::size_t> taken = largest(ranks, most);
    double sum = 0;
    for (std::size_t& i : taken) sum += sizes[i += start];
    if (sum > best_sum) {
      best_sum = sum;
      best = std::move(taken);
    }
  }
  return best;
}

}  // namespace wmi::bnn
