#include "solver/answers/answer_accumulator.h"

#include <algorithm>
#include <cassert>

#include "solver/answers/problem_bounds.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The first refusal among the sums that an answer needs.
std::string refusal(const Plan::Parts& parts, const std::vector<std::string>& refusals) {
  for (const auto& sum :
       {parts.total, parts.first, parts.second, parts.mass, parts.left, parts.right})
    if (sum && !refusals[*sum].empty()) return refusals[*sum];
  return "";
}

/// How many cells were integrated for an answer.
std::size_t cells_of(const Plan::Parts& parts, const std::vector<std::size_t>& counts) {
  if (parts.first) return counts[*parts.first];
  return parts.right ? std::max(counts[*parts.left], counts[*parts.right]) : 0;
}

bool asks_number(const Query& query) { return query.kind != Query::Kind::satisfiable; }

const char* const no_probability = "the condition has probability 0";

bool mentions_equality(const Terms& terms, Formula formula) {
  for (const std::uint32_t node : terms.below(std::span(&formula, 1), {}))
    if (terms.node(node).kind == Kind::atom &&
        terms.atom(terms.node(node).index).comparison == Comparison::equal)
      return true;
  return false;
}

/// A density where the term has a point mass does not exist: the answer says so instead.
std::string point_mass(const Query& query, const Interval& mass) {
  return "the term has a point mass of " +
         (mass.exact() ? to_string(mass.lower) : "about " + decimal(mass.midpoint(), 6)) + " at " +
         to_string(query.at) +
         ", so it has no density there; (get-probability (= TERM c)) is the mass at c";
}

Answer answer(const Task& task, const Query& query, const Plan::Parts& parts, const Totals& totals,
              unsigned digits) {
  Answer result;
  if (!asks_number(query)) return result;
  result.cells = cells_of(parts, totals.counts);
  result.refused = refusal(parts, totals.refusals);
  if (!result.refused.empty()) return result;
  if (query.kind == Query::Kind::wmi) {
    result.value = totals.values[*parts.first];
    return result;
  }
  Interval total = totals.values[*parts.total];
  const Law* const law = parts.law ? &totals.laws[*parts.law] : nullptr;
  if (law != nullptr) {
    result.refused = totals.law_refusals[*parts.law];
    if (!result.refused.empty()) return result;
    assert(total.contains(law->mass()));  // two ways to the same number
    total = law->mass();
  }
  if (total == Interval(Rational(0))) {
    result.undefined = no_probability;
    if (mentions_equality(task.problem.terms, query.given))
      result.undefined += "; to condition on the value of a real use (observe x c)";
    return result;
  }
  if (total.contains(0)) {
    result.too_wide = true;
    result.refused = "the normalising integral is only known to be between " +
                     decimal(total.lower, 6, Rounding::down) + " and " +
                     decimal(total.upper, 6, Rounding::up) +
                     "; raise --precision or use an exact integrator";
    return result;
  }
  const auto normalised = [&](std::size_t sum) { return totals.values[sum] / total; };
  switch (query.kind) {
    case Query::Kind::variance:
      result.value = normalised(*parts.second) - power(normalised(*parts.first), 2);
      break;
    case Query::Kind::density:
      if (totals.values[*parts.mass] != Interval(Rational(0))) {
        result.refused = point_mass(query, normalised(*parts.mass));
        break;
      }
      result.value = normalised(*parts.right);
      result.left = normalised(*parts.left);
      break;
    case Query::Kind::distribution:
      result.law = law->normalised();
      result.value = law->mean();
      break;
    case Query::Kind::cdf:
      result.value = Interval(law->cdf(query.at)) / total;
      break;
    case Query::Kind::quantile:
      try {
        result.value = law->quantile(query.at, digits);
      } catch (const Error& error) {
        result.refused = error.what();
      }
      break;
    default:
      result.value = normalised(*parts.first);
  }
  return result;
}

/// ProblemBounds while something is missing, the weights nowhere negative.
class Partial {
 public:
  Partial(const ProblemBounds& bounds, const Plan& plan, const Totals& totals,
          std::vector<MissingMass> lacks)
      : bounds_(bounds), plan_(plan), totals_(totals), lacks_(std::move(lacks)) {}

  Answer wmi(std::size_t sum) const {
    Answer result;
    result.lower = totals_.values[sum].lower;
    if (lacks_[sum].weight) result.upper = totals_.values[sum].upper + *lacks_[sum].weight;
    return result;
  }

  /// Of what `part` is the known share, and that much may be missing of it.
  Answer ratio(const Interval& part, const std::optional<Rational>& missing, std::size_t total,
               const std::optional<Rational>& most) const {
    Answer result;
    result.lower = 0;
    result.upper = most;
    const Interval& z = totals_.values[total];
    if (lacks_[total].weight && z.upper + *lacks_[total].weight > 0)
      result.lower =
          std::max(Rational(0), Rational(part.lower / (z.upper + *lacks_[total].weight)));
    if (!missing || z.lower <= 0) return result;
    const Rational upper = (part.upper + *missing) / z.lower;
    if (!result.upper || upper < *result.upper) result.upper = upper;
    return result;
  }
  Answer ratio(std::size_t sum, std::size_t total, const std::optional<Rational>& most) const {
    return ratio(totals_.values[sum], lacks_[sum].weight, total, most);
  }

  /// Of a mean or a quantile.
  Answer range(const Polynomial& term) const {
    Answer result;
    if (const std::optional<Interval> range = bounds_.range(term)) {
      result.lower = range->lower;
      result.upper = range->upper;
    }
    return result;
  }

  /// Sums of different goals are not at the same cell: a numerator may lag behind its total. Where
  /// they are, it is (s + t r) / (z + r), with t in the range of the term where it is missing and
  /// the missing weight r between 0 and what it can be at most: monotone in r, so its ends tell.
  Answer mean(std::size_t sum, std::size_t total, const Polynomial& term) const {
    Answer result = range(term);
    const Interval &s = totals_.values[sum], &z = totals_.values[total];
    const std::optional<Rational>& missing = lacks_[total].weight;
    if (z.lower <= 0 || !missing) return result;
    if (lacks_[sum].value) narrow(result, (s + *lacks_[sum].value) / (z + Interval(0, *missing)));
    if (!together(sum, total)) return result;
    if (!lacks_[sum].any) {
      narrow(result, s / z);
    } else if (lacks_[sum].range) {
      const Interval end = (s + *lacks_[sum].range * Interval(*missing)) / (z + *missing);
      narrow(result, hull(s / z, end));
    }
    return result;
  }

  const std::optional<Rational>& missing(std::size_t sum) const { return lacks_[sum].weight; }

 private:
  static void narrow(Answer& answer, const Interval& known) {
    if (!answer.lower || known.lower > *answer.lower) answer.lower = known.lower;
    if (!answer.upper || known.upper < *answer.upper) answer.upper = known.upper;
  }

  bool together(std::size_t a, std::size_t b) const {
    return std::any_of(plan_.goals.begin(), plan_.goals.end(), [&](const Goal& goal) {
      const auto has = [&](std::size_t sum) {
        return std::any_of(goal.summands.begin(), goal.summands.end(),
                           [&](const Summand& summand) { return summand.sum == sum; });
      };
      return has(a) && has(b);
    });
  }

  const ProblemBounds& bounds_;
  const Plan& plan_;
  const Totals& totals_;
  const std::vector<MissingMass> lacks_;
};

Answer partial_answer(const Partial& partial, const Query& query, const Plan::Parts& parts,
                      const Totals& totals) {
  const bool law_known =
      parts.law && !totals.laws.empty() && totals.law_refusals[*parts.law].empty();
  switch (query.kind) {
    case Query::Kind::satisfiable:
      break;
    case Query::Kind::wmi:
      return partial.wmi(*parts.first);
    case Query::Kind::probability:
      return partial.ratio(*parts.first, *parts.total, Rational(1));
    case Query::Kind::expectation:
    case Query::Kind::moment:
      return partial.mean(*parts.first, *parts.total, power(query.term, query.order));
    case Query::Kind::variance: {
      const Answer mean = partial.mean(*parts.first, *parts.total, query.term);
      const Answer square = partial.mean(*parts.second, *parts.total, power(query.term, 2));
      Answer result;
      result.lower = 0;
      if (mean.lower && square.lower) {
        const Interval range =
            Interval(*square.lower, *square.upper) - power(Interval(*mean.lower, *mean.upper), 2);
        result.lower = std::max(Rational(0), range.lower);
        result.upper = std::max(Rational(0), range.upper);
      }
      return result;
    }
    case Query::Kind::density: {
      Answer result = partial.ratio(*parts.right, *parts.total, std::nullopt);
      const Answer left = partial.ratio(*parts.left, *parts.total, std::nullopt);
      if (left.upper) result.left = Interval(*left.lower, *left.upper);
      return result;
    }
    case Query::Kind::cdf:
      if (!law_known) return partial.ratio(Interval(), std::nullopt, *parts.total, Rational(1));
      return partial.ratio(totals.laws[*parts.law].cdf(query.at), partial.missing(*parts.total),
                           *parts.total, Rational(1));
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return partial.range(query.term);
  }
  return {};
}

/// What both say.
void narrow(Answer& answer, const Answer& known) {
  if (known.lower && (!answer.lower || *known.lower > *answer.lower)) answer.lower = known.lower;
  if (known.upper && (!answer.upper || *known.upper < *answer.upper)) answer.upper = known.upper;
}

}  // namespace

AnswerAccumulator::AnswerAccumulator(const Task& task, const Plan& plan, unsigned threads)
    : task_(task), plan_(plan), shares_(threads) {
  clear();
}

void AnswerAccumulator::clear() {
  for (Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    share.sums.assign(plan_.sums, Accumulator());
    share.counts.assign(plan_.sums, 0);
    share.laws.assign(plan_.laws, TruncatedPowers());
    share.lacks.assign(plan_.sums, MissingMass());
  }
  closed_ = false;
  const std::scoped_lock lock(mutex_);
  refusals_.assign(plan_.sums, "");
  cells_ = 0;
}

void AnswerAccumulator::add(const Cell& cell, Evaluation::Result result, unsigned thread) {
  Share& share = shares_[thread];
  const std::scoped_lock lock(share.mutex);
  for (std::size_t i = 0; i < result.integrals.size(); ++i)
    for (const std::size_t sum : cell.sums[i]) {
      const bool last = sum == cell.sums[i].back();
      share.sums[sum].add(last ? std::move(result.integrals[i]) : result.integrals[i]);
      share.counts[sum] += result.cells;
    }
  for (std::size_t i = 0; i < result.laws.size(); ++i)
    share.laws[std::get<PlainCell>(cell.kind).images[i].law].add(std::move(result.laws[i]));
  cells_ += result.cells;
}

void MissingMass::add(const std::optional<Rational>& most, const std::optional<Interval>& of_term) {
  const auto joined = [&] {
    return range && of_term ? std::optional(hull(*range, *of_term)) : std::nullopt;
  };
  range = any ? joined() : of_term;
  any = true;
  if (!most) weight.reset();
  if (weight) *weight += *most;
  if (!most || !of_term) value.reset();
  if (value) *value += *of_term * Interval(0, *most);
}

void MissingMass::add(const MissingMass& other) {
  if (!other.any) return;
  const auto joined = [&] {
    return range && other.range ? std::optional(hull(*range, *other.range)) : std::nullopt;
  };
  range = any ? joined() : other.range;
  any = true;
  if (!other.weight) weight.reset();
  if (weight) *weight += *other.weight;
  if (!other.value) value.reset();
  if (value) *value += *other.value;
}

void AnswerAccumulator::add_open(const OpenCell& cell, const std::optional<Rational>& weight,
                                 unsigned thread) {
  Share& share = shares_[thread];
  const std::scoped_lock lock(share.mutex);
  for (const Missing& missing : cell.missing) share.lacks[missing.sum].add(weight, missing.range);
}

void AnswerAccumulator::refuse(const Cell& cell, const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  for (const std::vector<std::size_t>& sums : cell.sums)
    for (const std::size_t sum : sums)
      if (refusals_[sum].empty()) refusals_[sum] = reason;
}

void AnswerAccumulator::refuse(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  for (std::string& refusal : refusals_)
    if (refusal.empty()) refusal = reason;
}

bool AnswerAccumulator::all_refused() const {
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < task_.queries.size(); ++i)
    if (asks_number(task_.queries[i]) && refusal(plan_.parts[i], refusals_).empty()) return false;
  return true;
}

std::size_t AnswerAccumulator::cells() const { return cells_; }

Totals AnswerAccumulator::totals() const {
  Totals result{
      std::vector<Interval>(plan_.sums), std::vector<std::size_t>(plan_.sums), {}, {}, {}};
  for (const Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    for (std::size_t i = 0; i < plan_.sums; ++i) {
      result.values[i] = result.values[i] + share.sums[i].total();
      result.counts[i] += share.counts[i];
    }
  }
  const std::scoped_lock lock(mutex_);
  result.refusals = refusals_;
  return result;
}

/// A law that is too long is refused by itself.
void AnswerAccumulator::find_laws(Totals& totals) const {
  std::vector<TruncatedPowers> powers(plan_.laws);
  for (const Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    for (std::size_t i = 0; i < plan_.laws; ++i) powers[i].add(share.laws[i]);
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
  for (std::size_t i = 0; i < task_.queries.size(); ++i)
    result.push_back(answer(task_, task_.queries[i], plan_.parts[i], found, digits));
  return result;
}

std::vector<MissingMass> AnswerAccumulator::lacks() const {
  std::vector<MissingMass> result(plan_.sums);
  for (const Share& share : shares_) {
    const std::scoped_lock lock(share.mutex);
    for (std::size_t i = 0; i < plan_.sums; ++i) result[i].add(share.lacks[i]);
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
  // What is not added yet is no more than what the whole can be, less what is.
  std::vector<MissingMass> missing = closed ? lacks() : std::vector<MissingMass>(plan_.sums);
  for (const Goal& goal : plan_.goals) {
    for (const Summand& summand : goal.summands) {
      MissingMass& lack = missing[summand.sum];
      const std::optional<Interval> range = summand.range(bounds.range(summand.term));
      std::optional<Rational> most = bounds.most();
      if (most && summand.is_one())
        *most = std::max(Rational(0), Rational(*most - found.values[summand.sum].lower));
      if (!closed) {
        lack = MissingMass{Rational(0), Interval(), {}, false};
        lack.add(most, range);
      } else if (lack.any) {
        if (most && (!lack.weight || *most < *lack.weight)) lack.weight = most;
        if (!lack.range) lack.range = range;
        if (!lack.value && lack.weight && lack.range)
          lack.value = *lack.range * Interval(0, *lack.weight);
      }
    }
    if (goal.slice && !closed)
      for (const std::size_t sum : {goal.slice->mass, goal.slice->left, goal.slice->right})
        missing[sum].add(std::nullopt, std::nullopt);
  }
  const Partial partial(bounds, plan_, found, std::move(missing));
  std::vector<Answer> result;
  for (std::size_t i = 0; i < task_.queries.size(); ++i) {
    const Plan::Parts& parts = plan_.parts[i];
    Answer known =
        bounds.non_negative() ? partial_answer(partial, task_.queries[i], parts, found) : Answer{};
    known.complete = false;
    known.cells = cells_of(parts, found.counts);
    known.refused = refusal(parts, found.refusals);
    result.push_back(std::move(known));
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < known_.size(); ++i) narrow(result[i], known_[i]);
  return result;
}

/// Is nothing missing of what the answer is made of?
bool AnswerAccumulator::complete(const Plan::Parts& parts,
                                 const std::vector<MissingMass>& lacks) const {
  for (const auto& sum :
       {parts.total, parts.first, parts.second, parts.mass, parts.left, parts.right})
    if (sum && lacks[*sum].any) return false;
  return true;
}

std::optional<std::vector<Answer>> AnswerAccumulator::within(const Rational& gap,
                                                             unsigned digits) const {
  const std::vector<MissingMass> missing = lacks();
  if (std::none_of(missing.begin(), missing.end(),
                   [](const MissingMass& lack) { return lack.any; }))
    return finish(digits);
  Totals found = totals();
  find_laws(found);
  std::vector<Answer> result = bounds();
  for (std::size_t i = 0; i < result.size(); ++i) {
    Answer& reached = result[i];
    const Query& query = task_.queries[i];
    if (!asks_number(query)) continue;
    if (complete(plan_.parts[i], missing) || !reached.refused.empty()) {
      reached = answer(task_, query, plan_.parts[i], found, digits);
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
  for (const MissingMass& lack : lacks())
    if (lack.weight) result = std::max(result, *lack.weight);
  return result;
}

}  // namespace wmi
