// The double description of a polytope with certified signs.
//
// Everything combinatorial follows from the signs of forms at vertices (see double_description.h),
// and these are right: a double whose size exceeds its proven error has the sign of the exact value,
// and where it does not, exact numbers decide.
//
// A vertex u* is the solution of n independent rows a_i . u + b_i = 0 that are tight at it. In doubles
// these are A u + b, and at every point of the box each differs from the exact row by at most e_i. For
// any u, A (u - u*) = (A u + b) - (A u* + b), and the last is at most e_i in size, as the exact row is
// 0 at u*. With R close to the inverse of A and F = R A - I of norm f < 1,
//
//     |u - u*| <= max_k (sum_i |R_ki| (|A u + b|_i + e_i)) / (1 - f)
//
// All of these are computed with their own rounding errors added. A is exact: it is whatever the
// doubles are.

#include "solver/geometry/filtered_polytope.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "solver/geometry/incidences.h"
#include "solver/geometry/product_region.h"

namespace wmi {
namespace {

constexpr double roundoff = 0x1p-53;
/// More than the underflow of a scalar product.
constexpr double underflow = 0x1p-1000;
constexpr double infinity = std::numeric_limits<double>::infinity();

#ifdef WMI_WITHOUT_ERROR_BOUNDS  // to measure what they cost: tests/bench/networks.cpp
constexpr bool error_bounds = false;
#else
constexpr bool error_bounds = true;
#endif

using Matrix =
    std::array<double, FilteredPolytope::max_dimension * FilteredPolytope::max_dimension>;

/// The inverse by Gauss and Jordan with partial pivoting; false if a pivot is 0.
bool invert(Matrix& a, Matrix& inverse, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) inverse[i * n + j] = i == j ? 1 : 0;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(a[i * n + j]) > std::abs(a[pivot * n + j])) pivot = i;
    if (!(std::abs(a[pivot * n + j]) > 0)) return false;
    if (pivot != j)
      for (std::size_t k = 0; k < n; ++k) {
        std::swap(a[pivot * n + k], a[j * n + k]);
        std::swap(inverse[pivot * n + k], inverse[j * n + k]);
      }
    const double scale = 1 / a[j * n + j];
    for (std::size_t k = 0; k < n; ++k) {
      a[j * n + k] *= scale;
      inverse[j * n + k] *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n + j];
      if (i == j || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        a[i * n + k] -= factor * a[j * n + k];
        inverse[i * n + k] -= factor * inverse[j * n + k];
      }
    }
  }
  return true;
}

/// Of more rows than needed, n that are well independent: full pivoting.
void choose_rows(std::vector<std::size_t>& rows, const std::vector<double>& all, std::size_t n) {
  std::vector<std::vector<double>> left;
  left.reserve(rows.size());
  for (const std::size_t row : rows)
    left.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(row * (n + 1) + 1),
                      all.begin() + static_cast<std::ptrdiff_t>((row + 1) * (n + 1)));
  std::vector<bool> column_used(n);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t row = step, column = n;
    double best = -1;
    for (std::size_t i = step; i < rows.size(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!column_used[j] && std::abs(left[i][j]) > best) {
          best = std::abs(left[i][j]);
          row = i;
          column = j;
        }
    if (column == n || best == 0) break;  // the inverse will fail
    std::swap(rows[step], rows[row]);
    std::swap(left[step], left[row]);
    column_used[column] = true;
    for (std::size_t i = step + 1; i < rows.size(); ++i) {
      const double factor = left[i][column] / left[step][column];
      for (std::size_t j = 0; j < n; ++j) left[i][j] -= factor * left[step][j];
    }
  }
  rows.resize(n);
}

Integer dot(const LinearForm& form, const std::vector<Integer>& point) {
  // The form is primitive: integers.
  Integer sum = form.constant.get_num() * point[0];
  for (const auto& [variable, coefficient] : form.coefficients)
    sum += coefficient.get_num() * point[variable + 1];
  return sum;
}

}  // namespace

FilteredPolytope::FilteredPolytope(const NormalisedBox& box, std::span<const Side> lower,
                                   std::span<const Side> upper)
    : box_(&box), dimension_(box.dimension()) {
  assert(dimension_ <= max_dimension);
  const std::size_t n = dimension_;
  std::vector<double> places[2], errors[2];
  for (std::size_t k = 0; k < n; ++k)
    for (const bool top : {false, true}) {
      const Side& side = top ? upper[k] : lower[k];
      const Rational exact = box.normalised(k, side.bound);
      const double at = std::clamp(exact.get_d(), -1.0, 1.0);
      const double error = Rational(at) == exact ? 0 : 2 * roundoff;
      places[top].push_back(at);
      errors[top].push_back(error);
      std::vector<double> form(n + 1);
      form[0] = top ? at : -at;
      form[k + 1] = top ? -1 : 1;
      rows_.insert(rows_.end(), form.begin(), form.end());
      row_errors_.push_back(error);
      names_.push_back(side.name);
      signs_.push_back(static_cast<std::int8_t>(top ? -side.sign : side.sign));
    }
  resize(std::size_t{1} << n);
  incidences_.assign(vertex_count(), 0);
  for (std::size_t v = 0; v < vertex_count(); ++v)
    for (std::size_t k = 0; k < n; ++k) {
      const bool top = v >> k & 1;
      coordinates_[k * stride_ + v] = places[top][k];
      radii_[v] = std::max(radii_[v], errors[top][k]);
      incidences_[v] |= Word{1} << (2 * k + (top ? 1 : 0));
      largest_radius_ = std::max(largest_radius_, radii_[v]);
    }
}

void FilteredPolytope::resize(std::size_t vertices) {
  stride_ = (vertices + 3) / 4 * 4;
  coordinates_.resize(stride_ * dimension_);
  radii_.resize(vertices);
}

/// A value of the form at a vertex, computed in doubles, differs from the exact one by at most this:
/// the form's own error, n + 1 roundings of sums and products of size at most `size`, and the
/// distance of the vertex.
double FilteredPolytope::threshold(const EnclosedForm& form, double radius) const {
  if constexpr (!error_bounds) return 0;
  return (form.error + form.size * (static_cast<double>(dimension_ + 3) * roundoff + radius)) *
             (1 + 8 * roundoff) +
         underflow;
}

void FilteredPolytope::evaluate(const EnclosedForm& form, std::vector<double>& values) const {
  values.assign(stride_, form.coefficients[0]);
  double* const out = values.data();
  for (std::size_t k = 0; k < dimension_; ++k) {
    const double factor = form.coefficients[k + 1];
    const double* const from = coordinates_.data() + k * stride_;
    for (std::size_t v = 0; v < stride_; ++v) out[v] += factor * from[v];
  }
}

Sides FilteredPolytope::sides(const Hyperplane& plane, Filter filter) const {
  thread_local std::vector<double> values;
  evaluate(plane.form, values);
  double least = infinity, most = -infinity;
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    least = std::min(least, values[v]);
    most = std::max(most, values[v]);
  }
  const double bound = threshold(plane.form, largest_radius_);
  const bool up = most > bound, down = least < -bound;
  const auto side = [&](bool above) {
    return above == (plane.sign > 0) ? Sides::above : Sides::below;
  };
  if (up || down) {
    const bool both = up && down;
    if (both || (up ? least > bound : most < -bound)) {
      filter.counts.in_doubles += vertex_count();
      return both ? Sides::both : side(up);
    }
  }
  bool above = false, below = false;
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    const double own = threshold(plane.form, radii_[v]);
    int sign = 0;
    if (values[v] > own)
      sign = 1;
    else if (values[v] < -own)
      sign = -1;
    else
      continue;
    ++filter.counts.in_doubles;
    (sign > 0 ? above : below) = true;
  }
  if (above && below) return Sides::both;
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    if (std::abs(values[v]) > threshold(plane.form, radii_[v])) continue;
    ++filter.counts.exact;
    const int sign = exact_sign(v, plane, filter.forms) * (plane.sign > 0 ? 1 : -1);
    above = above || sign > 0;
    below = below || sign < 0;
    if (above && below) return Sides::both;
  }
  if (!above && !below) return Sides::below;
  return side(above);
}

std::pair<double, double> FilteredPolytope::range(const EnclosedForm& form) const {
  thread_local std::vector<double> values;
  evaluate(form, values);
  double least = infinity, most = -infinity;
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    least = std::min(least, values[v]);
    most = std::max(most, values[v]);
  }
  const double slack = threshold(form, largest_radius_) * (1 + 4 * roundoff);
  return {std::nextafter(least - slack, -infinity), std::nextafter(most + slack, infinity)};
}

std::size_t FilteredPolytope::count(const Word* bits) const {
  std::size_t result = 0;
  for (std::size_t w = 0; w < words_; ++w)
    result += static_cast<std::size_t>(std::popcount(bits[w]));
  return result;
}

bool FilteredPolytope::adjacent(std::size_t a, std::size_t b, bool either_simple) const {
  const Incidences incidences{incidences_.data(), vertex_count(), words_};
  if (incidences.common(a, b) + 1 < dimension_) return false;
  return either_simple || incidences.alone(a, b);
}

double FilteredPolytope::solve(const Word* bits, double* point) const {
  const std::size_t n = dimension_;
  thread_local std::vector<std::size_t> rows;
  rows.clear();
  for (std::size_t w = 0; w < words_; ++w)
    for (Word left = bits[w]; left != 0; left &= left - 1)
      rows.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  assert(rows.size() >= n);
  if (rows.size() > n) choose_rows(rows, rows_, n);
  Matrix a, inverse;
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(rows_.data() + rows[i] * (n + 1) + 1, n, a.data() + i * n);
  Matrix work = a;
  if (!invert(work, inverse, n)) return infinity;
  const auto constant = [&](std::size_t i) { return rows_[rows[i] * (n + 1)]; };
  const auto value = [&](std::size_t i) {
    double sum = constant(i);
    for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * point[j];
    return sum;
  };
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum -= inverse[k * n + i] * constant(i);
    point[k] = sum;
  }
  std::array<double, max_dimension> residuals;
  for (std::size_t i = 0; i < n; ++i) residuals[i] = value(i);
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += inverse[k * n + i] * residuals[i];
    point[k] = std::clamp(point[k] - sum, -1.0, 1.0);  // the vertex is in the box
  }
  // Rows have a size of at most 2, so a value is rounded by less than 2 (n + 3) units of roundoff.
  const double rounding = static_cast<double>(2 * n + 6) * roundoff;
  for (std::size_t i = 0; i < n; ++i)
    residuals[i] = std::abs(value(i)) + row_errors_[rows[i]] + rounding;
  double f = 0, radius = 0;
  for (std::size_t k = 0; k < n; ++k) {
    double off = 0, size = 0, distance = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double entry = k == j ? -1 : 0, magnitude = k == j ? 1 : 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double product = inverse[k * n + i] * a[i * n + j];
        entry += product;
        magnitude += std::abs(product);
      }
      off += std::abs(entry);
      size += magnitude;
    }
    off += size * static_cast<double>(n + 4) * roundoff;
    for (std::size_t i = 0; i < n; ++i) distance += std::abs(inverse[k * n + i]) * residuals[i];
    // Each by itself: a maximum would pass over what is not a number, such as 0 times infinity.
    if (!(off < 0.25) || !std::isfinite(distance)) return infinity;
    f = std::max(f, off);
    radius = std::max(radius, distance);
  }
  return radius / (1 - f) * (1 + static_cast<double>(8 * n + 32) * roundoff) + underflow;
}

/// A vertex that is too blurred is worked out exactly: a wide radius makes later signs undecidable.
double FilteredPolytope::place(const Word* bits, double* point, Filter filter) const {
  constexpr double too_wide = 0x1p-20;
  const double radius = solve(bits, point);
  if (radius < too_wide) return radius;
  ++filter.counts.exact_vertices;
  const std::vector<Integer> exact = exact_vertex(bits, filter.forms);
  double error = 0;
  for (std::size_t k = 0; k < dimension_; ++k) {
    const Rational u = box_->normalised(k, ratio(exact[k + 1], exact[0]));
    point[k] = std::clamp(u.get_d(), -1.0, 1.0);
    if (Rational(point[k]) != u) error = 2 * roundoff;
  }
  return error;
}

/// By elimination in rationals, row by row, dependent rows skipped.
std::vector<Integer> FilteredPolytope::exact_vertex(const Word* bits, ExactForms& forms) const {
  const std::size_t n = dimension_;
  std::vector<std::vector<Rational>> reduced;  // each with a leading 1; the constant last
  std::vector<std::size_t> leads;
  for (std::size_t row = 0; row < row_count() && reduced.size() < n; ++row) {
    if (!(bits[row / 64] >> row % 64 & 1)) continue;
    const LinearForm& form = forms.exact(names_[row]);
    std::vector<Rational> entries(n + 1);
    for (const auto& [variable, coefficient] : form.coefficients) entries[variable] = coefficient;
    entries[n] = form.constant;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      const Rational factor = entries[leads[i]];
      if (factor == 0) continue;
      for (std::size_t j = 0; j <= n; ++j) entries[j] -= factor * reduced[i][j];
    }
    std::size_t lead = 0;
    while (lead < n && entries[lead] == 0) ++lead;
    if (lead == n) continue;
    const Rational pivot = entries[lead];
    for (Rational& entry : entries) entry /= pivot;
    for (std::vector<Rational>& other : reduced) {
      const Rational factor = other[lead];
      if (factor == 0) continue;
      for (std::size_t j = 0; j <= n; ++j) other[j] -= factor * entries[j];
    }
    reduced.push_back(std::move(entries));
    leads.push_back(lead);
  }
  assert(reduced.size() == n);
  std::vector<Rational> point(n);
  Integer denominator = 1;
  for (std::size_t i = 0; i < n; ++i) {
    point[leads[i]] = -reduced[i][n];
    denominator = lcm(denominator, reduced[i][n].get_den());
  }
  std::vector<Integer> result{denominator};
  for (const Rational& x : point) result.emplace_back(x.get_num() * (denominator / x.get_den()));
  return result;
}

int FilteredPolytope::exact_sign(std::size_t vertex, const Hyperplane& plane,
                                 ExactForms& forms) const {
  if constexpr (!error_bounds) return 0;
  const std::vector<Integer> point = exact_vertex(incidence(vertex), forms);
  return sgn(dot(forms.exact(plane.name), point));
}

/// The row is nowhere negative on the side that is kept: above (1) or below (-1) the exact form.
void FilteredPolytope::add_row(const Hyperplane& plane, int side) {
  const std::size_t n = dimension_;
  int exponent = 0;
  std::frexp(plane.form.size, &exponent);
  const double factor = plane.sign * side, scale = std::ldexp(factor, -exponent);
  const bool usable = std::isfinite(plane.form.size) && std::isfinite(scale) && scale != 0;
  for (std::size_t k = 0; k <= n; ++k)
    rows_.push_back(usable ? plane.form.coefficients[k] * scale : 0);
  row_errors_.push_back(usable ? plane.form.error * std::abs(scale) + underflow : infinity);
  names_.push_back(plane.name);
  signs_.push_back(static_cast<std::int8_t>(side));
}

/// Without the rows that are tight at too few vertices to be facets, and with another word of bits if
/// none is free then.
FilteredPolytope FilteredPolytope::compacted() const {
  FilteredPolytope result = *this;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < row_count(); ++i) {
    std::size_t on = 0;
    for (std::size_t v = 0; v < vertex_count(); ++v) on += tight(v, i);
    if (on >= dimension_) kept.push_back(i);
  }
  result.words_ = kept.size() / 64 + 1;
  result.rows_.clear();
  result.row_errors_.clear();
  result.names_.clear();
  result.signs_.clear();
  const auto width = static_cast<std::ptrdiff_t>(dimension_ + 1);
  for (const std::size_t i : kept) {
    const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(i) * width;
    result.rows_.insert(result.rows_.end(), row, row + width);
    result.row_errors_.push_back(row_errors_[i]);
    result.names_.push_back(names_[i]);
    result.signs_.push_back(signs_[i]);
  }
  result.incidences_.assign(vertex_count() * result.words_, 0);
  for (std::size_t v = 0; v < vertex_count(); ++v)
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (tight(v, kept[k])) result.incidences_[v * result.words_ + k / 64] |= Word{1} << k % 64;
  return result;
}

std::pair<FilteredPolytope, FilteredPolytope> FilteredPolytope::cut(const Hyperplane& plane,
                                                                    Filter filter) const {
  if (row_count() + 1 > 64 * words_) return compacted().cut_here(plane, filter);
  return cut_here(plane, filter);
}

std::pair<FilteredPolytope, FilteredPolytope> FilteredPolytope::cut_here(const Hyperplane& plane,
                                                                         Filter filter) const {
  const std::size_t n = dimension_, bit = row_count();
  thread_local std::vector<double> values;
  thread_local std::vector<std::int8_t> signs;
  thread_local std::vector<std::pair<std::uint32_t, bool>> up, down;
  thread_local std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  thread_local std::vector<double> points, radii;
  thread_local std::vector<Word> bits;
  evaluate(plane.form, values);
  signs.resize(vertex_count());
  up.clear();
  down.clear();
  edges.clear();
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    const double own = threshold(plane.form, radii_[v]), value = values[v] * plane.sign;
    if (value > own || value < -own) {
      ++filter.counts.in_doubles;
      signs[v] = value > 0 ? 1 : -1;
    } else {
      ++filter.counts.exact;
      signs[v] = static_cast<std::int8_t>(exact_sign(v, plane, filter.forms));
    }
    if (signs[v] != 0)
      (signs[v] > 0 ? up : down)
          .emplace_back(static_cast<std::uint32_t>(v), count(incidence(v)) == n);
  }
  assert(!up.empty() && !down.empty());
  for (const auto& [a, a_simple] : up)
    for (const auto& [b, b_simple] : down)
      if (adjacent(a, b, a_simple || b_simple)) edges.emplace_back(a, b);
  if (vertex_count() + edges.size() > max_vertices)
    throw TooManyVertices("a region has more than " + std::to_string(max_vertices) + " vertices");

  std::pair<FilteredPolytope, FilteredPolytope> halves;
  auto& [below, above] = halves;
  for (FilteredPolytope* const half : {&below, &above}) {
    half->box_ = box_;
    half->dimension_ = n;
    half->words_ = words_;
    half->rows_.reserve(rows_.size() + n + 1);
    half->rows_ = rows_;
    half->row_errors_ = row_errors_;
    half->names_ = names_;
    half->signs_ = signs_;
    half->add_row(plane, half == &above ? 1 : -1);
  }
  points.resize(edges.size() * n);
  radii.resize(edges.size());
  bits.resize(edges.size() * words_);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    Word* const own = bits.data() + e * words_;
    for (std::size_t w = 0; w < words_; ++w)
      own[w] = incidence(edges[e].first)[w] & incidence(edges[e].second)[w];
    own[bit / 64] |= Word{1} << bit % 64;
    if constexpr (error_bounds) {
      radii[e] = above.place(own, points.data() + e * n, filter);
    } else {
      const auto [a, b] = edges[e];
      const double share = values[a] / (values[a] - values[b]);
      for (std::size_t k = 0; k < n; ++k)
        points[e * n + k] = coordinate(a, k) + share * (coordinate(b, k) - coordinate(a, k));
      radii[e] = 0;
    }
  }
  for (FilteredPolytope* const half : {&below, &above}) {
    const int dropped = half == &above ? -1 : 1;
    const std::size_t gone = (half == &above ? down : up).size();
    half->resize(vertex_count() - gone + edges.size());
    half->incidences_.resize(half->vertex_count() * words_);
    std::size_t to = 0;
    for (std::size_t v = 0; v < vertex_count(); ++v) {
      if (signs[v] == dropped) continue;
      for (std::size_t k = 0; k < n; ++k)
        half->coordinates_[k * half->stride_ + to] = coordinates_[k * stride_ + v];
      half->radii_[to] = radii_[v];
      std::copy_n(incidence(v), words_, half->incidences_.data() + to * words_);
      if (signs[v] == 0) half->incidences_[to * words_ + bit / 64] |= Word{1} << bit % 64;
      ++to;
    }
    for (std::size_t e = 0; e < edges.size(); ++e, ++to) {
      for (std::size_t k = 0; k < n; ++k)
        half->coordinates_[k * half->stride_ + to] = points[e * n + k];
      half->radii_[to] = radii[e];
      std::copy_n(bits.data() + e * words_, words_, half->incidences_.data() + to * words_);
    }
    half->largest_radius_ = *std::ranges::max_element(half->radii_);
  }
  return halves;
}

Facets FilteredPolytope::facets() const {
  return find_facets(vertex_count(), 0, row_count(), dimension_,
                     [this](std::size_t v, std::size_t i) { return tight(v, i); });
}

Polytope FilteredPolytope::exact(ExactForms& forms) const {
  const std::size_t n = dimension_;
  Facets found = facets();
  std::vector<Integer> rows, vertices;
  for (const std::size_t i : found.rows) {
    const LinearForm& form = forms.exact(names_[i]);
    std::vector<Integer> row(n + 1);
    row[0] = form.constant.get_num();
    for (const auto& [variable, coefficient] : form.coefficients)
      row[variable + 1] = coefficient.get_num();
    for (const Integer& entry : row) rows.push_back(signs_[i] > 0 ? entry : Integer(-entry));
  }
  for (std::size_t v = 0; v < vertex_count(); ++v)
    for (Integer& entry : exact_vertex(incidence(v), forms)) vertices.push_back(std::move(entry));
  return Polytope(n, Integers(std::move(vertices)), Integers(std::move(rows)),
                  std::move(found.incidences));
}

}  // namespace wmi
