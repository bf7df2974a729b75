// Bucket elimination (Dechter, "Bucket elimination: a unifying framework for reasoning", 1999). Every
// node of the formulas and terms is a discrete variable: a function of one or two others, so that a
// long disjunction or sum is a chain of short ones. A function is a table of zeros and ones, and
// sums over the new variables change nothing: for any Booleans exactly one value counts. Terms have
// few values where they count, and as many as there are models where their coefficients are
// unrelated; such a term is summed monomial by monomial.
//
// The order of elimination is found from the graph before any table is made: next comes the variable
// whose table with its neighbours is smallest.

#include "solver/messages/discrete_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "solver/terms/error.h"

namespace wmi {
namespace {

/// Thrown where a table would be too large.
struct TooLarge {};

constexpr std::size_t most_entries = 1 << 17;  // of a table
constexpr std::size_t most_work = 1 << 24;     // entries of all tables of a sum
constexpr std::size_t most_monomials = 5'000;  // of a term that is summed one by one
constexpr std::size_t most_variables = 20'000;

using Place = std::uint32_t;  // of a variable

/// A number for all values of some variables, those of the last one next to each other. Of a function:
/// 1 where the last variable has its value, the number of which is kept for each value of the others.
struct Table {
  std::vector<Place> variables;  // each once
  std::vector<Rational> entries = {};
  std::shared_ptr<const std::vector<std::uint32_t>> function = nullptr;

  bool empty() const { return entries.empty() && !function; }
};

/// Discrete variables, and tables whose product is summed over all their values.
class Network {
 public:
  Place add(std::vector<Rational> values) {
    if (values_.size() == most_variables) throw TooLarge();
    values_.push_back(std::move(values));
    return static_cast<Place>(values_.size() - 1);
  }
  void add(Table table) { tables_.push_back(std::move(table)); }
  std::span<const Rational> values(Place variable) const { return values_[variable]; }

  /// A new variable whose value is this function of others.
  Place function(std::vector<Place> of,
                 const std::function<Rational(std::span<const Rational>)>& value) {
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    std::vector<Rational> found;
    for_each(of, [&](std::span<const std::size_t> index) {
      std::vector<Rational> arguments;
      for (std::size_t i = 0; i < of.size(); ++i) arguments.push_back(values_[of[i]][index[i]]);
      found.push_back(value(arguments));
    });
    std::vector<Rational> values = found;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (found.size() * values.size() > most_entries) throw TooLarge();
    std::vector<std::uint32_t> numbers;
    for (const Rational& each : found)
      numbers.push_back(static_cast<std::uint32_t>(
          std::lower_bound(values.begin(), values.end(), each) - values.begin()));
    const Place result = add(std::move(values));
    of.push_back(result);
    add(Table{std::move(of), {}, std::make_shared<const std::vector<std::uint32_t>>(numbers)});
    return result;
  }

  /// The sum for each value of `kept`, or one number. Throws TooLarge, Stopped.
  std::vector<Rational> sums(std::optional<Place> kept, const std::stop_token& stop) const {
    const std::vector<Place> order = elimination_order(kept);
    std::vector<Table> tables = tables_;
    std::vector<std::set<std::size_t>> users(values_.size());
    for (std::size_t i = 0; i < tables.size(); ++i)
      for (const Place variable : tables[i].variables) users[variable].insert(i);
    const auto product = [&](const std::set<std::size_t>& chosen, std::optional<Place> summed) {
      std::vector<const Table*> factors;
      for (const std::size_t i : chosen) factors.push_back(&tables[i]);
      return product_of(factors, summed);
    };
    for (const Place variable : order) {
      if (stop.stop_requested()) throw Stopped();
      const std::set<std::size_t> chosen = users[variable];
      Table table = product(chosen, variable);
      for (const std::size_t i : chosen) {
        for (const Place other : tables[i].variables) users[other].erase(i);
        tables[i] = {};
      }
      for (const Place other : table.variables) users[other].insert(tables.size());
      tables.push_back(std::move(table));
    }
    std::set<std::size_t> rest;
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (!tables[i].empty()) rest.insert(i);
    Table result = product(rest, std::nullopt);
    if (kept && result.variables.empty())
      return std::vector<Rational>(values_[*kept].size(), result.entries[0]);
    return std::move(result.entries);
  }

 private:
  /// Calls this with all indices of values of these variables; the last one changes first.
  template <class Visit>
  void for_each(std::span<const Place> variables, const Visit& visit) const {
    std::size_t count = 1;
    for (const Place variable : variables) {
      count *= values_[variable].size();
      if (count > most_entries) throw TooLarge();
    }
    std::vector<std::size_t> index(variables.size());
    for (std::size_t i = 0; i < count; ++i) {
      visit(std::span<const std::size_t>(index));
      for (std::size_t k = variables.size(); k-- > 0;) {
        if (++index[k] < values_[variables[k]].size()) break;
        index[k] = 0;
      }
    }
  }

  /// Of all variables but one. Throws TooLarge if their tables would be.
  std::vector<Place> elimination_order(std::optional<Place> kept) const {
    std::vector<std::set<Place>> neighbours(values_.size());
    for (const Table& table : tables_)
      for (const Place a : table.variables)
        for (const Place b : table.variables)
          if (a != b) neighbours[a].insert(b);
    const auto cost = [&](Place variable) {
      double result = std::log2(static_cast<double>(values_[variable].size()));
      for (const Place other : neighbours[variable])
        result += std::log2(static_cast<double>(values_[other].size()));
      return result;
    };
    std::vector<double> costs(values_.size());
    std::set<std::pair<double, Place>> open;
    for (Place variable = 0; variable < values_.size(); ++variable) {
      costs[variable] = cost(variable);
      if (variable != kept) open.emplace(costs[variable], variable);
    }
    std::vector<Place> result;
    double work = 0;
    while (!open.empty()) {
      const auto [least, variable] = *open.begin();
      open.erase(open.begin());
      work += std::exp2(least);
      if (least > std::log2(most_entries) + 1e-6 || work > most_work) throw TooLarge();
      result.push_back(variable);
      const std::set<Place> around = std::move(neighbours[variable]);
      neighbours[variable].clear();
      for (const Place other : around) {
        neighbours[other].erase(variable);
        for (const Place third : around)
          if (third != other) neighbours[other].insert(third);
      }
      for (const Place other : around) {
        if (other == kept) continue;
        open.erase({costs[other], other});
        costs[other] = cost(other);
        open.emplace(costs[other], other);
      }
    }
    return result;
  }

  /// Summed over the values of one variable, if it is given.
  Table product_of(std::vector<const Table*> factors, std::optional<Place> summed) const {
    std::ranges::stable_partition(factors,
                                  [](const Table* factor) { return factor->function != nullptr; });
    Table result;
    for (const Table* const factor : factors)
      for (const Place variable : factor->variables)
        if (variable != summed) result.variables.push_back(variable);
    std::sort(result.variables.begin(), result.variables.end());
    result.variables.erase(std::unique(result.variables.begin(), result.variables.end()),
                           result.variables.end());
    std::vector<Place> all = result.variables;
    if (summed) all.push_back(*summed);
    std::vector<std::vector<std::size_t>> strides;  // of each factor, for all variables
    for (const Table* const factor : factors) {
      std::vector<std::size_t>& own = strides.emplace_back(all.size());
      std::size_t stride = 1;
      for (std::size_t k = factor->variables.size() - (factor->function ? 1 : 0); k-- > 0;) {
        const auto at = std::find(all.begin(), all.end(), factor->variables[k]) - all.begin();
        own[static_cast<std::size_t>(at)] = stride;
        stride *= values_[factor->variables[k]].size();
      }
    }
    std::vector<std::size_t> results;  // where the value of each function is
    for (const Table* const factor : factors)
      if (factor->function)
        results.push_back(static_cast<std::size_t>(
            std::find(all.begin(), all.end(), factor->variables.back()) - all.begin()));
    const std::size_t each = summed ? values_[*summed].size() : 1;
    std::size_t count = 0;
    Rational sum, product;
    for_each(all, [&](std::span<const std::size_t> index) {
      product = 1;
      for (std::size_t i = 0; i < factors.size() && product != 0; ++i) {
        std::size_t at = 0;
        for (std::size_t k = 0; k < index.size(); ++k) at += index[k] * strides[i][k];
        if (i < results.size()) {
          if ((*factors[i]->function)[at] != index[results[i]]) product = 0;
          continue;
        }
        const Rational& entry = factors[i]->entries[at];
        if (entry != 1) product *= entry;
      }
      sum += product;
      if (++count % each != 0) return;
      result.entries.push_back(sum);
      sum = 0;
    });
    return result;
  }

  std::vector<std::vector<Rational>> values_;  // ascending
  std::vector<Table> tables_;
};

/// The formulas and terms of a problem as variables of a network.
class Compiler {
 public:
  explicit Compiler(const Problem& problem) : problem_(problem) {
    for (std::size_t i = 0; i < problem.terms.boolean_count(); ++i) network_.add({0, 1});
    for (const Formula formula : conjuncts(problem)) require(formula);
    for (const Weight& weight : problem.weights) multiply(weight);
  }

  void require(Formula formula) {
    const Terms& terms = problem_.terms;
    const Node& node = terms.node(formula.node());
    if (node.kind == Kind::conjunction && !formula.negated()) {
      for (const Formula child : node.children) require(child);
      return;
    }
    const Place place = at(formula.node());
    weigh(place, [&](const Rational& value) { return (value == 1) != formula.negated() ? 1 : 0; });
  }

  /// Multiplies by a function of a variable.
  void weigh(Place place, const std::function<Rational(const Rational&)>& factor) {
    Table table{{place}, {}};
    for (const Rational& value : network_.values(place)) table.entries.push_back(factor(value));
    network_.add(std::move(table));
  }

  Place at(const Polynomial& polynomial) {
    std::optional<Place> sum;
    for (const Polynomial::Term& term : polynomial.terms()) {
      const Place product = at(term.monomial);
      const Rational& factor = term.coefficient;
      const auto known = sums_.find({sum, product, factor});
      if (known != sums_.end()) {
        sum = known->second;
        continue;
      }
      const auto key = std::tuple(sum, product, factor);
      if (sum)
        sum = network_.function({*sum, product},
                                two_of(*sum, product, [&](const Rational& a, const Rational& b) {
                                  return Rational(a + factor * b);
                                }));
      else if (factor == 1)
        sum = product;
      else
        sum = network_.function(
            {product}, [&](std::span<const Rational> x) { return Rational(factor * x[0]); });
      sums_.emplace(key, *sum);
    }
    return sum ? *sum : network_.add({0});
  }

  Place at(const Monomial& monomial) {
    std::optional<Place> product;
    for (const Power& power : monomial) {
      const Place factor = at_variable(power.variable);
      const unsigned exponent = power.exponent;
      if (product)
        product = network_.function(
            {*product, factor}, two_of(*product, factor, [&](const Rational& a, const Rational& b) {
              return Rational(a * wmi::power(b, exponent));
            }));
      else if (exponent == 1)
        product = factor;
      else
        product = network_.function(
            {factor}, [&](std::span<const Rational> x) { return wmi::power(x[0], exponent); });
    }
    return product ? *product : network_.add({1});
  }

  const Network& network() const { return network_; }

 private:
  using OfTwo = std::function<Rational(const Rational&, const Rational&)>;

  /// A function of two variables, which may be the same.
  static std::function<Rational(std::span<const Rational>)> two_of(Place a, Place b, OfTwo value) {
    return [a, b, value = std::move(value)](std::span<const Rational> x) {
      return a == b ? value(x[0], x[0]) : a < b ? value(x[0], x[1]) : value(x[1], x[0]);
    };
  }

  void multiply(const Weight& weight) {
    const Place value = at(weight.value);
    if (weight.condition == truth) {
      weigh(value, [](const Rational& x) { return x; });
      return;
    }
    const Place condition = at(weight.condition.node());
    const Rational off = weight.condition.negated() ? 1 : 0;
    const Place factor = network_.function(
        {condition, value}, two_of(condition, value, [off](const Rational& c, const Rational& x) {
          return c == off ? Rational(1) : x;
        }));
    weigh(factor, [](const Rational& x) { return x; });
  }

  /// The variable of a declared Boolean, or of a node below; 1 where it holds.
  Place at(std::uint32_t node) {
    if (const auto found = of_nodes_.find(node); found != of_nodes_.end()) return found->second;
    for (const std::uint32_t number : problem_.terms.below(std::array{Formula(node, false)}, {}))
      if (!of_nodes_.contains(number)) of_nodes_[number] = made(number);
    return of_nodes_.at(node);
  }

  Place at_variable(Variable variable) {
    const std::uint32_t node = problem_.terms.defining_node(variable);
    if (node == 0) throw TooLarge();  // a declared real
    return at(node);
  }

  Place made(std::uint32_t number) {
    const Terms& terms = problem_.terms;
    const Node& node = terms.node(number);
    const auto holds_at = [this](Formula child, const Rational& value) {
      return (value == 1) != child.negated();
    };
    switch (node.kind) {
      case Kind::constant:
        return network_.add({1});
      case Kind::boolean:
        return node.index;
      case Kind::atom: {
        const Atom& atom = terms.atom(node.index);
        std::vector<Polynomial::Term> form;
        for (const auto& [variable, coefficient] : atom.form.coefficients)
          form.push_back({{{variable, 1}}, coefficient});
        const Place sum = at(Polynomial(std::move(form)));
        return network_.function({sum}, [&](std::span<const Rational> x) {
          return Rational(holds(Rational(x[0] + atom.form.constant), atom.comparison) ? 1 : 0);
        });
      }
      case Kind::conjunction: {
        Formula first = node.children[0];
        Place all = of_nodes_.at(first.node());
        for (std::size_t i = 1; i < node.children.size(); ++i) {
          const Formula next = node.children[i];
          const Place other = of_nodes_.at(next.node());
          all = network_.function({all, other},
                                  two_of(all, other, [&](const Rational& a, const Rational& b) {
                                    return Rational(holds_at(first, a) && holds_at(next, b));
                                  }));
          first = Formula();  // what is known so far is not negated
        }
        return all;
      }
      case Kind::choice:
        return chosen(node.children[0], of_nodes_.at(node.children[1].node()),
                      of_nodes_.at(node.children[2].node()), node.children[1].negated(),
                      node.children[2].negated());
      case Kind::definition: {
        const Definition& definition = terms.definition(node.index);
        if (definition.function != Function::none) throw TooLarge();
        const Place then = at(definition.then), otherwise = at(definition.otherwise);
        return chosen(definition.condition, then, otherwise, false, false);
      }
    }
    throw TooLarge();
  }

  /// A truth value is negated as 1 - x.
  Place chosen(Formula condition, Place then, Place otherwise, bool negate_then,
               bool negate_otherwise) {
    const Place decides = of_nodes_.at(condition.node());
    std::vector<Place> of = {decides, then, otherwise};
    std::vector<Place> sorted = of;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const auto index = [&](Place place) {
      return static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), place) -
                                      sorted.begin());
    };
    return network_.function(of, [&](std::span<const Rational> x) {
      const bool first = (x[index(decides)] == 1) != condition.negated();
      const Rational& value = x[index(first ? then : otherwise)];
      return (first ? negate_then : negate_otherwise) ? Rational(1 - value) : value;
    });
  }

  const Problem& problem_;
  Network network_;
  std::map<std::uint32_t, Place> of_nodes_;
  std::map<std::tuple<std::optional<Place>, Place, Rational>, Place> sums_;  // by their last step
};

/// The sum of the weight times a power of a term.
Rational summed(const Compiler& weighed, const Summand& summand, const std::stop_token& stop) {
  const auto times = [&](const auto& term, unsigned order) {
    Compiler compiler = weighed;
    compiler.weigh(compiler.at(term), [&](const Rational& x) { return power(x, order); });
    return compiler.network().sums(std::nullopt, stop)[0];
  };
  if (summand.is_one()) return weighed.network().sums(std::nullopt, stop)[0];
  try {
    return times(summand.term, summand.order);
  } catch (const TooLarge&) {
  }
  const Polynomial term = power(summand.term, summand.order);
  if (term.terms().size() > most_monomials) throw TooLarge();
  Rational result;
  for (const Polynomial::Term& monomial : term.terms())
    result += monomial.coefficient * times(monomial.monomial, 1);
  return result;
}

}  // namespace

std::optional<DiscreteSums> sum_over_booleans(const Problem& problem, const Goal& goal,
                                              const std::stop_token& stop) {
  if (!problem.integrated.empty() || problem.terms.smooth()) return std::nullopt;
  try {
    Compiler compiler(problem);
    compiler.require(goal.condition);
    const auto masses = [&](const Polynomial& term) {
      Compiler of_term = compiler;
      const Place place = of_term.at(term);
      const std::vector<Rational> sums = of_term.network().sums(place, stop);
      std::vector<PointMass> result;
      for (std::size_t i = 0; i < sums.size(); ++i)
        result.push_back({of_term.network().values(place)[i], sums[i]});
      return Law(result, {});
    };
    DiscreteSums result;
    for (const Summand& summand : goal.summands)
      result.integrals.push_back(summed(compiler, summand, stop));
    if (goal.slice) result.integrals.push_back(masses(goal.slice->term).mass_at(goal.slice->at));
    for (const Output& output : goal.outputs) result.laws.push_back(masses(output.term));
    return result;
  } catch (const TooLarge&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace wmi
