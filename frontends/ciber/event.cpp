#include "frontends/ciber/event.h"

#include <cctype>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t longest = 100'000;  // characters
constexpr unsigned deepest = 200;         // parentheses and signs

// Sums and multiples of bounded terms.

Term operator+(const Term& a, const Term& b) {
  Term result{a.lower + b.lower};
  if (!a.exact() || !b.exact()) result.above = a.upper() + b.upper();
  return result;
}

Term scaled(const Rational& factor, const Term& a) {
  const Polynomial by(factor);
  if (a.exact()) return {by * a.lower};
  return factor < 0 ? Term{by * a.upper(), by * a.lower} : Term{by * a.lower, by * a.upper()};
}

class Parser {
 public:
  Parser(std::string_view text, Terms& terms, const Names& names)
      : text_(text), terms_(terms), names_(names) {
    if (text.size() > longest) throw Error("the event is too long");
  }

  Event event() {
    Event result = conjunct();
    while (word("or")) {
      const Event other = conjunct();
      result = {terms_.either(result.certain, other.certain),
                terms_.either(result.possible, other.possible)};
    }
    if (!at_end()) fail("expected a comparison, 'and' or 'or'");
    return result;
  }

 private:
  Event conjunct() {
    Event result = literal();
    while (word("and")) result = both(result, literal());
    return result;
  }

  Event both(const Event& a, const Event& b) {
    return {terms_.both(a.certain, b.certain), terms_.both(a.possible, b.possible)};
  }

  Event literal() {
    if (word("not")) return !literal_chain();
    return literal_chain();
  }

  Event literal_chain() {
    Term left = sum();
    std::vector<Formula> certain, possible;
    while (const std::optional<std::string> sign = comparison()) {
      const Term right = sum();
      const Event next = compare(left, *sign, right);
      certain.push_back(next.certain);
      possible.push_back(next.possible);
      left = right;
    }
    if (certain.empty()) fail("expected <, <=, >, >=, = or !=");
    return {terms_.all(certain), terms_.all(possible)};
  }

  Event compare(const Term& a, const std::string& sign, const Term& b) {
    if (sign == "<") return less(a, b);
    if (sign == "<=") return !less(b, a);
    if (sign == ">") return less(b, a);
    if (sign == ">=") return !less(a, b);
    return sign == "=" ? equal(a, b) : !equal(a, b);
  }

  Event less(const Term& a, const Term& b) {
    return {terms_.less(a.upper(), b.lower), terms_.less(a.lower, b.upper())};
  }

  Event equal(const Term& a, const Term& b) {
    if (a.exact() && b.exact()) {
      const Formula same = terms_.equal(a.lower, b.lower);
      return {same, same};
    }
    return both(!less(a, b), !less(b, a));
  }

  Term sum() {
    Term result = product();
    for (;;) {
      if (symbol('+'))
        result = result + product();
      else if (symbol('-'))
        result = result + scaled(-1, product());
      else
        return result;
    }
  }

  Term product() {
    Term result = factor();
    for (;;) {
      if (symbol('*')) {
        result = times(result, factor());
      } else if (symbol('/')) {
        const Term divisor = factor();
        if (!number(divisor) || divisor.lower.zero())
          fail("can only divide by a number that is not 0");
        result = scaled(1 / divisor.lower.constant_term(), result);
      } else {
        return result;
      }
    }
  }

  static bool number(const Term& term) { return term.exact() && term.lower.constant(); }

  Term times(const Term& a, const Term& b) const {
    if (number(a)) return scaled(a.lower.constant_term(), b);
    if (number(b)) return scaled(b.lower.constant_term(), a);
    if (!a.exact() || !b.exact())
      fail("what comes after a smooth layer can only be multiplied by a number");
    return {a.lower * b.lower};
  }

  Term factor() {
    if (++depth_ > deepest) fail("too many parentheses");
    struct Decrement {
      unsigned& depth;
      ~Decrement() { --depth; }
    } const on_return{depth_};
    if (symbol('-')) return scaled(-1, factor());
    if (symbol('(')) {
      Term result = sum();
      if (!symbol(')')) fail("expected )");
      return result;
    }
    skip();
    const std::size_t start = next_;
    const std::string name = scan_name();
    if (!name.empty())
      if (const std::optional<Term> value = names_(name)) return *value;
    next_ = start;
    if (next_ < text_.size() && (std::isdigit(byte()) != 0 || text_[next_] == '.')) {
      while (next_ < text_.size() &&
             (std::isalnum(byte()) != 0 || text_[next_] == '.' ||
              ((text_[next_] == '-' || text_[next_] == '+') && (text_[next_ - 1] | 32) == 'e')))
        ++next_;
      return {Polynomial(parse_number(text_.substr(start, next_ - start)))};
    }
    if (name.empty()) fail("expected a name or a number");
    fail("'" + name + "' is nothing here; outputs are out[0], out[1], ...");
  }

  /// Letters, digits, `_`, `.` and indices, which may have commas.
  std::string scan_name() {
    const std::size_t start = next_;
    while (next_ < text_.size() && part_of_name(text_[next_]))
      if (text_[next_++] == '[')
        while (next_ < text_.size() && text_[next_ - 1] != ']') ++next_;
    return std::string(text_.substr(start, next_ - start));
  }

  static bool part_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '[';
  }

  unsigned char byte() const { return static_cast<unsigned char>(text_[next_]); }

  void skip() {
    while (next_ < text_.size() && std::isspace(byte()) != 0) ++next_;
  }

  bool at_end() {
    skip();
    return next_ == text_.size();
  }

  bool symbol(char sought) {
    skip();
    if (next_ == text_.size() || text_[next_] != sought) return false;
    ++next_;
    return true;
  }

  bool word(std::string_view sought) {
    skip();
    const std::string_view rest = text_.substr(next_);
    if (!rest.starts_with(sought) ||
        (rest.size() > sought.size() && part_of_name(rest[sought.size()])))
      return false;
    next_ += sought.size();
    return true;
  }

  std::optional<std::string> comparison() {
    skip();
    for (const std::string_view sign : {"<=", ">=", "!=", "<", ">", "="})
      if (text_.substr(next_).starts_with(sign)) {
        next_ += sign.size();
        return std::string(sign);
      }
    return std::nullopt;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("event '" + std::string(text_) + "': at character " + std::to_string(next_ + 1) +
                ": " + what);
  }

  std::string_view text_;
  Terms& terms_;
  const Names& names_;
  std::size_t next_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

Event parse_event(std::string_view text, Terms& terms, const Names& names) {
  return Parser(text, terms, names).event();
}

}  // namespace wmi::frontends
