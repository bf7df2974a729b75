#include "solver/numeric/piecewise.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "solver/terms/accumulator.h"

namespace wmi {

Piecewise::Piecewise(std::vector<Piece> pieces) {
  pieces_.reserve(pieces.size());
  for (Piece& piece : pieces) {
    assert(piece.from < piece.to);
    if (piece.value.zero()) continue;
    if (!pieces_.empty() && pieces_.back().to == piece.from && pieces_.back().value == piece.value)
      pieces_.back().to = piece.to;
    else
      pieces_.push_back(std::move(piece));
  }
}

std::pair<Rational, Rational> Piecewise::limits(const Rational& at) const {
  std::pair<Rational, Rational> result;
  // The first piece that ends at or after this place, and the one after it.
  const auto found = std::ranges::lower_bound(pieces_, at, {}, &Piece::to);
  if (found != pieces_.end() && found->from < at) result.first = found->value.at(at);
  const auto next = found != pieces_.end() && found->to == at ? found + 1 : found;
  if (next != pieces_.end() && next->from <= at) result.second = next->value.at(at);
  return result;
}

namespace {

/// Calls `visit` with the overlaps of pieces, in ascending order.
void for_overlaps(
    const Piecewise& a, const Piecewise& b,
    const std::function<void(const Rational& from, const Rational& to, const DensePolynomial& of_a,
                             const DensePolynomial& of_b)>& visit) {
  for (auto p = a.pieces().begin(), q = b.pieces().begin();
       p != a.pieces().end() && q != b.pieces().end();) {
    const Rational& from = std::max(p->from, q->from);
    const Rational& to = std::min(p->to, q->to);
    if (from < to) visit(from, to, p->value, q->value);
    if (p->to < q->to)
      ++p;
    else
      ++q;
  }
}

}  // namespace

Piecewise operator*(const Piecewise& a, const Piecewise& b) {
  std::vector<Piecewise::Piece> result;
  result.reserve(a.pieces_.size() + b.pieces_.size());
  for_overlaps(a, b,
               [&](const Rational& from, const Rational& to, const DensePolynomial& of_a,
                   const DensePolynomial& of_b) {
                 result.push_back({from, to, of_a * of_b});
               });
  return Piecewise(std::move(result));
}

Rational integral_of_product(const Piecewise& a, const Piecewise& b) {
  Accumulator sum;
  for_overlaps(a, b,
               [&](const Rational& from, const Rational& to, const DensePolynomial& of_a,
                   const DensePolynomial& of_b) {
                 sum.add(Interval(integral_of_product(of_a, of_b, from, to)));
               });
  return sum.total().lower;
}

Piecewise operator*(Piecewise function, const Rational& factor) {
  if (factor == 0) return {};
  const DensePolynomial constant(factor);
  for (Piecewise::Piece& piece : function.pieces_) piece.value = piece.value * constant;
  return function;
}

PiecewiseOnLine::PiecewiseOnLine(DensePolynomial everywhere) {
  pieces_.push_back(std::move(everywhere));
}

PiecewiseOnLine::PiecewiseOnLine(const Piecewise& function, const DensePolynomial& factor) {
  Rational so_far;
  pieces_.reserve(2 * function.pieces().size() + 2);
  knots_.reserve(2 * function.pieces().size() + 1);
  pieces_.emplace_back();
  for (const Piecewise::Piece& piece : function.pieces()) {
    if (!knots_.empty() && knots_.back() < piece.from) {
      pieces_.emplace_back(so_far);
      knots_.push_back(piece.from);
    } else if (knots_.empty()) {
      knots_.push_back(piece.from);
    }
    DensePolynomial primitive = (piece.value * factor).antiderivative();
    primitive += DensePolynomial(Rational(so_far - primitive.at(piece.from)));
    so_far = primitive.at(piece.to);
    pieces_.push_back(std::move(primitive));
    knots_.push_back(piece.to);
  }
  if (!knots_.empty()) pieces_.emplace_back(so_far);
}

std::size_t PiecewiseOnLine::piece_from(const Rational& at) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(knots_, at) - knots_.begin());
}

void PiecewiseSum::add(const Rational& from, const Rational& to, const DensePolynomial& value) {
  if (value.zero()) return;
  jumps_.push_back({from, value});
  DensePolynomial negative;
  negative -= value;
  jumps_.push_back({to, std::move(negative)});
}

void PiecewiseSum::subtract(const Rational& from, const Rational& to,
                            const DensePolynomial& value) {
  if (!value.zero()) add(to, from, value);
}

void PiecewiseSum::add(const Rational& from, const Rational& to, const PiecewiseOnLine& function,
                       const Rational& factor, const Rational& constant, std::size_t power,
                       bool negative) {
  const auto add_piece = [&](const Rational& a, const Rational& b, std::size_t number) {
    const DensePolynomial value = function.piece(number).composed(factor, constant).shifted(power);
    if (negative)
      subtract(a, b, value);
    else
      add(a, b, value);
  };
  if (factor == 0) {
    const DensePolynomial& piece = function.piece(function.piece_from(constant));
    const DensePolynomial value = DensePolynomial(piece.at(constant)).shifted(power);
    return negative ? subtract(from, to, value) : add(from, to, value);
  }
  // The knots in the range of factor * x + constant, in the order of x.
  const std::vector<Rational>& knots = function.knots();
  const bool rising = factor > 0;
  const Rational low = factor * (rising ? from : to) + constant;
  const Rational high = factor * (rising ? to : from) + constant;
  const std::size_t first = function.piece_from(low);
  const auto last = static_cast<std::size_t>(std::ranges::lower_bound(knots, high) - knots.begin());
  Rational place = from;
  for (std::size_t i = 0; i < last - first; ++i) {
    const std::size_t knot = rising ? first + i : last - 1 - i;
    Rational next = (knots[knot] - constant) / factor;
    add_piece(place, next, rising ? knot : knot + 1);
    place = std::move(next);
  }
  add_piece(place, to, rising ? last : first);
}

Piecewise PiecewiseSum::total() {
  std::vector<std::size_t> order(jumps_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {},
                           [this](std::size_t i) -> const Rational& { return jumps_[i].at; });
  std::vector<Piecewise::Piece> pieces;
  pieces.reserve(order.size());
  DensePolynomial value;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Jump& jump = jumps_[order[i]];
    if (i > 0 && !value.zero() && jumps_[order[i - 1]].at < jump.at)
      pieces.push_back({jumps_[order[i - 1]].at, jump.at, value});
    value += jump.by;
  }
  assert(value.zero());
  jumps_.clear();
  return Piecewise(std::move(pieces));
}

}  // namespace wmi
