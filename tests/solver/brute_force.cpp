// Hyperplanes in n dimensions, seen as graphs over the first n-1 coordinates, cross each other
// above hyperplanes in n-1 dimensions. Between those, their order is the same everywhere, so one
// sample point tells whether the formula holds between two neighbouring graphs, and the integral of
// a polynomial between two graphs is a polynomial in one variable less.

#include "tests/solver/brute_force.h"

#include <algorithm>
#include <functional>
#include <map>

namespace wmi::tests {

bool holds(const Terms& terms, Formula formula, const std::vector<Rational>& reals,
           const std::vector<bool>& booleans) {
  const Node& node = terms.node(formula.node());
  bool value = true;
  switch (node.kind) {
    case Kind::constant:
    case Kind::definition:
      break;
    case Kind::boolean:
      value = booleans[node.index];
      break;
    case Kind::atom: {
      const Atom& atom = terms.atom(node.index);
      const int sign = sgn(piece_at(terms, atom.form.polynomial(), reals, booleans).at(reals));
      value = atom.comparison == Comparison::equal  ? sign == 0
              : atom.comparison == Comparison::less ? sign < 0
                                                    : sign <= 0;
      break;
    }
    case Kind::conjunction:
      for (const Formula child : node.children)
        value = value && holds(terms, child, reals, booleans);
      break;
    case Kind::choice:
      value = holds(terms, node.children[0], reals, booleans)
                  ? holds(terms, node.children[1], reals, booleans)
                  : holds(terms, node.children[2], reals, booleans);
      break;
  }
  return value != formula.negated();
}

Polynomial piece_at(const Terms& terms, const Polynomial& polynomial,
                    const std::vector<Rational>& reals, const std::vector<bool>& booleans) {
  return polynomial.substitute([&](Variable variable) {
    const std::uint32_t node = terms.defining_node(variable);
    if (node == 0) return Polynomial::variable(variable);
    const Definition& definition = terms.definition(terms.node(node).index);
    const bool condition = holds(terms, definition.condition, reals, booleans);
    return piece_at(terms, condition ? definition.then : definition.otherwise, reals, booleans);
  });
}

namespace {

/// All affine forms that a polynomial can be, whatever its conditions.
std::vector<Polynomial> pieces(const Terms& terms, const Polynomial& polynomial) {
  for (const Variable variable : polynomial.variables()) {
    const std::uint32_t node = terms.defining_node(variable);
    if (node == 0) continue;
    const Definition& definition = terms.definition(terms.node(node).index);
    std::vector<Polynomial> result;
    for (const Polynomial& branch : {definition.then, definition.otherwise})
      for (const Polynomial& piece : pieces(terms, polynomial.substitute([&](Variable other) {
             return other == variable ? branch : Polynomial::variable(other);
           })))
        result.push_back(piece);
    return result;
  }
  return {polynomial};
}

using Integrand = std::function<Polynomial(const std::vector<Rational>& sample)>;

/// The integral over R^dimension, cell by cell; outside of all hyperplanes it is taken as 0.
Rational integrate(Variable dimension, const std::vector<Polynomial>& planes,
                   const Integrand& integrand) {
  if (dimension == 0) return integrand({}).constant_term();
  const Variable last = dimension - 1;
  std::vector<Polynomial> graphs, below;
  const auto add = [](std::vector<Polynomial>& list, const Polynomial& plane) {
    if (!plane.constant() && std::find(list.begin(), list.end(), plane) == list.end())
      list.push_back(plane);
  };
  for (const Polynomial& plane : planes) {
    const Rational slope = LinearForm(plane).coefficient(last);
    if (slope == 0) {
      add(below, plane);
    } else {
      const Polynomial graph = Polynomial::variable(last) - plane * Polynomial(Rational(1 / slope));
      if (std::find(graphs.begin(), graphs.end(), graph) == graphs.end()) graphs.push_back(graph);
    }
  }
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) add(below, graphs[i] - graphs[j]);

  return integrate(last, below, [&](const std::vector<Rational>& sample) {
    std::map<Rational, const Polynomial*> heights;
    for (const Polynomial& graph : graphs) heights.emplace(graph.at(sample), &graph);
    Polynomial result;
    for (auto low = heights.begin(); low != heights.end(); ++low) {
      const auto high = std::next(low);
      if (high == heights.end()) break;
      std::vector<Rational> point = sample;
      point.push_back((low->first + high->first) / 2);
      std::vector<Polynomial::Term> antiderivative;
      const Polynomial between = integrand(point);
      for (Polynomial::Term term : between.terms()) {
        if (term.monomial.empty() || term.monomial.back().variable != last)
          term.monomial.push_back({last, 0});
        term.coefficient /= ++term.monomial.back().exponent;
        antiderivative.push_back(term);
      }
      const Polynomial primitive(antiderivative);
      const auto at = [&](const Polynomial& height) {
        return primitive.substitute([&](Variable variable) {
          return variable == last ? height : Polynomial::variable(variable);
        });
      };
      result += at(*high->second) - at(*low->second);
    }
    return result;
  });
}

}  // namespace

Rational brute_force(const Problem& problem, Formula event) {
  const Terms& terms = problem.terms;
  std::vector<Polynomial> planes;
  for (std::uint32_t i = 0; i < terms.size(); ++i)
    if (terms.node(i).kind == Kind::atom)
      for (const Polynomial& piece :
           pieces(terms, terms.atom(terms.node(i).index).form.polynomial()))
        if (!piece.constant()) planes.push_back(piece);

  Rational result;
  for (std::size_t code = 0; code < (std::size_t{1} << terms.boolean_count()); ++code) {
    std::vector<bool> booleans;
    for (std::size_t i = 0; i < terms.boolean_count(); ++i) booleans.push_back((code >> i) & 1);
    result += integrate(static_cast<Variable>(problem.integrated.size()), planes,
                        [&](const std::vector<Rational>& sample) {
                          bool model = holds(terms, event, sample, booleans);
                          for (const Formula assertion : problem.assertions)
                            model = model && holds(terms, assertion, sample, booleans);
                          Polynomial weight(model ? 1 : 0);
                          for (const Weight& factor : problem.weights)
                            if (model && holds(terms, factor.condition, sample, booleans))
                              weight = weight * piece_at(terms, factor.value, sample, booleans);
                          return weight;
                        });
  }
  return result;
}

}  // namespace wmi::tests
