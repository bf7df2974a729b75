// Enclosed branches against exact ones on the same decisions.

#include "solver/enumerators/filtered/enclosed_branch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "solver/enumerators/filtered/filtered_problem.h"
#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

/// The form in normalised coordinates, exactly.
std::vector<Rational> normalised(const Polynomial& polynomial, const NormalisedBox& box) {
  const LinearForm form(polynomial);
  std::vector<Rational> result(box.dimension() + 1);
  result[0] = form.constant;
  for (const auto& [variable, coefficient] : form.coefficients) {
    result[0] += coefficient * Rational(box.centre[variable]);
    result[variable + 1] = coefficient * Rational(box.half_width[variable]);
  }
  return result;
}

/// The largest difference of two affine forms on [-1, 1]^n is the sum of those of the coefficients.
void check_encloses(const EnclosedForm& form, const Polynomial& exact, const NormalisedBox& box) {
  if (!std::isfinite(form.error)) return;
  const std::vector<Rational> coefficients = normalised(exact, box);
  Rational difference, size;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    REQUIRE(std::isfinite(form.coefficients[k]));
    difference += abs(Rational(coefficients[k] - Rational(form.coefficients[k])));
    size += abs(Rational(form.coefficients[k]));
  }
  REQUIRE(difference <= Rational(form.error));
  REQUIRE((!std::isfinite(form.size) || size <= Rational(form.size)));
}

/// The same for a polynomial in normalised coordinates, each of whose coefficients is an interval.
void check_encloses(const BallPolynomial& value, const Polynomial& exact,
                    const NormalisedBox& box) {
  const std::vector<Rational> coefficients = normalised(exact, box);
  std::vector<Rational> lower(coefficients.size()), upper(coefficients.size());
  const EnclosedPolynomial enclosed = value.enclosed();
  for (const EnclosedPolynomial::Term& term : enclosed.terms()) {
    if (!std::isfinite(term.lower) || !std::isfinite(term.upper)) return;
    const std::size_t k = term.monomial.empty() ? 0 : term.monomial[0].variable + 1;
    REQUIRE(degree(term.monomial) <= 1);
    lower[k] += Rational(term.lower);
    upper[k] += Rational(term.upper);
  }
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    REQUIRE(lower[k] <= coefficients[k]);
    REQUIRE(coefficients[k] <= upper[k]);
  }
}

/// Compiled forms, a branch of each kind, and the polynomial of each row.
struct Branches {
  const Problem& problem;
  std::shared_ptr<const CompiledForms> forms;
  EnclosedBranch enclosed;
  Branch exact;
  std::vector<bool> made;  // of each decision: by the exact branch as well
  std::map<std::uint32_t, Polynomial> rows;

  Branches(const Problem& given, std::shared_ptr<const CompiledForms> compiled,
           std::span<const Goal> goals)
      : problem(given),
        forms(std::move(compiled)),
        enclosed(forms),
        exact(given, cone(given, goals)) {
    for (const CompiledForms::DefinedReal& real : forms->definitions()) {
      const Definition& definition = problem.terms.definition(problem.terms.node(real.node).index);
      rows.emplace(real.then, definition.then);
      rows.emplace(real.otherwise, definition.otherwise);
    }
    for (const std::uint32_t node : forms->cone())
      if (problem.terms.node(node).kind == Kind::atom)
        rows.emplace(forms->atom_row(node).row,
                     problem.terms.atom(problem.terms.node(node).index).form.polynomial());
  }

  void decide(PathDecision decision) {
    enclosed.decide(decision);
    made.push_back(exact.truth(Formula(decision.node, false)) == Truth::unknown);
    if (made.back()) exact.decide({decision.node, decision.holds});
  }
  void undo() {
    enclosed.undo();
    if (made.back()) exact.undo();
    made.pop_back();
  }

  std::vector<std::uint32_t> open_atoms() const {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t atom : enclosed.ready_atoms())
      if (enclosed.truth(Formula(atom, false)) == Truth::unknown) result.push_back(atom);
    return result;
  }

  /// What the enclosed branch knows, the exact one knows as well.
  void check() const {
    for (const std::uint32_t node : forms->cone()) {
      const Node& of = problem.terms.node(node);
      if (of.kind == Kind::definition) {
        const Variable variable = problem.terms.definition(of.index).variable;
        const std::uint32_t number = forms->definition_of(variable);
        if (!enclosed.resolved(number)) continue;
        REQUIRE(exact.value(variable) != nullptr);
        check_encloses(enclosed.value(Polynomial::variable(variable)), *exact.value(variable),
                       forms->box());
        continue;
      }
      if (enclosed.truth(Formula(node, false)) != Truth::unknown)
        REQUIRE(exact.truth(Formula(node, false)) == enclosed.truth(Formula(node, false)));
      if (of.kind != Kind::atom || !enclosed.ready(node)) continue;
      const CompiledForms::AtomRow& row = forms->atom_row(node);
      const Polynomial value = exact.resolved(rows.at(row.row));
      check_encloses(enclosed.form_of_atom(node), value, forms->box());
      // The atom's own form is a positive multiple of the row, up to the sign.
      if (exact.atom(node) == nullptr) continue;
      LinearForm signed_row(Polynomial(Rational(row.sign)) * value);
      signed_row.make_primitive();
      REQUIRE(exact.atom(node)->form == signed_row);
    }
  }

  using Snapshot = std::vector<std::vector<double>>;
  Snapshot snapshot() const {
    Snapshot result(4);
    for (const std::uint32_t node : forms->cone()) {
      result[0].push_back(static_cast<double>(enclosed.truth(Formula(node, false))));
      if (problem.terms.node(node).kind != Kind::atom) continue;
      result[0].push_back(enclosed.ready(node));
      if (!enclosed.ready(node)) continue;
      const EnclosedForm form = enclosed.form_of_atom(node);
      result[1].insert(result[1].end(), form.coefficients, form.coefficients + forms->width());
      result[1].push_back(form.error);
      result[1].push_back(form.size);
    }
    for (std::uint32_t i = 0; i < forms->definitions().size(); ++i)
      result[2].push_back(enclosed.resolved(i));
    for (const std::uint32_t atom : enclosed.ready_atoms()) result[3].push_back(atom);
    return result;
  }
};

std::shared_ptr<const CompiledForms> compiled(const Problem& problem, std::span<const Goal> goals) {
  std::vector<Interval> ranges(problem.integrated.size());
  for (const Formula literal : conjuncts(problem)) {
    const Node& node = problem.terms.node(literal.node());
    if (node.kind != Kind::atom) continue;
    const LinearForm& form = problem.terms.atom(node.index).form;
    if (form.coefficients.size() != 1 || form.coefficients[0].first >= ranges.size()) continue;
    const Rational bound = -form.constant / form.coefficients[0].second;
    const bool above = (form.coefficients[0].second > 0) != literal.negated();
    (above ? ranges[form.coefficients[0].first].upper : ranges[form.coefficients[0].first].lower) =
        bound;
  }
  return CompiledForms::compile(problem, cone(problem, goals), *NormalisedBox::around(ranges));
}

TEST_CASE("forms enclose the exact ones on every path, and undoing restores them") {
  Random random(200);
  MESSAGE("seed " << random.seed());
  int decisions = 0;
  for (int round = 0; round < repetitions(250); ++round) {
    CAPTURE(round);
    RandomNetwork network = random_network(random, random_shape(random, 4, 5, 5));
    Problem& problem = network.problem;
    for (const Polynomial& output : network.outputs)
      problem.assertions.push_back(problem.terms.either(
          problem.terms.less(output, random.chance(50) ? network.levels[0] : Rational(0)),
          problem.terms.choice(problem.terms.less(network.units.back(), 1),
                               problem.terms.less_equal(network.units[0], output),
                               problem.terms.equal(network.units[0], network.outputs[0]))));
    const std::vector<Goal> goals{{truth, {{network.outputs[0], 0}}, {}}};
    const auto forms = compiled(problem, goals);
    if (!forms) continue;
    Branches branches(problem, forms, goals);
    std::vector<Branches::Snapshot> before;
    for (int step = 0; step < 40; ++step) {
      branches.check();
      const std::vector<std::uint32_t> open = branches.open_atoms();
      if (open.empty()) break;
      if (!before.empty() && random.chance(15)) {
        branches.undo();
        REQUIRE(branches.snapshot() == before.back());
        before.pop_back();
        continue;
      }
      const std::uint32_t atom =
          open[static_cast<std::size_t>(random.integer(0, static_cast<int>(open.size()) - 1))];
      const Truth known = branches.exact.truth(Formula(atom, false));
      before.push_back(branches.snapshot());
      branches.decide({atom, known == Truth::unknown ? random.chance(60) : known == Truth::yes});
      ++decisions;
    }
    for (; !before.empty(); before.pop_back()) {
      branches.undo();
      REQUIRE(branches.snapshot() == before.back());
    }
  }
  CHECK(decisions > 1000);
}

TEST_CASE("errors stay within some units of roundoff through layers") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  const Rational third = ratio(1, 3);
  Polynomial a = small.terms.choice(small.terms.less(0, third * x), third * x, 0);
  for (int layer = 0; layer < 6; ++layer) {
    const Polynomial sum = third * a + ratio(1, 7);
    a = small.terms.choice(small.terms.less(0, sum), sum, 0);
  }
  small.goals = {{small.terms.less(a, third), {{Polynomial(1), 0}}, {}}};
  const auto forms = compiled(small.problem, small.goals);
  REQUIRE(forms);
  Branches branches(small.problem, forms, small.goals);
  double worst = 0;
  for (;;) {
    branches.check();
    const std::vector<std::uint32_t> open = branches.open_atoms();
    if (open.empty()) break;
    const std::uint32_t atom = open[0];
    worst = std::max(worst, branches.enclosed.form_of_atom(atom).error);
    const std::vector<Rational> middle{ratio(1, 2)};
    branches.decide({atom, branches.exact.atom(atom)->form.at(middle) < 0});
  }
  CHECK(branches.made.size() == 2 + 7 + 1);
  CHECK(worst > 0);
  CHECK(worst < 100 * 0x1p-53);
}

TEST_CASE("a sum of more terms than any row has is rounded more often") {
  // Equal values, so that most additions are rounded in the same direction.
  for (const int count : {3, 50, 400}) {
    CAPTURE(count);
    SmallProblem small;
    const Polynomial x = small.unit_real("x");
    Polynomial sum;
    for (int i = 1; i <= count; ++i)
      sum += small.terms.choice(small.terms.less(x, ratio(i, count + 1)), 0, ratio(1, 3) * x);
    small.goals = {{truth, {{sum, 0}}, {}}};
    const auto forms = compiled(small.problem, small.goals);
    REQUIRE(forms);
    Branches branches(small.problem, forms, small.goals);
    for (const std::uint32_t atom : branches.open_atoms())
      branches.decide({atom, small.terms.atom(small.terms.node(atom).index).form.constant > -1 &&
                                 atom == small.terms.less_equal(x, 1).node()});
    check_encloses(branches.enclosed.value(sum), ratio(count, 3) * x, forms->box());
  }
}

TEST_CASE("an atom that is constant without an error is concluded, any other is not") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  // Two equal units: their difference is 0, which doubles see only as a form with an error.
  const Polynomial a = ratio(1, 3) * x, b = a - ratio(1, 7);
  const Polynomial unit = small.terms.choice(small.terms.less(0, b), b, 0);
  const Formula same = small.terms.less(unit, b), off = small.terms.less(unit, 1);
  small.goals = {{small.terms.both(same, off), {{Polynomial(1), 0}}, {}}};
  const auto forms = compiled(small.problem, small.goals);
  REQUIRE(forms);
  Branches branches(small.problem, forms, small.goals);
  const std::uint32_t active = small.terms.less(0, b).node();
  const bool holds = !small.terms.less(0, b).negated();
  branches.decide({active, holds});
  branches.check();
  CHECK(branches.exact.truth(same) == Truth::no);
  CHECK(branches.enclosed.truth(same) == Truth::unknown);
  CHECK(branches.enclosed.form_of_atom(same.node()).error > 0);
  branches.undo();
  branches.decide({active, !holds});
  branches.check();
  CHECK(branches.enclosed.truth(off) == Truth::yes);  // 0 < 1
}

TEST_CASE("the value of a constant is constant, even if it is no double") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  const Polynomial unit = small.terms.choice(small.terms.less(x, ratio(1, 3)), x, 0);
  small.goals = {{small.terms.less(unit, 1), {{Polynomial(1), 0}}, {}}};
  const auto forms = compiled(small.problem, small.goals);
  REQUIRE(forms);
  const EnclosedPolynomial third = EnclosedBranch(forms).value(ratio(1, 3)).enclosed();
  REQUIRE(third.terms().size() == 1);
  CHECK(third.constant());
  CHECK(Rational(third.terms()[0].lower) < ratio(1, 3));
  CHECK(Rational(third.terms()[0].upper) > ratio(1, 3));
  CHECK(EnclosedBranch(forms).value(0).enclosed().terms().empty());
}

}  // namespace
}  // namespace wmi::tests
