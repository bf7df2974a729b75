#include "solver/geometry/product_region.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <string>

namespace wmi {

std::shared_ptr<const ProductRegion::Block> ProductRegion::make_block(
    std::vector<Variable> coordinates, Polyhedron body) {
  return std::make_shared<const Block>(Block{
      std::make_shared<const std::vector<Variable>>(std::move(coordinates)), std::move(body)});
}

ProductRegion::ProductRegion(std::size_t dimension) {
  std::vector<Position> positions;
  for (Variable j = 0; j < dimension; ++j) {
    blocks_.push_back(make_block({j}, Polyhedron(1)));
    positions.push_back({j, 0});
  }
  positions_ = std::make_shared<const std::vector<Position>>(std::move(positions));
}

ProductRegion::ProductRegion(const Polytope& polytope) {
  std::vector<Variable> coordinates(polytope.dimension());
  std::iota(coordinates.begin(), coordinates.end(), Variable{0});
  blocks_.push_back(make_block(std::move(coordinates), Polyhedron(polytope)));
  index_coordinates();
}

ProductRegion ProductRegion::unshared() const {
  ProductRegion result(0);
  for (const auto& block : blocks_)
    result.blocks_.push_back(make_block(block->coordinates(), block->body));
  result.positions_ = std::make_shared<const std::vector<Position>>(*positions_);
  return result;
}

std::optional<std::uint32_t> ProductRegion::only_block(const LinearForm& form) const {
  const std::uint32_t first = (*positions_)[form.coefficients[0].first].block;
  for (const auto& [variable, coefficient] : form.coefficients)
    if ((*positions_)[variable].block != first) return std::nullopt;
  return first;
}

/// The blocks that contain variables of the form, ascending.
std::vector<std::uint32_t> ProductRegion::touched(const LinearForm& form) const {
  std::vector<std::uint32_t> result;
  for (const auto& [variable, coefficient] : form.coefficients) {
    const std::uint32_t block = (*positions_)[variable].block;
    if (std::find(result.begin(), result.end(), block) == result.end()) result.push_back(block);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Requires integer coefficients.
const Integers& ProductRegion::row(const LinearForm& form, std::uint32_t block,
                                   const Rational& constant) const {
  thread_local Integers result;
  const std::size_t width = blocks_[block]->coordinates().size() + 1;
  assert(constant.get_den() == 1);
  const auto fits = [](const Integer& number) {
    return number.fits_slong_p() && number.get_si() != std::numeric_limits<long>::min();
  };
  bool small = fits(constant.get_num());
  for (const auto& [variable, coefficient] : form.coefficients)
    small = small && fits(coefficient.get_num());
  const auto fill = [&](auto& entries, const auto& number) {
    entries[0] = number(constant.get_num());
    for (const auto& [variable, coefficient] : form.coefficients)
      if ((*positions_)[variable].block == block)
        entries[(*positions_)[variable].index + 1] = number(coefficient.get_num());
  };
  if (small) {
    std::vector<std::int64_t> entries = std::move(result).release();
    entries.assign(width, 0);
    fill(entries, [](const Integer& number) { return number.get_si(); });
    return result = Integers(std::move(entries));
  }
  std::vector<Integer> entries(width);
  fill(entries, [](const Integer& number) -> const Integer& { return number; });
  return result = Integers(std::move(entries));
}

Sides ProductRegion::sides(const LinearForm& form) const {
  if (const auto block = only_block(form))
    return blocks_[*block]->body.sides(row(form, *block, form.constant));
  const auto [least, greatest] = ends(form);
  if (least && *least >= 0) return Sides::above;
  if (greatest && *greatest <= 0) return Sides::below;
  return Sides::both;
}

/// The minimum and the maximum of a form with integer coefficients; nullopt where unbounded.
ProductRegion::Ends ProductRegion::ends(const LinearForm& form) const {
  std::optional<Rational> least = form.constant, greatest = form.constant;
  for (const std::uint32_t block : touched(form)) {
    const auto [low, high] = blocks_[block]->body.range(row(form, block, 0));
    if (least && low)
      *least += *low;
    else
      least.reset();
    if (greatest && high)
      *greatest += *high;
    else
      greatest.reset();
  }
  return {std::move(least), std::move(greatest)};
}

bool ProductRegion::simple(const Block& block) {
  constexpr std::size_t most_dimensions = 6, most_vertices = 64;
  return block.coordinates().size() <= most_dimensions &&
         block.body.generator_count() <= most_vertices;
}

bool ProductRegion::simple() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const auto& block) { return simple(*block); });
}

ProductRegion ProductRegion::simplified() const {
  if (simple()) return *this;
  ProductRegion result(0);
  for (const auto& block : blocks_) {
    if (simple(*block)) {
      result.blocks_.push_back(block);
      continue;
    }
    for (const Variable coordinate : block->coordinates()) {
      const Interval side = *range(LinearForm(Polynomial::variable(coordinate)));
      const auto end = [](const Rational& at) {
        return Integers(std::vector<Integer>{-at.get_num(), at.get_den()});
      };
      result.blocks_.push_back(
          make_block({coordinate}, Polyhedron(1).above(end(side.lower)).below(end(side.upper))));
    }
  }
  result.index_coordinates();
  return result;
}

std::optional<Interval> ProductRegion::range(const LinearForm& form) const {
  if (form.is_constant()) return Interval(form.constant);
  LinearForm primitive = form;
  primitive.make_primitive();
  const auto [least, greatest] = ends(primitive);
  if (!least || !greatest) return std::nullopt;
  const Rational scale = form.coefficients[0].second / primitive.coefficients[0].second;
  return Interval(*least * scale, *greatest * scale);
}

/// With these blocks merged into one, which becomes the last.
ProductRegion ProductRegion::merged(const std::vector<std::uint32_t>& blocks) const {
  std::size_t count = 1;
  for (const std::uint32_t block : blocks) {
    count *= blocks_[block]->body.generator_count();
    if (count > max_generators)
      throw TooManyVertices("a region has more than " + std::to_string(max_generators) +
                            " vertices");
  }
  std::vector<Variable> coordinates = blocks_[blocks[0]]->coordinates();
  Polyhedron body = blocks_[blocks[0]]->body;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    const Block& next = *blocks_[blocks[i]];
    body = Polyhedron::product(body, next.body);
    coordinates.insert(coordinates.end(), next.coordinates().begin(), next.coordinates().end());
  }
  std::vector<std::size_t> order(coordinates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return coordinates[a] < coordinates[b]; });
  body = body.permuted(order);
  std::sort(coordinates.begin(), coordinates.end());

  ProductRegion result(0);
  for (std::uint32_t block = 0; block < blocks_.size(); ++block)
    if (!std::binary_search(blocks.begin(), blocks.end(), block))
      result.blocks_.push_back(blocks_[block]);
  result.blocks_.push_back(make_block(std::move(coordinates), std::move(body)));
  result.index_coordinates();
  return result;
}

void ProductRegion::index_coordinates() {
  std::size_t dimension = 0;
  for (const auto& block : blocks_) dimension += block->coordinates().size();
  std::vector<Position> positions(dimension);
  for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
    const std::vector<Variable>& coordinates = blocks_[block]->coordinates();
    for (std::uint32_t index = 0; index < coordinates.size(); ++index)
      positions[coordinates[index]] = {block, index};
  }
  positions_ = std::make_shared<const std::vector<Position>>(std::move(positions));
}

std::vector<std::vector<Variable>> ProductRegion::coordinates() const {
  std::vector<std::vector<Variable>> result;
  for (const auto& block : blocks_) result.push_back(block->coordinates());
  return result;
}

ProductRegion ProductRegion::restricted(const std::vector<Variable>& coordinates) const {
  ProductRegion result(0);
  for (const auto& block : blocks_) {
    std::vector<Variable> renumbered = block->coordinates();
    bool inside = true;
    for (Variable& coordinate : renumbered) {
      const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), coordinate);
      inside = inside && found != coordinates.end() && *found == coordinate;
      coordinate = static_cast<Variable>(found - coordinates.begin());
    }
    if (inside) result.blocks_.push_back(make_block(std::move(renumbered), block->body));
  }
  result.index_coordinates();
  assert(result.dimension() == coordinates.size());
  return result;
}

ProductRegion ProductRegion::with(std::uint32_t block, Polyhedron body) const {
  if (body.generator_count() > max_generators)
    throw TooManyVertices("a region has more than " + std::to_string(max_generators) + " vertices");
  ProductRegion result = *this;
  result.blocks_[block] =
      std::make_shared<const Block>(Block{blocks_[block]->shared_coordinates, std::move(body)});
  return result;
}

std::pair<ProductRegion, ProductRegion> ProductRegion::cut(const LinearForm& form) const {
  const auto block = only_block(form);
  if (!block) return merged(touched(form)).cut(form);
  auto [above, below] = blocks_[*block]->body.cut(row(form, *block, form.constant));
  return {with(*block, std::move(below)), with(*block, std::move(above))};
}

ProductRegion ProductRegion::below(const LinearForm& form) const {
  const auto block = only_block(form);
  if (!block) return merged(touched(form)).below(form);
  return with(*block, blocks_[*block]->body.below(row(form, *block, form.constant)));
}

ProductRegion ProductRegion::above(const LinearForm& form) const {
  const auto block = only_block(form);
  if (!block) return merged(touched(form)).above(form);
  return with(*block, blocks_[*block]->body.above(row(form, *block, form.constant)));
}

bool ProductRegion::bounded() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const auto& block) { return block->body.bounded(); });
}

Region ProductRegion::region() const {
  if (bounded()) {
    Region result;
    result.factors.reserve(blocks_.size());
    for (const auto& block : blocks_)
      result.factors.push_back({block->coordinates(), block->body.polytope()});
    return result;
  }
  std::vector<Point> directions;
  for (const auto& block : blocks_)
    for (const Point& local : block->body.directions()) {
      directions.emplace_back(dimension());
      for (std::size_t i = 0; i < local.size(); ++i)
        directions.back()[block->coordinates()[i]] = local[i];
    }
  throw Unbounded(plainest(directions));
}

std::vector<Halfspace> ProductRegion::halfspaces() const {
  std::vector<Halfspace> result;
  for (const auto& block : blocks_)
    for (const Halfspace& local : block->body.halfspaces()) {
      result.push_back({std::vector<Rational>(dimension()), local.bound});
      for (std::size_t i = 0; i < local.normal.size(); ++i)
        result.back().normal[block->coordinates()[i]] = local.normal[i];
    }
  return result;
}

}  // namespace wmi
