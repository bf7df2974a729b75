// The search for a proof, which is written as the tree of a certificate.
//
// The search is that of the `split` enumerator: decisions on a path (Branch), and the region of the
// path with its vertices (ProductRegion). The path itself is written (Path), so that the checker
// sees every point of the space in some branch. Atoms that the region implies are not written: at a
// cell the checker decides them from the vertices. Only if the formula is false because of such
// atoms are they written, as splits with a thin side and Farkas multipliers.
//
// Derived reals are pinned: an equation that the formula cannot hold without, written together with
// the proof of that, replaces one of them by an affine form in the others.
//
// A query needs integrals under conditions (CertifiedIntegral). Once formula and weights are
// decided, the integrals that are determined share a cell, and each other integral has a tree of
// its own below a fork. If the open formulas decompose into components without common variables,
// each component has a tree of its own below a product.
//
// The search may also find the answers: then each cell is integrated before it is written, and the
// sums are those of the checker (Sums). When it has to stop, or has reached the wanted precision,
// it leaves the remaining regions open; the checker computes how much they can add. The sums, and
// so the answers, are then intervals.

#include "solver/certificates/tree.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "solver/certificates/path.h"
#include "solver/certificates/sums.h"
#include "solver/enumerators/replay.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

class Prover {
 public:
  Prover(const Problem& problem, std::vector<CertifiedIntegral> integrals, std::ostream& out,
         const std::stop_token& stop, ProgressObserver* observer, const Summing* summing)
      : path_(problem, std::move(integrals), out),
        state_(path_.state()),
        stop_(stop),
        observer_(observer) {
    if (summing == nullptr) return;
    sums_.emplace(summing->integrator, observer);
    threshold_ = summing->threshold;
  }

  Summary prove() {
    std::size_t late = 0;  // steps since the stop, until a region can be left open
    constexpr std::size_t patience = 100'000;
    while (!done_) {
      stopped_ = stopped_ || stop_.stop_requested();
      if (stopped_ && (!sums_ || late++ > patience)) throw Stopped();
      advance();
    }
    if (!sums_) return {};
    return summary();
  }

  Summary summary() const {
    return {path_.scope().sums, sums_->cells(), sums_->left_open(), stopped_};
  }

  /// Goes to a place, which is the root of the search from then on. Throws LostPlace.
  void go_to(const SearchPath& place) {
    for (const PathStep& step : place) {
      for (std::size_t before = path_.steps(); before == path_.steps() || !path_.last_node();) {
        before = path_.steps();
        advance();
        if (leaves_ > 0 || path_.at_product()) Replay::fail();
      }
      const std::optional<PathStep> node = path_.last_node();
      if (node->at != step.at || node->branches != step.branches) Replay::fail();
      path_.enter(step.branch);
    }
    base_ = path_.steps();
  }

  /// Searches until `pause` says so between two leaves; returns the places that are left.
  std::vector<SearchPath> search(const std::function<bool()>& pause) {
    for (std::size_t seen = leaves_; !done_;) {
      advance();
      if (leaves_ == seen || path_.within_product()) continue;
      seen = leaves_;
      if (pause()) break;
    }
    return left();
  }

  /// Searches the tree down to a depth; `leave` is called for each place that is left.
  void search_above(std::size_t depth, const std::stop_token& stop, std::ostringstream& out,
                    const std::function<void(SearchPath)>& leave) {
    std::streamoff start = 0;  // where the nodes from this place on begin
    while (!done_) {
      if (stop.stop_requested()) throw Stopped();
      if (path_.place().size() < depth) {
        const std::size_t leaves = leaves_, steps = path_.steps();
        advance();
        if (!path_.at_product()) {
          if (leaves_ != leaves || (path_.steps() != steps && path_.last_node()))
            start = out.tellp();
          continue;
        }
        path_.withdraw_product();
        const std::string before = out.str().substr(0, static_cast<std::size_t>(start));
        out.str("");
        out << before;
      }
      leave(path_.place());
      start = 0;
      done_ = !path_.backtrack(base_);
    }
  }

 private:
  /// What is still to be searched, from left to right.
  std::vector<SearchPath> left() const {
    if (done_) return {};
    std::vector<SearchPath> result = path_.waiting(base_);
    result.insert(result.begin(), path_.place());
    return result;
  }

  void advance();
  void backtrack();
  bool take_unit();
  bool leave_open();
  bool decompose();
  void must_take(std::uint32_t node);
  bool settle(Formula formula);
  bool settle(const CertifiedIntegral& integral);
  bool all_determined() const;
  void fork_or_cell();
  void write_cell();

  Path path_;
  ProofState& state_;  // of the path
  const std::stop_token& stop_;
  ProgressObserver* const observer_;
  std::size_t base_ = 0;  // steps to the root of this search
  std::size_t leaves_ = 0;
  std::optional<Sums> sums_;
  std::optional<Threshold> threshold_;
  bool stopped_ = false, done_ = false;
};

void Prover::backtrack() {
  done_ = !path_.backtrack(base_);
  ++leaves_;
  constexpr std::size_t leaves_between_reports = 16;
  if (observer_ != nullptr && leaves_ % leaves_between_reports == 0)
    observer_->proved(done_ ? 1 : path_.share_written());
}

void Prover::advance() {
  const Scope& scope = path_.scope();
  if (state_.closed(scope)) {
    path_.write_falsehood();
    return backtrack();
  }
  if (state_.idle(scope)) {
    // At a cell the checker decides implied atoms itself; otherwise each would be written.
    if (path_.implied_reasons() > 1 && state_.settled(scope))
      write_cell();
    else
      path_.write_falsehood();
    return backtrack();
  }
  if (take_unit()) return;
  if (leave_open()) return backtrack();
  if (decompose()) return;
  bool stuck = false;
  for (const Formula formula : scope.formulas) {
    if (state_.branch.truth(formula) != Truth::unknown) continue;
    if (settle(formula)) return;
    stuck = true;
  }
  if (stuck) throw GaveUp("no certificate: a derived real is not pinned by equations");
  if (const auto decision = state_.evaluator.open_in(state_.branch, scope.weights))
    return must_take(decision->node);
  if (scope.active.size() == 1 && settle(scope.integrals[scope.active[0]])) return;
  fork_or_cell();
}

/// Takes a literal without which the formula cannot hold.
bool Prover::take_unit() {
  const std::vector<Decision> units = state_.branch.units_of(path_.scope().formulas);
  return std::any_of(units.begin(), units.end(),
                     [&](const Decision& unit) { return path_.require(unit); });
}

/// Leaves the region open if it is below the threshold, or if it is time to stop.
bool Prover::leave_open() {
  if (!stopped_ && (!threshold_ || path_.within_product() || all_determined())) return false;
  if (!sums_->add_open(state_, path_.scope(), stopped_ ? Threshold{} : *threshold_)) return false;
  path_.write_region(CertificateNode::open);
  return true;
}

/// Whether this is a cell for all active integrals.
bool Prover::all_determined() const {
  const Scope& scope = path_.scope();
  return state_.settled(scope) &&
         std::all_of(scope.active.begin(), scope.active.end(),
                     [&](std::size_t i) { return state_.determined(scope.integrals[i]); });
}

/// Decomposes into components without common variables, for integrals with known terms and equal
/// conditions. If there are others, forks into groups of integrals first, if the formula would
/// decompose then.
bool Prover::decompose() {
  const Problem& problem = state_.problem;
  const Scope& scope = path_.scope();
  if (state_.region.dimension() < problem.integrated.size()) return false;  // derived reals
  if (state_.region.block_count() < 2 && problem.terms.boolean_count() == 0) return false;
  Groups groups = group_integrals(state_, scope);
  if (groups.alike.empty()) return false;
  std::vector<Formula> formulas = scope.formulas;
  if (groups.alike.size() == 1)
    formulas.insert(formulas.end(), groups.conditions.begin(), groups.conditions.end());
  const std::vector<Component> found =
      components(problem, state_.branch, state_.evaluator, state_.region,
                 state_.evaluator.large(state_.branch), formulas, scope.weights);
  if (found.size() < 2) return false;
  if (!groups.unfit.empty()) groups.alike.push_back(std::move(groups.unfit));
  if (groups.alike.size() == 1)
    path_.decompose(wmi::decompose(state_, scope, found, sums_.has_value()));
  else
    path_.fork(std::move(groups.alike));
  return true;
}

void Prover::must_take(std::uint32_t node) {
  if (!path_.take(node)) throw GaveUp("no certificate: a derived real is not pinned");
}

/// Decides an atom or Boolean of the formula: one that the region implies, or else the one that
/// most of it depends on. Returns false if nothing can be decided yet.
bool Prover::settle(Formula formula) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  for (const std::uint32_t node : state_.branch.open_below(std::span(&formula, 1), {})) {
    if (state_.problem.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = state_.branch.atom(node);
      if (atom == nullptr) continue;
      const AtomStatus status = state_.classify(*atom);
      if (status.kind == AtomStatus::Kind::derived) continue;
      if (status.known()) return path_.take(node);
    }
    if (const std::size_t uses = state_.branch.uses(node); !best || uses > most) {
      best = node;
      most = uses;
    }
  }
  return best && path_.take(*best);
}

/// Takes the next decision that the integral depends on; false if it is determined.
bool Prover::settle(const CertifiedIntegral& integral) {
  for (const Formula part : integral.conditions) {
    if (state_.branch.truth(part) != Truth::unknown) continue;
    if (!settle(part)) throw GaveUp("no certificate: a derived real is not pinned");
    return true;
  }
  if (integral.term) {
    if (const auto decision = state_.branch.open_in(*integral.term)) {
      must_take(decision->node);
      return true;
    }
  }
  if (state_.determined(integral)) return false;
  path_.cut(state_.slice(integral));
  return true;
}

/// Requires that formula and weights are determined.
void Prover::fork_or_cell() {
  const Scope& scope = path_.scope();
  std::vector<std::size_t> together;
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : scope.active) {
    if (state_.determined(scope.integrals[i]))
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
  if (sums_) sums_->add_cell(state_, path_.scope());
  path_.write_region(CertificateNode::cell);
}

}  // namespace

Summary write_tree(const Problem& problem, std::vector<CertifiedIntegral> integrals,
                   std::ostream& out, const std::stop_token& stop, ProgressObserver* observer,
                   const Summing* summing) {
  return Prover(problem, std::move(integrals), out, stop, observer, summing).prove();
}

TreePart TreeParts::above(std::size_t depth, const std::stop_token& stop) const {
  std::ostringstream out;
  const Summing summing{integrator_};
  Prover prover(problem_, {integrals_.begin(), integrals_.end()}, out, stop, nullptr, &summing);
  TreePart result;
  prover.search_above(depth, stop, out, [&](SearchPath place) {
    result.open.push_back(std::move(place));
    result.pieces.push_back(out.str());
    out.str("");
  });
  result.pieces.push_back(out.str());
  result.summary = prover.summary();
  return result;
}

TreePart TreeParts::below(const SearchPath& place, const std::function<bool()>& pause) const {
  std::ostringstream out;
  const std::stop_token never;
  const Summing summing{integrator_};
  Prover prover(problem_, {integrals_.begin(), integrals_.end()}, out, never, nullptr, &summing);
  prover.go_to(place);
  out.str("");  // the nodes above belong to other parts
  TreePart result;
  result.open = prover.search(pause);
  result.pieces.assign(result.open.size() + 1, "");
  result.pieces[0] = out.str();
  result.summary = prover.summary();
  return result;
}

TreePart TreeParts::left_open(const SearchPath& place) const {
  std::ostringstream out;
  std::stop_source stopped;
  const std::stop_token stop = stopped.get_token();
  const Summing summing{integrator_};
  Prover prover(problem_, {integrals_.begin(), integrals_.end()}, out, stop, nullptr, &summing);
  prover.go_to(place);
  out.str("");
  stopped.request_stop();
  TreePart result;
  result.summary = prover.prove();
  result.pieces = {out.str()};
  return result;
}

}  // namespace wmi
