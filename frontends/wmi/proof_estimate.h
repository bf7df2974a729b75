#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace wmi::frontends {

/// How long a proof will take: said once, if it takes long.
///
/// Proofs are found in exact numbers, so they can take much longer than the answers.
class ProofEstimate {
 public:
  using Seconds = std::chrono::duration<double>;

  /// The proof has been under way for this long, and this share of it is written. A line for the
  /// user after ten seconds, the first time that it is asked.
  ///
  ///     ProofEstimate().at(.25, ProofEstimate::Seconds(15));  // ... about 60 s in all ...
  std::optional<std::string> at(double share, Seconds elapsed);

  /// The same, for a proof that has begun with this object.
  std::optional<std::string> update(double share) {
    return at(share, std::chrono::steady_clock::now() - start_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool said_ = false;
};

}  // namespace wmi::frontends
