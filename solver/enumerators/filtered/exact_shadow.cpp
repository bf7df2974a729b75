#include "solver/enumerators/filtered/exact_shadow.h"

#include <cassert>

namespace wmi {

Branch& ExactShadow::branch() {
  if (!branch_) branch_.emplace(defined_->problem, cone(defined_->problem, defined_->goals));
  std::size_t shared = 0;
  while (shared < steps_.size() && shared < path_->size() &&
         steps_[shared].decision == (*path_)[shared])
    ++shared;
  for (; steps_.size() > shared; steps_.pop_back())
    if (steps_.back().made) branch_->undo();
  for (; steps_.size() < path_->size();) {
    const PathDecision& decision = (*path_)[steps_.size()];
    const bool made = branch_->truth(Formula(decision.node, false)) == Truth::unknown;
    if (made) branch_->decide({decision.node, decision.holds});
    steps_.push_back({decision, made});
  }
  return *branch_;
}

const LinearForm& ExactShadow::exact(std::uint32_t atom) {
  const Atom* const found = branch().atom(atom);
  assert(found != nullptr);
  return found->form;
}

}  // namespace wmi
