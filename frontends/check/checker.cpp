// The tree of a certificate, read once from the beginning to the end.
//
// A node stands for a set of points: all at the root. Inner nodes divide their set (a hyperplane
// has no volume), so what is proved of the leaves holds of the whole, whatever the tree looks like:
//
//   SPLIT   a linear form in the integrated reals is below 0, or above
//   BRANCH  a Boolean is false, or true
//   PIN     an equation with a derived real does not hold (and then the formula is false: no cell
//           may follow), or it does; so the derived real has one value
//   FORK    the same set again for each of several groups of integrals
//   PRODUCT the set is a product, the integrals are (sums of) products of those of its parts
//   FALSE   under the path the formula is false, the weight 0, or the queries' conditions false
//   THIN    a combination of the path's halfspaces shows that it has no volume
//   CELL    a product of polytopes with their vertices, which is integrated
//   OPEN    the same, but nothing need be known there: what it may add is bounded
//
// With open leaves, the sums are intervals, and so is what follows for the queries.
//
// Memory is that of a path, a cell, and the sums.

#include "frontends/check/checker.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "frontends/check/cell.h"
#include "frontends/check/path.h"
#include "frontends/check/ranges.h"
#include "solver/substitution.h"

namespace wmi::check {
namespace {

constexpr std::size_t most_booleans = 20;  // summed over at once

constexpr std::size_t nowhere = ~std::size_t{0};

enum Tag : unsigned char {
  falsehood,
  thin,
  split,
  false_first,
  true_first,
  pin,
  fork,
  cell,
  product,
  left_open
};
enum ClaimTag : unsigned char { undefined, exact, enclosed, point_mass, nothing };

Polynomial doubled(Polynomial polynomial, std::size_t times) {
  Rational factor = 1;
  mpq_mul_2exp(factor.get_mpq_t(), factor.get_mpq_t(), times);
  return polynomial *= factor;
}

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

/// An integral over the models that satisfy the conditions: of the weight times a power of a term;
/// or, with a value of it, of the weight over the slice where the term has this value.
struct Goal {
  std::vector<Formula> conditions = {};
  Polynomial term = {};
  unsigned order = 0;
  std::optional<Rational> at = {};
  Sum sum = {}, left = {}, right = {};  // of a slice, the sum is that of a point mass
  Interval open = {};                   // what open leaves may add to the sum
  bool unbounded = false;               // of a slice, where an open leaf may have any part of it

  Interval total() const { return open + sum.total(); }
};

/// The numbers of the goals that a query's answer is made of.
struct Question {
  Query::Kind kind;
  std::size_t total = 0, first = 0, second = 0;
};

/// What is summed up below a node: integrals in some reals and Booleans, of some weights, where
/// some formulas hold.
struct Part {
  std::vector<bool> reals;                // by number
  std::set<std::uint32_t> booleans = {};  // by number
  std::vector<Formula> formulas = {};
  std::vector<const Weight*> weights = {};
  std::vector<Goal> goals = {};
};

/// Of one goal of a product: numbers times one goal of each part, added up.
struct Products {
  struct Term {
    Rational coefficient;
    std::vector<std::size_t> goals;
  };
  std::size_t goal;
  std::vector<Term> terms = {};
};

/// Adds the goals of a query, whose event is put in where it has none; nothing for one that
/// certificates do not cover.
std::optional<Question> question(Query& query, Terms& terms, std::vector<Goal>& goals) {
  using Kind = Query::Kind;
  const auto is = [&](Kind kind) { return query.kind == kind; };
  if (is(Kind::echo) || is(Kind::satisfiable) || is(Kind::distribution) || is(Kind::quantile))
    return std::nullopt;
  Question result{query.kind};
  if (is(Kind::cdf)) query.event = terms.less_equal(query.term, Polynomial(query.at));
  result.total = goals.size();
  if (!is(Kind::wmi)) goals.push_back({{query.given}});
  result.first = goals.size();
  if (is(Kind::wmi))
    goals.push_back({{query.event}});
  else if (is(Kind::probability) || is(Kind::cdf))
    goals.push_back({{query.given, query.event}});
  else if (is(Kind::density))
    goals.push_back({{query.given}, query.term, 1, query.at});
  else
    goals.push_back({{query.given}, query.term, is(Kind::moment) ? query.order : 1});
  result.second = goals.size();
  if (is(Kind::variance)) goals.push_back({{query.given}, query.term, 2});
  return result;
}

class Tree {
 public:
  Tree(const Task& task, std::vector<Goal> goals, Bytes& in, Counts& counts)
      : problem_(task.problem), in_(in), counts_(counts), path_(task) {
    here_.reals = problem_.integrated;
    for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i) here_.booleans.insert(i);
    here_.formulas = problem_.assertions;
    for (const Weight& weight : problem_.weights) here_.weights.push_back(&weight);
    here_.goals = std::move(goals);
    activate_all();
  }

  /// The goals, summed up.
  std::vector<Goal> check() {
    node();
    while (!open_.empty()) {
      Open& last = open_.back();
      path_.undo();
      rows_.resize(last.rows);
      implied_.erase(implied_.lower_bound(last.rows), implied_.end());
      if (last.kind == product) last.done.push_back(std::move(here_));
      if (last.left == 0) {
        if (last.kind == product) multiply(last);
        if (last.kind == product || last.kind == fork) active_ = std::move(last.active);
        open_.pop_back();
        continue;
      }
      path_.mark();
      --last.left;
      enter_next(last);
      node();
    }
    return std::move(here_.goals);
  }

 private:
  /// An inner node that is not done.
  struct Open {
    Tag kind;
    std::size_t left = 1;  // children that are still to come
    std::size_t rows = 0;  // of the path before it
    LinearForm form = {};
    bool thin_first = false;  // the first child is a thin leaf
    std::uint32_t boolean = 0;
    std::vector<std::size_t> active = {};  // before it
    std::vector<std::vector<std::size_t>> groups = {};
    Part before = {};
    std::vector<Part> parts = {}, done = {};
    std::vector<Products> products = {};
  };

  void node();
  void enter_next(Open& open);
  void read_fork(Open& open);
  void read_product(Open& open);
  std::vector<std::size_t> read_parts(Open& open, std::map<std::uint32_t, std::size_t>& booleans);
  void share_goals(Open& open, const Polynomial& common, const std::vector<std::size_t>& part_of);
  void multiply(Open& open);
  void check_false();
  void check_thin();
  void check_cell(bool leave_open);
  void activate_all() {
    active_.resize(here_.goals.size());
    std::iota(active_.begin(), active_.end(), std::size_t{0});
  }
  bool in_part(const LinearForm& form) const {
    return std::all_of(form.coefficients.begin(), form.coefficients.end(),
                       [&](const auto& entry) { return here_.reals[entry.first]; });
  }
  bool decide(std::uint32_t node, const Cell& cell);
  Path::Waiting settle(Formula formula, const Polynomial& polynomial, const Cell& cell);
  bool require(Formula formula, const Cell& cell, const char* what);
  std::size_t free_booleans() const;
  Polynomial weight(const Cell& cell);
  std::set<std::uint32_t> waits_for(const Weight& weight, const Cell& cell);
  Polynomial summed(const std::vector<const Weight*>& weights, std::size_t booleans,
                    const Cell& cell);
  void integrate(Cell& cell, const Polynomial& weight);
  Interval range_of_weight(Ranges& ranges) const;
  void bound(Cell& cell);

  const Problem& problem_;
  Bytes& in_;
  Counts& counts_;
  Path path_;
  std::vector<LinearForm> rows_;   // none is above 0 here
  std::set<std::size_t> implied_;  // by rows before them: the other side is thin
  std::vector<Open> open_;
  Part here_;
  std::vector<std::size_t> active_;  // goals
  int refuting_ = 0;                 // below so many equations that do not hold
};

/// Goes down to a leaf, along first children.
void Tree::node() {
  for (;;) {
    const unsigned char tag = in_.byte();
    Open open{static_cast<Tag>(tag)};
    open.rows = rows_.size();
    counts_.leaves += tag == falsehood || tag == thin || tag == cell || tag == left_open;
    switch (tag) {
      case falsehood:
        return check_false();
      case thin:
        if (!open_.empty() && open_.back().left == 1) open_.back().thin_first = true;
        return check_thin();
      case cell:
      case left_open:
        return check_cell(tag == left_open);
      case split:
        open.form = in_.form(problem_.integrated.size());
        if (!in_part(open.form)) throw Rejected("a split has a real that is not integrated here");
        path_.mark();
        path_.set_sign(open.form, -1);
        rows_.push_back(open.form);
        break;
      case false_first:
      case true_first:
        open.boolean = static_cast<std::uint32_t>(in_.count(problem_.terms.boolean_count()));
        if (!here_.booleans.contains(open.boolean)) throw Rejected("a Boolean is not of this part");
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
        read_fork(open);
        path_.mark();
        break;
      case product:
        read_product(open);
        path_.mark();
        break;
      default:
        throw Rejected("no kind of node");
    }
    open_.push_back(std::move(open));
  }
}

void Tree::enter_next(Open& open) {
  if (open.kind == split) {
    path_.set_sign(open.form, 1);
    rows_.push_back(opposite(open.form));
    if (open.thin_first) implied_.insert(rows_.size() - 1);
  } else if (open.kind == pin) {
    --refuting_;
    path_.pin(open.form);
  } else if (open.kind == fork) {
    active_ = std::move(open.groups[open.groups.size() - 1 - open.left]);
  } else if (open.kind == product) {
    here_ = std::move(open.parts[open.parts.size() - 1 - open.left]);
    activate_all();
  } else {
    path_.set_boolean(open.boolean, open.kind == false_first);
  }
}

void Tree::read_fork(Open& open) {
  open.groups.resize(in_.count(active_.size()));
  std::vector<std::size_t> all;
  for (std::vector<std::size_t>& group : open.groups) {
    const std::size_t size = in_.count(active_.size());
    if (size == 0) throw Rejected("a fork has an empty group");
    for (std::size_t i = 0; i < size; ++i) group.push_back(in_.count(here_.goals.size()));
    all.insert(all.end(), group.begin(), group.end());
  }
  std::vector<std::size_t> before = active_;
  std::sort(all.begin(), all.end());
  std::sort(before.begin(), before.end());
  if (all != before || all.empty()) throw Rejected("a fork does not share out its integrals");
  open.active = std::exchange(active_, open.groups[0]);
  open.left = open.groups.size() - 1;
}

/// The part of each real. Adds that of each Boolean that is in one.
std::vector<std::size_t> Tree::read_parts(Open& open,
                                          std::map<std::uint32_t, std::size_t>& booleans) {
  std::vector<std::size_t> result(here_.reals.size(), nowhere);
  open.parts.resize(in_.count(here_.reals.size() + here_.booleans.size()));
  for (std::size_t p = 0; p < open.parts.size(); ++p) {
    open.parts[p].reals.resize(here_.reals.size());
    for (std::size_t left = in_.count(result.size()); left > 0; --left) {
      const std::size_t real = in_.count(result.size());
      if (real == result.size() || !here_.reals[real] || result[real] != nowhere)
        throw Rejected("the parts of a product do not share out its reals");
      open.parts[p].reals[real] = true;
      result[real] = p;
    }
    for (std::size_t left = in_.count(here_.booleans.size()); left > 0; --left) {
      const auto boolean = static_cast<std::uint32_t>(in_.count(problem_.terms.boolean_count()));
      if (!here_.booleans.contains(boolean) || !booleans.emplace(boolean, p).second ||
          path_.truth(problem_.terms.boolean(boolean)) != Truth::unknown)
        throw Rejected("a Boolean is in two parts of a product, or decided");
      open.parts[p].booleans.insert(boolean);
    }
  }
  for (std::size_t real = 0; real < result.size(); ++real)
    if (here_.reals[real] && result[real] == nowhere)
      throw Rejected("the parts of a product do not share out its reals");
  if (open.parts.empty()) throw Rejected("a product has no parts");
  return result;
}

/// What is open here is divided among parts that have no real and no Boolean in common. Each row of
/// the path, each formula and each weight belongs to one part; so does the condition of the goals,
/// if it is open, which must then be the same for all. Weights that are known may have reals of
/// several parts: with them and the terms of the goals, the integrands are sums of products of
/// monomials, one of each part.
void Tree::read_product(Open& open) {
  if (refuting_ > 0) throw Rejected("a product where an equation that must hold does not");
  if (path_.unpinned()) throw Rejected("a derived real is not pinned at a product");
  std::map<std::uint32_t, std::size_t> boolean_parts;
  const std::vector<std::size_t> part_of = read_parts(open, boolean_parts);
  const auto owner = [&](const Path::Waiting& waiting) {
    std::set<std::size_t> parts;
    for (const std::uint32_t boolean : waiting.booleans) {
      const auto place = boolean_parts.find(boolean);
      parts.insert(place == boolean_parts.end() ? nowhere : place->second);
    }
    for (const Variable real : waiting.reals) parts.insert(part_of[real]);
    if (parts.size() != 1 || parts.contains(nowhere))
      throw Rejected("the parts of a product hang together");
    return *parts.begin();
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (implied_.contains(i) || !in_part(rows_[i])) continue;
    Path::Waiting waiting;
    for (const auto& [variable, coefficient] : rows_[i].coefficients)
      waiting.reals.insert(variable);
    owner(waiting);
  }
  std::vector<Formula> formulas = here_.formulas;
  std::optional<std::vector<Formula>> conditions;
  open.active = active_;
  for (const std::size_t i : active_) {
    const std::vector<Formula> own = path_.conjuncts(here_.goals[i].conditions);
    if (std::any_of(own.begin(), own.end(),
                    [&](Formula part) { return path_.truth(part) == Truth::no; }))
      continue;
    open.products.push_back({i});
    if (conditions && *conditions != own)
      throw Rejected("the integrals of a product have different conditions");
    conditions = own;
  }
  if (conditions) formulas.insert(formulas.end(), conditions->begin(), conditions->end());
  for (const Formula formula : path_.conjuncts(std::move(formulas))) {
    if (path_.truth(formula) == Truth::no) throw Rejected("a product where the formula is false");
    open.parts[owner(path_.waiting(formula, {}, true))].formulas.push_back(formula);
  }
  Polynomial common = doubled(1, free_booleans() - boolean_parts.size());
  for (const Weight* weight : here_.weights) {
    const Truth condition = path_.truth(weight->condition);
    if (condition == Truth::no) continue;
    if (condition == Truth::yes && path_.valued(weight->value)) {
      const Polynomial value = path_.value(weight->value);
      std::set<std::size_t> parts;
      for (const Variable real : value.variables()) parts.insert(part_of[real]);
      if (parts.size() != 1) common = common * value;
      if (parts.size() == 1) open.parts[*parts.begin()].weights.push_back(weight);
    } else {
      open.parts[owner(path_.waiting(weight->condition, weight->value, true))].weights.push_back(
          weight);
    }
  }
  share_goals(open, common, part_of);
  open.before = std::exchange(here_, open.parts[0]);
  open.left = open.parts.size() - 1;
  activate_all();
}

/// Makes goals of the parts: the monomials that the integrands need.
void Tree::share_goals(Open& open, const Polynomial& common,
                       const std::vector<std::size_t>& part_of) {
  std::vector<std::map<Monomial, std::size_t>> numbers(open.parts.size());
  for (Products& products : open.products) {
    const Goal& goal = here_.goals[products.goal];
    if (goal.at) throw Rejected("a density in a product");
    if (goal.order > 0 && !path_.valued(goal.term))
      throw Rejected("a term is not determined at a product");
    const Polynomial integrand =
        goal.order > 0 ? common * power(path_.value(goal.term), goal.order) : common;
    for (const Polynomial::Term& term : integrand.terms()) {
      std::vector<Monomial> monomials(open.parts.size());
      for (const Power& power : term.monomial) monomials[part_of[power.variable]].push_back(power);
      Products::Term& target = products.terms.emplace_back(Products::Term{term.coefficient, {}});
      for (std::size_t p = 0; p < open.parts.size(); ++p) {
        std::vector<Goal>& goals = open.parts[p].goals;
        const auto [place, fresh] = numbers[p].try_emplace(monomials[p], goals.size());
        if (fresh) goals.push_back({{}, Polynomial({{monomials[p], 1}}), 1});
        target.goals.push_back(place->second);
      }
    }
  }
}

void Tree::multiply(Open& open) {
  std::vector<std::vector<Interval>> totals(open.done.size());
  for (std::size_t p = 0; p < open.done.size(); ++p)
    for (const Goal& goal : open.done[p].goals) totals[p].push_back(goal.total());
  here_ = std::move(open.before);
  for (const Products& products : open.products)
    for (const Products::Term& term : products.terms) {
      Interval number = term.coefficient;
      for (std::size_t p = 0; p < totals.size(); ++p) number = number * totals[p][term.goals[p]];
      Goal& goal = here_.goals[products.goal];
      if (number.exact())
        goal.sum.add(std::move(number.lower));
      else
        goal.open += number;
    }
}

void Tree::check_false() {
  for (const Formula formula : here_.formulas)
    if (path_.truth(formula) == Truth::no) return;
  if (refuting_ > 0) throw Rejected("the formula is not false where an equation does not hold");
  for (const Weight* weight : here_.weights)
    if (path_.truth(weight->condition) == Truth::yes && path_.vanishes(weight->value)) return;
  for (const std::size_t i : active_)
    if (std::none_of(here_.goals[i].conditions.begin(), here_.goals[i].conditions.end(),
                     [&](Formula part) { return path_.truth(part) == Truth::no; }))
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

void Tree::check_cell(bool leave_open) {
  if (refuting_ > 0) throw Rejected("a cell where an equation that must hold does not");
  Cell here(in_, here_.reals);
  std::vector<LinearForm> rows;  // others have only reals of other parts, or are implied
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(rows),
               [&](const LinearForm& row) { return in_part(row); });
  here.check(rows);
  ++(leave_open ? counts_.open : counts_.cells);
  counts_.faces += here.faces();
  path_.mark();
  for (std::size_t i = 0; !leave_open && i < here_.formulas.size(); ++i)
    if (!require(here_.formulas[i], here, "an assertion")) return path_.undo();
  if (const std::optional<Variable> variable = path_.unpinned())
    throw Rejected("'" + problem_.terms.real_name(*variable) + "' is not pinned in a cell");
  if (leave_open)
    bound(here);
  else
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
  for (const Weight* weight : here_.weights) {
    Group joined{waits_for(*weight, cell), {weight}};
    if (joined.booleans.empty()) {
      settled.push_back(weight);
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
  std::size_t free = free_booleans();
  Polynomial result = summed(settled, 0, cell);
  for (const Group& group : groups) {
    if (group.booleans.size() > most_booleans) throw Rejected("weights wait for many Booleans");
    free -= group.booleans.size();
    result = result * summed(group.weights, group.booleans.size(), cell);
  }
  return doubled(std::move(result), free);
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
  Polynomial result = doubled(1, booleans);
  for (const Weight* weight : weights)
    if (path_.truth(weight->condition) == Truth::yes) result = result * path_.value(weight->value);
  return result;
}

std::size_t Tree::free_booleans() const {
  return static_cast<std::size_t>(
      std::count_if(here_.booleans.begin(), here_.booleans.end(), [&](std::uint32_t boolean) {
        return path_.truth(problem_.terms.boolean(boolean)) == Truth::unknown;
      }));
}

void Tree::integrate(Cell& cell, const Polynomial& weight) {
  std::vector<Integrand> integrands;
  std::vector<std::pair<Sum*, std::size_t>> targets;
  const auto add = [&](Sum& sum, Integrand integrand) {
    const auto same = std::find(integrands.begin(), integrands.end(), integrand);
    targets.emplace_back(&sum, same - integrands.begin());
    if (same == integrands.end()) integrands.push_back(std::move(integrand));
  };
  for (const std::size_t i : active_) {
    Goal& goal = here_.goals[i];
    const bool fails =
        std::any_of(goal.conditions.begin(), goal.conditions.end(), [&](Formula condition) {
          settle(condition, {}, cell);
          return path_.truth(condition) == Truth::no;
        });
    if (fails) continue;
    for (const Formula condition : goal.conditions)
      require(condition, cell, "the condition or event of a query");
    if (goal.order == 0) {
      add(goal.sum, {weight});
      continue;
    }
    settle(truth, goal.term, cell);
    if (!path_.valued(goal.term)) throw Rejected("a term is not determined in a cell");
    const Polynomial term = path_.value(goal.term);
    if (!goal.at) {
      if (term.degree() <= 1)
        add(goal.sum, {weight, LinearForm(term), goal.order});
      else
        add(goal.sum, {weight * power(term, goal.order)});
      continue;
    }
    const LinearForm form(term - Polynomial(*goal.at));
    if (form.is_constant()) {
      if (form.constant == 0) add(goal.sum, {weight});
      continue;
    }
    const int side = cell.side(form);
    if (side == 0) throw Rejected("a cell lies on both sides of the value of a density");
    (side < 0 ? goal.left : goal.right).add(cell.integrals(std::vector{Integrand{weight}}, &form)[0]);
  }
  const std::vector<Rational> integrals = cell.integrals(integrands);
  for (const auto& [sum, integrand] : targets) sum->add(integrals[integrand]);
}

/// Of the product of the weights, summed over the Booleans that are not decided, as far as the
/// formula holds. A weight that hangs on such a Boolean alone counts where it holds; others that
/// are not known may be 1 as well.
Interval Tree::range_of_weight(Ranges& ranges) const {
  struct Ways {
    Interval holding = Rational(1), failing = Rational(1);
  };
  std::map<std::uint32_t, Ways> booleans;
  Interval result = Rational(1);
  for (const Weight* weight : here_.weights) {
    const Truth condition = path_.truth(weight->condition);
    if (condition == Truth::no) continue;
    const Interval value = ranges.of(weight->value);
    const Node& node = problem_.terms.node(weight->condition.node());
    if (condition == Truth::yes) {
      result = result * value;
    } else if (node.kind == Kind::boolean) {
      Ways& ways = booleans[node.index];
      Interval& way = weight->condition.negated() ? ways.failing : ways.holding;
      way = way * value;
    } else {
      result = result * hull(value, Rational(1));
    }
  }
  for (const auto& [boolean, ways] : booleans) {
    const bool add = ways.holding.lower >= 0 && ways.failing.lower >= 0;
    result = result * (add ? ways.holding + ways.failing
                           : hull(ways.holding, ways.failing) * Interval(Rational(2)));
  }
  const std::size_t free = free_booleans() - booleans.size();
  return hull(result * Interval(doubled(1, free).constant_term()), Interval());
}

/// What a place that is left open may add: no more than its volume times the ranges of weight and
/// term. Of a density it adds nothing where the term does not come to the value.
void Tree::bound(Cell& cell) {
  for (const Weight* weight : here_.weights) settle(weight->condition, weight->value, cell);
  for (const std::size_t i : active_) {
    settle(truth, here_.goals[i].term, cell);
    for (const Formula condition : here_.goals[i].conditions) settle(condition, {}, cell);
  }
  Ranges ranges(problem_.terms, path_, cell);
  const Interval most = range_of_weight(ranges) * Interval(cell.integrals(std::vector{Integrand{1}})[0]);
  for (const std::size_t i : active_) {
    Goal& goal = here_.goals[i];
    if (std::any_of(goal.conditions.begin(), goal.conditions.end(),
                    [&](Formula part) { return path_.truth(part) == Truth::no; }))
      continue;
    const Interval term = ranges.of(goal.term);
    if (!goal.at)
      goal.open += goal.order == 0 ? most : most * power(term, goal.order);
    else if (term.contains(*goal.at))
      goal.unbounded = true;
  }
}

/// What the sums say of a question, and that the claim says so too.
Certified check_claim(Bytes& in, const Question& question, const std::vector<Goal>& goals,
                      bool any_open) {
  using Kind = Query::Kind;
  Certified result;
  result.certified = true;
  const unsigned char tag = in.byte();
  const auto say = [&](ClaimTag right, const std::string& why) {
    if (tag != right) throw Rejected("a claim is wrong: " + why);
    result.undefined = why;
    return result;
  };
  const Goal& first = goals[question.first];
  const Interval total = question.kind == Kind::wmi ? Rational(1) : goals[question.total].total();
  const std::string unknown = "nothing is known where leaves are open";
  if (tag == nothing && any_open) return say(nothing, unknown);
  if (total == Interval()) return say(undefined, "the condition has probability 0");
  if (total.contains(0) || first.unbounded) return say(nothing, unknown);
  const auto shown = [](const Interval& value) {
    const std::string lower = to_string(value.lower);
    return value.exact() ? lower : "between " + lower + " and " + to_string(value.upper);
  };
  const Interval ratio = first.total() / total;
  if (question.kind == Kind::density && ratio != Interval())
    return say(point_mass, "a point mass of " + shown(ratio) + " has no density");
  result.value = ratio;
  if (question.kind == Kind::variance)
    result.value = goals[question.second].total() / total - power(ratio, 2);
  if (question.kind == Kind::density) {
    result.value = Interval(first.right.total()) / total;
    result.left = Interval(first.left.total()) / total;
  }
  if (tag != exact && tag != enclosed)
    throw Rejected("a claim is wrong: there is a value, " + shown(*result.value));
  for (const std::optional<Interval>& value : {result.value, result.left}) {
    if (!value) continue;
    const Rational lower = in.rational(), upper = tag == exact ? lower : in.rational();
    if (value->lower < lower || value->upper > upper)
      throw Rejected("a claim is wrong: the cells add up to " + shown(*value));
  }
  return result;
}

}  // namespace

std::vector<Certified> check(const Task& task, Bytes& in, Counts& counts) {
  Task sliced = observed(task);
  std::vector<Goal> goals;
  std::vector<std::optional<Question>> questions;
  for (Query& query : sliced.queries)
    questions.push_back(question(query, sliced.problem.terms, goals));
  std::vector<Certified> result(task.queries.size());
  if (goals.empty()) return result;
  const std::size_t open_before = counts.open;
  goals = Tree(sliced, std::move(goals), in, counts).check();
  for (std::size_t i = 0; i < result.size(); ++i)
    if (questions[i]) result[i] = check_claim(in, *questions[i], goals, counts.open > open_before);
  return result;
}

}  // namespace wmi::check
