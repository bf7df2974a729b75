#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "frontends/common/write_file.h"
#include "solver/certificate.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// The problem that a certificate contains, if it is not the file itself: the same queries to the
/// same problem, as SMT-LIB, and the bytes before all others.
struct EmbeddedScript {
  std::string head;
  Script script;
};

/// The certificate of a file, written task by task. It is kept only if every task has a proof.
class ScriptCertificate {
 public:
  ScriptCertificate(const std::string& file, std::optional<EmbeddedScript> embedded);

  /// Can one search find the answers of the task and their proof?
  bool can_prove(const Task& task) const;

  /// Solves the task with this number and writes the proof; nullopt if there is no proof. Then no
  /// later task is proved, and `certify` says why.
  std::optional<Solution> prove(std::size_t number, const Task& task, const Integrator& integrator,
                                const SolveOptions& options);

  /// Writes a proof of known answers. Throws Error, GaveUp, Stopped.
  void certify(std::size_t number, const Task& task, std::span<const Answer> answers,
               const std::stop_token& stop, ProgressObserver* observer = nullptr);

  void keep() { file_.keep(); }

 private:
  const Task& certified(std::size_t number, const Task& task) const;

  NewFile file_;
  const std::optional<Script> script_;  // if it is not that of the file
  std::optional<std::string> failure_;  // why a proof could not be written
};

}  // namespace wmi::frontends
