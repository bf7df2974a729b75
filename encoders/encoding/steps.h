#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "encoders/encode.h"
#include "encoders/network.h"
#include "encoders/tensor.h"
#include "solver/terms/interval.h"

namespace wmi::encoders {

/// Steps of an encoding that `encode`, `encode_bracketed` and `encode_auditable` share.

/// An entry of a tensor, such as `fc2.weight[0,3]`.
struct TensorEntry {
  std::string tensor;
  std::size_t entry;
};

/// Throws Error if there is no such entry.
TensorEntry find_entry(const Network& network, const std::string& name);

/// The unknowns of a network, declared in a problem.
struct Declared {
  std::optional<Network> changed;  // with unknowns that are numbers put in, if there are any
  Tensor<Polynomial> start;
  std::map<std::string, std::map<std::size_t, Polynomial>>
      unknowns;                  // affine in the declared reals, by tensor and entry
  std::vector<Interval> ranges;  // of each declared real; of one without bounds, all are possible
  bool bounded = true;           // have all reals bounds?

  const Network& known(const Network& network) const { return changed ? *changed : network; }
};

/// Declares a real for each unknown that is not a number, with its law as a weight, and one for
/// `beside`; and a derived real for each of the names `derived`.
Declared declare(const Network& network, const Tensor<Rational>& input,
                 std::span<const Unknown> unknowns, const std::optional<std::string>& beside,
                 Encoding& result, const std::set<std::string>& derived = {});

/// Gives x this law.
void add_law(Problem& problem, const Law& law, const Polynomial& x);
/// The same; a normal law that is cut is not normalised.
void add_law(Problem& problem, const Density& density, const Polynomial& x);

/// Throws Error for a radius or reach that is not above 0.
void check_outcome(const Outcome& outcome);
/// Adds the outcome of the first output as weights, and the assumption.
void add_outcome(Encoding& encoding, const Outcome& outcome);
/// The assumption that an outcome is, as answers report it.
std::string assumption(const TriangularOutcome& outcome);
std::string assumption(const CubicSigmoid& outcome);

/// `encode`; with `all_units`, each unit whose input is not a number is a definition, whether
/// bounds decide it or not.
Encoding encode_units(const Network& network, const Tensor<Rational>& input,
                      std::span<const Unknown> unknowns, const Outcome& outcome, bool all_units,
                      const KeepLayer& keep = {});

/// 1/2 + 3f/(4d) - f^3/(4d^3), which rises from 0 at -d to 1 at d.
Polynomial cubic(const Polynomial& f, const Rational& d);

}  // namespace wmi::encoders
