#include "frontends/ciber/event.h"

#include <cctype>
#include <vector>

#include "solver/error.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t longest = 100'000;  // characters
constexpr unsigned deepest = 200;         // parentheses and signs

class Parser {
 public:
  Parser(std::string_view text, Terms& terms, const Names& names)
      : text_(text), terms_(terms), names_(names) {
    if (text.size() > longest) throw Error("the event is too long");
  }

  Formula event() {
    Formula result = conjunct();
    while (word("or")) result = terms_.either(result, conjunct());
    if (!at_end()) fail("expected a comparison, 'and' or 'or'");
    return result;
  }

 private:
  Formula conjunct() {
    Formula result = literal();
    while (word("and")) result = terms_.both(result, literal());
    return result;
  }

  Formula literal() {
    if (word("not")) return !literal_chain();
    return literal_chain();
  }

  Formula literal_chain() {
    Polynomial left = sum();
    std::vector<Formula> all;
    while (const std::optional<std::string> sign = comparison()) {
      const Polynomial right = sum();
      all.push_back(compare(left, *sign, right));
      left = right;
    }
    if (all.empty()) fail("expected <, <=, >, >=, = or !=");
    return terms_.all(all);
  }

  Formula compare(const Polynomial& a, const std::string& sign, const Polynomial& b) {
    if (sign == "<") return terms_.less(a, b);
    if (sign == "<=") return terms_.less_equal(a, b);
    if (sign == ">") return terms_.less(b, a);
    if (sign == ">=") return terms_.less_equal(b, a);
    return sign == "=" ? terms_.equal(a, b) : !terms_.equal(a, b);
  }

  Polynomial sum() {
    Polynomial result = product();
    for (;;) {
      if (symbol('+'))
        result += product();
      else if (symbol('-'))
        result -= product();
      else
        return result;
    }
  }

  Polynomial product() {
    Polynomial result = factor();
    for (;;) {
      if (symbol('*')) {
        result = result * factor();
      } else if (symbol('/')) {
        const Polynomial divisor = factor();
        if (!divisor.constant() || divisor.zero())
          fail("can only divide by a number that is not 0");
        result *= 1 / divisor.constant_term();
      } else {
        return result;
      }
    }
  }

  Polynomial factor() {
    if (++depth_ > deepest) fail("too many parentheses");
    struct Leave {
      unsigned& depth;
      ~Leave() { --depth; }
    } const leave{depth_};
    if (symbol('-')) return -factor();
    if (symbol('(')) {
      Polynomial result = sum();
      if (!symbol(')')) fail("expected )");
      return result;
    }
    skip();
    const std::size_t start = next_;
    const std::string name = scan_name();
    if (!name.empty())
      if (const std::optional<Polynomial> value = names_(name)) return *value;
    next_ = start;
    if (next_ < text_.size() && (std::isdigit(byte()) != 0 || text_[next_] == '.')) {
      while (next_ < text_.size() &&
             (std::isalnum(byte()) != 0 || text_[next_] == '.' ||
              ((text_[next_] == '-' || text_[next_] == '+') && (text_[next_ - 1] | 32) == 'e')))
        ++next_;
      return parse_number(text_.substr(start, next_ - start));
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

Formula parse_event(std::string_view text, Terms& terms, const Names& names) {
  return Parser(text, terms, names).event();
}

Rational parse_fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_number(text);
  const Rational denominator = parse_number(text.substr(slash + 1));
  if (denominator == 0) throw Error("'" + std::string(text) + "' divides by 0");
  return parse_number(text.substr(0, slash)) / denominator;
}

}  // namespace wmi::frontends
