#include "encoders/encode.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "encoders/auditable.h"
#include "encoders/bracket.h"
#include "encoders/densities/triangular.h"
#include "encoders/symbolic.h"
#include "solver/terms/error.h"

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

/// 1/2 + 3f/(4d) - f^3/(4d^3), which rises from 0 at -d to 1 at d.
Polynomial cubic(const Polynomial& f, const Rational& d) {
  return Polynomial(ratio(1, 2)) + Polynomial(3 / (4 * d)) * f -
         Polynomial(1 / (4 * d * d * d)) * power(f, 3);
}

/// Makes the law that of x.
void add_law(Problem& problem, const Law& law, const Polynomial& x) {
  const Interval support = law.support();
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(support.lower), x));
  problem.assertions.push_back(problem.terms.less_equal(x, Polynomial(support.upper)));
  problem.weights.push_back({truth, weight_of(problem.terms, law, x)});
}

std::string ledger(const TriangularOutcome& outcome) {
  return "likelihood: triangular of radius " + wmi::to_string(outcome.radius);
}
std::string ledger(const CubicSigmoid& outcome) {
  return "likelihood: cubic sigmoid up to " + wmi::to_string(outcome.reach);
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
  encoding.exact_with_respect_to.push_back(ledger(outcome));
}

void add_outcome(Encoding& encoding, const CubicSigmoid& outcome) {
  Problem& problem = encoding.problem;
  const Polynomial& f = encoding.outputs[0];
  const Rational& d = outcome.reach;
  problem.assertions.push_back(problem.terms.less_equal(Polynomial(-d), f));
  problem.weights.push_back({problem.terms.less_equal(f, Polynomial(d)), cubic(f, d)});
  encoding.exact_with_respect_to.push_back(ledger(outcome));
}

void check(const Outcome& outcome) {
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    if (triangular->radius <= 0) throw Error("the radius of a likelihood must be above 0");
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome))
    if (cubic->reach <= 0) throw Error("the reach of a cubic sigmoid must be above 0");
}

/// The unknowns of a network, declared in a problem.
struct Declared {
  Network known;  // with the numbers that replace others
  Tensor<Polynomial> start;
  std::map<std::string, std::map<std::size_t, Variable>> places;
  std::vector<Interval> ranges;  // of each declared real
};

/// Makes a real of each unknown that is no number, with its law as a weight, and of `beside`; and a
/// derived one of each other name.
Declared declare(const Network& network, const Tensor<Rational>& input,
                 std::span<const Unknown> unknowns, const std::optional<std::string>& beside,
                 Encoding& result, const std::set<std::string>& derived = {}) {
  if (input.shape != network.input)
    throw Error("the input has shape " + to_string(input.shape) + " and not " +
                to_string(network.input));
  Declared declared{network, {input.shape, {}}, {}, {}};
  Problem& problem = result.problem;
  Tensor<Rational> numbers = input;
  std::map<std::string, std::map<std::size_t, bool>> seen;
  std::vector<const Law*> laws;
  for (const Unknown& unknown : unknowns) {
    const Place place = find_place(network, unknown.name);
    if (!seen[place.tensor].try_emplace(place.entry, true).second)
      throw Error("unknown '" + unknown.name + "' is named twice");
    const Law& law = unknown.density.law;
    if (law.pieces().empty()) {  // a number
      (place.tensor == "input" ? numbers : declared.known.parameters.find(place.tensor)->second)
          .entries[place.entry] = law.atoms().at(0).at;
      continue;
    }
    declared.places[place.tensor][place.entry] = problem.terms.declare_real(unknown.name);
    problem.integrated.push_back(true);
    declared.ranges.push_back(law.support());
    laws.push_back(&law);
    if (!unknown.density.instead_of.empty())
      result.exact_with_respect_to.push_back("posterior of " + unknown.name + ": instead of " +
                                             unknown.density.instead_of);
  }
  if (beside) {
    result.outcome = problem.terms.declare_real(*beside);
    problem.integrated.push_back(true);
    declared.ranges.emplace_back();  // the network does not know it
  }
  for (const std::string& name : derived) {
    problem.terms.declare_real(name);
    problem.integrated.push_back(false);
  }
  for (Variable i = 0; i < laws.size(); ++i) add_law(problem, *laws[i], Polynomial::variable(i));

  for (const Rational& entry : numbers.entries) declared.start.entries.emplace_back(entry);
  if (const auto found = declared.places.find("input"); found != declared.places.end())
    for (const auto& [entry, variable] : found->second)
      declared.start.entries[entry] = Polynomial::variable(variable);
  return declared;
}

void add_outcome(Encoding& encoding, const Outcome& outcome) {
  if (const auto* const triangular = std::get_if<TriangularOutcome>(&outcome))
    add_outcome(encoding, *triangular);
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome)) add_outcome(encoding, *cubic);
}

Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome, bool all_units) {
  check(outcome);
  Encoding result;
  const bool has_outcome = std::holds_alternative<TriangularOutcome>(outcome);
  const Declared declared =
      declare(network, input, unknowns,
              has_outcome ? std::optional<std::string>("y") : std::nullopt, result);
  SymbolicAlgebra algebra(declared.known, result.problem, declared.places, declared.ranges,
                          all_units);
  result.layers = run_all(declared.known, algebra, declared.start);
  for (const std::string& name : network.output) {
    const Tensor<Polynomial>& values = result.layers.at(name);
    for (std::size_t entry = 0; entry < values.size(); ++entry) {
      result.outputs.push_back(values.entries[entry]);
      result.output_names.push_back(name + index_name(values.shape, entry));
    }
  }
  if (result.outputs.empty()) throw Error("the network has no output");
  for (const NamedLayer& layer : network.layers)
    std::visit(
        [&](const auto& type) {
          if constexpr (requires { type.instead_of(); })
            result.exact_with_respect_to.push_back(layer.name + ": " + type.instead_of());
        },
        layer.layer);
  result.names = algebra.names();
  add_outcome(result, outcome);
  return result;
}

/// A layer's entry has the name of nothing else.
void check_distinct(const Network& network) {
  for (const NamedLayer& layer : network.layers) {
    const bool output = network.output == std::vector<std::string>{layer.name};
    if ((layer.name == "out" && !output) || network.parameters.contains(layer.name))
      throw Error("the layer '" + layer.name + "' has the name of something else");
  }
}

std::vector<NamedValue> values_of(const Network& network, const Tensor<Rational>& input,
                                  std::span<const Unknown> unknowns, const Problem& problem) {
  std::vector<NamedValue> result;
  for (Variable i = 0; i < problem.integrated.size() && problem.integrated[i]; ++i)
    result.push_back({problem.terms.real_name(i), std::nullopt});
  std::vector<std::optional<Rational>> inputs(input.entries.begin(), input.entries.end());
  for (const Unknown& unknown : unknowns) {
    const Place place = find_place(network, unknown.name);
    const bool is_input = place.tensor == "input";
    const Shape& shape =
        is_input ? input.shape : network.parameters.find(place.tensor)->second.shape;
    if (unknown.name != place.tensor + index_name(shape, place.entry))
      throw Error("'" + unknown.name + "' is another way to write its name");
    std::optional<Rational> number;
    if (unknown.density.law.pieces().empty()) number = unknown.density.law.atoms().at(0).at;
    if (is_input)
      inputs[place.entry] = number;
    else if (number)
      result.push_back({unknown.name, number});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) result.push_back({"input" + index_name(input.shape, i), inputs[i]});
  return result;
}

}  // namespace

Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome) {
  return encode(network, input, unknowns, outcome, false);
}

AuditableEncoding encode_separately(const Network& network, const Tensor<Rational>& input,
                                    std::span<const Unknown> unknowns, const Outcome& outcome) {
  check_distinct(network);
  const bool all_units = std::ranges::all_of(network.layers, [](const NamedLayer& layer) {
    return std::holds_alternative<Linear>(layer.layer) || std::holds_alternative<Relu>(layer.layer);
  });
  AuditableEncoding result{{}, encode(network, input, unknowns, outcome, all_units), {}};
  if (result.network.problem.terms.boolean_count() > 0)
    throw Error("the network has a law of its own");  // that of its masks

  const auto output_name = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
  std::set<std::string> names;
  for (const auto& [name, values] : result.network.layers)
    for (std::size_t i = 0; i < values.size(); ++i)
      names.insert(name + index_name(values.shape, i));
  for (std::size_t i = 0; i < result.network.outputs.size(); ++i) names.insert(output_name(i));
  for (const Unknown& unknown : unknowns)
    if (!unknown.density.law.pieces().empty()) names.erase(unknown.name);

  Encoding& statement = result.statement;
  const bool has_outcome = std::holds_alternative<TriangularOutcome>(outcome);
  declare(network, input, unknowns, has_outcome ? std::optional<std::string>("y") : std::nullopt,
          statement, names);
  result.values = values_of(network, input, unknowns, statement.problem);
  std::map<std::string, Polynomial> reals;
  for (Variable i = 0; i < statement.problem.integrated.size(); ++i)
    reals.emplace(statement.problem.terms.real_name(i), Polynomial::variable(i));
  for (const auto& [name, values] : result.network.layers) {
    Tensor<Polynomial>& entries = statement.layers[name];
    entries.shape = values.shape;
    for (std::size_t i = 0; i < values.size(); ++i)
      entries.entries.push_back(reals.at(name + index_name(values.shape, i)));
  }
  for (std::size_t i = 0; i < result.network.outputs.size(); ++i)
    statement.outputs.push_back(reals.at(output_name(i)));
  statement.output_names = result.network.output_names;
  add_outcome(statement, outcome);
  return result;
}

Encoding encode_bracketed(const Network& network, const Tensor<Rational>& input,
                          std::span<const Unknown> unknowns, const Outcome& outcome) {
  check(outcome);
  Encoding result;
  const auto* const triangular = std::get_if<TriangularOutcome>(&outcome);
  const Declared declared =
      declare(network, input, unknowns,
              triangular ? std::optional<std::string>("y - out[0]") : std::nullopt, result);
  if (triangular) {
    const Rational ends[] = {-triangular->radius, 0, triangular->radius};
    add_law(result.problem, Triangular::make(ends).law, Polynomial::variable(*result.outcome));
  }
  SymbolicAlgebra algebra(declared.known, result.problem, declared.places, declared.ranges);
  BracketAlgebra<SymbolicAlgebra> bracketing(algebra);
  for (auto& [name, values] : run_all(declared.known, bracketing, {declared.start})) {
    result.upper_layers.emplace(name, values.upper());
    result.layers.emplace(name, values.lower);
  }
  for (const std::string& name : network.output) {
    const Tensor<Polynomial>&lower = result.layers.at(name), &upper = result.upper_layers.at(name);
    for (std::size_t entry = 0; entry < lower.size(); ++entry) {
      result.outputs.push_back(lower.entries[entry]);
      result.upper_outputs.push_back(upper.entries[entry]);
      result.output_names.push_back(name + index_name(lower.shape, entry));
    }
  }
  if (result.outputs.empty()) throw Error("the network has no output");
  for (const NamedLayer& layer : network.layers)
    std::visit(
        [&](const auto& type) {
          if constexpr (requires { type.enclosed_by(); })
            result.exact_with_respect_to.push_back(layer.name + ": " + type.enclosed_by());
          else if constexpr (requires { type.instead_of(); })
            result.exact_with_respect_to.push_back(layer.name + ": " + type.instead_of());
        },
        layer.layer);
  result.names = algebra.names();
  if (triangular) result.exact_with_respect_to.push_back(ledger(*triangular));
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome))
    result.exact_with_respect_to.push_back(ledger(*cubic));
  return result;
}

Polynomial cubic_sigmoid(Terms& terms, const Polynomial& f, const Rational& reach) {
  return terms.choice(terms.less(f, Polynomial(-reach)), 0,
                      terms.choice(terms.less(Polynomial(reach), f), 1, cubic(f, reach)));
}

}  // namespace wmi::encoders
