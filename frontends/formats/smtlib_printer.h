#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/terms/query.h"

namespace wmi::frontends {

/// Prints the terms below some roots as SMT-LIB, with names for shared subterms.
///
/// Terms are graphs, and as trees they can be exponentially larger. So every definition, and every
/// formula that is used more than once or nested too deeply, gets a name (a macro in a script, a
/// `let` in a query) and is printed once. Names are defined in the order of the nodes, children
/// first, so that reading the text back gives equal terms.
class TermPrinter {
 public:
  struct Named {
    std::string name;
    std::string sort;
    std::string term;
  };

  TermPrinter(const Terms& terms, std::span<const Formula> formulas,
              std::span<const Polynomial> polynomials,
              const std::map<Variable, UnitName>& given_names = {},
              std::string formula_prefix = "f", std::string real_prefix = "r");

  /// The named nodes, each after those that it uses.
  const std::vector<Named>& named() const { return named_; }

  std::string print(Formula formula) const;
  std::string print(const Polynomial& polynomial) const;

  /// The name as a symbol, changed if it is taken.
  std::string free_name(std::string name) const;

 private:
  void choose_prefixes();
  void count_uses(std::span<const std::uint32_t> nodes, std::span<const Formula> roots);
  std::string print(Variable variable) const;
  std::string print(const Definition& definition) const;
  std::string print_atom(const Atom& atom, bool negated) const;
  /// The formula of a node, written out even if it has a name.
  std::string print_content(Formula formula) const;

  const Terms& terms_;
  std::string formula_prefix_, real_prefix_;
  // By node; only those that are printed, since a query is a small part of all terms.
  std::unordered_map<std::uint32_t, std::size_t> uses_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::vector<Named> named_;
};

/// `2`, `(/ 1 3)`, `(- 2)`, `(- (/ 1 3))`.
std::string literal(const Rational& number);

}  // namespace wmi::frontends
