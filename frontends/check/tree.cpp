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
// Memory is that of a path, the largest cell so far, and the sums. What is still to be done is a
// stack of steps, so that nothing recurses on the input.

#include "frontends/check/tree.h"

#include <functional>
#include <memory>

#include "frontends/check/leaf.h"
#include "frontends/check/product.h"

namespace wmi::check {
namespace {

class Walk {
 public:
  explicit Walk(CheckState& here) : here_(here) {}

  void run() {
    node();
    while (!steps_.empty()) {
      const std::function<void()> step = std::move(steps_.back());
      steps_.pop_back();
      step();
    }
  }

 private:
  /// To be taken before all that were said earlier.
  void then(std::function<void()> step) { steps_.push_back(std::move(step)); }

  /// To enter a child, read all below it, and be back.
  void then_child(std::function<void()> enter) {
    then([this, enter = std::move(enter)] {
      then([this, rows = here_.rows.size(), refuting = here_.refuting, active = here_.part.active] {
        here_.path.undo();
        here_.rows.resize(rows);
        here_.refuting = refuting;
        here_.part.active = active;
      });
      here_.path.mark();
      enter();
      node();
    });
  }

  void node() {
    // By tag, as docs/certificate.md numbers them.
    static constexpr void (*readers[])(Walk&) = {
        [](Walk& walk) { check_false(walk.here_); }, [](Walk& walk) { check_thin(walk.here_); },
        [](Walk& walk) { walk.read_split(); },       [](Walk& walk) { walk.read_branch(false); },
        [](Walk& walk) { walk.read_branch(true); },  [](Walk& walk) { walk.read_pin(); },
        [](Walk& walk) { walk.read_fork(); },        [](Walk& walk) { check_cell(walk.here_); },
        [](Walk& walk) { walk.read_product(); },     [](Walk& walk) { check_open(walk.here_); }};
    const unsigned char tag = here_.in.byte();
    if (tag >= std::size(readers)) throw Rejected("no kind of node");
    ++here_.counts.nodes;
    readers[tag](*this);
  }

  void read_split() {
    const LinearForm form = here_.in.form(here_.problem.integrated.size());
    if (!here_.in_part(form)) throw Rejected("a split has a real that is not integrated here");
    const auto child = [this](const LinearForm& row, bool implied) {
      then_child([=, this] {
        here_.path.learn(row, Truth::yes);
        here_.rows.push_back({row, implied});
      });
    };
    child(-form, here_.in.next_is('\1'));  // thin
    child(form, false);
  }

  void read_branch(bool first) {
    const auto boolean =
        static_cast<std::uint32_t>(here_.in.count(here_.problem.terms.boolean_count()));
    if (!contains(here_.undecided(), boolean))
      throw Rejected("a Boolean is not of this part, or branched on twice");
    for (const bool value : {!first, first})
      then_child([=, this] { here_.path.set_boolean(boolean, value); });
  }

  void read_pin() {
    const Polynomial read = here_.in.form(here_.problem.integrated.size()).polynomial();
    const LinearForm form(here_.path.value(read));
    if (in_integrated(here_.problem, form)) throw Rejected("an equation pins no derived real");
    then_child([=, this] { here_.path.pin(form); });
    then_child([=, this] {
      here_.path.learn(form, Truth::no);
      here_.refuting = true;
    });
  }

  void read_fork() {
    Set left = here_.part.active;
    std::vector<Set> groups(here_.in.count(size(left)));
    for (Set& group : groups)
      if ((group = here_.in.share(left)) == 0) throw Rejected("a fork has an empty group");
    if (groups.empty() || left != 0) throw Rejected("a fork does not share out its integrals");
    for (std::size_t i = groups.size(); i-- > 0;)
      then_child([this, group = groups[i]] {
        here_.part.active = group;
        here_.focus();
      });
  }

  void read_product() {
    const auto product = std::make_shared<Product>(check::read_product(here_));
    const auto before = std::make_shared<Part>(std::move(here_.part));
    then([=, this] {
      here_.part = std::move(*before);
      product->multiply(here_.part.goals);
    });
    for (std::size_t i = product->parts.size(); i-- > 0;) {
      Part& part = product->parts[i];
      then([this, product, &part] { part.goals = std::move(here_.part.goals); });
      then_child([this, product, &part] {
        here_.part = std::move(part);
        here_.focus();
      });
    }
  }

  CheckState& here_;
  std::vector<std::function<void()>> steps_;  // the last is the next
};

}  // namespace

std::vector<Goal> check_tree(Bytes& in, const Problem& problem, std::vector<Goal> goals,
                             Counts& counts) {
  CheckState here{problem, in, counts, Path(problem), {}};
  for (std::size_t i = 0; i < problem.integrated.size(); ++i)
    if (problem.integrated[i]) mpz_setbit(here.part.reals.get_mpz_t(), i);
  here.part.booleans = (Integer(1) << problem.terms.boolean_count()) - 1;
  here.part.formulas = problem.assertions;
  for (const Weight& weight : problem.weights) here.part.weights.push_back(&weight);
  here.part.active = (Integer(1) << goals.size()) - 1;
  here.part.goals = std::move(goals);
  Walk(here).run();
  return std::move(here.part.goals);
}

}  // namespace wmi::check
