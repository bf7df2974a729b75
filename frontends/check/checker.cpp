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

#include "frontends/check/cell.h"
#include "frontends/check/path.h"
#include "solver/substitution.h"

namespace wmi::check {
namespace {

constexpr std::string_view mark = "wmi-certificate 1\n";

enum Tag : unsigned char { falsehood, thin, split, false_first, true_first, pin, fork, cell };
enum ClaimTag : unsigned char { undefined, value, point_mass };

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
  unsigned order = 1;
  Rational at;
  Sum total, first, second, mass, left, right;

  bool of_term() const {
    return kind == Query::Kind::expectation || kind == Query::Kind::variance ||
           kind == Query::Kind::moment || kind == Query::Kind::density;
  }
};

std::optional<Question> question(const Query& query, Terms& terms) {
  Question result{query.kind, query.given, query.event, query.term, query.order, query.at,
                  {},         {},          {},          {},         {},          {}};
  switch (query.kind) {
    case Query::Kind::echo:
    case Query::Kind::satisfiable:
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return std::nullopt;
    case Query::Kind::wmi:
      result.given = truth;
      break;
    case Query::Kind::probability:
      break;
    case Query::Kind::cdf:
      result.event = terms.less_equal(query.term, Polynomial(query.at));
      break;
    default:
      result.event = truth;
  }
  return result;
}

class Tree {
 public:
  Tree(const Problem& problem, std::vector<Question>& questions, Bytes& in)
      : problem_(problem), questions_(questions), in_(in), path_(make_path()) {
    for (std::size_t i = 0; i < questions.size(); ++i) active_.push_back(i);
  }

  void check() {
    node();
    while (!open_.empty()) {
      Open& last = open_.back();
      path_.undo();
      rows_.resize(last.rows);
      if (last.kind == fork) {
        if (last.groups.empty()) {
          active_ = std::move(last.active);
          open_.pop_back();
          continue;
        }
        active_ = std::move(last.groups.back());
        last.groups.pop_back();
        path_.mark();
      } else if (!last.second) {
        open_.pop_back();
        continue;
      } else {
        last.second = false;
        path_.mark();
        enter_second(last);
      }
      node();
    }
  }

  std::size_t leaves = 0, cells = 0, simplices = 0;

 private:
  /// An inner node that is not done.
  struct Open {
    Tag kind;
    bool second = true;  // the second child is still to come
    std::size_t rows = 0;  // of the path before it
    LinearForm form = {};
    std::uint32_t boolean = 0;
    std::vector<std::size_t> active = {};
    std::vector<std::vector<std::size_t>> groups = {};
  };

  Path make_path() const {
    std::vector<Formula> formulas = problem_.assertions;
    std::vector<Polynomial> polynomials;
    for (const Weight& weight : problem_.weights) {
      formulas.push_back(weight.condition);
      polynomials.push_back(weight.value);
    }
    for (const Question& question : questions_) {
      formulas.insert(formulas.end(), {question.given, question.event});
      polynomials.push_back(question.term);
    }
    return {problem_, formulas, polynomials};
  }

  void node();
  void enter_second(Open& open);
  void read_fork();
  void check_false();
  void check_thin();
  void check_cell();
  bool decide(std::uint32_t node, const Cell& cell);
  void settle(Formula formula, const Polynomial& polynomial, const Cell& cell);
  bool require(Formula formula, const Cell& cell, const char* what);
  Polynomial weight(const Cell& cell);
  std::uint32_t open_in(const Weight& weight, const Cell& cell);
  Polynomial summed(const std::vector<const Weight*>& weights, std::size_t booleans,
                    const Cell& cell);
  void integrate(const Cell& cell, const Polynomial& weight);

  const Problem& problem_;
  std::vector<Question>& questions_;
  Bytes& in_;
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
    switch (tag) {
      case falsehood:
        ++leaves;
        return check_false();
      case thin:
        ++leaves;
        return check_thin();
      case cell:
        ++leaves;
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
        if (in_integrated(problem_, open.form))
          throw Rejected("an equation pins no derived real");
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
  switch (open.kind) {
    case split: {
      LinearForm opposite = open.form;
      opposite.constant = -opposite.constant;
      for (auto& [variable, coefficient] : opposite.coefficients) coefficient = -coefficient;
      path_.set_sign(opposite, -1);
      rows_.push_back(std::move(opposite));
      break;
    }
    case pin:
      --refuting_;
      path_.pin(open.form);
      break;
    default:
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

/// Decides atoms until no more is open, or what is open first cannot be decided and nothing behind
/// it can: what may matter is then Booleans, and atoms that cut through the cell.
void Tree::settle(Formula formula, const Polynomial& polynomial, const Cell& cell) {
  for (;;) {
    const std::uint32_t node = path_.truth(formula) == Truth::unknown ? path_.open_in(formula)
                               : path_.truth(formula) == Truth::no    ? 0
                                                                      : path_.open_in(polynomial);
    if (node == 0) return;
    if (decide(node, cell)) continue;
    bool progress = false;
    for (const std::uint32_t atom : path_.waiting(formula, polynomial).atoms)
      if (path_.truth(Formula(atom, false)) == Truth::unknown && decide(atom, cell))
        progress = true;
    if (!progress) return;
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
  ++cells;
  simplices += here.simplices();
  path_.mark();
  for (const Formula assertion : problem_.assertions)
    if (!require(assertion, here, "an assertion")) return path_.undo();
  if (const std::optional<Variable> variable = path_.unpinned())
    throw Rejected("'" + problem_.terms.real_name(*variable) + "' is not pinned in a cell");
  integrate(here, weight(here));
  path_.undo();
}

/// Decides what can be decided of a weight. The Boolean that it then waits for; 0 if it is settled.
std::uint32_t Tree::open_in(const Weight& weight, const Cell& cell) {
  settle(weight.condition, weight.value, cell);
  std::uint32_t node = 0;
  if (path_.truth(weight.condition) == Truth::unknown)
    node = path_.open_in(weight.condition);
  else if (path_.truth(weight.condition) == Truth::yes)
    node = path_.open_in(weight.value);
  if (node != 0 && problem_.terms.node(node).kind != Kind::boolean)
    throw Rejected("a weight is not determined in a cell");
  return node;
}

/// The product of the weights, summed over the Booleans that are not decided: weights that share
/// one are summed together, others are multiplied.
Polynomial Tree::weight(const Cell& cell) {
  struct Group {
    std::vector<std::uint32_t> booleans;
    std::vector<const Weight*> weights;
  };
  std::vector<Group> groups;
  std::vector<const Weight*> settled;
  for (const Weight& weight : problem_.weights) {
    if (open_in(weight, cell) == 0) {
      settled.push_back(&weight);
      continue;
    }
    Group joined{path_.waiting(weight.condition, weight.value).booleans, {&weight}};
    for (std::size_t i = groups.size(); i-- > 0;) {
      if (std::none_of(groups[i].booleans.begin(), groups[i].booleans.end(),
                       [&](std::uint32_t boolean) {
                         return std::find(joined.booleans.begin(), joined.booleans.end(),
                                          boolean) != joined.booleans.end();
                       }))
        continue;
      joined.booleans.insert(joined.booleans.end(), groups[i].booleans.begin(),
                             groups[i].booleans.end());
      joined.weights.insert(joined.weights.end(), groups[i].weights.begin(),
                            groups[i].weights.end());
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::sort(joined.booleans.begin(), joined.booleans.end());
    joined.booleans.erase(std::unique(joined.booleans.begin(), joined.booleans.end()),
                          joined.booleans.end());
    groups.push_back(std::move(joined));
  }
  std::size_t free = problem_.terms.boolean_count();
  for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i)
    free -= path_.truth(problem_.terms.boolean(i)) != Truth::unknown;
  Polynomial result = summed(settled, 0, cell);
  for (const Group& group : groups) {
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
    const std::uint32_t node = open_in(*weight, cell);
    if (node == 0) continue;
    Polynomial result;
    for (const bool holds : {false, true}) {
      path_.mark();
      path_.set_boolean(problem_.terms.node(node).index, holds);
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

/// Claimed as an interval, which the value must be in.
void check_claim(Bytes& in, const Rational& value) {
  const Rational lower = in.rational(), upper = in.rational();
  if (value < lower || value > upper)
    throw Rejected("the claim is not what the cells add up to, " + to_string(value));
}

Certified check_claim(Bytes& in, const Question& question) {
  Certified result;
  result.certified = true;
  const unsigned char tag = in.byte();
  if (question.kind == Query::Kind::wmi) {
    if (tag != value) throw Rejected("a claim of the wrong kind");
    result.value = question.first.total();
    check_claim(in, *result.value);
    return result;
  }
  const Rational total = question.total.total();
  if (total == 0) {
    if (tag != undefined) throw Rejected("a claim where the condition has probability 0");
    result.undefined = "the condition has probability 0";
    return result;
  }
  if (question.kind == Query::Kind::density && question.mass.total() != 0) {
    if (tag != point_mass) throw Rejected("a claim of a density where there is a point mass");
    result.undefined =
        "a point mass of " + to_string(Rational(question.mass.total() / total)) + " has no density";
    return result;
  }
  if (tag != value) throw Rejected("a claim of the wrong kind");
  if (question.kind == Query::Kind::density) {
    result.value = question.right.total() / total;
    result.left = question.left.total() / total;
    check_claim(in, *result.value);
    check_claim(in, *result.left);
    return result;
  }
  result.value = question.first.total() / total;
  if (question.kind == Query::Kind::variance)
    result.value = question.second.total() / total - power(*result.value, 2);
  check_claim(in, *result.value);
  return result;
}

}  // namespace

Report check(const Task& task, Bytes& in) {
  Task sliced = observed(task);
  std::vector<Question> questions;
  std::vector<bool> covered;
  for (const Query& query : sliced.queries) {
    std::optional<Question> asked = question(query, sliced.problem.terms);
    covered.push_back(asked.has_value());
    if (asked) questions.push_back(std::move(*asked));
  }
  Report report;
  report.answers.resize(covered.size());
  if (questions.empty()) return report;
  Tree tree(sliced.problem, questions, in);
  tree.check();
  report.leaves = tree.leaves;
  report.cells = tree.cells;
  report.simplices = tree.simplices;
  for (std::size_t i = 0, next = 0; i < covered.size(); ++i)
    if (covered[i]) report.answers[i] = check_claim(in, questions[next++]);
  return report;
}

void check_mark(Bytes& in) { in.expect(mark); }

void check_end(Bytes& in) {
  if (!in.at_end()) throw Rejected("the certificate goes on after its end");
}

}  // namespace wmi::check
