// A cell is a product of blocks. The rows with coordinates of one block only define that block: the
// hull of its vertices is checked to be their region. A row with coordinates of several blocks only
// has to hold on the product, so that it cuts off nothing. Then the cell is the region of all rows.
//
// Integrands are integrated block by block; the result for one block is a polynomial in the reals
// of the others.

#include "frontends/check/cell.h"

#include <algorithm>

namespace wmi::check {

constexpr std::size_t nowhere = ~std::size_t{0};
constexpr std::size_t most_vertices = 1 << 16, most_coordinates = 256;  // of a block

Cell::Cell(Bytes& in, std::size_t variables, Set reals, const std::vector<const LinearForm*>& rows)
    : block_of_(variables, nowhere), column_of_(variables) {
  blocks_.resize(in.count(size(reals)));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    auto& [coordinates, points, on, faces] = blocks_[b];
    coordinates = members(in.share(reals));
    if (coordinates.empty() || coordinates.size() > most_coordinates)
      throw Rejected("a block has no coordinates, or too many");
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      block_of_[coordinates[i]] = b;
      column_of_[coordinates[i]] = i + 1;
    }
    for (std::size_t count = in.count(most_vertices); count > 0; --count) {
      Point& point = points.emplace_back(Point{in.natural()});
      if (point[0] == 0) throw Rejected("a vertex has the denominator 0");
      while (point.size() <= coordinates.size()) point.push_back(in.integer());
    }
    if (points.empty()) throw Rejected("a block has no vertices");
  }
  if (reals != 0) throw Rejected("the blocks of a cell do not share out its reals");

  for (const LinearForm* const row : rows) {
    const std::set<std::size_t> blocks = touched(*row);
    Block& block = blocks_[*blocks.begin()];
    const auto [below, on, above] = blocks.size() == 1 ? signs(*row, block) : std::array<Set, 3>();
    if (above != 0 || (blocks.size() > 1 && side(*row) != -1))
      throw Rejected("a vertex is not in the region of its path");
    if (blocks.size() == 1) block.rows.push_back(on);
  }
  for (Block& block : blocks_)
    block.faces.emplace(block.coordinates.size(), block.points.size(), block.rows);
}

/// The blocks of the form's coordinates; `nowhere` for other reals.
std::set<std::size_t> Cell::touched(const LinearForm& form) const {
  std::set<std::size_t> result;
  for (const auto& [variable, coefficient] : form.coefficients) result.insert(block_of_[variable]);
  return result;
}

/// The value of a form with integer coefficients in one block, times the point's denominator.
void Cell::evaluate(Integer& result, const LinearForm& form, const Point& point) const {
  result = form.constant.get_num() * point[0];
  for (const auto& [variable, coefficient] : form.coefficients)
    mpz_addmul(result.get_mpz_t(), coefficient.get_num_mpz_t(),
               point[column_of_[variable]].get_mpz_t());
}

/// The points where such a form is < 0, = 0 and > 0; incomplete if it has both signs.
std::array<Set, 3> Cell::signs(const LinearForm& form, const Block& block) const {
  std::array<Set, 3> result;
  Integer value;
  for (std::size_t i = 0; i < block.points.size() && (result[0] == 0 || result[2] == 0); ++i) {
    evaluate(value, form, block.points[i]);
    mpz_setbit(result[value < 0 ? 0u : value == 0 ? 1u : 2u].get_mpz_t(), i);
  }
  return result;
}

std::optional<Interval> Cell::range(const LinearForm& form) const {
  Interval result(form.constant);
  for (const std::size_t block : touched(form)) {
    if (block == nowhere) return std::nullopt;
    std::optional<Interval> own;
    for (const Point& point : blocks_[block].points) {
      Rational value;
      for (const auto& [variable, coefficient] : form.coefficients)
        if (block_of_[variable] == block) value += coefficient * point[column_of_[variable]];
      value /= point[0];
      own = own ? hull(*own, value) : Interval(value);
    }
    result += *own;
  }
  return result;
}

int Cell::side(const LinearForm& form) const {
  const std::set<std::size_t> blocks = touched(form);
  if (blocks.size() == 1 && !blocks.contains(nowhere)) {
    const auto [below, on, above] = signs(form, blocks_[*blocks.begin()]);
    return above == 0 ? -1 : below == 0 ? 1 : 0;
  }
  const std::optional<Interval> values = range(form);
  return !values ? 0 : values->upper <= 0 ? -1 : values->lower >= 0 ? 1 : 0;
}

Polynomial Cell::in_axes(const LinearForm& term) {
  Polynomial result(term.constant);
  for (const std::size_t block : touched(term)) {
    LinearForm axis;
    for (const auto& entry : term.coefficients)
      if (block_of_[entry.first] == block) axis.coefficients.push_back(entry);
    const Rational first = axis.coefficients[0].second;
    axis.make_primitive();
    const auto name = static_cast<Variable>(block_of_.size());
    result += Polynomial::variable(name) *= first / axis.coefficients[0].second;
    block_of_.push_back(block);
    column_of_.push_back(blocks_[block].points[0].size());
    for (Point& point : blocks_[block].points) {
      Integer value;
      evaluate(value, axis, point);
      point.push_back(std::move(value));
    }
  }
  return result;
}

/// A form in several blocks with one side is 0 only on a face of too low a dimension.
std::vector<Rational> Cell::integrals(std::vector<Polynomial> integrands, const LinearForm* form) {
  const std::set<std::size_t> sliced = form != nullptr ? touched(*form) : std::set<std::size_t>{};
  Rational measure = sliced.size() > 1 ? 0 : 1;
  for (std::size_t b = 0; b < blocks_.size() && measure != 0 && !integrands.empty(); ++b) {
    auto& [coordinates, points, rows, faces] = blocks_[b];
    Faces::Face* face = &faces->whole();
    if (sliced.contains(b)) {
      const std::vector<Faces::Face*>& facets = faces->facets(*face);
      const auto facet =
          std::ranges::find(facets, signs(*form, blocks_[b])[1], &Faces::Face::first);
      if (facet == facets.end()) return std::vector<Rational>(integrands.size());
      face = *facet;
    }
    const auto part = [&](const Monomial& monomial, bool own) {
      Monomial result;
      for (const Power& power : monomial)
        if ((block_of_[power.variable] == b) == own) result.push_back(power);
      return result;
    };
    std::map<Monomial, Rational> moments{{{}, 0}};
    for (const Polynomial& integrand : integrands)
      for (const Polynomial::Term& term : integrand.terms()) moments[part(term.monomial, true)];
    const std::vector<std::size_t> columns = integrate(*faces, *face, points, column_of_, moments);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      if (std::ranges::count(columns, i + 1) == 0)
        measure /= abs(form->coefficient(static_cast<Variable>(coordinates[i])));
    for (Polynomial& integrand : integrands) {
      std::vector<Polynomial::Term> left = integrand.terms();
      for (auto& [monomial, coefficient] : left) {
        coefficient *= moments.at(part(monomial, true));
        monomial = part(monomial, false);
      }
      integrand = Polynomial(std::move(left));
    }
  }
  std::vector<Rational> result;
  for (const Polynomial& integrand : integrands) {
    if (measure != 0 && !integrand.constant())
      throw Rejected("an integrand has reals that are no coordinates");
    result.emplace_back(measure * integrand.constant_term());
  }
  return result;
}

}  // namespace wmi::check
