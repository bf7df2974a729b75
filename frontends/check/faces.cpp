// Checks that the convex hull of some points is the region of some rows.
//
// A face is the set of the points that it contains. Faces of a face F are cut out by rows: a row is
// <= 0 at all points, so the points of F where it is 0, if they are not all, span a face of F of
// smaller dimension. The largest of these are listed as the facets of F, and it is checked, point
// by point, that all facets of the hull of F are listed.
//
// A point v of F, of dimension k, is *simple* if it is on k listed facets, and for each of these
// there is a point w of F that is on the others and not on it. The row of each of these facets is 0
// in all directions w - v but one; so there are k independent directions, and near v the rows allow
// only their non-negative combinations: no other facet of the hull of F contains v. In most cells
// all points are simple, and nothing else needs checking. Any other point v must be on a listed
// facet; the same is checked for all listed facets through v; and each of their listed facets
// through v must belong to exactly two. Facets through v that share a ridge through v are
// neighbours, all are connected through neighbours, and a ridge belongs to two facets; so with one
// facet through v all are listed. (By induction, all facets of facets are.)
//
// Dimensions are as claimed: starting from n for the whole, each cut lowers them by at least 1; a
// face with a simple point has at least dimension k, and one without has a listed facet of at least
// dimension k - 1. A face of dimension 0 must be one point.
//
// Every facet of the hull has a vertex, which is one of the points, so it lies on a row. So the
// region of the rows is within the hull; and the points are in the region.

#include "frontends/check/faces.h"

#include <algorithm>
#include <utility>

#include "frontends/check/bytes.h"

namespace wmi::check {
namespace {

/// The maximal proper non-empty subsets that rows cut out of a set.
std::vector<Set> largest_cuts(const Set& whole, const std::vector<Set>& rows) {
  std::vector<Set> result;
  Set cut;
  for (const Set& row : rows) {
    cut = whole & row;
    if (cut == 0 || cut == whole) continue;
    if (std::ranges::any_of(result, [&](const Set& other) { return within(cut, other); })) continue;
    std::erase_if(result, [&](const Set& other) { return within(other, cut); });
    result.push_back(cut);
  }
  return result;
}

}  // namespace

Faces::Face& Faces::face(const Set& points, std::size_t dimension) {
  if (dimension == 0 && size(points) != 1)
    throw Rejected("a cell has two points in a face of dimension 0");
  Face& result = *faces_.try_emplace(points, Shape{dimension}).first;
  if (result.second.dimension != dimension) throw Rejected("a face of a cell has two dimensions");
  return result;
}

const std::vector<Faces::Face*>& Faces::facets(Face& face) {
  auto& [points, shape] = face;
  if (!std::exchange(shape.listed, true) && shape.dimension > 0)
    for (const Set& cut : largest_cuts(points, rows_))
      shape.facets.push_back(&this->face(cut, shape.dimension - 1));
  return shape.facets;
}

Set Faces::not_simple(Face& face) {
  const std::vector<std::size_t> points = members(face.first);
  std::vector<Set> on(points.size());  // the facets of each point
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < facets(face).size(); ++j)
      if (contains(facets(face)[j]->first, points[i])) mpz_setbit(on[i].get_mpz_t(), j);
  Set result, left;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool enough = size(on[i]) == face.second.dimension;
    left = on[i];  // without facets for which a point is on all the others but not on it
    for (std::size_t j = 0; j < on.size() && enough && left != 0; ++j)
      if (missing(on[i], on[j]) == 1) left &= on[j];
    if (!enough || left != 0) mpz_setbit(result.get_mpz_t(), points[i]);
  }
  return result;
}

/// Recurses into faces of lower dimension.
void Faces::check(Face& face) {
  if (std::exchange(face.second.checked, true)) return;
  const Set crooked = not_simple(face);
  std::map<const Face*, std::size_t> ridges;  // with the number of their facets
  Set met;
  for (Face* const facet : facets(face)) {
    if (!meet(facet->first, crooked)) continue;
    met |= facet->first;
    check(*facet);
    for (const Face* const ridge : facets(*facet))
      if (meet(ridge->first, crooked)) ++ridges[ridge];
  }
  if (!within(crooked, met) ||
      std::ranges::any_of(ridges, [](const auto& ridge) { return ridge.second != 2; }))
    throw Rejected("the boundary of a cell is not closed: a vertex is missing or wrong");
}

Faces::Faces(std::size_t dimension, std::size_t points, const std::vector<Set>& rows) {
  const Set all = (Integer(1) << points) - 1;
  rows_ = largest_cuts(all, rows);
  whole_ = &face(all, dimension);
  check(*whole_);
}

}  // namespace wmi::check
