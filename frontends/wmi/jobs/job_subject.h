#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/terminal.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/options.h"
#include "frontends/wmi/script_certificate.h"
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
  /// What a certificate of it contains, if that is not the script itself.
  virtual std::optional<EmbeddedScript> embedded() { return std::nullopt; }

  /// An enumerator whose cells it sees, or null if it need not; the inner one must outlive it.
  virtual std::unique_ptr<Enumerator> observed(const Enumerator&) { return nullptr; }
  /// What it keeps of the cells that it has seen since the last note.
  virtual std::string note() { return ""; }

  /// Prints the answers, of which there is a solution for each task, and returns the exit status.
  /// `notes` are those of all units.
  virtual int report(const Options& how, std::span<const CountedSolution> solutions,
                     std::span<const std::string> notes, Terminal& terminal) = 0;
};

/// A subject that is a script, and answers that are printed as `wmi` prints them.
class ScriptSubject final : public JobSubject {
 public:
  using Embedder = std::function<EmbeddedScript()>;

  /// `said` are lines that come before the answers, on the standard error output.
  ScriptSubject(Script script, Options options, std::vector<std::string> said = {},
                Embedder embedder = {})
      : script_(std::move(script)),
        options_(std::move(options)),
        said_(std::move(said)),
        embedder_(std::move(embedder)) {}

  const Script& script() const override { return script_; }
  const Options& options() const override { return options_; }
  std::optional<EmbeddedScript> embedded() override {
    return embedder_ ? std::optional(embedder_()) : std::nullopt;
  }
  int report(const Options& how, std::span<const CountedSolution> solutions,
             std::span<const std::string> notes, Terminal& terminal) override;

 private:
  const Script script_;
  const Options options_;
  const std::vector<std::string> said_;
  const Embedder embedder_;
};

}  // namespace wmi::frontends
