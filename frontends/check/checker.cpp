#include "frontends/check/checker.h"

#include "solver/substitution.h"

namespace wmi::check {
namespace {

enum ClaimTag : unsigned char { undefined, exact, enclosed, point_mass, nothing };

/// The numbers of the goals that a query's answer is made of.
struct Question {
  Query::Kind kind;
  std::size_t total = 0, first = 0, second = 0;
};

/// Adds the goals of a query, whose event is put in where it has none; nothing for one that
/// certificates do not cover.
std::optional<Question> question(Query& query, Terms& terms, std::vector<Goal>& goals) {
  using Kind = Query::Kind;
  const auto is = [&](Kind kind) { return query.kind == kind; };
  if (is(Kind::echo) || is(Kind::satisfiable) || is(Kind::distribution) || is(Kind::quantile))
    return std::nullopt;
  Question result{query.kind};
  if (is(Kind::cdf)) query.event = terms.less_equal(query.term, Polynomial(query.at));
  result.total = goals.size();
  if (!is(Kind::wmi)) goals.push_back({{query.given}});
  result.first = goals.size();
  if (is(Kind::wmi))
    goals.push_back({{query.event}});
  else if (is(Kind::probability) || is(Kind::cdf))
    goals.push_back({{query.given, query.event}});
  else if (is(Kind::density))
    goals.push_back({{query.given}, query.term, 1, query.at});
  else
    goals.push_back({{query.given}, query.term, is(Kind::moment) ? query.order : 1});
  result.second = goals.size();
  if (is(Kind::variance)) goals.push_back({{query.given}, query.term, 2});
  return result;
}

/// What the sums say of a question, and that the claim says so too.
Certified check_claim(Bytes& in, const Question& question, const std::vector<Goal>& goals,
                      bool any_open) {
  using Kind = Query::Kind;
  Certified result;
  result.certified = true;
  const unsigned char tag = in.byte();
  const auto say = [&](ClaimTag right, const std::string& why) {
    if (tag != right) throw Rejected("a claim is wrong: " + why);
    result.undefined = why;
    return result;
  };
  const Goal& first = goals[question.first];
  const Interval total =
      question.kind == Kind::wmi ? Rational(1) : goals[question.total].sum.total();
  const std::string unknown = "nothing is known where leaves are open";
  if (tag == nothing && any_open) return say(nothing, unknown);
  if (total == Interval()) return say(undefined, "the condition has probability 0");
  if (total.contains(0) || first.unbounded) return say(nothing, unknown);
  const auto shown = [](const Interval& value) {
    const std::string lower = to_string(value.lower);
    return value.exact() ? lower : "between " + lower + " and " + to_string(value.upper);
  };
  const Interval ratio = first.sum.total() / total;
  if (question.kind == Kind::density && ratio != Interval())
    return say(point_mass, "a point mass of " + shown(ratio) + " has no density");
  result.value = ratio;
  if (question.kind == Kind::variance)
    result.value = goals[question.second].sum.total() / total - power(ratio, 2);
  if (question.kind == Kind::density) {
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
  Task sliced = observed(task);
  std::vector<Goal> goals;
  std::vector<std::optional<Question>> questions;
  for (Query& query : sliced.queries)
    questions.push_back(question(query, sliced.problem.terms, goals));
  std::vector<Certified> result(task.queries.size());
  if (goals.empty()) return result;
  const std::size_t open_before = counts.open;
  goals = check_tree(in, sliced.problem, std::move(goals), counts);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (questions[i]) result[i] = check_claim(in, *questions[i], goals, counts.open > open_before);
  return result;
}

}  // namespace wmi::check
