// The tree of a certificate, read once from the beginning to the end.
//
// A node is a set of points; the root is the whole space. Inner nodes divide their set (up to a
// hyperplane, which has no volume), so the leaves prove the whole, whatever the tree looks like:
//
//   SPLIT   a linear form in the integrated reals is below 0, or above
//   BRANCH  a Boolean is false, or true
//   PIN     an equation with a derived real does not hold (then the formula must be false, and no
//           cell may follow), or it does, which determines the derived real
//   FORK    the same set again for each of several groups of integrals
//   PRODUCT the set is a product, the integrals are (sums of) products of those of its parts
//
// Memory holds a path, the largest cell so far, and the sums. Pending work is a stack of steps, so
// that nothing recurses on the input.

#include "frontends/check/tree.h"

#include <functional>
#include <memory>

#include "frontends/check/leaf.h"
#include "frontends/check/product.h"

namespace wmi::check {
namespace {

class Walk {
 public:
  explicit Walk(CheckState& state) : state_(state) {}

  void run() {
    node();
    while (!steps_.empty()) {
      const std::function<void()> step = std::move(steps_.back());
      steps_.pop_back();
      step();
    }
  }

 private:
  /// Pushes a step, which runs before those pushed earlier.
  void then(std::function<void()> step) { steps_.push_back(std::move(step)); }

  /// Pushes the steps that enter a child, read its subtree, and return.
  void then_child(std::function<void()> enter) {
    then([this, enter = std::move(enter)] {
      then([this, rows = state_.rows.size(), was = state_.refuting, active = state_.part.active] {
        state_.path.undo();
        state_.rows.resize(rows);
        state_.refuting = was;
        state_.part.active = active;
      });
      state_.path.mark();
      enter();
      node();
    });
  }

  void node() {
    // By tag; docs/certificate.md lists them.
    static constexpr void (*readers[])(Walk&) = {
        [](Walk& walk) { check_false(walk.state_); }, [](Walk& walk) { check_thin(walk.state_); },
        [](Walk& walk) { walk.read_split(); },        [](Walk& walk) { walk.read_branch(false); },
        [](Walk& walk) { walk.read_branch(true); },   [](Walk& walk) { walk.read_pin(); },
        [](Walk& walk) { walk.read_fork(); },         [](Walk& walk) { check_cell(walk.state_); },
        [](Walk& walk) { walk.read_product(); },      [](Walk& walk) { check_open(walk.state_); }};
    const unsigned char tag = state_.in.byte();
    if (tag >= std::size(readers)) throw Rejected("no kind of node");
    ++state_.counts.nodes;
    readers[tag](*this);
  }

  void read_split() {
    const LinearForm form = state_.in.form(state_.problem.integrated.size());
    if (!state_.in_part(form)) throw Rejected("a split has a real that is not integrated here");
    const auto child = [this](const LinearForm& row, bool implied) {
      then_child([=, this] {
        state_.path.learn(row, Truth::yes);
        state_.rows.push_back({row, implied});
      });
    };
    child(-form, state_.in.next_is('\1'));  // thin
    child(form, false);
  }

  void read_branch(bool first) {
    const auto boolean =
        static_cast<std::uint32_t>(state_.in.count(state_.problem.terms.boolean_count()));
    if (!contains(state_.undecided(), boolean))
      throw Rejected("a Boolean is not of this part, or branched on twice");
    for (const bool value : {!first, first})
      then_child([=, this] { state_.path.set_boolean(boolean, value); });
  }

  void read_pin() {
    const Polynomial read = state_.in.form(state_.problem.integrated.size()).polynomial();
    const LinearForm form(state_.path.value(read));
    if (in_integrated(state_.problem, form)) throw Rejected("an equation pins no derived real");
    then_child([=, this] { state_.path.pin(form); });
    then_child([=, this] {
      state_.path.learn(form, Truth::no);
      state_.refuting = true;
    });
  }

  void read_fork() {
    Set left = state_.part.active;
    std::vector<Set> groups(state_.in.count(size(left)));
    for (Set& group : groups)
      if ((group = state_.in.share(left)) == 0) throw Rejected("a fork has an empty group");
    if (groups.empty() || left != 0) throw Rejected("a fork does not share out its integrals");
    for (std::size_t i = groups.size(); i-- > 0;)
      then_child([this, group = groups[i]] {
        state_.part.active = group;
        state_.focus();
      });
  }

  void read_product() {
    const auto product = std::make_shared<Product>(check::read_product(state_));
    const auto before = std::make_shared<Part>(std::move(state_.part));
    then([=, this] {
      state_.part = std::move(*before);
      product->multiply(state_.part.goals);
    });
    for (std::size_t i = product->parts.size(); i-- > 0;) {
      Part& part = product->parts[i];
      then([this, product, &part] { part.goals = std::move(state_.part.goals); });
      then_child([this, product, &part] {
        state_.part = std::move(part);
        state_.focus();
      });
    }
  }

  CheckState& state_;
  std::vector<std::function<void()>> steps_;  // the last runs next
};

}  // namespace

std::vector<Goal> check_tree(Bytes& in, const Problem& problem, std::vector<Goal> goals,
                             Counts& counts) {
  CheckState state{problem, in, counts, Path(problem), {}};
  for (std::size_t i = 0; i < problem.integrated.size(); ++i)
    if (problem.integrated[i]) mpz_setbit(state.part.reals.get_mpz_t(), i);
  state.part.booleans = (Integer(1) << problem.terms.boolean_count()) - 1;
  state.part.formulas = problem.assertions;
  for (const Weight& weight : problem.weights) state.part.weights.push_back(&weight);
  state.part.active = (Integer(1) << goals.size()) - 1;
  state.part.goals = std::move(goals);
  Walk(state).run();
  return std::move(state.part.goals);
}

}  // namespace wmi::check
