// A command is a tree in preorder, so a loop from its last node to its first meets every child
// before its parent and no file can overflow the stack. The values of the nodes are affine forms or
// formulas. Sums are added to the longest of their operands; what all forms of a file cost together
// is limited.

#include "frontends/formats/vnnlib.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "frontends/common/text.h"
#include "frontends/formats/sexpr.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Most work on the numbers of a file, in operations on machine words.
constexpr std::size_t most_work = std::size_t{1} << 28;

/// The largest index of a variable.
constexpr Variable most_index = 1'000'000'000;

constexpr std::string_view ignored_commands[] = {"set-logic", "set-info",  "set-option",
                                                 "check-sat", "get-model", "exit"};

/// An affine form in the declared variables, which are numbered before it is known how many inputs
/// there are: 2 i is X_i and 2 i + 1 is Y_i.
struct Form {
  std::map<Variable, Rational> coefficients;
  Rational constant;

  bool is_number() const { return coefficients.empty(); }
};

struct Truth {
  std::uint32_t node;
};

using Value = std::variant<std::monostate, Form, Truth>;

/// A comparison of a left and a right term: which of them is below the other, and how.
struct Relation {
  std::string_view symbol;
  bool left_below, right_below;
  Comparison how;
};

constexpr Relation relations[] = {
    {"<=", true, false, Comparison::less_equal}, {"<", true, false, Comparison::less},
    {">=", false, true, Comparison::less_equal}, {">", false, true, Comparison::less},
    {"=", true, true, Comparison::less_equal},
};

/// `X_3` is 6 and `Y_3` is 7; nullopt for other names.
std::optional<Variable> variable_number(std::string_view name) {
  if (name.size() < 3 || (name[0] != 'X' && name[0] != 'Y') || name[1] != '_') return std::nullopt;
  Variable index = 0;
  const auto [stop, error] = std::from_chars(name.data() + 2, name.data() + name.size(), index);
  if (error != std::errc() || stop != name.data() + name.size() || index > most_index ||
      (name.size() > 3 && name[2] == '0'))
    return std::nullopt;
  return 2 * index + (name[0] == 'Y' ? 1 : 0);
}

class Reader {
 public:
  Property read(const Source& source) {
    std::string_view text = source.text;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    SexprReader reader(text);
    while (const std::optional<Tree> tree = reader.next()) command(*tree);
    return finish();
  }

 private:
  void command(const Tree& tree) {
    const std::vector<std::uint32_t> parts = children(tree, 0);
    if (tree[0].kind != Sexpr::Kind::list || parts.empty() ||
        tree[parts[0]].kind != Sexpr::Kind::symbol)
      throw Error("expected a command, as in (assert (<= X_0 1))", tree[0].where);
    const std::string& name = tree[parts[0]].text;
    if (name == "declare-const" || name == "declare-fun") return declare(tree, parts);
    if (name == "assert") return assert_formula(tree, parts);
    if (std::ranges::find(ignored_commands, name) != std::end(ignored_commands)) return;
    if (name == "vnnlib-version" || name == "declare-network")
      throw Error("this is VNN-LIB 2; write the property in version 1.0", tree[0].where);
    throw Error(
        "'" + shortened(name) + "' is no command of VNN-LIB 1.0; it has declare-const and assert",
        tree[0].where);
  }

  void declare(const Tree& tree, const std::vector<std::uint32_t>& parts) {
    const bool function = tree[parts[0]].text == "declare-fun";
    if (parts.size() != (function ? 4 : 3) || tree[parts[1]].kind != Sexpr::Kind::symbol ||
        tree[parts.back()].text != "Real" ||
        (function &&
         (tree[parts[2]].kind != Sexpr::Kind::list || tree[parts[2]].end != parts[2] + 1)))
      throw Error("expected a declaration of a real, as in (declare-const X_0 Real)",
                  tree[0].where);
    const std::string& name = tree[parts[1]].text;
    const std::optional<Variable> number = variable_number(name);
    if (!number)
      throw Error("'" + shortened(name) + "': inputs are named X_0, X_1, ... and outputs Y_0, ...",
                  tree[parts[1]].where);
    if (!declared_.emplace(*number, tree[parts[1]].where).second)
      throw Error("'" + name + "' is declared twice", tree[parts[1]].where);
  }

  void assert_formula(const Tree& tree, const std::vector<std::uint32_t>& parts) {
    if (parts.size() != 2) throw Error("assert takes one formula", tree[0].where);
    std::vector<Value> values(tree.size());
    for (std::uint32_t node = tree[parts[1]].end; node-- > parts[1];)
      if (!is_operator(tree, node, parts[1])) values[node] = value(tree, node, values);
    property_.asserts.push_back(truth(tree, parts[1], values));
  }

  /// The first symbol of a list, which is read with the list.
  static bool is_operator(const Tree& tree, std::uint32_t node, std::uint32_t root) {
    return node > root && tree[node - 1].kind == Sexpr::Kind::list && tree[node - 1].end > node &&
           tree[node].kind == Sexpr::Kind::symbol;
  }

  Value value(const Tree& tree, std::uint32_t node, std::vector<Value>& values) {
    const Sexpr& here = tree[node];
    switch (here.kind) {
      case Sexpr::Kind::number:
        return number(here);
      case Sexpr::Kind::symbol:
        return symbol(here);
      case Sexpr::Kind::list:
        return list(tree, node, values);
      default:
        throw Error("expected a formula or a term", here.where);
    }
  }

  static Form number(const Sexpr& literal) {
    try {
      return {{}, parse_number(literal.text)};
    } catch (const Error& error) {
      throw Error(error.what(), literal.where);
    }
  }

  Value symbol(const Sexpr& here) const {
    const std::string_view text = here.text;
    if (text.size() > 1 && (text[0] == '-' || text[0] == '+') &&
        std::string_view("0123456789.").find(text[1]) != std::string_view::npos)
      return number(here);
    const std::optional<Variable> variable = variable_number(text);
    if (!variable || !declared_.contains(*variable))
      throw Error("'" + shortened(text) + "' is not declared", here.where);
    return Form{{{*variable, 1}}, 0};
  }

  Value list(const Tree& tree, std::uint32_t node, std::vector<Value>& values) {
    const std::vector<std::uint32_t> parts = children(tree, node);
    if (parts.empty() || tree[parts[0]].kind != Sexpr::Kind::symbol)
      throw Error("expected an operator, as in (<= X_0 1)", tree[node].where);
    const std::string& name = tree[parts[0]].text;
    const std::vector<std::uint32_t> operands(parts.begin() + 1, parts.end());
    if (name == "and" || name == "or") return connective(tree, node, operands, values);
    for (const Relation& relation : relations)
      if (relation.symbol == name) return compare(relation, tree, node, operands, values);
    if (name == "+" || name == "-") return sum(name == "-", tree, node, operands, values);
    if (name == "*" || name == "/") return product(name == "/", tree, node, operands, values);
    throw Error(
        "'" + shortened(name) +
            "' is not supported; formulas have and, or, <=, <, >=, >, =, and terms +, -, *, /",
        tree[node].where);
  }

  static std::uint32_t truth(const Tree& tree, std::uint32_t node,
                             const std::vector<Value>& values) {
    if (const auto* const result = std::get_if<Truth>(&values[node])) return result->node;
    throw Error("expected a formula, not a term", tree[node].where);
  }

  static Form& form(const Tree& tree, std::uint32_t node, std::vector<Value>& values) {
    if (auto* const result = std::get_if<Form>(&values[node])) return *result;
    throw Error("expected a term, not a formula", tree[node].where);
  }

  Value connective(const Tree& tree, std::uint32_t node, const std::vector<std::uint32_t>& operands,
                   const std::vector<Value>& values) {
    if (operands.empty())
      throw Error("'" + tree[node + 1].text + "' needs a formula", tree[node].where);
    if (operands.size() == 1) return Truth{truth(tree, operands[0], values)};
    PropertyNode result{tree[node + 1].text == "and" ? PropertyNode::Kind::all
                                                     : PropertyNode::Kind::any};
    for (const std::uint32_t operand : operands)
      result.children.push_back(truth(tree, operand, values));
    return add(std::move(result));
  }

  Value compare(const Relation& relation, const Tree& tree, std::uint32_t node,
                const std::vector<std::uint32_t>& operands, std::vector<Value>& values) {
    if (operands.size() < 2) throw Error("a comparison needs two terms", tree[node].where);
    PropertyNode result{PropertyNode::Kind::all};
    const auto below = [&](const Form& low, const Form& high) {
      Form difference = low;
      add_to(difference, high, -1, tree[node].where);
      Atom atom{{}, relation.how};
      atom.form.coefficients.assign(difference.coefficients.begin(), difference.coefficients.end());
      atom.form.constant = std::move(difference.constant);
      result.children.push_back(add({PropertyNode::Kind::atom, std::move(atom)}).node);
    };
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
      const Form& left = form(tree, operands[i], values);
      const Form& right = form(tree, operands[i + 1], values);
      if (relation.left_below) below(left, right);
      if (relation.right_below) below(right, left);
    }
    if (result.children.size() == 1) return Truth{result.children[0]};
    return add(std::move(result));
  }

  Value sum(bool minus, const Tree& tree, std::uint32_t node,
            const std::vector<std::uint32_t>& operands, std::vector<Value>& values) {
    const Location where = tree[node].where;
    if (operands.empty()) throw Error("a sum needs a term", where);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (form(tree, operands[i], values).coefficients.size() >
          form(tree, operands[longest], values).coefficients.size())
        longest = i;
    const auto sign = [&](std::size_t i) {
      return minus && (i > 0 || operands.size() == 1) ? -1 : 1;
    };
    // The longest operand times its sign, plus the others: all times that sign at the end.
    Form result = std::move(form(tree, operands[longest], values));
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (i != longest)
        add_to(result, form(tree, operands[i], values), sign(i) * sign(longest), where);
    if (sign(longest) < 0) scale(result, -1, where);
    return result;
  }

  Value product(bool quotient, const Tree& tree, std::uint32_t node,
                const std::vector<std::uint32_t>& operands, std::vector<Value>& values) {
    const Location where = tree[node].where;
    if (operands.empty() || (quotient && operands.size() != 2))
      throw Error(quotient ? "a quotient has two terms" : "a product needs a term", where);
    Form result = std::move(form(tree, operands[0], values));
    for (std::size_t i = 1; i < operands.size(); ++i) {
      Form& factor = form(tree, operands[i], values);
      if (quotient && (!factor.is_number() || factor.constant == 0))
        throw Error("can only divide by a number that is not 0", where);
      if (quotient) factor.constant = 1 / factor.constant;
      if (!factor.is_number() && !result.is_number())
        throw Error("a product of two variables is not linear", where);
      if (!factor.is_number()) std::swap(result, factor);
      scale(result, factor.constant, where);
    }
    return result;
  }

  void add_to(Form& target, const Form& other, int sign, Location where) {
    for (const auto& [variable, coefficient] : other.coefficients) {
      Rational& sum = target.coefficients[variable];
      if (sign < 0)
        sum -= coefficient;
      else
        sum += coefficient;
      charge(sum, where);
      if (sum == 0) target.coefficients.erase(variable);
    }
    if (sign < 0)
      target.constant -= other.constant;
    else
      target.constant += other.constant;
    charge(target.constant, where);
  }

  void scale(Form& form, const Rational& factor, Location where) {
    if (factor == 0) form.coefficients.clear();
    for (auto& [variable, coefficient] : form.coefficients) {
      coefficient *= factor;
      charge(coefficient, where);
    }
    form.constant *= factor;
    charge(form.constant, where);
  }

  /// Counts an operation with this result.
  void charge(const Rational& number, Location where) {
    constexpr std::size_t bits_per_digit = 4;
    const std::size_t bits =
        mpz_sizeinbase(number.get_num_mpz_t(), 2) + mpz_sizeinbase(number.get_den_mpz_t(), 2);
    if (bits > bits_per_digit * caps::number_digits)
      throw Error("a number has too many digits", where);
    const std::size_t words = 1 + bits / 64;
    work_ += words * words;
    if (work_ > most_work) throw Error("the terms of the property are too long", where);
  }

  Truth add(PropertyNode node) {
    property_.nodes.push_back(std::move(node));
    return {static_cast<std::uint32_t>(property_.nodes.size() - 1)};
  }

  /// Numbers the variables: inputs, then outputs.
  Property finish() {
    std::size_t counts[2] = {0, 0};
    for (const auto& [number, where] : declared_) ++counts[number % 2];
    for (const auto& [number, where] : declared_)
      if (number / 2 >= counts[number % 2])
        throw Error(std::string(number % 2 == 0 ? "X_" : "Y_") + std::to_string(number / 2) +
                        " is declared, but not all before it; there are " +
                        std::to_string(counts[number % 2]),
                    where);
    if (counts[0] == 0) throw Error("there is no input; declare X_0", {1, 1});
    if (counts[1] == 0) throw Error("there is no output; declare Y_0", {1, 1});
    property_.inputs = counts[0];
    property_.outputs = counts[1];
    for (PropertyNode& node : property_.nodes) {
      auto& coefficients = node.atom.form.coefficients;
      for (auto& [variable, coefficient] : coefficients)
        variable = variable % 2 == 0 ? variable / 2 : property_.output(variable / 2);
      std::ranges::sort(coefficients, {}, &std::pair<Variable, Rational>::first);
    }
    return std::move(property_);
  }

  std::map<Variable, Location> declared_;
  Property property_;
  std::size_t work_ = 0;
};

}  // namespace

Property read_vnnlib(const Source& source) { return Reader().read(source); }

}  // namespace wmi::frontends
