#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// A node of an s-expression.
struct Sexpr {
  enum class Kind : std::uint8_t { symbol, number, string, keyword, list };

  Kind kind;
  std::string text;   // without quotes: |a b| is the symbol `a b`, "x" the string `x`, :at is `at`
  Location where;     // of its first character
  std::uint32_t end;  // one past its last descendant
};

/// An expression in preorder: the first child of node i is i + 1, the sibling after c is
/// `tree[c].end`, and the children of i end at `tree[i].end`. It is walked by loops, without
/// recursion, so that no file can overflow the stack.
using Tree = std::vector<Sexpr>;

/// The indices of the children of a node.
std::vector<std::uint32_t> children(const Tree& tree, std::uint32_t node);

/// The expression on one line with single spaces, symbols quoted where SMT-LIB needs it.
std::string to_string(const Tree& tree, std::uint32_t node = 0);

/// A symbol as SMT-LIB writes it: `x`, `|fc2.weight[0,3]|`. A bar cannot be quoted: a|b is
/// `|a%7Cb|`.
std::string quoted_symbol(std::string_view name);

/// The meaning of bars and digits. SMT-LIB quotes symbols with bars; in the Lisp formats `|` is the
/// symbol "or", and every token that begins with a digit is a number, such as `1/3`.
enum class Lexicon : std::uint8_t { smtlib, lisp };

/// Reads expressions one after the other. Comments run from `;` to the end of the line. Not a
/// library's: errors need lines and columns, and numbers stay text.
///
///     SexprReader reader("(assert (<= 0 x)) (get-wmi)");
///     while (const std::optional<Tree> tree = reader.next()) to_string(*tree);
class SexprReader {
 public:
  /// `start` is the location of the first character in its file.
  explicit SexprReader(std::string_view text, Location start = {1, 1},
                       Lexicon lexicon = Lexicon::smtlib);

  /// The next expression, or nullopt at the end. Throws Error, with its location, for an unmatched
  /// parenthesis, an unclosed string, or a byte that is not text.
  std::optional<Tree> next();

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  Location where_;
  Lexicon lexicon_;
};

}  // namespace wmi::frontends
