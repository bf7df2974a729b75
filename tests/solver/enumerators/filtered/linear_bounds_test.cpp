// Bounds against exact values: at points of random regions of random networks, with some of the units
// decided. Most points are so close to a vertex that a bound which is attained there leaves no room.

#include "solver/enumerators/filtered/linear_bounds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "solver/enumerators/filtered/exact_shadow.h"
#include "solver/enumerators/filtered/filtered_problem.h"
#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/power_of_two.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

/// The truth of all formulas and the values of all reals at a point.
struct Valuation {
  std::vector<bool> truths;      // by node
  std::vector<Rational> values;  // by variable

  Valuation(const Terms& terms, std::span<const std::uint32_t> cone,
            std::span<const Rational> point)
      : truths(terms.size()), values(terms.real_count()) {
    std::copy(point.begin(), point.end(), values.begin());
    truths[0] = true;
    for (const std::uint32_t number : cone) {
      const Node& node = terms.node(number);
      switch (node.kind) {
        case Kind::constant:
        case Kind::boolean:
          break;
        case Kind::atom: {
          const Atom& atom = terms.atom(node.index);
          truths[number] = holds(atom.form.at(values), atom.comparison);
          break;
        }
        case Kind::conjunction:
          truths[number] = true;
          for (const Formula child : node.children)
            if (!operator()(child)) truths[number] = false;
          break;
        case Kind::choice:
          truths[number] = operator()(node.children[operator()(node.children[0]) ? 1 : 2]);
          break;
        case Kind::definition: {
          const Definition& definition = terms.definition(node.index);
          values[definition.variable] =
              (operator()(definition.condition) ? definition.then : definition.otherwise)
                  .at(values);
          break;
        }
      }
    }
  }

  bool operator()(Formula formula) const { return truths[formula.node()] != formula.negated(); }
};

/// A place of a search: a region and a branch with the decisions that made it.
class Place {
 public:
  explicit Place(std::shared_ptr<const FilteredProblem> problem)
      : problem_(std::move(problem)),
        terms_(problem_->defined->problem.terms),
        branch_(problem_->forms),
        shadow_(problem_->defined),
        region_(problem_->forms->box(), problem_->lower, problem_->upper),
        bounds_(problem_->forms) {
    for (const PathDecision& side : problem_->sides)
      if (branch_.truth(Formula(side.node, false)) == Truth::unknown) branch_.decide(side);
    shadow_.follow(branch_.decisions());
  }

  const Terms& terms() const { return terms_; }
  const FilteredPolytope& region() const { return region_; }
  const EnclosedBranch& branch() const { return branch_; }

  /// Decides an atom that is ready, by a cut if the region has volume on both sides of it. False if
  /// there is none.
  bool step(Random& random) {
    std::vector<std::uint32_t> open;
    for (const std::uint32_t atom : branch_.ready_atoms())
      if (branch_.truth(Formula(atom, false)) == Truth::unknown) open.push_back(atom);
    if (open.empty()) return false;
    const std::uint32_t atom =
        open[static_cast<std::size_t>(random.integer(0, static_cast<int>(open.size()) - 1))];
    const Truth known = shadow_.branch().truth(Formula(atom, false));
    if (known != Truth::unknown) {
      branch_.decide({atom, known == Truth::yes});
    } else if (terms_.atom(terms_.node(atom).index).comparison == Comparison::equal) {
      branch_.decide({atom, false});
    } else {
      const Hyperplane plane{branch_.form_of_atom(atom), atom, branch_.sign_of_atom(atom)};
      const Sides sides = region_.sides(plane, {shadow_, counts_});
      bool below = sides == Sides::below;
      if (sides == Sides::both) {
        below = random.chance(50);
        auto halves = region_.cut(plane, {shadow_, counts_});
        region_ = std::move(below ? halves.first : halves.second);
      }
      branch_.decide({atom, below});
    }
    return true;
  }

  /// Points of the interior: most of them next to a vertex.
  std::vector<std::vector<Rational>> points(Random& random, int count) {
    const std::vector<Point> vertices = region_.exact(shadow_).vertices();
    std::vector<std::vector<Rational>> result;
    for (int i = 0; i < count; ++i) {
      std::vector<Rational> shares;
      const auto nearest =
          static_cast<std::size_t>(random.integer(0, static_cast<int>(vertices.size()) - 1));
      const Rational near = random.chance(75) ? power_of_two(120) : Rational(1);
      Rational total;
      for (std::size_t v = 0; v < vertices.size(); ++v) {
        shares.push_back(random.integer(1, 100) * (v == nearest ? near : Rational(1)));
        total += shares.back();
      }
      std::vector<Rational> point(problem_->forms->dimension());
      for (std::size_t v = 0; v < vertices.size(); ++v)
        for (std::size_t k = 0; k < point.size(); ++k)
          point[k] += shares[v] / total * vertices[v][k];
      result.push_back(std::move(point));
    }
    return result;
  }

  /// Checks what bounds say of the goals' terms and of all atoms against the values at these points;
  /// returns the number of bounded ranges.
  std::size_t check(std::span<const std::vector<Rational>> points) {
    const std::vector<std::uint32_t> nodes =
        cone(problem_->defined->problem, problem_->defined->goals);
    std::vector<Valuation> valuations;
    for (const std::vector<Rational>& point : points) {
      Valuation valuation(terms_, nodes, point);
      // A point may lie on the null set of an equation that is decided not to hold.
      bool within = true;
      for (const PathDecision& decision : branch_.decisions())
        within = within && valuation.truths[decision.node] == decision.holds;
      if (within) valuations.push_back(std::move(valuation));
    }
    bounds_.update(branch_, region_);
    std::size_t bounded = 0;
    for (const Goal& goal : problem_->defined->goals) {
      const Polynomial& polynomial = goal.summands[0].term;
      const auto row = problem_->forms->loose_row(polynomial);
      if (!row) continue;
      const auto [least, most] = bounds_.range(*row, branch_, region_);
      if (std::isfinite(least) && std::isfinite(most)) ++bounded;
      for (const Valuation& valuation : valuations) {
        const Rational exact = polynomial.at(valuation.values);
        if (std::isfinite(least)) REQUIRE(Rational(least) <= exact);
        if (std::isfinite(most)) REQUIRE(exact <= Rational(most));
        REQUIRE(least != HUGE_VAL);
        REQUIRE(most != -HUGE_VAL);
      }
    }
    for (const std::uint32_t node : nodes) {
      if (terms_.node(node).kind != Kind::atom) continue;
      const Truth claimed = bounds_.truth(node, branch_, region_);
      if (claimed == Truth::unknown) continue;
      ++truths;
      for (const Valuation& valuation : valuations)
        REQUIRE(valuation.truths[node] == (claimed == Truth::yes));
    }
    checked += valuations.size();
    return bounded;
  }

  std::size_t truths = 0;   // that bounds have claimed
  std::size_t checked = 0;  // points

 private:
  const std::shared_ptr<const FilteredProblem> problem_;
  const Terms& terms_;
  EnclosedBranch branch_;
  ExactShadow shadow_;
  FilteredPolytope region_;
  LinearBounds bounds_;
  FilterCounts counts_;
};

/// What networks have none of: conditions that are formulas, equations, and branches of both kinds.
void add_choices(Random& random, RandomNetwork& network) {
  Terms& terms = network.problem.terms;
  const auto any = [&](const std::vector<Polynomial>& from) {
    return from[static_cast<std::size_t>(random.integer(0, static_cast<int>(from.size()) - 1))];
  };
  for (int i = random.integer(0, 3); i > 0; --i) {
    const Polynomial a = random_float(random) * any(network.units) + random_float(random),
                     b = any(network.units) - any(network.units) * random_float(random), zero = 0;
    const Formula first = terms.less(a, b), second = terms.less_equal(random_float(random), b);
    switch (random.integer(0, 6)) {
      case 0:
        network.units.push_back(terms.choice(terms.both(first, second), a, b));
        break;
      case 1:
        network.units.push_back(
            terms.choice(terms.choice(terms.less(0, a), first, !second), a - b, zero));
        break;
      case 2:
        network.units.push_back(terms.choice(terms.equal(a, 0), zero, a));
        break;
      case 3:
        network.units.push_back(terms.choice(terms.equal(a, b), a, b));
        break;
      case 4:  // the minimum with 0, and the maximum of its opposite
        network.units.push_back(terms.choice(terms.less(a, 0), a, zero));
        network.units.push_back(terms.choice(terms.less(a, 0), -1 * a, zero));
        break;
      case 5:  // a multiple of the condition
        network.units.push_back(terms.choice(terms.less(a, 0), zero, random_float(random) * a));
        break;
      default:  // not quite its condition
        network.units.push_back(terms.choice(terms.less(a, 0), zero, a + power_of_two(-40)));
    }
    network.outputs.push_back(network.units.back());
  }
}

std::shared_ptr<const FilteredProblem> filtered(const Problem& problem,
                                                std::span<const Polynomial> outputs) {
  std::vector<Goal> goals;
  for (const Polynomial& output : outputs) goals.push_back({truth, {{output, 0}}, {}});
  return FilteredProblem::make(std::make_shared<const Defined>(*define(problem, goals)));
}

TEST_CASE("bounds hold at the points of random regions of random networks") {
  Random random(240);
  MESSAGE("seed " << random.seed());
  std::size_t networks = 0, points = 0, bounded = 0, truths = 0;
  for (int round = 0; round < repetitions(1500); ++round) {
    CAPTURE(round);
    NetworkShape shape = random_shape(random, 4, 4, 3);
    RandomNetwork network = random_network(random, shape);
    add_choices(random, network);
    Problem& problem = network.problem;
    Terms& terms = problem.terms;
    for (const Polynomial& output : network.outputs) {
      const Rational level = random.chance(50) ? network.levels[0] : random_float(random);
      problem.assertions.push_back(
          terms.either(terms.less(output, level), terms.less_equal(network.units[0], output)));
    }
    std::vector<Polynomial> polynomials = network.outputs;
    polynomials.insert(polynomials.end(), network.units.begin(), network.units.end());
    for (int i = 0; i < 2; ++i) {
      Polynomial sum(random_float(random));
      for (const Polynomial& unit : network.units)
        if (random.chance(50)) sum += random_float(random) * unit;
      polynomials.push_back(sum);
    }
    const auto made = filtered(problem, polynomials);
    if (!made) continue;
    ++networks;
    Place place(made);
    for (int stage = 0; stage < 3; ++stage) {
      bounded += place.check(place.points(random, 6));
      bool any = false;
      for (int steps = random.integer(1, 4); steps > 0; --steps) any |= place.step(random);
      if (!any) break;
    }
    bounded += place.check(place.points(random, 6));
    points += place.checked;
    truths += place.truths;
  }
  MESSAGE(networks << " networks, " << points << " points, " << bounded << " ranges, " << truths
                   << " truths");
  CHECK(networks > 1000);
  CHECK(points > 10'000);
  CHECK(bounded > 10'000);
  CHECK(truths > 1000);
}

/// One unit of a unit, over x in [-1, 1].
struct Layers : SmallProblem {
  const Polynomial x = real("x");
  const Rational tenth = Rational(0.1f);  // long, as weights are
  Polynomial unit;                        // of 0.1 x + 0.1, so in [0, 0.2]

  Layers() {
    require(terms.less_equal(-1, x));
    require(terms.less_equal(x, 1));
    unit = relu(tenth * x + tenth);
  }
  Polynomial relu(const Polynomial& a) { return terms.choice(terms.less(0, a), a, 0); }

  std::pair<double, double> range(const Polynomial& polynomial) {
    const auto made = filtered(problem, std::vector{polynomial});
    REQUIRE(made);
    const EnclosedBranch branch(made->forms);
    const FilteredPolytope box(made->forms->box(), made->lower, made->upper);
    LinearBounds bounds(made->forms);
    bounds.update(branch, box);
    return bounds.range(*made->forms->loose_row(made->defined->goals[0].summands[0].term), branch,
                        box);
  }
};

TEST_CASE_FIXTURE(Layers, "a unit has the triangle as its bounds") {
  // relu(x / 10) is at most (x + 1) / 20 and at least 0 or x / 10. Minus x / 20, it is at most 1 / 20.
  const auto [least, most] = range(relu(tenth * x) - Rational(tenth / 2) * x);
  CHECK(most >= tenth.get_d() / 2);
  CHECK(most <= tenth.get_d() / 2 * (1 + 1e-12));
  CHECK(least <= 0);
  CHECK(least >= -tenth.get_d() / 2 * (1 + 1e-12));
  // One that is nowhere negative is its own bound.
  const auto [low, high] = range(relu(tenth * x + 1) - tenth * x);
  CHECK(low <= 1);
  CHECK(low > 1 - 1e-12);
  CHECK(high >= 1);
  CHECK(high < 1 + 1e-12);
  // One that is nowhere positive is 0.
  CHECK(std::abs(range(relu(tenth * x - 1)).second) < 1e-12);
}

TEST_CASE_FIXTURE(Layers, "an equation is no condition of a maximum") {
  // Both are the difference itself, up to a null set.
  const Polynomial difference = unit - Rational(ratio(3, 2) * tenth);  // from -0.15 to 0.05
  for (const Polynomial& same : {terms.choice(terms.equal(difference, 0), 0, difference),
                                 terms.choice(!terms.equal(difference, 0), difference, 0)}) {
    const auto [least, most] = range(same);
    CHECK(least <= -0.15);
    CHECK(most >= 0.05);
  }
  const Polynomial nothing = terms.choice(terms.equal(difference, 0), difference, 0);
  const auto [least, most] = range(nothing);
  CHECK(least <= 0);
  CHECK(most >= 0);
}

TEST_CASE_FIXTURE(Layers, "a minimum is no maximum") {
  const Polynomial difference = unit - Rational(ratio(3, 2) * tenth);
  const auto [least, most] = range(terms.choice(terms.less(0, difference), 0, difference));
  CHECK(least <= -0.15);
  CHECK(most >= 0);
}

TEST_CASE_FIXTURE(Layers, "where doubles overflow, nothing is claimed") {
  // Differences of units with values up to 2^897, times 2^exponent.
  const std::vector<std::vector<Rational>> points{
      {-1 + power_of_two(-100)}, {ratio(-1, 2)}, {0}, {ratio(1, 2)}, {1 - power_of_two(-100)}};
  const Polynomial rising = relu(power_of_two(899) * unit),
                   falling = relu(power_of_two(899) * (ratio(1, 5) - unit));
  const Formula condition = terms.less(unit, tenth);
  std::size_t problems = 0, bounded = 0;
  for (int exponent = 120; exponent < 132; ++exponent) {
    CAPTURE(exponent);
    const Polynomial larger = power_of_two(exponent) * (rising - falling), other = -2 * larger;
    for (const Polynomial& polynomial :
         {relu(larger), relu(other), relu(larger) - relu(other),
          terms.choice(condition, unit, larger), terms.choice(condition, larger, unit),
          terms.choice(condition, larger, other),
          terms.choice(condition, unit, relu(larger) - relu(other)),
          terms.choice(condition, relu(larger) - relu(other), unit),
          relu(relu(larger) - relu(other)),
          terms.choice(terms.less(larger, other), larger, other)}) {
      const auto made = filtered(problem, std::vector{polynomial});
      REQUIRE(made);
      ++problems;
      bounded += Place(made).check(points);
    }
  }
  CHECK(bounded > 0);
  CHECK(bounded < problems);
}

}  // namespace
}  // namespace wmi::tests
