#include "frontends/check/cell.h"

#include <algorithm>
#include <map>

#include "frontends/check/integral.h"

namespace wmi::check {
namespace {

constexpr std::size_t most_vertices = 1 << 20, most_coordinates = 256;  // of a block
constexpr std::size_t nowhere = ~std::size_t{0};

/// The least number that makes integers of its coefficients and its constant.
Integer denominator(const LinearForm& form) {
  Integer result = form.constant.get_den();
  for (const auto& [variable, coefficient] : form.coefficients)
    result = lcm(result, coefficient.get_den());
  return result;
}

/// What the monomials of a block are powers of: forms in its coordinates, under new names.
using Axes = std::map<Variable, Vector>;

Exponents restricted(const Monomial& monomial, const Axes& axes) {
  Exponents result;
  for (const auto& [variable, row] : axes) {
    const auto power = std::ranges::find(monomial, variable, &Power::variable);
    result.push_back(power == monomial.end() ? 0 : power->exponent);
  }
  return result;
}

}  // namespace

Cell::Cell(Bytes& in, const std::vector<bool>& coordinates)
    : block_of_(coordinates.size(), nowhere) {
  auto left = static_cast<std::size_t>(std::ranges::count(coordinates, true));
  for (std::size_t blocks = in.count(left); blocks > 0; --blocks) {
    const std::size_t dimension = in.count(std::min(left, most_coordinates));
    if (dimension == 0) throw Rejected("a block has no coordinates");
    left -= dimension;
    std::vector<Variable> own;
    while (own.size() < dimension) {
      const auto next = static_cast<Variable>(in.count(coordinates.size() - 1));
      if (!coordinates[next] || block_of_[next] != nowhere)
        throw Rejected("the blocks of a cell do not share out its reals");
      if (!own.empty() && next < own.back())
        throw Rejected("the coordinates of a block are not in order");
      block_of_[next] = blocks_.size();
      own.push_back(next);
    }
    std::vector<Vector> vertices;
    for (std::size_t count = in.count(most_vertices); count > 0; --count) {
      std::vector<Integer> entries{in.natural()};
      if (entries[0] == 0) throw Rejected("a vertex has the denominator 0");
      while (entries.size() <= dimension) entries.push_back(in.integer());
      vertices.emplace_back(std::move(entries));
    }
    if (vertices.empty()) throw Rejected("a block has no vertices");
    blocks_.push_back({std::move(own), Polytope(std::move(vertices))});
  }
  if (left > 0) throw Rejected("the blocks of a cell do not share out its reals");
}

std::size_t Cell::faces() const {
  std::size_t result = 0;
  for (const Block& block : blocks_) result += block.body.faces();
  return result;
}

/// The blocks that the form has coordinates of; `nowhere` if it has other reals.
std::set<std::size_t> Cell::touched(const LinearForm& form) const {
  std::set<std::size_t> result;
  for (const auto& [variable, coefficient] : form.coefficients) result.insert(block_of_[variable]);
  return result;
}

/// Times its denominator, without the coordinates of other blocks.
Vector Cell::row(const LinearForm& form, std::size_t block) const {
  const std::vector<Variable>& own = blocks_[block].coordinates;
  const Integer scale = denominator(form);
  const auto scaled = [&](const Rational& number) {
    return Integer(number.get_num() * (scale / number.get_den()));
  };
  std::vector<Integer> result(own.size() + 1);
  result[0] = scaled(form.constant);
  for (const auto& [variable, coefficient] : form.coefficients)
    if (block_of_[variable] == block)
      result[static_cast<std::size_t>(std::ranges::lower_bound(own, variable) - own.begin()) + 1] =
          scaled(coefficient);
  return Vector(std::move(result));
}

std::optional<Interval> Cell::range(const LinearForm& form) const {
  const std::set<std::size_t> blocks = touched(form);
  if (blocks.contains(nowhere)) return std::nullopt;
  LinearForm linear = form;
  linear.constant = 0;
  Interval result(form.constant);
  for (const std::size_t block : blocks) {
    const Vector row = this->row(linear, block);
    std::optional<Interval> own;
    for (const Vector& vertex : blocks_[block].body.points()) {
      const Rational value = ratio(product(row, vertex), vertex[0] * denominator(linear));
      own = own ? hull(*own, value) : Interval(value);
    }
    result += *own;
  }
  return result;
}

int Cell::side(const LinearForm& form) const {
  const std::set<std::size_t> blocks = touched(form);
  bool above = false, below = false;
  if (blocks.size() == 1 && !blocks.contains(nowhere)) {
    const Vector row = this->row(form, *blocks.begin());
    for (const Vector& vertex : blocks_[*blocks.begin()].body.points()) {
      const int sign = sign_of_product(row, vertex);
      above |= sign > 0;
      below |= sign < 0;
      if (above && below) return 0;
    }
    return above ? 1 : -1;
  }
  const std::optional<Interval> values = range(form);
  return !values ? 0 : values->upper <= 0 ? -1 : values->lower >= 0 ? 1 : 0;
}

void Cell::check(std::span<const LinearForm> rows) {
  std::vector<std::vector<Vector>> of_blocks(blocks_.size());
  for (const LinearForm& form : rows) {
    const std::set<std::size_t> blocks = touched(form);
    if (blocks.size() == 1)
      of_blocks[*blocks.begin()].push_back(row(form, *blocks.begin()));
    else if (side(form) != -1)
      throw Rejected("the cell is not within a halfspace of its path");
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].body.check(of_blocks[i]);
}

/// The axes are the coordinates that weights have, and for each term its values on the blocks,
/// which add up to it. A form of several blocks that has one side is 0 on a face of too few
/// dimensions.
std::vector<Rational> Cell::integrals(std::span<const Integrand> integrands,
                                      const LinearForm* form) {
  std::vector<Rational> result(integrands.size());
  const std::set<std::size_t> sliced = form != nullptr ? touched(*form) : std::set<std::size_t>{};
  if (sliced.size() > 1) return result;

  std::vector<Axes> axes(blocks_.size());
  const auto add_axis = [&](Variable name, const LinearForm& linear, std::size_t block) {
    if (block == nowhere) throw Rejected("an integrand has reals that are no coordinates");
    axes[block].emplace(name, row(linear, block));
    return Polynomial::variable(name);
  };
  auto next = static_cast<Variable>(block_of_.size());
  std::vector<Polynomial> terms, polynomials;  // in the axes
  for (const auto& [weight, term, order] : integrands) {
    for (const Variable variable : weight.variables())
      add_axis(variable, LinearForm(Polynomial::variable(variable)), block_of_[variable]);
    const auto same = std::ranges::find(integrands, term, &Integrand::term) - integrands.begin();
    if (static_cast<std::size_t>(same) < terms.size()) {
      terms.push_back(terms[static_cast<std::size_t>(same)]);
    } else {
      LinearForm linear = term;
      linear.constant = 0;
      Polynomial& sum = terms.emplace_back();
      for (const std::size_t block : touched(linear)) sum += add_axis(next++, linear, block);
      sum *= ratio(1, denominator(linear));
      sum += term.constant;
    }
    polynomials.push_back(weight * power(terms.back(), order));
  }

  std::vector<std::map<Exponents, Rational>> moments;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    std::set<Exponents> needed;
    for (const Polynomial& polynomial : polynomials)
      for (const Polynomial::Term& term : polynomial.terms())
        needed.insert(restricted(term.monomial, axes[b]));
    if (needed.empty()) return result;
    std::vector<Vector> rows;
    for (const auto& [name, axis] : axes[b]) rows.push_back(axis);
    const std::optional<Vector> cut =
        sliced.contains(b) ? std::optional(row(*form, b)) : std::nullopt;
    moments.push_back(check::integrals(blocks_[b].body, needed, rows, cut ? &*cut : nullptr));
  }
  const Rational scale = form != nullptr ? denominator(*form) : Integer(1);  // of its row
  for (std::size_t i = 0; i < integrands.size(); ++i)
    for (const Polynomial::Term& term : polynomials[i].terms()) {
      Rational product = scale * term.coefficient;
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        product *= moments[b].at(restricted(term.monomial, axes[b]));
      result[i] += product;
    }
  return result;
}

}  // namespace wmi::check
