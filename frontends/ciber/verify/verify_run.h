#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "frontends/ciber/verify/counterexample_search.h"
#include "frontends/ciber/verify/verdict.h"
#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/cli/limits.h"
#include "frontends/cli/terminal.h"
#include "frontends/wmi/options.h"
#include "frontends/wmi/proof_estimate.h"
#include "frontends/wmi/script_certificate.h"
#include "solver/significant_digits.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// The arguments of `ciber verify`.
struct VerifyRequest {
  std::string network, property;  // files
  VerifyArguments arguments;
  Options options;           // those of wmi
  bool competition = false;  // the verdict alone, in the format of the competitions
};

/// What a job has found out of a request: its searches need not be done.
struct KnownVerification {
  VerificationProblem problem;
  std::vector<std::string> said;  // notes of the network's reader
  CounterexampleSearch search;
  std::optional<Solution> solution =
      {};                             // of the probability; none if there are no counterexamples
  std::optional<Point> largest = {};  // a point of the largest cell
};

/// What a certificate of the probability contains.
EmbeddedScript embedded_script(const VerificationProblem& problem, const Task& task,
                               const std::string& network);

/// One call of `ciber verify`: reads the network and the property and prints what it finds.
///
/// Two searches follow each other. The first looks for any cell of the relaxed property: none means
/// that the property has probability 0, and in a continuous network no point at all; so a property
/// that holds needs one search. The second one works out the probability.
class VerifyRun final : private ProgressObserver {
 public:
  VerifyRun(const VerifyRequest& request, const Supervisor& supervisor, Terminal& terminal,
            const KnownVerification* known = nullptr);

  /// Never throws.
  void work(const std::stop_token& stop);
  /// In one line; from another thread.
  std::string progress() const;
  /// Prints that the work was stopped without an answer, and keeps it from printing after.
  void print_bounds();
  /// The exit status.
  int finish();

 private:
  void added(std::size_t cells) override;
  void proved(double share) override;

  void verify(const std::stop_token& stop);
  void read();
  Verification found_by(const CounterexampleSearch& search, const std::stop_token& stop);
  Solution solve(const Task& task, const Enumerator& enumerator, const std::stop_token& stop);
  Solution certified(const Task& task, const std::stop_token& stop);
  void say_uncertified(const std::string& why, int status);
  void print(const Verification& found);
  void print_explanation(const std::stop_token& stop);
  void print_stats() const;
  void say(const std::string& file, const Error& error);
  double seconds() const;

  const VerifyRequest& request_;
  const KnownVerification* const known_;  // may be null
  const Options& options_;
  const Supervisor& supervisor_;
  Terminal& terminal_;
  const std::unique_ptr<Enumerator> enumerator_;
  const std::unique_ptr<Integrator> integrator_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  std::optional<VerificationProblem> problem_;
  std::optional<Task> task_;  // of the probability
  std::size_t vertices_ = 0;
  ProofEstimate proof_;
  std::atomic<std::size_t> cells_ = 0;
  std::atomic<int> status_ = 0;
  std::atomic<bool> unfinished_ = false;
  mutable std::mutex mutex_;  // held while something is printed
};

/// Verifies under the limits of the options; returns the exit status.
int verify(const VerifyRequest& request, Terminal& terminal,
           const KnownVerification* known = nullptr);

}  // namespace wmi::frontends
