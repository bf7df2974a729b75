#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/enumerator.h"
#include "solver/enumerators/cell.h"
#include "solver/integrator.h"
#include "solver/laws/truncated_powers.h"

namespace wmi {

/// The integrals of a cell's integrands: of a plain one by the integrator, of a product factor by
/// factor, its parts cell by cell.
///
/// What a part came to is remembered under what it is, in full, so that the same rest of a problem
/// is worked out once. Several threads may ask at once.
class Evaluation {
 public:
  Evaluation(const Enumerator& enumerator, const Integrator& integrator, std::stop_token stop)
      : enumerator_(enumerator), integrator_(integrator), stop_(std::move(stop)) {}

  struct Result {
    std::vector<Interval> integrals;
    std::size_t cells = 0;  // with volume, those of parts included; 0 if it has no volume
    std::vector<TruncatedPowers> laws = {};  // of the cell's images, one each
  };

  /// Throws Unbounded, with a direction in the cell's coordinates.
  Result operator()(const Cell& cell) const;

 private:
  /// No more is remembered once it is this much.
  static constexpr std::size_t most_bytes = 32'000'000;

  Result evaluate(const Part& part, std::span<const Polynomial> monomials) const;
  Result enumerate(const Part& part, std::span<const Polynomial> monomials) const;

  const Enumerator& enumerator_;
  const Integrator& integrator_;
  const std::stop_token stop_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Result> known_;  // looked up, never walked
  mutable std::size_t bytes_ = 0;
};

/// Has any cell of the problem volume, whatever its weight?
bool has_volume(const Problem& problem, const Enumerator& enumerator, const std::stop_token& stop);

}  // namespace wmi
