// A search for a proof.
//
// The search is that of the `split` enumerator: decisions on a path (Branch), and the region of the
// path with its vertices (Blocks). What it writes is the path itself, so that a reader sees every
// point of the space go one way or the other. Where the region alone decides an atom nothing is
// written: at a cell the reader sees it from the vertices. Only where the formula is false because
// of such atoms are they written as splits of which one way is thin, with Farkas multipliers.
//
// Derived reals are pinned: an equation that the formula cannot hold without, written together with
// the proof that it cannot, replaces one of them by an affine form in the others.
//
// At a leaf of the formula and the weights the queries that are determined share the cell, and
// each other query has a tree of its own below a fork.

#include "solver/certificate.h"

#include <algorithm>
#include <map>
#include <optional>

#include "solver/blocks.h"
#include "solver/certificate_writer.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/weighing.h"
#include "solver/error.h"
#include "solver/farkas.h"
#include "solver/goal.h"
#include "solver/simplices.h"
#include "solver/substitution.h"

namespace wmi {
namespace {

LinearForm opposite(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

/// A query as a search sees it.
struct Question {
  Formula given, event;
  std::vector<Polynomial> terms;
  bool sliced = false;  // at terms[0] = at
  Rational at;
};

Question question(Terms& terms, const Query& query) {
  switch (query.kind) {
    case Query::Kind::wmi:
      return {truth, query.event, {}, false, {}};
    case Query::Kind::probability:
      return {query.given, query.event, {}, false, {}};
    case Query::Kind::cdf:
      return {query.given, terms.less_equal(query.term, query.at), {}, false, {}};
    case Query::Kind::density:
      return {query.given, truth, {query.term}, true, query.at};
    default:
      return {query.given, truth, {query.term}, false, {}};
  }
}

class Prover {
 public:
  Prover(Problem& problem, std::vector<Question> questions, std::ostream& out,
         const std::stop_token& stop)
      : problem_(problem),
        questions_(std::move(questions)),
        out_(out),
        stop_(stop),
        weighing_(problem_),
        branch_(problem_, nodes()),
        region_(0) {
    for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
      if (problem_.integrated[variable]) {
        coordinates_[variable] = static_cast<Variable>(variables_.size());
        variables_.push_back(variable);
      }
    region_ = Blocks(variables_.size());
    for (std::size_t i = 0; i < questions_.size(); ++i) active_.push_back(i);
  }

  void prove() {
    while (!done_) {
      if (stop_.stop_requested()) throw Stopped();
      advance();
    }
  }

 private:
  struct Step {  // one move on the path, and how to take it back
    bool decided = false, cut = false, pinned = false;
    std::optional<std::uint32_t> silent = {};  // an atom that the region decides
    std::optional<Blocks> region_before = {};
    std::optional<Decision> other = {};        // the way not taken yet, if it is one of the branch
    std::optional<LinearForm> other_row = {};  // and its row, if it has one
    std::optional<Blocks> other_region = {};
    std::vector<std::vector<std::size_t>> waiting = {};  // of a fork: the queries of other trees
    std::vector<std::size_t> active_before = {};
    std::uint32_t settled = 0;
  };

  struct Pin {
    Variable variable;
    LinearForm value;
  };

  std::vector<std::uint32_t> nodes() const {
    std::vector<Goal> goals;
    for (const Question& question : questions_) {
      Goal goal{question.given, {}, {}};
      for (const Polynomial& term : question.terms) goal.summands.push_back({term, 0});
      goals.push_back(goal);
      goals.push_back({question.event, {}, {}});
    }
    return cone(problem_, goals);
  }

  void advance();
  bool take_unit();
  bool pin(const Decision& unit);
  void refuse_to_hold(const Decision& decision, const LinearForm* row);
  bool take(std::uint32_t node);
  void decide_silently(std::uint32_t node, bool holds, std::optional<LinearForm> row);
  void split(std::uint32_t node, const LinearForm& form);
  void cut(const LinearForm& form);
  bool settle(Formula formula);
  bool settle(const Polynomial& polynomial);
  bool settle_question(const Question& question);
  bool determined(const Question& question) const;
  bool closed() const;
  bool closed_for_active() const;
  void fork_or_cell();
  void write_cell();
  void write_falsehood();
  void backtrack();

  std::vector<std::uint32_t> reasons() const;
  LinearForm reduced(const LinearForm& form) const;
  bool has_derived(const LinearForm& form) const { return !in_integrated(problem_, form); }
  LinearForm placed(const LinearForm& form) const;

  Problem& problem_;
  const std::vector<Question> questions_;
  CertificateWriter out_;
  const std::stop_token& stop_;
  const Weighing weighing_;
  Branch branch_;
  Blocks region_;
  std::map<Variable, Variable> coordinates_;
  std::vector<Variable> variables_;  // of the coordinates
  std::vector<LinearForm> rows_;     // of the path: none is above 0
  std::vector<Pin> pins_;
  std::map<std::uint32_t, LinearForm> silent_;  // atoms that the region decides: <= 0 there
  std::vector<Step> path_;
  std::vector<std::size_t> active_;
  std::uint32_t settled_ = 0;
  bool done_ = false;
};

LinearForm Prover::placed(const LinearForm& form) const {
  LinearForm result = form;
  for (auto& [variable, coefficient] : result.coefficients) variable = coordinates_.at(variable);
  return result;
}

/// With the pinned reals replaced, and primitive.
LinearForm Prover::reduced(const LinearForm& form) const {
  if (!has_derived(form)) return form;
  Polynomial polynomial = form.polynomial();
  for (const Pin& pin : pins_) {
    const Rational coefficient = LinearForm(polynomial).coefficient(pin.variable);
    if (coefficient == 0) continue;
    polynomial -= coefficient * Polynomial::variable(pin.variable);
    polynomial += coefficient * pin.value.polynomial();
  }
  LinearForm result(polynomial);
  if (!result.is_constant()) result.make_primitive();
  return result;
}

bool Prover::closed() const {
  return std::any_of(problem_.assertions.begin(), problem_.assertions.end(),
                     [&](Formula assertion) { return branch_.truth(assertion) == Truth::no; }) ||
         weighing_.vanishes(branch_);
}

bool Prover::closed_for_active() const {
  return std::all_of(active_.begin(), active_.end(), [&](std::size_t i) {
    return branch_.truth(questions_[i].given) == Truth::no;
  });
}

void Prover::advance() {
  if (closed() || closed_for_active()) {
    write_falsehood();
    return backtrack();
  }
  if (take_unit()) return;
  bool stuck = false;
  for (const Formula assertion : problem_.assertions) {
    if (branch_.truth(assertion) != Truth::unknown) continue;
    if (settle(assertion)) return;
    stuck = true;
  }
  if (stuck) throw GaveUp("no certificate: a derived real is not pinned by equations");
  if (const auto decision = weighing_.open_in(branch_, settled_)) {
    if (!take(decision->node)) throw GaveUp("no certificate: a derived real is not pinned");
    return;
  }
  if (active_.size() == 1 && settle_question(questions_[active_[0]])) return;
  fork_or_cell();
}

/// Decides something in the formula; false if nothing in it can be decided yet.
bool Prover::settle(Formula formula) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  for (const std::uint32_t node : branch_.open_below(std::span(&formula, 1), {})) {
    if (problem_.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = branch_.atom(node);
      if (atom == nullptr) continue;
      const LinearForm form = reduced(atom->form);
      if (has_derived(form)) continue;
      if (form.is_constant() || atom->comparison == Comparison::equal ||
          region_.sides(placed(form)) != Sides::both)
        return take(node);
    }
    if (const std::size_t uses = branch_.uses(node); !best || uses > most) {
      best = node;
      most = uses;
    }
  }
  return best && take(*best);
}

bool Prover::settle(const Polynomial& polynomial) {
  const auto decision = branch_.open_in(polynomial);
  if (!decision) return false;
  if (!take(decision->node)) throw GaveUp("no certificate: a derived real is not pinned");
  return true;
}

/// Decides what the question waits for; false if it waits for nothing.
bool Prover::settle_question(const Question& question) {
  const auto settle_formula = [&](Formula formula) {
    if (branch_.truth(formula) != Truth::unknown) return false;
    if (!settle(formula)) throw GaveUp("no certificate: a derived real is not pinned");
    return true;
  };
  if (settle_formula(question.given)) return true;
  if (settle_formula(question.event)) return true;
  for (const Polynomial& term : question.terms)
    if (settle(term)) return true;
  if (!question.sliced) return false;
  LinearForm form(branch_.resolved(question.terms[0]) - question.at);
  if (form.is_constant()) return false;
  form.make_primitive();
  form = reduced(form);
  if (form.is_constant() || region_.sides(placed(form)) != Sides::both) return false;
  cut(form);
  return true;
}

bool Prover::determined(const Question& question) const {
  const Truth given = branch_.truth(question.given);
  if (given != Truth::yes) return given == Truth::no;
  if (branch_.truth(question.event) == Truth::unknown) return false;
  for (const Polynomial& term : question.terms)
    if (branch_.open_in(term)) return false;
  if (!question.sliced) return true;
  LinearForm form(branch_.resolved(question.terms[0]) - question.at);
  form = reduced(form);
  if (form.is_constant()) return true;
  form.make_primitive();
  return region_.sides(placed(form)) != Sides::both;
}

/// A literal without which the formula, or the condition of the only query, cannot hold.
bool Prover::take_unit() {
  std::vector<Decision> units;
  for (const Formula assertion : problem_.assertions)
    if (branch_.truth(assertion) == Truth::unknown)
      for (const Decision& unit : branch_.units_of(assertion)) units.push_back(unit);
  std::stable_sort(units.begin(), units.end(), [](const Decision& a, const Decision& b) {
    const auto width = [](const Decision& unit) {
      return unit.atom ? unit.atom->form.coefficients.size() : 0;
    };
    return width(a) < width(b);
  });
  for (const Decision& unit : units) {
    if (unit.atom == nullptr) {
      const std::uint32_t index = problem_.terms.node(unit.node).index;
      out_.tag(unit.holds ? CertificateNode::branch_false_first
                          : CertificateNode::branch_true_first);
      out_.natural(index);
      refuse_to_hold(unit, nullptr);
      branch_.decide(unit);
      path_.push_back({.decided = true, .settled = settled_});
      return true;
    }
    const LinearForm form = reduced(unit.atom->form);
    if (has_derived(form)) {
      if (unit.atom->comparison == Comparison::equal && unit.holds) return pin(unit);
      continue;
    }
    if (form.is_constant() || unit.atom->comparison == Comparison::equal ||
        region_.sides(placed(form)) != Sides::both)
      return take(unit.node);
    const LinearForm row = unit.holds ? form : opposite(form);
    out_.tag(CertificateNode::split);
    const LinearForm away = opposite(row);
    out_.form(away);
    refuse_to_hold(unit, &away);
    Blocks half = unit.holds ? region_.below(placed(form)) : region_.above(placed(form));
    Step step{.decided = true, .cut = true, .region_before = std::move(region_)};
    step.settled = settled_;
    region_ = std::move(half);
    rows_.push_back(row);
    branch_.decide(unit);
    path_.push_back(std::move(step));
    return true;
  }
  return false;
}

/// The way on which the literal fails: there the formula is false.
void Prover::refuse_to_hold(const Decision& decision, const LinearForm* row) {
  Decision failing = decision;
  failing.holds = !decision.holds;
  branch_.decide(failing);
  if (row != nullptr) rows_.push_back(*row);
  if (!closed()) throw GaveUp("no certificate: a literal that must hold was not refuted");
  write_falsehood();
  if (row != nullptr) rows_.pop_back();
  branch_.undo();
}

/// An equation that must hold and has a derived real in it.
bool Prover::pin(const Decision& unit) {
  const LinearForm form = reduced(unit.atom->form);
  out_.tag(CertificateNode::pin);
  out_.form(form);
  refuse_to_hold(unit, nullptr);
  const auto pivot =
      std::find_if(form.coefficients.begin(), form.coefficients.end(),
                   [&](const auto& entry) { return !problem_.integrated[entry.first]; });
  Polynomial value = form.polynomial() - pivot->second * Polynomial::variable(pivot->first);
  value *= -1 / pivot->second;
  pins_.push_back({pivot->first, LinearForm(value)});
  branch_.decide(unit);
  path_.push_back({.decided = true, .pinned = true, .settled = settled_});
  return true;
}

/// Decides a Boolean or an atom, both ways if it can go both ways. False if it has derived reals
/// that are not pinned.
bool Prover::take(std::uint32_t node) {
  const Atom* const atom = branch_.atom(node);
  if (problem_.terms.node(node).kind == Kind::boolean) {
    out_.tag(CertificateNode::branch_true_first);
    out_.natural(problem_.terms.node(node).index);
    Step step{.decided = true};
    step.other = branch_.decision_on(node, false);
    step.settled = settled_;
    branch_.decide(branch_.decision_on(node, true));
    path_.push_back(std::move(step));
    return true;
  }
  const LinearForm form = reduced(atom->form);
  if (has_derived(form)) return false;
  if (form.is_constant()) {
    decide_silently(node, holds(form.constant, atom->comparison), {});
  } else if (atom->comparison == Comparison::equal) {
    decide_silently(node, false, {});
  } else if (const Sides sides = region_.sides(placed(form)); sides != Sides::both) {
    decide_silently(node, sides == Sides::below, sides == Sides::below ? form : opposite(form));
  } else {
    split(node, form);
  }
  return true;
}

void Prover::decide_silently(std::uint32_t node, bool holds, std::optional<LinearForm> row) {
  Step step{.decided = true, .settled = settled_};
  if (row) {
    silent_.emplace(node, std::move(*row));
    step.silent = node;
  }
  branch_.decide(branch_.decision_on(node, holds));
  path_.push_back(std::move(step));
}

void Prover::split(std::uint32_t node, const LinearForm& form) {
  cut(form);
  Step& step = path_.back();
  step.decided = true;
  step.other = branch_.decision_on(node, false);
  branch_.decide(branch_.decision_on(node, true));
}

void Prover::cut(const LinearForm& form) {
  auto [below, above] = region_.cut(placed(form));
  out_.tag(CertificateNode::split);
  out_.form(form);
  Step step{.cut = true};
  step.settled = settled_;
  step.other_row = opposite(form);
  step.other_region = std::move(above);
  step.region_before = std::move(region_);
  region_ = std::move(below);
  rows_.push_back(form);
  path_.push_back(std::move(step));
}

/// Formula and weights are determined.
void Prover::fork_or_cell() {
  std::vector<std::size_t> together;
  std::vector<std::vector<std::size_t>> trees;
  for (const std::size_t i : active_) {
    if (determined(questions_[i]))
      together.push_back(i);
    else
      trees.push_back({i});
  }
  if (trees.empty()) {
    write_cell();
    return backtrack();
  }
  if (!together.empty()) trees.insert(trees.begin(), together);
  out_.tag(CertificateNode::fork);
  out_.natural(trees.size());
  for (const std::vector<std::size_t>& tree : trees) {
    out_.natural(tree.size());
    for (const std::size_t i : tree) out_.natural(i);
  }
  Step step;
  step.settled = settled_;
  step.active_before = std::move(active_);
  active_ = std::move(trees[0]);
  step.waiting.assign(trees.rbegin(), trees.rend() - 1);
  path_.push_back(std::move(step));
}

void Prover::write_cell() {
  const Region region = region_.region();
  out_.tag(CertificateNode::cell);
  out_.natural(region.factors.size());
  for (const Region::Factor& factor : region.factors) {
    out_.natural(factor.coordinates.size());
    for (const Variable coordinate : factor.coordinates) out_.natural(variables_[coordinate]);
    const Polytope& polytope = factor.polytope;
    out_.natural(polytope.vertex_count());
    for (std::size_t v = 0, k = 0; v < polytope.vertex_count(); ++v) {
      out_.natural(polytope.corners()[k++]);
      for (std::size_t j = 0; j < polytope.dimension(); ++j) out_.integer(polytope.corners()[k++]);
    }
    const auto parts = simplices(polytope);
    out_.natural(parts.size());
    for (const std::vector<std::uint32_t>& simplex : parts)
      for (const std::uint32_t vertex : simplex) out_.natural(vertex);
  }
}

/// The atoms decided by the region alone that make the formula false (or the weight 0, or the
/// conditions of all queries false): a walk down from what is false.
std::vector<std::uint32_t> Prover::reasons() const {
  const Terms& terms = problem_.terms;
  std::vector<std::uint32_t> open, result;
  std::vector<bool> seen(terms.size());
  const auto visit = [&](std::uint32_t node) {
    if (!seen[node]) open.push_back(node);
    seen[node] = true;
  };
  const auto visit_variable = [&](Variable variable) {
    if (const std::uint32_t node = terms.defining_node(variable); node != 0) visit(node);
  };
  const auto false_assertion =
      std::find_if(problem_.assertions.begin(), problem_.assertions.end(),
                   [&](Formula assertion) { return branch_.truth(assertion) == Truth::no; });
  if (false_assertion != problem_.assertions.end()) {
    visit(false_assertion->node());
  } else if (weighing_.vanishes(branch_)) {
    const auto weight = std::find_if(problem_.weights.begin(), problem_.weights.end(),
                                     [&](const Weight& candidate) {
                                       return branch_.truth(candidate.condition) == Truth::yes &&
                                              branch_.vanishes(candidate.value);
                                     });
    visit(weight->condition.node());
    for (const Polynomial::Term& term : weight->value.terms())
      for (const Power& power : term.monomial)
        if (const Polynomial* value = branch_.value(power.variable);
            value != nullptr && value->zero()) {
          visit_variable(power.variable);
          break;
        }
  } else {
    for (const std::size_t i : active_) visit(questions_[i].given.node());
  }
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    const Node& node = terms.node(number);
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:
        break;
      case Kind::atom:
        if (silent_.contains(number)) result.push_back(number);
        for (const auto& [variable, coefficient] : terms.atom(node.index).form.coefficients)
          visit_variable(variable);
        break;
      case Kind::conjunction:
        if (branch_.truth(Formula(number, false)) == Truth::yes) {
          for (const Formula child : node.children) visit(child.node());
        } else {
          visit(std::find_if(node.children.begin(), node.children.end(), [&](Formula child) {
                  return branch_.truth(child) == Truth::no;
                })->node());
        }
        break;
      case Kind::choice:
        switch (branch_.truth(node.children[0])) {
          case Truth::yes:
            visit(node.children[0].node());
            visit(node.children[1].node());
            break;
          case Truth::no:
            visit(node.children[0].node());
            visit(node.children[2].node());
            break;
          case Truth::unknown:
            visit(node.children[1].node());
            visit(node.children[2].node());
        }
        break;
      case Kind::definition: {
        const Definition& definition = terms.definition(node.index);
        visit(definition.condition.node());
        const bool then = branch_.truth(definition.condition) == Truth::yes;
        for (const Variable variable : (then ? definition.then : definition.otherwise).variables())
          visit_variable(variable);
        break;
      }
    }
  }
  return result;
}

void Prover::write_falsehood() {
  const std::size_t before = rows_.size();
  for (const std::uint32_t node : reasons()) {
    const LinearForm& row = silent_.at(node);
    if (std::find(rows_.begin(), rows_.end(), row) != rows_.end()) continue;
    const std::optional<std::vector<Rational>> multipliers = implied_by(row, rows_);
    if (!multipliers) throw GaveUp("no certificate: an atom is not implied by the path");
    out_.tag(CertificateNode::split);
    out_.form(opposite(row));
    out_.tag(CertificateNode::thin);
    Integer common = 1;
    std::size_t count = 1;
    for (const Rational& multiplier : *multipliers) {
      common = lcm(common, multiplier.get_den());
      count += multiplier != 0;
    }
    out_.natural(count);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if ((*multipliers)[i] == 0) continue;
      out_.natural(i);
      out_.natural(Integer((*multipliers)[i] * common));
    }
    out_.natural(rows_.size());
    out_.natural(common);
    rows_.push_back(row);
  }
  rows_.resize(before);
  out_.tag(CertificateNode::falsehood);
}

/// To the last step with a way that is still open.
void Prover::backtrack() {
  while (!path_.empty()) {
    Step& step = path_.back();
    if (step.decided) branch_.undo();
    if (step.silent) silent_.erase(*step.silent);
    if (step.pinned) pins_.pop_back();
    if (step.cut) rows_.pop_back();
    settled_ = step.settled;
    if (!step.waiting.empty()) {
      active_ = std::move(step.waiting.back());
      step.waiting.pop_back();
      return;
    }
    if (!step.active_before.empty()) active_ = std::move(step.active_before);
    if (step.other || step.other_row) {
      if (step.other_row) {
        rows_.push_back(*step.other_row);
        region_ = std::move(*step.other_region);
      }
      if (step.other) branch_.decide(*step.other);
      step.decided = step.other.has_value();
      step.other.reset();
      step.other_row.reset();
      step.other_region.reset();
      return;
    }
    if (step.region_before) region_ = std::move(*step.region_before);
    path_.pop_back();
  }
  done_ = true;
}

void write_claim(CertificateWriter& out, const std::vector<Interval>& values) {
  const bool exact = std::all_of(values.begin(), values.end(),
                                 [](const Interval& value) { return value.exact(); });
  out.tag(exact ? CertificateClaim::exact : CertificateClaim::enclosed);
  for (const Interval& value : values) {
    out.rational(value.lower);
    if (!exact) out.rational(value.upper);
  }
}

}  // namespace

bool certifiable(const Query& query) {
  switch (query.kind) {
    case Query::Kind::echo:
    case Query::Kind::satisfiable:
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return false;
    default:
      return true;
  }
}

void certify(const Task& task, std::span<const Answer> answers, std::ostream& out,
             const std::stop_token& stop) {
  Task sliced = observed(task);
  std::vector<Question> questions;
  for (const Query& query : sliced.queries)
    if (certifiable(query)) questions.push_back(question(sliced.problem.terms, query));
  if (questions.empty()) return;
  const auto has_no_claim = [&](std::size_t i) {
    return certifiable(task.queries[i]) && task.queries[i].kind != Query::Kind::density &&
           !answers[i].value && answers[i].undefined.empty();
  };
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (has_no_claim(i))
      throw Error("no certificate: " + answers[i].refused, task.queries[i].where);
  Prover(sliced.problem, std::move(questions), out, stop).prove();
  CertificateWriter writer(out);
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    if (!certifiable(task.queries[i])) continue;
    const Answer& answer = answers[i];
    if (!answer.undefined.empty()) {
      writer.tag(CertificateClaim::undefined);
    } else if (answer.value) {
      std::vector<Interval> values{*answer.value};
      if (task.queries[i].kind == Query::Kind::density) values.push_back(*answer.left);
      write_claim(writer, values);
    } else {
      writer.tag(CertificateClaim::point_mass);
    }
  }
}

}  // namespace wmi
