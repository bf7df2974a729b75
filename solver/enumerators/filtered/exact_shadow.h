#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/defined.h"
#include "solver/geometry/filtered_polytope.h"

namespace wmi {

/// The exact branch behind a search in doubles. It follows the path of decisions when it is asked for
/// something, from the last path that they share.
class ExactShadow final : public ExactForms {
 public:
  explicit ExactShadow(std::shared_ptr<const Defined> defined) : defined_(std::move(defined)) {}

  /// From now on, decisions are those of this path, which must stay where it is.
  void follow(const std::vector<PathDecision>& path) { path_ = &path; }
  const std::vector<PathDecision>& followed() const { return *path_; }

  /// The branch at the end of the path. Exact numbers may have drawn conclusions that doubles could
  /// not, so fewer decisions may be made there.
  Branch& branch();

  /// Of an atom of the problem that is ready on the path, in the declared reals.
  const LinearForm& exact(std::uint32_t atom) override;

 private:
  struct Step {
    PathDecision decision;
    bool made;  // not concluded by then
  };

  const std::shared_ptr<const Defined> defined_;
  std::optional<Branch> branch_;  // on first use
  const std::vector<PathDecision>* path_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace wmi
