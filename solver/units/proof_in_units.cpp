// A certificate in parts. The search for a proof is deterministic: at the same place of its tree it
// writes the same nodes, whatever it searched before. A node is written before its children, and
// nothing after them. So a part is the bytes below its place, in pieces around the places that it
// leaves to others; put together, they are the bytes of one search.
//
// Of each integral, three sums are kept: over cells, and over the two sides of a slice. Sums are
// exact, or intervals that are added exactly, so their order does not matter. A product of parts
// without common variables multiplies the sums below it; it is never divided.

#include "solver/units/proof_in_units.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "solver/answers/flatness.h"
#include "solver/certificate.h"
#include "solver/certificates/claims.h"
#include "solver/certificates/conclusions.h"
#include "solver/certificates/tree.h"
#include "solver/integrators/vertex_counter.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

using State = SearchTree::State;

constexpr std::size_t sums_of_integral = 3;  // over cells, and over the sides of a slice

const Task& checked(const Task& task) {
  for (const Query& query : task.queries)
    if (!certifiable(query))
      throw Error("the answer to " + query.text + " cannot be certified, so no unit can prove it",
                  query.where);
  return polynomial_only(task);
}

/// The tree in which all is finished but these places, which are in order.
SearchTree finished_but(const std::vector<SearchPath>& open) {
  SearchTree tree = SearchTree::leaf(State::finished);
  for (const SearchPath& path : open) {
    SearchTree* here = &tree;
    for (const PathStep& step : path) {
      if (here->state != State::inner)
        *here = SearchTree::inner(
            step.at, std::vector<SearchTree>(step.branches, SearchTree::leaf(State::finished)));
      here = &here->branches[step.branch];
    }
    *here = SearchTree::leaf(State::open);
  }
  return tree;
}

/// The open places below a place, from there.
std::vector<SearchPath> below(const SearchPath& place, std::vector<SearchPath> open) {
  for (SearchPath& path : open)
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(place.size()));
  return open;
}

void add(const Summary& summary, CellSums& sums) {
  sums.cells += summary.cells;
  for (std::size_t i = 0; i < summary.sums.size(); ++i) {
    const IntegralSum& sum = summary.sums[i];
    const Accumulator* const parts[sums_of_integral] = {&sum.value, &sum.left, &sum.right};
    for (std::size_t k = 0; k < sums_of_integral; ++k)
      sums.sums[sums_of_integral * i + k] += parts[k]->total();
    sums.counts[i] += sum.cells;
  }
}

void add(const CellSums& sums, std::vector<IntegralSum>& whole) {
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Accumulator* const parts[sums_of_integral] = {&whole[i].value, &whole[i].left, &whole[i].right};
    for (std::size_t k = 0; k < sums_of_integral; ++k)
      parts[k]->add(sums.sums[sums_of_integral * i + k]);
    whole[i].cells += sums.counts[i];
  }
}

void add(const IntegralSum& part, IntegralSum& whole) {
  whole.value.add(part.value.total());
  whole.left.add(part.left.total());
  whole.right.add(part.right.total());
  whole.cells += part.cells;
  whole.open = whole.open || part.open;
  whole.unbounded = whole.unbounded || part.unbounded;
}

UnitResult empty_result(std::size_t integrals) {
  UnitResult result;
  result.sums.sums.resize(sums_of_integral * integrals);
  result.sums.counts.resize(integrals);
  return result;
}

}  // namespace

ProofInUnits::ProofInUnits(const Task& task, const Integrator& integrator,
                           std::optional<Rational> gap)
    : task_(task),
      integrator_(integrator),
      gap_(std::move(gap)),
      asked_(certified(checked(task))),
      integrals_(integrals_of(asked_)),
      plan_(make_plan(asked_)) {}

UnitResult ProofInUnits::divide(std::size_t parts, const std::stop_token& stop) {
  UnitResult result = empty_result(integrals_.size());
  result.tree = SearchTree::leaf(State::finished);
  result.pieces = {{""}};
  if (integrals_.empty()) return result;
  const auto above = [&](std::size_t depth) {
    const VertexCounter counter(integrator_);
    TreePart part = TreeParts(asked_.problem, integrals_, counter).above(depth, stop);
    result.vertices = counter.vertices();
    return part;
  };
  const auto doublings = [](std::size_t from, std::size_t to) {
    std::size_t count = 0;
    for (; from < to; from *= 2) ++count;
    return count;
  };
  // Deeper until there are parts enough, or no more of them. Each attempt begins anew, so there are
  // not many.
  constexpr int attempts = 8;
  std::size_t depth = doublings(1, parts);
  TreePart part = above(depth);
  for (int attempt = 1; attempt < attempts && part.open.size() < parts; ++attempt) {
    const bool grows = std::ranges::any_of(
        part.open, [&](const SearchPath& path) { return path.size() == depth; });
    if (!grows) break;
    depth += std::max<std::size_t>(1, doublings(part.open.size(), parts));
    part = above(depth);
  }
  add(part.summary, result.sums);
  result.tree = finished_but(part.open);
  result.pieces = {std::move(part.pieces)};
  return result;
}

UnitResult ProofInUnits::solve(const std::vector<SearchPath>& places,
                               const std::function<bool()>& pause) const {
  UnitResult result = empty_result(integrals_.size());
  const VertexCounter counter(integrator_);
  const TreeParts tree(asked_.problem, integrals_, counter);
  result.tree = SearchTree::leaf(State::elsewhere);
  bool paused = false;
  for (const SearchPath& place : places) {
    if (paused) {
      merge(result.tree, along(place, SearchTree()));
      result.pieces.push_back({"", ""});
      continue;
    }
    TreePart part = tree.below(place, [&] { return paused = pause(); });
    add(part.summary, result.sums);
    merge(result.tree, along(place, finished_but(below(place, std::move(part.open)))));
    result.pieces.push_back(std::move(part.pieces));
  }
  result.vertices = counter.vertices();
  return result;
}

bool ProofInUnits::fits(const UnitResult& result) const {
  return result.sums.sums.size() == sums_of_integral * integrals_.size() &&
         result.sums.counts.size() == integrals_.size() && result.sums.laws.empty() &&
         result.refusals.empty();
}

JoinedTask ProofInUnits::join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                              unsigned digits, const std::stop_token& stop) const {
  JoinedTask joined;
  Solution& solution = joined.solution;
  if (integrals_.empty()) {
    solution.answers.resize(task_.queries.size());
    return joined;
  }
  std::vector<IntegralSum> sums(integrals_.size());
  std::size_t cells = 0;
  for (const UnitResult& result : results) {
    add(result.sums, sums);
    cells += result.sums.cells;
  }
  const TreeParts tree(asked_.problem, integrals_, integrator_);
  for (const SearchPath& place : open) {
    if (stop.stop_requested()) throw Stopped();
    TreePart part = tree.left_open(place);
    for (std::size_t i = 0; i < sums.size(); ++i) add(part.summary.sums[i], sums[i]);
    joined.open.push_back(std::move(part.pieces[0]));
  }
  solution.answers = conclusions(asked_, plan_, sums, digits);
  if (gap_) accept_within(*gap_, solution.answers);
  check_claimable(asked_, solution.answers);
  std::ostringstream claims;
  write_claims(asked_, solution.answers, claims);
  joined.claims = claims.str();
  if (cells == 0 && open.empty())
    if (auto warning = explain_flatness(asked_.problem, *make_split(), stop))
      solution.warnings.push_back(std::move(*warning));
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    clip(asked_.problem, task_.queries[i], solution.answers[i]);
    solution.answers[i].assumptions = task_.assumptions;
  }
  return joined;
}

}  // namespace wmi
