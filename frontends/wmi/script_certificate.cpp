#include "frontends/wmi/script_certificate.h"

#include <algorithm>
#include <new>
#include <ostream>
#include <utility>

#include "frontends/common/outputs.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

ScriptCertificate::ScriptCertificate(const std::string& file,
                                     std::optional<EmbeddedScript> embedded)
    : file_((refuse_input(file), file)),
      script_(embedded ? std::optional(std::move(embedded->script)) : std::nullopt) {
  if (embedded) file_.stream() << embedded->head;
  file_.stream() << certificate_mark;
}

const Task& ScriptCertificate::certified(std::size_t number, const Task& task) const {
  return script_ ? script_->at(number) : task;
}

bool ScriptCertificate::can_prove(const Task& task) const {
  return !failure_ && !task.problem.terms.smooth() &&
         std::all_of(task.queries.begin(), task.queries.end(), certifiable);
}

std::optional<Solution> ScriptCertificate::prove(std::size_t number, const Task& task,
                                                 const Integrator& integrator,
                                                 const SolveOptions& options) {
  try {
    return wmi::prove(certified(number, task), integrator, file_.stream(), options);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    failure_ = error.what();
    return std::nullopt;
  }
}

void ScriptCertificate::certify(std::size_t number, const Task& task,
                                std::span<const Answer> answers, const std::stop_token& stop,
                                ProgressObserver* observer) {
  if (stop.stop_requested()) throw Stopped();
  std::ostream nowhere(nullptr);
  wmi::certify(certified(number, task), answers, failure_ ? nowhere : file_.stream(), stop,
               observer);
  if (failure_) throw GaveUp(*failure_);
}

}  // namespace wmi::frontends
