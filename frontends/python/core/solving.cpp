#include "frontends/python/core/solving.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include "frontends/python/core/released_lock.h"
#include "solver/answers/answer_accumulator.h"
#include "solver/answers/bounded_query.h"
#include "solver/certificate.h"
#include "solver/significant_digits.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

namespace py = pybind11;
using namespace std::chrono_literals;

constexpr unsigned quantile_digits = 19;      // as `wmi` has them
constexpr unsigned standard_digits = 6;   // where functions such as exp have no exact integrals
constexpr std::size_t cells_at_once = 1'000;  // solved in the calling thread: some milliseconds
constexpr unsigned most_degree_at_once = 12;
constexpr unsigned most_digits_at_once = 100;
constexpr std::size_t most_bits_at_once = 512;

/// A task that is being solved, owned by the thread that solves it, which may be abandoned.
class Solving final : public ProgressObserver {
 public:
  Solving(Task task, const Request& request) : task_(std::move(task)), request_(request) {}

  const Task& task() const { return task_; }

  Outcome run(const std::stop_token& stop) {
    stop_ = stop;
    Outcome result;
    try {
      result = request_.certify ? certified() : Outcome{solved(), ""};
    } catch (const Stopped&) {
      result.solution.answers = bounds();
    } catch (const std::exception&) {
      if (!stop.stop_requested()) throw;  // otherwise the exception of an interrupted library
      result.solution.answers = bounds();
    }
    return result;
  }

  /// The bounds reached so far; not complete. From any thread.
  std::vector<Answer> bounds() {
    std::vector<Answer> result;
    const std::lock_guard lock(mutex_);
    if (running_ != nullptr)
      result = running_->bounds();
    else
      result = known_;
    Answer nothing;
    nothing.complete = false;
    result.resize(task_.queries.size(), nothing);
    return result;
  }

 private:
  void started(const AnswerAccumulator& answers) override {
    const std::lock_guard lock(mutex_);
    running_ = &answers;
  }

  void ended() override {
    const std::lock_guard lock(mutex_);
    if (stop_.stop_requested()) {
      try {
        known_ = running_->bounds();
      } catch (const std::exception&) {
      }
    }
    running_ = nullptr;
  }

  SolveOptions options() {
    return {.threads = request_.threads,
            .digits = std::max(quantile_digits, request_.digits + 2),
            .gap = request_.gap,
            .may_be_stopped = request_.timeout.has_value(),
            .stop = stop_,
            .observer = this};
  }

  Solution solved() {
    const bool standard = request_.digits == 0 && task_.problem.terms.smooth();
    const unsigned digits = standard ? standard_digits : request_.digits;
    return digits > 0
               ? solve_to_digits(digits, task_, *make_split(), *make_auto({}), options()).solution
               : solve(task_, *make_split(), *make_auto({}), options());
  }

  /// One search finds answers and proof, where that is possible; as `wmi --certificate` does it.
  Outcome certified() {
    std::ostringstream out;
    out << certificate_mark;
    std::string failure;
    const bool provable = std::ranges::all_of(task_.queries, certifiable);
    if (provable && request_.digits == 0) {
      try {
        Solution solution = prove(task_, *make_auto({}), out, options());
        return {std::move(solution), std::move(out).str()};
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& error) {
        failure = error.what();
      }
    }
    Outcome result{solved(), ""};
    if (stop_.stop_requested()) return result;
    std::ostream nowhere(nullptr);
    wmi::certify(task_, result.solution.answers, failure.empty() ? out : nowhere, stop_, this);
    if (!failure.empty()) throw GaveUp("no certificate: " + failure);
    result.certificate = std::move(out).str();
    return result;
  }

  const Task task_;
  const Request request_;
  std::stop_token stop_;
  std::mutex mutex_;
  const AnswerAccumulator* running_ = nullptr;
  std::vector<Answer> known_;
};

bool has_long_numbers(const Terms& terms, std::uint32_t atom) {
  const LinearForm& form = terms.atom(atom).form;
  const auto bits = [](const Rational& number) {
    return mpz_sizeinbase(number.get_num_mpz_t(), 2) + mpz_sizeinbase(number.get_den_mpz_t(), 2);
  };
  return bits(form.constant) > most_bits_at_once ||
         std::ranges::any_of(form.coefficients, [&](const auto& entry) {
           return bits(entry.second) > most_bits_at_once;
         });
}

bool high_degree(const Task& task) {
  const Terms& terms = task.problem.terms;
  unsigned degree = 0;
  for (const Weight& weight : task.problem.weights) degree += terms.degree(weight.value);
  unsigned most = 0;
  for (const Query& query : task.queries)
    most = std::max(most, terms.degree(query.term) * std::max(2u, query.order));
  return degree + most > most_degree_at_once;
}

}  // namespace

Outcome solve_until(const std::stop_token& stop, Task task, const Request& request) {
  return Solving(std::move(task), request).run(stop);
}

std::optional<std::size_t> most_cells(const Task& task) {
  const Problem& problem = task.problem;
  const Terms& terms = problem.terms;
  std::size_t atoms = 0, doublings = terms.boolean_count();
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    const Node& node = terms.node(i);
    doublings += node.kind == Kind::definition;
    if (node.kind != Kind::atom) continue;
    ++atoms;
    if (has_long_numbers(terms, node.index)) return std::nullopt;
  }
  // A term at a value is a cut as well.
  for (const Query& query : task.queries) atoms += query.kind >= Query::Kind::density;
  const bool derived = std::ranges::find(problem.integrated, false) != problem.integrated.end();
  const bool needs_smt = std::ranges::any_of(
      task.queries, [](const Query& query) { return query.kind == Query::Kind::satisfiable; });
  if (derived || needs_smt || atoms > cells_at_once || doublings > 16 || high_degree(task))
    return std::nullopt;
  std::size_t regions = 0, choose = 1;
  for (std::size_t i = 0; i <= std::min(atoms, problem.integrated.size()); ++i) {
    regions += choose;
    if (regions > cells_at_once) return std::nullopt;
    choose = choose * (atoms - i) / (i + 1);
  }
  const std::size_t cells = regions << doublings;
  return cells > cells_at_once ? std::nullopt : std::optional(cells);
}

Outcome answer(Task task, Request request) {
  const bool small = request.digits <= most_digits_at_once && most_cells(task).has_value();
  if (small)
    request.threads = 1;
  else if (request.threads == 0)
    request.threads = std::max(1u, std::thread::hardware_concurrency());
  const auto solving = std::make_shared<Solving>(std::move(task), request);
  Outcome result;
  if (small) {
    const ReleasedLock released;
    result = solving->run({});
  } else {
    std::optional<Outcome> finished = result_of(
        [solving](const std::stop_token& stop) { return solving->run(stop); }, request.timeout);
    if (finished)
      result = *std::move(finished);
    else
      result.solution.answers =
          result_of([solving](const std::stop_token&) { return solving->bounds(); }, Seconds(1))
              .value_or(std::vector<Answer>());
  }
  Answer nothing;
  nothing.complete = false;
  result.solution.answers.resize(solving->task().queries.size(), nothing);
  result.solution.answers = enclosed(solving->task(), std::move(result.solution.answers));
  return result;
}

}  // namespace wmi::python
