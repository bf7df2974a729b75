// The polynomials orthogonal with respect to the law satisfy a recurrence of three terms, found by
// the procedure of Stieltjes; the points are the eigenvalues of its tridiagonal matrix, the masses
// the squares of the first components of its eigenvectors (Golub and Welsch, 1969).

#include "bnn/numeric/gauss_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace wmi::bnn {
namespace {

/// A symmetric tridiagonal matrix.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  // beside[i] is the entry (i, i + 1)
};

/// The recurrence of the law, whose points lie in [-1, 1], up to `count` terms; fewer where the
/// next polynomial vanishes on all points.
Tridiagonal recurrence(std::span<const double> points, std::span<const double> masses, double total,
                       std::size_t count) {
  constexpr double vanishing = 1e-14;
  Tridiagonal result;
  std::vector<double> now(points.size(), 1 / std::sqrt(total)), before(points.size(), 0);
  double norm = 0;
  while (true) {
    double centre = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      centre += masses[i] * points[i] * now[i] * now[i];
    result.diagonal.push_back(centre);
    if (result.diagonal.size() == count) return result;
    double square = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double next = (points[i] - centre) * now[i] - norm * before[i];
      before[i] = now[i];
      now[i] = next;
      square += masses[i] * next * next;
    }
    norm = std::sqrt(square);
    if (!(norm > vanishing)) return result;
    for (double& value : now) value /= norm;
    result.beside.push_back(norm);
  }
}

/// Turns the matrix into its eigenvalues, on the diagonal, by the QL method with implicit shifts;
/// returns the first components of its eigenvectors.
std::vector<double> diagonalise(Tridiagonal& matrix) {
  std::vector<double>& d = matrix.diagonal;
  std::vector<double>& e = matrix.beside;
  const std::size_t n = d.size();
  e.resize(n, 0);
  std::vector<double> first(n, 0);
  first[0] = 1;
  for (std::size_t l = 0; l < n; ++l) {
    for (int sweep = 0; sweep < 60; ++sweep) {
      std::size_t m = l;
      while (m + 1 < n && std::abs(d[m]) + std::abs(d[m + 1]) + std::abs(e[m]) !=
                              std::abs(d[m]) + std::abs(d[m + 1]))
        ++m;
      if (m == l) break;
      const double half = (d[l + 1] - d[l]) / (2 * e[l]);
      double g = d[m] - d[l] + e[l] / (half + std::copysign(std::hypot(half, 1.0), half));
      double sine = 1, cosine = 1, shift = 0;
      bool split = false;
      for (std::size_t i = m; i-- > l;) {
        const double f = sine * e[i], b = cosine * e[i];
        const double r = std::hypot(f, g);
        e[i + 1] = r;
        if (r == 0) {  // the matrix falls apart here
          d[i + 1] -= shift;
          e[m] = 0;
          split = true;
          break;
        }
        sine = f / r;
        cosine = g / r;
        const double gap = d[i + 1] - shift;
        const double turned = (d[i] - gap) * sine + 2 * cosine * b;
        shift = sine * turned;
        d[i + 1] = gap + shift;
        g = cosine * turned - b;
        const double upper = first[i + 1];
        first[i + 1] = sine * first[i] + cosine * upper;
        first[i] = cosine * first[i] - sine * upper;
      }
      if (split) continue;
      d[l] -= shift;
      e[l] = g;
      e[m] = 0;
    }
  }
  return first;
}

}  // namespace

void append_gauss_rule(std::span<const double> points, std::span<const double> masses,
                       std::size_t count, Nodes& nodes) {
  if (points.size() <= count) {
    nodes.points.insert(nodes.points.end(), points.begin(), points.end());
    nodes.masses.insert(nodes.masses.end(), masses.begin(), masses.end());
    return;
  }
  const auto [least, most] = std::ranges::minmax(points);
  const double centre = least + (most - least) / 2, half = (most - least) / 2;
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  if (!(half > 0)) {
    nodes.points.push_back(centre);
    nodes.masses.push_back(total);
    return;
  }
  std::vector<double> scaled;
  scaled.reserve(points.size());
  for (const double point : points) scaled.push_back((point - centre) / half);
  Tridiagonal matrix = recurrence(scaled, masses, total, count);
  const std::vector<double> first = diagonalise(matrix);
  for (std::size_t i = 0; i < first.size(); ++i) {
    nodes.points.push_back(std::clamp(centre + half * matrix.diagonal[i], least, most));
    nodes.masses.push_back(total * first[i] * first[i]);
  }
}

}  // namespace wmi::bnn
