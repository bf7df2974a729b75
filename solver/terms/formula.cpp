#include "solver/terms/formula.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// A hash of everything that has been added, in order.
class Hash {
 public:
  void add(std::uint64_t word) {  // the finaliser of splitmix64 (Steele, Lea, Flood, 2014)
    state_ = (state_ ^ word) + 0x9e3779b97f4a7c15;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111eb;
    state_ ^= state_ >> 31;
  }
  void add(const Integer& number) {
    const mpz_srcptr raw = number.get_mpz_t();
    add(static_cast<std::uint64_t>(raw->_mp_size));
    for (std::size_t i = 0; i < mpz_size(raw); ++i) add(mpz_getlimbn(raw, static_cast<long>(i)));
  }
  void add(const Rational& number) {
    add(number.get_num());
    add(number.get_den());
  }
  void add(const LinearForm& form) {
    add(form.constant);
    for (const auto& [variable, coefficient] : form.coefficients) {
      add(variable);
      add(coefficient);
    }
  }
  void add(const Polynomial& polynomial) {
    for (const Polynomial::Term& term : polynomial.terms()) {
      add(term.monomial.size());
      for (const Power& power : term.monomial) {
        add(power.variable);
        add(power.exponent);
      }
      add(term.coefficient);
    }
    add(polynomial.terms().size());
  }
  void add(Formula formula) { add(2 * std::uint64_t{formula.node()} + formula.negated()); }
  void add(std::span<const Formula> formulas) {
    for (const Formula formula : formulas) add(formula);
  }
  void add(Kind kind) { add(static_cast<std::uint64_t>(kind)); }

  std::size_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

template <class Same>
std::uint32_t Terms::find(std::size_t hash, Same&& same) const {
  for (auto [entry, end] = known_.equal_range(hash); entry != end; ++entry)
    if (same(nodes_[entry->second])) return entry->second;
  return 0;
}

Terms::Terms() { nodes_.push_back({Kind::constant, 0, {}}); }

std::uint32_t Terms::add(Kind kind, std::uint32_t index, std::vector<Formula> children) {
  nodes_.push_back({kind, index, std::move(children)});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

Variable Terms::declare_real(std::string name) {
  reals_.push_back({std::move(name), 0, 1});
  return static_cast<Variable>(reals_.size() - 1);
}

Formula Terms::declare_boolean(std::string name) {
  const std::uint32_t node = add(Kind::boolean, static_cast<std::uint32_t>(booleans_.size()), {});
  booleans_.push_back({std::move(name), node});
  return {node, false};
}

Formula Terms::less_equal(const Polynomial& a, const Polynomial& b) {
  return compare(a - b, Comparison::less_equal);
}

Formula Terms::less(const Polynomial& a, const Polynomial& b) {
  return compare(a - b, Comparison::less);
}

Formula Terms::equal(const Polynomial& a, const Polynomial& b) {
  return compare(a - b, Comparison::equal);
}

Formula Terms::compare(const Polynomial& difference, Comparison comparison) {
  return compare(LinearForm(affine(difference)), comparison);
}

Formula Terms::compare(LinearForm form, Comparison comparison) {
  if (form.is_constant()) return holds(form.constant, comparison) ? truth : falsity;
  form.make_primitive();
  bool negated = false;
  if (form.coefficients[0].second < 0) {  // -f <= 0 is not f < 0
    form = -std::move(form);
    negated = comparison != Comparison::equal;
    if (comparison == Comparison::less_equal)
      comparison = Comparison::less;
    else if (comparison == Comparison::less)
      comparison = Comparison::less_equal;
  }
  Hash hash;
  hash.add(Kind::atom);
  hash.add(static_cast<std::uint64_t>(comparison));
  hash.add(form);
  std::uint32_t node = find(hash.value(), [&](const Node& other) {
    return other.kind == Kind::atom && atoms_[other.index].comparison == comparison &&
           atoms_[other.index].form == form;
  });
  if (node == 0) {
    node = add(Kind::atom, static_cast<std::uint32_t>(atoms_.size()), {});
    known_.emplace(hash.value(), node);
    atoms_.push_back({std::move(form), comparison});
  }
  return {node, negated};
}

Polynomial Terms::affine(const Polynomial& polynomial) {
  if (const Function function = function_in(polynomial); function != Function::none)
    throw Error("the function '" + std::string(name_of(function)) +
                "' cannot stand here; smooth functions are allowed in weights and in terms of "
                "expectations, variances and moments only");
  if (degree(polynomial) > 1)
    throw Error("the product " + product_in(polynomial) +
                " is not linear; only sums of numbers times variables can stand here");
  return linearised(polynomial);
}

std::uint32_t Terms::unique(Kind kind, std::vector<Formula> children) {
  Hash hash;
  hash.add(kind);
  hash.add(children);
  std::uint32_t node = find(hash.value(), [&](const Node& other) {
    return other.kind == kind && other.children == children;
  });
  if (node == 0) {
    node = add(kind, 0, std::move(children));
    known_.emplace(hash.value(), node);
  }
  return node;
}

Formula Terms::all(std::span<const Formula> formulas) {
  std::vector<Formula> children;
  std::set<Formula> seen;
  for (const Formula formula : formulas) {
    if (formula == falsity || seen.contains(!formula)) return falsity;
    if (formula != truth && seen.insert(formula).second) children.push_back(formula);
  }
  if (children.empty()) return truth;
  if (children.size() == 1) return children[0];
  return {unique(Kind::conjunction, std::move(children)), false};
}

Formula Terms::any(std::span<const Formula> formulas) {
  std::vector<Formula> negations;
  negations.reserve(formulas.size());
  for (const Formula formula : formulas) negations.push_back(!formula);
  return !all(negations);
}

Formula Terms::both(Formula a, Formula b) { return all(std::vector{a, b}); }
Formula Terms::either(Formula a, Formula b) { return any(std::vector{a, b}); }

Formula Terms::choice(Formula condition, Formula then, Formula otherwise) {
  if (condition.negated()) return choice(!condition, otherwise, then);
  if (condition == truth || then == otherwise) return then;
  if (then == truth || then == condition) return either(condition, otherwise);
  if (then == falsity || then == !condition) return both(!condition, otherwise);
  if (otherwise == truth || otherwise == !condition) return either(!condition, then);
  if (otherwise == falsity || otherwise == condition) return both(condition, then);
  return {unique(Kind::choice, {condition, then, otherwise}), false};
}

Polynomial Terms::choice(Formula condition, Polynomial then, Polynomial otherwise) {
  if (condition.negated()) return choice(!condition, std::move(otherwise), std::move(then));
  if (condition == truth || then == otherwise) return then;
  const unsigned highest = std::max(degree(then), degree(otherwise));
  if (highest <= 1) {
    then = linearised(std::move(then));
    otherwise = linearised(std::move(otherwise));
  }
  return define({0, condition, std::move(then), std::move(otherwise)}, highest);
}

Polynomial Terms::define(Definition definition, unsigned degree) {
  Hash hash;
  hash.add(Kind::definition);
  hash.add(definition.condition);
  hash.add(definition.then);
  hash.add(definition.otherwise);
  if (definition.function != Function::none)
    hash.add(static_cast<std::uint64_t>(definition.function));
  std::uint32_t node = find(hash.value(), [&](const Node& other) {
    if (other.kind != Kind::definition) return false;
    const Definition& known = definitions_[other.index];
    return known.condition == definition.condition && known.then == definition.then &&
           known.otherwise == definition.otherwise && known.function == definition.function;
  });
  if (node == 0) {
    definition.variable = static_cast<Variable>(reals_.size());
    node = add(Kind::definition, static_cast<std::uint32_t>(definitions_.size()), {});
    known_.emplace(hash.value(), node);
    definitions_.push_back(std::move(definition));
    reals_.push_back({"", node, degree});
  }
  return Polynomial::variable(definitions_[nodes_[node].index].variable);
}

Polynomial Terms::apply(Function function, Polynomial argument) {
  if (argument.constant())
    if (const auto value = rational_value(function, argument.constant_term())) return *value;
  smooth_ = true;
  constexpr unsigned not_linear = 2;
  return define({0, truth, std::move(argument), Polynomial(), function}, not_linear);
}

Function Terms::function_in(const Polynomial& polynomial) const {
  if (!smooth_) return Function::none;
  for (const std::uint32_t node : below({}, std::span(&polynomial, 1)))
    if (nodes_[node].kind == Kind::definition &&
        definitions_[nodes_[node].index].function != Function::none)
      return definitions_[nodes_[node].index].function;
  return Function::none;
}

unsigned Terms::degree(const Polynomial& polynomial) const {
  unsigned result = 0;
  for (const Polynomial::Term& term : polynomial.terms()) {
    unsigned sum = 0;
    for (const Power& power : term.monomial) sum += power.exponent * reals_[power.variable].degree;
    result = std::max(result, sum);
  }
  return result;
}

/// A product of piecewise constants and at most one other variable is a choice of linear forms:
/// (ite c a b) * rest = (ite c a*rest b*rest), one factor at a time.
Polynomial Terms::linearised(Polynomial polynomial) {
  if (polynomial.degree() <= 1) return polynomial;
  std::size_t pieces = 0;
  return linearised(polynomial, 0, pieces);
}

Polynomial Terms::linearised(const Polynomial& polynomial, unsigned depth, std::size_t& pieces) {
  constexpr unsigned deepest = 200;
  if (polynomial.degree() <= 1) return polynomial;
  if (depth > deepest || ++pieces > caps::choices)
    throw Error("a product of choices with more than " + std::to_string(caps::choices) +
                " pieces; a comparison takes sums of numbers times variables");
  std::vector<Polynomial::Term> linear;
  Polynomial rest;
  for (const Polynomial::Term& term : polynomial.terms()) {
    if (wmi::degree(term.monomial) <= 1) {
      linear.push_back(term);
      continue;
    }
    Monomial others = term.monomial;
    const auto chosen = std::find_if(others.begin(), others.end(), [&](const Power& power) {
      return reals_[power.variable].node != 0;
    });
    assert(chosen != others.end());
    const Definition definition = definitions_[nodes_[reals_[chosen->variable].node].index];
    if (--chosen->exponent == 0) others.erase(chosen);
    const Polynomial factor(std::vector<Polynomial::Term>{{others, term.coefficient}});
    rest += choice(definition.condition, linearised(definition.then * factor, depth + 1, pieces),
                   linearised(definition.otherwise * factor, depth + 1, pieces));
  }
  return Polynomial(std::move(linear)) + rest;
}

/// A product of variables that makes the polynomial's degree more than 1, written as in a file.
std::string Terms::product_in(const Polynomial& polynomial) const {
  const auto guilty = [&](const Polynomial& candidate) -> const Monomial* {
    for (const Polynomial::Term& term : candidate.terms())
      if (degree(Polynomial(std::vector{term})) > 1) return &term.monomial;
    return nullptr;
  };
  const Monomial* monomial = guilty(polynomial);
  assert(monomial != nullptr);
  while (monomial->size() == 1 && (*monomial)[0].exponent == 1) {  // one choice: look inside
    const Definition& definition = definitions_[nodes_[reals_[(*monomial)[0].variable].node].index];
    const Monomial* inner = guilty(definition.then);
    monomial = inner != nullptr ? inner : guilty(definition.otherwise);
  }
  std::string result = "(*";
  for (const Power& power : *monomial)
    for (unsigned i = 0; i < std::min(power.exponent, 3U); ++i)
      result += ' ' + (reals_[power.variable].node == 0 ? reals_[power.variable].name
                                                        : std::string("(ite ...)"));
  return result + ")";
}

std::vector<std::uint32_t> Terms::below(std::span<const Formula> formulas,
                                        std::span<const Polynomial> polynomials) const {
  enum : std::uint8_t { unseen, open, done };
  std::vector<std::uint8_t> state(nodes_.size(), unseen);
  std::vector<std::uint32_t> order, stack;

  const auto visit = [&](std::uint32_t node) {
    if (state[node] == unseen) stack.push_back(node);
  };
  const auto visit_polynomial = [&](const Polynomial& polynomial) {
    // Pushed in reverse, so that they are taken in order.
    const std::vector<Variable> variables = polynomial.variables();
    for (auto i = variables.rbegin(); i != variables.rend(); ++i)
      if (reals_[*i].node != 0) visit(reals_[*i].node);
  };
  const auto drain = [&] {
    while (!stack.empty()) {
      const std::uint32_t node = stack.back();
      if (state[node] != unseen) {
        stack.pop_back();
        if (state[node] == open) {
          state[node] = done;
          order.push_back(node);
        }
        continue;
      }
      state[node] = open;
      const Node& content = nodes_[node];
      for (auto i = content.children.rbegin(); i != content.children.rend(); ++i) visit(i->node());
      if (content.kind == Kind::atom) {
        const auto& coefficients = atoms_[content.index].form.coefficients;
        for (auto i = coefficients.rbegin(); i != coefficients.rend(); ++i)
          if (reals_[i->first].node != 0) visit(reals_[i->first].node);
      } else if (content.kind == Kind::definition) {
        const Definition& definition = definitions_[content.index];
        visit_polynomial(definition.otherwise);
        visit_polynomial(definition.then);
        visit(definition.condition.node());
      }
    }
  };
  for (const Formula formula : formulas) visit(formula.node()), drain();
  for (const Polynomial& polynomial : polynomials) visit_polynomial(polynomial), drain();
  return order;
}

}  // namespace wmi
