#include "solver/smooth/smooth_integrand.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace wmi {
namespace {

/// The functions by the number of their variable, each replaced by the first one that equals it.
class Merged {
 public:
  explicit Merged(std::span<const AppliedFunction> functions) {
    for (const AppliedFunction& applied : functions) {
      AppliedFunction own = applied;
      own.argument = replaced(applied.argument);
      const auto same = std::ranges::find_if(functions_, [&](const auto& entry) {
        return entry.second.function == own.function && entry.second.argument == own.argument;
      });
      if (same != functions_.end())
        values_.emplace(applied.variable, Polynomial::variable(same->first));
      else
        functions_.emplace(applied.variable, std::move(own));
    }
  }

  Polynomial replaced(const Polynomial& polynomial) const {
    if (values_.empty()) return polynomial;
    return polynomial.replace([&](Variable variable) -> const Polynomial* {
      const auto found = values_.find(variable);
      return found == values_.end() ? nullptr : &found->second;
    });
  }
  const AppliedFunction& operator[](Variable variable) const { return functions_.at(variable); }

 private:
  std::map<Variable, AppliedFunction> functions_;
  std::map<Variable, Polynomial> values_;  // of those that equal an earlier one
};

/// Adds the functions that the polynomial depends on, by variable.
void need(const Merged& functions, const Polynomial& polynomial, std::size_t dimension,
          std::set<Variable>& needed) {
  for (const Variable variable : polynomial.variables())
    if (variable >= dimension && needed.insert(variable).second)
      need(functions, functions[variable].argument, dimension, needed);
}

Polynomial renumbered(const Polynomial& polynomial, const std::map<Variable, Variable>& numbers) {
  return polynomial.substitute([&](Variable variable) {
    const auto found = numbers.find(variable);
    return Polynomial::variable(found == numbers.end() ? variable : found->second);
  });
}

/// The product of powers of these functions (by variable), without a factor.
SmoothIntegrand product_of(const Monomial& powers, const Merged& functions, std::size_t dimension) {
  SmoothIntegrand result;
  result.dimension = dimension;
  Monomial others;
  for (const Power& power : powers) {
    const AppliedFunction& applied = functions[power.variable];
    const Rational exponent(static_cast<unsigned long>(power.exponent));
    if (applied.function == Function::exp) {
      result.exponent += exponent * applied.argument;
    } else if (applied.function == Function::normal) {
      result.exponent -= Rational(exponent / 2) * (applied.argument * applied.argument);
      result.normals += power.exponent;
    } else {
      others.push_back(power);
    }
  }
  std::set<Variable> needed;
  need(functions, result.exponent, dimension, needed);
  for (const Power& power : others)
    need(functions, Polynomial::variable(power.variable), dimension, needed);
  std::map<Variable, Variable> numbers;
  for (const Variable variable : needed) {
    const auto number = static_cast<Variable>(dimension + result.functions.size());
    const AppliedFunction& applied = functions[variable];
    result.functions.push_back({number, applied.function, renumbered(applied.argument, numbers)});
    numbers.emplace(variable, number);
  }
  result.exponent = renumbered(result.exponent, numbers);
  for (const Power& power : others)
    result.powers.push_back({numbers.at(power.variable), power.exponent});
  return result;
}

}  // namespace

std::vector<SmoothIntegrand> smooth_products(const Polynomial& integrand,
                                             std::span<const AppliedFunction> functions,
                                             std::size_t dimension) {
  const Merged merged(functions);
  std::map<Monomial, std::vector<Polynomial::Term>> factors;  // by the powers of functions
  const Polynomial whole = merged.replaced(integrand);
  for (const Polynomial::Term& term : whole.terms()) {
    const auto first = std::ranges::find_if(
        term.monomial, [&](const Power& power) { return power.variable >= dimension; });
    factors[Monomial(first, term.monomial.end())].push_back(
        {Monomial(term.monomial.begin(), first), term.coefficient});
  }
  std::vector<SmoothIntegrand> result;
  for (auto& [powers, terms] : factors) {
    SmoothIntegrand product = product_of(powers, merged, dimension);
    product.factor = Polynomial(std::move(terms));
    const auto same = std::ranges::find_if(result, [&](const SmoothIntegrand& other) {
      return other.exponent == product.exponent && other.normals == product.normals &&
             other.functions == product.functions && other.powers == product.powers;
    });
    if (same != result.end())
      same->factor += product.factor;
    else
      result.push_back(std::move(product));
  }
  std::erase_if(result, [](const SmoothIntegrand& product) { return product.factor.zero(); });
  return result;
}

namespace {

/// The coordinates that a polynomial depends on, also by way of functions.
std::set<Variable> coordinates_of(const SmoothIntegrand& integrand, const Polynomial& polynomial) {
  std::set<Variable> result;
  for (const Variable variable : polynomial.variables()) {
    if (variable < integrand.dimension)
      result.insert(variable);
    else
      result.merge(
          coordinates_of(integrand, integrand.functions[variable - integrand.dimension].argument));
  }
  return result;
}

}  // namespace

std::vector<std::vector<Variable>> independent_coordinates(
    const SmoothIntegrand& integrand, std::span<const std::vector<Variable>> blocks) {
  std::vector<Variable> root(integrand.dimension);
  std::iota(root.begin(), root.end(), Variable{0});
  const auto find = [&](Variable v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  const auto connect = [&](const auto& set) {
    for (const Variable variable : set) root[find(variable)] = find(*set.begin());
  };
  for (const std::vector<Variable>& block : blocks) connect(block);
  for (const Power& power : integrand.powers)
    connect(coordinates_of(integrand, Polynomial::variable(power.variable)));
  for (const Polynomial::Term& term : integrand.exponent.terms())
    connect(coordinates_of(integrand, Polynomial(std::vector{term})));
  std::map<Variable, std::vector<Variable>> sets;
  for (Variable v = 0; v < integrand.dimension; ++v) sets[find(v)].push_back(v);
  std::vector<std::vector<Variable>> result;
  for (auto& [representative, members] : sets) result.push_back(std::move(members));
  std::ranges::sort(result);
  return result;
}

SmoothIntegrand restricted(const SmoothIntegrand& integrand,
                           const std::vector<Variable>& coordinates, const Monomial& monomial,
                           bool first) {
  SmoothIntegrand result;
  result.dimension = coordinates.size();
  if (first) result.normals = integrand.normals;
  std::map<Variable, Variable> numbers;
  for (Variable i = 0; i < coordinates.size(); ++i) numbers.emplace(coordinates[i], i);
  const auto has = [&](const Polynomial& polynomial) {
    const std::set<Variable> own = coordinates_of(integrand, polynomial);
    return own.empty() ? first : numbers.contains(*own.begin());
  };
  std::set<Variable> needed;
  const auto need_functions = [&](const auto& self, const Polynomial& polynomial) -> void {
    for (const Variable variable : polynomial.variables())
      if (variable >= integrand.dimension && needed.insert(variable).second)
        self(self, integrand.functions[variable - integrand.dimension].argument);
  };
  std::vector<Polynomial::Term> exponent;
  for (const Polynomial::Term& term : integrand.exponent.terms())
    if (has(Polynomial(std::vector{term}))) exponent.push_back(term);
  result.exponent = Polynomial(std::move(exponent));
  need_functions(need_functions, result.exponent);
  for (const Power& power : integrand.powers)
    if (has(Polynomial::variable(power.variable))) {
      result.powers.push_back(power);
      need_functions(need_functions, Polynomial::variable(power.variable));
    }
  for (const Variable variable : needed) {
    const auto number = static_cast<Variable>(coordinates.size() + result.functions.size());
    const AppliedFunction& applied = integrand.functions[variable - integrand.dimension];
    result.functions.push_back({number, applied.function, renumbered(applied.argument, numbers)});
    numbers.emplace(variable, number);
  }
  result.exponent = renumbered(result.exponent, numbers);
  for (Power& power : result.powers) power.variable = numbers.at(power.variable);
  Monomial own;
  for (const Power& power : monomial)
    if (const auto found = numbers.find(power.variable); found != numbers.end())
      own.push_back({found->second, power.exponent});
  std::ranges::sort(own);
  result.factor = Polynomial({{own, Rational(1)}});
  return result;
}

}  // namespace wmi
