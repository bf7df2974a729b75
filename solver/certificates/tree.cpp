// A search for a proof.
//
// The search is that of the `split` enumerator: decisions on a path (Branch), and the region of the
// path with its vertices (ProductRegion). What it writes is the path itself (Path), so that a reader sees
// every point of the space go one way or the other. Where the region alone decides an atom nothing
// is written: at a cell the reader sees it from the vertices. Only where the formula is false
// because of such atoms are they written as splits of which one way is thin, with Farkas
// multipliers.
//
// Derived reals are pinned: an equation that the formula cannot hold without, written together with
// the proof that it cannot, replaces one of them by an affine form in the others.
//
// A query asks for integrals under conditions: its aims. At a leaf of the formula and the weights
// the aims that are determined share the cell, and each other aim has a tree of its own below a
// fork. Where what is open falls apart into components that share nothing, each has a tree of its
// own below a product.
//
// The search may also find the answers: then each cell is integrated before it is written, and the
// sums are those that a reader comes to (Sums). When it has to stop, or need not go on, it leaves
// open what is left: a region, of which a reader sees how much it can add. So the sums are
// intervals, and so are the answers.

#include "solver/certificates/tree.h"

#include <algorithm>

#include "solver/certificates/path.h"
#include "solver/certificates/sums.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

class Prover {
 public:
  Prover(const Problem& problem, std::vector<CertifiedIntegral> aims, std::ostream& out,
         const std::stop_token& stop, const Summing* summing)
      : path_(problem, std::move(aims), out), place_(path_.place()), stop_(stop) {
    if (summing == nullptr) return;
    sums_.emplace(summing->integrator, summing->observer);
    threshold_ = summing->threshold;
  }

  Summary prove() {
    std::size_t late = 0;  // steps to where something can be left open
    constexpr std::size_t patience = 100'000;
    while (!done_) {
      stopped_ = stopped_ || stop_.stop_requested();
      if (stopped_ && (!sums_ || late++ > patience)) throw Stopped();
      advance();
    }
    if (!sums_) return {};
    return {path_.scope().tallies, sums_->cells(), sums_->left_open(), stopped_};
  }

 private:
  void advance();
  void backtrack() { done_ = !path_.backtrack(); }
  bool take_unit();
  bool leave_open();
  bool fall_apart();
  void must_take(std::uint32_t node);
  bool settle(Formula formula);
  bool settle(const CertifiedIntegral& aim);
  bool all_determined() const;
  void fork_or_cell();
  void write_cell();

  Path path_;
  ProofState& place_;  // of the path
  const std::stop_token& stop_;
  std::optional<Sums> sums_;
  std::optional<Threshold> threshold_;
  bool stopped_ = false, done_ = false;
};

void Prover::advance() {
  const Scope& scope = path_.scope();
  if (place_.closed(scope)) {
    path_.write_falsehood();
    return backtrack();
  }
  if (place_.idle(scope)) {
    // At a cell a reader sees what the region decides, which would otherwise be shown one by one.
    if (path_.implied_reasons() > 1 && place_.settled(scope))
      write_cell();
    else
      path_.write_falsehood();
    return backtrack();
  }
  if (take_unit()) return;
  if (leave_open()) return backtrack();
  if (fall_apart()) return;
  bool stuck = false;
  for (const Formula formula : scope.formulas) {
    if (place_.branch.truth(formula) != Truth::unknown) continue;
    if (settle(formula)) return;
    stuck = true;
  }
  if (stuck) throw GaveUp("no certificate: a derived real is not pinned by equations");
  if (const auto decision = place_.weighing.open_in(place_.branch, scope.weights))
    return must_take(decision->node);
  if (scope.active.size() == 1 && settle(scope.aims[scope.active[0]])) return;
  fork_or_cell();
}

/// A literal without which the formula cannot hold.
bool Prover::take_unit() {
  const std::vector<Decision> units = place_.branch.units_of(path_.scope().formulas);
  return std::any_of(units.begin(), units.end(),
                     [&](const Decision& unit) { return path_.require(unit); });
}

/// What need not be searched, or is not to be: all, when it is time to stop.
bool Prover::leave_open() {
  if (!stopped_ && (!threshold_ || path_.within_product() || all_determined())) return false;
  if (!sums_->leave_open(place_, path_.scope(), stopped_ ? Threshold{} : *threshold_)) return false;
  path_.write_region(CertificateNode::open);
  return true;
}

/// It is a cell for all aims.
bool Prover::all_determined() const {
  const Scope& scope = path_.scope();
  return place_.settled(scope) &&
         std::all_of(scope.active.begin(), scope.active.end(),
                     [&](std::size_t i) { return place_.determined(scope.aims[i]); });
}

/// Into components that share nothing, for aims that have the same conditions and whose terms are
/// known. Where there are others, into groups of aims, if it helps the formula.
bool Prover::fall_apart() {
  const Problem& problem = place_.problem;
  const Scope& scope = path_.scope();
  if (place_.region.dimension() < problem.integrated.size()) return false;  // derived reals
  if (place_.region.block_count() < 2 && problem.terms.boolean_count() == 0) return false;
  Groups groups = group_aims(place_, scope);
  if (groups.alike.empty()) return false;
  std::vector<Formula> formulas = scope.formulas;
  if (groups.alike.size() == 1)
    formulas.insert(formulas.end(), groups.conditions.begin(), groups.conditions.end());
  const std::vector<Component> found =
      components(problem, place_.branch, place_.weighing, place_.region,
                 place_.weighing.large(place_.branch), formulas, scope.weights);
  if (found.size() < 2) return false;
  if (!groups.unfit.empty()) groups.alike.push_back(std::move(groups.unfit));
  if (groups.alike.size() == 1)
    path_.fall_apart(take_apart(place_, scope, found, sums_.has_value()));
  else
    path_.fork(std::move(groups.alike));
  return true;
}

void Prover::must_take(std::uint32_t node) {
  if (!path_.take(node)) throw GaveUp("no certificate: a derived real is not pinned");
}

/// Decides something in the formula: what the region decides, or else what most of it waits for.
/// False if nothing in it can be decided yet.
bool Prover::settle(Formula formula) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  for (const std::uint32_t node : place_.branch.open_below(std::span(&formula, 1), {})) {
    if (place_.problem.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = place_.branch.atom(node);
      if (atom == nullptr) continue;
      const AtomStatus sight = place_.classify(*atom);
      if (sight.kind == AtomStatus::Kind::derived) continue;
      if (sight.known()) return path_.take(node);
    }
    if (const std::size_t uses = place_.branch.uses(node); !best || uses > most) {
      best = node;
      most = uses;
    }
  }
  return best && path_.take(*best);
}

/// Decides what the aim waits for; false if it waits for nothing.
bool Prover::settle(const CertifiedIntegral& aim) {
  for (const Formula part : aim.conditions) {
    if (place_.branch.truth(part) != Truth::unknown) continue;
    if (!settle(part)) throw GaveUp("no certificate: a derived real is not pinned");
    return true;
  }
  if (aim.term) {
    if (const auto decision = place_.branch.open_in(*aim.term)) {
      must_take(decision->node);
      return true;
    }
  }
  if (place_.determined(aim)) return false;
  path_.cut(place_.slice(aim));
  return true;
}

/// Formula and weights are determined.
void Prover::fork_or_cell() {
  const Scope& scope = path_.scope();
  std::vector<std::size_t> together;
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : scope.active) {
    if (place_.determined(scope.aims[i]))
      together.push_back(i);
    else
      groups.push_back({i});
  }
  if (groups.empty()) {
    write_cell();
    return backtrack();
  }
  if (!together.empty()) groups.insert(groups.begin(), std::move(together));
  path_.fork(std::move(groups));
}

void Prover::write_cell() {
  if (sums_) sums_->add_cell(place_, path_.scope());
  path_.write_region(CertificateNode::cell);
}

}  // namespace

Summary write_tree(const Problem& problem, std::vector<CertifiedIntegral> aims, std::ostream& out,
                   const std::stop_token& stop, const Summing* summing) {
  return Prover(problem, std::move(aims), out, stop, summing).prove();
}

}  // namespace wmi
