#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"

namespace wmi {

/// The weight on a branch, Booleans that only scale it summed up instead of decided.
///
/// A weight whose value still hangs on Booleans alone needs no cells of its own: the sum over them
/// is a polynomial. Weights that share such Booleans are summed together, others multiply.
class WeightEvaluator {
 public:
  explicit WeightEvaluator(const Problem& problem);

  /// The first weight that is certainly 0, if there is one.
  const Weight* vanishing(const Branch& branch) const;
  bool vanishes(const Branch& branch) const { return vanishing(branch) != nullptr; }

  /// True when the weight with this number is one polynomial, or 1.
  bool settled(const Branch& branch, std::uint32_t weight) const;
  /// The product of those (of the numbers among them alone, or of all), times 2 for each of so many
  /// Booleans.
  Polynomial settled_weight(const Branch& branch, std::size_t free, bool numbers_only) const;
  /// True when that product would have many terms.
  bool large(const Branch& branch) const;

  /// A decision that the weight waits for; nothing when `weight` can say what it is. The first
  /// `settled` weights need no look: they are settled, and their number is brought up to date.
  std::optional<Decision> open_in(const Branch& branch, std::uint32_t& settled) const;

  /// Likewise among these weights.
  std::optional<Decision> open_in(const Branch& branch,
                                  std::span<const std::uint32_t> weights) const;

  /// Summed over all Booleans that are not decided. Leaves the branch as it was.
  Polynomial weight(Branch& branch) const;
  /// The product of these weights, summed over those of these Booleans (by node; all that the
  /// weights wait for are among them) that are not decided.
  Polynomial weight(Branch& branch, std::span<const std::uint32_t> weights,
                    std::span<const std::uint32_t> booleans) const;

 private:
  /// More Booleans than this are not summed at once: the sum is over all their values.
  static constexpr std::size_t most = 10;

  using Which = std::span<const std::uint32_t>;  // weights, by number

  Decision decision_in(const Branch& branch, std::uint32_t weight) const;
  std::vector<std::uint32_t> waits_for(const Branch& branch, std::uint32_t weight) const;
  Polynomial product(const Branch& branch, Which weights) const;
  Polynomial sum(Branch& branch, Which weights, std::span<const std::uint32_t> booleans) const;

  const Problem& problem_;
  std::vector<std::uint32_t> all_, booleans_;  // by number, by node
  std::vector<bool> plain_;  // weights without definitions: they are known when their condition is
  std::vector<std::uint32_t> may_vanish_;  // the others, and those that are 0
};

}  // namespace wmi
