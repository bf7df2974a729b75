#include "solver/laws/truncated_powers.h"

#include <algorithm>

#include "solver/terms/caps.h"
namespace wmi {

TruncatedPowers::TruncatedPowers(std::vector<Knot> knots) : knots_(std::move(knots)) { settle(); }

TruncatedPowers TruncatedPowers::too_long_measure() {
  TruncatedPowers result;
  result.give_up();
  return result;
}

void TruncatedPowers::append(Knot knot) {
  if (too_long_) return;
  if (knots_.size() >= 64 && knots_.size() >= 2 * settled_) settle();
  if (!too_long_) knots_.push_back(std::move(knot));
}

void TruncatedPowers::add(const Rational& at, std::size_t order, const Rational& coefficient) {
  if (coefficient == 0) return;
  std::vector<Rational> coefficients(order + 1);
  coefficients[order] = coefficient;
  append({at, std::move(coefficients)});
}

void TruncatedPowers::add(TruncatedPowers other) {
  if (other.too_long_) give_up();
  if (knots_.empty() && !too_long_) {
    *this = std::move(other);
    return;
  }
  for (Knot& knot : other.knots_) append(std::move(knot));
}

void TruncatedPowers::scale(const Rational& factor) {
  if (factor == 0) {
    knots_.clear();
    settled_ = 0;
  }
  for (Knot& knot : knots_)
    for (Rational& coefficient : knot.coefficients) coefficient *= factor;
}

/// Sorts indices, so that each knot is moved once, and compares doubles where they differ: rounding
/// towards zero preserves the order.
void TruncatedPowers::settle() {
  if (settled_ == knots_.size()) return;
  struct Entry {
    double rounded;
    std::size_t knot;
  };
  std::vector<Entry> order(knots_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = {knots_[i].at.get_d(), i};
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.rounded != b.rounded) return a.rounded < b.rounded;
    return knots_[a.knot].at < knots_[b.knot].at;
  };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(settled_);
  std::stable_sort(middle, order.end(), before);
  std::inplace_merge(order.begin(), middle, order.end(), before);
  std::vector<Knot> merged;
  merged.reserve(knots_.size());
  for (std::size_t i = 0; i < order.size();) {
    Knot& knot = knots_[order[i].knot];
    for (++i; i < order.size() && knots_[order[i].knot].at == knot.at; ++i) {
      std::vector<Rational>& more = knots_[order[i].knot].coefficients;
      if (knot.coefficients.size() < more.size()) knot.coefficients.swap(more);
      for (std::size_t k = 0; k < more.size(); ++k)
        if (more[k] != 0) knot.coefficients[k] += more[k];
    }
    while (!knot.coefficients.empty() && knot.coefficients.back() == 0)
      knot.coefficients.pop_back();
    if (!knot.coefficients.empty()) merged.push_back(std::move(knot));
  }
  knots_ = std::move(merged);
  const std::size_t kept = knots_.size();
  settled_ = kept;
  if (kept > caps::knots) give_up();
}

void TruncatedPowers::give_up() {
  too_long_ = true;
  knots_.clear();
  settled_ = 0;
}

TruncatedPowers convolution(const TruncatedPowers& a, const TruncatedPowers& b) {
  TruncatedPowers result;
  if (a.too_long() || b.too_long()) result.give_up();
  for (const TruncatedPowers::Knot& left : a.knots())
    for (const TruncatedPowers::Knot& right : b.knots()) {
      if (result.too_long()) return result;
      std::vector<Rational> product(left.coefficients.size() + right.coefficients.size() - 1);
      for (std::size_t i = 0; i < left.coefficients.size(); ++i)
        for (std::size_t j = 0; j < right.coefficients.size(); ++j)
          product[i + j] += left.coefficients[i] * right.coefficients[j];
      result.append({left.at + right.at, std::move(product)});
    }
  result.settle();
  return result;
}

}  // namespace wmi
