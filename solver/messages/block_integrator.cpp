#include "solver/messages/block_integrator.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "solver/answers/part_integrator.h"
#include "solver/laws/law.h"
#include "solver/terms/caps.h"

namespace wmi {
namespace {

std::size_t dimension(const Problem& problem) {
  return static_cast<std::size_t>(
      std::count(problem.integrated.begin(), problem.integrated.end(), true));
}

/// More parts of cells than this are left to the search without messages.
constexpr std::size_t most_parts = 200'000;

/// The coefficients of a polynomial in x and y, by the power of x: polynomials in y.
std::vector<DensePolynomial> coefficients(const Polynomial& polynomial, Variable x) {
  std::vector<DensePolynomial> result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    std::size_t of_x = 0, of_y = 0;
    for (const Power& power : term.monomial) (power.variable == x ? of_x : of_y) = power.exponent;
    if (result.size() <= of_x) result.resize(of_x + 1);
    result[of_x].set_coefficient(of_y, term.coefficient);
  }
  return result;
}

/// The antiderivatives of a factor times the coefficients of weights, each computed once.
class Antiderivatives {
 public:
  explicit Antiderivatives(const Piecewise* factor) : factor_(factor) {}

  const PiecewiseOnLine& of(const DensePolynomial& coefficient) {
    for (const auto& [known, primitive] : known_)
      if (known == coefficient) return *primitive;
    known_.emplace_back(coefficient,
                        std::make_unique<PiecewiseOnLine>(
                            factor_ == nullptr ? PiecewiseOnLine(coefficient.antiderivative())
                                               : PiecewiseOnLine(*factor_, coefficient)));
    return *known_.back().second;
  }

 private:
  const Piecewise* const factor_;
  std::vector<std::pair<DensePolynomial, std::unique_ptr<PiecewiseOnLine>>> known_;
};

/// Of a polytope in one dimension.
Interval ends(const Polytope& segment) {
  const std::vector<Point> vertices = segment.vertices();  // in any order
  const auto [lower, upper] = std::minmax(vertices[0][0], vertices[1][0]);
  return {lower, upper};
}

/// Adds the integral over y of weight * factor over a plane region, as a function of x.
void add_planar(const Region& region, const Polynomial& weight, Variable x,
                Antiderivatives& primitives, PiecewiseSum& sum) {
  const Variable y = 1 - x;
  const std::vector<DensePolynomial> by_power = coefficients(weight, x);
  const auto add = [&](const Rational& from, const Rational& to, const Rational& slope,
                       const Rational& constant, bool lower) {
    for (std::size_t power = 0; power < by_power.size(); ++power)
      if (!by_power[power].zero())
        sum.add(from, to, primitives.of(by_power[power]), slope, constant, power, lower);
    if (sum.size() > 4 * caps::knots) throw NoMessage("a message has too many pieces");
  };
  if (region.factors.size() == 2) {
    const std::size_t of_x = region.factors[0].coordinates[0] == x ? 0 : 1;
    const Interval range = ends(region.factors[of_x].polytope),
                   height = ends(region.factors[1 - of_x].polytope);
    add(range.lower, range.upper, 0, height.upper, false);
    add(range.lower, range.upper, 0, height.lower, true);
    return;
  }
  const Polytope& polygon = region.factors[0].polytope;
  const std::vector<Point> vertices = polygon.vertices();
  const std::vector<Halfspace> sides = polygon.halfspaces();
  const std::vector<std::vector<std::size_t>> edges = polygon.facets();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Rational& up = sides[i].normal[y];
    if (up == 0) continue;
    const auto [from, to] = std::minmax(vertices[edges[i][0]][x], vertices[edges[i][1]][x]);
    add(from, to, -sides[i].normal[x] / up, sides[i].bound / up, up < 0);
  }
}

Piecewise piecewise(TruncatedPowers powers) {
  const Law law(std::move(powers));
  if (!law.atoms().empty()) throw NoMessage("a message has a point mass");
  std::vector<Piecewise::Piece> pieces;
  for (const Piece& piece : law.pieces())
    pieces.push_back({piece.from, piece.to, DensePolynomial(piece.density)});
  return Piecewise(std::move(pieces));
}

/// The form coordinate - at, over coprime integers.
LinearForm excess(Variable coordinate, const Rational& at) {
  LinearForm result;
  result.coefficients = {{coordinate, Rational(1)}};
  result.constant = -at;
  result.make_primitive();
  return result;
}

struct FactorOn {
  Variable coordinate;
  const Piecewise* function;
};

/// Cuts a region where pieces of the functions meet.
void cut(ProductRegion region, const Polynomial& weight, std::span<const FactorOn> functions,
         const std::function<void(const ProductRegion&, const Polynomial&)>& add) {
  if (functions.empty()) return add(region, weight);
  const Variable coordinate = functions[0].coordinate;
  for (const Piecewise::Piece& piece : functions[0].function->pieces()) {
    const LinearForm from = excess(coordinate, piece.from), to = excess(coordinate, piece.to);
    const Sides at_start = region.sides(from);
    if (at_start == Sides::below) return;
    if (at_start == Sides::both) region = region.above(from);
    const Sides at_end = region.sides(to);
    if (at_end == Sides::above) continue;
    const Polynomial product = weight * piece.value.polynomial(coordinate);
    if (at_end == Sides::below) return cut(std::move(region), product, functions.subspan(1), add);
    auto [here, rest] = region.cut(to);
    cut(std::move(here), product, functions.subspan(1), add);
    region = std::move(rest);
  }
}

}  // namespace

BlockIntegrator::BlockIntegrator(const Enumerator& enumerator, std::stop_token stop)
    : enumerator_(enumerator),
      exact_enumerator_(make_exact_split()),
      integrator_(make_auto({})),
      stop_(std::move(stop)),
      evaluation_(*integrator_, enumerate_parts(enumerator_, stop_)) {}

/// Asking for a law keeps cells plain: their weights are written out, and exact.
std::unique_ptr<Cells> BlockIntegrator::cells(const BlockProblem& block,
                                              const Polynomial& term) const {
  const Goal goal{truth, {{Polynomial(1), 0}}, {}, {{term, 0}}};
  return exact_enumerator_->start(block.problem, std::span(&goal, 1), stop_);
}

BlockIntegrator::Found<Rational> BlockIntegrator::integral(const BlockProblem& block) const {
  const auto reals = static_cast<Variable>(block.problem.integrated.size());
  std::optional<Variable> target;  // with the most pieces
  const auto length = [&](Variable real) {
    return block.factors[real] == nullptr ? 0 : 1 + block.factors[real]->pieces().size();
  };
  for (Variable real = 0; real < reals; ++real)
    if (block.problem.integrated[real] && length(real) > 0 &&
        (!target || length(real) > length(*target)))
      target = real;
  if (!target) {
    Part part{block.problem, {}};
    for (Variable real = 0; real < reals; ++real)
      if (block.problem.integrated[real])
        part.coordinates.push_back(static_cast<Variable>(part.coordinates.size()));
    const Polynomial one(1);
    const Evaluation::Result found =
        enumerate_parts(enumerator_, stop_)(part, std::span(&one, 1), evaluation_);
    return {found.integrals[0].lower, found.cells};
  }
  if (dimension(block.problem) <= 2) {
    BlockProblem others = block;
    others.factors[*target] = nullptr;
    const Found<Piecewise> found = density(others, *target);
    return {integral_of_product(found.value, *block.factors[*target]), found.cells};
  }
  Found<Rational> result{};
  each_part(block, Polynomial::variable(*target), [&](Cell cell) {
    std::get<PlainCell>(cell.kind).images.clear();
    const Evaluation::Result found = evaluation_(cell);
    result.value += found.integrals[0].lower;
    result.cells += found.cells;
  });
  return result;
}

BlockIntegrator::Found<Piecewise> BlockIntegrator::density(const BlockProblem& block,
                                                           Variable target) const {
  if (dimension(block.problem) <= 2) return planar_density(block, target);
  Found<TruncatedPowers> found = law(block, Polynomial::variable(target));
  return {piecewise(std::move(found.value)), found.cells};
}

/// In one or two dimensions.
BlockIntegrator::Found<Piecewise> BlockIntegrator::planar_density(const BlockProblem& block,
                                                                  Variable target) const {
  const Piecewise* factor = nullptr;  // of the other real
  for (const Piecewise* const other : block.factors)
    if (other != nullptr) factor = other;
  Antiderivatives primitives(factor);
  PiecewiseSum sum;
  std::size_t found = 0;
  const auto all = cells(block, Polynomial::variable(target));
  while (const std::optional<Cell> cell = all->next()) {
    if (std::holds_alternative<OpenCell>(cell->kind)) continue;
    const auto& plain = std::get<PlainCell>(cell->kind);
    const Region region = make_region(cell->variables.size(), plain.bounds);
    if (region.flat) continue;
    ++found;
    const Polynomial& weight = plain.images[0].weight;
    if (cell->variables.size() == 1) {
      const Interval range = ends(region.factors[0].polytope);
      DensePolynomial value;
      for (const Polynomial::Term& term : weight.terms())
        value.set_coefficient(degree(term.monomial), term.coefficient);
      sum.add(range.lower, range.upper, value);
    } else {
      add_planar(region, weight, cell->variables[0] == target ? 0 : 1, primitives, sum);
    }
  }
  return {sum.total(), found};
}

template <class Add>
void BlockIntegrator::each_part(const BlockProblem& block, const Polynomial& term, Add add) const {
  std::size_t parts = 0;
  const auto all = cells(block, term);
  while (const std::optional<Cell> cell = all->next()) {
    if (std::holds_alternative<OpenCell>(cell->kind)) continue;
    const auto& plain = std::get<PlainCell>(cell->kind);
    const Region region = make_region(cell->variables.size(), plain.bounds);
    if (region.flat) continue;
    std::vector<FactorOn> functions;
    for (Variable i = 0; i < cell->variables.size(); ++i)
      if (const Piecewise* const factor = block.factors[cell->variables[i]])
        functions.push_back({i, factor});
    const auto* const cuttable = std::get_if<ProductRegion>(&plain.bounds);
    if (cuttable == nullptr) throw NoMessage("a block has too many vertices");
    cut(*cuttable, plain.images[0].weight, functions,
        [&](const ProductRegion& part, const Polynomial& weight) {
          if (++parts > most_parts) throw NoMessage("messages cut a block into too many parts");
          if (stop_.stop_requested()) throw Stopped();
          add(Cell{cell->variables,
                   PlainCell{part, {{0, plain.images[0].form, weight}}},
                   {weight},
                   {{0}}});
        });
  }
}

BlockIntegrator::Found<TruncatedPowers> BlockIntegrator::law(const BlockProblem& block,
                                                             const Polynomial& term) const {
  Found<TruncatedPowers> result{};
  each_part(block, term, [&](Cell cell) {
    cell.integrands.clear();
    cell.sums.clear();
    Evaluation::Result found = evaluation_(cell);
    result.cells += found.cells;
    result.value.add(std::move(found.laws[0]));
  });
  result.value.settle();
  if (result.value.too_long()) throw NoMessage("a message has too many pieces");
  return result;
}

}  // namespace wmi
