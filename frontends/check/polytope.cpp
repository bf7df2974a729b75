// Is the hull of some points the region of some rows?
//
// Faces are the points that they contain. Those of a face F are cut out of it by rows: a row is
// nowhere above 0, so the points of F where it is 0, if they are not all, span a face of F of a
// smaller dimension. The largest of these are listed as the facets of F, and it is checked that
// all facets of the hull of F are listed, point by point.
//
// A point v of F, of dimension k, is *simple* if it is on k listed facets, and for each of these
// there is a point w of F that is on the others and not on it. Of the rows of these facets, each is
// 0 in the directions w - v but in one; so there are k independent directions, and the rows leave
// room at v for sums of these alone: no other facet of the hull of F goes through v. In most cells
// all points are simple, and there is no more to do. Any other point v must be on a listed facet;
// the same is checked of all listed facets through v; and each of their listed facets through v is
// that of exactly two. Facets through v that share a ridge through v are neighbours, all are
// connected through neighbours, and a ridge belongs to two facets; so with one facet through v all
// are listed. (By induction: those of facets are.)
//
// Dimensions are what they are taken for: from n for the whole, each cut lowers them by 1 at least;
// a face with a simple point has no less than k, and one without has a listed facet that has no
// less than k - 1. At dimension 0, a face must be one point.
//
// As every facet of the hull has a corner, which is a point, it lies on a row. So the region of the
// rows is within the hull; and the points are in the region.

#include "frontends/check/polytope.h"

#include <map>

#include "frontends/check/bytes.h"

namespace wmi::check {
namespace {

/// What rows cut out of a set, neither nothing nor all of it, and within no other cut.
std::vector<Set> largest_cuts(const Set& whole, const std::vector<Set>& rows) {
  std::vector<Set> result;
  for (const Set& row : rows) {
    Set cut = whole;
    cut &= row;
    if (cut.empty() || cut == whole) continue;
    if (std::ranges::any_of(result, [&](const Set& other) { return cut.within(other); })) continue;
    std::erase_if(result, [&](const Set& other) { return other.within(cut); });
    result.push_back(std::move(cut));
  }
  return result;
}

}  // namespace

Polytope::Face& Polytope::face(Set points, std::size_t dimension) {
  if (dimension == 0 && points.size() != 1)
    throw Rejected("a cell has two points in a face of dimension 0");
  Face& result = *faces_.try_emplace(std::move(points), Shape{dimension}).first;
  if (result.second.dimension != dimension) throw Rejected("a face of a cell has two dimensions");
  return result;
}

const std::vector<Polytope::Face*>& Polytope::facets(Face& face) {
  auto& [points, shape] = face;
  if (!shape.listed && shape.dimension > 0)
    for (Set& cut : largest_cuts(points, rows_))
      shape.facets.push_back(&this->face(std::move(cut), shape.dimension - 1));
  shape.listed = true;
  return shape.facets;
}

Set Polytope::not_simple(Face& face) {
  const std::vector<std::size_t> points = face.first.members();
  std::vector<Set> on(points.size(), Set(facets(face).size()));  // of each point: its facets
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < facets(face).size(); ++j)
      if (facets(face)[j]->first.contains(points[i])) on[i].add(j);
  Set result(points_.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Set left = on[i];  // without those that another point is not on, and on all others
    for (const Set& other : on)
      if (on[i].missing_in(other) == 1) left &= other;
    if (on[i].size() != face.second.dimension || !left.empty()) result.add(points[i]);
  }
  return result;
}

/// The listed facets that must be checked as well.
std::vector<Polytope::Face*> Polytope::check_face(Face& face) {
  const Set crooked = not_simple(face);
  std::vector<Face*> result;
  std::map<const Face*, std::size_t> ridges;  // and how many facets have them
  Set left = crooked;
  for (Face* const facet : facets(face)) {
    if (!facet->first.meets(crooked)) continue;
    result.push_back(facet);
    left -= facet->first;
    for (const Face* const ridge : facets(*facet))
      if (ridge->first.meets(crooked)) ++ridges[ridge];
  }
  if (!left.empty() || std::ranges::any_of(ridges, [](auto& ridge) { return ridge.second != 2; }))
    throw Rejected("the boundary of a cell is not closed: a vertex is missing or wrong");
  return result;
}

void Polytope::check(std::span<const Vector> rows) {
  Set all(points_.size());
  std::vector<Set> on(rows.size(), all);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    all.add(v);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const int sign = sign_of_product(rows[row], points_[v]);
      if (sign > 0) throw Rejected("a vertex is not in the region of its path");
      if (sign == 0) on[row].add(v);
    }
  }
  rows_ = largest_cuts(all, on);
  whole_ = &face(std::move(all), points_[0].size() - 1);
  std::vector<Face*> open{whole_};
  while (!open.empty()) {
    Face& last = *open.back();
    open.pop_back();
    if (std::exchange(last.second.checked, true)) continue;
    const std::vector<Face*> next = check_face(last);
    open.insert(open.end(), next.begin(), next.end());
  }
}

}  // namespace wmi::check
