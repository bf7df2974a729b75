#include "encoders/encoding/steps.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

/// The density as a term in x: a choice between the polynomials of its pieces.
Polynomial weight_of(Terms& terms, const Law& law, const Polynomial& x) {
  const auto polynomial = [&](const Univariate& density) {
    Polynomial result;
    for (std::size_t i = density.coefficients().size(); i-- > 0;)
      result = result * x + Polynomial(density.coefficients()[i]);
    return result;
  };
  const std::vector<Piece>& pieces = law.pieces();
  Polynomial result = polynomial(pieces.back().density);
  for (std::size_t i = pieces.size() - 1; i-- > 0;) {
    if (pieces[i].to < pieces[i + 1].from)
      result = terms.choice(terms.less(x, Polynomial(pieces[i + 1].from)), 0, result);
    result = terms.choice(terms.less(x, Polynomial(pieces[i].to)), polynomial(pieces[i].density),
                          result);
  }
  return result;
}

}  // namespace

TensorEntry find_entry(const Network& network, const std::string& name) {
  const auto refuse = [&](const std::string& what) {
    throw Error("unknown '" + name + "': " + what);
  };
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || !name.ends_with(']'))
    refuse("write the tensor and the index, as in fc1.weight[0,3] or input[0]");
  TensorEntry result{name.substr(0, open), 0};
  const Shape* shape = &network.input;
  if (result.tensor != "input") {
    const auto found = network.parameters.find(result.tensor);
    if (found == network.parameters.end()) {
      std::string known = "input";
      for (const auto& [tensor, value] : network.parameters) known += ", " + tensor;
      refuse("there is no tensor '" + result.tensor + "'; there are " + known);
    }
    shape = &found->second.shape;
  }
  const char* next = name.data() + open + 1;
  const char* const end = name.data() + name.size() - 1;
  for (std::size_t axis = 0; axis < shape->size(); ++axis) {
    std::size_t index = 0;
    if (axis > 0 && (next == end || *next++ != ',')) refuse("has shape " + to_string(*shape));
    const auto [stop, error] = std::from_chars(next, end, index);
    if (error != std::errc() || index >= (*shape)[axis]) refuse("has shape " + to_string(*shape));
    result.entry = result.entry * (*shape)[axis] + index;
    next = stop;
  }
  if (next != end) refuse("has shape " + to_string(*shape));
  return result;
}

void add_law(Problem& problem, const Law& law, const Polynomial& x) {
  const Interval support = law.support();
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(support.lower), x));
  problem.assertions.push_back(problem.terms.less_equal(x, Polynomial(support.upper)));
  problem.weights.push_back({truth, weight_of(problem.terms, law, x)});
}

void add_law(Problem& problem, const Density& density, const Polynomial& x) {
  if (!density.normal) return add_law(problem, density.law, x);
  const auto& [mean, variance] = *density.normal;
  if (density.bounded()) {
    const Interval support = density.law.support();
    problem.assertions.push_back(problem.terms.less_equal(Polynomial(support.lower), x));
    problem.assertions.push_back(problem.terms.less_equal(x, Polynomial(support.upper)));
  }
  const Polynomial centred = x - Polynomial(mean);
  if (const std::optional<Rational> deviation = rational_value(Function::sqrt, variance)) {
    const Rational scale = 1 / *deviation;
    problem.weights.push_back(
        {truth, scale * problem.terms.apply(Function::normal, scale * centred)});
  } else {
    problem.weights.push_back(
        {truth,
         problem.terms.apply(Function::exp, Rational(-1 / (2 * variance)) * (centred * centred))});
  }
}

Declared declare(const Network& network, const Tensor<Rational>& input,
                 std::span<const Unknown> unknowns, const std::optional<std::string>& beside,
                 Encoding& result, const std::set<std::string>& derived) {
  if (input.shape != network.input)
    throw Error("the input has shape " + to_string(input.shape) + " and not " +
                to_string(network.input));
  Declared declared{{}, {input.shape, {}}, {}, {}, true};
  Problem& problem = result.problem;
  Tensor<Rational> numbers = input;
  std::map<std::string, std::map<std::size_t, bool>> seen;
  std::map<std::string, Polynomial> hidden;
  std::vector<const Density*> laws;
  for (const Unknown& unknown : unknowns) {
    const auto declare_real = [&] {
      declared.bounded = declared.bounded && unknown.density.bounded();
      declared.ranges.push_back(unknown.density.bounded() ? unknown.density.law.support()
                                                          : Interval());
      laws.push_back(&unknown.density);
      problem.integrated.push_back(true);
      return Polynomial::variable(problem.terms.declare_real(unknown.name));
    };
    if (unknown.hidden) {
      hidden.emplace(unknown.name, declare_real());
      continue;
    }
    const TensorEntry entry = find_entry(network, unknown.name);
    if (!seen[entry.tensor].try_emplace(entry.entry, true).second)
      throw Error("unknown '" + unknown.name + "' is named twice");
    if (unknown.combination) {
      Polynomial value(unknown.combination->constant);
      for (const auto& [name, factor] : unknown.combination->terms)
        value += factor * hidden.at(name);
      result.combinations.emplace(unknown.name, value);
      declared.unknowns[entry.tensor].emplace(entry.entry, std::move(value));
      continue;
    }
    const Density& density = unknown.density;
    if (const std::optional<Rational> number = density.number()) {
      if (entry.tensor != "input" && !declared.changed) declared.changed = network;
      (entry.tensor == "input" ? numbers : declared.changed->parameters.find(entry.tensor)->second)
          .entries[entry.entry] = *number;
      continue;
    }
    declared.unknowns[entry.tensor].emplace(entry.entry, declare_real());
    if (!unknown.density.instead_of.empty())
      result.assumptions.push_back("posterior of " + unknown.name + ": instead of " +
                                   unknown.density.instead_of);
  }
  if (beside) {
    result.outcome = problem.terms.declare_real(*beside);
    problem.integrated.push_back(true);
    declared.ranges.emplace_back();  // unused: the network does not contain it
  }
  for (const std::string& name : derived) {
    problem.terms.declare_real(name);
    problem.integrated.push_back(false);
  }
  for (Variable i = 0; i < laws.size(); ++i) add_law(problem, *laws[i], Polynomial::variable(i));

  for (const Rational& entry : numbers.entries) declared.start.entries.emplace_back(entry);
  if (const auto found = declared.unknowns.find("input"); found != declared.unknowns.end())
    for (const auto& [number, value] : found->second) declared.start.entries[number] = value;
  return declared;
}

bool has_unnormalised_laws(std::span<const Unknown> unknowns) {
  return std::ranges::any_of(
      unknowns, [](const Unknown& unknown) { return unknown.density.normal.has_value(); });
}

void check_outcome(const Outcome& outcome) {
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    if (triangular->radius <= 0) throw Error("the radius of a likelihood must be above 0");
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome))
    if (cubic->reach <= 0) throw Error("the reach of a cubic sigmoid must be above 0");
}

Polynomial cubic(const Polynomial& f, const Rational& d) {
  return Polynomial(ratio(1, 2)) + Polynomial(3 / (4 * d)) * f -
         Polynomial(1 / (4 * d * d * d)) * power(f, 3);
}

std::string assumption(const TriangularOutcome& outcome) {
  return "likelihood: triangular of radius " + wmi::to_string(outcome.radius);
}
std::string assumption(const CubicSigmoid& outcome) {
  return "likelihood: cubic sigmoid up to " + wmi::to_string(outcome.reach);
}

namespace {

void add_outcome(Encoding& encoding, const TriangularOutcome& outcome) {
  Problem& problem = encoding.problem;
  const Polynomial y = Polynomial::variable(*encoding.outcome), &f = encoding.outputs[0];
  const Rational &r = outcome.radius, square = r * r;
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(-r), y - f));
  problem.assertions.push_back(problem.terms.less_equal(y - f, Polynomial(r)));
  problem.weights.push_back(
      {problem.terms.less(f, y), Polynomial(1 / r) - Polynomial(1 / square) * (y - f)});
  problem.weights.push_back(
      {problem.terms.less(y, f), Polynomial(1 / r) - Polynomial(1 / square) * (f - y)});
  encoding.assumptions.push_back(assumption(outcome));
}

void add_outcome(Encoding& encoding, const CubicSigmoid& outcome) {
  Problem& problem = encoding.problem;
  const Polynomial& f = encoding.outputs[0];
  const Rational& d = outcome.reach;
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(-d), f));
  problem.weights.push_back({problem.terms.less_equal(f, Polynomial(d)), cubic(f, d)});
  encoding.assumptions.push_back(assumption(outcome));
}

}  // namespace

void add_outcome(Encoding& encoding, const Outcome& outcome) {
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    add_outcome(encoding, *triangular);
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome)) add_outcome(encoding, *cubic);
}

}  // namespace wmi::encoders
