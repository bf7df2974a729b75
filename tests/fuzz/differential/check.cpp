#include "tests/fuzz/differential/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "frontends/check/checker.h"
#include "frontends/formats/format.h"
#include "solver/certificate.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "solver/terms/error.h"

namespace wmi::fuzz {
namespace {

Tally done;

/// A disagreement; ends the comparisons of a problem.
struct Fault {
  std::string what;
};

void require(bool holds, const std::string& what) {
  ++done.comparisons;
  if (!holds) throw Fault{what};
}

using frontends::read;
using frontends::write_smtlib;
using Kind = Query::Kind;

Query ask(Kind kind, Formula event, Formula given, Polynomial term = {}, const Rational& at = 0) {
  Query query;
  query.kind = kind;
  query.event = event;
  query.given = given;
  query.term = std::move(term);
  query.at = at;
  query.text = "added";
  return query;
}

std::string show(const Answer& answer) {
  if (!answer.refused.empty()) return "refused: " + answer.refused;
  if (!answer.undefined.empty()) return "undefined";
  if (!answer.value) return answer.text;
  if (answer.value->exact()) return to_string(answer.value->lower);
  return fmt::format("[{}, {}]", to_string(answer.value->lower), to_string(answer.value->upper));
}

bool overlap(const Interval& a, const Interval& b) {
  return a.lower <= b.upper && b.lower <= a.upper;
}

/// Whether a rounded integrator could not tell a small integral from 0.
bool undecided(const Answer& answer) {
  return answer.refused.find("is only known to be between") != std::string::npos;
}

void compare(const Answer& a, const Answer& b, const std::string& route, const Query& query) {
  if (undecided(b)) return;
  const bool agree =
      a.refused.empty() == b.refused.empty() && a.undefined.empty() == b.undefined.empty() &&
      a.value.has_value() == b.value.has_value() && (!a.value || overlap(*a.value, *b.value)) &&
      (!a.law || !b.law || *a.law == *b.law);
  require(agree, fmt::format("{}: {} here, {} by {}", query.text, show(a), show(b), route));
}

std::vector<Answer> solve_by(const Task& task, const EnumeratorEntry& enumerator,
                             const IntegratorEntry& integrator, unsigned threads = 1) {
  return solve(task, *enumerator.make(), *integrator.make({}), {.threads = threads}).answers;
}

const Answer* exact(const Answer& answer) {
  return answer.value && answer.value->exact() ? &answer : nullptr;
}

/// An event and its complement have the weight of the whole; a law has the mean, the variance and
/// the distribution function that queries for them have.
void check_relations(const Task& task, const std::vector<Answer>& answers) {
  Task more = task;
  more.queries.clear();
  for (const Query& query : task.queries) {
    if (query.kind == Kind::wmi) {
      more.queries.push_back(ask(Kind::wmi, query.event, truth));
      more.queries.push_back(ask(Kind::wmi, !query.event, truth));
      more.queries.push_back(ask(Kind::wmi, truth, truth));
    } else if (query.kind == Kind::distribution) {
      more.queries.push_back(ask(Kind::expectation, truth, query.given, query.term));
      more.queries.push_back(ask(Kind::variance, truth, query.given, query.term));
      more.queries.push_back(ask(Kind::cdf, truth, query.given, query.term, ratio(1, 3)));
    }
  }
  const std::vector<Answer> found = solve_by(more, enumerators()[0], integrators()[0]);
  std::size_t next = 0;
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    const Kind kind = task.queries[i].kind;
    if (kind != Kind::wmi && kind != Kind::distribution) continue;
    const std::span<const Answer> three = std::span(found).subspan(next, 3);
    next += 3;
    if (!std::ranges::all_of(three, [](const Answer& a) { return exact(a) != nullptr; })) continue;
    const auto value = [&](std::size_t j) { return three[j].value->lower; };
    if (kind == Kind::wmi) {
      require(value(0) + value(1) == value(2), "an event and its complement do not add up");
    } else if (answers[i].law) {
      const Law& law = *answers[i].law;
      require(law.mass() == 1, "a law has another mass than 1");
      require(law.mean() == value(0), "the mean of a law is not the expectation");
      require(law.variance() == value(1), "the variance of a law is not the variance");
      require(law.cdf(ratio(1, 3)) == value(2),
              "the distribution function of a law is not the cdf");
    }
  }
}

/// The checker accepts a certificate of the answers and finds the same numbers in it. Refused
/// queries are left out: there is no proof of them.
void check_certificate(const Task& task, const std::vector<Answer>& answers) {
  Task answered = task;
  answered.queries.clear();
  std::vector<Answer> known;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i].refused.empty()) {
      answered.queries.push_back(task.queries[i]);
      known.push_back(answers[i]);
    }
  std::stringstream proof;
  try {
    certify(answered, known, proof);
  } catch (const GaveUp&) {  // a cell with too many vertices
    ++done.uncertified;
    return;
  }
  check::Bytes in(proof);
  check::Counts counts;
  std::vector<check::Certified> found;
  try {
    found = check::check(answered, in, counts);
    in.expect_end();
  } catch (const check::Rejected& rejected) {
    throw Fault{
        fmt::format("its certificate is rejected at byte {}: {}", in.offset(), rejected.what())};
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Query& query = answered.queries[i];
    require(found[i].certified == certifiable(query),
            fmt::format("{}: a certificate does not tell of it", query.text));
    if (!found[i].certified) continue;
    require(
        found[i].value ? known[i].value == *found[i].value : !known[i].undefined.empty(),
        fmt::format("{}: {} here, another answer in its certificate", query.text, show(known[i])));
  }
  ++done.certificates;
}

/// The weight of an event is that of the problem that asserts it; where weights are also three
/// times as large, so is the answer.
void check_restated(const Task& task, const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    const Query& query = task.queries[i];
    if (query.kind != Kind::wmi || exact(answers[i]) == nullptr) continue;
    Task restated = task;
    restated.queries = {ask(Kind::wmi, truth, truth)};
    restated.problem.assertions.push_back(query.event);
    restated.problem.weights.push_back({truth, Polynomial(3)});
    const Answer found = solve_by(restated, enumerators()[0], integrators()[0])[0];
    require(exact(found) != nullptr && found.value->lower == 3 * answers[i].value->lower,
            fmt::format("{}: {} here, but {} where it is asserted and weighs 3", query.text,
                        show(answers[i]), show(found)));
  }
}

void check(const Task& task) {
  const std::vector<Answer> answers = solve_by(task, enumerators()[0], integrators()[0]);
  const auto all_agree = [&](const std::vector<Answer>& others, const std::string& route) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      compare(answers[i], others[i], route, task.queries[i]);
  };
  for (const EnumeratorEntry& enumerator : enumerators())
    for (const IntegratorEntry& integrator : integrators())
      all_agree(solve_by(task, enumerator, integrator),
                fmt::format("{} and {}", enumerator.name, integrator.name));
  all_agree(solve_by(task, enumerators()[0], integrators()[0], 2), "two threads");
  Task turned = task;
  std::ranges::reverse(turned.problem.assertions);
  std::ranges::reverse(turned.problem.weights);
  all_agree(solve_by(turned, enumerators()[0], integrators()[0]), "the reversed order");
  check_relations(task, answers);
  check_restated(task, answers);
  check_certificate(task, answers);
}

}  // namespace

Tally tally() { return done; }

std::optional<std::string> find_fault(const std::string& text) {
  const Script script = read({"problem", text}, "smtlib");
  try {
    const std::string written = write_smtlib(script);
    require(write_smtlib(read({"written", written}, "smtlib")) == written,
            "what is written is not read back");
    for (const Task& task : script) check(task);
  } catch (const Fault& fault) {
    return fault.what;
  } catch (const Error& error) {
    return std::string("an error of all questions: ") + error.what();
  }
  return std::nullopt;
}

}  // namespace wmi::fuzz
