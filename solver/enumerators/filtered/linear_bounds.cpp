// Each bound is rigorous by itself: what rounding, and the errors of the forms it is made of, may
// have changed is subtracted from the constant of a lower bound and added to that of an upper one.

#include "solver/enumerators/filtered/linear_bounds.h"

#include <algorithm>
#include <cmath>

namespace wmi {
namespace {

constexpr double roundoff = 0x1p-53;
constexpr double underflow = 0x1p-1000;

}  // namespace

LinearBounds::LinearBounds(std::shared_ptr<const CompiledForms> forms)
    : forms_(std::move(forms)),
      width_(forms_->width()),
      stride_(width_ + 1),
      lower_(forms_->definitions().size() * stride_),
      upper_(lower_.size()),
      low_(stride_),
      high_(stride_) {
  const wmi::Terms& terms = forms_->problem().terms;
  for (const CompiledForms::DefinedReal& real : forms_->definitions()) {
    bool maximum = false;
    const Node& node = terms.node(real.condition.node());
    if (node.kind == Kind::atom && terms.atom(node.index).comparison != Comparison::equal) {
      // The condition is sign * row <= 0, or its negation. The row is chosen where it is positive.
      const CompiledForms::AtomRow& condition = forms_->atom_row(real.condition.node());
      const bool if_positive = (condition.sign < 0) != real.condition.negated();
      const std::uint32_t chosen = if_positive ? real.then : real.otherwise,
                          zero = if_positive ? real.otherwise : real.then;
      maximum = chosen == condition.row && forms_->terms(zero).empty() &&
                forms_->base_error(zero) == 0 &&
                std::all_of(forms_->base(zero), forms_->base(zero) + width_,
                            [](double entry) { return entry == 0; });
    }
    is_maximum_.push_back(maximum);
  }
}

double LinearBounds::size(const double* form) const {
  double sum = 0;
  for (std::size_t k = 0; k < width_; ++k) sum += std::abs(form[k]);
  return sum * (1 + 64 * roundoff);
}

EnclosedForm LinearBounds::as_form(const std::vector<double>& form) const {
  return {form.data(), 0, size(form.data())};
}

void LinearBounds::update(const EnclosedBranch& branch, const FilteredPolytope& region) {
  for (std::uint32_t definition = 0; definition < forms_->definitions().size(); ++definition)
    if (!branch.resolved(definition)) bound_definition(definition, branch, region);
}

/// As EnclosedBranch::sum, for both bounds at once.
std::pair<double, double> LinearBounds::bound(Terms terms, const double* base, double base_error,
                                              double summed_base_error,
                                              const EnclosedBranch& branch,
                                              const FilteredPolytope& region) {
  std::copy_n(base, width_, low_.begin());
  std::copy_n(base, width_, high_.begin());
  double* const low = low_.data();
  double* const high = high_.data();
  double errors = 0;
  for (const CompiledForms::Term& term : terms) {
    const double factor = term.coefficient;
    const double *below = nullptr, *above = nullptr;
    if (branch.resolved(term.definition)) {
      below = above = branch.value_of(term.definition);
      if (below == nullptr) continue;
    } else {
      below = lower_.data() + term.definition * stride_;
      above = upper_.data() + term.definition * stride_;
      if (factor < 0) std::swap(below, above);
    }
    for (std::size_t k = 0; k < width_; ++k) low[k] += factor * below[k];
    for (std::size_t k = 0; k < width_; ++k) high[k] += factor * above[k];
    errors += std::abs(factor) * std::max(below[width_], above[width_]);
  }
  const double error =
      (terms.empty() ? base_error
                     : (summed_base_error + errors) * forms_->inflation(terms.size())) +
      underflow;
  low[0] = std::nextafter(low[0] - error, -HUGE_VAL);
  high[0] = std::nextafter(high[0] + error, HUGE_VAL);
  return {region.range(as_form(low_)).first, region.range(as_form(high_)).second};
}

std::pair<double, double> LinearBounds::bound(std::uint32_t row, const EnclosedBranch& branch,
                                              const FilteredPolytope& region) {
  return bound(forms_->terms(row), forms_->base(row), forms_->base_error(row),
               forms_->summed_base_error(row), branch, region);
}

void LinearBounds::store(std::uint32_t definition) {
  for (auto [from, to] : {std::pair(&low_, &lower_), std::pair(&high_, &upper_)}) {
    double* const out = to->data() + definition * stride_;
    std::copy_n(from->begin(), width_, out);
    out[width_] = forms_->rounding() * size(out);
  }
}

void LinearBounds::bound_definition(std::uint32_t definition, const EnclosedBranch& branch,
                                    const FilteredPolytope& region) {
  const CompiledForms::DefinedReal& real = forms_->definitions()[definition];
  const Truth condition = branch.truth(real.condition);
  if (condition != Truth::unknown) {
    bound(condition == Truth::yes ? real.then : real.otherwise, branch, region);
    return store(definition);
  }
  if (is_maximum_[definition]) {
    const auto [least, most] = bound(forms_->atom_row(real.condition.node()).row, branch, region);
    if (least >= 0) return store(definition);
    const bool finite = std::isfinite(least) && std::isfinite(most) && std::isfinite(most - least);
    if (most <= 0 || !finite) {
      std::ranges::fill(low_, 0);
      std::ranges::fill(high_, 0);
      if (!(most <= 0)) high_[0] = HUGE_VAL;
      return store(definition);
    }
    // max(a, 0) is at most s (a - least) + rest on [least, most] if that is so at both ends, and at
    // least a, and 0. A product and a sum are each rounded by less than a unit.
    const double slope = most / (most - least), unit = 16 * roundoff;
    for (double& entry : high_) entry *= slope;
    double rest = -slope * least + (std::abs(slope * least) + most) * unit;
    rest += size(high_.data()) * unit + underflow;
    high_[0] = std::nextafter(high_[0] + rest, HUGE_VAL);
    if (-least > most) std::ranges::fill(low_, 0);
    return store(definition);
  }
  const auto then = bound(real.then, branch, region),
             otherwise = bound(real.otherwise, branch, region);
  std::ranges::fill(low_, 0);
  std::ranges::fill(high_, 0);
  // After an overflow a range may be no number, which a minimum would pass over.
  const bool numbers = then.first <= then.second && otherwise.first <= otherwise.second;
  low_[0] = numbers ? std::min(then.first, otherwise.first) : -HUGE_VAL;
  high_[0] = numbers ? std::max(then.second, otherwise.second) : HUGE_VAL;
  store(definition);
}

Truth LinearBounds::truth(std::uint32_t atom, const EnclosedBranch& branch,
                          const FilteredPolytope& region) {
  const wmi::Terms& terms = forms_->problem().terms;
  if (terms.atom(terms.node(atom).index).comparison == Comparison::equal) return Truth::unknown;
  const CompiledForms::AtomRow& row = forms_->atom_row(atom);
  const auto [least, most] = bound(row.row, branch, region);
  if (least > 0) return row.sign > 0 ? Truth::no : Truth::yes;
  if (most < 0) return row.sign > 0 ? Truth::yes : Truth::no;
  return Truth::unknown;
}

std::pair<double, double> LinearBounds::range(const CompiledForms::Loose& row,
                                              const EnclosedBranch& branch,
                                              const FilteredPolytope& region) {
  return bound(row.terms, row.base.data(), row.base_error, row.summed_base_error, branch, region);
}

}  // namespace wmi
