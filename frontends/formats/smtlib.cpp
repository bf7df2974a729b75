// The SMT-LIB script language with commands for weights and queries (docs/language.md): a table of
// commands on a state that push and pop save and restore. Queries on the same state form one task.

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/formats/copies.h"
#include "frontends/formats/format.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_terms.h"
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

  // The current command and its parts.
  const std::string& text(std::size_t part) const { return tree_[parts_[part]].text; }
  Location where(std::size_t part = 0) const {
    return part == 0 ? tree_[0].where : tree_[parts_[part]].where;
  }
  void expect(std::size_t least, std::size_t most, std::string_view usage) const {
    if (parts_.size() - 1 < least || parts_.size() - 1 > most)
      throw Error("expected " + std::string(usage), where());
  }
  const std::string& symbol(std::size_t part, std::string_view expected) const {
    return read_symbol(tree_, parts_[part], expected);
  }
  Variable real_variable(std::size_t part, std::string_view role) const;

  void ignore() {}
  void declare_const();
  void declare_fun();
  void define_const();
  void define_fun();
  void assert_formula();
  void push();
  void pop();
  void check_sat();
  void echo();
  void exit() { done_ = true; }
  void integrate();
  void weight();
  void observe();
  void get_wmi();
  void get_probability();
  void get_expectation() {
    ask_term(Query::Kind::expectation, "(get-expectation TERM [:given FORMULA])");
  }
  void get_variance() { ask_term(Query::Kind::variance, "(get-variance TERM [:given FORMULA])"); }
  void get_moment();
  void get_density();
  void get_distribution();
  void get_cdf();
  void get_quantile();

  void declare(const std::string& name, Sort sort, Location place);
  void ask_term(Query::Kind kind, std::string_view usage);
  void ask_at(Query::Kind kind, std::string_view usage);
  Polynomial affine(std::size_t part);
  Query begin(Query::Kind kind);
  /// Removes `:given G` and `:at c` from the end of the command.
  void take_keywords(Query& query, bool with_at);
  void ask(Query query);
  unsigned long levels();
  /// Ends the current task. Called before the state changes.
  void flush();

  Terms terms_;
  TermReader reader_{terms_};
  Tree tree_;
  std::vector<std::uint32_t> parts_;  // of the command, its name first

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
    {"check-sat", &ScriptReader::check_sat},
    {"echo", &ScriptReader::echo},
    {"exit", &ScriptReader::exit},
    {"integrate", &ScriptReader::integrate},
    {"weight", &ScriptReader::weight},
    {"observe", &ScriptReader::observe},
    {"get-wmi", &ScriptReader::get_wmi},
    {"get-probability", &ScriptReader::get_probability},
    {"get-expectation", &ScriptReader::get_expectation},
    {"get-variance", &ScriptReader::get_variance},
    {"get-moment", &ScriptReader::get_moment},
    {"get-density", &ScriptReader::get_density},
    {"get-distribution", &ScriptReader::get_distribution},
    {"get-cdf", &ScriptReader::get_cdf},
    {"get-quantile", &ScriptReader::get_quantile},
};

Script ScriptReader::read(const Source& source) {
  SexprReader sexprs(source.text);
  bool any = false;
  while (!done_) {
    std::optional<Tree> tree = sexprs.next();
    if (!tree) break;
    any = true;
    tree_ = std::move(*tree);
    if (tree_[0].kind != Sexpr::Kind::list || tree_[0].end == 1)
      throw Error("expected a command in parentheses", tree_[0].where);
    parts_ = children(tree_, 0);
    const std::string& name = symbol(0, "the name of a command");
    const auto command = std::find_if(std::begin(commands), std::end(commands),
                                      [&](const Command& entry) { return entry.name == name; });
    if (command == std::end(commands))
      throw Error("unknown command '" + name + "'", tree_[parts_[0]].where);
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
  const std::string& name = symbol(part, "the name of a declared Real");
  const auto found = real_names_.find(name);
  if (found != real_names_.end()) return found->second;
  throw Error("'" + name + "' is not a declared Real; only those can be " + std::string(role),
              where(part));
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
  expect(2, 2, "(declare-const name sort)");
  declare(symbol(1, "a name"), read_sort(tree_, parts_[2]), where(1));
}

void ScriptReader::declare_fun() {
  expect(3, 3, "(declare-fun name () sort)");
  const std::string& name = symbol(1, "a name");
  if (tree_[parts_[2]].kind != Sexpr::Kind::list)
    throw Error("expected (declare-fun name () sort)", where(2));
  if (!children(tree_, parts_[2]).empty())
    throw Error("'" + name + "' is declared with arguments; only constants can be declared",
                where(2));
  declare(name, read_sort(tree_, parts_[3]), where(1));
}

void ScriptReader::define_const() {
  expect(3, 3, "(define-const name sort term)");
  const Sort sort = read_sort(tree_, parts_[2]);
  Value value = reader_.value(tree_, parts_[3]);
  if (sort_of(value) != sort)
    throw Error("the term is not of the sort that '" + symbol(1, "a name") + "' has", where(3));
  reader_.declare(symbol(1, "a name"), std::move(value), where(1));
}

void ScriptReader::define_fun() {
  expect(4, 4, "(define-fun name ((parameter sort) ...) sort term)");
  const std::string& name = symbol(1, "a name");
  const Sort sort = read_sort(tree_, parts_[3]);
  if (tree_[parts_[2]].kind != Sexpr::Kind::list)
    throw Error("expected (define-fun name ((parameter sort) ...) sort term)", where(2));
  TermReader::Macro macro;
  for (const std::uint32_t parameter : children(tree_, parts_[2])) {
    if (tree_[parameter].kind != Sexpr::Kind::list || children(tree_, parameter).size() != 2)
      throw Error("expected (parameter sort)", tree_[parameter].where);
    const std::string& parameter_name = read_symbol(tree_, parameter + 1, "a parameter");
    for (const auto& [earlier, earlier_sort] : macro.parameters)
      if (earlier == parameter_name)
        throw Error("'" + parameter_name + "' is declared twice", tree_[parameter].where);
    macro.parameters.emplace_back(parameter_name, read_sort(tree_, children(tree_, parameter)[1]));
  }
  if (macro.parameters.empty()) {
    Value value = reader_.value(tree_, parts_[4]);
    if (sort_of(value) != sort)
      throw Error("the term is not of the sort that '" + name + "' has", where(4));
    reader_.declare(name, std::move(value), where(1));
    return;
  }
  macro.sort = sort;
  const std::uint32_t first = parts_[4];
  macro.body.assign(tree_.begin() + first, tree_.begin() + tree_[first].end);
  for (Sexpr& item : macro.body) item.end -= first;
  reader_.define(name, std::move(macro), where(1));
}

void ScriptReader::assert_formula() {
  expect(1, 1, "(assert formula)");
  flush();
  assertions_.push_back(reader_.formula(tree_, parts_[1]));
}

unsigned long ScriptReader::levels() {
  expect(0, 1, "(push n) or (pop n)");
  if (parts_.size() == 1) return 1;
  const Rational number = reader_.number(tree_, parts_[1]);
  if (number < 0 || number.get_den() != 1 || number > caps::push.value())
    throw Error("expected a number of levels up to " + std::to_string(caps::push), where(1));
  return number.get_num().get_ui();
}

void ScriptReader::push() {
  const unsigned long count = levels();
  if (scopes_.size() + count > caps::push)
    throw Error("more than " + std::to_string(caps::push) + " levels of push", where());
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
                where());
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
  for (std::size_t part = 1; part < parts_.size(); ++part) {
    const Variable variable = real_variable(part, "integrated");
    if (!is_integrated_.insert(variable).second)
      throw Error("'" + text(part) + "' is integrated twice", where(part));
    integrated_.push_back(variable);
  }
}

void ScriptReader::weight() {
  expect(2, 2, "(weight FORMULA TERM)");
  flush();
  const std::string of = to_string(tree_, parts_[1]);
  try {
    const Formula condition = reader_.formula(tree_, parts_[1]);
    weights_.push_back({condition, reader_.real(tree_, parts_[2])});
  } catch (const Undeclared& error) {
    throw Error(
        "weight of '" + shortened(of) + "' uses '" + error.name() + "', which is not declared",
        error.where());
  }
}

void ScriptReader::observe() {
  expect(2, 2, "(observe NAME NUMBER)");
  flush();
  const Variable variable = real_variable(1, "observed");
  if (!is_observed_.insert(variable).second)
    throw Error("'" + text(1) + "' is observed twice", where(1));
  observations_.push_back({variable, reader_.number(tree_, parts_[2])});
  observed_at_.push_back(where(1));
}

Query ScriptReader::begin(Query::Kind kind) {
  Query query;
  query.kind = kind;
  query.text = to_string(tree_);
  query.where = where();
  return query;
}

void ScriptReader::ask(Query query) {
  asked_ = true;
  queries_.push_back(std::move(query));
}

void ScriptReader::take_keywords(Query& query, bool with_at) {
  bool given = false, at = false;
  while (parts_.size() >= 4) {
    const Sexpr& keyword = tree_[parts_[parts_.size() - 2]];
    if (keyword.kind != Sexpr::Kind::keyword) break;
    const std::uint32_t argument = parts_.back();
    if (keyword.text == "given" && !given) {
      query.given = reader_.formula(tree_, argument);
      given = true;
    } else if (keyword.text == "at" && with_at && !at) {
      query.at = reader_.number(tree_, argument);
      at = true;
    } else {
      throw Error("unexpected ':" + keyword.text + "'", keyword.where);
    }
    parts_.resize(parts_.size() - 2);
  }
  const auto is_keyword = [&](std::size_t part) {
    return tree_[parts_[part]].kind == Sexpr::Kind::keyword;
  };
  const std::size_t last = parts_.size() - 1;
  if (last > 0 && is_keyword(last)) {
    if (text(last) == "given" && !given)
      throw Error("the formula after ':given' is missing", where(last));
    if (text(last) == "at" && with_at && !at)
      throw Error("the number after ':at' is missing", where(last));
  }
  for (std::size_t part = 1; part <= last; ++part)
    if (is_keyword(part)) throw Error("unexpected ':" + text(part) + "'", where(part));
  if (with_at && !at)
    throw Error(
        "':at NUMBER' is missing: expected (" + text(0) + " TERM :at NUMBER [:given FORMULA])",
        where());
}

void ScriptReader::check_sat() {
  expect(0, 0, "(check-sat)");
  ask(begin(Query::Kind::satisfiable));
}

void ScriptReader::echo() {
  expect(1, 1, "(echo \"text\")");
  if (tree_[parts_[1]].kind != Sexpr::Kind::string)
    throw Error("expected (echo \"text\")", where(1));
  echoes_.push_back({text(1), queries_.size(), where()});
}

void ScriptReader::get_wmi() {
  expect(0, 1, "(get-wmi) or (get-wmi FORMULA)");
  Query query = begin(Query::Kind::wmi);
  if (parts_.size() == 2) query.event = reader_.formula(tree_, parts_[1]);
  ask(std::move(query));
}

void ScriptReader::get_probability() {
  Query query = begin(Query::Kind::probability);
  take_keywords(query, false);
  expect(1, 1, "(get-probability FORMULA [:given FORMULA])");
  query.event = reader_.formula(tree_, parts_[1]);
  ask(std::move(query));
}

void ScriptReader::ask_term(Query::Kind kind, std::string_view usage) {
  Query query = begin(kind);
  take_keywords(query, false);
  expect(1, 1, usage);
  query.term = reader_.real(tree_, parts_[1]);
  ask(std::move(query));
}

void ScriptReader::get_moment() {
  Query query = begin(Query::Kind::moment);
  take_keywords(query, false);
  expect(2, 2, "(get-moment TERM NUMBER [:given FORMULA])");
  query.term = reader_.real(tree_, parts_[1]);
  const Rational order = reader_.number(tree_, parts_[2]);
  if (order < 0 || order.get_den() != 1 || order > wmi::caps::degree.value())
    throw Error("expected a natural number up to " + std::to_string(wmi::caps::degree), where(2));
  query.order = static_cast<unsigned>(order.get_num().get_ui());
  ask(std::move(query));
}

/// A term that must be piecewise affine.
Polynomial ScriptReader::affine(std::size_t part) {
  try {
    return terms_.affine(reader_.real(tree_, parts_[part]));
  } catch (const Error& error) {
    throw error.where().line != 0 ? error : Error(error.what(), where(part));
  }
}

void ScriptReader::ask_at(Query::Kind kind, std::string_view usage) {
  Query query = begin(kind);
  take_keywords(query, true);
  expect(1, 1, usage);
  query.term = affine(1);
  ask(std::move(query));
}

void ScriptReader::get_density() {
  ask_at(Query::Kind::density, "(get-density TERM :at NUMBER [:given FORMULA])");
}

void ScriptReader::get_cdf() {
  ask_at(Query::Kind::cdf, "(get-cdf TERM :at NUMBER [:given FORMULA])");
}

void ScriptReader::get_distribution() {
  Query query = begin(Query::Kind::distribution);
  take_keywords(query, false);
  expect(1, 1, "(get-distribution TERM [:given FORMULA])");
  query.term = affine(1);
  ask(std::move(query));
}

void ScriptReader::get_quantile() {
  Query query = begin(Query::Kind::quantile);
  take_keywords(query, false);
  constexpr std::string_view usage = "(get-quantile TERM PROBABILITY [:given FORMULA])";
  if (parts_.size() == 2)
    throw Error("the probability is missing: expected " + std::string(usage), where());
  expect(2, 2, usage);
  query.term = affine(1);
  query.at = reader_.number(tree_, parts_[2]);
  if (query.at <= 0 || query.at > 1)
    throw Error("expected a probability above 0 and at most 1", where(2));
  ask(std::move(query));
}

}  // namespace

Script read_smtlib(const Source& source) {
  ScriptReader reader;
  return reader.read(source);
}

}  // namespace wmi::frontends
