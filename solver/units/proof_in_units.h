#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/answers/answer_accumulator.h"
#include "solver/certificates/certified_integral.h"
#include "solver/certificates/scope.h"
#include "solver/enumerators/goal.h"
#include "solver/integrator.h"
#include "solver/units/divided_task.h"

namespace wmi {

/// The search for a proof (`prove`), divided: each part finds a part of the certificate's tree, and
/// the sums over its leaves. With the parts in their places, the certificate is that of one search.
class ProofInUnits final : public DividedTask {
 public:
  /// The task and the integrator must outlive this. Throws Error if a query cannot be certified.
  /// An answer that is known to within `gap` is complete.
  ProofInUnits(const Task& task, const Integrator& integrator, std::optional<Rational> gap = {});

  UnitResult divide(std::size_t parts, const std::stop_token& stop) override;
  std::vector<std::size_t> searched() const override { return {}; }
  UnitResult solve(const std::vector<SearchPath>& places,
                   const std::function<bool()>& pause) const override;
  bool fits(const UnitResult& result) const override;
  JoinedTask join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                  unsigned digits, const std::stop_token& stop) const override;

 private:
  const Task& task_;
  const Integrator& integrator_;
  const std::optional<Rational> gap_;
  Task asked_;
  std::vector<CertifiedIntegral> integrals_;
  const Plan plan_;
};

}  // namespace wmi
