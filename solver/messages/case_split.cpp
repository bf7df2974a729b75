// Cutset conditioning (Pearl, "Probabilistic Reasoning in Intelligent Systems", 1988), with atoms as
// well as Booleans: a search without regions, which would have too many vertices. Whether it pays is
// seen from the graph alone, before any integral is computed: each case is a tree of small blocks,
// and has as many cells as its blocks together, while the whole problem as one block has a number of
// vertices that is exponential in its reals.

#include "solver/messages/case_split.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/component_problem.h"
#include "solver/messages/block_tree.h"

namespace wmi {
namespace {

class CaseSplit {
 public:
  CaseSplit(const Problem& problem, const CaseRules& rules)
      : problem_(problem),
        goal_{truth, {{Polynomial(1), 0}}, {}},
        branch_(problem, cone(problem, std::span(&goal_, 1))) {
    most_cases_ = rules.most_cases;
    for (std::size_t n = rules.least_reals; n < problem.integrated.size(); ++n)
      most_cases_ = std::min<std::size_t>(4 * most_cases_, 1024);
  }

  std::optional<std::vector<Problem>> operator()() {
    if (has_small_blocks(problem_) || !split(0)) return std::nullopt;
    return std::move(cases_);
  }

 private:
  static constexpr std::size_t deepest = 10;

  /// False if there are no cases, or too many.
  bool split(std::size_t depth) {
    std::size_t made = 0;  // decisions without which there is no model
    bool possible = true;
    for (bool more = true; more && possible;) {
      more = false;
      possible = std::ranges::none_of(problem_.assertions, [&](Formula assertion) {
        return branch_.truth(assertion) == Truth::no;
      });
      for (const Decision& unit : branch_.units_of(problem_.assertions)) {
        if (!possible || unit.atom != nullptr ||
            branch_.truth(Formula(unit.node, false)) != Truth::unknown)
          continue;
        branch_.decide(unit);
        ++made;
        more = true;
      }
    }
    const bool found = !possible || (depth > 0 && add_case()) || split_further(depth);
    for (; made > 0; --made) branch_.undo();
    return found;
  }

  bool split_further(std::size_t depth) {
    if (depth == deepest) return false;
    const std::optional<Decision> decision = choose();
    if (!decision) return false;
    for (const bool holds : {true, false}) {
      branch_.decide(branch_.decision_on(decision->node, holds));
      const bool found = split(depth + 1);
      branch_.undo();
      if (!found) return false;
    }
    return true;
  }

  /// The problem on the branch, if its blocks are small. False if not, or if there are too many.
  bool add_case() {
    Component all;
    std::vector<Variable>& coordinates = all.coordinates;
    coordinates.resize(problem_.integrated.size());
    std::iota(coordinates.begin(), coordinates.end(), Variable{0});
    for (const Formula assertion : problem_.assertions)
      if (branch_.truth(assertion) == Truth::unknown) all.formulas.push_back(assertion);
    for (std::uint32_t i = 0; i < problem_.weights.size(); ++i)
      if (branch_.truth(problem_.weights[i].condition) != Truth::no) all.weights.push_back(i);
    for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i)
      if (const std::uint32_t node = problem_.terms.boolean(i).node();
          branch_.truth(Formula(node, false)) == Truth::unknown)
        all.booleans.push_back(node);
    std::ranges::sort(all.booleans);
    Problem found =
        component_problem(problem_, branch_, ProductRegion(coordinates.size()), all).problem;
    for (const Decision& decision : branch_.decisions()) {
      if (decision.atom == nullptr) continue;
      const Formula atom = found.terms.compare(decision.atom->form, decision.atom->comparison);
      found.assertions.push_back(decision.holds ? atom : !atom);
    }
    if (cases_.size() == most_cases_ || !has_small_blocks(found)) return false;
    cases_.push_back(std::move(found));
    return true;
  }

  /// The open Boolean or atom that most open nodes depend on: Booleans first.
  std::optional<Decision> choose() const {
    std::set<std::uint32_t> given;  // atoms that must hold
    for (const Decision& unit : branch_.units_of(problem_.assertions)) given.insert(unit.node);
    std::vector<Formula> formulas = problem_.assertions;
    std::vector<Polynomial> values;
    for (const Weight& weight : problem_.weights) {
      formulas.push_back(weight.condition);
      if (branch_.truth(weight.condition) != Truth::no) values.push_back(weight.value);
    }
    std::erase_if(formulas,
                  [&](Formula formula) { return branch_.truth(formula) != Truth::unknown; });
    std::optional<std::uint32_t> best;
    std::pair<bool, std::size_t> most;
    for (const std::uint32_t node : branch_.open_below(formulas, values)) {
      const bool boolean = problem_.terms.node(node).kind == Kind::boolean;
      if (given.contains(node) || (!boolean && branch_.atom(node) == nullptr)) continue;
      const std::pair merit(boolean, branch_.uses(node));
      if (best && merit <= most) continue;
      best = node;
      most = merit;
    }
    return best ? std::optional(branch_.decision_on(*best, true)) : std::nullopt;
  }

  const Problem& problem_;
  const Goal goal_;
  Branch branch_;
  std::size_t most_cases_;
  std::vector<Problem> cases_;
};

}  // namespace

std::optional<std::vector<Problem>> split_into_cases(const Problem& problem, const Goal& goal,
                                                     const CaseRules& rules) {
  constexpr std::size_t most_nodes = 2'000;
  const std::size_t reals = problem.integrated.size();
  const auto in_declared = [&](const Summand& summand) {
    return std::ranges::all_of(summand.term.variables(),
                               [&](Variable variable) { return variable < reals; });
  };
  if (reals < rules.least_reals || problem.terms.size() > most_nodes || problem.terms.smooth() ||
      !goal.plain() || !std::ranges::all_of(problem.integrated, std::identity()) ||
      !std::ranges::all_of(goal.summands, in_declared))
    return std::nullopt;
  Problem conditioned = problem;
  conditioned.assertions.push_back(goal.condition);
  return CaseSplit(conditioned, rules)();
}

}  // namespace wmi
