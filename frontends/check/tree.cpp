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
//
// Memory is that of a path, a cell, and the sums. What is still to be done is a stack of steps, so
// that nothing recurses on the input.

#include "frontends/check/tree.h"

#include <functional>
#include <memory>
#include <ranges>

#include "frontends/check/leaf.h"
#include "frontends/check/product.h"

namespace wmi::check {
namespace {

class Walk {
 public:
  explicit Walk(Place& here) : here_(here), in_(here.in) {}

  void run() {
    node();
    while (!steps_.empty()) {
      const std::function<void()> step = std::move(steps_.back());
      steps_.pop_back();
      step();
    }
  }

 private:
  enum Tag { falsehood, thin, split, false_first, true_first, pin, fork, cell, product, open };

  void node();
  void read_split();
  void read_branch(bool first);
  void read_pin();
  void read_fork();
  void read_product();

  /// To be taken before all that were said earlier.
  void then(std::function<void()> step) { steps_.push_back(std::move(step)); }

  /// To enter a child, read all below it, and be back.
  void then_child(std::function<void()> enter) {
    then([this, enter = std::move(enter)] {
      then([this, rows = here_.rows.size(), refuting = here_.refuting] {
        here_.path.undo();
        here_.rows.resize(rows);
        here_.refuting = refuting;
      });
      here_.path.mark();
      enter();
      node();
    });
  }

  Place& here_;
  Bytes& in_;
  std::vector<std::function<void()>> steps_;  // the last is the next
};

void Walk::node() {
  const unsigned char tag = in_.byte();
  here_.counts.cells += tag == cell;
  here_.counts.open += tag == open;
  here_.counts.leaves += tag == falsehood || tag == thin || tag == cell || tag == open;
  switch (tag) {
    case falsehood:
      return check_false(here_);
    case thin:
      return check_thin(here_);
    case split:
      return read_split();
    case false_first:
    case true_first:
      return read_branch(tag == true_first);
    case pin:
      return read_pin();
    case fork:
      return read_fork();
    case cell:
      return check_cell(here_);
    case product:
      return read_product();
    case open:
      return check_open(here_);
    default:
      throw Rejected("no kind of node");
  }
}

void Walk::read_split() {
  const LinearForm form = in_.form(here_.problem.integrated.size());
  if (!here_.in_part(form)) throw Rejected("a split has a real that is not integrated here");
  const auto child = [this](const LinearForm& row, bool implied) {
    then_child([=, this] {
      here_.path.set_row(row);
      here_.rows.push_back({row, implied});
    });
  };
  child(opposite(form), in_.next_is(thin));
  child(form, false);
}

void Walk::read_branch(bool first) {
  const auto boolean = static_cast<std::uint32_t>(in_.count(here_.problem.terms.boolean_count()));
  if (!here_.undecided().contains(boolean))
    throw Rejected("a Boolean is not of this part, or branched on twice");
  for (const bool value : {!first, first})
    then_child([=, this] { here_.path.set_boolean(boolean, value); });
}

void Walk::read_pin() {
  const Polynomial read = in_.form(here_.problem.integrated.size()).polynomial();
  const LinearForm form(here_.path.value(read));
  if (in_integrated(here_.problem, form)) throw Rejected("an equation pins no derived real");
  then_child([=, this] { here_.path.pin(form); });
  then_child([=, this] {
    here_.path.refute(form);
    here_.refuting = true;
  });
}

void Walk::read_fork() {
  std::vector<std::size_t>& active = here_.part.active;
  std::vector<std::vector<std::size_t>> groups(in_.count(active.size()));
  std::multiset<std::size_t> all;
  for (std::vector<std::size_t>& group : groups) {
    group.resize(in_.count(active.size()));
    if (group.empty()) throw Rejected("a fork has an empty group");
    for (std::size_t& goal : group) all.insert(goal = in_.count(here_.part.goals.size()));
  }
  if (all.empty() || all != std::multiset(active.begin(), active.end()))
    throw Rejected("a fork does not share out its integrals");
  then([&active, before = active] { active = before; });
  for (std::size_t i = groups.size(); i-- > 0;)
    then_child([this, group = groups[i]] {
      here_.part.active = group;
      here_.focus();
    });
}

void Walk::read_product() {
  const auto product = std::make_shared<Product>(check::read_product(here_));
  const auto before = std::make_shared<Part>(std::move(here_.part));
  then([=, this] {
    here_.part = std::move(*before);
    product->multiply(here_.part.goals);
  });
  for (Part& part : product->parts | std::views::reverse) {
    then([this, product, &part] { part = std::move(here_.part); });
    then_child([this, product, &part] {
      here_.part = std::move(part);
      here_.focus();
    });
  }
}

}  // namespace

std::vector<Goal> check_tree(Bytes& in, const Problem& problem, std::vector<Goal> goals,
                             Counts& counts) {
  Place here{problem, in, counts, Path(problem), {problem.integrated}};
  for (std::uint32_t i = 0; i < problem.terms.boolean_count(); ++i) here.part.booleans.insert(i);
  here.part.formulas = problem.assertions;
  for (const Weight& weight : problem.weights) here.part.weights.push_back(&weight);
  here.part.goals = std::move(goals);
  here.part.activate_all();
  Walk(here).run();
  return std::move(here.part.goals);
}

}  // namespace wmi::check
