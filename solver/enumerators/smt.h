#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/terms/formula.h"

namespace wmi {

/// An SMT solver over the formulas of a `Terms`: Z3, with one context of its own.
///
///     Terms terms;
///     const Variable x = terms.declare_real("x");
///     const Formula positive = terms.less(0, Polynomial::variable(x));
///     Smt smt(terms, {});
///     smt.add(positive);
///     smt.check()->reals[x];  // some number above 0
class Smt {
 public:
  struct Model {
    std::vector<Rational> reals;  // of the declared reals; 0 for defined ones
    std::vector<bool> booleans;
  };

  /// The terms must outlive this, and not grow. Definitions that occur in no atom (but in weights)
  /// are left out, unless one of the `polynomials` needs them.
  Smt(const Terms& terms, std::stop_token stop, std::span<const Polynomial> polynomials = {});
  ~Smt();
  Smt(const Smt&) = delete;
  Smt& operator=(const Smt&) = delete;

  void push();
  void pop();

  void add(Formula formula);
  /// The comparison of the form with 0, or its negation.
  void add(const LinearForm& form, Comparison comparison, bool holds = true);

  /// How long a check may take before it throws GaveUp.
  void limit(unsigned milliseconds);

  /// A model of all that was added, if there is one. Throws Stopped when told to stop.
  std::optional<Model> check();

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

}  // namespace wmi
