// Variable elimination on a grid. With the step of the grid as the unit, the hyperplanes x = c and
// x - y = c, c integer, cut space into simplices (the alcoves of the affine Weyl group of type A):
// each has the integer parts of all reals, and an order of their fractional parts. In an alcove no
// atom changes, so formulas are evaluated at one point of it. The message of a real x to its
// neighbours u and v is a polynomial on each alcove of their plane, in their fractional parts: the
// sum over the integer part of x, and over its places in the order, of the integral over its
// fractional part between two neighbours in the order.

#include "solver/messages/grid_messages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "solver/messages/block_tree.h"
#include "solver/messages/factors.h"
#include "solver/messages/implied_bounds.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr std::size_t most_neighbours = 2;
/// Terms of one message.
constexpr double most_terms = 1e6;
constexpr std::size_t most_monomials = 8;

/// How many terms may be integrated, some ten million a second: what a search of a block takes longer
/// for, whose vertices are exponential in its reals, but no more than in some seconds.
double most_work(std::size_t more_reals) {
  constexpr double at_least = 3e6, factor = 8, at_most = 1e8;
  return std::min(at_most, at_least * std::pow(factor, static_cast<double>(more_reals)));
}

/// The reals of the largest block.
std::size_t largest_block(const Problem& problem) {
  const Factors factors(problem);
  const std::size_t reals = problem.integrated.size();
  const BlockTree tree(factors, factors.of_problem(), reals, std::vector<bool>(reals, true));
  std::size_t result = 0;
  for (const Block& block : tree.blocks()) result = std::max(result, block.vertices.size());
  return result;
}

/// Where the reals lie on the grid.
struct Grid {
  Integer steps = 1;  // in one unit
  std::vector<Integer> lower;
  std::vector<std::size_t> lengths;
};

/// A real or the difference of two, with a constant.
bool is_difference(const LinearForm& form) {
  const auto& all = form.coefficients;
  return all.size() == 1 || (all.size() == 2 && all[0].second == -all[1].second);
}

/// The grid on which all atoms are; nullopt if some are on none, or it is very fine.
std::optional<Grid> grid_of(const Problem& problem, std::span<const Goal> goals) {
  constexpr unsigned long finest = 1'000;
  const Terms& terms = problem.terms;
  if (terms.boolean_count() > 0 || terms.smooth() ||
      !std::ranges::all_of(problem.integrated, std::identity()))
    return std::nullopt;
  Grid result;
  for (const std::uint32_t number : cone(problem, goals)) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::boolean || node.kind == Kind::definition) return std::nullopt;
    if (node.kind != Kind::atom) continue;
    const LinearForm& form = terms.atom(node.index).form;
    if (!is_difference(form)) return std::nullopt;
    const Rational at = form.constant / form.coefficients[0].second;
    result.steps = lcm(result.steps, at.get_den());
    if (result.steps > finest) return std::nullopt;
  }
  for (const auto& [lower, upper] : implied_bounds(problem)) {
    if (!lower || !upper) return std::nullopt;
    const Rational from = *lower * result.steps, length = (*upper - *lower) * result.steps;
    if (from.get_den() != 1 || length.get_den() != 1 || length <= 0 || length > finest)
      return std::nullopt;
    result.lower.push_back(from.get_num());
    result.lengths.push_back(length.get_num().get_ui());
  }
  return result;
}

/// What a formula is at a point, without Booleans and definitions.
class Evaluator {
 public:
  Evaluator(const Terms& terms, Formula formula)
      : terms_(terms), formula_(formula), nodes_(terms.below(std::span(&formula, 1), {})) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) places_[nodes_[i]] = i;
    values_.resize(nodes_.size());
  }

  bool operator()(const std::vector<Rational>& point) {
    if (formula_ == truth) return true;
    const auto value = [&](Formula formula) {
      if (formula == truth || formula == falsity) return formula == truth;
      return values_[places_.at(formula.node())] != formula.negated();
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = terms_.node(nodes_[i]);
      if (node.kind == Kind::constant)
        values_[i] = true;
      else if (node.kind == Kind::atom)
        values_[i] =
            holds(terms_.atom(node.index).form.at(point), terms_.atom(node.index).comparison);
      else if (node.kind == Kind::conjunction)
        values_[i] = std::ranges::all_of(node.children, value);
      else
        values_[i] = value(value(node.children[0]) ? node.children[1] : node.children[2]);
    }
    return value(formula_);
  }

 private:
  const Terms& terms_;
  const Formula formula_;
  const std::vector<std::uint32_t> nodes_;
  std::map<std::uint32_t, std::size_t> places_;
  std::vector<bool> values_;
};

/// One elimination: the real, the others that it shares factors with, and these factors.
struct Step {
  Variable real;
  std::vector<Variable> neighbours;   // ascending
  std::vector<std::size_t> factors;   // by number
  std::vector<std::size_t> messages;  // of earlier steps
  unsigned degree = 0;                // of the message
};

/// A function of at most two reals: on each alcove a polynomial in their fractional parts.
struct Message {
  std::vector<Variable> on;       // ascending
  std::vector<Polynomial> cells;  // by integer parts, then the order of the fractional parts
};

/// The sum of integrals of polynomials in the fractional parts of two neighbours (variables 0 and 1)
/// and of the real itself (2), over the latter.
class Integrals {
 public:
  /// The ends of an integral: 0, 1, or a neighbour's fractional part.
  enum class End : std::uint8_t { first_neighbour, second_neighbour, zero, one };

  explicit Integrals(unsigned degree) : width_(degree + std::size_t{1}), sums_(width_ * width_) {}

  /// The variables of the polynomial stand for these.
  void add(const Polynomial& polynomial, const std::array<std::size_t, 3>& variables, End from,
           End to) {
    for (const Polynomial::Term& term : polynomial.terms()) {
      std::array<std::size_t, 3> exponents{};
      for (const Power& power : term.monomial)
        exponents[variables[power.variable]] += power.exponent;
      const std::size_t n = exponents[2] + 1;
      value_ = term.coefficient / static_cast<unsigned long>(n);
      if (to != End::zero) at(exponents, n, to) += value_;
      if (from != End::zero) at(exponents, n, from) -= value_;
    }
  }

  /// The sum, times a factor; it is 0 afterwards.
  Polynomial take(const Rational& factor) {
    std::vector<Polynomial::Term> terms;
    for (std::uint32_t a = 0; a < width_; ++a)
      for (std::uint32_t b = 0; b < width_; ++b) {
        Rational& sum = sums_[a * width_ + b];
        if (sum == 0) continue;
        Monomial monomial;
        if (a > 0) monomial.push_back({0, a});
        if (b > 0) monomial.push_back({1, b});
        terms.push_back({std::move(monomial), sum * factor});
        sum = 0;
      }
    return Polynomial(std::move(terms));
  }

 private:
  Rational& at(const std::array<std::size_t, 3>& exponents, std::size_t n, End end) {
    const std::size_t a = exponents[0] + (end == End::first_neighbour ? n : 0);
    const std::size_t b = exponents[1] + (end == End::second_neighbour ? n : 0);
    return sums_.at(a * width_ + b);
  }

  const std::size_t width_;
  std::vector<Rational> sums_;
  Rational value_;
};

class GridMessages {
 public:
  GridMessages(const Problem& problem, Grid grid, double most_work, std::stop_token stop)
      : problem_(problem),
        grid_(std::move(grid)),
        most_work_(most_work),
        stop_(std::move(stop)),
        factors_(problem) {}

  std::optional<Rational> integral(const Goal& goal, const Summand& summand) {
    const Polynomial term = summand.is_one() ? Polynomial(1) : power(summand.term, summand.order);
    if (term.terms().size() > most_monomials) return std::nullopt;
    Rational result;
    for (const Polynomial::Term& monomial : term.terms()) {
      std::vector<std::size_t> numbers = factors_.of_problem();
      for (const std::size_t factor : factors_.of_formula(goal.condition))
        numbers.push_back(factor);
      for (const std::size_t factor : factors_.of_monomial(monomial.monomial))
        numbers.push_back(factor);
      const std::optional<Rational> found = integral(numbers);
      if (!found) return std::nullopt;
      result += monomial.coefficient * *found;
    }
    return result;
  }

  const MessageCounts& counts() const { return counts_; }

 private:
  std::optional<Rational> integral(const std::vector<std::size_t>& numbers) {
    const std::optional<std::vector<Step>> steps = plan(numbers);
    if (!steps) return std::nullopt;
    Rational result = 1;
    for (const std::size_t number : numbers) {
      const Factor& factor = factors_[number];
      if (!factor.vertices.empty()) continue;
      if (factor.asserts ? factor.condition != truth : factor.condition == truth)
        result *= factor.asserts ? Rational(0) : factor.value.constant_term();
    }
    std::vector<std::size_t> made;  // numbers of messages
    for (const Step& step : *steps) {
      std::vector<std::size_t> incoming;
      for (const std::size_t message : step.messages) incoming.push_back(made[message]);
      std::vector<std::size_t> key = {step.real, step.factors.size()};
      key.insert(key.end(), step.factors.begin(), step.factors.end());
      key.insert(key.end(), incoming.begin(), incoming.end());
      const auto [known, fresh] = known_.try_emplace(key, messages_.size());
      if (fresh) {
        messages_.push_back(message(step, incoming));
        ++counts_.messages;
        counts_.most_pieces = std::max(counts_.most_pieces, messages_.back().cells.size());
      }
      made.push_back(known->second);
      if (step.neighbours.empty()) result *= messages_[known->second].cells[0].constant_term();
    }
    counts_.blocks = std::max(counts_.blocks, steps->size());
    return result;
  }

  /// Always the real with the fewest neighbours. nullopt if some have too many, or if that would take
  /// too long.
  std::optional<std::vector<Step>> plan(const std::vector<std::size_t>& numbers) const {
    const std::size_t reals = grid_.lengths.size();
    std::vector<std::set<Variable>> graph(reals);
    for (const std::size_t number : numbers) {
      const std::vector<Vertex>& all = factors_[number].vertices;
      if (all.size() > most_neighbours + 1) return std::nullopt;
      for (const Vertex vertex : all) graph[vertex].insert(all.begin(), all.end());
    }
    for (Variable real = 0; real < reals; ++real) graph[real].erase(real);
    std::set<Variable> left;
    for (Variable real = 0; real < reals; ++real) left.insert(real);
    std::vector<bool> used(numbers.size());
    std::vector<Step> result;
    std::vector<bool> received;
    double work = 0;
    while (!left.empty()) {
      const Variable real = *std::ranges::min_element(
          left, {}, [&](Variable one) { return std::pair(graph[one].size(), one); });
      const std::set<Variable>& neighbours = graph[real];
      if (neighbours.size() > most_neighbours) return std::nullopt;
      Step step{real, {neighbours.begin(), neighbours.end()}, {}, {}, 1};
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Factor& factor = factors_[numbers[i]];
        if (used[i] || !std::ranges::binary_search(factor.vertices, real)) continue;
        used[i] = true;
        step.factors.push_back(numbers[i]);
        step.degree += factor.value.degree();
      }
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (received[i] || !std::ranges::binary_search(result[i].neighbours, real)) continue;
        received[i] = true;
        step.messages.push_back(i);
        step.degree += result[i].degree;
      }
      if (step.degree > max_degree) return std::nullopt;
      double cells = 1, terms = 1;
      for (std::size_t i = 0; i < step.neighbours.size(); ++i) {
        cells *= static_cast<double>(grid_.lengths[step.neighbours[i]] * (i + 1));
        terms *= static_cast<double>(step.degree + i + 1) / static_cast<double>(i + 1);
      }
      if (cells * terms > most_terms) return std::nullopt;
      work += cells * terms * static_cast<double>(grid_.lengths[real] * (neighbours.size() + 1));
      for (const Variable other : neighbours) {
        graph[other].insert(neighbours.begin(), neighbours.end());
        graph[other].erase(other);
        graph[other].erase(real);
      }
      left.erase(real);
      received.push_back(false);
      result.push_back(std::move(step));
    }
    if (work > most_work_) return std::nullopt;
    return result;
  }

  Message message(const Step& step, const std::vector<std::size_t>& incoming) const {
    std::vector<Evaluator> conditions;
    for (const std::size_t number : step.factors)
      conditions.emplace_back(problem_.terms, factors_[number].condition);
    Message result{step.neighbours, {}};
    const auto length = [&](std::size_t i) {
      return i < step.neighbours.size() ? grid_.lengths[step.neighbours[i]] : 1;
    };
    const std::size_t orders = step.neighbours.size() == 2 ? 2 : 1;
    Integrals integrals(step.degree);
    Place place;
    for (place.whole[0] = 0; place.whole[0] < length(0); ++place.whole[0])
      for (place.whole[1] = 0; place.whole[1] < length(1); ++place.whole[1])
        for (std::size_t order = 0; order < orders; ++order) {
          if (stop_.stop_requested()) throw Stopped();
          add_integrals(step, incoming, conditions, place, order, integrals);
          result.cells.push_back(integrals.take(Rational(1) / grid_.steps));
        }
    return result;
  }

  /// An alcove of two neighbours and the real itself: integer parts, and a point of the alcove.
  struct Place {
    std::array<std::size_t, 3> whole{};
    std::array<Rational, 3> fraction{};
  };

  /// Over the real, above one alcove of its neighbours: with the first neighbour's fractional part
  /// below the second's in order 0, above it in order 1.
  void add_integrals(const Step& step, const std::vector<std::size_t>& incoming,
                     std::vector<Evaluator>& conditions, Place& place, std::size_t order,
                     Integrals& integrals) const {
    using End = Integrals::End;
    const std::size_t count = step.neighbours.size();
    std::vector<End> ends = {End::zero};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t neighbour = order == 0 ? i : 1 - i;
      ends.push_back(neighbour == 0 ? End::first_neighbour : End::second_neighbour);
      place.fraction[neighbour] = ratio(static_cast<long>(i) + 1, static_cast<long>(count) + 1);
    }
    ends.push_back(End::one);
    for (std::size_t k = 0; k < grid_.lengths[step.real]; ++k)
      for (std::size_t s = 0; s + 1 < ends.size(); ++s) {
        place.whole[2] = k;
        place.fraction[2] = ratio(2 * static_cast<long>(s) + 1, 2 * (static_cast<long>(count) + 1));
        add_integral(step, incoming, conditions, place, ends[s], ends[s + 1], integrals);
      }
  }

  void add_integral(const Step& step, const std::vector<std::size_t>& incoming,
                    std::vector<Evaluator>& conditions, const Place& place, Integrals::End from,
                    Integrals::End to, Integrals& integrals) const {
    const auto role = [&](Variable real) -> std::size_t {
      if (real == step.real) return 2;
      return step.neighbours[0] == real ? 0 : 1;
    };
    std::vector<Rational> point(grid_.lengths.size());
    const auto start = [&](Variable real) -> Rational {
      return Rational(grid_.lower[real] + static_cast<unsigned long>(place.whole[role(real)]));
    };
    const auto set = [&](Variable real) {
      point[real] = (start(real) + place.fraction[role(real)]) / grid_.steps;
    };
    set(step.real);
    std::ranges::for_each(step.neighbours, set);
    std::optional<Polynomial> weight;
    for (std::size_t i = 0; i < step.factors.size(); ++i) {
      const Factor& factor = factors_[step.factors[i]];
      const bool here = conditions[i](point);
      if (factor.asserts && !here) return;
      if (factor.asserts || !here) continue;
      const Polynomial value = factor.value.substitute([&](Variable real) {
        Polynomial local = Polynomial::variable(static_cast<Variable>(role(real))) + start(real);
        return local *= Rational(1) / grid_.steps;
      });
      weight = weight ? *weight * value : value;
    }
    constexpr std::array<std::size_t, 3> same = {0, 1, 2};
    if (incoming.empty()) {
      integrals.add(weight ? *weight : Polynomial(1), same, from, to);
      return;
    }
    const auto roles = [&](const Message& message) {
      std::array<std::size_t, 3> result{};
      for (std::size_t i = 0; i < message.on.size(); ++i) result[i] = role(message.on[i]);
      return result;
    };
    const auto value = [&](const Message& message) -> const Polynomial& {
      const std::array<std::size_t, 3> of = roles(message);
      std::size_t cell = 0;
      for (std::size_t i = 0; i < message.on.size(); ++i)
        cell = cell * grid_.lengths[message.on[i]] + place.whole[of[i]];
      if (message.on.size() == 2)
        cell = 2 * cell + (place.fraction[of[0]] < place.fraction[of[1]] ? 0 : 1);
      return message.cells[cell];
    };
    if (incoming.size() == 1 && !weight) {
      const Message& message = messages_[incoming[0]];
      integrals.add(value(message), roles(message), from, to);
      return;
    }
    Polynomial product = weight ? *weight : Polynomial(1);
    for (const std::size_t number : incoming) {
      const Message& message = messages_[number];
      const std::array<std::size_t, 3> of = roles(message);
      product = product * value(message).substitute([&](Variable variable) {
        return Polynomial::variable(static_cast<Variable>(of[variable]));
      });
    }
    integrals.add(product, same, from, to);
  }

  const Problem& problem_;
  const Grid grid_;
  const double most_work_;
  const std::stop_token stop_;
  Factors factors_;
  std::vector<Message> messages_;
  std::map<std::vector<std::size_t>, std::size_t> known_;  // messages by what they are made of
  MessageCounts counts_;
};

}  // namespace

std::optional<std::vector<Rational>> integrate_on_grid(const Problem& problem, const Goal& goal,
                                                       const std::stop_token& stop,
                                                       MessageCounts& counts,
                                                       const GridRules& rules) {
  if (!goal.plain()) return std::nullopt;
  std::optional<Grid> grid = grid_of(problem, std::span(&goal, 1));
  if (!grid) return std::nullopt;
  const std::size_t reals = largest_block(problem);
  if (reals < rules.least_reals) return std::nullopt;
  GridMessages messages(problem, *std::move(grid), most_work(reals - rules.least_reals), stop);
  std::vector<Rational> result;
  for (const Summand& summand : goal.summands) {
    const std::optional<Rational> found = messages.integral(goal, summand);
    if (!found) return std::nullopt;
    result.push_back(*found);
  }
  counts += messages.counts();
  return result;
}

}  // namespace wmi
