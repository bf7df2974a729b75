#include "frontends/wmi/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <new>
#include <span>
#include <thread>

#include "frontends/cli/setting.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/formats/smtlib_writer.h"
#include "frontends/plots/plot.h"
#include "frontends/wmi/explanation.h"
#include "frontends/wmi/law_plots.h"
#include "solver/answers/answer_accumulator.h"
#include "solver/answers/bounded_query.h"
#include "solver/integrators/vertex_counter.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

Script read_script(const std::string& file, const std::string& format) {
  try {
    return read({file, read_input(file)}, format);
  } catch (const UnknownFormat& unknown) {
    throw unknown.with_option("--format");
  }
}

using namespace std::chrono_literals;

Answer unknown(std::string why) {
  Answer answer;
  answer.complete = false;
  answer.undefined = std::move(why);
  return answer;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// `5 cells`, `1 cell`
std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

AnswerRun::AnswerRun(const Options& options, const Supervisor& supervisor, Terminal& terminal,
                     Reader reader, Embedder embedder, TaskSolver solver)
    : options_(options),
      supervisor_(supervisor),
      terminal_(terminal),
      reader_(std::move(reader)),
      embedder_(std::move(embedder)),
      solver_(std::move(solver)),
      enumerator_(options.enumerator->make()),
      integrator_(options.integrator->make(options.integrator_options)) {}

void AnswerRun::work(const std::stop_token& stop) {
  try {
    for (std::size_t i = 0; i < options_.files.size(); ++i) {
      start_file(i);
      try {
        if (stop.stop_requested()) throw Stopped();
        answer_file(stop);
      } catch (const WriteError&) {
        throw;
      } catch (const std::exception& error) {
        failed(error, stop);
      }
    }
  } catch (const WriteError& error) {
    terminal_.say(error.what());
    exits_with(1);
  }
}

const std::string& AnswerRun::file() const { return options_.files[file_]; }

void AnswerRun::start_file(std::size_t index) {
  const std::lock_guard lock(mutex_);
  file_ = index;
  file_start_ = std::chrono::steady_clock::now();
  script_.clear();
  known_.clear();
  refusal_.clear();
  task_ = cells_before_ = vertices_ = 0;
  cells_ = 0;
  messages_ = {};
}

void AnswerRun::answer_file(const std::stop_token& stop) {
  Script script = reader_ ? reader_(file()) : read_script(file(), options_.format);
  if (options_.write_smtlib) return convert(script);
  if (options_.parse_only) {
    for (const Task& task : script) refuse_unanswerable(task);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    script_ = std::move(script);
  }
  if (options_.certificate) {
    std::optional<EmbeddedScript> embedded;
    if (embedder_) embedded = embedder_(file());
    certificate_.emplace(*options_.certificate, std::move(embedded));
  }
  for (const Task& task : script_) {  // task_ is its number
    if (stop.stop_requested() && !proves(task)) {
      const std::lock_guard lock(mutex_);
      if (certificate_) say_uncertified();
      certificate_.reset();
      return print_unfinished(false, {});
    }
    answer_task(task, stop);
  }
  if (certificate_) certificate_->keep();
  certificate_.reset();
  if (options_.stats && !options_.style.json) print_stats();
}

void AnswerRun::convert(const Script& script) {
  const std::string text = write_smtlib(script, options_.pure);
  if (*options_.write_smtlib == "-")
    terminal_.print(text);
  else
    save_result(*options_.write_smtlib, std::string(written_by_wmi) + '\n' + text);
}

void AnswerRun::answer_task(const Task& task, const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<CountedSolution> proved;
  if (proves(task)) proved = prove(task, stop);
  const bool certified = proved.has_value();
  auto [solution, vertices, used_doubles] = certified ? *std::move(proved) : solve(task, stop);
  solution.answers.resize(task.queries.size(), unknown(""));
  const Solution made_of = certificate_ ? solution : Solution();  // before bounds are combined
  solution.answers = enclosed(task, std::move(solution.answers));
  std::optional<Measurements> measured;
  if (options_.stats) measured = {since(start), vertices, enumerator_->counts(), solution.messages};
  cells_before_ = cells_;
  vertices_ += vertices;
  messages_ += solution.messages;
  print(task, solution, measured);
  if (options_.plot) draw(task, solution);
  if (certificate_ && !certified) certify(task, made_of, stop);
  if (options_.explain && !stop.stop_requested()) print_explanation(task, stop);
}

void AnswerRun::draw(const Task& task, const Solution& solution) {
  const std::vector<Query> questions = asked(task);
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (const std::optional<Law>& law = solution.answers[i].law) {
      const std::string file = plot_file(*options_.plot, ++plots_);
      check_output(file, kind::svg.beginnings, options_.overwrite || plots_ == 1);
      save(file, plot(*law, plot_title(questions[i])));
    }
}

/// Does one search find the answers and their proof? It is a variant of the split enumerator.
bool AnswerRun::proves(const Task& task) const {
  return certificate_ && options_.enumerator->make == make_split && options_.digits == 0 &&
         certificate_->can_prove(task);
}

/// The answers with their proof, in one search: bounds, if it is stopped, are proved as well.
std::optional<CountedSolution> AnswerRun::prove(const Task& task, const std::stop_token& stop) {
  const VertexCounter counter(*integrator_);
  start_proof();
  std::optional<Solution> solution =
      certificate_->prove(task_, task, counter, solve_options(options_, stop, this));
  if (!solution) return std::nullopt;
  return CountedSolution{*std::move(solution), counter.vertices()};
}

CountedSolution AnswerRun::solve(const Task& task, const std::stop_token& stop) {
  const bool standard = task.problem.terms.smooth() && options_.digits == 0;
  if (standard && !options_.gap && !options_.style.json)
    terminal_.say(
        fmt::format("{}: note: functions such as exp have no exact integrals: {} "
                    "certified digits; --digits N for more",
                    printable(file()), standard_smooth_digits));
  if (solver_) {
    CountedSolution found = solver_(task_, task);
    std::size_t cells = 0;
    for (const Answer& answer : found.solution.answers) cells = std::max(cells, answer.cells);
    added(cells);
    return found;
  }
  const SolveOptions options = solve_options(options_, stop, this);
  if (standard)
    return solve_to_digits(standard_smooth_digits, task, *enumerator_, *integrator_, options);
  return options_.digits > 0
             ? solve_to_digits(options_.digits, task, *enumerator_, *integrator_, options)
             : solve_counted(task, *enumerator_, *integrator_, options);
}

void AnswerRun::print_explanation(const Task& task, const std::stop_token& stop) {
  const NamedExplanation found = explain(task, *enumerator_, *integrator_, stop);
  const std::string text =
      report(found.explanation, found.names, options_.style, circumstances().file);
  const std::lock_guard lock(mutex_);
  terminal_.print(text);
}

void AnswerRun::say_uncertified() {
  terminal_.say(printable(file()) + ": no certificate: stopped by " +
                std::string(supervisor_.reason()));
  exits_with(3);
}

/// A certificate that cannot be written is not kept, and the message says why.
void AnswerRun::certify(const Task& task, const Solution& solution, const std::stop_token& stop) {
  try {
    start_proof();
    return certificate_->certify(task_ - 1, task, solution.answers, stop, this);  // it is printed
  } catch (const Stopped&) {
    say_uncertified();
  } catch (const Error& error) {
    complain(error.where(), error.what());
  } catch (const GaveUp& error) {
    terminal_.say(printable(file()) + ": no certificate: " + one_line(error.what()) +
                  (solution.messages.any()
                       ? "; its answers were found without a search, which a certificate needs"
                       : ""));
    exits_with(3);
  }
  certificate_.reset();
}

Circumstances AnswerRun::circumstances() const {
  return {
      options_.files.size() > 1 ? std::string_view(file()) : std::string_view(),
      supervisor_.reason().empty() ? std::string_view(options_.unfinished) : supervisor_.reason(),
      {}};
}

void AnswerRun::print(const Echo& echo) {
  terminal_.print(report(echo, options_.style, circumstances().file));
}

void AnswerRun::print(const Task& task, const Solution& solution,
                      std::optional<Measurements> measured) {
  Circumstances beside = circumstances();
  beside.measured = measured;
  const std::vector<Query> questions = asked(task);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < questions.size(); ++i)
    lines.push_back(report(questions[i], solution.answers[i], options_.style, beside));

  const std::lock_guard lock(mutex_);
  for (const std::string& warning : solution.warnings)
    terminal_.say(fmt::format("{}: warning: {}", printable(file()), one_line(warning)));
  const auto print_answer = [&](std::size_t i) {
    const Answer& answer = solution.answers[i];
    if (!answer.complete) unfinished_ = true;
    if (!answer.refused.empty() && answer.refused != refusal_) {  // the same reason is printed once
      refusal_ = answer.refused;
      if (answer.gave_up)
        give_up(questions[i].where, answer.refused);
      else
        complain(questions[i].where, answer.refused);
    }
    terminal_.print(lines[i]);
    if (options_.style.json) return;
    for (const std::string& remark : remarks(questions[i], answer))
      terminal_.say(fmt::format("{}: note: {}", printable(file()), remark));
  };
  in_order(
      questions.size(), task.echoes, [&](const Echo& echo) { print(echo); }, print_answer);
  ++task_;
}

/// Reports the tasks of this file that are not answered. The first of them may be `started`, and have
/// `known` bounds. Needs the mutex.
void AnswerRun::print_unfinished(bool started, std::vector<Answer> known) {
  unfinished_ = true;
  if (script_.empty()) terminal_.say(printable(file()) + ": not read");
  for (; task_ < script_.size(); ++task_) {
    const Task& task = script_[task_];
    known.resize(task.queries.size(), unknown(started ? "" : "not started"));
    known = enclosed(task, std::move(known));
    for (Answer& answer : known) answer.assumptions = task.assumptions;
    const std::vector<Query> questions = asked(task);
    in_order(
        questions.size(), task.echoes, [&](const Echo& echo) { print(echo); },
        [&](std::size_t i) {
          terminal_.print(report(questions[i], known[i], options_.style, circumstances()));
        });
    started = false;
    known.clear();
  }
}

void AnswerRun::print_stats() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::size_t queries = 0;
  for (const Task& task : script_) queries += asked(task).size() + task.echoes.size();
  terminal_.say(fmt::format("{}: {} {}, {}, {}, {:.3f} seconds, {} MB", printable(file()), queries,
                            queries == 1 ? "query" : "queries", counted(cells_, "cell"),
                            vertices_ == 1 ? "1 vertex" : fmt::format("{} vertices", vertices_),
                            since(file_start_), usage.ru_maxrss / 1024));
  if (messages_.messages > 0)
    terminal_.say(fmt::format("{}: {} between {} of variables, of up to {}", printable(file()),
                              counted(messages_.messages, "message"),
                              counted(messages_.blocks, "block"),
                              counted(messages_.most_pieces, "piece")));
  if (messages_.cut_boxes > 0)
    terminal_.say(fmt::format("{}: {} with cuts integrated without vertices", printable(file()),
                              messages_.cut_boxes == 1
                                  ? std::string("1 box")
                                  : fmt::format("{} boxes", messages_.cut_boxes)));
  if (messages_.discrete_sums > 0)
    terminal_.say(fmt::format("{}: {} over Booleans without a search", printable(file()),
                              counted(messages_.discrete_sums, "sum")));
  if (messages_.cases > 0)
    terminal_.say(fmt::format(
        "{}: {} of small blocks", printable(file()),
        messages_.cases == 1 ? std::string("1 case") : fmt::format("{} cases", messages_.cases)));
  const SearchCounts counts = enumerator_->counts();
  if (counts.signs_in_doubles > 0)
    terminal_.say(fmt::format("{}: {} signs decided in doubles, {} by exact numbers; {} early",
                              printable(file()), counts.signs_in_doubles, counts.exact_signs,
                              counted(counts.early_decisions, "region") + " decided"));
}

void AnswerRun::failed(const std::exception& error, const std::stop_token& stop) {
  if (const auto* bad_input = dynamic_cast<const Error*>(&error)) {
    complain(bad_input->where(), error.what());
  } else if (stop.stop_requested()) {  // the exception is that of an interrupted library
    const std::lock_guard lock(mutex_);
    print_unfinished(true, known_);
  } else {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    give_up({}, memory ? "not enough memory" : error.what());
  }
}

void AnswerRun::give_up(Location where, std::string_view why) {
  terminal_.say(message(file(), where, "gave up: " + std::string(why)));
  exits_with(3);
}

/// An error of the input.
void AnswerRun::complain(Location where, std::string_view what) {
  terminal_.say(message(file(), where, what));
  exits_with(1);
}

std::string AnswerRun::progress() const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return "";
  const double seconds = since(file_start_);
  if (script_.empty()) return fmt::format("{}: reading, {:.1f} s", file(), seconds);
  return fmt::format("{}: {}, {:.0f}/s, {:.1f} s", file(), counted(cells_, "cell"),
                     static_cast<double>(cells_) / seconds, seconds);
}

void AnswerRun::print_bounds() {
  unfinished_ = true;
  for (int tries = 0; !mutex_.try_lock(); ++tries) {  // not unlocked: the work prints no more
    if (tries == 50) return;
    std::this_thread::sleep_for(10ms);
  }
  std::vector<Answer> known;
  if (running_ != nullptr)
    known = within(1s, [this] { return running_->bounds(); }).value_or(known);
  print_unfinished(true, std::move(known));
  for (std::size_t i = file_ + 1; i < options_.files.size(); ++i)
    terminal_.say(printable(options_.files[i]) + ": not read");
}

int AnswerRun::finish() {
  if (options_.plot && plots_ == 0 && status_ == 0 && !unfinished_)
    terminal_.say("warning: --plot: there is no law to draw; ask (get-distribution TERM)");
  if (unfinished_ && supervisor_.reason().empty() && !options_.unfinished.empty()) {
    terminal_.say(printable(file()) + ": bounds only: " + options_.unfinished);
    exits_with(3);
  } else if (unfinished_) {
    terminal_.say(fmt::format("stopped by {} after {:.3g} seconds", supervisor_.reason(),
                              supervisor_.elapsed().count()));
    exits_with(3);
  }
  return status_;
}

void AnswerRun::started(const AnswerAccumulator& answers) {
  const std::lock_guard lock(mutex_);
  running_ = &answers;
  known_.clear();
}

/// From several threads, and not always in order.
void AnswerRun::added(std::size_t cells) {
  cells += cells_before_;
  for (std::size_t known = cells_; known < cells && !cells_.compare_exchange_weak(known, cells);) {
  }
}

void AnswerRun::start_proof() { proof_ = ProofEstimate(); }

void AnswerRun::proved(double share) {
  if (const std::optional<std::string> line = proof_.update(share))
    terminal_.say(printable(file()) + ": " + *line);
}

void AnswerRun::ended() {
  std::vector<Answer> known;
  if (!supervisor_.reason().empty()) {  // in case the solve ends in an exception of some library
    try {
      known = running_->bounds();
    } catch (const std::exception&) {
    }
  }
  const std::lock_guard lock(mutex_);
  known_ = std::move(known);
  running_ = nullptr;
}

void AnswerRun::exits_with(int status) {
  if (status > status_) status_ = status;
}

}  // namespace wmi::frontends
