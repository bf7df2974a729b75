#include "solver/answers/query_answer.h"

#include <algorithm>
#include <span>

#include "solver/terms/decimal.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

const char* const no_probability = "the condition has probability 0";

bool mentions_equality(const Terms& terms, Formula formula) {
  for (const std::uint32_t node : terms.below(std::span(&formula, 1), {}))
    if (terms.node(node).kind == Kind::atom &&
        terms.atom(terms.node(node).index).comparison == Comparison::equal)
      return true;
  return false;
}

/// The refusal of a density where the term has a point mass.
std::string point_mass(const Query& query, const Interval& mass) {
  return "the term has a point mass of " +
         (mass.exact() ? to_string(mass.lower) : "about " + decimal(mass.midpoint(), 6)) + " at " +
         to_string(query.at) +
         ", so it has no density there; (get-probability (= TERM c)) is the mass at c";
}

}  // namespace

Refusal refusal(const Plan::Parts& parts, const std::vector<Refusal>& refusals) {
  for (const auto& sum :
       {parts.total, parts.first, parts.second, parts.mass, parts.left, parts.right})
    if (sum && !refusals[*sum].empty()) return refusals[*sum];
  return {};
}

void refuse(Answer& answer, const Refusal& refusal) {
  answer.refused = refusal.why;
  answer.gave_up = refusal.gave_up;
}

std::size_t cells_of(const Plan::Parts& parts, const std::vector<std::size_t>& counts) {
  if (parts.first) return counts[*parts.first];
  return parts.right ? std::max(counts[*parts.left], counts[*parts.right]) : 0;
}

bool asks_number(const Query& query) { return query.kind != Query::Kind::satisfiable; }

Answer query_answer(const Task& task, const Query& query, const Plan::Parts& parts,
                    const Totals& totals, unsigned digits) {
  Answer result;
  if (!asks_number(query)) return result;
  if (!query.refused.empty()) {
    result.refused = query.refused;
    return result;
  }
  result.cells = cells_of(parts, totals.counts);
  refuse(result, refusal(parts, totals.refusals));
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
    if (!total.contains(law->mass()))  // computed twice; from files, too, which may be wrong
      throw Error("the sums and the laws of the answers contradict each other");
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
                     "; raise the precision or use an exact integrator";
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
      result.value =
          law != nullptr ? Interval(law->cdf(query.at)) / total : normalised(*parts.first);
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

}  // namespace wmi
