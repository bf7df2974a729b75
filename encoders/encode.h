#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "encoders/density.h"
#include "encoders/network.h"
#include "encoders/tensor.h"
#include "solver/terms/problem.h"
#include "solver/terms/query.h"

namespace wmi::encoders {

/// An entry of a tensor that is not a number but has a law: `fc2.weight[0,3]`, or `input[1]`.
struct Unknown {
  std::string name;
  Density density;
};

/// How an outcome y depends on the first output f, as weights of the problem (all polynomial).
struct TriangularOutcome {  // y is a real of its own: density 1/r - |y - f|/r^2 around f
  Rational radius;
};
struct CubicSigmoid {  // no y: the probability 1/2 + 3f/(4d) - f^3/(4d^3), 0 below -d and 1 above d
  Rational reach;
};
using Outcome = std::variant<std::monostate, TriangularOutcome, CubicSigmoid>;

/// A network, partly unknown, as a problem.
struct Encoding {
  Problem problem;
  std::vector<Polynomial> outputs;        // of all output layers, one after the other
  std::vector<std::string> output_names;  // `fc2[0]`
  std::optional<Variable> outcome;        // y; of a bracketed network, y minus the first output
  std::map<std::string, Tensor<Polynomial>, std::less<>> layers;  // what each layer gives
  std::map<Variable, UnitName> names;                             // of defined reals: `relu1[4]`
  std::vector<std::string> exact_with_respect_to;

  // Of a bracketed network: the upper ends, where `outputs` and `layers` have the lower ones.
  std::vector<Polynomial> upper_outputs;
  std::map<std::string, Tensor<Polynomial>, std::less<>> upper_layers;
};

/// The problem whose integrated reals are the unknowns (with their laws as weights), and whose
/// outputs are terms over them. The numbers of `input` stand wherever an input is no unknown.
///
/// Throws Error for an unknown that does not exist or is named twice, and for products of unknowns
/// that feed a comparison.
Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome = {});

/// The same for a network with smooth layers: for all values of the unknowns, every true value lies
/// between the two ends (see bracket.h). With a likelihood, y is no real of the problem, since what
/// it depends on is not: it is the first output plus a real with a triangular law of its own. A
/// cubic sigmoid is no weight either, but a term to ask about.
Encoding encode_bracketed(const Network& network, const Tensor<Rational>& input,
                          std::span<const Unknown> unknowns, const Outcome& outcome = {});

/// What CubicSigmoid makes of f, on the whole line.
Polynomial cubic_sigmoid(Terms& terms, const Polynomial& f, const Rational& reach);

}  // namespace wmi::encoders
