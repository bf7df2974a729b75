#pragma once

#include <string>
#include <vector>

#include "encoders/encode.h"
#include "encoders/network.h"
#include "frontends/formats/vnnlib.h"
#include "solver/geometry/halfspace.h"
#include "solver/terms/interval.h"

namespace wmi::frontends {

/// The arguments of `ciber verify` about what is random, as text.
struct VerifyArguments {
  std::vector<std::string> laws = {};      // `triangular(0,1,2)`, `X_0=[0,1]`, joint normal laws
  std::vector<std::string> unknowns = {};  // `fc1.weight[0,0]=[-1,1]`
  std::string free = {};                   // `X_3,X_17`; empty: all inputs
  std::string input = {};                  // of the inputs that are not free; empty: midpoints
  std::string width = {};                  // of the bounds of smooth layers; empty: their own
};

/// What is random in a question about a property: the inputs, each on its interval, and perhaps
/// some weights.
struct VerifyInputs {
  std::vector<Interval> box;                // of each input; a point, if it is fixed
  std::vector<Interval> support;            // the same, as far as the laws reach
  encoders::Tensor<Rational> fixed;         // values; of no meaning for random inputs
  std::vector<encoders::Unknown> unknowns;  // random inputs with their laws, then weights
  std::vector<encoders::Unknown> uniform;   // the same entries, uniform on the whole box
  bool bounded = true;                      // no weight has values outside the box, which is finite
  bool whole = true;  // no input is fixed that the property leaves open, and no weight is unknown
  std::vector<std::string> assumptions;
};

/// A point of the box, with a coordinate for each random entry of `uniform`, from the values of the
/// reals that `unknowns` are encoded with.
Point point_in_box(const VerifyInputs& inputs, const Point& reals);

/// Throws Error, naming the option or the input: for a network of other sizes than the property's,
/// an unbounded input, a law that does not reach the interval.
VerifyInputs read_verify_inputs(const encoders::Network& network, const Property& property,
                                const VerifyArguments& arguments);

}  // namespace wmi::frontends
