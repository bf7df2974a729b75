#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/enumerators/cell.h"
#include "solver/integrator.h"
#include "solver/laws/truncated_powers.h"
#include "solver/terms/refusal.h"

namespace wmi {

/// The integrals of a cell's integrands: of a plain cell or a slice by the integrator, of a product
/// factor by factor.
///
/// The integrals over a part of a product are memoised by the text of its problem, so that a part
/// that many products share is integrated once. Several threads may call it at once.
class Evaluation {
 public:
  struct Result {
    std::vector<Interval> integrals;
    std::size_t cells = 0;  // with volume, those of parts included; 0 if it has no volume
    std::vector<TruncatedPowers> laws = {};  // of the cell's images, one each
    std::vector<Refusal> refusals = {};      // of each integral, if there is any
  };

  /// Integrates monomials over a part of a product, whose cells it may give back to the evaluation.
  using PartIntegrator = std::function<Result(
      const Part& part, std::span<const Polynomial> monomials, const Evaluation& evaluation)>;

  /// Without a part integrator, there must be no products. The integrator must outlive this.
  /// Integrals with smooth functions are enclosed to about so many digits.
  explicit Evaluation(const Integrator& integrator, PartIntegrator integrate_part = {},
                      unsigned smooth_digits = 8)
      : integrator_(integrator),
        integrate_part_(std::move(integrate_part)),
        smooth_digits_(smooth_digits) {}

  /// Throws Unbounded, with a direction in the cell's coordinates. An open cell has no integrals.
  Result operator()(const Cell& cell) const;

  /// An upper bound of the weight's integral over an open cell, or nullopt.
  std::optional<Rational> most_weight(const Cell& cell) const;

 private:
  /// The memo does not grow beyond this.
  static constexpr std::size_t most_bytes = 32'000'000;

  std::vector<Interval> integrals(const Region& region,
                                  std::span<const Polynomial> integrands) const;
  std::vector<Interval> nested(const NestedPolynomial& weight, std::span<const Polynomial> factors,
                               const Region& region) const;
  Result smooth(const Cell& cell, const std::vector<Halfspace>& halfspaces) const;
  Result evaluate(const Cell& cell, const PlainCell& plain) const;
  Result evaluate(const Cell& cell, const EnclosedCell& enclosed) const;
  Result evaluate(const Cell& cell, const SliceCell& slice) const;
  Result evaluate(const Cell& cell, const ProductCell& product) const;
  Result evaluate(const Cell& cell, const OpenCell& open) const;
  Result integrate(const Part& part, std::span<const Polynomial> monomials) const;

  const Integrator& integrator_;
  const PartIntegrator integrate_part_;
  const unsigned smooth_digits_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Result> memo_;  // looked up, never iterated over
  mutable std::size_t bytes_ = 0;
};

}  // namespace wmi
