#include "encoders/encode.h"

#include <charconv>

#include "encoders/symbolic.h"
#include "solver/error.h"

namespace wmi::encoders {
namespace {

/// `fc2.weight[0,3]`: the tensor, and the number of the entry in it.
struct Place {
  std::string tensor;
  std::size_t entry;
};

Place find_place(const Network& network, const std::string& name) {
  const auto refuse = [&](const std::string& what) {
    throw Error("unknown '" + name + "': " + what);
  };
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || !name.ends_with(']'))
    refuse("write the tensor and the index, as in fc1.weight[0,3] or input[0]");
  Place place{name.substr(0, open), 0};
  const Shape* shape = &network.input;
  if (place.tensor != "input") {
    const auto found = network.parameters.find(place.tensor);
    if (found == network.parameters.end()) {
      std::string known = "input";
      for (const auto& [tensor, value] : network.parameters) known += ", " + tensor;
      refuse("there is no tensor '" + place.tensor + "'; there are " + known);
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
    place.entry = place.entry * (*shape)[axis] + index;
    next = stop;
  }
  if (next != end) refuse("has shape " + to_string(*shape));
  return place;
}

/// The density as a polynomial in x, another one on each piece.
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
  encoding.exact_with_respect_to.push_back("likelihood: triangular of radius " + wmi::to_string(r));
}

void add_outcome(Encoding& encoding, const CubicSigmoid& outcome) {
  Problem& problem = encoding.problem;
  const Polynomial& f = encoding.outputs[0];
  const Rational& d = outcome.reach;
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(-d), f));
  problem.weights.push_back({problem.terms.less_equal(f, Polynomial(d)),
                             Polynomial(ratio(1, 2)) + Polynomial(3 / (4 * d)) * f -
                                 Polynomial(1 / (4 * d * d * d)) * power(f, 3)});
  encoding.exact_with_respect_to.push_back("likelihood: cubic sigmoid up to " + wmi::to_string(d));
}

void check(const Outcome& outcome) {
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    if (triangular->radius <= 0) throw Error("the radius of a likelihood must be above 0");
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome))
    if (cubic->reach <= 0) throw Error("the reach of a cubic sigmoid must be above 0");
}

}  // namespace

Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome) {
  check(outcome);
  if (input.shape != network.input)
    throw Error("the input has shape " + to_string(input.shape) + " and not " +
                to_string(network.input));
  Encoding result;
  Problem& problem = result.problem;
  Terms& terms = problem.terms;

  // Numbers that replace others need a network of their own.
  Network known = network;
  Tensor<Rational> numbers = input;
  std::map<std::string, std::map<std::size_t, Variable>> places;
  std::map<std::string, std::map<std::size_t, bool>> seen;
  std::vector<Interval> ranges;
  std::vector<const Law*> laws;
  for (const Unknown& unknown : unknowns) {
    const Place place = find_place(network, unknown.name);
    if (!seen[place.tensor].try_emplace(place.entry, true).second)
      throw Error("unknown '" + unknown.name + "' is named twice");
    const Law& law = unknown.density.law;
    if (law.pieces().empty()) {  // a number
      (place.tensor == "input" ? numbers : known.parameters.find(place.tensor)->second)
          .entries[place.entry] = law.atoms().at(0).at;
      continue;
    }
    places[place.tensor][place.entry] = terms.declare_real(unknown.name);
    problem.integrated.push_back(true);
    ranges.push_back(law.support());
    laws.push_back(&law);
    if (!unknown.density.instead_of.empty())
      result.exact_with_respect_to.push_back("posterior of " + unknown.name + ": instead of " +
                                             unknown.density.instead_of);
  }
  if (std::holds_alternative<TriangularOutcome>(outcome)) {
    result.outcome = terms.declare_real("y");
    problem.integrated.push_back(true);
    ranges.emplace_back();  // the network does not know it
  }
  for (Variable i = 0; i < laws.size(); ++i) {
    const Polynomial x = Polynomial::variable(i);
    problem.assertions.push_back(terms.less_equal(Polynomial(ranges[i].lower), x));
    problem.assertions.push_back(terms.less_equal(x, Polynomial(ranges[i].upper)));
    problem.weights.push_back({truth, weight_of(terms, *laws[i], x)});
  }

  SymbolicAlgebra algebra(known, problem, places, ranges);
  Tensor<Polynomial> start{input.shape, {}};
  for (const Rational& entry : numbers.entries) start.entries.emplace_back(entry);
  if (const auto found = places.find("input"); found != places.end())
    for (const auto& [entry, variable] : found->second)
      start.entries[entry] = Polynomial::variable(variable);
  result.layers = run_all(known, algebra, start);
  for (const std::string& name : network.output) {
    const Tensor<Polynomial>& values = result.layers.at(name);
    for (std::size_t entry = 0; entry < values.size(); ++entry) {
      result.outputs.push_back(values.entries[entry]);
      result.output_names.push_back(name + index_name(values.shape, entry));
    }
  }
  if (result.outputs.empty()) throw Error("the network has no output");
  for (const NamedLayer& layer : known.layers)
    std::visit(
        [&](const auto& type) {
          if constexpr (requires { type.instead_of(); })
            result.exact_with_respect_to.push_back(layer.name + ": " + type.instead_of());
        },
        layer.layer);
  result.names = algebra.names();
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    add_outcome(result, *triangular);
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome)) add_outcome(result, *cubic);
  return result;
}

}  // namespace wmi::encoders
