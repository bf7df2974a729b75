#include "solver/answers/answer_accumulator.h"

#include <algorithm>
#include <span>
#include <utility>

#include "solver/answers/partial_bounds.h"
#include "solver/answers/query_answer.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The sums that an answer is made of.
std::vector<std::size_t> sums_of(const Plan::Parts& parts) {
  std::vector<std::size_t> result;
  for (const auto& sum :
       {parts.total, parts.first, parts.second, parts.mass, parts.left, parts.right})
    if (sum) result.push_back(*sum);
  return result;
}

/// Has no sum of the answer a missing region?
bool complete(const Plan::Parts& parts, const std::vector<MissingMass>& missing) {
  return std::ranges::none_of(sums_of(parts), [&](std::size_t sum) { return missing[sum].any; });
}

}  // namespace

AnswerAccumulator::AnswerAccumulator(const Task& task, const Plan& plan, unsigned threads)
    : task_(task), plan_(plan), threads_(threads), whole_(plan.sums) {
  clear();
}

void AnswerAccumulator::clear() {
  for (ThreadSums& own : threads_) {
    const std::scoped_lock lock(own.mutex);
    own.sums.assign(plan_.sums, Accumulator());
    own.counts.assign(plan_.sums, 0);
    own.laws.assign(plan_.laws, TruncatedPowers());
    own.missing.assign(plan_.sums, MissingMass());
  }
  closed_ = false;
  {
    const std::scoped_lock lock(mutex_);
    refusals_.assign(plan_.sums, Refusal());
    cells_ = 0;
  }
  for (const Kept& kept : kept_) add(kept.cell, kept.found);
}

void AnswerAccumulator::keep(Cell cell, Evaluation::Result result) {
  add(cell, result);
  const std::scoped_lock lock(mutex_);
  for (const std::vector<std::size_t>& sums : cell.sums)
    for (const std::size_t sum : sums) whole_[sum] = true;
  kept_.push_back({std::move(cell), std::move(result)});
}

void AnswerAccumulator::add(const Cell& cell, Evaluation::Result result, unsigned thread) {
  ThreadSums& own = threads_[thread];
  const std::scoped_lock lock(own.mutex);
  for (std::size_t i = 0; i < result.integrals.size(); ++i)
    for (const std::size_t sum : cell.sums[i]) {
      const bool last = sum == cell.sums[i].back();
      own.sums[sum].add(last ? std::move(result.integrals[i]) : result.integrals[i]);
      own.counts[sum] += result.cells;
    }
  for (std::size_t i = 0; i < result.laws.size(); ++i)
    own.laws[std::get<PlainCell>(cell.kind).images[i].law].add(std::move(result.laws[i]));
  cells_ += result.cells;
}

CellSums AnswerAccumulator::sums() const {
  const Totals found = totals();
  CellSums result{cells_, found.values, found.counts, std::vector<TruncatedPowers>(plan_.laws)};
  for (const ThreadSums& own : threads_) {
    const std::scoped_lock lock(own.mutex);
    for (std::size_t i = 0; i < plan_.laws; ++i) result.laws[i].add(own.laws[i]);
  }
  for (TruncatedPowers& law : result.laws) law.settle();
  return result;
}

void AnswerAccumulator::add(const CellSums& sums) {
  ThreadSums& own = threads_[0];
  const std::scoped_lock lock(own.mutex);
  for (std::size_t i = 0; i < plan_.sums; ++i) {
    own.sums[i].add(sums.sums[i]);
    own.counts[i] += sums.counts[i];
  }
  for (std::size_t i = 0; i < plan_.laws; ++i) own.laws[i].add(sums.laws[i]);
  cells_ += sums.cells;
}

void AnswerAccumulator::add_open(const OpenCell& cell, const std::optional<Rational>& weight,
                                 unsigned thread) {
  ThreadSums& own = threads_[thread];
  const std::scoped_lock lock(own.mutex);
  for (const Missing& missing : cell.missing) own.missing[missing.sum].add(weight, missing.range);
}

void AnswerAccumulator::refuse(const Cell& cell, const Refusal& reason) {
  for (const std::vector<std::size_t>& sums : cell.sums) refuse(sums, reason);
}

void AnswerAccumulator::refuse(const std::vector<std::size_t>& sums, const Refusal& reason) {
  const std::scoped_lock lock(mutex_);
  for (const std::size_t sum : sums)
    if (refusals_[sum].empty()) refusals_[sum] = reason;
}

void AnswerAccumulator::refuse(const Refusal& reason) {
  const std::scoped_lock lock(mutex_);
  for (Refusal& refusal : refusals_)
    if (refusal.empty()) refusal = reason;
}

Cell AnswerAccumulator::needed(const Cell& cell) const {
  Cell result = cell;
  result.integrands.clear();
  result.sums.clear();
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < cell.integrands.size(); ++i)
    if (std::ranges::any_of(cell.sums[i],
                            [&](std::size_t sum) { return refusals_[sum].empty(); })) {
      result.integrands.push_back(cell.integrands[i]);
      result.sums.push_back(cell.sums[i]);
    }
  return result;
}

bool AnswerAccumulator::all_refused() const {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < task_.queries.size(); ++i)
    if (asks_number(task_.queries[i]) && task_.queries[i].refused.empty() &&
        refusal(plan_.parts[i], refusals_).empty())
      return false;
  return true;
}

std::size_t AnswerAccumulator::cells() const { return cells_; }

Totals AnswerAccumulator::totals() const {
  Totals result{
      std::vector<Interval>(plan_.sums), std::vector<std::size_t>(plan_.sums), {}, {}, {}};
  for (const ThreadSums& own : threads_) {
    const std::scoped_lock lock(own.mutex);
    for (std::size_t i = 0; i < plan_.sums; ++i) {
      result.values[i] = result.values[i] + own.sums[i].total();
      result.counts[i] += own.counts[i];
    }
  }
  const std::scoped_lock lock(mutex_);
  result.refusals = refusals_;
  return result;
}

/// Each law that is too long is refused on its own.
void AnswerAccumulator::find_laws(Totals& totals) const {
  std::vector<TruncatedPowers> powers(plan_.laws);
  for (const ThreadSums& own : threads_) {
    const std::scoped_lock lock(own.mutex);
    for (std::size_t i = 0; i < plan_.laws; ++i) powers[i].add(own.laws[i]);
  }
  for (TruncatedPowers& measure : powers) {
    totals.law_refusals.emplace_back();
    totals.laws.emplace_back();
    try {
      totals.laws.back() = Law(std::move(measure));
    } catch (const Error& error) {
      totals.law_refusals.back() = error.what();
    }
  }
}

std::vector<Answer> AnswerAccumulator::finish(unsigned digits) const {
  Totals found = totals();
  find_laws(found);
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    result.push_back(query_answer(task_, task_.queries[i], plan_.parts[i], found, digits));
    // A quotient of enclosures may reach beyond 0 or 1, which a probability does not.
    std::optional<Interval>& value = result.back().value;
    if (task_.queries[i].kind == Query::Kind::probability && value &&
        (value->lower < 0 || value->upper > 1) && !value->exact() && non_negative())
      value = Interval(std::max(value->lower, Rational(0)), std::min(value->upper, Rational(1)));
  }
  return result;
}

std::vector<MissingMass> AnswerAccumulator::missing() const {
  std::vector<MissingMass> result(plan_.sums);
  for (const ThreadSums& own : threads_) {
    const std::scoped_lock lock(own.mutex);
    for (std::size_t i = 0; i < plan_.sums; ++i) result[i].add(own.missing[i]);
  }
  return result;
}

std::shared_ptr<const ProblemBounds> AnswerAccumulator::whole_problem() const {
  {
    const std::scoped_lock lock(mutex_);
    if (whole_problem_) return whole_problem_;
  }
  auto found = std::make_shared<const ProblemBounds>(task_.problem);
  const std::scoped_lock lock(mutex_);
  if (!whole_problem_) whole_problem_ = std::move(found);
  return whole_problem_;
}

bool AnswerAccumulator::non_negative() const { return whole_problem()->non_negative(); }

void AnswerAccumulator::keep_bounds(std::vector<Answer> bounds) {
  const std::scoped_lock lock(mutex_);
  if (known_.empty()) known_.resize(bounds.size());
  for (std::size_t i = 0; i < bounds.size(); ++i) narrow(known_[i], bounds[i]);
}

std::vector<Answer> AnswerAccumulator::bounds() const {
  const bool closed = closed_;
  Totals found = totals();
  if (closed) find_laws(found);
  const std::shared_ptr<const ProblemBounds> whole = whole_problem();
  const ProblemBounds& bounds = *whole;
  // The cells that are not added yet have at most the weight of the whole problem, less the sums.
  std::vector<MissingMass> missing =
      closed ? this->missing() : std::vector<MissingMass>(plan_.sums);
  for (const Goal& goal : plan_.goals) {
    for (const Summand& summand : goal.summands) {
      MissingMass& of_sum = missing[summand.sum];
      const std::optional<Interval> range = summand.range(bounds.range(summand.term));
      std::optional<Rational> most = bounds.most();
      if (most && summand.is_one())
        *most = std::max(Rational(0), Rational(*most - found.values[summand.sum].lower));
      if (!closed) {
        of_sum = MissingMass{};
        of_sum.add(most, range);
      } else if (of_sum.any) {
        if (most && (!of_sum.weight || *most < *of_sum.weight)) of_sum.weight = most;
        if (!of_sum.range) of_sum.range = range;
        if (!of_sum.value && of_sum.weight && of_sum.range)
          of_sum.value = *of_sum.range * Interval(0, *of_sum.weight);
      }
    }
    if (goal.slice && !closed)
      for (const std::size_t sum : {goal.slice->mass, goal.slice->left, goal.slice->right})
        missing[sum].add(std::nullopt, std::nullopt);
  }
  {
    const std::scoped_lock lock(mutex_);
    for (std::size_t sum = 0; sum < plan_.sums; ++sum)
      if (whole_[sum]) missing[sum] = MissingMass{};
  }
  const PartialBounds partial(bounds, plan_, found, std::move(missing));
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    const Plan::Parts& parts = plan_.parts[i];
    if (is_whole(task_.queries[i], parts)) {
      result.push_back(query_answer(task_, task_.queries[i], parts, found, 0));
      continue;
    }
    Answer known = bounds.non_negative() ? partial.answer(task_.queries[i], parts) : Answer{};
    known.complete = false;
    known.cells = cells_of(parts, found.counts);
    wmi::refuse(known, task_.queries[i].refused.empty() ? refusal(parts, found.refusals)
                                                        : Refusal{task_.queries[i].refused});
    result.push_back(std::move(known));
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < known_.size(); ++i) narrow(result[i], known_[i]);
  return result;
}

/// Is the answer a number that needs no search?
bool AnswerAccumulator::is_whole(const Query& query, const Plan::Parts& parts) const {
  const std::vector<std::size_t> sums = sums_of(parts);
  const std::scoped_lock lock(mutex_);
  return !sums.empty() && !parts.law && asks_number(query) &&
         std::ranges::all_of(sums, [&](std::size_t sum) { return whole_[sum]; });
}

std::optional<std::vector<Answer>> AnswerAccumulator::within(const Rational& gap,
                                                             unsigned digits) const {
  const std::vector<MissingMass> missing = this->missing();
  if (std::none_of(missing.begin(), missing.end(),
                   [](const MissingMass& of_sum) { return of_sum.any; }))
    return finish(digits);
  Totals found = totals();
  find_laws(found);
  std::vector<Answer> result = bounds();
  for (std::size_t i = 0; i < result.size(); ++i) {
    Answer& reached = result[i];
    const Query& query = task_.queries[i];
    if (!asks_number(query)) continue;
    if (complete(plan_.parts[i], missing) || !reached.refused.empty()) {
      reached = query_answer(task_, query, plan_.parts[i], found, digits);
      continue;
    }
    // A ratio must be known to exist, and so must a density: no point mass is found or missing.
    const Plan::Parts& parts = plan_.parts[i];
    if (!reached.lower || !reached.upper || *reached.upper - *reached.lower > gap ||
        (parts.total && found.values[*parts.total].lower <= 0) ||
        query.kind == Query::Kind::distribution || query.kind == Query::Kind::quantile)
      return std::nullopt;
    if (query.kind == Query::Kind::density &&
        (!reached.left || reached.left->upper - reached.left->lower > gap ||
         missing[*parts.mass].any || found.values[*parts.mass] != Interval()))
      return std::nullopt;
    reached.value = Interval(*reached.lower, *reached.upper);
    reached.complete = true;
    reached.within_gap = true;
  }
  return result;
}

Rational AnswerAccumulator::most_missing() const {
  Rational result = 0;
  for (const MissingMass& of_sum : missing())
    if (of_sum.weight) result = std::max(result, *of_sum.weight);
  return result;
}

}  // namespace wmi
