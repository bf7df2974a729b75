// Parts of a search, added up. The searches decide the same at the same place of their tree whatever
// they did before, and all sums are exact; so the sum over any complete set of places is what one
// search finds, and the answers are the same to the last byte.
//
// A task is divided breadth first: the part that waits longest is searched until it has two branches,
// and one of them becomes a part of its own. Cells that are found on the way are integrated at once.

#include "solver/units/task_in_units.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "solver/answers/flatness.h"
#include "solver/answers/part_integrator.h"
#include "solver/answers/satisfiability.h"
#include "solver/answers/unbounded_reason.h"
#include "solver/enumerators/replay.h"
#include "solver/messages/answered_goals.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

using State = SearchTree::State;

std::vector<std::size_t> indices_of(const std::vector<Goal>& some, const std::vector<Goal>& all) {
  std::vector<std::size_t> result;
  std::size_t i = 0;
  for (const Goal& goal : some) {
    while (i < all.size() && all[i] != goal) ++i;
    result.push_back(i++);
  }
  return result;
}

/// The branches to the first open place of the tree; those beyond the last place of all if there is
/// none.
std::vector<std::uint32_t> position_in(const SearchTree& tree) {
  const std::vector<OpenPlace> open = open_places(tree);
  if (!open.empty()) {
    std::vector<std::uint32_t> result;
    for (const PathStep& step : open[0].path) result.push_back(step.branch);
    return result;
  }
  // Finished: behind the last place that is its own.
  std::vector<std::uint32_t> result;
  const SearchTree* here = &tree;
  while (here->state == State::inner) {
    std::size_t own = here->branches.size();
    while (own > 0 && here->branches[own - 1].state == State::elsewhere) --own;
    if (own == 0) break;
    result.push_back(static_cast<std::uint32_t>(own - 1));
    here = &here->branches[own - 1];
  }
  if (result.empty()) return {std::numeric_limits<std::uint32_t>::max()};
  ++result.back();
  return result;
}

/// The same tree with everything of its own finished.
void finish(SearchTree& tree) {
  if (tree.state == State::open) tree.state = State::finished;
  for (SearchTree& branch : tree.branches) finish(branch);
}

}  // namespace

/// Integrates cells and adds them up.
class TaskInUnits::Collector {
 public:
  explicit Collector(const TaskInUnits& whole)
      : whole_(whole),
        counter_(whole.integrator_),
        evaluation_(counter_, enumerate_parts(whole.enumerator_, {})),
        answers_(whole.sliced_, whole.plan_) {}

  AnswerAccumulator& answers() { return answers_; }

  void add(const Cell& cell, const Cells& from) {
    if (std::holds_alternative<OpenCell>(cell.kind)) return;  // it misses nothing
    try {
      answers_.add(cell, evaluation_(cell));
    } catch (const Unbounded& unbounded) {
      std::vector<std::size_t> sums;
      for (const std::vector<std::size_t>& some : cell.sums)
        sums.insert(sums.end(), some.begin(), some.end());
      refuse(from, std::move(sums),
             unbounded_reason(unbounded, cell, whole_.sliced_.problem.terms));
    }
  }

  void add_found(Cells& cells) {
    while (const std::optional<Cell> cell = cells.found()) add(*cell, cells);
  }

  void refuse(const Cells& from, std::vector<std::size_t> sums, std::string reason) {
    refusals_.push_back({position_in(*from.tree()), std::move(sums), std::move(reason)});
  }
  void refuse_all(std::string reason) { refusals_.push_back({{}, {}, std::move(reason)}); }

  UnitResult result(SearchTree tree) const {
    return {answers_.sums(), refusals_, counter_.vertices(), counter_.used_doubles(),
            std::move(tree)};
  }

 private:
  const TaskInUnits& whole_;
  const VertexCounter counter_;
  const Evaluation evaluation_;
  AnswerAccumulator answers_;
  std::vector<UnitRefusal> refusals_;
};

TaskInUnits::TaskInUnits(const Task& task, const Enumerator& enumerator,
                         const Integrator& integrator,
                         std::optional<std::vector<std::size_t>> searched)
    : task_(task),
      enumerator_(enumerator),
      integrator_(integrator),
      sliced_(apply_observations(task)),
      plan_(make_plan(sliced_)),
      searched_(std::move(searched)) {
  if (task.problem.terms.smooth())
    throw Error(
        "functions such as exp and normal are not divided into work units; solve the problem "
        "in one process");
  if (!searched_) return;
  for (const std::size_t goal : *searched_) {
    if (goal >= plan_.goals.size()) throw LostPlace();
    goals_.push_back(plan_.goals[goal]);
  }
}

UnitResult TaskInUnits::divide(std::size_t parts, const std::stop_token& stop,
                               std::optional<unsigned> significant_digits) {
  const Problem& problem = sliced_.problem;
  Collector collector(*this);
  AnsweredGoals separated =
      answer_by_messages(problem, plan_.goals, enumerator_, stop, significant_digits);
  searched_ = indices_of(separated.others, plan_.goals);
  goals_ = separated.others;
  separated.add_to(collector.answers());
  if (goals_.empty()) return collector.result(SearchTree::leaf(State::finished));

  SearchTree tree = SearchTree::leaf(State::elsewhere);
  std::deque<std::unique_ptr<Cells>> divisible;
  std::vector<std::unique_ptr<Cells>> whole;  // those that cannot be divided
  try {
    divisible.push_back(enumerator_.start(problem, goals_, stop));
    if (!divisible.front()->tree()) throw Error("this search cannot be divided");
    while (!divisible.empty() && divisible.size() + whole.size() < parts) {
      if (stop.stop_requested()) throw Stopped();
      std::unique_ptr<Cells> first = std::move(divisible.front());
      divisible.pop_front();
      std::unique_ptr<Cells> second = first->divide();
      collector.add_found(*first);
      if (second) {
        divisible.push_back(std::move(first));
        divisible.push_back(std::move(second));
      } else if (open_places(*first->tree()).empty()) {
        merge(tree, *first->tree());
      } else {
        whole.push_back(std::move(first));
      }
    }
  } catch (const LostPlace&) {
    throw;
  } catch (const Error& error) {  // of the problem
    collector.refuse_all(error.what());
    return collector.result(SearchTree::leaf(State::finished));
  }
  for (std::unique_ptr<Cells>& part : whole) divisible.push_back(std::move(part));
  for (const std::unique_ptr<Cells>& part : divisible) merge(tree, *part->tree());
  return collector.result(std::move(tree));
}

UnitResult TaskInUnits::solve(const std::vector<SearchPath>& places,
                              const std::function<bool()>& pause) const {
  Collector collector(*this);
  SearchTree tree = SearchTree::leaf(State::elsewhere);
  bool paused = false;
  for (const SearchPath& place : places) {
    if (paused) {
      merge(tree, along(place, SearchTree()));
      continue;
    }
    std::unique_ptr<Cells> cells;
    try {
      cells = enumerator_.start_at(place, sliced_.problem, goals_, {});
      while (const std::optional<Cell> cell = cells->next()) {
        collector.add(*cell, *cells);
        if ((paused = pause())) break;
      }
      collector.add_found(*cells);
      merge(tree, *cells->tree());
    } catch (const LostPlace&) {
      throw;
    } catch (const Error& error) {  // of the problem: nothing below this place matters any more
      if (cells)
        collector.refuse(*cells, {}, error.what());
      else
        collector.refuse_all(error.what());
      SearchTree rest = along(place, SearchTree());
      finish(rest);
      merge(tree, std::move(rest));
    }
  }
  return collector.result(std::move(tree));
}

Solution TaskInUnits::join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                           unsigned digits, const std::stop_token& stop) const {
  AnswerAccumulator answers(sliced_, plan_);
  std::vector<UnitRefusal> refusals;
  for (const UnitResult& result : results) {
    answers.add(result.sums);
    refusals.insert(refusals.end(), result.refusals.begin(), result.refusals.end());
  }
  // In the order in which one search would have met them.
  std::ranges::stable_sort(refusals, {}, &UnitRefusal::position);
  for (const UnitRefusal& refusal : refusals) {
    if (answers.all_refused()) break;
    if (refusal.sums.empty())
      answers.refuse({refusal.reason});
    else
      answers.refuse(refusal.sums, {refusal.reason});
  }
  Solution solution;
  const std::vector<Answer> texts = satisfiability_answers(sliced_, stop);
  if (open.empty()) {
    solution.answers = answers.finish(digits);
    if (!plan_.goals.empty() && answers.cells() == 0 && !answers.all_refused())
      if (auto warning = explain_flatness(sliced_.problem, enumerator_, stop))
        solution.warnings.push_back(std::move(*warning));
  } else {
    const Evaluation evaluation(integrator_);
    bool all = true;
    for (const SearchPath& place : open) {
      const std::unique_ptr<Cells> cells =
          enumerator_.start_at(place, sliced_.problem, goals_, stop);
      const std::optional<std::vector<Cell>> rest = cells->rest();
      all = all && rest;
      if (!rest) continue;
      for (const Cell& cell : *rest)
        answers.add_open(std::get<OpenCell>(cell.kind), evaluation.most_weight(cell));
    }
    if (all) answers.close();
    solution.answers = answers.bounds();
  }
  for (Answer& answer : solution.answers) answer.assumptions = task_.assumptions;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].text.empty()) solution.answers[i] = texts[i];
  return solution;
}

}  // namespace wmi
