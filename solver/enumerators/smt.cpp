#include "solver/enumerators/smt.h"

#include <z3++.h>

#include <cassert>

#include "solver/terms/error.h"

namespace wmi {

struct Smt::Z3 {
  Z3(const Terms& source, std::stop_token token)
      : terms(source),
        solver(context, "QF_LRA"),
        stop(token),
        interrupt(std::move(token), Interrupt{&context}) {}

  struct Interrupt {
    z3::context* context;
    void operator()() const { context->interrupt(); }
  };

  z3::expr number(const Rational& value) { return context.real_val(value.get_str().c_str()); }

  z3::expr sum(const LinearForm& form) {
    z3::expr_vector parts(context);
    if (form.constant != 0 || form.is_constant()) parts.push_back(number(form.constant));
    for (const auto& [variable, coefficient] : form.coefficients)
      parts.push_back(coefficient == 1 ? reals[variable] : number(coefficient) * reals[variable]);
    return parts.size() == 1 ? parts[0] : z3::sum(parts);
  }

  z3::expr compare(const LinearForm& form, Comparison comparison) {
    const z3::expr zero = number(0);
    switch (comparison) {
      case Comparison::less_equal:
        return sum(form) <= zero;
      case Comparison::less:
        return sum(form) < zero;
      case Comparison::equal:
        break;
    }
    return sum(form) == zero;
  }

  z3::expr formula(Formula formula) const {
    const z3::expr& positive = nodes[formula.node()];
    return formula.negated() ? !positive : positive;
  }

  /// The reals that occur in atoms or in these polynomials, or in the definitions of such.
  void find_needed(std::span<const Polynomial> polynomials) {
    needed.resize(terms.real_count());
    const auto need = [&](const Polynomial& polynomial) {
      if (terms.degree(polynomial) <= 1)
        for (const Variable variable : polynomial.variables()) needed[variable] = true;
    };
    for (const Polynomial& polynomial : polynomials) need(polynomial);
    for (std::uint32_t i = 0; i < terms.size(); ++i)
      if (terms.node(i).kind == Kind::atom)
        for (const auto& [variable, coefficient] :
             terms.atom(terms.node(i).index).form.coefficients)
          needed[variable] = true;
    for (auto i = static_cast<std::uint32_t>(terms.size()); i-- > 0;) {  // parents first
      if (terms.node(i).kind != Kind::definition) continue;
      const Definition& definition = terms.definition(terms.node(i).index);
      if (!needed[definition.variable]) continue;
      need(definition.then);
      need(definition.otherwise);
    }
  }

  /// Bottom up; a defined real is a constant with two guarded equations.
  z3::expr translate(const Node& node) {
    switch (node.kind) {
      case Kind::constant:
        return context.bool_val(true);
      case Kind::boolean:
        return booleans[node.index];
      case Kind::atom:
        return compare(terms.atom(node.index).form, terms.atom(node.index).comparison);
      case Kind::conjunction: {
        z3::expr_vector children(context);
        for (const Formula child : node.children) children.push_back(formula(child));
        return z3::mk_and(children);
      }
      case Kind::choice:
        return z3::ite(formula(node.children[0]), formula(node.children[1]),
                       formula(node.children[2]));
      case Kind::definition:
        break;
    }
    const Definition& definition = terms.definition(node.index);
    if (needed[definition.variable]) {
      const z3::expr& variable = reals[definition.variable];
      const z3::expr condition = formula(definition.condition);
      solver.add(z3::implies(condition, variable == sum(LinearForm(definition.then))));
      solver.add(z3::implies(!condition, variable == sum(LinearForm(definition.otherwise))));
    }
    return context.bool_val(true);
  }

  const Terms& terms;
  z3::context context;
  z3::solver solver;
  std::stop_token stop;
  std::stop_callback<Interrupt> interrupt;
  std::vector<bool> needed;  // of the reals: Z3 needs them
  std::vector<z3::expr> reals;
  std::vector<z3::expr> booleans;
  std::vector<z3::expr> nodes;
};

namespace {

/// Any call to Z3 may throw, when it is interrupted or runs out of memory.
template <typename Work>
auto guarded(const std::stop_token& stop, const Work& work) {
  if (stop.stop_requested()) throw Stopped();
  try {
    return work();
  } catch (const z3::exception& error) {
    if (stop.stop_requested()) throw Stopped();
    throw GaveUp(std::string("Z3: ") + error.msg());
  }
}

}  // namespace

Smt::Smt(const Terms& terms, std::stop_token stop, std::span<const Polynomial> polynomials) {
  guarded(stop, [&] {
    z3_ = std::make_unique<Z3>(terms, stop);
    z3_->find_needed(polynomials);
    // Numbers instead of names: no name of a file is a name in Z3.
    for (std::size_t i = 0; i < terms.real_count(); ++i)
      z3_->reals.push_back(z3_->context.real_const(("x" + std::to_string(i)).c_str()));
    for (std::size_t i = 0; i < terms.boolean_count(); ++i)
      z3_->booleans.push_back(z3_->context.bool_const(("b" + std::to_string(i)).c_str()));
    for (std::uint32_t i = 0; i < terms.size(); ++i) {
      if (stop.stop_requested()) throw Stopped();
      z3_->nodes.push_back(z3_->translate(terms.node(i)));
    }
  });
}

Smt::~Smt() = default;

void Smt::push() {
  guarded(z3_->stop, [&] { z3_->solver.push(); });
}

void Smt::pop() {
  guarded(z3_->stop, [&] { z3_->solver.pop(); });
}

void Smt::add(Formula formula) {
  guarded(z3_->stop, [&] { z3_->solver.add(z3_->formula(formula)); });
}

void Smt::add(const LinearForm& form, Comparison comparison, bool holds) {
  guarded(z3_->stop, [&] {
    const z3::expr literal = z3_->compare(form, comparison);
    z3_->solver.add(holds ? literal : !literal);
  });
}

void Smt::limit(unsigned milliseconds) {
  guarded(z3_->stop, [&] { z3_->solver.set("timeout", milliseconds); });
}

std::optional<Smt::Model> Smt::check() {
  return guarded(z3_->stop, [&]() -> std::optional<Model> {
    const z3::check_result result = z3_->solver.check();
    if (result == z3::unsat) return std::nullopt;
    if (result == z3::unknown) {
      if (z3_->stop.stop_requested()) throw Stopped();
      throw GaveUp("Z3: " + z3_->solver.reason_unknown());
    }
    const z3::model found = z3_->solver.get_model();
    const auto value = [&](const z3::expr& real) {
      return Rational(Z3_get_numeral_string(z3_->context, found.eval(real, true)));
    };
    Model model;
    for (Variable i = 0; i < z3_->reals.size(); ++i)
      model.reals.push_back(z3_->terms.defining_node(i) != 0 ? Rational(0) : value(z3_->reals[i]));
    for (const z3::expr& boolean : z3_->booleans)
      model.booleans.push_back(found.eval(boolean, true).is_true());
    return model;
  });
}

}  // namespace wmi
