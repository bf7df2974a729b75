#include "frontends/formats/operators.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::vector<Formula> formulas(const Values& values) {
  std::vector<Formula> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(std::get<Formula>(value));
  return result;
}

const Polynomial& real(const Value& value) { return std::get<Polynomial>(value); }

/// a R b R c means a R b and b R c.
Value chain(Terms& terms, const Values& values,
            const std::function<Formula(const Value&, const Value&)>& related) {
  std::vector<Formula> links;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    links.push_back(related(values[i], values[i + 1]));
  return terms.all(links);
}

Formula same(Terms& terms, const Value& a, const Value& b) {
  if (sort_of(a) == Sort::real) return terms.equal(real(a), real(b));
  return terms.choice(std::get<Formula>(a), std::get<Formula>(b), !std::get<Formula>(b));
}

void check(const Operators& language, const Operator& op, const Values& values) {
  if (values.size() < op.least || values.size() > op.most)
    throw Error(
        "'" + std::string(op.name) + "' has " + std::to_string(values.size()) +
        (values.size() == 1 ? " argument" : " arguments") + "; it takes " +
        (op.most == any_number ? "at least " : "") + std::to_string(op.least) +
        (op.most == op.least || op.most == any_number ? "" : " or " + std::to_string(op.most)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Sort wanted = op.takes == Takes::reals      ? Sort::real
                        : op.takes == Takes::booleans ? Sort::boolean
                        : op.takes == Takes::alike    ? sort_of(values[0])
                        : i == 0                      ? Sort::boolean
                                                      : sort_of(values[1]);
    if (sort_of(values[i]) != wanted)
      throw Error("argument " + std::to_string(i + 1) + " of '" + std::string(op.name) + "' is " +
                  std::string(language.name_of(sort_of(values[i]))) + ", not " +
                  std::string(language.name_of(wanted)));
  }
}

}  // namespace

const Operator* Operators::find(std::string_view name) const {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Operator& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

Value Operators::apply(const Operator& op, Terms& terms, Values&& values) const {
  check(*this, op, values);
  return op.apply(terms, std::move(values));
}

std::span<const Operator> smooth_functions() {
  static constexpr auto table = std::to_array<Operator>({
      {"exp", Takes::reals, 1, 1, operators::smooth<Function::exp>},
      {"log", Takes::reals, 1, 1, operators::smooth<Function::log>},
      {"sqrt", Takes::reals, 1, 1, operators::smooth<Function::sqrt>},
      {"erf", Takes::reals, 1, 1, operators::smooth<Function::erf>},
      {"sigmoid", Takes::reals, 1, 1, operators::smooth<Function::sigmoid>},
      {"tanh", Takes::reals, 1, 1, operators::smooth<Function::tanh>},
      {"normal", Takes::reals, 3, 3, operators::normal_density},
  });
  return table;
}

namespace operators {

/// The longest argument is moved and the others are merged into it, so that nested sums are not
/// copied at every level.
Value sum(Terms&, Values&& values) {
  const auto longest =
      std::max_element(values.begin(), values.end(), [](const Value& a, const Value& b) {
        return real(a).terms().size() < real(b).terms().size();
      });
  Polynomial result = std::get<Polynomial>(std::exchange(*longest, Polynomial()));
  std::vector<Polynomial::Term> others;
  for (const Value& value : values)
    others.insert(others.end(), real(value).terms().begin(), real(value).terms().end());
  result += Polynomial(std::move(others));
  return result;
}

Value difference(Terms& terms, Values&& values) {
  Polynomial first = std::get<Polynomial>(std::exchange(values[0], Polynomial()));
  if (values.size() == 1) return -std::move(first);
  first -= real(sum(terms, std::move(values)));
  return first;
}

Value product(Terms&, Values&& values) {
  Polynomial result(1);
  for (const Value& value : values) result = result * real(value);
  return result;
}

/// By a number, or by a term that is 0 nowhere, which is a smooth function.
Value quotient(Terms& terms, Values&& values) {
  Polynomial result = std::get<Polynomial>(std::move(values[0]));
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (real(values[i]).constant()) {
      if (real(values[i]).zero()) throw Error("division by zero");
      result *= 1 / real(values[i]).constant_term();
    } else {
      result = result * terms.apply(Function::reciprocal, real(values[i]));
    }
  }
  return result;
}

Value normal_density(Terms& terms, Values&& values) {
  if (!real(values[2]).constant() || real(values[2]).constant_term() <= 0)
    throw Error("the deviation of 'normal' must be a number above 0");
  const Rational scale = 1 / real(values[2]).constant_term();
  const Polynomial centred = (real(values[0]) - real(values[1])) * Polynomial(scale);
  return terms.apply(Function::normal, centred) * Polynomial(scale);
}

Value power(Terms&, Values&& values) {
  if (!real(values[1]).constant()) throw Error("an exponent must be a number");
  const Rational exponent = real(values[1]).constant_term();
  const std::string text = shortened(exponent.get_str());
  if (exponent < 0 || exponent.get_den() != 1)
    throw Error("the exponent " + text + " is not a natural number");
  const std::size_t most = real(values[0]).constant() ? caps::exponent : wmi::caps::degree;
  if (exponent > most) throw Error("the exponent " + text + " is beyond " + std::to_string(most));
  return wmi::power(real(values[0]), static_cast<unsigned>(exponent.get_num().get_ui()));
}

Value less(Terms& terms, Values&& values) {
  return chain(terms, values,
               [&](const Value& a, const Value& b) { return terms.less(real(a), real(b)); });
}

Value less_equal(Terms& terms, Values&& values) {
  return chain(terms, values,
               [&](const Value& a, const Value& b) { return terms.less_equal(real(a), real(b)); });
}

Value greater(Terms& terms, Values&& values) {
  std::reverse(values.begin(), values.end());
  return less(terms, std::move(values));
}

Value greater_equal(Terms& terms, Values&& values) {
  std::reverse(values.begin(), values.end());
  return less_equal(terms, std::move(values));
}

Value equal(Terms& terms, Values&& values) {
  return chain(terms, values, [&](const Value& a, const Value& b) { return same(terms, a, b); });
}

Value distinct(Terms& terms, Values&& values) {
  if (values.size() > caps::distinct)
    throw Error("'distinct' of more than " + std::to_string(caps::distinct) + " terms");
  std::vector<Formula> differences;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      differences.push_back(!same(terms, values[i], values[j]));
  return terms.all(differences);
}

Value negation(Terms&, Values&& values) { return !std::get<Formula>(values[0]); }

Value conjunction(Terms& terms, Values&& values) { return terms.all(formulas(values)); }

Value disjunction(Terms& terms, Values&& values) { return terms.any(formulas(values)); }

Value implication(Terms& terms, Values&& values) {
  std::vector<Formula> parts = formulas(values);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parts[i] = !parts[i];
  return terms.any(parts);
}

Value exclusive_or(Terms& terms, Values&& values) {
  Formula result = std::get<Formula>(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Formula other = std::get<Formula>(values[i]);
    result = terms.choice(result, !other, other);
  }
  return result;
}

Value choice(Terms& terms, Values&& values) {
  const Formula condition = std::get<Formula>(values[0]);
  if (sort_of(values[1]) == Sort::boolean)
    return terms.choice(condition, std::get<Formula>(values[1]), std::get<Formula>(values[2]));
  return terms.choice(condition, real(values[1]), real(values[2]));
}

}  // namespace operators

}  // namespace wmi::frontends
