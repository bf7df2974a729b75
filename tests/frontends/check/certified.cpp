#include "tests/frontends/check/certified.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "frontends/formats/format.h"
#include "tests/solver/stop_after.h"
#include "tests/source_directory.h"

namespace wmi::tests {

Solution solved(const Task& task) { return solve(task, *make_split(), *make_auto({})); }

std::string certificate(const Task& task, const Solution& solution) {
  std::ostringstream out;
  out << certificate_mark;
  certify(task, solution.answers, out);
  return out.str();
}

std::string shown(const Interval& value) {
  return value.exact() ? to_string(value.lower)
                       : "between " + to_string(value.lower) + " and " + to_string(value.upper);
}

Checked checked(const Task& task, const std::string& certificate) {
  std::istringstream stream(certificate);
  check::Bytes in(stream);
  Checked result;
  try {
    in.expect(check::mark);
    check::Counts counts;
    result.certified = check::check(task, in, counts);
    in.expect_end();
    std::vector<std::string>& answers = result.answers.emplace();
    for (const check::Certified& answer : result.certified) {
      answers.push_back(answer.value ? shown(*answer.value) : answer.undefined);
      if (answer.left) answers.back() += " from the left " + shown(*answer.left);
    }
  } catch (const check::Rejected& why) {
    result.reason = why.what();
  } catch (const Error& error) {  // a number or a polynomial that is refused as too large
    result.reason = error.what();
  }
  return result;
}

Partial partial(const Task& task, std::size_t cells, const std::optional<Rational>& gap) {
  std::ostringstream out;
  out << certificate_mark;
  StopAfter observer(cells);
  Solution solution = prove(task, *make_auto({}), out,
                            {.gap = gap, .stop = observer.token(), .observer = &observer});
  return {out.str(), std::move(solution.answers)};
}

bool hold(const std::vector<check::Certified>& certified, const std::vector<Answer>& truth) {
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!certified[i].certified || !certified[i].value) continue;
    if (!truth[i].value || !certified[i].value->contains(truth[i].value->lower)) return false;
    if (certified[i].left && !certified[i].left->contains(truth[i].left->lower)) return false;
  }
  return true;
}

Task random_task(Random& random) {
  Task task;
  task.problem = random_problem(random, {random.integer(1, 3), random.integer(0, 3),
                                         random.integer(2, 8), random.integer(0, 2), true});
  const auto query = [&](Query::Kind kind) {
    Query result;
    result.kind = kind;
    if (random.chance(60)) result.event = random_formula(random, task.problem, 2);
    if (random.chance(40) && kind != Query::Kind::wmi)
      result.given = random_formula(random, task.problem, 1);
    const bool affine = kind == Query::Kind::density || kind == Query::Kind::cdf;
    result.term =
        affine ? random_affine(random, task.problem) : random_polynomial(random, task.problem, 2);
    if (kind == Query::Kind::moment) result.order = 3;
    result.at = ratio(random.integer(-4, 4), 2);
    return result;
  };
  for (const Query::Kind kind :
       {Query::Kind::wmi, Query::Kind::probability, Query::Kind::expectation, Query::Kind::variance,
        Query::Kind::moment, Query::Kind::density, Query::Kind::cdf})
    if (random.chance(60)) task.queries.push_back(query(kind));
  if (task.queries.empty()) task.queries.push_back(query(Query::Kind::wmi));
  return task;
}

std::string golden_text(const std::string& name) {
  std::ifstream in(source_directory().string() + "/tests/golden/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> golden_names() {
  return {"conditional_weight.smt2", "density_of_forms.smt2", "derived_chain.smt2",
          "independent.smt2",        "negative_weight.smt2",  "relu_defined.smt2",
          "relu_implied.smt2",       "relu_twice.smt2",       "two_weights_relu.smt2",
          "undefined.smt2",          "no_query.smt2",         "free_booleans.smt2",
          "certified_product.smt2",  "certified_faces.smt2"};
}

std::vector<Task> golden_tasks() {
  std::vector<Task> tasks;
  for (const std::string& file : golden_names())
    tasks.push_back(frontends::read({file, golden_text(file)})[0]);
  return tasks;
}

int many() { return std::getenv("WMI_LONG") != nullptr ? 4 : 1; }

}  // namespace wmi::tests
