// What an integral costs, as CSV, in units of one vertex enumeration by cddlib of the same
// polytopes in the same run.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "solver/integrator.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"

namespace {

using namespace wmi;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::vector<Halfspace>> cells(std::size_t n, std::size_t m, std::size_t count) {
  std::mt19937 engine(static_cast<unsigned>(100 * n + m));
  std::uniform_int_distribution<int> digit(-9, 9);
  std::vector<std::vector<Halfspace>> result;
  std::vector<Halfspace> planes;
  for (std::size_t j = 0; j < m; ++j) {
    planes.push_back({std::vector<Rational>(n), ratio(digit(engine), 4)});
    for (Rational& x : planes.back().normal) x = digit(engine);
  }
  for (std::size_t tries = 0; result.size() < count; ++tries) {
    // the cell around a random point
    std::vector<Rational> point(n);
    for (Rational& x : point) x = ratio(static_cast<int>(engine() % 1999) - 999, 1000);
    std::vector<Halfspace> cell;
    for (std::size_t i = 0; i < n; ++i) {
      cell.push_back({std::vector<Rational>(n), 1});
      cell.back().normal[i] = 1;
      cell.push_back({std::vector<Rational>(n), 1});
      cell.back().normal[i] = -1;
    }
    for (Halfspace plane : planes) {
      Rational value = 0;
      for (std::size_t i = 0; i < n; ++i) value += plane.normal[i] * point[i];
      if (value > plane.bound) {
        plane.bound = -plane.bound;
        for (Rational& x : plane.normal) x = -x;
      }
      cell.push_back(plane);
    }
    result.push_back(cell);
  }
  return result;
}

Polynomial dense(std::size_t n, unsigned degree, std::mt19937& engine) {
  std::vector<Polynomial::Term> terms;
  std::vector<unsigned> exponents(n);
  const std::function<void(std::size_t, unsigned)> fill = [&](std::size_t j, unsigned left) {
    if (j == n) {
      Monomial monomial;
      for (std::size_t i = 0; i < n; ++i)
        if (exponents[i]) monomial.push_back({static_cast<Variable>(i), exponents[i]});
      terms.push_back({monomial, Rational(1 + static_cast<int>(engine() % 9))});
      return;
    }
    for (unsigned e = 0; e <= left; ++e) exponents[j] = e, fill(j + 1, left - e);
  };
  fill(0, degree);
  return Polynomial(terms);
}

/// The plan in double, without error bounds.
double plain(const Polytope& region, const FacePlan& plan, const MomentTable& table,
             const std::vector<double>& coefficients) {
  const std::size_t n = region.dimension();
  std::vector<double> slots(plan.slots() * table.size()), corners, weights;
  for (std::size_t i = 0; i < region.corners().size(); ++i)
    corners.push_back(region.corners()[i].get_d());
  for (std::size_t i = 0; i < plan.weights().size(); ++i)
    weights.push_back(plan.weights().small() ? double(plan.weights().words()[i])
                                             : plan.weights()[i].get_d());
  for (const FacePlan::Face& face : plan.faces()) {
    double* const s = &slots[face.slot * table.size()];
    const double* const c = &corners[face.apex * (n + 1)];
    const double inverse = 1 / c[0];
    std::fill_n(s, table.size(), 0);
    if (face.first == face.last) s[0] = inverse;
    for (std::size_t i = face.first; i < face.last; ++i) {
      const double* const g = &slots[plan.faces()[plan.part(i)].slot * table.size()];
      const double w = weights[i] * inverse;
      for (std::size_t m = 0; m < table.size(); ++m) s[m] += w * g[m];
    }
    double x[16];
    for (std::size_t j = 0; j < n; ++j) x[j] = c[j + 1] * inverse;
    for (const MomentTable::Step& step : table.steps())
      s[step.target] += x[step.coordinate] * s[step.source];
  }
  const double* const s = &slots[plan.faces().back().slot * table.size()];
  double sum = 0;
  for (std::size_t m = 0; m < table.size(); ++m) sum += coefficients[m] * s[m];
  return sum * plan.scale().get_d();
}

}  // namespace

int main(int argc, char** argv) {
  std::puts(
      "dimension,degree,polytopes,vertices_mean,us_cddlib,triangulation_over_cddlib,face_lattice_"
      "over_cddlib,plan_over_cddlib,exact_over_double");
  struct Case {
    std::size_t n, m;
    unsigned degree;
    std::size_t count;
  };
  for (const auto& [n, m, degree, count] : {Case{2, 20, 2, 200},
                                            {3, 12, 2, 200},
                                            {3, 12, 0, 200},
                                            {3, 12, 8, 100},
                                            {4, 10, 0, 100},
                                            {4, 10, 2, 100},
                                            {4, 10, 4, 100},
                                            {5, 8, 2, 50},
                                            {5, 8, 8, 20},
                                            {6, 8, 0, 30},
                                            {6, 8, 2, 30},
                                            {7, 4, 2, 10}}) {
    if (argc > 1 && std::string(argv[1]) != std::to_string(n) + "," + std::to_string(degree))
      continue;
    std::mt19937 engine(7);
    const auto halfspaces = cells(n, m, count);
    const Polynomial integrand = dense(n, degree, engine);
    std::vector<Polytope> regions;
    const double cddlib = seconds([&] {
      for (const auto& cell : halfspaces) regions.emplace_back(n, cell);
    });
    double vertices = 0;
    for (const Polytope& region : regions) vertices += static_cast<double>(region.vertex_count());
    const std::array integrands{integrand};
    const auto integrate = [&](const Integrator& integrator) {
      double best = 1e9;
      for (int i = 0; i < 5; ++i)
        best = std::min(best, seconds([&] {
                          for (const Polytope& region : regions)
                            integrator.integrate(integrands, region);
                        }));
      return best;
    };
    const double triangulation = n > 5 || degree > 4 ? NAN : integrate(*make_triangulation({}));
    const double lattice = integrate(*make_face_lattice({}));
    double plans = 1e9, doubles = 1e9, sum = 0;
    const auto table = MomentTable::of(integrands, n);
    std::vector<double> coefficients(table->size());
    for (std::size_t i = 0; i < table->terms().size(); ++i) {
      double f = 1;
      for (unsigned k = 1; k <= wmi::degree(integrand.terms()[i].monomial) + n; ++k) f /= k;
      coefficients[table->terms()[i]] = integrand.terms()[i].coefficient.get_d() *
                                        table->factorial(table->terms()[i]).get_d() * f;
    }
    std::size_t faces = 0, parts = 0, large = 0;
    for (int i = 0; i < 5; ++i) {
      plans = std::min(plans, seconds([&] {
                         for (const Polytope& region : regions) {
                           const FacePlan plan(region);
                           sum += double(plan.faces().size());
                         }
                       }));
      doubles = std::min(doubles, seconds([&] {
                           for (const Polytope& region : regions) {
                             const FacePlan plan(region);
                             sum += plain(region, plan, *table, coefficients);
                             if (i == 0) {
                               faces += plan.faces().size(), parts += plan.weights().size();
                               large += !plan.weights().small();
                             }
                           }
                         }));
    }
    double worst = 0;
    for (const Polytope& region : regions) {
      const double e = make_face_lattice({})->integrate(integrands, region)[0].lower.get_d(),
                   d = plain(region, FacePlan(region), *table, coefficients);
      worst = std::max(worst, std::abs(e - d) / std::abs(e));
    }
    std::printf(
        "%zu,%u,%zu,%.1f,%.1f,%.3f,%.3f,%.3f,%.2f   faces %zu parts %zu large %zu us %.1f  plan us "
        "%.1f err %g\n",
        n, degree, count, vertices / double(count), 1e6 * cddlib / double(count),
        triangulation / cddlib, lattice / cddlib, plans / cddlib, lattice / doubles, faces / count,
        parts / count, large, 1e6 * lattice / double(count), 1e6 * plans / double(count), worst);
    std::fflush(stdout);
  }
}
