#include "frontends/check/cell.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontends/check/moments.h"

namespace wmi::check {
namespace {

constexpr std::size_t most_vertices = 1 << 24, most_simplices = 1 << 28;

Integer evaluated(const std::vector<Integer>& row, const std::vector<Integer>& vertex) {
  Integer sum;
  for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * vertex[j];
  return sum;
}

/// The exponents of a monomial in some coordinates, by position.
std::vector<std::uint32_t> restricted(const Monomial& monomial,
                                      const std::vector<Variable>& coordinates) {
  std::vector<std::uint32_t> result(coordinates.size());
  for (const Power& power : monomial) {
    const auto place = std::lower_bound(coordinates.begin(), coordinates.end(), power.variable);
    if (place != coordinates.end() && *place == power.variable)
      result[static_cast<std::size_t>(place - coordinates.begin())] = power.exponent;
  }
  return result;
}

/// d! times the volume of a simplex in as many coordinates, of its vertices (q, q x).
Rational factorial_volume(const std::vector<std::vector<Integer>>& rows, const Integer& det) {
  Integer denominator = 1;
  for (const std::vector<Integer>& row : rows) denominator *= row[0];
  return ratio(abs(det), denominator);
}

/// The weights, summing to 1, with which the vertices of a simplex make up a point.
std::vector<Rational> barycentric(const std::vector<const std::vector<Integer>*>& simplex,
                                  const std::vector<Rational>& point) {
  const std::size_t size = simplex.size();
  std::vector<std::vector<Rational>> table(size, std::vector<Rational>(size + 1));
  for (std::size_t j = 0; j < size; ++j) {
    table[0][j] = 1;
    for (std::size_t i = 1; i < size; ++i) table[i][j] = ratio((*simplex[j])[i], (*simplex[j])[0]);
  }
  table[0][size] = 1;
  for (std::size_t i = 1; i < size; ++i) table[i][size] = point[i - 1];
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    while (table[pivot][k] == 0) ++pivot;  // the simplex has volume
    std::swap(table[pivot], table[k]);
    for (std::size_t j = size + 1; j-- > k;) table[k][j] /= table[k][k];
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k || table[i][k] == 0) continue;
      for (std::size_t j = size + 1; j-- > k;) table[i][j] -= table[i][k] * table[k][j];
    }
  }
  std::vector<Rational> result;
  for (std::size_t i = 0; i < size; ++i) result.push_back(table[i][size]);
  return result;
}

}  // namespace

Cell::Cell(Bytes& in, const Problem& problem) {
  constexpr std::uint32_t nowhere = -1;
  block_of_.assign(problem.integrated.size(), nowhere);
  const auto dimensions = static_cast<std::size_t>(
      std::count(problem.integrated.begin(), problem.integrated.end(), true));
  std::size_t placed = 0;
  blocks_.resize(in.count(dimensions));
  for (Block& block : blocks_) {
    const std::size_t dimension = in.count(dimensions);
    if (dimension == 0) throw Rejected("a block has no coordinates");
    for (std::size_t i = 0; i < dimension; ++i) {
      const auto variable = static_cast<Variable>(in.count(problem.integrated.size() - 1));
      if (!problem.integrated[variable] || block_of_[variable] != nowhere)
        throw Rejected("the blocks of a cell do not share out the integrated reals");
      if (i > 0 && variable < block.coordinates.back())
        throw Rejected("the coordinates of a block are not in order");
      block_of_[variable] = static_cast<std::uint32_t>(&block - blocks_.data());
      block.coordinates.push_back(variable);
      ++placed;
    }
    const std::size_t vertices = in.count(most_vertices);
    for (std::size_t v = 0; v < vertices; ++v) {
      std::vector<Integer>& vertex = block.vertices.emplace_back();
      vertex.push_back(in.natural());
      if (vertex[0] == 0) throw Rejected("a vertex has the denominator 0");
      for (std::size_t j = 0; j < dimension; ++j) vertex.push_back(in.integer());
    }
    const std::size_t simplices = in.count(most_simplices);
    for (std::size_t s = 0; s < simplices; ++s) {
      std::vector<std::uint32_t>& simplex = block.simplices.emplace_back();
      for (std::size_t j = 0; j <= dimension; ++j) {
        simplex.push_back(static_cast<std::uint32_t>(in.count(most_vertices)));
        if (simplex.back() >= vertices) throw Rejected("a simplex has a vertex that does not exist");
        if (j > 0 && simplex[j] <= simplex[j - 1])
          throw Rejected("the vertices of a simplex are not in order");
      }
    }
  }
  if (placed != dimensions)
    throw Rejected("the blocks of a cell do not share out the integrated reals");
}

std::size_t Cell::simplices() const {
  std::size_t result = 0;
  for (const Block& block : blocks_) result += block.simplices.size();
  return result;
}

/// The blocks that the form has coordinates of.
const std::vector<std::uint32_t>& Cell::touched(const LinearForm& form) const {
  touched_.clear();
  for (const auto& [variable, coefficient] : form.coefficients) {
    const std::uint32_t block = block_of_[variable];
    if (std::find(touched_.begin(), touched_.end(), block) == touched_.end())
      touched_.push_back(block);
  }
  return touched_;
}

std::vector<Integer> Cell::Block::row(const LinearForm& form) const {
  LinearForm primitive = form;
  primitive.make_primitive();
  std::vector<Integer> result(coordinates.size() + 1);
  result[0] = primitive.constant.get_num();
  for (const auto& [variable, coefficient] : primitive.coefficients)
    result[static_cast<std::size_t>(
        std::lower_bound(coordinates.begin(), coordinates.end(), variable) - coordinates.begin() +
        1)] = coefficient.get_num();
  return result;
}

std::pair<Rational, Rational> Cell::Block::range(const LinearForm& form) const {
  std::vector<std::pair<std::size_t, Rational>> own;
  for (const auto& [variable, coefficient] : form.coefficients) {
    const auto place = std::lower_bound(coordinates.begin(), coordinates.end(), variable);
    if (place != coordinates.end() && *place == variable)
      own.emplace_back(place - coordinates.begin() + 1, coefficient);
  }
  std::optional<std::pair<Rational, Rational>> result;
  for (const std::vector<Integer>& vertex : vertices) {
    Rational value;
    for (const auto& [place, coefficient] : own) value += coefficient * vertex[place];
    value /= vertex[0];
    if (!result)
      result.emplace(value, value);
    else if (value < result->first)
      result->first = value;
    else if (value > result->second)
      result->second = value;
  }
  return *result;
}

int Cell::side(const LinearForm& form) const {
  const std::vector<std::uint32_t> blocks = touched(form);
  if (blocks.size() == 1) {
    const Block& block = blocks_[blocks[0]];
    const std::vector<Integer> row = block.row(form);
    bool above = false, below = false;
    for (const std::vector<Integer>& vertex : block.vertices) {
      const int sign = sgn(evaluated(row, vertex));
      above = above || sign > 0;
      below = below || sign < 0;
      if (above && below) return 0;
    }
    return above ? 1 : -1;
  }
  Rational least = form.constant, most = form.constant;
  for (const std::uint32_t block : blocks) {
    const auto [low, high] = blocks_[block].range(form);
    least += low;
    most += high;
  }
  return most <= 0 ? -1 : least >= 0 ? 1 : 0;
}

void Cell::check(std::span<const LinearForm> rows) const {
  for (const Block& block : blocks_)
    if (block.simplices.empty()) throw Rejected("a block has no simplices");
  std::vector<std::vector<std::vector<Integer>>> of_blocks(blocks_.size());
  for (const LinearForm& row : rows) {
    const std::vector<std::uint32_t>& blocks = touched(row);
    if (blocks.size() == 1)
      of_blocks[blocks[0]].push_back(blocks_[blocks[0]].row(row));
    else if (side(row) != -1)
      throw Rejected("the cell is not within a halfspace of its path");
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].check(of_blocks[i]);
}

/// Every vertex is in the region, so every simplex is. Each facet of a simplex lies on the boundary
/// of the region, or is a facet of exactly one other simplex, on its other side. So the number of
/// simplices that cover a point of the interior is the same for all points that lie on no facet;
/// and for one of them it is 1.
void Cell::Block::check(std::span<const std::vector<Integer>> rows) const {
  std::vector<std::vector<bool>> tight(vertices.size(), std::vector<bool>(rows.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int sign = sgn(evaluated(rows[i], vertices[v]));
      if (sign > 0) throw Rejected("a vertex is not in the region of its path");
      tight[v][i] = sign == 0;
    }
  check_facets(tight);
  check_covered_once(tight);
}

void Cell::Block::check_facets(const std::vector<std::vector<bool>>& tight) const {
  const std::size_t rows = tight[0].size();
  std::map<std::vector<std::uint32_t>, int> inner;  // facets seen once: on which side
  std::set<std::vector<std::uint32_t>> closed;      // seen twice
  for (const std::vector<std::uint32_t>& simplex : simplices) {
    std::vector<std::vector<Integer>> corners;
    for (const std::uint32_t vertex : simplex) corners.push_back(vertices[vertex]);
    const int orientation = sgn(determinant(std::move(corners)));
    if (orientation == 0) throw Rejected("a simplex has no volume");
    for (std::size_t omitted = 0; omitted < simplex.size(); ++omitted) {
      std::vector<std::uint32_t> facet = simplex;
      facet.erase(facet.begin() + static_cast<std::ptrdiff_t>(omitted));
      bool outer = false;
      for (std::size_t i = 0; i < rows && !outer; ++i)
        outer = std::all_of(facet.begin(), facet.end(),
                            [&](std::uint32_t vertex) { return tight[vertex][i]; });
      if (outer) continue;
      const int side = omitted % 2 == 0 ? orientation : -orientation;
      if (closed.contains(facet)) throw Rejected("a facet belongs to three simplices");
      const auto [place, fresh] = inner.emplace(facet, side);
      if (fresh) continue;
      if (place->second == side) throw Rejected("two simplices lie on the same side of a facet");
      inner.erase(place);
      closed.insert(std::move(facet));
    }
  }
  if (!inner.empty()) throw Rejected("a facet of a simplex is neither shared nor on the boundary");
}

/// Near a corner of the region, in the direction of the middle of a simplex. The corner is alone on
/// all its rows together, so no simplex reaches it that does not have it as a vertex.
void Cell::Block::check_covered_once(const std::vector<std::vector<bool>>& tight) const {
  std::vector<std::vector<std::size_t>> at(vertices.size());  // simplices of each vertex
  for (std::size_t s = 0; s < simplices.size(); ++s)
    for (const std::uint32_t vertex : simplices[s]) at[vertex].push_back(s);
  const auto alone = [&](std::size_t corner) {
    for (std::size_t other = 0; other < vertices.size(); ++other) {
      if (other == corner || at[other].empty()) continue;
      bool shares = true;
      for (std::size_t i = 0; i < tight[corner].size() && shares; ++i)
        shares = !tight[corner][i] || tight[other][i];
      if (shares) return false;
    }
    return true;
  };
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (!at[v].empty()) order.push_back(v);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return at[a].size() < at[b].size(); });
  const auto corner = std::find_if(order.begin(), order.end(), alone);
  if (corner == order.end()) throw Rejected("no vertex is a corner of the region");
  const std::vector<std::uint32_t>& first = simplices[at[*corner][0]];
  std::vector<Rational> middle(coordinates.size());
  for (const std::uint32_t vertex : first)
    for (std::size_t j = 0; j < middle.size(); ++j)
      middle[j] += ratio(vertices[vertex][j + 1], vertices[vertex][0] * first.size());
  for (std::size_t i = 1; i < at[*corner].size(); ++i) {
    const std::vector<std::uint32_t>& other = simplices[at[*corner][i]];
    std::vector<const std::vector<Integer>*> corners;
    for (const std::uint32_t vertex : other) corners.push_back(&vertices[vertex]);
    const std::vector<Rational> weights = barycentric(corners, middle);
    bool covers = true;
    for (std::size_t j = 0; j < other.size(); ++j)
      covers = covers && (other[j] == *corner || weights[j] >= 0);
    if (covers) throw Rejected("two simplices overlap");
  }
}

std::vector<Rational> Cell::integrals(std::span<const Polynomial> integrands) const {
  std::vector<Moments> moments;
  for (const Block& block : blocks_) {
    std::set<std::vector<std::uint32_t>> needed;
    for (const Polynomial& integrand : integrands)
      for (const Polynomial::Term& term : integrand.terms())
        needed.insert(restricted(term.monomial, block.coordinates));
    Moments& sums = moments.emplace_back(
        block.coordinates.size(),
        std::vector<std::vector<std::uint32_t>>(needed.begin(), needed.end()));
    for (const std::vector<std::uint32_t>& simplex : block.simplices) {
      std::vector<std::vector<Integer>> corners;
      std::vector<const std::vector<Integer>*> places;
      for (const std::uint32_t vertex : simplex) {
        corners.push_back(block.vertices[vertex]);
        places.push_back(&block.vertices[vertex]);
      }
      sums.add(places, factorial_volume(corners, determinant(corners)));
    }
  }
  std::vector<Rational> result;
  for (const Polynomial& integrand : integrands) {
    Rational sum;
    for (const Polynomial::Term& term : integrand.terms()) {
      Rational product = term.coefficient;
      for (std::size_t i = 0; i < blocks_.size(); ++i)
        product *= moments[i][restricted(term.monomial, blocks_[i].coordinates)];
      sum += product;
    }
    result.push_back(std::move(sum));
  }
  return result;
}

/// The simplices have facets on form = 0, which tile it. A form of several blocks that has one side
/// is 0 on a face of too few dimensions.
Rational Cell::slice(const Polynomial& integrand, const LinearForm& form) const {
  const std::vector<std::uint32_t> blocks = touched(form);
  if (blocks.size() != 1) return 0;
  Cell cut = *this;
  const Block& block = blocks_[blocks[0]];
  const std::vector<Integer> row = block.row(form);
  std::vector<bool> on(block.vertices.size());
  for (std::size_t v = 0; v < on.size(); ++v) on[v] = evaluated(row, block.vertices[v]) == 0;
  std::size_t gone = 1;  // the coordinate that is projected out
  while (row[gone] == 0) ++gone;
  const Rational stretch = 1 / abs(form.coefficient(block.coordinates[gone - 1]));

  std::set<std::vector<std::uint32_t>> needed;
  for (const Polynomial::Term& term : integrand.terms())
    needed.insert(restricted(term.monomial, block.coordinates));
  Moments sums(block.coordinates.size(),
               std::vector<std::vector<std::uint32_t>>(needed.begin(), needed.end()));
  for (const std::vector<std::uint32_t>& simplex : block.simplices) {
    std::vector<std::vector<Integer>> corners;
    std::vector<const std::vector<Integer>*> places;
    for (const std::uint32_t vertex : simplex) {
      if (!on[vertex]) continue;
      places.push_back(&block.vertices[vertex]);
      corners.push_back(block.vertices[vertex]);
      corners.back().erase(corners.back().begin() + static_cast<std::ptrdiff_t>(gone));
    }
    if (places.size() + 1 != simplex.size()) continue;
    sums.add(places, stretch * factorial_volume(corners, determinant(corners)));
  }
  // The other blocks as a whole: their integrals, term by term.
  Rational result;
  cut.blocks_.erase(cut.blocks_.begin() + blocks[0]);
  for (const Polynomial::Term& term : integrand.terms()) {
    Monomial rest;
    for (const Power& power : term.monomial)
      if (block_of_[power.variable] != blocks[0]) rest.push_back(power);
    const Polynomial other({{std::move(rest), term.coefficient}});
    result += sums[restricted(term.monomial, block.coordinates)] *
              cut.integrals(std::span(&other, 1))[0];
  }
  return result;
}

}  // namespace wmi::check
