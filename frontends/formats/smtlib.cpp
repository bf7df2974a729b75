// The SMT-LIB script language with commands for weights and queries (docs/language.md): a table of
// commands on a state that push and pop save and restore. Queries on the same state form one task.

#include <algorithm>
#include <optional>
#include <set>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/formats/copies.h"
#include "frontends/formats/format.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_queries.h"
#include "solver/terms/substitution.h"

namespace wmi::frontends {
namespace {

class ScriptReader {
 public:
  Script read(const Source& source);

 private:
  /// The sizes that push saves.
  struct Scope {
    std::size_t reals, booleans, assertions, weights, observations, integrated, measures;
  };
  struct Command {
    std::string_view name;
    void (ScriptReader::*run)();
  };
  static const Command commands[];

  Variable real_variable(std::size_t part, std::string_view role) const;

  void ignore() {}
  void declare_const();
  void declare_fun();
  void define_const();
  void define_fun();
  void assert_formula();
  void push();
  void pop();
  void echo();
  void exit() { done_ = true; }
  void integrate();
  void weight();
  void observe();

  void declare(const std::string& name, Sort sort, Location place);
  unsigned long levels();
  /// Ends the current task. Called before the state changes.
  void flush();

  Terms terms_;
  TermReader reader_{terms_};
  ScriptCommand command_;  // that is read now

  std::vector<Variable> reals_;
  std::vector<std::uint32_t> booleans_;
  std::unordered_map<std::string, Variable> real_names_;
  std::vector<Formula> assertions_;
  std::vector<Weight> weights_;
  std::vector<Observation> observations_;
  std::vector<Location> observed_at_;
  std::vector<Variable> integrated_;
  std::set<Variable> is_observed_, is_integrated_;
  std::size_t measures_ = 0;  // the number of (integrate ...) commands
  std::vector<Scope> scopes_;

  std::vector<Query> queries_;
  std::vector<Echo> echoes_;
  Script script_;
  Copies copies_;  // of the tasks in script_
  bool asked_ = false;
  bool done_ = false;
};

const ScriptReader::Command ScriptReader::commands[] = {
    {"set-logic", &ScriptReader::ignore},
    {"set-info", &ScriptReader::ignore},
    {"set-option", &ScriptReader::ignore},
    {"declare-const", &ScriptReader::declare_const},
    {"declare-fun", &ScriptReader::declare_fun},
    {"define-const", &ScriptReader::define_const},
    {"define-fun", &ScriptReader::define_fun},
    {"assert", &ScriptReader::assert_formula},
    {"push", &ScriptReader::push},
    {"pop", &ScriptReader::pop},
    {"echo", &ScriptReader::echo},
    {"exit", &ScriptReader::exit},
    {"integrate", &ScriptReader::integrate},
    {"weight", &ScriptReader::weight},
    {"observe", &ScriptReader::observe},
};

Script ScriptReader::read(const Source& source) {
  SexprReader sexprs(source.text);
  bool any = false;
  while (!done_) {
    std::optional<Tree> tree = sexprs.next();
    if (!tree) break;
    any = true;
    command_ = ScriptCommand(std::move(*tree));
    const std::string& name = command_.symbol(0, "the name of a command");
    if (std::optional<Query> query = read_query(command_, reader_, terms_)) {
      asked_ = true;
      queries_.push_back(std::move(*query));
      continue;
    }
    const auto command = std::find_if(std::begin(commands), std::end(commands),
                                      [&](const Command& entry) { return entry.name == name; });
    if (command == std::end(commands))
      throw Error("unknown command '" + name + "'", command_.where(0));
    (this->*command->run)();
  }
  if (!any) throw Error("the file has no commands", {1, 1});
  if (!asked_) {
    Query query;
    query.kind = Query::Kind::wmi;
    query.text = "(get-wmi)";
    query.where = {1, 1};
    queries_.push_back(std::move(query));
  }
  flush();
  return std::move(script_);
}

void ScriptReader::flush() {
  if (queries_.empty() && echoes_.empty()) return;
  const bool echo_first = !echoes_.empty() && echoes_.front().answers_before == 0;
  const Location first = echo_first ? echoes_.front().where : queries_.front().where;
  Task task;
  task.problem.assertions = assertions_;
  task.problem.weights = weights_;
  task.problem.observations = observations_;
  task.queries = std::move(queries_);
  task.echoes = std::move(echoes_);
  queries_.clear();
  echoes_.clear();
  if (std::ranges::none_of(task.queries, &std::string::empty, &Query::refused) &&
      task.echoes.empty())
    refuse_unanswerable(task);  // there is nothing to do but that
  std::vector<bool> integrated(terms_.real_count(), measures_ == 0);
  for (const Variable variable : integrated_) integrated[variable] = true;
  for (const Variable real : reals_) task.problem.integrated.push_back(integrated[real]);
  for (std::size_t i = 0; i < observations_.size(); ++i)
    if (!integrated[observations_[i].variable])
      throw Error("'" + terms_.real_name(observations_[i].variable) +
                      "' is observed but not integrated; add it to (integrate ...), or use "
                      "(get-density TERM :at c) for a derived real",
                  observed_at_[i]);
  script_.push_back(extract(terms_, reals_, booleans_, task));
  copies_.add(script_.back(), first);
}

Variable ScriptReader::real_variable(std::size_t part, std::string_view role) const {
  const std::string& name = command_.symbol(part, "the name of a declared Real");
  const auto found = real_names_.find(name);
  if (found != real_names_.end()) return found->second;
  throw Error("'" + name + "' is not a declared Real; only those can be " + std::string(role),
              command_.where(part));
}

void ScriptReader::declare(const std::string& name, Sort sort, Location place) {
  flush();
  if (sort == Sort::boolean) {
    const auto index = static_cast<std::uint32_t>(terms_.boolean_count());
    reader_.declare(name, terms_.declare_boolean(name), place);
    booleans_.push_back(index);
  } else {
    const Variable variable = terms_.declare_real(name);
    reader_.declare(name, Polynomial::variable(variable), place);
    reals_.push_back(variable);
    real_names_[name] = variable;
  }
}

void ScriptReader::declare_const() {
  command_.expect(2, 2, "(declare-const name sort)");
  declare(command_.symbol(1, "a name"), read_sort(command_.tree(), command_.part(2)),
          command_.where(1));
}

void ScriptReader::declare_fun() {
  command_.expect(3, 3, "(declare-fun name () sort)");
  const std::string& name = command_.symbol(1, "a name");
  if (command_.kind(2) != Sexpr::Kind::list)
    throw Error("expected (declare-fun name () sort)", command_.where(2));
  if (!children(command_.tree(), command_.part(2)).empty())
    throw Error("'" + name + "' is declared with arguments; only constants can be declared",
                command_.where(2));
  declare(name, read_sort(command_.tree(), command_.part(3)), command_.where(1));
}

void ScriptReader::define_const() {
  command_.expect(3, 3, "(define-const name sort term)");
  const Sort sort = read_sort(command_.tree(), command_.part(2));
  Value value = reader_.value(command_.tree(), command_.part(3));
  if (sort_of(value) != sort)
    throw Error("the term is not of the sort that '" + command_.symbol(1, "a name") + "' has",
                command_.where(3));
  reader_.declare(command_.symbol(1, "a name"), std::move(value), command_.where(1));
}

void ScriptReader::define_fun() {
  command_.expect(4, 4, "(define-fun name ((parameter sort) ...) sort term)");
  const std::string& name = command_.symbol(1, "a name");
  const Sort sort = read_sort(command_.tree(), command_.part(3));
  if (command_.kind(2) != Sexpr::Kind::list)
    throw Error("expected (define-fun name ((parameter sort) ...) sort term)", command_.where(2));
  const Tree& tree = command_.tree();
  TermReader::Macro macro;
  for (const std::uint32_t parameter : children(tree, command_.part(2))) {
    if (tree[parameter].kind != Sexpr::Kind::list || children(tree, parameter).size() != 2)
      throw Error("expected (parameter sort)", tree[parameter].where);
    const std::string& parameter_name = read_symbol(tree, parameter + 1, "a parameter");
    for (const auto& [earlier, earlier_sort] : macro.parameters)
      if (earlier == parameter_name)
        throw Error("'" + parameter_name + "' is declared twice", tree[parameter].where);
    macro.parameters.emplace_back(parameter_name, read_sort(tree, children(tree, parameter)[1]));
  }
  if (macro.parameters.empty()) {
    Value value = reader_.value(tree, command_.part(4));
    if (sort_of(value) != sort)
      throw Error("the term is not of the sort that '" + name + "' has", command_.where(4));
    reader_.declare(name, std::move(value), command_.where(1));
    return;
  }
  macro.sort = sort;
  const std::uint32_t first = command_.part(4);
  macro.body.assign(tree.begin() + first, tree.begin() + tree[first].end);
  for (Sexpr& item : macro.body) item.end -= first;
  reader_.define(name, std::move(macro), command_.where(1));
}

void ScriptReader::assert_formula() {
  command_.expect(1, 1, "(assert formula)");
  flush();
  assertions_.push_back(reader_.formula(command_.tree(), command_.part(1)));
}

unsigned long ScriptReader::levels() {
  command_.expect(0, 1, "(push n) or (pop n)");
  if (command_.arguments() == 0) return 1;
  const Rational number = reader_.number(command_.tree(), command_.part(1));
  if (number < 0 || number.get_den() != 1 || number > caps::push.value())
    throw Error("expected a number of levels up to " + std::to_string(caps::push),
                command_.where(1));
  return number.get_num().get_ui();
}

void ScriptReader::push() {
  const unsigned long count = levels();
  if (scopes_.size() + count > caps::push)
    throw Error("more than " + std::to_string(caps::push) + " levels of push", command_.where());
  for (unsigned long i = 0; i < count; ++i) {
    reader_.push();
    scopes_.push_back({reals_.size(), booleans_.size(), assertions_.size(), weights_.size(),
                       observations_.size(), integrated_.size(), measures_});
  }
}

void ScriptReader::pop() {
  const unsigned long count = levels();
  if (count > scopes_.size())
    throw Error("pop without push: " + std::to_string(scopes_.size()) + " levels are open",
                command_.where());
  flush();
  for (unsigned long i = 0; i < count; ++i) {
    reader_.pop();
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    for (std::size_t real = scope.reals; real < reals_.size(); ++real)
      real_names_.erase(terms_.real_name(reals_[real]));
    reals_.resize(scope.reals);
    booleans_.resize(scope.booleans);
    assertions_.resize(scope.assertions);
    weights_.resize(scope.weights);
    for (; observations_.size() > scope.observations; observations_.pop_back())
      is_observed_.erase(observations_.back().variable);
    observed_at_.resize(scope.observations);
    for (; integrated_.size() > scope.integrated; integrated_.pop_back())
      is_integrated_.erase(integrated_.back());
    measures_ = scope.measures;
  }
}

void ScriptReader::integrate() {
  flush();
  ++measures_;
  for (std::size_t part = 1; part <= command_.arguments(); ++part) {
    const Variable variable = real_variable(part, "integrated");
    if (!is_integrated_.insert(variable).second)
      throw Error("'" + command_.text(part) + "' is integrated twice", command_.where(part));
    integrated_.push_back(variable);
  }
}

void ScriptReader::weight() {
  command_.expect(2, 2, "(weight FORMULA TERM)");
  flush();
  const std::string of = to_string(command_.tree(), command_.part(1));
  try {
    const Formula condition = reader_.formula(command_.tree(), command_.part(1));
    weights_.push_back({condition, reader_.real(command_.tree(), command_.part(2))});
  } catch (const Undeclared& error) {
    throw Error(
        "weight of '" + shortened(of) + "' uses '" + error.name() + "', which is not declared",
        error.where());
  }
}

void ScriptReader::observe() {
  command_.expect(2, 2, "(observe NAME NUMBER)");
  flush();
  const Variable variable = real_variable(1, "observed");
  if (!is_observed_.insert(variable).second)
    throw Error("'" + command_.text(1) + "' is observed twice", command_.where(1));
  observations_.push_back({variable, reader_.number(command_.tree(), command_.part(2))});
  observed_at_.push_back(command_.where(1));
}

void ScriptReader::echo() {
  command_.expect(1, 1, "(echo \"text\")");
  if (command_.kind(1) != Sexpr::Kind::string)
    throw Error("expected (echo \"text\")", command_.where(1));
  echoes_.push_back({command_.text(1), queries_.size(), command_.where()});
}

}  // namespace

Script read_smtlib(const Source& source) {
  ScriptReader reader;
  return reader.read(source);
}

}  // namespace wmi::frontends
