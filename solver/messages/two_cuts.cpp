// The volume of {u in [0, 1]^k : a.u <= s, b.u <= t}, with all a_i > 0. The unit box is a signed sum of
// orthants at its corners v. The volume of the part of an orthant with a.u <= s and b.u <= t has the
// Laplace transform 1/(p q prod (a_i p + b_i q)); its partial fractions in p are, with
// e_ij = a_i b_j - a_j b_i,
//
//     prod_i 1/(a_i p + b_i q) = sum_i a_i^(k-1) / (q^(k-1) prod_(j != i) e_ij (a_i p + b_i q))
//
// and each is transformed back by an integral along the ray of (a_i, b_i). So the volume is 1/k! times
//
//     W(b, t) / prod_j b_j  -  sum_i W(e_i, a_i t - b_i s) / (a_i b_i prod_(j != i) e_ij)
//
//     W(e, t) = sum over v with a.v < s and e.v < t  of  (-1)^|v| (t - e.v)^k
//
// Corners are pairs of corners of two half boxes, w and v. For each w, the corners v that count are
// those with a.v and e.v below some bounds: they are sorted by a.v and added one by one to a tree of
// sums over the ranks of e.v (Fenwick, "A new data structure for cumulative frequency tables", 1994)
// of the powers of -e.v times binomial coefficients, from which Horner's rule gives the sum for w. All
// powers are digits of one long number (Kronecker substitution), so that they are added at once.

#include "solver/messages/two_cuts.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "solver/integrators/limbs.h"
#include "solver/messages/unit_cuts.h"

namespace wmi {
namespace {

using limbs::Limb;
using Numbers = UnitCuts::Numbers;

/// The corners of a box in some of its coordinates: sums of subsets of two forms.
struct Corners {
  Numbers first, second;
  std::vector<int> signs;
};

Corners corners(const Numbers& a, const Numbers& e, std::size_t from, std::size_t to) {
  Corners result{{Integer(0)}, {Integer(0)}, {1}};
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t j = 0, size = result.signs.size(); j < size; ++j) {
      result.first.push_back(result.first[j] + a[i]);
      result.second.push_back(result.second[j] + e[i]);
      result.signs.push_back(-result.signs[j]);
    }
  return result;
}

/// Sums over prefixes of an order of the terms of (t - x)^k, which are binom(k, m) (-x)^m.
class PowerSums {
 public:
  /// Of so many numbers, none larger than this.
  PowerSums(std::size_t size, std::size_t degree, const Integer& largest) : size_(size) {
    Integer bound = 2 * static_cast<unsigned long>(size);
    for (std::size_t m = 0; m <= degree; ++m) {
      Integer& binomial = binomials_.emplace_back();
      mpz_bin_uiui(binomial.get_mpz_t(), degree, m);
      const Integer most = bound * binomial;
      widths_.push_back(mpz_sizeinbase(most.get_mpz_t(), 2) / 64 + 1);
      width_ += widths_.back();
      bound *= largest;
    }
    tree_.resize((size + 1) * width_);
    row_.resize(width_);
    digit_.resize(std::ranges::max(widths_));
  }

  void add(std::size_t rank, const Integer& number, int sign) {
    power_ = sign;
    Limb* digit = row_.data();
    bool borrowed = false;
    for (std::size_t m = 0; m < widths_.size(); ++m) {
      term_ = power_ * binomials_[m];
      if (borrowed) --term_;
      limbs::store(digit, widths_[m], term_);
      digit += widths_[m];
      borrowed = term_ < 0;
      power_ *= number;
      mpz_neg(power_.get_mpz_t(), power_.get_mpz_t());
    }
    for (std::size_t at = rank + 1; at <= size_; at += at & (~at + 1))
      add_row(&tree_[at * width_], row_.data());
  }

  /// The sum of (t - x)^k over the first `count` ranks.
  void sum(std::size_t count, const Integer& t, Integer& result) {
    std::ranges::fill(row_, 0);
    for (std::size_t at = count; at > 0; at -= at & (~at + 1))
      add_row(row_.data(), &tree_[at * width_]);
    result = 0;
    const Limb* digit = row_.data();
    bool borrowed = false;
    for (const std::size_t width : widths_) {
      std::copy_n(digit, width, digit_.begin());
      digit += width;
      const bool below = limbs::negative(digit_.data(), width);
      limbs::load(term_, digit_.data(), width);
      if (borrowed) ++term_;
      borrowed = below;
      result *= t;
      result += term_;
    }
  }

 private:
  void add_row(Limb* target, const Limb* other) const {
    mpn_add_n(target, target, other, static_cast<mp_size_t>(width_));
  }

  const std::size_t size_;
  Numbers binomials_;
  std::vector<std::size_t> widths_;  // of the digits: words in which all sums fit
  std::size_t width_ = 0;            // of all together
  std::vector<Limb> tree_, row_, digit_;
  Integer power_, term_;
};

/// W(e, t) of the corners below a.v = s.
Integer signed_powers(const Numbers& a, const Numbers& e, const Integer& s, const Integer& t) {
  const std::size_t k = a.size();
  const Corners queries = corners(a, e, 0, k / 2), points = corners(a, e, k / 2, k);
  const std::vector<std::size_t> by_first = order_of(points.first),
                                 by_second = order_of(points.second);
  std::vector<std::size_t> ranks(by_second.size());
  Numbers sorted;
  for (std::size_t rank = 0; rank < by_second.size(); ++rank) {
    ranks[by_second[rank]] = rank;
    sorted.push_back(points.second[by_second[rank]]);
  }
  Integer largest = 1;
  for (const Integer* const end : {&sorted.front(), &sorted.back()})
    largest = std::max(largest, Integer(abs(*end)));
  PowerSums sums(points.signs.size(), k, largest);
  const std::vector<std::size_t> descending = order_of(queries.first);
  Integer result, room, value;
  std::size_t added = 0;
  for (std::size_t i = descending.size(); i-- > 0;) {  // by growing room for a.v
    const std::size_t query = descending[i];
    room = s - queries.first[query];
    for (; added < by_first.size() && points.first[by_first[added]] < room; ++added) {
      const std::size_t point = by_first[added];
      sums.add(ranks[point], points.second[point], points.signs[point]);
    }
    room = t - queries.second[query];
    const auto below = std::ranges::lower_bound(sorted, room) - sorted.begin();
    sums.sum(static_cast<std::size_t>(below), room, value);
    if (queries.signs[query] > 0)
      result += value;
    else
      result -= value;
  }
  return result;
}

Rational volume(const UnitCuts& cuts, const Integer& s, const Integer& t) {
  const Numbers &a = cuts.a.coefficients, &b = cuts.b.coefficients;
  const std::size_t k = a.size();
  Integer product = 1;
  for (const Integer& one : b) product *= one;
  Rational result = ratio(signed_powers(a, b, s, t), product);
  for (std::size_t i = 0; i < k; ++i) {
    Numbers e(k);
    product = a[i] * b[i];
    for (std::size_t j = 0; j < k; ++j) {
      e[j] = cuts.minor(i, j);
      if (j != i) product *= e[j];
    }
    result -= ratio(signed_powers(a, e, s, a[i] * t - b[i] * s), product);
  }
  Integer factorial;
  mpz_fac_ui(factorial.get_mpz_t(), k);
  return result / Rational(factorial);
}

}  // namespace

std::optional<Rational> integral_between_two_cuts(const CutBox& box) {
  constexpr std::size_t most_reals = 26;
  const std::optional<UnitCuts> cuts = UnitCuts::of(box);
  if (!cuts || cuts->reals.size() > most_reals) return std::nullopt;
  Rational result =
      cuts->between([&](const Integer& s, const Integer& t) { return volume(*cuts, s, t); });
  result *= box.weight;
  for (const auto& [low, high] : box.sides) result *= high - low;
  return result;
}

}  // namespace wmi
