#include "frontends/check/checker.h"

#include "solver/terms/substitution.h"

namespace wmi::check {
namespace {

enum ClaimTag : unsigned char { undefined, exact, enclosed, point_mass, nothing };

/// The integrals that the answer to a query is made of; none if certificates do not cover it.
std::vector<Goal> goals_of(const Query& query, Terms& terms) {
  using enum Query::Kind;
  const auto& [kind, event, given, term, order, at, text, where, bounded, refused] = query;
  switch (kind) {
    case wmi:
      return {{{event}}};
    case probability:
      return {{{given}}, {{given, event}}};
    case cdf:
      return {{{given}}, {{given, terms.less_equal(term, Polynomial(at))}}};
    case expectation:
    case moment:
      return {{{given}}, {{given}, term, kind == moment ? order : 1}};
    case variance:
      return {{{given}}, {{given}, term, 1}, {{given}, term, 2}};
    case density:
      return {{{given}}, {{given}, term, 1, at}};
    default:
      return {};
  }
}

/// Computes the answer to a query from its sums, and checks that the claim agrees.
Certified check_claim(Bytes& in, Query::Kind kind, std::span<const Goal> goals, bool any_open) {
  Certified result{true, {}, {}, {}};
  const unsigned char tag = in.byte();
  const auto say = [&](ClaimTag right, const std::string& why) {
    if (tag != right) throw Rejected("a claim is wrong: " + why);
    return Certified{true, {}, {}, why};
  };
  const auto shown = [](const Interval& value) {
    const std::string lower = to_string(value.lower);
    return value.exact() ? lower : "between " + lower + " and " + to_string(value.upper);
  };
  const std::string unknown = "nothing is known where leaves are open";
  const Goal& first = goals[goals.size() > 1 ? 1 : 0];
  const Interval total = goals.size() > 1 ? goals[0].sum.total() : Rational(1);
  if (tag == nothing && any_open) return say(nothing, unknown);
  if (total == Interval()) return say(undefined, "the condition has probability 0");
  if (total.contains(0) || first.unbounded) return say(nothing, unknown);
  result.value = first.sum.total() / total;
  if (kind == Query::Kind::density && result.value != Interval())
    return say(point_mass, "a point mass of " + shown(*result.value) + " has no density");
  if (kind == Query::Kind::variance)
    result.value = goals[2].sum.total() / total - power(*result.value, 2);
  if (kind == Query::Kind::density) {
    result.value = first.right.total() / total;
    result.left = first.left.total() / total;
  }
  if (tag != exact && tag != enclosed)
    throw Rejected("a claim is wrong: there is a value, " + shown(*result.value));
  for (const std::optional<Interval>& value : {result.value, result.left}) {
    if (!value) continue;
    const Rational lower = in.rational(), upper = tag == exact ? lower : in.rational();
    if (value->lower < lower || value->upper > upper)
      throw Rejected("a claim is wrong: the cells add up to " + shown(*value));
  }
  return result;
}

}  // namespace

std::vector<Certified> check(const Task& task, Bytes& in, Counts& counts) {
  Task sliced = apply_observations(polynomial_only(task));
  std::vector<Goal> goals;
  std::vector<std::size_t> ends;  // of the goals of each query
  for (const Query& query : sliced.queries) {
    for (Goal& goal : goals_of(query, sliced.problem.terms)) goals.push_back(std::move(goal));
    ends.push_back(goals.size());
  }
  std::vector<Certified> result(task.queries.size());
  if (goals.empty()) return result;
  const std::size_t open_before = counts.open;
  goals = check_tree(in, sliced.problem, std::move(goals), counts);
  for (std::size_t i = 0, begin = 0; i < result.size(); begin = ends[i++])
    if (ends[i] > begin)
      result[i] =
          check_claim(in, task.queries[i].kind, std::span(goals).subspan(begin, ends[i] - begin),
                      counts.open > open_before);
  return result;
}

}  // namespace wmi::check
