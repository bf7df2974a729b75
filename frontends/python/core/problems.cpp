#include "frontends/python/core/problems.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "frontends/formats/format.h"
#include "frontends/python/core/numbers.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi::python {

using frontends::Sort;
using frontends::sort_of;
using frontends::Value;

namespace {

void declare(const std::vector<Symbol>& symbols, NamedProblem& result) {
  for (const Sort sort : {Sort::real, Sort::boolean})
    for (const Symbol& symbol : symbols) {
      if (symbol.sort != sort) continue;
      if (result.names.contains(symbol.name))
        throw Error("'" + symbol.name + "' is both a real and a Boolean of the problem");
      Terms& terms = result.problem.terms;
      if (sort == Sort::real)
        result.names.emplace(symbol.name, Polynomial::variable(terms.declare_real(symbol.name)));
      else
        result.names.emplace(symbol.name, terms.declare_boolean(symbol.name));
    }
  result.problem.integrated.assign(result.problem.terms.real_count(), true);
}

const Formula& formula(const Value& value) {
  if (sort_of(value) != Sort::boolean) throw Error("expected a formula, not a term");
  return std::get<Formula>(value);
}

const Polynomial& real(const Value& value) {
  if (sort_of(value) != Sort::real) throw Error("expected a term, not a formula");
  return std::get<Polynomial>(value);
}

/// Which declared real a value is.
Variable variable(const Value& value, std::size_t declared) {
  const auto& terms = real(value).terms();
  if (terms.size() != 1 || terms[0].coefficient != 1 || terms[0].monomial.size() != 1 ||
      terms[0].monomial[0].exponent != 1 || terms[0].monomial[0].variable >= declared)
    throw Error("expected a real variable");
  return terms[0].monomial[0].variable;
}

/// The parts as numbers of expressions.
struct Numbered {
  struct Bound {
    std::uint32_t variable;
    std::optional<Rational> lower, upper;
  };

  Expressions expressions;
  std::vector<Bound> bounds;
  std::vector<std::uint32_t> assertions, integrated;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> weights;
  std::vector<std::pair<std::uint32_t, Rational>> observations;

  explicit Numbered(const ProblemParts& parts) {
    for (const py::handle one : parts.variables) expressions.add(one);
    for (const py::handle one : parts.bounds) {
      const auto bound = py::reinterpret_borrow<py::tuple>(one);
      bounds.push_back({expressions.add(bound[0]), to_rational_or_none(bound[1]),
                        to_rational_or_none(bound[2])});
    }
    for (const py::handle one : parts.assertions) assertions.push_back(expressions.add(one));
    for (const py::handle one : parts.weights) {
      const auto weight = py::reinterpret_borrow<py::tuple>(one);
      const std::uint32_t condition = expressions.add(weight[0]);
      weights.emplace_back(condition, expressions.add(weight[1]));
    }
    for (const py::handle one : parts.observations) {
      const auto observation = py::reinterpret_borrow<py::tuple>(one);
      observations.emplace_back(expressions.add(observation[0]), to_rational(observation[1]));
    }
    if (!parts.integrated.is_none())
      for (const py::handle one : parts.integrated) integrated.push_back(expressions.add(one));
  }
};

void extend(const ProblemParts& parts, const Numbered& numbered, NamedProblem& result) {
  Problem& problem = result.problem;
  Terms& terms = problem.terms;
  const std::size_t declared = problem.integrated.size();
  const std::vector<Value> values = numbered.expressions.values(terms, result.names);
  for (const auto& [number, lower, upper] : numbered.bounds) {
    const Polynomial& bounded = real(values[number]);
    if (lower) problem.assertions.push_back(terms.less_equal(*lower, bounded));
    if (upper) problem.assertions.push_back(terms.less_equal(bounded, *upper));
  }
  for (const std::uint32_t number : numbered.assertions)
    problem.assertions.push_back(formula(values[number]));
  for (const auto& [condition, value] : numbered.weights)
    problem.weights.push_back({formula(values[condition]), real(values[value])});
  for (const auto& [number, value] : numbered.observations) {
    const Variable observed = variable(values[number], declared);
    for (const Observation& other : problem.observations)
      if (other.variable == observed)
        throw Error("'" + terms.real_name(observed) + "' is observed twice");
    problem.observations.push_back({observed, value});
  }
  if (!parts.integrated.is_none()) {
    problem.integrated.assign(declared, false);
    for (const std::uint32_t number : numbered.integrated)
      problem.integrated[variable(values[number], declared)] = true;
  }
  for (const Observation& observation : problem.observations)
    if (!problem.integrated[observation.variable])
      throw Error("'" + terms.real_name(observation.variable) +
                  "' is observed, but it is not integrated");
}

struct QueryKind {
  std::string_view name;
  Query::Kind kind;
  bool affine;  // its term must be piecewise affine
};

constexpr auto query_kinds = std::to_array<QueryKind>({
    {"satisfiable", Query::Kind::satisfiable, false},
    {"wmi", Query::Kind::wmi, false},
    {"probability", Query::Kind::probability, false},
    {"expectation", Query::Kind::expectation, false},
    {"variance", Query::Kind::variance, false},
    {"moment", Query::Kind::moment, false},
    {"density", Query::Kind::density, true},
    {"distribution", Query::Kind::distribution, true},
    {"cdf", Query::Kind::cdf, true},
    {"quantile", Query::Kind::quantile, true},
});

const QueryKind& query_kind(const std::string& name) {
  const auto found = std::ranges::find(query_kinds, name, &QueryKind::name);
  if (found == query_kinds.end()) throw Error("no kind of query is called '" + name + "'");
  return *found;
}

unsigned order(py::handle number) {
  const Rational value = to_rational(number);
  if (value < 0 || value.get_den() != 1 || value > caps::degree.value())
    throw Error("the order of a moment is a natural number up to " + std::to_string(caps::degree));
  return static_cast<unsigned>(value.get_num().get_ui());
}

/// Are the nodes numbered as a walk from the roots meets them, and none unused?
bool is_canonical(const Task& task) {
  const Terms& terms = task.problem.terms;
  const Roots all = roots(task);
  std::size_t others = 1 + terms.boolean_count();  // the constant and the Booleans come first
  std::uint32_t last = 0;
  for (const std::uint32_t node : terms.below(all.formulas, all.polynomials)) {
    if (terms.node(node).kind == Kind::boolean || terms.node(node).kind == Kind::constant) continue;
    if (node < last) return false;
    last = node;
    ++others;
  }
  return others == terms.size();
}

/// The task as its text would be read: the same search, the same answers, the same certificate.
Task canonical(Task task) {
  if (is_canonical(task)) return task;
  std::vector<Variable> reals(task.problem.integrated.size());
  std::iota(reals.begin(), reals.end(), Variable{0});
  std::vector<std::uint32_t> booleans(task.problem.terms.boolean_count());
  std::iota(booleans.begin(), booleans.end(), std::uint32_t{0});
  Task result = extract(task.problem.terms, reals, booleans, task);
  result.assumptions = std::move(task.assumptions);
  return result;
}

}  // namespace

NamedProblem named(const Task& task) {
  NamedProblem result{task.problem, {}, task.assumptions};
  const Terms& terms = result.problem.terms;
  for (Variable real = 0; real < result.problem.integrated.size(); ++real)
    result.names.emplace(terms.real_name(real), Polynomial::variable(real));
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
    result.names.emplace(terms.boolean_name(boolean), terms.boolean(boolean));
  return result;
}

ProblemState state_of(const NamedProblem& problem) {
  const Names variables = named({.problem = problem.problem, .queries = {}}).names;
  std::map<std::string, Value> others;  // in order
  for (const auto& [name, value] : problem.names)
    if (!variables.contains(name)) others.emplace(name, value);
  Task task{.problem = problem.problem, .queries = {}};
  ProblemState result{"", {}, problem.assumptions};
  for (const auto& [name, value] : others) {
    result.names.push_back(name);
    Query& query = task.queries.emplace_back();
    query.kind = sort_of(value) == Sort::real ? Query::Kind::expectation : Query::Kind::probability;
    if (sort_of(value) == Sort::real)
      query.term = real(value);
    else
      query.event = formula(value);
  }
  result.text = frontends::write_smtlib({canonical(std::move(task))});
  return result;
}

NamedProblem of_state(const ProblemState& state) {
  const Script script = frontends::read_smtlib({"problem", state.text});
  if (script.size() != 1 ||
      (!state.names.empty() && script[0].queries.size() != state.names.size()))
    throw Error("this is not the state of a problem");
  NamedProblem result = named(script[0]);
  result.assumptions = state.assumptions;
  for (std::size_t i = 0; i < state.names.size(); ++i) {
    const Query& query = script[0].queries[i];
    if (query.kind == Query::Kind::expectation)
      result.names.emplace(state.names[i], query.term);
    else
      result.names.emplace(state.names[i], query.event);
  }
  return result;
}

NamedProblem make_problem(const ProblemParts& parts) {
  NamedProblem result;
  const Numbered numbered(parts);
  declare(numbered.expressions.symbols(), result);
  extend(parts, numbered, result);
  return result;
}

NamedProblem make_problem(const NamedProblem& base, const ProblemParts& parts) {
  NamedProblem result = base;
  extend(parts, Numbered(parts), result);
  return result;
}

Task make_task(const NamedProblem& problem, const py::list& queries) {
  return canonical(make_literal_task(problem, queries));
}

Task make_literal_task(const NamedProblem& problem, const py::list& queries) {
  struct Asked {
    const QueryKind& kind;
    std::optional<std::uint32_t> event, given, term;
  };
  Expressions expressions;
  Task task{.problem = problem.problem, .queries = {}, .assumptions = problem.assumptions};
  std::vector<Asked> asked;
  for (const py::handle one : queries) {
    const auto parts = py::reinterpret_borrow<py::tuple>(one);
    const auto optional = [&](std::size_t part) {
      return parts[part].is_none() ? std::nullopt : std::optional(expressions.add(parts[part]));
    };
    asked.push_back(
        {query_kind(py::cast<std::string>(parts[0])), optional(1), optional(2), optional(3)});
    Query& query = task.queries.emplace_back();
    query.kind = asked.back().kind.kind;
    if (!parts[4].is_none()) query.order = order(parts[4]);
    if (!parts[5].is_none()) query.at = to_rational(parts[5]);
    if (query.kind == Query::Kind::quantile && (sgn(query.at) <= 0 || query.at > 1))
      throw Error("expected a probability above 0 and at most 1");
  }
  Terms& terms = task.problem.terms;
  const std::vector<Value> values = expressions.values(terms, problem.names);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& [kind, event, given, term] = asked[i];
    Query& query = task.queries[i];
    if (event) query.event = formula(values[*event]);
    if (given) query.given = formula(values[*given]);
    if (term) query.term = kind.affine ? terms.affine(real(values[*term])) : real(values[*term]);
  }
  return task;
}

}  // namespace wmi::python
