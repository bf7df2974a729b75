#include "solver/enumerators/filtered/enclosed_branch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace wmi {
namespace {

constexpr double roundoff = 0x1p-53;
/// More than all underflows of one sum.
constexpr double underflow = 0x1p-1000;

#ifdef WMI_WITHOUT_ERROR_BOUNDS  // to measure what they cost: tests/bench/networks.cpp
constexpr bool error_bounds = false;
#else
constexpr bool error_bounds = true;
#endif

}  // namespace

EnclosedBranch::EnclosedBranch(std::shared_ptr<const CompiledForms> forms)
    : forms_(std::move(forms)),
      stride_(forms_->width() + 1),
      truth_(forms_->problem().terms.size(), Truth::unknown),
      open_(forms_->problem().terms.size()),
      open_terms_(forms_->row_count()),
      value_rows_(forms_->definitions().size(), CompiledForms::none),
      values_(forms_->row_count() * stride_),
      errors_(forms_->row_count()),
      sizes_(forms_->row_count()) {
  const Terms& terms = forms_->problem().terms;
  for (const std::uint32_t node : forms_->cone())
    open_[node] = static_cast<std::uint32_t>(terms.node(node).children.size());
  for (std::uint32_t row = 0; row < forms_->row_count(); ++row)
    open_terms_[row] = static_cast<std::uint32_t>(forms_->terms(row).size());
  conclude(0, Truth::yes);
  for (std::uint32_t row = 0; row < forms_->row_count(); ++row)
    if (open_terms_[row] == 0) make_ready(row);
  propagate();
}

void EnclosedBranch::decide(PathDecision decision) {
  assert(truth_[decision.node] == Truth::unknown);
  marks_.push_back({trail_.size(), ready_atoms_.size()});
  decisions_.push_back(decision);
  conclude(decision.node, decision.holds ? Truth::yes : Truth::no);
  propagate();
}

void EnclosedBranch::undo() {
  const Mark mark = marks_.back();
  marks_.pop_back();
  decisions_.pop_back();
  for (; trail_.size() > mark.known; trail_.pop_back()) {
    const std::uint32_t node = trail_.back();
    if (const std::uint32_t definition = forms_->definition_at(node);
        definition != CompiledForms::none) {
      value_rows_[definition] = CompiledForms::none;
      for (const std::uint32_t row : forms_->users(definition)) ++open_terms_[row];
    } else {
      truth_[node] = Truth::unknown;
      for (const std::uint32_t parent : forms_->parents(node)) ++open_[parent];
    }
  }
  concluded_ = trail_.size();
  ready_atoms_.resize(mark.ready);
}

void EnclosedBranch::conclude(std::uint32_t node, Truth value) {
  if (value == Truth::unknown) return;
  truth_[node] = value;
  trail_.push_back(node);
}

void EnclosedBranch::propagate() {
  for (; concluded_ < trail_.size(); ++concluded_) {
    const std::uint32_t node = trail_[concluded_];
    if (const std::uint32_t definition = forms_->definition_at(node);
        definition != CompiledForms::none) {
      for (const std::uint32_t row : forms_->users(definition))
        if (--open_terms_[row] == 0) make_ready(row);
      continue;
    }
    for (const std::uint32_t parent : forms_->parents(node)) {
      --open_[parent];
      if (const std::uint32_t definition = forms_->definition_at(parent);
          definition != CompiledForms::none)
        resolve(definition);
      else if (truth_[parent] == Truth::unknown)
        update(parent);
    }
  }
}

void EnclosedBranch::update(std::uint32_t number) {
  const Node& node = forms_->problem().terms.node(number);
  if (node.kind == Kind::conjunction) {
    for (const Formula child : node.children)
      if (truth(child) == Truth::no) return conclude(number, Truth::no);
    if (open_[number] == 0) conclude(number, Truth::yes);
  } else if (node.kind == Kind::choice) {
    conclude(number,
             choice(truth(node.children[0]), truth(node.children[1]), truth(node.children[2])));
  }
}

void EnclosedBranch::resolve(std::uint32_t number) {
  if (resolved(number)) return;
  const CompiledForms::DefinedReal& real = forms_->definitions()[number];
  const Truth condition = truth(real.condition);
  if (condition == Truth::unknown) return;
  const std::uint32_t row = condition == Truth::yes ? real.then : real.otherwise;
  if (open_terms_[row] != 0) return;
  value_rows_[number] = row;
  trail_.push_back(real.node);
}

void EnclosedBranch::make_ready(std::uint32_t row) {
  work_out(row);
  const double* const form = values_.data() + row * stride_;
  const bool constant =
      errors_[row] == 0 && std::all_of(form + 1, form + forms_->width(),
                                       [](double coefficient) { return coefficient == 0; });
  for (const std::uint32_t atom : forms_->atoms_of(row)) {
    if (truth_[atom] != Truth::unknown) continue;
    if (!constant) {
      ready_atoms_.push_back(atom);
      continue;
    }
    const Terms& terms = forms_->problem().terms;
    const double value = forms_->atom_row(atom).sign * form[0];
    conclude(atom, holds(Rational((value > 0) - (value < 0)),
                         terms.atom(terms.node(atom).index).comparison)
                       ? Truth::yes
                       : Truth::no);
  }
  for (const std::uint32_t definition : forms_->definitions_of(row)) resolve(definition);
}

void EnclosedBranch::work_out(std::uint32_t row) {
  double* const out = values_.data() + row * stride_;
  sum(forms_->terms(row), forms_->base(row), forms_->base_error(row),
      forms_->summed_base_error(row), out, errors_[row], sizes_[row]);
  out[stride_ - 1] = errors_[row] + forms_->rounding() * sizes_[row];
}

/// base + sum of coefficients times values. With u the unit of roundoff, m terms, and values of which
/// each has an error e and a size s, the exact result differs from the computed one
///   by w e, and by 2u w s as a coefficient w is rounded, for each term, and
///   by at most (m + 1) u (1 + ...) times the sum of all |w| s and the size of the base in rounding.
/// Each row keeps e + (m + 8) u s for the largest m; the sum of these is itself rounded, which the
/// last factor makes good.
void EnclosedBranch::sum(std::span<const CompiledForms::Term> terms, const double* base,
                         double base_error, double summed_base_error, double* out, double& error,
                         double& size) const {
  const std::size_t width = stride_ - 1;
  std::copy_n(base, width, out);
  [[maybe_unused]] double errors = 0;
  [[maybe_unused]] bool any = false;
  for (const CompiledForms::Term& term : terms) {
    const std::uint32_t value = value_rows_[term.definition];
    if (is_zero(value)) continue;
    const double* const from = values_.data() + value * stride_;
    const double factor = term.coefficient;
    for (std::size_t k = 0; k < width; ++k) out[k] += factor * from[k];
    if constexpr (error_bounds) {
      errors += std::abs(factor) * from[width];
      any = true;
    }
  }
  if constexpr (error_bounds) {
    error = any ? (summed_base_error + errors) * forms_->inflation(terms.size()) + underflow
                : base_error;
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += std::abs(out[k]);
    size = sum * (1 + 64 * roundoff);
  } else {
    error = 0;
    size = std::any_of(out, out + width, [](double entry) { return entry != 0; }) ? 1 : 0;
  }
}

EnclosedForm EnclosedBranch::value(const CompiledForms::Loose& row, double* out) const {
  EnclosedForm result{out, 0, 0};
  sum(row.terms, row.base.data(), row.base_error, row.summed_base_error, out, result.error,
      result.size);
  return result;
}

/// An affine one as a row, so that its many terms are summed in doubles at once.
BallPolynomial EnclosedBranch::value(const CompiledForms::LoosePolynomial& loose) const {
  const std::size_t n = forms_->dimension();
  const Polynomial& polynomial = loose.polynomial;
  // As a form, a constant with an error would have one in each coordinate.
  if (polynomial.constant()) return BallPolynomial(polynomial.constant_term());
  if (loose.row) {
    std::vector<double> out(n + 1);
    return BallPolynomial(value(*loose.row, out.data()), n);
  }
  BallPolynomial result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    BallPolynomial product(term.coefficient);
    for (const Power& factor : term.monomial) {
      const std::uint32_t definition = forms_->definition_of(factor.variable);
      std::vector<double> own(n + 1);
      if (definition == CompiledForms::none) {
        own[0] = forms_->box().centre[factor.variable];
        own[factor.variable + 1] = forms_->box().half_width[factor.variable];
      }
      product = product * power(definition == CompiledForms::none
                                    ? BallPolynomial({own.data(), 0, 0}, n)
                                    : BallPolynomial(form_of_row(value_rows_[definition]), n),
                                factor.exponent);
    }
    result += product;
  }
  return result;
}

std::optional<std::uint32_t> EnclosedBranch::open_in(const Polynomial& polynomial) const {
  for (const Polynomial::Term& term : polynomial.terms())
    for (const Power& power : term.monomial)
      if (const std::uint32_t definition = forms_->definition_of(power.variable);
          definition != CompiledForms::none && !resolved(definition))
        return descend(forms_->definitions()[definition].node);
  return std::nullopt;
}

bool EnclosedBranch::vanishes(const Polynomial& polynomial) const {
  const auto zero = [&](const Power& power) {
    const std::uint32_t definition = forms_->definition_of(power.variable);
    return definition != CompiledForms::none && resolved(definition) &&
           is_zero(value_rows_[definition]);
  };
  return std::ranges::all_of(polynomial.terms(), [&](const Polynomial::Term& term) {
    return std::ranges::any_of(term.monomial, zero);
  });
}

std::uint32_t EnclosedBranch::descend(std::uint32_t number) const {
  const Terms& terms = forms_->problem().terms;
  const auto unresolved_in = [&](std::uint32_t row) {
    for (const CompiledForms::Term& term : forms_->terms(row))
      if (!resolved(term.definition)) return forms_->definitions()[term.definition].node;
    throw std::logic_error("nothing is open here");
  };
  for (;;) {
    const Node& node = terms.node(number);
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:
        throw std::logic_error("nothing is open here");
      case Kind::atom:
        if (ready(number)) return number;
        number = unresolved_in(forms_->atom_row(number).row);
        break;
      case Kind::conjunction:
        number = std::ranges::find_if(node.children, [&](Formula child) {
                   return truth(child) == Truth::unknown;
                 })->node();
        break;
      case Kind::choice: {
        const Truth condition = truth(node.children[0]);
        number = node.children[condition == Truth::unknown ? 0
                               : condition == Truth::yes   ? 1
                                                           : 2]
                     .node();
        break;
      }
      case Kind::definition: {
        const CompiledForms::DefinedReal& real =
            forms_->definitions()[forms_->definition_at(number)];
        const Truth condition = truth(real.condition);
        number = condition == Truth::unknown
                     ? real.condition.node()
                     : unresolved_in(condition == Truth::yes ? real.then : real.otherwise);
        break;
      }
    }
  }
}

}  // namespace wmi
