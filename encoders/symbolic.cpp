#include "encoders/symbolic.h"

#include <algorithm>
#include <array>

#include "encoders/dyadic_sum.h"

namespace wmi::encoders {
namespace {

void check_same(const Shape& a, const Shape& b) {
  if (a != b) throw Error("shapes " + to_string(a) + " and " + to_string(b) + " differ");
}

/// Adds up polynomials, collecting their terms once.
class Collector {
 public:
  void add(const Polynomial& polynomial, const Rational& factor) {
    if (factor == 0) return;
    for (const Polynomial::Term& term : polynomial.terms())
      terms_.push_back({term.monomial, factor * term.coefficient});
  }
  Polynomial sum() && { return Polynomial(std::move(terms_)); }

 private:
  std::vector<Polynomial::Term> terms_;
};

/// A value whose entries are those of two values, or new ones.
class Selection {
 public:
  enum Source : std::uint32_t { first, second, fresh };

  Selection(const SymbolicValue& x, const SymbolicValue& y) : x_(x), y_(y) {}

  /// The next entry is entry i of one of the values.
  void take(Source source, std::size_t i) { entries_.emplace_back(source, i); }
  void add(Polynomial entry) {
    entries_.emplace_back(fresh, made_.size());
    made_.entries.push_back(std::move(entry));
  }

  SymbolicValue value() && {
    made_.shape = {made_.size()};
    if (x_.affine() != nullptr && y_.affine() != nullptr)
      if (std::optional<AffineTensor> made = AffineTensor::make(made_))
        if (std::optional<AffineTensor> affine = assembled(*made)) return *std::move(affine);
    Tensor<Polynomial> result{x_.shape(), {}};
    for (const auto& [source, i] : entries_)
      result.entries.push_back(source == fresh ? std::move(made_.entries[i])
                                               : (source == first ? x_ : y_).polynomial(i));
    return result;
  }

 private:
  std::optional<AffineTensor> assembled(const AffineTensor& made) const {
    const bool from_x = std::ranges::all_of(entries_, [&](const auto& entry) {
      return entry.first == first || (entry.first == second && y_.affine()->zero(entry.second));
    });
    if (!from_x)
      return AffineTensor::assembled(std::array{x_.affine(), y_.affine(), &made}, entries_,
                                     x_.shape());
    std::vector<std::size_t> kept;
    for (const auto& [source, i] : entries_) kept.push_back(source == first ? i : nothing);
    return x_.affine()->gather(kept, x_.shape());
  }

  const SymbolicValue &x_, &y_;
  Tensor<Polynomial> made_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries_;  // source, number
};

}  // namespace

SymbolicAlgebra::Value SymbolicAlgebra::constant(const Shape& shape, const Rational& c) const {
  const Value single = Tensor<Polynomial>({1}, {Polynomial(c)});
  return gather(single, std::vector<std::size_t>(entry_count(shape)), shape);
}

bool SymbolicAlgebra::has_parameter(std::string_view name) const {
  return network_.parameters.contains(full_name(name));
}

SymbolicAlgebra::Value SymbolicAlgebra::parameter(std::string_view name) const {
  const std::string full = full_name(name);
  const auto found = network_.parameters.find(full);
  if (found == network_.parameters.end()) throw Error("there is no tensor '" + full + "'");
  std::vector<std::pair<std::size_t, Variable>> variables;
  std::vector<std::pair<std::size_t, Polynomial>> others;
  if (const auto unknown = unknowns_.find(full); unknown != unknowns_.end())
    for (const auto& [entry, value] : unknown->second) {
      const std::vector<Variable> all = value.variables();
      if (all.size() == 1 && value == Polynomial::variable(all[0]))
        variables.emplace_back(entry, all[0]);
      else
        others.emplace_back(entry, value);
    }
  if (others.empty())
    if (std::optional<AffineTensor> affine = AffineTensor::make(found->second, variables))
      return *std::move(affine);
  Tensor<Polynomial> result{found->second.shape, {}};
  for (const Rational& entry : found->second.entries) result.entries.emplace_back(entry);
  for (const auto& [entry, variable] : variables)
    result.entries[entry] = Polynomial::variable(variable);
  for (auto& [entry, value] : others) result.entries[entry] = std::move(value);
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::add(const Value& x, const Value& y) const {
  check_same(x.shape(), y.shape());
  if (x.affine() != nullptr && y.affine() != nullptr)
    if (std::optional<AffineTensor> affine = sum(*x.affine(), *y.affine()))
      return *std::move(affine);
  Tensor<Polynomial> result = x.polynomials();
  for (std::size_t i = 0; i < x.size(); ++i) result.entries[i] += y.polynomial(i);
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::scale(const Rational& c, const Value& x) const {
  if (x.affine() != nullptr)
    if (std::optional<AffineTensor> affine = x.affine()->scaled(c)) return *std::move(affine);
  Tensor<Polynomial> result = x.polynomials();
  for (Polynomial& entry : result.entries) entry *= c;
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::multiply(const Value& x, const Value& y) const {
  check_same(x.shape(), y.shape());
  if (x.affine() != nullptr && y.affine() != nullptr)
    if (std::optional<AffineTensor> affine = product(*x.affine(), *y.affine()))
      return *std::move(affine);
  Tensor<Polynomial> result = x.polynomials();
  for (std::size_t i = 0; i < x.size(); ++i)
    result.entries[i] = result.entries[i] * y.polynomial(i);
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::matrix(const Value& left, const Value& right) const {
  const std::size_t m = left.shape()[0], k = left.shape()[1], n = right.shape()[1];
  if (right.shape()[0] != k) throw Error("matrices do not fit");
  if (left.affine() != nullptr && right.affine() != nullptr)
    if (std::optional<AffineTensor> affine = matrix_product(*left.affine(), *right.affine()))
      return *std::move(affine);
  const Tensor<Polynomial> x = left.polynomials(), y = right.polynomials();
  Tensor<Polynomial> result{{m, n}, {}};
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Collector sum;
      for (std::size_t l = 0; l < k; ++l) {
        const Polynomial &a = x.entries[i * k + l], &b = y.entries[l * n + j];
        if (a.constant())
          sum.add(b, a.constant_term());
        else if (b.constant())
          sum.add(a, b.constant_term());
        else
          sum.add(a * b, 1);
      }
      result.entries.push_back(std::move(sum).sum());
    }
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::gather(const Value& x,
                                               const std::vector<std::size_t>& entries,
                                               const Shape& shape) const {
  if (x.affine() != nullptr) return x.affine()->gather(entries, shape);
  const Tensor<Polynomial> polynomials = x.polynomials();
  Tensor<Polynomial> result = Tensor<Polynomial>::filled(shape, Polynomial());
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i] != nothing) result.entries[i] = polynomials.entries.at(entries[i]);
  return result;
}

Interval SymbolicAlgebra::range_of(const Monomial& monomial) const {
  if (degree(monomial) == 1) return range_of(monomial[0].variable);
  Interval product(Rational(1));
  for (const Power& factor : monomial)
    product = product * power(range_of(factor.variable), factor.exponent);
  return product;
}

Interval SymbolicAlgebra::range(const Polynomial& polynomial) const {
  DyadicSum lower, upper;
  for (const Polynomial::Term& term : polynomial.terms()) {
    const Rational& c = term.coefficient;
    const Interval values = range_of(term.monomial);
    lower.add(c, c > 0 ? values.lower : values.upper);
    upper.add(c, c > 0 ? values.upper : values.lower);
  }
  Interval result(lower.value(), upper.value());
  if (const std::optional<Interval> other = bounds_.range(
          polynomial, [this](const Monomial& monomial) { return range_of(monomial); }))
    result = {std::max(result.lower, other->lower), std::min(result.upper, other->upper)};
  return result;
}

/// Recursive, but not deep: definitions refer to earlier ones, whose ranges are known as soon as
/// the next layer uses them.
const Interval& SymbolicAlgebra::range_of(Variable variable) const {
  if (variable >= ranges_.size()) ranges_.resize(variable + 1);
  if (!ranges_[variable]) {
    const Terms& terms = problem_.terms;
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variable)).index);
    const Interval both = hull(range(definition.then), range(definition.otherwise));
    set_range(variable, both);
  }
  return *ranges_[variable];
}

void SymbolicAlgebra::set_range(Variable variable, const Interval& range) const {
  if (variable >= ranges_.size()) ranges_.resize(variable + 1);
  ranges_[variable] = range;
  filter_.set_range(variable, range);
}

std::string SymbolicAlgebra::name_of(Variable variable) const {
  if (const auto found = names_.find(variable); found != names_.end()) return found->second.text;
  return problem_.terms.real_name(variable);
}

const Polynomial& SymbolicAlgebra::linear(const Polynomial& polynomial) const {
  if (problem_.terms.degree(polynomial) < 2) return polynomial;
  for (const Polynomial::Term& term : polynomial.terms()) {
    if (problem_.terms.degree(Polynomial({term})) < 2 || degree(term.monomial) < 2) continue;
    throw Error("'" + name_of(term.monomial.front().variable) + "' times '" +
                name_of(term.monomial.back().variable) +
                "' feeds a comparison here, which is then not linear; make unknown the weights of "
                "one layer only");
  }
  throw Error(
      "a product of unknowns feeds a comparison here, which is then not linear; make "
      "unknown the weights of one layer only");
}

void SymbolicAlgebra::remember(const Polynomial& choice, const std::string& name,
                               const Polynomial& on) {
  const std::vector<Variable> variables = choice.variables();
  if (variables.size() != 1 || choice != Polynomial::variable(variables[0])) return;
  const Terms& terms = problem_.terms;
  const std::uint32_t node = terms.defining_node(variables[0]);
  if (node == 0 || names_.contains(variables[0])) return;
  names_.emplace(variables[0],
                 UnitName{name, terms.definition(terms.node(node).index).otherwise == on});
}

SymbolicAlgebra::Value SymbolicAlgebra::max(const Value& x, const Value& y) {
  check_same(x.shape(), y.shape());
  ++rounds_;
  const std::string suffix = rounds_ == 1 ? "" : "." + std::to_string(rounds_);
  Selection selection(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x.affine() != nullptr && y.affine() != nullptr && y.affine()->zero(i) &&
        (!all_units_ || x.affine()->constant(i)))
      if (const std::optional<int> sign = filter_.sign(*x.affine(), i)) {
        selection.take(*sign >= 0 ? Selection::first : Selection::second, i);
        continue;
      }
    const Polynomial a = x.polynomial(i), b = y.polynomial(i);
    if (all_units_) {
      selection.add(problem_.terms.choice(problem_.terms.less(linear(b), linear(a)), a, b));
      continue;
    }
    const Interval difference = b.zero() ? range(a) : range(a - b);
    if (difference.lower >= 0) {
      selection.take(Selection::first, i);
      continue;
    }
    if (difference.upper <= 0) {
      selection.take(Selection::second, i);
      continue;
    }
    const Interval from = b.zero() ? difference : range(a), to = range(b);
    const Formula condition = problem_.terms.less(linear(b), linear(a));
    const Polynomial chosen = problem_.terms.choice(condition, a, b);
    remember(chosen, layer_ + index_name(x.shape(), i) + suffix, a);
    // A maximum is at least the lower bound of either argument.
    if (const std::vector<Variable> made = chosen.variables();
        made.size() == 1 && chosen == Polynomial::variable(made[0])) {
      set_range(made[0], Interval(std::max(from.lower, to.lower), std::max(from.upper, to.upper)));
      bounds_.add_larger(made[0], a, b, difference,
                         [this](const Monomial& monomial) { return range_of(monomial); });
    }
    selection.add(chosen);
  }
  return std::move(selection).value();
}

SymbolicAlgebra::Value SymbolicAlgebra::at_least_zero(const Value& x) {
  ++rounds_;
  const std::string suffix = rounds_ == 1 ? "" : "." + std::to_string(rounds_);
  Tensor<Polynomial> result = x.polynomials();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Polynomial entry = std::move(result.entries[i]);
    const Interval known = range(entry);
    if (known.lower >= 0) {
      result.entries[i] = 1;
    } else if (known.upper < 0) {
      result.entries[i] = 0;
    } else {
      const Formula below = problem_.terms.less(linear(entry), 0);
      result.entries[i] = problem_.terms.choice(below, 0, 1);
      remember(result.entries[i], layer_ + index_name(x.shape(), i) + suffix, 1);
    }
  }
  return result;
}

Formula SymbolicAlgebra::declare_mask(const std::string& name, const Rational& keep) {
  if (sgn(keep) <= 0 || keep > 1)
    throw Error("dropout must keep entries with a probability in ]0, 1]");
  const Formula kept = problem_.terms.declare_boolean("keep " + name);
  problem_.weights.push_back({kept, Polynomial(keep)});
  problem_.weights.push_back({!kept, Polynomial(1 - keep)});
  return kept;
}

SymbolicAlgebra::Value SymbolicAlgebra::mask(const Value& x, const Rational& keep) {
  return mask_both(x, x, keep).first;
}

std::pair<SymbolicAlgebra::Value, SymbolicAlgebra::Value> SymbolicAlgebra::mask_both(
    const Value& x, const Value& y, const Rational& keep) {
  check_same(x.shape(), y.shape());
  std::pair<Tensor<Polynomial>, Tensor<Polynomial>> result{x, y};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::string name = layer_ + index_name(x.shape(), i);
    const Formula kept = declare_mask(name, keep);
    for (Tensor<Polynomial>* const value : {&result.first, &result.second}) {
      const Polynomial scaled = Polynomial(1 / keep) * value->entries[i];
      value->entries[i] = problem_.terms.choice(kept, scaled, 0);
      remember(value->entries[i], value == &result.first ? name : name + ".2", scaled);
    }
  }
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::of_numbers(
    const Value& x, const std::string& reason,
    const std::function<Rational(const Rational&)>& function) const {
  Tensor<Polynomial> result = x.polynomials();
  for (Polynomial& entry : result.entries) {
    if (!entry.constant())
      throw Error("'" + name_of(entry.variables().front()) + "' must be a number: " + reason);
    entry = Polynomial(function(entry.constant_term()));
  }
  return result;
}

SymbolicAlgebra::Value SymbolicAlgebra::inverse_root(const Value& x, const Rational& c) const {
  return of_numbers(x, "a square root is taken of it",
                    [&](const Rational& number) { return encoders::inverse_root(number + c); });
}

SymbolicAlgebra::Value SymbolicAlgebra::reciprocal(const Value& x) const {
  return of_numbers(x, "a value is divided by it",
                    [](const Rational& number) { return encoders::reciprocal(number); });
}

}  // namespace wmi::encoders
