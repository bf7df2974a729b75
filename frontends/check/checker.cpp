// The tree of a certificate, read once from the beginning to the end.
//
// A node stands for a set of points: all at the root. Inner nodes divide their set (a hyperplane
// has no volume), so what is proved of the leaves holds of the whole, whatever the tree looks like:
//
//   SPLIT   a linear form in the integrated reals is below 0, or above
//   BRANCH  a Boolean is false, or true
//   PIN     an equation with a derived real does not hold (and then the formula is false: no cell
//           may follow), or it does; so the derived real has one value
//   FORK    the same set again for each of several groups of queries
//   FALSE   under the path the formula is false, the weight 0, or the queries' conditions false
//   THIN    a combination of the path's halfspaces shows that it has no volume
//   CELL    a product of triangulated polytopes, which is integrated
//
// Memory is that of a path, a cell, and the sums.

#include "frontends/check/checker.h"

#include <algorithm>
#include <set>

#include "frontends/check/cell.h"
#include "frontends/check/path.h"
#include "solver/substitution.h"

namespace wmi::check {
namespace {

constexpr std::size_t most_booleans = 20;  // summed over at once

enum Tag : unsigned char { falsehood, thin, split, false_first, true_first, pin, fork, cell };
enum ClaimTag : unsigned char { undefined, exact, enclosed, point_mass };

/// Adds many numbers: those of like size meet.
class Sum {
 public:
  void add(Rational number) {
    for (std::size_t i = ++count_; i % 2 == 0; i /= 2) {
      number += parts_.back();
      parts_.pop_back();
    }
    parts_.push_back(std::move(number));
  }
  Rational total() const {
    Rational result;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) result += *part;
    return result;
  }

 private:
  std::vector<Rational> parts_;
  std::size_t count_ = 0;
};

/// A query, and the integrals that its answer is made of.
struct Question {
  Query::Kind kind;
  Formula given, event;
  Polynomial term;
  unsigned order;
  Rational at;
  Sum total = {}, first = {}, second = {}, mass = {}, left = {}, right = {};

  bool of_term() const {
    return kind == Query::Kind::expectation || kind == Query::Kind::variance ||
           kind == Query::Kind::moment || kind == Query::Kind::density;
  }
};

/// Nothing for a query that certificates do not cover.
std::optional<Question> question(const Query& query, Terms& terms) {
  using Kind = Query::Kind;
  const auto is = [&](Kind kind) { return query.kind == kind; };
  if (is(Kind::echo) || is(Kind::satisfiable) || is(Kind::distribution) || is(Kind::quantile))
    return std::nullopt;
  Question result{query.kind, query.given, query.event, query.term, query.order, query.at};
  if (is(Kind::wmi)) result.given = truth;
  if (is(Kind::cdf)) result.event = terms.less_equal(query.term, Polynomial(query.at));
  return result;
}

class Tree {
 public:
  Tree(const Task& task, std::vector<Question>& questions, Bytes& in, Counts& counts)
      : problem_(task.problem), questions_(questions), in_(in), counts_(counts), path_(task) {
    for (std::size_t i = 0; i < questions.size(); ++i) active_.push_back(i);
  }

  void check() {
    node();
    while (!open_.empty()) {
      Open& last = open_.back();
      path_.undo();
      rows_.resize(last.rows);
      if (last.kind == fork ? last.groups.empty() : !last.second) {
        if (last.kind == fork) active_ = std::move(last.active);
        open_.pop_back();
        continue;
      }
      path_.mark();
      if (last.kind == fork) {
        active_ = std::move(last.groups.back());
        last.groups.pop_back();
      } else {
        last.second = false;
        enter_second(last);
      }
      node();
    }
  }

 private:
  /// An inner node that is not done.
  struct Open {
    Tag kind;
    bool second = true;    // the second child is still to come
    std::size_t rows = 0;  // of the path before it
    LinearForm form = {};
    std::uint32_t boolean = 0;
    std::vector<std::size_t> active = {};
    std::vector<std::vector<std::size_t>> groups = {};
  };

  void node();
  void enter_second(Open& open);
  void read_fork();
  void check_false();
  void check_thin();
  void check_cell();
  bool decide(std::uint32_t node, const Cell& cell);
  Path::Waiting settle(Formula formula, const Polynomial& polynomial, const Cell& cell);
  bool require(Formula formula, const Cell& cell, const char* what);
  Polynomial weight(const Cell& cell);
  std::set<std::uint32_t> waits_for(const Weight& weight, const Cell& cell);
  Polynomial summed(const std::vector<const Weight*>& weights, std::size_t booleans,
                    const Cell& cell);
  void integrate(const Cell& cell, const Polynomial& weight);

  const Problem& problem_;
  std::vector<Question>& questions_;
  Bytes& in_;
  Counts& counts_;
  Path path_;
  std::vector<LinearForm> rows_;  // none is above 0 here
  std::vector<Open> open_;
  std::vector<std::size_t> active_;  // queries
  int refuting_ = 0;                 // below so many equations that do not hold
};

/// Goes down to a leaf, along first children.
void Tree::node() {
  for (;;) {
    const unsigned char tag = in_.byte();
    Open open{static_cast<Tag>(tag)};
    open.rows = rows_.size();
    counts_.leaves += tag == falsehood || tag == thin || tag == cell;
    switch (tag) {
      case falsehood:
        return check_false();
      case thin:
        return check_thin();
      case cell:
        return check_cell();
      case split:
        open.form = in_.form(problem_.integrated.size());
        if (!in_integrated(problem_, open.form))
          throw Rejected("a split has a real that is not integrated");
        path_.mark();
        path_.set_sign(open.form, -1);
        rows_.push_back(open.form);
        break;
      case false_first:
      case true_first:
        if (problem_.terms.boolean_count() == 0) throw Rejected("there are no Booleans");
        open.boolean = static_cast<std::uint32_t>(in_.count(problem_.terms.boolean_count() - 1));
        if (path_.truth(problem_.terms.boolean(open.boolean)) != Truth::unknown)
          throw Rejected("a Boolean is branched on twice");
        path_.mark();
        path_.set_boolean(open.boolean, tag == true_first);
        break;
      case pin:
        open.form = path_.reduced(in_.form(problem_.integrated.size()));
        if (in_integrated(problem_, open.form)) throw Rejected("an equation pins no derived real");
        path_.mark();
        path_.exclude(open.form);
        ++refuting_;
        break;
      case fork:
        read_fork();
        continue;
      default:
        throw Rejected("no kind of node");
    }
    open_.push_back(std::move(open));
  }
}

void Tree::enter_second(Open& open) {
  if (open.kind == split) {
    path_.set_sign(open.form, 1);
    rows_.push_back(opposite(open.form));
  } else if (open.kind == pin) {
    --refuting_;
    path_.pin(open.form);
  } else {
    path_.set_boolean(open.boolean, open.kind == false_first);
  }
}

void Tree::read_fork() {
  Open open{fork};
  open.rows = rows_.size();
  std::vector<std::vector<std::size_t>> groups(in_.count(active_.size()));
  std::vector<std::size_t> all;
  for (std::vector<std::size_t>& group : groups) {
    const std::size_t size = in_.count(active_.size());
    if (size == 0) throw Rejected("a fork has an empty group");
    for (std::size_t i = 0; i < size; ++i) group.push_back(in_.count(questions_.size() - 1));
    all.insert(all.end(), group.begin(), group.end());
  }
  std::vector<std::size_t> before = active_;
  std::sort(all.begin(), all.end());
  std::sort(before.begin(), before.end());
  if (all != before) throw Rejected("the groups of a fork do not share out the queries");
  open.active = active_;
  active_ = groups[0];
  open.groups.assign(groups.rbegin(), groups.rend() - 1);
  open_.push_back(std::move(open));
  path_.mark();
}

void Tree::check_false() {
  for (const Formula assertion : problem_.assertions)
    if (path_.truth(assertion) == Truth::no) return;
  if (refuting_ > 0) throw Rejected("the formula is not false where an equation does not hold");
  for (const Weight& weight : problem_.weights)
    if (path_.truth(weight.condition) == Truth::yes && path_.vanishes(weight.value)) return;
  for (const std::size_t i : active_)
    if (path_.truth(questions_[i].given) != Truth::no)
      throw Rejected("the formula is not false under the path");
}

void Tree::check_thin() {
  const std::size_t count = in_.count(rows_.size());
  if (count == 0) throw Rejected("a thin leaf has no multipliers");
  Polynomial sum;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = in_.count(rows_.size() - 1);
    const Rational multiplier = in_.natural();
    if (row < next) throw Rejected("the multipliers of a thin leaf are not in order");
    if (multiplier == 0) throw Rejected("a multiplier is 0");
    next = row + 1;
    sum += multiplier * rows_[row].polynomial();
  }
  if (!sum.constant() || sum.constant_term() < 0)
    throw Rejected("the multipliers do not show that the path has no volume");
}

/// The atom's side, as the vertices show it; false if it has none.
bool Tree::decide(std::uint32_t node, const Cell& cell) {
  const std::optional<LinearForm> form = path_.form_of(node);
  const int side = form ? cell.side(*form) : 0;
  if (side != 0) path_.set_sign(*form, side);
  return side != 0;
}

/// Decides the atoms that may matter, as far as they have a side. What is then left to wait for is
/// Booleans, and atoms that cut through the cell.
Path::Waiting Tree::settle(Formula formula, const Polynomial& polynomial, const Cell& cell) {
  for (;;) {
    Path::Waiting waiting = path_.waiting(formula, polynomial);
    bool progress = false;
    for (const std::uint32_t atom : waiting.atoms)
      if (path_.truth(Formula(atom, false)) == Truth::unknown && decide(atom, cell))
        progress = true;
    if (!progress) return waiting;
  }
}

bool Tree::require(Formula formula, const Cell& cell, const char* what) {
  settle(formula, {}, cell);
  const Truth known = path_.truth(formula);
  if (known == Truth::unknown) throw Rejected(std::string(what) + " is not determined in a cell");
  return known == Truth::yes;
}

void Tree::check_cell() {
  if (refuting_ > 0) throw Rejected("a cell where an equation that must hold does not");
  Cell here(in_, problem_.integrated);
  here.check(rows_);
  ++counts_.cells;
  counts_.simplices += here.simplices();
  path_.mark();
  for (const Formula assertion : problem_.assertions)
    if (!require(assertion, here, "an assertion")) return path_.undo();
  if (const std::optional<Variable> variable = path_.unpinned())
    throw Rejected("'" + problem_.terms.real_name(*variable) + "' is not pinned in a cell");
  integrate(here, weight(here));
  path_.undo();
}

/// Decides what can be decided of a weight. The Booleans that it then waits for; none if it is
/// settled.
std::set<std::uint32_t> Tree::waits_for(const Weight& weight, const Cell& cell) {
  std::set<std::uint32_t> result = settle(weight.condition, weight.value, cell).booleans;
  const Truth condition = path_.truth(weight.condition);
  if (condition == Truth::no || (condition == Truth::yes && path_.valued(weight.value))) return {};
  if (result.empty()) throw Rejected("a weight is not determined in a cell");
  return result;
}

/// The product of the weights, summed over the Booleans that are not decided: weights that share
/// one are summed together, others are multiplied.
Polynomial Tree::weight(const Cell& cell) {
  struct Group {
    std::set<std::uint32_t> booleans;
    std::vector<const Weight*> weights;
  };
  std::vector<Group> groups;
  std::vector<const Weight*> settled;
  for (const Weight& weight : problem_.weights) {
    Group joined{waits_for(weight, cell), {&weight}};
    if (joined.booleans.empty()) {
      settled.push_back(&weight);
      continue;
    }
    for (auto group = groups.begin(); group != groups.end();) {
      if (std::none_of(group->booleans.begin(), group->booleans.end(),
                       [&](std::uint32_t boolean) { return joined.booleans.contains(boolean); })) {
        ++group;
        continue;
      }
      joined.booleans.merge(group->booleans);
      joined.weights.insert(joined.weights.end(), group->weights.begin(), group->weights.end());
      group = groups.erase(group);
    }
    groups.push_back(std::move(joined));
  }
  std::size_t free = problem_.terms.boolean_count();
  for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i)
    free -= path_.truth(problem_.terms.boolean(i)) != Truth::unknown;
  Polynomial result = summed(settled, 0, cell);
  for (const Group& group : groups) {
    if (group.booleans.size() > most_booleans) throw Rejected("weights wait for many Booleans");
    free -= group.booleans.size();
    result = result * summed(group.weights, group.booleans.size(), cell);
  }
  Rational doublings = 1;
  mpq_mul_2exp(doublings.get_mpq_t(), doublings.get_mpq_t(), free);
  return result *= doublings;
}

/// Over all values of so many Booleans, to which all belong that the weights wait for.
Polynomial Tree::summed(const std::vector<const Weight*>& weights, std::size_t booleans,
                        const Cell& cell) {
  for (const Weight* weight : weights) {
    const std::set<std::uint32_t> open = waits_for(*weight, cell);
    if (open.empty()) continue;
    Polynomial result;
    for (const bool holds : {false, true}) {
      path_.mark();
      path_.set_boolean(*open.begin(), holds);
      result += summed(weights, booleans - 1, cell);
      path_.undo();
    }
    return result;
  }
  Rational doublings = 1;
  mpq_mul_2exp(doublings.get_mpq_t(), doublings.get_mpq_t(), booleans);
  Polynomial result(doublings);
  for (const Weight* weight : weights)
    if (path_.truth(weight->condition) == Truth::yes) result = result * path_.value(weight->value);
  return result;
}

void Tree::integrate(const Cell& cell, const Polynomial& weight) {
  std::vector<Polynomial> integrands;
  std::vector<std::pair<Sum*, std::size_t>> targets;
  const auto add = [&](Sum& sum, Polynomial integrand) {
    const auto same = std::find(integrands.begin(), integrands.end(), integrand);
    targets.emplace_back(&sum, same - integrands.begin());
    if (same == integrands.end()) integrands.push_back(std::move(integrand));
  };
  for (const std::size_t i : active_) {
    Question& question = questions_[i];
    if (!require(question.given, cell, "the condition of a query")) continue;
    add(question.total, weight);
    if (!question.of_term()) {
      if (require(question.event, cell, "the event of a query")) add(question.first, weight);
      continue;
    }
    settle(truth, question.term, cell);
    if (!path_.valued(question.term)) throw Rejected("a term is not determined in a cell");
    const Polynomial term = path_.value(question.term);
    if (question.kind == Query::Kind::density) {
      const LinearForm form(term - Polynomial(question.at));
      if (form.is_constant()) {
        if (form.constant == 0) add(question.mass, weight);
        continue;
      }
      const int side = cell.side(form);
      if (side == 0) throw Rejected("a cell lies on both sides of the value of a density");
      (side < 0 ? question.left : question.right).add(cell.slice(weight, form));
      continue;
    }
    add(question.first, weight * power(term, question.order));
    if (question.kind == Query::Kind::variance) add(question.second, weight * power(term, 2));
  }
  const std::vector<Rational> integrals = cell.integrals(integrands);
  for (const auto& [sum, integrand] : targets) sum->add(integrals[integrand]);
}

/// What the sums say of a question, and that the claim says so too.
Certified check_claim(Bytes& in, const Question& question) {
  Certified result;
  result.certified = true;
  const unsigned char tag = in.byte();
  const auto refuse = [](const std::string& why) { throw Rejected("a claim is wrong: " + why); };
  const Rational total = question.total.total();
  if (question.kind != Query::Kind::wmi && total == 0) {
    result.undefined = "the condition has probability 0";
    if (tag != undefined) refuse(result.undefined);
    return result;
  }
  if (const Rational mass = question.mass.total(); mass != 0) {
    result.undefined = "a point mass of " + to_string(Rational(mass / total)) + " has no density";
    if (tag != point_mass) refuse(result.undefined);
    return result;
  }
  result.value = question.first.total();
  if (question.kind == Query::Kind::density) result.value = question.right.total();
  if (question.kind != Query::Kind::wmi) *result.value /= total;
  if (question.kind == Query::Kind::variance)
    result.value = question.second.total() / total - power(*result.value, 2);
  if (question.kind == Query::Kind::density) result.left = question.left.total() / total;
  if (tag != exact && tag != enclosed) refuse("there is a value, " + to_string(*result.value));
  for (const std::optional<Rational>& value : {result.value, result.left}) {
    if (!value) continue;
    const Rational lower = in.rational(), upper = tag == exact ? lower : in.rational();
    if (*value < lower || *value > upper) refuse("the cells add up to " + to_string(*value));
  }
  return result;
}

}  // namespace

std::vector<Certified> check(const Task& task, Bytes& in, Counts& counts) {
  Task sliced = observed(task);
  std::vector<Question> questions;
  std::vector<std::size_t> places;  // of the questions among the queries
  for (std::size_t i = 0; i < sliced.queries.size(); ++i)
    if (auto asked = question(sliced.queries[i], sliced.problem.terms)) {
      sliced.queries[i].event = asked->event;
      questions.push_back(std::move(*asked));
      places.push_back(i);
    }
  std::vector<Certified> result(sliced.queries.size());
  if (questions.empty()) return result;
  Tree(sliced, questions, in, counts).check();
  for (std::size_t i = 0; i < places.size(); ++i) result[places[i]] = check_claim(in, questions[i]);
  return result;
}

}  // namespace wmi::check
