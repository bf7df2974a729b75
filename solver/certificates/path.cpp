#include "solver/certificates/path.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "solver/certificates/leaves.h"
#include "solver/certificates/reasons.h"
#include "solver/terms/error.h"

namespace wmi {

Path::Path(const Problem& problem, std::vector<CertifiedIntegral> integrals, std::ostream& out)
    : out_(out),
      state_(problem, integrals),
      scope_{problem.assertions, {}, {}, {}, std::move(integrals)} {
  scope_.weights.resize(problem.weights.size());
  std::iota(scope_.weights.begin(), scope_.weights.end(), std::uint32_t{0});
  for (std::uint32_t i = 0; i < problem.terms.boolean_count(); ++i)
    scope_.booleans.push_back(problem.terms.boolean(i).node());
  scope_.coordinates.resize(state_.region.dimension());
  std::iota(scope_.coordinates.begin(), scope_.coordinates.end(), Variable{0});
  scope_.start();
}

bool Path::within_product() const {
  return std::any_of(steps_.begin(), steps_.end(),
                     [](const auto& step) { return std::holds_alternative<Product>(step); });
}

bool Path::require(const Decision& unit) {
  if (unit.atom == nullptr) {
    out_.tag(unit.holds ? CertificateNode::branch_false_first : CertificateNode::branch_true_first);
    out_.natural(state_.problem.terms.node(unit.node).index);
    refute(unit, nullptr);
    decide(unit, {});
    return true;
  }
  const auto [kind, form, holds] = state_.classify(*unit.atom);
  if (kind == AtomStatus::Kind::derived) {
    if (unit.atom->comparison != Comparison::equal || !unit.holds) return false;
    pin(unit, form);
    return true;
  }
  if (kind != AtomStatus::Kind::open) return take(unit.node);
  const LinearForm away = unit.holds ? -form : form;
  out_.tag(CertificateNode::split);
  out_.form(away);
  refute(unit, &away);
  const LinearForm placed = state_.coordinates.from_reals(form);
  ProductRegion half = unit.holds ? state_.region.below(placed) : state_.region.above(placed);
  rows_.push_back(-away);
  decide(unit, {.cut = true, .region_before = std::exchange(state_.region, std::move(half))});
  return true;
}

/// Writes the branch on which a literal that must hold fails: there the formula is false.
void Path::refute(Decision decision, const LinearForm* row) {
  decision.holds = !decision.holds;
  state_.branch.decide(decision);
  if (row != nullptr) rows_.push_back(*row);
  if (!state_.closed(scope_))
    throw GaveUp("no certificate: a literal that must hold was not refuted");
  write_falsehood();
  if (row != nullptr) rows_.pop_back();
  state_.branch.undo();
}

/// Takes an equation that must hold and contains a derived real.
void Path::pin(const Decision& unit, const LinearForm& form) {
  out_.tag(CertificateNode::pin);
  out_.form(form);
  refute(unit, nullptr);
  Move move{.pins_before = state_.pins};
  state_.pins.solve(state_.problem, form);
  decide(unit, std::move(move));
}

void Path::decide(const Decision& decision, Move move) {
  state_.branch.decide(decision);
  move.decided = true;
  steps_.emplace_back(std::move(move));
}

bool Path::take(std::uint32_t node) {
  const Branch& branch = state_.branch;
  if (state_.problem.terms.node(node).kind == Kind::boolean) {
    out_.tag(CertificateNode::branch_true_first);
    out_.natural(state_.problem.terms.node(node).index);
    decide(branch.decision_on(node, true), {.node = SearchNode{SearchNode::Kind::decision, node},
                                            .other = Alternative{branch.decision_on(node, false)}});
    return true;
  }
  auto [kind, form, holds] = state_.classify(*branch.atom(node));
  switch (kind) {
    case AtomStatus::Kind::derived:
      return false;
    case AtomStatus::Kind::decided:
      decide(branch.decision_on(node, holds), {});
      break;
    case AtomStatus::Kind::implied:
      implied_.emplace(node, holds ? std::move(form) : -std::move(form));
      decide(branch.decision_on(node, holds), {.implied = node});
      break;
    case AtomStatus::Kind::open: {
      cut(form);
      Move& move = std::get<Move>(steps_.back());
      move.decided = true;
      move.node = {SearchNode::Kind::decision, node};
      move.other->decision = branch.decision_on(node, false);
      state_.branch.decide(branch.decision_on(node, true));
    }
  }
  return true;
}

void Path::cut(const LinearForm& form) {
  auto [below, above] = state_.region.cut(state_.coordinates.from_reals(form));
  out_.tag(CertificateNode::split);
  out_.form(form);
  rows_.push_back(form);
  steps_.emplace_back(Move{.cut = true,
                           .region_before = std::exchange(state_.region, std::move(below)),
                           .node = SearchNode{SearchNode::Kind::cut},
                           .other = Alternative{{}, -form, std::move(above)}});
}

void Path::fork(std::vector<std::vector<std::size_t>> groups) {
  out_.tag(CertificateNode::fork);
  out_.natural(groups.size());
  for (const std::vector<std::size_t>& group : groups) {
    out_.natural(group.size());
    for (const std::size_t integral : group) out_.natural(integral);
  }
  std::reverse(groups.begin(), groups.end());
  std::vector<std::size_t> first = std::move(groups.back());
  groups.pop_back();
  steps_.emplace_back(Fork{std::move(groups), std::exchange(scope_.active, std::move(first))});
}

void Path::decompose(Decomposition decomposition) {
  const std::size_t rows_before = rows_.size();
  std::vector<std::uint32_t> implied;
  for (const auto& [node, row] : implied_) implied.push_back(node);
  show(implied);
  out_.tag(CertificateNode::product);
  out_.natural(decomposition.parts.size());
  for (const Scope& part : decomposition.parts) {
    out_.natural(part.coordinates.size());
    for (const Variable coordinate : part.coordinates)
      out_.natural(state_.coordinates.variables()[coordinate]);
    out_.natural(part.booleans.size());
    for (const std::uint32_t node : part.booleans)
      out_.natural(state_.problem.terms.node(node).index);
  }
  std::reverse(decomposition.parts.begin(), decomposition.parts.end());
  Scope first = std::move(decomposition.parts.back());
  decomposition.parts.pop_back();
  steps_.emplace_back(
      Product{std::move(decomposition), std::exchange(scope_, std::move(first)), rows_before});
  scope_.start();
}

void Path::write_falsehood() {
  const std::size_t before = rows_.size();
  show(reasons_to_show());
  rows_.resize(before);
  out_.tag(CertificateNode::falsehood);
}

void Path::write_region(CertificateNode kind) {
  std::vector<Variable> reals;
  for (const Variable coordinate : scope_.coordinates)
    reals.push_back(state_.coordinates.variables()[coordinate]);
  wmi::write_region(out_, kind, state_.region.restricted(scope_.coordinates).region(), reals);
}

std::vector<std::uint32_t> Path::reasons_to_show() const {
  std::vector<std::uint32_t> result = reasons(state_, scope_);
  std::erase_if(result, [&](std::uint32_t node) { return !implied_.contains(node); });
  return result;
}

/// Writes atoms that the region implies, as rows.
void Path::show(const std::vector<std::uint32_t>& atoms) {
  for (const std::uint32_t node : atoms) {
    const LinearForm& row = implied_.at(node);
    if (std::find(rows_.begin(), rows_.end(), row) != rows_.end()) continue;
    write_implied(out_, row, rows_);
    rows_.push_back(row);
  }
}

bool Path::backtrack(std::size_t base) {
  while (steps_.size() > base) {
    if (std::visit([this](auto& step) { return next_child(step); }, steps_.back())) return true;
    steps_.pop_back();
  }
  return false;
}

std::optional<PathStep> Path::path_step(const std::variant<Move, Fork, Product>& step) {
  if (const Move* const move = std::get_if<Move>(&step)) {
    if (!move->node) return std::nullopt;
    return PathStep{*move->node, move->other_taken ? 1u : 0u, 2};
  }
  if (const Fork* const fork = std::get_if<Fork>(&step))
    return PathStep{{SearchNode::Kind::goals},
                    static_cast<std::uint32_t>(fork->done),
                    static_cast<std::uint32_t>(fork->done + 1 + fork->waiting.size())};
  return std::nullopt;
}

SearchPath Path::place() const {
  SearchPath result;
  for (const auto& step : steps_)
    if (const std::optional<PathStep> branch = path_step(step)) result.push_back(*branch);
  return result;
}

std::optional<PathStep> Path::last_node() const {
  return steps_.empty() ? std::nullopt : path_step(steps_.back());
}

void Path::enter(std::uint32_t branch) {
  for (; branch > 0; --branch) std::visit([this](auto& step) { next_child(step); }, steps_.back());
}

std::vector<SearchPath> Path::waiting(std::size_t base) const {
  std::vector<SearchPath> result;
  SearchPath path = place();
  for (std::size_t i = steps_.size(); i-- > base;) {
    const std::optional<PathStep> node = path_step(steps_[i]);
    if (!node) continue;
    for (PathStep& last = path.back(); ++last.branch < last.branches;) result.push_back(path);
    path.pop_back();
  }
  return result;
}

void Path::withdraw_product() {
  Product& product = std::get<Product>(steps_.back());
  scope_ = std::move(product.scope_before);
  rows_.resize(product.rows_before);
  steps_.pop_back();
}

double Path::share_written() const {
  double part = 1, written = 0;
  for (const auto& step : steps_) {
    const Children found = std::visit([](const auto& each) { return children(each); }, step);
    part /= static_cast<double>(found.all);
    written += part * static_cast<double>(found.written);
  }
  return written;
}

Path::Children Path::children(const Move& move) {
  if (move.other_taken) return {2, 1};
  return {move.other ? std::size_t{2} : std::size_t{1}, 0};
}

Path::Children Path::children(const Fork& fork) {
  return {fork.done + 1 + fork.waiting.size(), fork.done};
}

Path::Children Path::children(const Product& product) {
  return {product.done.size() + 1 + product.decomposition.parts.size(), product.done.size()};
}

bool Path::next_child(Move& move) {
  if (move.decided) state_.branch.undo();
  if (move.implied) implied_.erase(*move.implied);
  if (move.pins_before) state_.pins = *std::move(move.pins_before);
  if (move.cut) rows_.pop_back();
  if (!move.other) {
    if (move.region_before) state_.region = *std::move(move.region_before);
    return false;
  }
  Alternative alternative = *std::exchange(move.other, std::nullopt);
  move.other_taken = true;
  if (alternative.row) {
    rows_.push_back(*std::move(alternative.row));
    state_.region = *std::move(alternative.region);
  }
  if (alternative.decision) state_.branch.decide(*alternative.decision);
  move.decided = alternative.decision.has_value();
  return true;
}

bool Path::next_child(Fork& fork) {
  const bool more = !fork.waiting.empty();
  scope_.active = more ? std::move(fork.waiting.back()) : std::move(fork.active_before);
  if (more) fork.waiting.pop_back();
  ++fork.done;
  return more;
}

bool Path::next_child(Product& product) {
  std::vector<Scope>& waiting = product.decomposition.parts;
  const bool more = !waiting.empty();
  product.done.push_back(
      std::exchange(scope_, std::move(more ? waiting.back() : product.scope_before)));
  if (more) {
    waiting.pop_back();
    scope_.start();
  } else {
    multiply(product.decomposition, product.done, scope_);
    rows_.resize(product.rows_before);
  }
  return more;
}

}  // namespace wmi
