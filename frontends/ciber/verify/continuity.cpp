// All operations of an algebra are continuous but one. Running the network in an algebra that notes
// whether it is used holds for every layer, those to come included.

#include "frontends/ciber/verify/continuity.h"

#include <utility>

#include "encoders/bracket.h"
#include "encoders/exact.h"

namespace wmi::frontends {
namespace {

class ContinuityProbe : public encoders::ExactAlgebra {
 public:
  using ExactAlgebra::ExactAlgebra;

  Value at_least_zero(const Value& x) {
    used_step_ = true;
    return ExactAlgebra::at_least_zero(x);
  }
  Value mask(const Value& x, const Rational& /*keep*/) { return x; }
  std::pair<Value, Value> mask_both(const Value& x, const Value& y, const Rational& /*keep*/) {
    return {x, y};
  }

  bool used_step() const { return used_step_; }

 private:
  bool used_step_ = false;
};

}  // namespace

bool is_continuous(const encoders::Network& network) {
  ContinuityProbe probe(network);
  encoders::run_bracketed(network, probe, encoders::Tensor<Rational>::filled(network.input, 0));
  return !probe.used_step();
}

}  // namespace wmi::frontends
