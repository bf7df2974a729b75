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

#include "frontends/check/leaf.h"
#include "frontends/check/product.h"

namespace wmi::check {
namespace {

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

class Walk {
 public:
  Walk(Bytes& in, Place& here, Counts& counts) : in_(in), here_(here), counts_(counts) {}

  void run() {
    node();
    while (!steps_.empty()) {
      const std::function<void()> step = std::move(steps_.back());
      steps_.pop_back();
      step();
    }
  }

 private:
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

  Bytes& in_;
  Place& here_;
  Counts& counts_;
  std::vector<std::function<void()>> steps_;  // the last is the next
};

void Walk::node() {
  const unsigned char tag = in_.byte();
  counts_.leaves += tag == falsehood || tag == thin || tag == cell || tag == left_open;
  switch (tag) {
    case falsehood:
      return check_false(here_);
    case thin:
      return check_thin(in_, here_);
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
      ++counts_.cells;
      counts_.faces += check_cell(in_, here_);
      return;
    case product:
      return read_product();
    case left_open:
      ++counts_.open;
      counts_.faces += check_open(in_, here_);
      return;
    default:
      throw Rejected("no kind of node");
  }
}

void Walk::read_split() {
  const LinearForm form = in_.form(here_.problem.integrated.size());
  if (!here_.in_part(form)) throw Rejected("a split has a real that is not integrated here");
  const auto enter = [this](const LinearForm& row, bool implied) {
    here_.path.set_sign(row, -1);
    here_.rows.push_back({row, implied});
  };
  const bool first_is_thin = in_.next_is(thin);
  then_child([=] { enter(opposite(form), first_is_thin); });
  then_child([=] { enter(form, false); });
}

void Walk::read_branch(bool first) {
  const auto boolean = static_cast<std::uint32_t>(in_.count(here_.problem.terms.boolean_count()));
  if (!here_.part.booleans.contains(boolean)) throw Rejected("a Boolean is not of this part");
  if (!here_.undecided(boolean)) throw Rejected("a Boolean is branched on twice");
  for (const bool value : {!first, first})
    then_child([=, this] { here_.path.set_boolean(boolean, value); });
}

void Walk::read_pin() {
  const Polynomial read = in_.form(here_.problem.integrated.size()).polynomial();
  const LinearForm form(here_.path.value(read));
  if (in_integrated(here_.problem, form)) throw Rejected("an equation pins no derived real");
  then_child([=, this] { here_.path.pin(form); });
  then_child([=, this] {
    here_.path.set_sign(form, 0);
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
    then_child([&active, group = groups[i]] { active = group; });
}

void Walk::read_product() {
  const auto product = std::make_shared<Product>(in_, here_);
  const auto before = std::make_shared<Part>(std::move(here_.part));
  then([=, this] {
    here_.part = std::move(*before);
    product->multiply(here_.part.goals);
  });
  for (std::size_t i = product->parts.size(); i-- > 0;) {
    then([=, this] { product->parts[i] = std::move(here_.part); });
    then_child([=, this] { here_.part = std::move(product->parts[i]); });
  }
}

}  // namespace

std::vector<Goal> check_tree(Bytes& in, const Task& task, std::vector<Goal> goals, Counts& counts) {
  const Problem& problem = task.problem;
  Place here{problem, Path(task), {problem.integrated}};
  for (std::uint32_t i = 0; i < problem.terms.boolean_count(); ++i) here.part.booleans.insert(i);
  here.part.formulas = problem.assertions;
  for (const Weight& weight : problem.weights) here.part.weights.push_back(&weight);
  here.part.goals = std::move(goals);
  here.part.activate_all();
  Walk(in, here, counts).run();
  return std::move(here.part.goals);
}

}  // namespace wmi::check
