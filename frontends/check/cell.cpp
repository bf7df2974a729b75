#include "frontends/check/cell.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace wmi::check {
namespace {

constexpr std::size_t most_vertices = 1 << 24, most_simplices = 1 << 28;
constexpr std::uint32_t nowhere = ~0U;

}  // namespace

Cell::Cell(Bytes& in, const std::vector<bool>& coordinates)
    : block_of_(coordinates.size(), nowhere) {
  const auto dimensions =
      static_cast<std::size_t>(std::count(coordinates.begin(), coordinates.end(), true));
  std::size_t placed = 0;
  blocks_.resize(in.count(dimensions));
  for (Block& block : blocks_) {
    const std::size_t dimension = in.count(dimensions);
    if (dimension == 0) throw Rejected("a block has no coordinates");
    for (std::size_t i = 0; i < dimension; ++i) {
      const auto variable = static_cast<Variable>(in.count(coordinates.size() - 1));
      if (!coordinates[variable] || block_of_[variable] != nowhere)
        throw Rejected("the blocks of a cell do not share out the integrated reals");
      if (i > 0 && variable < block.coordinates.back())
        throw Rejected("the coordinates of a block are not in order");
      block_of_[variable] = static_cast<std::uint32_t>(&block - blocks_.data());
      block.coordinates.push_back(variable);
    }
    placed += dimension;
    const std::size_t vertices = in.count(most_vertices);
    for (std::size_t v = 0; v < vertices; ++v) {
      std::vector<Integer> entries{in.natural()};
      if (entries[0] == 0) throw Rejected("a vertex has the denominator 0");
      for (std::size_t j = 0; j < dimension; ++j) entries.push_back(in.integer());
      block.vertices.emplace_back(std::move(entries));
    }
    const std::size_t simplices = in.count(most_simplices);
    if (simplices == 0) throw Rejected("a block has no simplices");
    for (std::size_t s = 0; s < simplices; ++s) {
      std::vector<std::uint32_t>& simplex = block.simplices.emplace_back();
      for (std::size_t j = 0; j <= dimension; ++j) {
        simplex.push_back(static_cast<std::uint32_t>(in.count(most_vertices)));
        if (simplex[j] >= vertices) throw Rejected("a simplex has a vertex that does not exist");
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
std::vector<std::uint32_t> Cell::touched(const LinearForm& form) const {
  std::vector<std::uint32_t> result;
  for (const auto& [variable, coefficient] : form.coefficients)
    if (std::find(result.begin(), result.end(), block_of_[variable]) == result.end())
      result.push_back(block_of_[variable]);
  return result;
}

std::size_t Cell::Block::place(Variable variable) const {
  const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), variable);
  if (found == coordinates.end() || *found != variable) return 0;
  return static_cast<std::size_t>(found - coordinates.begin()) + 1;
}

/// Times a positive number, without the coordinates of other blocks.
Vector Cell::Block::row(const LinearForm& form) const {
  LinearForm primitive = form;
  primitive.make_primitive();
  std::vector<Integer> result(coordinates.size() + 1);
  result[0] = primitive.constant.get_num();
  for (const auto& [variable, coefficient] : primitive.coefficients)
    if (const std::size_t where = place(variable)) result[where] = coefficient.get_num();
  return Vector(std::move(result));
}

Exponents Cell::Block::restricted(const Monomial& monomial) const {
  Exponents result(coordinates.size());
  for (const Power& power : monomial)
    if (const std::size_t where = place(power.variable)) result[where - 1] = power.exponent;
  return result;
}

std::vector<const Vector*> Cell::Block::corners(const std::vector<std::uint32_t>& simplex) const {
  std::vector<const Vector*> result;
  for (const std::uint32_t vertex : simplex) result.push_back(&vertices[vertex]);
  return result;
}

int Cell::side(const LinearForm& form) const {
  const std::vector<std::uint32_t> blocks = touched(form);
  bool above = false, below = false;
  if (blocks.size() == 1) {
    const Vector row = blocks_[blocks[0]].row(form);
    for (const Vector& vertex : blocks_[blocks[0]].vertices) {
      const int sign = sign_of_product(row, vertex);
      (sign > 0 ? above : below) |= sign != 0;
      if (above && below) return 0;
    }
    return above ? 1 : -1;
  }
  Rational least = form.constant, most = form.constant;
  for (const std::uint32_t number : blocks) {
    const Block& block = blocks_[number];
    std::optional<Rational> low, high;
    for (const Vector& vertex : block.vertices) {
      Rational value;
      for (const auto& [variable, coefficient] : form.coefficients)
        if (const std::size_t where = block.place(variable)) value += coefficient * vertex[where];
      value /= vertex[0];
      if (!low || value < *low) low = value;
      if (!high || value > *high) high = value;
    }
    least += *low;
    most += *high;
  }
  return most <= 0 ? -1 : least >= 0 ? 1 : 0;
}

void Cell::check(std::span<const LinearForm> rows) {
  std::vector<std::vector<Vector>> of_blocks(blocks_.size());
  for (const LinearForm& row : rows) {
    const std::vector<std::uint32_t> blocks = touched(row);
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
void Cell::Block::check(std::span<const Vector> rows) {
  std::vector<std::vector<bool>> tight(vertices.size(), std::vector<bool>(rows.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int sign = sign_of_product(rows[i], vertices[v]);
      if (sign > 0) throw Rejected("a vertex is not in the region of its path");
      tight[v][i] = sign == 0;
    }
  check_facets(tight);
  check_covered_once(tight);
}

void Cell::Block::check_facets(std::span<const std::vector<bool>> tight) {
  const std::size_t dimension = coordinates.size();
  std::vector<std::uint32_t> facets;  // that are not on the boundary, one after the other
  std::vector<int> sides;             // of each: where its simplex lies
  for (const std::vector<std::uint32_t>& simplex : simplices) {
    determinants.push_back(determinant(corners(simplex), none));
    const int orientation = sgn(determinants.back());
    if (orientation == 0) throw Rejected("a simplex has no volume");
    for (std::size_t omitted = 0; omitted <= dimension; ++omitted) {
      bool outer = false;
      for (std::size_t i = 0; i < tight[0].size() && !outer; ++i) {
        outer = true;
        for (std::size_t j = 0; j <= dimension && outer; ++j)
          outer = j == omitted || tight[simplex[j]][i];
      }
      if (outer) continue;
      for (std::size_t j = 0; j <= dimension; ++j)
        if (j != omitted) facets.push_back(simplex[j]);
      sides.push_back(omitted % 2 == 0 ? orientation : -orientation);
    }
  }
  std::vector<std::size_t> order(sides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto facet = [&](std::size_t i) {
    return facets.begin() + static_cast<std::ptrdiff_t>(i * dimension);
  };
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::equal(facet(a), facet(a + 1), facet(b));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(facet(a), facet(a + 1), facet(b), facet(b + 1));
  });
  for (std::size_t i = 0; i < order.size(); i += 2) {
    if (i + 1 == order.size() || !same(order[i], order[i + 1]))
      throw Rejected("a facet of a simplex is neither shared nor on the boundary");
    if (sides[order[i]] == sides[order[i + 1]])
      throw Rejected("two simplices lie on the same side of a facet");
    if (i + 2 < order.size() && same(order[i], order[i + 2]))
      throw Rejected("a facet belongs to three simplices");
  }
}

/// Near a corner of the region, in the direction of the middle of a simplex. The corner is alone on
/// all its rows together, so no simplex reaches it that does not have it as a vertex.
void Cell::Block::check_covered_once(std::span<const std::vector<bool>> tight) const {
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
  const std::vector<std::size_t>& around = at[*corner];
  std::vector<Integer> sum(coordinates.size() + 1);
  for (const Vector* vertex : corners(simplices[around[0]])) {
    Integer factor = 1;  // the other denominators: all vertices with the same weight
    for (const Vector* other : corners(simplices[around[0]]))
      if (other != vertex) factor *= (*other)[0];
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += factor * (*vertex)[j];
  }
  const Vector middle(std::move(sum));
  for (std::size_t i = 1; i < around.size(); ++i) {
    std::vector<const Vector*> other = corners(simplices[around[i]]);
    bool covers = true;  // all weights of its vertices but the corner's, by Cramer's rule
    for (const Vector*& vertex : other) {
      if (vertex == &vertices[*corner]) continue;
      const Vector* const kept = std::exchange(vertex, &middle);
      covers = covers && sgn(determinant(other, none)) * sgn(determinants[around[i]]) >= 0;
      vertex = kept;
    }
    if (covers) throw Rejected("two simplices overlap");
  }
}

/// Over the block; or over form = 0, which the facets of simplices that lie there tile. Volumes are
/// then measured without one coordinate that the form has.
Moments Cell::Block::moments(std::span<const Polynomial> integrands, const LinearForm* form) const {
  std::set<Exponents> needed;
  for (const Polynomial& integrand : integrands)
    for (const Polynomial::Term& term : integrand.terms()) needed.insert(restricted(term.monomial));
  Moments result(coordinates.size(), coordinates.size() - (form != nullptr), needed);
  for (std::size_t s = 0; s < simplices.size(); ++s) {
    std::vector<const Vector*> on = corners(simplices[s]);
    if (form == nullptr) {
      result.add(on, determinants[s]);
      continue;
    }
    const Vector zero = row(*form);
    std::erase_if(on, [&](const Vector* vertex) { return sign_of_product(zero, *vertex) != 0; });
    if (on.size() == coordinates.size())
      result.add(on, determinant(on, place(form->coefficients[0].first)));
  }
  return result;
}

Rational Cell::integral(const Polynomial& integrand, std::span<const Moments> moments) const {
  Rational sum;
  for (const Polynomial::Term& term : integrand.terms()) {
    Rational product = term.coefficient;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      product *= moments[i][blocks_[i].restricted(term.monomial)];
    sum += product;
  }
  return sum;
}

std::vector<Rational> Cell::integrals(std::span<const Polynomial> integrands) const {
  std::vector<Moments> moments;
  for (const Block& block : blocks_) moments.push_back(block.moments(integrands, nullptr));
  std::vector<Rational> result;
  for (const Polynomial& integrand : integrands) result.push_back(integral(integrand, moments));
  return result;
}

/// A form of several blocks that has one side is 0 on a face of too few dimensions.
Rational Cell::slice(const Polynomial& integrand, const LinearForm& form) const {
  const std::vector<std::uint32_t> blocks = touched(form);
  if (blocks.size() != 1) return 0;
  std::vector<Moments> moments;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    moments.push_back(
        blocks_[i].moments(std::span(&integrand, 1), i == blocks[0] ? &form : nullptr));
  return integral(integrand, moments) / abs(form.coefficients[0].second);
}

}  // namespace wmi::check
