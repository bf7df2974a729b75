#include "frontends/check/cell.h"

#include <algorithm>

namespace wmi::check {
namespace {

constexpr std::size_t most_vertices = 1 << 20, most_coordinates = 256;  // of a block
constexpr std::uint32_t nowhere = ~0U;

}  // namespace

Cell::Cell(Bytes& in, const std::vector<bool>& coordinates)
    : block_of_(coordinates.size(), nowhere) {
  const auto dimensions =
      static_cast<std::size_t>(std::count(coordinates.begin(), coordinates.end(), true));
  std::size_t placed = 0;
  const std::size_t blocks = in.count(dimensions);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t dimension = in.count(std::min(dimensions, most_coordinates));
    if (dimension == 0) throw Rejected("a block has no coordinates");
    std::vector<Variable> own;
    for (std::size_t i = 0; i < dimension; ++i) {
      own.push_back(static_cast<Variable>(in.count(coordinates.size() - 1)));
      if (!coordinates[own[i]] || block_of_[own[i]] != nowhere)
        throw Rejected("the blocks of a cell do not share out its reals");
      if (i > 0 && own[i] < own[i - 1])
        throw Rejected("the coordinates of a block are not in order");
      block_of_[own[i]] = static_cast<std::uint32_t>(b);
    }
    placed += dimension;
    std::vector<Vector> vertices;
    const std::size_t count = in.count(most_vertices);
    if (count == 0) throw Rejected("a block has no vertices");
    for (std::size_t v = 0; v < count; ++v) {
      std::vector<Integer> entries{in.natural()};
      if (entries[0] == 0) throw Rejected("a vertex has the denominator 0");
      for (std::size_t j = 0; j < dimension; ++j) entries.push_back(in.integer());
      vertices.emplace_back(std::move(entries));
    }
    blocks_.push_back({std::move(own), Polytope(std::move(vertices))});
  }
  if (placed != dimensions) throw Rejected("the blocks of a cell do not share out its reals");
}

std::size_t Cell::faces() const {
  std::size_t result = 0;
  for (const Block& block : blocks_) result += block.body.faces();
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

std::optional<Interval> Cell::range(const LinearForm& form) const {
  Interval result(form.constant);
  for (const std::uint32_t number : touched(form)) {
    if (number == nowhere) return std::nullopt;
    const Block& block = blocks_[number];
    std::optional<Interval> own;
    for (const Vector& vertex : block.body.points()) {
      Rational value;
      for (const auto& [variable, coefficient] : form.coefficients)
        if (const std::size_t where = block.place(variable)) value += coefficient * vertex[where];
      value /= vertex[0];
      own = own ? hull(*own, value) : Interval(value);
    }
    result += *own;
  }
  return result;
}

int Cell::side(const LinearForm& form) const {
  const std::vector<std::uint32_t> blocks = touched(form);
  if (blocks.size() != 1 || blocks[0] == nowhere) {
    const std::optional<Interval> values = range(form);
    return !values ? 0 : values->upper <= 0 ? -1 : values->lower >= 0 ? 1 : 0;
  }
  bool above = false, below = false;
  const Vector row = blocks_[blocks[0]].row(form);
  for (const Vector& vertex : blocks_[blocks[0]].body.points()) {
    const int sign = sign_of_product(row, vertex);
    (sign > 0 ? above : below) |= sign != 0;
    if (above && below) return 0;
  }
  return above ? 1 : -1;
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
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].body.check(of_blocks[i]);
}

/// A form of several blocks that has one side is 0 on a face of too few dimensions.
std::vector<Rational> Cell::integrals(std::span<const Polynomial> integrands,
                                      const LinearForm* form) {
  std::vector<Rational> result(integrands.size());
  const std::vector<std::uint32_t> sliced =
      form != nullptr ? touched(*form) : std::vector<std::uint32_t>{};
  if (sliced.size() > 1) return result;
  std::vector<Monomials> monomials;
  std::vector<std::vector<Rational>> moments;
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    std::set<Exponents> needed;
    for (const Polynomial& integrand : integrands)
      for (const Polynomial::Term& term : integrand.terms())
        needed.insert(blocks_[b].restricted(term.monomial));
    monomials.emplace_back(blocks_[b].coordinates.size(), needed);
    const std::optional<Vector> row =
        sliced == std::vector{b} ? std::optional(blocks_[b].row(*form)) : std::nullopt;
    moments.push_back(blocks_[b].body.integrals(monomials[b], row ? &*row : nullptr));
  }
  Rational scale = 1;  // of the row against the form
  if (form != nullptr) {
    const auto& [variable, coefficient] = form->coefficients[0];
    const Block& block = blocks_[sliced[0]];
    scale = block.row(*form)[block.place(variable)] / coefficient;
  }
  for (std::size_t i = 0; i < integrands.size(); ++i)
    for (const Polynomial::Term& term : integrands[i].terms()) {
      Rational product = scale * term.coefficient;
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        product *= moments[b][monomials[b].place(blocks_[b].restricted(term.monomial))];
      result[i] += product;
    }
  return result;
}

}  // namespace wmi::check
