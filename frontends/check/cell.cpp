#include "frontends/check/cell.h"

#include <algorithm>

#include "frontends/check/factored.h"

namespace wmi::check {
namespace {

constexpr std::size_t most_vertices = 1 << 20, most_coordinates = 256;  // of a block

}  // namespace

Cell::Cell(Bytes& in, const std::vector<bool>& reals, const std::vector<const LinearForm*>& rows)
    : block_of_(reals.size(), nowhere), column_of_(reals.size()) {
  const char* const unshared = "the blocks of a cell do not share out its reals";
  auto left = static_cast<std::size_t>(std::ranges::count(reals, true));
  blocks_.resize(in.count(left));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    std::vector<Variable>& own = blocks_[b].coordinates;
    own.resize(in.count(std::min(left, most_coordinates)));
    if (own.empty()) throw Rejected("a block has no coordinates");
    left -= own.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = static_cast<Variable>(in.count(reals.size() - 1));
      if (!reals[own[i]] || block_of_[own[i]] != nowhere) throw Rejected(unshared);
      if (i > 0 && own[i] < own[i - 1])
        throw Rejected("the coordinates of a block are not in order");
      block_of_[own[i]] = b;
      column_of_[own[i]] = i + 1;
    }
    for (std::size_t count = in.count(most_vertices); count > 0; --count) {
      Point& point = blocks_[b].points.emplace_back(Point{in.natural()});
      if (point[0] == 0) throw Rejected("a vertex has the denominator 0");
      while (point.size() <= own.size()) point.push_back(in.integer());
    }
    if (blocks_[b].points.empty()) throw Rejected("a block has no vertices");
  }
  if (left > 0) throw Rejected(unshared);

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

std::size_t Cell::faces() const {
  std::size_t result = 0;
  for (const Block& block : blocks_) result += block.faces->count();
  return result;
}

/// The blocks that the form has coordinates of; `nowhere` if it has other reals.
std::set<std::size_t> Cell::touched(const LinearForm& form) const {
  std::set<std::size_t> result;
  for (const auto& [variable, coefficient] : form.coefficients) result.insert(block_of_[variable]);
  return result;
}

/// Times the denominator of the point, of a form with integer coefficients in one block.
void Cell::evaluate(Integer& result, const LinearForm& form, const Point& point) const {
  result = form.constant.get_num() * point[0];
  for (const auto& [variable, coefficient] : form.coefficients)
    mpz_addmul(result.get_mpz_t(), coefficient.get_num_mpz_t(),
               point[column_of_[variable]].get_mpz_t());
}

/// The points where such a form is below 0, 0, and above; not all if it is both.
std::array<Set, 3> Cell::signs(const LinearForm& form, const Block& block) const {
  std::array<Set, 3> result;
  Integer value;
  for (std::size_t i = 0; i < block.points.size() && (result[0] == 0 || result[2] == 0); ++i) {
    evaluate(value, form, block.points[i]);
    mpz_setbit(result.at(static_cast<std::size_t>(1 + sgn(value))).get_mpz_t(), i);
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
    LinearForm& axis = axes_.emplace_back();
    for (const auto& entry : term.coefficients)
      if (block_of_[entry.first] == block) axis.coefficients.push_back(entry);
    const Rational first = axis.coefficients[0].second;
    axis.make_primitive();
    const auto name = static_cast<Variable>(block_of_.size());
    result += Polynomial::variable(name) *= first / axis.coefficients[0].second;
    block_of_.push_back(block);
  }
  return result;
}

/// A form of several blocks that has one side is 0 on a face of too few dimensions.
std::vector<Interval> Cell::integrals(std::span<const Polynomial> integrands,
                                      const LinearForm* form) {
  const std::set<std::size_t> sliced = form != nullptr ? touched(*form) : std::set<std::size_t>{};
  if (sliced.size() > 1) return std::vector<Interval>(integrands.size());
  const Factored factored(integrands, block_of_, blocks_.size());
  std::vector<std::vector<Interval>> integrals;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::vector<Monomial>& monomials = factored.monomials[b];
    if (monomials.empty()) return std::vector<Interval>(integrands.size());
    auto& [coordinates, points, rows, faces] = blocks_[b];
    Faces::Face* face = &faces->whole();
    if (sliced.contains(b)) {
      const std::vector<Faces::Face*>& facets = faces->facets(*face);
      const auto facet =
          std::ranges::find(facets, signs(*form, blocks_[b])[1], &Faces::Face::first);
      if (facet == facets.end()) return std::vector<Interval>(integrands.size());
      face = *facet;
    }
    std::map<Variable, std::vector<Integer>> axes;
    for (const Monomial& monomial : monomials)
      for (const Power& power : monomial) {
        std::vector<Integer>& values = axes[power.variable];
        if (!values.empty()) continue;
        const LinearForm axis = power.variable < column_of_.size()
                                    ? LinearForm(Polynomial::variable(power.variable))
                                    : axes_[power.variable - column_of_.size()];
        for (const Point& point : points) evaluate(values.emplace_back(), axis, point);
      }
    const auto [values, columns] = check::integrals(*faces, *face, points, monomials, axes);
    integrals.emplace_back(values.begin(), values.end());
    for (std::size_t i = 0; sliced.contains(b) && i < coordinates.size(); ++i)
      if (std::ranges::count(columns, i + 1) == 0)
        for (Interval& value : integrals.back())
          value = value / Interval(abs(form->coefficient(coordinates[i])));
  }
  return factored.sums(integrals);
}

}  // namespace wmi::check
