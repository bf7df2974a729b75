#include "solver/enumerators/filtered/compiled_forms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/power_of_two.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// Over [0, 1]^n, or any box that is given.
std::shared_ptr<const CompiledForms> compile(const SmallProblem& small,
                                             const Interval& range = {0, 1}) {
  const std::vector<Interval> ranges(small.problem.integrated.size(), range);
  return CompiledForms::compile(small.problem, cone(small.problem, small.goals),
                                *NormalisedBox::around(ranges));
}

/// A problem whose only goal asks for a formula.
struct Asked : SmallProblem {
  const Polynomial x = unit_real("x"), y = unit_real("y");

  void ask(Formula formula) { goals = {{formula, {{Polynomial(1), 0}}, {}}}; }
  Polynomial relu(const Polynomial& a) { return terms.choice(terms.less(0, a), a, 0); }
};

TEST_CASE_FIXTURE(Asked, "a unit and its condition share a row, with the sign between them") {
  const Polynomial a = ratio(1, 3) * x - y, unit = relu(a), opposite = relu(ratio(-7, 2) * a);
  ask(terms.less(unit + opposite, 1));
  const auto forms = compile(*this);
  REQUIRE(forms);
  CHECK(forms->definitions().size() == 2);
  const Formula condition = terms.less(0, a);
  const CompiledForms::AtomRow& row = forms->atom_row(condition.node());
  const CompiledForms::DefinedReal& real = forms->definitions()[0];
  CHECK((row.row == real.then || row.row == real.otherwise));
  // Atoms have a positive first coefficient, as has a.
  CHECK(row.sign == 1);
  CHECK(std::ranges::find(forms->atoms_of(row.row), condition.node()) !=
        forms->atoms_of(row.row).end());
  CHECK(std::ranges::find(forms->definitions_of(row.row), 0u) !=
        forms->definitions_of(row.row).end());
  const CompiledForms::DefinedReal& other = forms->definitions()[1];
  const Formula reversed = terms.less(0, ratio(-7, 2) * a);
  if (reversed.node() != condition.node()) {
    CHECK(forms->atom_row(reversed.node()).sign == -1);
    CHECK((forms->atom_row(reversed.node()).row == other.then ||
           forms->atom_row(reversed.node()).row == other.otherwise));
  }
  CHECK(forms->users(0).size() == 1);
  CHECK(forms->terms(forms->users(0)[0]).size() == 2);
}

TEST_CASE_FIXTURE(Asked, "what is no affine definition of doubles is not compiled") {
  SUBCASE("as it should be") {
    ask(terms.less(relu(x - y), ratio(1, 2)));
    CHECK(compile(*this));
  }
  SUBCASE("a Boolean") {
    ask(terms.both(terms.declare_boolean("b"), terms.less(relu(x - y), ratio(1, 2))));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("a product") {
    weight(truth, terms.choice(terms.less(x, y), x * y, 1));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("a huge coefficient of a defined real") {
    ask(terms.less(relu(power_of_two(1000) * relu(x - y) - 1), 1));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("a tiny coefficient of a defined real") {
    ask(terms.less(relu(power_of_two(-1000) * relu(x - y) - 1), 1));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("a huge coefficient") {
    ask(terms.less(relu(power_of_two(1000) * x - y), 1));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("a tiny coefficient") {
    ask(terms.less(relu(power_of_two(-1100) * x - y), 1));
    CHECK_FALSE(compile(*this));
  }
  SUBCASE("an atom with a huge coefficient") {
    ask(terms.less(power_of_two(1000) * relu(x - y), x));
    CHECK_FALSE(compile(*this));
  }
}

TEST_CASE("rows enclose their polynomials in normalised coordinates") {
  Random random(210);
  MESSAGE("seed " << random.seed());
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const RandomNetwork network = random_network(random, random_shape(random, 4, 3, 5));
    std::vector<Interval> ranges;
    for (std::size_t i = 0; i < network.problem.integrated.size(); ++i)
      ranges.emplace_back(ratio(random.integer(-9, 0), 7), ratio(random.integer(1, 9), 3));
    const std::vector<Goal> goals{{truth, {{network.outputs[0], 0}}, {}}};
    const auto forms = CompiledForms::compile(network.problem, cone(network.problem, goals),
                                              *NormalisedBox::around(ranges));
    REQUIRE(forms);
    REQUIRE(forms->dimension() == ranges.size());
    const Terms& terms = network.problem.terms;
    const auto check = [&](std::span<const CompiledForms::Term> found, const double* base,
                           double base_error, double summed_base_error,
                           const Polynomial& polynomial) {
      const LinearForm form(polynomial);
      std::vector<Rational> exact(forms->width());
      exact[0] = form.constant;
      std::size_t defined = 0;
      for (const auto& [variable, coefficient] : form.coefficients) {
        if (variable >= forms->dimension()) {
          REQUIRE(found[defined].definition == forms->definition_of(variable));
          const Rational stored(found[defined++].coefficient);
          REQUIRE(abs(Rational(stored - coefficient)) <= abs(coefficient) * power_of_two(-52));
          continue;
        }
        exact[0] += coefficient * Rational(forms->box().centre[variable]);
        exact[variable + 1] = coefficient * Rational(forms->box().half_width[variable]);
      }
      REQUIRE(found.size() == defined);
      Rational difference, size;
      for (std::size_t k = 0; k < forms->width(); ++k) {
        difference += abs(Rational(exact[k] - Rational(base[k])));
        size += abs(Rational(base[k]));
      }
      REQUIRE(difference <= Rational(base_error));
      REQUIRE(difference + size * power_of_two(-53) * static_cast<int>(found.size() + 1) <=
              Rational(summed_base_error));
    };
    for (const CompiledForms::DefinedReal& real : forms->definitions()) {
      const Definition& definition = terms.definition(terms.node(real.node).index);
      REQUIRE(definition.variable == real.variable);
      for (const bool then : {true, false}) {
        const std::uint32_t row = then ? real.then : real.otherwise;
        const Polynomial& polynomial = then ? definition.then : definition.otherwise;
        check(forms->terms(row), forms->base(row), forms->base_error(row),
              forms->summed_base_error(row), polynomial);
        const auto loose = forms->loose_row(polynomial);
        REQUIRE(loose);
        check(loose->terms, loose->base.data(), loose->base_error, loose->summed_base_error,
              polynomial);
      }
    }
    for (const std::uint32_t node : forms->cone()) {
      if (terms.node(node).kind != Kind::atom) continue;
      const std::uint32_t row = forms->atom_row(node).row;
      REQUIRE(row != CompiledForms::none);
      if (!forms->definitions_of(row).empty()) continue;
      check(forms->terms(row), forms->base(row), forms->base_error(row),
            forms->summed_base_error(row), terms.atom(terms.node(node).index).form.polynomial());
    }
  }
}

TEST_CASE_FIXTURE(Asked, "a polynomial that is not affine has no row") {
  ask(terms.less(relu(x - y), ratio(1, 2)));
  const auto forms = compile(*this);
  REQUIRE(forms);
  CHECK_FALSE(forms->loose_row(x * y));
  CHECK_FALSE(forms->loose_row(power_of_two(1000) * x));
  CHECK(forms->loose_row(2 * x + relu(x - y)));
}

}  // namespace
}  // namespace wmi::tests
