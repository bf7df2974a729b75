#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/terms/nested_polynomial.h"

namespace wmi {

/// The weight on a branch. Booleans that only scale it are summed over instead of decided.
///
/// A weight that depends on undecided Booleans, and on no undecided atom, needs no cells of its own:
/// the sum over them is a polynomial. Weights that share such Booleans are summed together, others
/// multiply. But a smooth function has one argument on a branch, so the pieces of arguments are
/// decided.
class WeightEvaluator {
 public:
  explicit WeightEvaluator(const Problem& problem);

  /// The first weight that is certainly 0, if there is one.
  const Weight* vanishing(const Branch& branch) const;
  bool vanishes(const Branch& branch) const { return vanishing(branch) != nullptr; }

  /// True when the weight with this number is one polynomial, or 1.
  bool settled(const Branch& branch, std::uint32_t weight) const;
  /// The product of the settled weights (of the constants among them alone, or of all), times 2 for
  /// each of so many Booleans.
  Polynomial settled_weight(const Branch& branch, std::size_t free, bool numbers_only) const;
  /// True when that product would have many terms.
  bool large(const Branch& branch) const;

  /// The next decision the weight depends on, or nullopt if `weight` can be called. The first
  /// `settled` weights are known to be settled; their number is updated.
  std::optional<Decision> open_in(const Branch& branch, std::uint32_t& settled) const;

  /// The same for these weights.
  std::optional<Decision> open_in(const Branch& branch,
                                  std::span<const std::uint32_t> weights) const;

  /// Summed over all Booleans that are not decided. Leaves the branch as it was.
  Polynomial weight(Branch& branch) const;
  /// The same, not multiplied out.
  NestedPolynomial nested_weight(Branch& branch) const;
  /// The product of these weights, summed over those of these Booleans (by node; the weights must
  /// depend on no others) that are not decided.
  Polynomial weight(Branch& branch, std::span<const std::uint32_t> weights,
                    std::span<const std::uint32_t> booleans) const;

 private:
  /// A sum over Booleans has 2^n terms: more Booleans than this are decided instead.
  static constexpr std::size_t most = 10;

  using Which = std::span<const std::uint32_t>;  // weights, by number

  Decision decision_in(const Branch& branch, std::uint32_t weight) const;
  std::vector<std::uint32_t> open_below(const Branch& branch, std::uint32_t weight) const;
  Polynomial product(const Branch& branch, Which weights) const;
  /// Calls `add` for all values of the Booleans that these weights depend on.
  void for_all_values(Branch& branch, Which weights, const std::function<void()>& add) const;
  Polynomial sum(Branch& branch, Which weights, std::span<const std::uint32_t> booleans) const;

  const Problem& problem_;
  std::vector<std::uint32_t> all_, booleans_;  // by number, by node
  std::vector<bool>
      decided_;              // weights with functions whose arguments have pieces: no sums of them
  std::vector<bool> plain_;  // weights without definitions: they are known when their condition is
  std::vector<std::uint32_t> may_vanish_;  // the others, and those that are 0
};

}  // namespace wmi
