// The lexicon of SMT-LIB 2.6, slightly extended: a symbol is any run of characters without another
// meaning, so that the operators and names of the Lisp formats are symbols too. Open lists are kept
// on a stack of our own, so that nesting cannot overflow the call stack.

#include "frontends/formats/sexpr.h"

#include <algorithm>
#include <string>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/common/utf8.h"

namespace wmi::frontends {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The characters of an unquoted symbol in SMT-LIB.
bool is_symbol_character(char c) {
  constexpr std::string_view signs = "~!@$%^&*_-+=<>.?/";
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         signs.find(c) != std::string_view::npos;
}

/// Digits, optionally with a fraction and an exponent.
bool is_number(std::string_view token) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t start = i;
    while (i < token.size() && is_digit(token[i])) ++i;
    return i > start;
  };
  if (!digits()) return false;
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == token.size();
}

std::string hexadecimal(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte / 16], digits[byte % 16]};
}

/// Consumes a text, counting lines and columns.
struct Lexer {
  std::string_view text;
  std::size_t& position;
  Location& where;
  Lexicon lexicon;

  bool done() const { return position == text.size(); }
  char peek() const { return text[position]; }

  /// Consumes one UTF-8 character; throws Error if it is not text.
  void advance() {
    const char c = peek();
    const bool control = (static_cast<unsigned char>(c) < 0x20 && !is_space(c)) || c == 0x7f;
    const std::size_t length = utf8_length(text.substr(position, 4));
    if (control || length == 0)
      throw Error("byte " + hexadecimal(c) + " is not text; is this a binary file?", where);
    position += length;
    if (c == '\n')
      where = {where.line + 1, 1};
    else
      where.column += length;
  }

  void skip_space() {
    while (!done()) {
      if (is_space(peek())) {
        advance();
      } else if (peek() == ';') {
        while (!done() && peek() != '\n') advance();
      } else {
        return;
      }
    }
  }

  bool quotes_symbol(char c) const { return c == '|' && lexicon == Lexicon::smtlib; }

  bool ends_token(char c) const {
    return is_space(c) || c == '(' || c == ')' || c == ';' || c == '"' || quotes_symbol(c);
  }

  /// Consumes an unquoted token.
  std::string_view token() {
    const std::size_t start = position;
    while (!done() && !ends_token(peek())) advance();
    return text.substr(start, position - start);
  }

  /// Consumes a quoted token; in a string a doubled quote is one quote.
  std::string quoted(char quote, const char* name) {
    const Location start = where;
    std::string result;
    advance();
    while (!done()) {
      if (peek() == quote) {
        advance();
        if (quote == '|' || done() || peek() != quote) return result;
      } else if (quote == '|' && peek() == '\\') {
        throw Error("a quoted symbol cannot contain '\\'", where);
      }
      const std::size_t before = position;
      advance();
      result += text.substr(before, position - before);
    }
    throw Error(std::string("this ") + name + " is never closed", start);
  }

  Sexpr atom() {
    const Location start = where;
    if (peek() == '"') return {Sexpr::Kind::string, quoted('"', "string"), start, 0};
    if (quotes_symbol(peek())) return {Sexpr::Kind::symbol, quoted('|', "quoted symbol"), start, 0};
    const std::string_view found = token();
    if (is_digit(found[0])) {
      if (lexicon == Lexicon::smtlib && !is_number(found)) {
        const bool fraction = found.find('/') != std::string_view::npos;
        throw Error("'" + shortened(found) + "' is not a number" +
                        (fraction ? "; a fraction is written (/ 1 3)" : ""),
                    start);
      }
      return {Sexpr::Kind::number, std::string(found), start, 0};
    }
    if (found[0] == ':') {
      const std::string_view name = found.substr(1);
      if (name.empty() || !std::all_of(name.begin(), name.end(), is_symbol_character))
        throw Error("'" + shortened(found) + "' is not a keyword", start);
      return {Sexpr::Kind::keyword, std::string(name), start, 0};
    }
    return {Sexpr::Kind::symbol, std::string(found), start, 0};
  }
};

}  // namespace

std::vector<std::uint32_t> children(const Tree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t child = node + 1; child < tree[node].end; child = tree[child].end)
    result.push_back(child);
  return result;
}

std::string quoted_symbol(std::string_view name) {
  const bool simple = !name.empty() && !is_digit(name[0]) &&
                      std::all_of(name.begin(), name.end(), is_symbol_character);
  if (simple) return std::string(name);
  const bool quotable = name.find_first_of("|\\") == std::string_view::npos;
  std::string result = "|";
  for (const char c : name) {
    if (c == '|')
      result += "%7C";
    else if (c == '\\')
      result += "%5C";
    else if (c == '%' && !quotable)
      result += "%25";
    else
      result += c;
  }
  return result + "|";
}

std::string to_string(const Tree& tree, std::uint32_t node) {
  std::string result;
  std::vector<std::uint32_t> open;  // indices of the open lists
  for (std::uint32_t i = node; i < tree[node].end; ++i) {
    const Sexpr& here = tree[i];
    if (!result.empty() && result.back() != '(') result += ' ';
    switch (here.kind) {
      case Sexpr::Kind::symbol:
        result += quoted_symbol(here.text);
        break;
      case Sexpr::Kind::number:
        result += here.text;
        break;
      case Sexpr::Kind::keyword:
        result += ':' + here.text;
        break;
      case Sexpr::Kind::string:
        result += '"';
        for (const char c : here.text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
        result += '"';
        break;
      case Sexpr::Kind::list:
        result += '(';
        open.push_back(here.end);
        break;
    }
    while (!open.empty() && open.back() == i + 1) {
      result += ')';
      open.pop_back();
    }
  }
  return result;
}

SexprReader::SexprReader(std::string_view text, Location start, Lexicon lexicon)
    : text_(text), where_(start), lexicon_(lexicon) {
  if (text_.starts_with(byte_order_mark)) {
    text_.remove_prefix(byte_order_mark.size());
    where_.column += byte_order_mark.size();
  }
}

std::optional<Tree> SexprReader::next() {
  Lexer lexer{text_, position_, where_, lexicon_};
  Tree tree;
  std::vector<std::uint32_t> open;
  do {
    lexer.skip_space();
    if (lexer.done()) {
      if (open.empty()) return std::nullopt;
      throw Error("this '(' is never closed", tree[open.back()].where);
    }
    const auto here = static_cast<std::uint32_t>(tree.size());
    if (lexer.peek() == '(') {
      if (open.size() == caps::nesting)
        throw Error("parentheses nested deeper than " + std::to_string(caps::nesting), where_);
      tree.push_back({Sexpr::Kind::list, "", where_, 0});
      open.push_back(here);
      lexer.advance();
    } else if (lexer.peek() == ')') {
      if (open.empty()) throw Error("this ')' closes nothing", where_);
      lexer.advance();
      tree[open.back()].end = here;
      open.pop_back();
    } else {
      tree.push_back(lexer.atom());
      tree.back().end = here + 1;
    }
  } while (!open.empty());
  return tree;
}

}  // namespace wmi::frontends
