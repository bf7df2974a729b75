// A certificate is a tree (certificates/tree.h) and the claims that it proves
// (certificates/claims.h). Either the answers are given, or the sums over the tree are the answers;
// with a gap, those over the first of several trees that is fine enough.

#include "solver/certificate.h"

#include <functional>
#include <sstream>
#include <utility>

#include "solver/answers/flatness.h"
#include "solver/certificates/certified_integral.h"
#include "solver/certificates/claims.h"
#include "solver/certificates/conclusions.h"
#include "solver/certificates/tree.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// The answers of a tree that was written, with its claims.
struct Proof {
  std::vector<Answer> answers;
  Summary summary;
};

/// Writes a tree with its claims, by a search with this threshold.
using Attempt = std::function<Proof(std::ostream& out, const std::optional<Threshold>& threshold)>;

/// Are the bounds of these answers wider than those of the others?
bool wider(std::span<const Answer> answers, std::span<const Answer> others) {
  const std::optional<Rational> width = widest(answers), other = widest(others);
  return other && (!width || *other < *width);
}

/// Searches with falling thresholds until all answers are known to within the gap, and writes the
/// last tree; or the one before, if a stopped search has wider bounds.
Proof narrowed(const Rational& gap, std::ostream& out, const Attempt& attempt) {
  Narrowing narrowing;
  std::string text;
  std::optional<Proof> best;
  for (bool enough = false; !enough;) {
    std::ostringstream tried;
    std::optional<Proof> found;
    try {
      found = attempt(tried, narrowing.threshold());
    } catch (const Stopped&) {
      if (!best) throw;
    }
    if (!found || (found->summary.stopped && best && wider(found->answers, best->answers))) {
      best->summary.stopped = true;
      break;
    }
    best = std::move(found);
    text = tried.str();
    const std::optional<Rational> width = widest(best->answers);
    enough = best->summary.stopped || !narrowing.threshold() || (width && *width <= gap);
    if (!enough) narrowing.lower(best->summary.cells, best->summary.left_open);
  }
  out << text;
  for (Answer& answer : best->answers) {
    if (answer.complete || best->summary.stopped) continue;
    answer.complete = answer.within_gap = true;
    answer.value = Interval(*answer.lower, *answer.upper);
  }
  return *std::move(best);
}

}  // namespace

bool certifiable(const Query& query) { return !integrals_of(query).empty(); }

void certify(const Task& task, std::span<const Answer> answers, std::ostream& out,
             const std::stop_token& stop, ProgressObserver* observer) {
  const Task asked = certified(polynomial_only(task));
  std::vector<CertifiedIntegral> integrals = integrals_of(asked);
  if (integrals.empty()) return;
  check_claimable(task, answers);
  write_tree(asked.problem, std::move(integrals), out, stop, observer);
  write_claims(task, answers, out);
}

Solution prove(const Task& task, const Integrator& integrator, std::ostream& out,
               const SolveOptions& options) {
  Task asked = certified(polynomial_only(task));
  const std::vector<CertifiedIntegral> integrals = integrals_of(asked);
  const Plan plan = make_plan(asked);
  const Attempt attempt = [&](std::ostream& to, const std::optional<Threshold>& threshold) {
    const Summing summing{integrator, threshold};
    Proof proof;
    proof.summary =
        write_tree(asked.problem, integrals, to, options.stop, options.observer, &summing);
    proof.answers = conclusions(asked, plan, proof.summary.sums, options.digits);
    check_claimable(asked, proof.answers);
    write_claims(asked, proof.answers, to);
    return proof;
  };
  const auto proved = [&]() -> Proof {
    if (integrals.empty()) return {std::vector<Answer>(task.queries.size()), {}};
    return options.gap ? narrowed(*options.gap, out, attempt) : attempt(out, {});
  };
  auto [answers, summary] = proved();
  Solution solution{std::move(answers), {}};
  if (!integrals.empty() && summary.cells == 0 && summary.left_open == 0 && !summary.stopped)
    if (auto warning = explain_flatness(asked.problem, *make_split(), options.stop))
      solution.warnings.push_back(std::move(*warning));
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    Answer& answer = solution.answers[i];
    clip(asked.problem, task.queries[i], answer);
    answer.assumptions = task.assumptions;
  }
  return solution;
}

}  // namespace wmi
