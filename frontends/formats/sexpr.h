#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// A node of a parenthesised expression.
struct Sexpr {
  enum class Kind : std::uint8_t { symbol, number, string, keyword, list };

  Kind kind;
  std::string text;   // without quotes: |a b| is the symbol `a b`, "x" the string `x`, :at is `at`
  Location where;     // of its first character
  std::uint32_t end;  // one past its last descendant
};

/// An expression in preorder: the first child of node i is i + 1, the sibling after c is
/// `tree[c].end`, and the children of i end at `tree[i].end`. A loop walks it, never recursion.
using Tree = std::vector<Sexpr>;

/// The children of node `node`.
std::vector<std::uint32_t> children(const Tree& tree, std::uint32_t node);

/// The expression on one line with single spaces, symbols quoted where SMT-LIB needs it.
std::string to_string(const Tree& tree, std::uint32_t node = 0);

/// A symbol as SMT-LIB writes it: `x`, `|fc2.weight[0,3]|`; `|a%7Cb|` for a|b, which no quotes hold.
std::string quoted_symbol(std::string_view name);

/// What bars and digits mean. SMT-LIB quotes symbols with bars; in the Lisp formats `|` is the
/// symbol "or", and what begins with a digit is a number whatever follows, such as `1/3`.
enum class Lexicon : std::uint8_t { smtlib, lisp };

/// Reads expressions one after the other. Comments run from `;` to the end of the line.
///
///     SexprReader reader("(assert (<= 0 x)) (get-wmi)");
///     while (const std::optional<Tree> tree = reader.next()) ...
class SexprReader {
 public:
  /// `start` is the place of the first character in its file.
  explicit SexprReader(std::string_view text, Location start = {1, 1},
                       Lexicon lexicon = Lexicon::smtlib);

  /// The next expression, or nothing at the end. Throws Error (with its place) on text that is
  /// not an expression: an unmatched parenthesis, an unclosed string, a byte that no text has.
  std::optional<Tree> next();

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  Location where_;
  Lexicon lexicon_;
};

}  // namespace wmi::frontends
