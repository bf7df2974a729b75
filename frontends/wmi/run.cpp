#include "frontends/wmi/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <span>
#include <thread>

#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/formats/smtlib_writer.h"
#include "frontends/plots/plot.h"
#include "solver/answers/answer_accumulator.h"
#include "solver/answers/bounded_query.h"
#include "solver/answers/explain.h"
#include "solver/certificate.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi::frontends {
namespace {

using namespace std::chrono_literals;

/// An integrator that counts the vertices it is given.
class Counting final : public Integrator {
 public:
  explicit Counting(const Integrator& inner) : inner_(inner) {}

  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    vertices_ += region.vertex_count();
    return inner_.integrate(integrands, region);
  }

  std::size_t vertices() const { return vertices_; }

 private:
  const Integrator& inner_;
  mutable std::atomic<std::size_t> vertices_ = 0;
};

Answer unknown(std::string why) {
  Answer answer;
  answer.complete = false;
  answer.undefined = std::move(why);
  return answer;
}

/// Is each answer known to so many digits?
bool has_digits(const Solution& solution, unsigned digits) {
  const Rational scale = power(Rational(10), digits);
  const auto narrow = [&](const Interval& value) {
    const Rational least = std::min(abs(value.lower), abs(value.upper));
    return value.exact() || (!value.contains(0) && (value.upper - value.lower) * scale <= least);
  };
  return std::all_of(solution.answers.begin(), solution.answers.end(), [&](const Answer& answer) {
    return !answer.too_wide && (!answer.value || narrow(*answer.value)) &&
           (!answer.left || narrow(*answer.left));
  });
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// `5 cells`, `1 cell`
std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// `law of z`, for (get-distribution z)
std::string title(const Query& query) {
  std::string text = one_line(query.text);
  constexpr std::string_view command = "(get-distribution ";
  if (!text.starts_with(command) || !text.ends_with(')')) return text;
  return "law of " + text.substr(command.size(), text.size() - command.size() - 1);
}

/// `out.svg`, `out-2.svg`, `out-3.svg`
std::string numbered(const std::string& file, std::size_t number) {
  if (number == 1) return file;
  const std::filesystem::path path = file;
  std::filesystem::path name = path.stem();
  name += fmt::format("-{}", number);
  name += path.extension();
  return (path.parent_path() / name).string();
}

}  // namespace

AnswerRun::AnswerRun(const Options& options, const Supervisor& supervisor, Terminal& terminal,
                     Reader reader, Carrier carrier)
    : options_(options),
      supervisor_(supervisor),
      terminal_(terminal),
      reader_(std::move(reader)),
      carrier_(std::move(carrier)),
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
}

void AnswerRun::answer_file(const std::stop_token& stop) {
  Script script = reader_(file());
  if (options_.write_smtlib) return convert(script);
  if (options_.parse_only) return;
  {
    const std::lock_guard lock(mutex_);
    script_ = std::move(script);
  }
  if (options_.certificate) {
    certificate_ = std::make_unique<NewFile>(*options_.certificate);
    if (carrier_) {
      EmbeddedProblem carried = carrier_(file());
      certificate_->stream() << carried.head;
      certified_ = std::move(carried.script);
    }
    certificate_->stream() << certificate_mark;
    spoilt_ = false;
  }
  for (const Task& task : script_) {  // task_ counts along, under the mutex
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
    save(*options_.write_smtlib, text);
}

void AnswerRun::answer_task(const Task& task, const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t vertices = 0;
  bool certified = false;
  Solution solution =
      proves(task) ? proved(task, stop, vertices, certified) : solved(task, stop, vertices);
  solution.answers.resize(task.queries.size(), unknown(""));
  const Solution made_of = certificate_ ? solution : Solution();  // before bounds are combined
  solution.answers = enclosed(task, std::move(solution.answers));
  std::optional<Measurements> measured;
  if (options_.stats) measured = {since(start), vertices};
  cells_before_ = cells_;
  vertices_ += vertices;
  print(task, solution, measured);
  if (options_.plot) draw(task, solution);
  if (certificate_ && !certified) certify(task, made_of, stop);
  if (options_.explain && !stop.stop_requested()) print_explanation(task, stop);
}

void AnswerRun::draw(const Task& task, const Solution& solution) {
  const std::vector<Query> questions = asked(task);
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (const std::optional<Law>& law = solution.answers[i].law)
      save(numbered(*options_.plot, ++plots_), plot(*law, title(questions[i])));
}

/// Does one search find the answers and their proof? Only with the enumerator that it is like.
bool AnswerRun::proves(const Task& task) const {
  return certificate_ && !spoilt_ && options_.enumerator->make == make_split &&
         options_.digits == 0 && std::all_of(task.queries.begin(), task.queries.end(), certifiable);
}

/// The answers with their proof, in one search: what is known of them when it has to stop is proved
/// as well. Where there is no proof, the answers alone.
Solution AnswerRun::proved(const Task& task, const std::stop_token& stop, std::size_t& vertices,
                           bool& certified) {
  try {
    const Counting integrator(*integrator_);
    const Task& carried = carrier_ ? certified_.at(task_) : task;
    SolveOptions options = solve_options(stop);
    options.gap = options_.gap;
    Solution solution = prove(carried, integrator, certificate_->stream(), options);
    vertices = integrator.vertices();
    certified = true;
    return solution;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // said of the certificate, when the answers are known
    spoilt_ = true;
    why_not_ = error.what();
    return solved(task, stop, vertices);
  }
}

void AnswerRun::say_uncertified() {
  terminal_.say(printable(file()) + ": no certificate: stopped by " +
                std::string(supervisor_.reason()));
  exits_with(3);
}

/// One that cannot be written is not kept, and says why.
void AnswerRun::certify(const Task& task, const Solution& solution, const std::stop_token& stop) {
  try {
    if (stop.stop_requested()) throw Stopped();
    std::ostream nowhere(nullptr);
    const Task& certified = carrier_ ? certified_.at(task_ - 1) : task;  // which is printed
    wmi::certify(certified, solution.answers, spoilt_ ? nowhere : certificate_->stream(), stop);
    if (!spoilt_) return;
    throw GaveUp("no certificate: " + why_not_);
  } catch (const Stopped&) {
    say_uncertified();
  } catch (const Error& error) {
    complain(error.where(), error.what());
  } catch (const GaveUp& error) {
    terminal_.say(printable(file()) + ": " + one_line(error.what()));
    exits_with(3);
  }
  certificate_.reset();
}

/// Of the definitions that have names, or else of all in the terms and events that are asked about.
void AnswerRun::print_explanation(const Task& task, const std::stop_token& stop) {
  const bool as_is = task.problem.observations.empty();
  const Task plain = as_is ? task : apply_observations(task);  // which numbers its variables anew
  const std::map<Variable, UnitName> given_names =
      as_is ? task.names : std::map<Variable, UnitName>();
  const Terms& terms = plain.problem.terms;
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;
  for (const Query& query : plain.queries) {
    formulas.insert(formulas.end(), {query.event, query.given});
    polynomials.push_back(query.term);
  }
  std::vector<Variable> defined;
  for (const std::uint32_t node : terms.below(formulas, polynomials))
    if (terms.node(node).kind == Kind::definition) {
      const Variable variable = terms.definition(terms.node(node).index).variable;
      if (given_names.empty() || given_names.contains(variable)) defined.push_back(variable);
    }
  std::sort(defined.begin(), defined.end());
  Explanation found = explain(plain.problem, defined, *enumerator_, *integrator_, stop);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.definitions.size(); ++i) {
    const Variable variable = found.definitions[i];
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variable)).index);
    const auto given = given_names.find(variable);
    names.push_back(given != given_names.end() ? given->second.text
                                               : formula_text(terms, definition.condition));
    if (given != given_names.end() && given->second.reversed)
      for (Pattern& pattern : found.patterns) pattern.holds[i] = !pattern.holds[i];
  }
  const std::string text = report(found, names, options_.style, circumstances().file);
  const std::lock_guard lock(mutex_);
  terminal_.print(text);
}

/// Without a gap.
SolveOptions AnswerRun::solve_options(const std::stop_token& stop) {
  return {.threads = options_.threads,
          .digits = static_cast<unsigned>(options_.style.decimals) + 2,
          .stop = stop,
          .observer = this};
}

/// Exactly; or, where some digits are enough, with as many of each cell as it takes: what is lost
/// when cells cancel is seen only in the end.
Solution AnswerRun::solved(const Task& task, const std::stop_token& stop, std::size_t& vertices) {
  constexpr unsigned spare = 1, most = 120;  // beyond so many digits, exact is not dearer
  SolveOptions options = solve_options(stop);
  for (unsigned digits = options_.digits + spare;
       options_.digits > 0 && !options_.gap && digits <= most; digits *= 2) {
    const std::unique_ptr<Integrator> rounded = make_auto({.digits = digits});
    const Counting integrator(*rounded);
    Solution solution = solve(task, *enumerator_, integrator, options);
    vertices = integrator.vertices();
    if (stop.stop_requested() || has_digits(solution, options_.digits)) return solution;
  }
  const Counting integrator(*integrator_);
  options.gap = options_.gap;
  Solution solution = solve(task, *enumerator_, integrator, options);
  vertices = integrator.vertices();
  return solution;
}

Circumstances AnswerRun::circumstances() const {
  return {options_.files.size() > 1 ? std::string_view(file()) : std::string_view(),
          supervisor_.reason(),
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
    if (!answer.refused.empty() && answer.refused != refusal_) {  // one line for one reason
      complain(questions[i].where, answer.refused);
      refusal_ = answer.refused;
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

/// Reports the tasks of this file that are not answered. The first of them may be `started`, and
/// something `known` of it. Needs the mutex.
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
}

void AnswerRun::failed(const std::exception& error, const std::stop_token& stop) {
  if (const auto* bad_input = dynamic_cast<const Error*>(&error)) {
    complain(bad_input->where(), error.what());
  } else if (stop.stop_requested()) {  // whatever a library calls it when it is interrupted
    const std::lock_guard lock(mutex_);
    print_unfinished(true, known_);
  } else {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    terminal_.say(printable(file()) +
                  ": gave up: " + (memory ? "not enough memory" : one_line(error.what())));
    exits_with(3);
  }
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

void AnswerRun::speak_for_it() {
  unfinished_ = true;
  for (int tries = 0; !mutex_.try_lock(); ++tries) {  // kept to the end: the work says no more
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
  if (unfinished_) {
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
