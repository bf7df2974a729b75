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
#include "frontends/common/new_file.h"
#include "frontends/formats/format.h"
#include "frontends/wmi/options.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// One call of the program: reads the files one after the other and prints their answers.
///
/// `work` is done in one thread. Others may ask for its progress, and may speak for it when it does
/// not come back.
class AnswerRun final : private ProgressObserver {
 public:
  /// How a file becomes a script; throws Error.
  using Reader = std::function<Script(const std::string& file)>;

  /// What is certified instead of the script: the same queries to the same problem, in the form in
  /// which the certificate carries it, in bytes before all others.
  struct EmbeddedProblem {
    std::string head;
    Script script;
  };
  using Carrier = std::function<EmbeddedProblem(const std::string& file)>;

  AnswerRun(const Options& options, const Supervisor& supervisor, Terminal& terminal, Reader reader,
            Carrier carrier = {});

  /// Answers all files, or as many as it can before it is told to stop. Never throws.
  void work(const std::stop_token& stop);

  /// How far the work is, in one line; empty when there is nothing to say.
  std::string progress() const;

  /// Prints what is known of the queries that `work` has not answered; it can print nothing after.
  void speak_for_it();

  /// Says what stopped the work, if anything did, and returns the exit status.
  int finish();

 private:
  void started(const AnswerAccumulator& answers) override;
  void added(std::size_t cells) override;
  void ended() override;

  const std::string& file() const;
  void start_file(std::size_t index);
  void answer_file(const std::stop_token& stop);
  void convert(const Script& script);
  Solution solved(const Task& task, const std::stop_token& stop, std::size_t& vertices);
  SolveOptions solve_options(const std::stop_token& stop);
  bool proves(const Task& task) const;
  Solution proved(const Task& task, const std::stop_token& stop, std::size_t& vertices,
                  bool& certified);
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
  Circumstances circumstances() const;
  void exits_with(int status);

  const Options& options_;
  const Supervisor& supervisor_;
  Terminal& terminal_;
  const Reader reader_;
  const Carrier carrier_;
  const std::unique_ptr<Enumerator> enumerator_;
  const std::unique_ptr<Integrator> integrator_;

  std::atomic<int> status_ = 0;
  std::atomic<std::size_t> plots_ = 0;    // pictures drawn
  std::atomic<bool> unfinished_ = false;  // something was not answered because of a limit
  std::atomic<std::size_t> cells_ = 0;    // of the tasks of this file
  std::size_t cells_before_ = 0;          // of the tasks of this file that are done
  std::size_t vertices_ = 0;              // likewise
  std::unique_ptr<NewFile> certificate_;  // of the tasks of this file that are done
  Script certified_;                      // if it is not the script
  bool spoilt_ = false;                   // something in it is of no use
  std::string why_not_;

  // What the work is at; whoever holds the mutex may print answers.
  mutable std::mutex mutex_;
  std::size_t file_ = 0;  // of the options
  std::chrono::steady_clock::time_point file_start_ = std::chrono::steady_clock::now();
  Script script_;         // of the file, once it is read
  std::size_t task_ = 0;  // the first that is not printed
  const AnswerAccumulator* running_ = nullptr;
  std::vector<Answer> known_;  // of a task that was stopped
  std::string refusal_;        // the reason given last for refusing a query
};

}  // namespace wmi::frontends
