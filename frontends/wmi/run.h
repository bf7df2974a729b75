#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/limits.h"
#include "frontends/cli/terminal.h"
#include "frontends/formats/format.h"
#include "frontends/wmi/options.h"
#include "frontends/wmi/proof_estimate.h"
#include "frontends/wmi/script_certificate.h"
#include "solver/significant_digits.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// One call of the program: reads the files one after the other and prints their answers.
///
/// `work` runs in one thread. Others may ask for its progress, and print the bounds reached so far
/// when it does not return.
class AnswerRun final : private ProgressObserver {
 public:
  /// Reads a file that is not a problem in one of the formats, such as a network; throws Error.
  using Reader = std::function<Script(const std::string& file)>;

  /// The problem that the certificate of a file contains.
  using Embedder = std::function<EmbeddedScript(const std::string& file)>;

  /// Solves the task with this number, if that is done elsewhere.
  using TaskSolver = std::function<CountedSolution(std::size_t number, const Task& task)>;

  AnswerRun(const Options& options, const Supervisor& supervisor, Terminal& terminal, Reader reader,
            Embedder embedder = {}, TaskSolver solver = {});

  /// Answers all files, or as many as it can before it is told to stop. Never throws.
  void work(const std::stop_token& stop);

  /// The progress of the work, in one line; may be empty.
  std::string progress() const;

  /// Prints the bounds known so far for the queries that `work` has not answered, and keeps it from
  /// printing anything after.
  void print_bounds();

  /// Prints what stopped the work, if anything did, and returns the exit status.
  int finish();

 private:
  void started(const AnswerAccumulator& answers) override;
  void added(std::size_t cells) override;
  void proved(double share) override;
  void ended() override;

  const std::string& file() const;
  void start_file(std::size_t index);
  void answer_file(const std::stop_token& stop);
  void convert(const Script& script);
  CountedSolution solve(const Task& task, const std::stop_token& stop);
  bool proves(const Task& task) const;
  std::optional<CountedSolution> prove(const Task& task, const std::stop_token& stop);
  void start_proof();
  void say_uncertified();
  void answer_task(const Task& task, const std::stop_token& stop);
  void print(const Echo& echo);
  void print(const Task& task, const Solution& solution, std::optional<Measurements> measured);
  void print_unfinished(bool started, std::vector<Answer> known);
  void print_stats() const;
  void draw(const Task& task, const Solution& solution);
  void certify(const Task& task, const Solution& solution, const std::stop_token& stop);
  void print_explanation(const Task& task, const std::stop_token& stop);
  void failed(const std::exception& error, const std::stop_token& stop);
  void complain(Location where, std::string_view what);
  void give_up(Location where, std::string_view why);
  Circumstances circumstances() const;
  void exits_with(int status);

  const Options& options_;
  const Supervisor& supervisor_;
  Terminal& terminal_;
  const Reader reader_;
  const Embedder embedder_;
  const TaskSolver solver_;
  const std::unique_ptr<Enumerator> enumerator_;
  const std::unique_ptr<Integrator> integrator_;

  std::atomic<int> status_ = 0;
  std::atomic<std::size_t> plots_ = 0;            // pictures drawn
  std::atomic<bool> unfinished_ = false;          // something was not answered because of a limit
  std::atomic<std::size_t> cells_ = 0;            // of the tasks of this file
  std::size_t cells_before_ = 0;                  // of the tasks of this file that are done
  std::size_t vertices_ = 0;                      // likewise
  MessageCounts messages_;                        // likewise
  std::optional<ScriptCertificate> certificate_;  // of this file
  ProofEstimate proof_;                           // of the task that is being proved

  // The state of the work. Guarded by the mutex, also while answers are printed.
  mutable std::mutex mutex_;
  std::size_t file_ = 0;  // of the options
  std::chrono::steady_clock::time_point file_start_ = std::chrono::steady_clock::now();
  Script script_;         // of the file, once it is read
  std::size_t task_ = 0;  // the first that has not been printed
  const AnswerAccumulator* running_ = nullptr;
  std::vector<Answer> known_;  // bounds of a task that was stopped
  std::string refusal_;        // the last reason printed
};

}  // namespace wmi::frontends
