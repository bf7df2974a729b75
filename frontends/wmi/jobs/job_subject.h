#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/terminal.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/options.h"
#include "solver/enumerator.h"
#include "solver/significant_digits.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// What the units of a job work on: the same in every process that reads it from the job.
class JobSubject {
 public:
  virtual ~JobSubject() = default;

  virtual const Script& script() const = 0;
  virtual const Options& options() const = 0;

  /// An enumerator whose cells it sees, or null if it need not; the inner one must outlive it.
  virtual std::unique_ptr<Enumerator> observed(const Enumerator&) { return nullptr; }
  /// What it keeps of the cells that it has seen since the last note.
  virtual std::string note() { return ""; }

  /// Prints the answers, of which there is a solution for each task, and returns the exit status.
  /// `notes` are those of all units.
  virtual int report(const Options& how, std::span<const CountedSolution> solutions,
                     std::span<const std::string> notes, Terminal& terminal) = 0;
};

/// A command whose questions can be answered by a job. An entry of a program's table.
struct JobCommand {
  std::string_view name;
  std::unique_ptr<JobSubject> (*read)(const Job& job, Terminal& terminal);
};

/// A subject that is a script, and answers that are printed as `wmi` prints them.
class ScriptSubject final : public JobSubject {
 public:
  /// `said` are lines that come before the answers, on the standard error output.
  ScriptSubject(Script script, Options options, std::vector<std::string> said = {})
      : script_(std::move(script)), options_(std::move(options)), said_(std::move(said)) {}

  const Script& script() const override { return script_; }
  const Options& options() const override { return options_; }
  int report(const Options& how, std::span<const CountedSolution> solutions,
             std::span<const std::string> notes, Terminal& terminal) override;

 private:
  const Script script_;
  const Options options_;
  const std::vector<std::string> said_;
};

}  // namespace wmi::frontends
