#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "encoders/density.h"
#include "encoders/network.h"
#include "encoders/tensor.h"
#include "solver/terms/problem.h"
#include "solver/terms/query.h"

namespace wmi::encoders {

/// A sum of multiples of hidden unknowns, by name, and a constant.
struct Combination {
  std::vector<std::pair<std::string, Rational>> terms;
  Rational constant;
};

/// An entry of a tensor with a law instead of a number: `fc2.weight[0,3]`, or `input[1]`. Or a real
/// that is hidden: no entry, but entries are combinations of such.
struct Unknown {
  std::string name;
  Density density;                              // of a combination: unused
  std::optional<Combination> combination = {};  // of hidden unknowns before it
  bool hidden = false;
};

/// Has a law no density of mass 1? So it is for normal laws, which are weights up to a factor.
bool has_unnormalised_laws(std::span<const Unknown> unknowns);

/// How an outcome y depends on the first output f; encoded as polynomial weights.
struct TriangularOutcome {  // y is an additional real with density 1/r - |y - f|/r^2
  Rational radius;
};
struct CubicSigmoid {  // no y: the probability 1/2 + 3f/(4d) - f^3/(4d^3), 0 below -d and 1 above d
  Rational reach;
};
using Outcome = std::variant<std::monostate, TriangularOutcome, CubicSigmoid>;

/// A partly unknown network as a problem.
struct Encoding {
  Problem problem;
  std::vector<Polynomial> outputs;        // of all output layers, one after the other
  std::vector<std::string> output_names;  // `fc2[0]`
  std::optional<Variable> outcome;        // y; of a bracketed network, y minus the first output
  std::map<std::string, Tensor<Polynomial>, std::less<>> layers;  // the value of each kept layer
  std::map<Variable, UnitName> names;                             // of defined reals: `relu1[4]`
  std::map<std::string, Polynomial> combinations;                 // unknowns that are no reals
  std::vector<std::string> assumptions;

  // Of a bracketed network: the upper ends, where `outputs` and `layers` have the lower ones.
  std::vector<Polynomial> upper_outputs;
  std::map<std::string, Tensor<Polynomial>, std::less<>> upper_layers;
};

/// The problem whose integrated reals are the unknowns, with their laws as weights, and whose
/// outputs are terms over them. Inputs that are not unknowns have the numbers of `input`.
///
/// `keep` says which layers to keep the values of, besides input and output: empty, all of them.
///
/// Throws Error for an unknown that does not exist or is named twice, and for products of unknowns
/// in a comparison.
Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome = {},
                const KeepLayer& keep = {});

/// The same for a network with smooth layers: for all values of the unknowns, the true values lie
/// between the lower and the upper ones (see bracket.h). With a triangular outcome, y is not a real
/// of the problem, since the exact output is not a term: the problem has y minus the first output
/// instead. A cubic sigmoid is not a weight either, but a term for queries.
Encoding encode_bracketed(const Network& network, const Tensor<Rational>& input,
                          std::span<const Unknown> unknowns, const Outcome& outcome = {},
                          const KeepLayer& keep = {});

/// The probability of CubicSigmoid as a term, for all values of f.
Polynomial cubic_sigmoid(Terms& terms, const Polynomial& f, const Rational& reach);

}  // namespace wmi::encoders
