// The cost of an integral. The polytopes are cells of random hyperplanes with one-digit
// coefficients in the cube [-1, 1]^n, the integrands all monomials up to a degree. Times are in
// units of one fresh vertex enumeration (cddlib) of the same polytopes in the same run; `double` is
// the same walk along the same plan, in plain doubles. Degenerate cells have all their
// hyperplanes through one point, and are compared by time per vertex.
//
// The second table is about cells whose hyperplanes have coefficients of 24 bits, as networks have:
// exact integrals by the face lattice, and enclosures from vertices that are rounded to doubles. The
// digits are those of the widest enclosure.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "solver/integrator.h"
#include "solver/integrators/enclosed_faces.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/face_walk.h"
#include "solver/integrators/simplex_moments.h"
#include "tests/bench/table.h"
#include "tests/solver/integrators/enclosed_regions.h"

namespace {

using namespace wmi;
using bench::Table;

/// The shortest time of each of several functions, which take turns: five runs each, or as many as
/// fit in a second.
template <std::size_t count>
std::array<double, count> shortest(const std::array<std::function<void()>, count>& works) {
  std::array<double, count> result;
  result.fill(HUGE_VAL);
  double total = 0;
  for (int round = 0; round < 5 || (total < 1 && round < 100); ++round)
    for (std::size_t i = 0; i < count; ++i) {
      const double time = bench::processor_seconds(works[i]);
      total += time;
      result[i] = std::min(result[i], time);
    }
  return result;
}

/// Cells of m hyperplanes that contain random points.
std::vector<std::vector<Halfspace>> cells(std::size_t n, std::size_t m, std::size_t count,
                                          bool concurrent, int largest = 9) {
  std::mt19937 engine(static_cast<unsigned>(100 * n + m));
  std::uniform_int_distribution<int> digit(-largest, largest), coordinate(-999, 999);
  std::vector<Halfspace> planes;
  for (std::size_t k = 0; k < m; ++k) {
    planes.push_back({std::vector<Rational>(n), Rational(concurrent ? 0 : digit(engine))});
    for (Rational& entry : planes.back().normal) entry = digit(engine);
  }
  std::vector<std::vector<Halfspace>> result(count);
  for (std::vector<Halfspace>& cell : result) {
    for (std::size_t j = 0; j < n; ++j)
      for (const int sign : {1, -1}) {
        cell.push_back({std::vector<Rational>(n), 1});
        cell.back().normal[j] = sign;
      }
    Point point(n);
    for (Rational& entry : point) entry = ratio(coordinate(engine), 1000);
    for (Halfspace plane : planes) {
      Rational value = -plane.bound;
      for (std::size_t j = 0; j < n; ++j) value += plane.normal[j] * point[j];
      if (value > 0) {
        for (Rational& entry : plane.normal) entry = -entry;
        plane.bound = -plane.bound;
      }
      cell.push_back(plane);
    }
  }
  return result;
}

Polynomial dense(std::size_t n, unsigned degree) {
  std::mt19937 engine(7);
  Polynomial sum = 1;
  for (Variable j = 0; j < n; ++j) sum += Polynomial::variable(j);
  std::vector<Polynomial::Term> terms = power(sum, degree).terms();
  for (Polynomial::Term& term : terms) term.coefficient = 1 + static_cast<int>(engine() % 9);
  return Polynomial(terms);
}

/// The arithmetic of `walk_down` in plain doubles.
class Doubles {
 public:
  Doubles(const Polynomial& integrand, const Polytope& region, const FacePlan& plan)
      : plan_(plan),
        table_(MomentTable::of(std::array{integrand}, region.dimension())),
        dimension_(region.dimension()),
        functionals_(plan.faces().size() * table_->size()),
        corners_(numbers(region.homogeneous_vertices())),
        weights_(numbers(plan.weights())) {
    std::vector<double> factorials(1, 1);
    for (std::size_t k = 1; k <= table_->degree() + dimension_; ++k)
      factorials.push_back(factorials.back() * static_cast<double>(k));
    double* const top = functional(plan.faces().size() - 1);
    for (std::size_t i = 0; i < table_->terms().size(); ++i) {
      const std::size_t m = table_->terms()[i];
      const Polynomial::Term& term = integrand.terms()[i];
      top[m] = term.coefficient.get_d() * table_->factorial(m).get_d() /
               factorials[degree(term.monomial) + dimension_];
    }
  }

  void pull(std::size_t f) {
    double* const own = functional(f);
    const double* const corner = &corners_[plan_.faces()[f].apex * (dimension_ + 1)];
    inverse_ = 1 / corner[0];
    for (std::size_t i = table_->rises().size(); i-- > 0;) {
      const MomentTable::Step& rise = table_->rises()[i];
      own[rise.source] += corner[rise.coordinate + 1] * inverse_ * own[rise.target];
    }
  }
  void take(std::size_t f) { sum_ += functional(f)[0] * inverse_; }
  void hand_down(std::size_t f, std::size_t i) {
    const double* const own = functional(f);
    double* const part = functional(plan_.part(i));
    const double factor = weights_[i] * inverse_;
    for (std::size_t m = 0; m < table_->size(); ++m) part[m] += factor * own[m];
  }

  double integral() const { return sum_ * plan_.scale().get_d(); }

 private:
  static std::vector<double> numbers(const Integers& exact) {
    if (exact.small()) return {exact.words().begin(), exact.words().end()};
    std::vector<double> result;
    for (const Integer& entry : exact.large()) result.push_back(entry.get_d());
    return result;
  }
  double* functional(std::size_t f) { return functionals_.data() + f * table_->size(); }

  const FacePlan& plan_;
  std::shared_ptr<const MomentTable> table_;
  std::size_t dimension_;
  std::vector<double> functionals_;  // by face
  std::vector<double> corners_, weights_;
  double inverse_ = 0;  // of the denominator of the apex
  double sum_ = 0;
};

double in_double(const Polynomial& integrand, const Polytope& region) {
  const FacePlan plan(region);
  Doubles doubles(integrand, region, plan);
  walk_down(plan, doubles);
  return doubles.integral();
}

struct Sample {
  std::vector<Polytope> regions;
  double cddlib = 0;
  double vertices = 0;

  explicit Sample(std::size_t n, const std::vector<std::vector<Halfspace>>& halfspaces) {
    const auto enumerate = [&] {
      regions.clear();
      for (const std::vector<Halfspace>& cell : halfspaces) regions.emplace_back(n, cell);
    };
    cddlib = std::min(bench::processor_seconds(enumerate), bench::processor_seconds(enumerate));
    for (const Polytope& region : regions) vertices += static_cast<double>(region.vertex_count());
  }

  /// To integrate over all of them.
  std::function<void()> work(const Integrator& integrator, const Polynomial& integrand) const {
    return [&] {
      for (const Polytope& region : regions) integrator.integrate(std::array{integrand}, region);
    };
  }
};

void compare_enclosures(const std::string& chosen) {
  Table table("enclosed_integrals",
              {"dimension", "degree", "polytopes", "vertices_mean", "exact_microseconds",
               "enclosed_microseconds", "exact_over_enclosed", "digits"});
  const struct {
    std::size_t n, hyperplanes, count;
  } cases[] = {{2, 20, 300}, {3, 12, 300}, {4, 8, 100}, {5, 5, 40}, {6, 4, 10}};
  for (const auto& [n, hyperplanes, count] : cases) {
    if (!chosen.empty() && chosen != std::to_string(n)) continue;
    const Sample sample(n, cells(n, hyperplanes, count, false, 1 << 24));
    std::vector<EnclosedPolytope> enclosed;
    for (const Polytope& region : sample.regions)
      enclosed.push_back(
          tests::enclosed(region, std::vector<double>(n), std::vector<double>(n, 1)));
    for (const unsigned degree : {0, 2}) {
      const Polynomial integrand = dense(n, degree);
      const std::array enclosing{EnclosedPolynomial(integrand)};
      const auto lattice = make_face_lattice({});
      double widest = 0;
      const auto [exact, rounded] = shortest(std::array<std::function<void()>, 2>{
          sample.work(*lattice, integrand), [&] {
            for (const EnclosedPolytope& region : enclosed) {
              const DoubleInterval found = enclose_integrals_in_doubles(enclosing, region)->front();
              widest = std::max(widest, (found.upper - found.lower) / std::abs(found.upper));
            }
          }});
      const auto polytopes = static_cast<double>(count);
      table.add({static_cast<double>(n), static_cast<double>(degree), polytopes,
                 sample.vertices / polytopes, exact / polytopes * 1e6, rounded / polytopes * 1e6,
                 exact / rounded, -std::log10(widest)});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  compare_enclosures(argc > 1 ? argv[1] : "");
  Table table("integrators",
              {"dimension", "degree", "polytopes", "vertices_mean", "triangulation_over_cddlib",
               "face_lattice_over_cddlib", "auto_over_cddlib", "exact_over_double",
               "digits12_over_exact", "degenerate_over_simple"});
  const struct {
    std::size_t n, hyperplanes, count;
    std::vector<unsigned> degrees;
  } cases[] = {{2, 20, 300, {0, 2, 8}}, {3, 12, 300, {0, 2, 8}}, {4, 10, 100, {0, 2, 4, 8}},
               {5, 8, 40, {0, 2, 8}},   {6, 8, 20, {0, 2}},      {7, 4, 5, {0, 2}}};
  for (const auto& [n, hyperplanes, count, degrees] : cases) {
    if (argc > 1 && argv[1] != std::to_string(n)) continue;
    const Sample simple(n, cells(n, hyperplanes, count, false));
    const Sample degenerate(n, cells(n, hyperplanes, count, true));
    for (const unsigned degree : degrees) {
      const Polynomial integrand = dense(n, degree);
      double sum = 0;
      const bool quick = n <= 5 && (n <= 4 || degree <= 2);
      const auto reference = make_triangulation({}), lattice = make_face_lattice({}),
                 chosen = make_auto({}), rounded = make_auto({.digits = 12});
      const auto [triangulation, faces, automatic, twelve, concurrent, plain] =
          shortest(std::array<std::function<void()>, 6>{
              quick ? simple.work(*reference, integrand) : [] {}, simple.work(*lattice, integrand),
              simple.work(*chosen, integrand), simple.work(*rounded, integrand),
              degenerate.work(*lattice, integrand),
              [&] {
                for (const Polytope& region : simple.regions) sum += in_double(integrand, region);
              }});
      const auto polytopes = static_cast<double>(count);
      table.add({static_cast<double>(n), static_cast<double>(degree), polytopes,
                 simple.vertices / polytopes,
                 quick ? Table::Entry(triangulation / simple.cddlib) : Table::Entry("-"),
                 faces / simple.cddlib, automatic / simple.cddlib, faces / plain,
                 twelve / automatic, concurrent / degenerate.vertices / (faces / simple.vertices)});
      if (sum == 0.5) return 1;  // it must be computed
    }
  }
}
