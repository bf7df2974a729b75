#include "tests/frontends/check/decoded.h"

#include <stdexcept>

#include "solver/certificate.h"

namespace wmi::tests {
namespace {

class Decoder {
 public:
  explicit Decoder(const std::string& text) : text_(text), at_(certificate_mark.size()) {}

  Decoded run(const std::vector<int>& intervals) {
    node();
    for (const int count : intervals) {
      const std::size_t kind = tag(Decoded::Role::claim);
      for (int i = 0; i < (kind == 1 ? count : kind == 2 ? 2 * count : 0); ++i) {
        number(Decoded::Kind::integer, Decoded::Role::claim);
        number(Decoded::Kind::natural, Decoded::Role::claim);
      }
    }
    if (at_ != text_.size()) throw std::runtime_error("the certificate goes on");
    return std::move(result_);
  }

 private:
  std::size_t tag(Decoded::Role role) {
    result_.numbers.push_back({Decoded::Kind::tag, role, byte()});
    return result_.numbers.back().value.get_ui();
  }

  unsigned long byte() { return static_cast<unsigned char>(text_.at(at_++)); }

  std::size_t number(Decoded::Kind kind, Decoded::Role role) {
    Integer value;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned long group = byte();
      value += Integer(group & 127) << shift;
      if (group < 128) break;
    }
    const std::size_t plain = value.get_ui();
    if (kind == Decoded::Kind::integer)
      value = value % 2 == 0 ? Integer(value / 2) : Integer(-(value + 1) / 2);
    result_.numbers.push_back({kind, role, value});
    return plain;
  }
  std::size_t natural(Decoded::Role role) { return number(Decoded::Kind::natural, role); }

  void form() {
    for (std::size_t left = natural(Decoded::Role::count); left > 0; --left) {
      natural(Decoded::Role::variable);
      number(Decoded::Kind::integer, Decoded::Role::coefficient);
    }
    number(Decoded::Kind::integer, Decoded::Role::coefficient);
  }

  void block() {
    const std::size_t dimension = natural(Decoded::Role::count);
    for (std::size_t i = 0; i < dimension; ++i) natural(Decoded::Role::variable);
    for (std::size_t left = natural(Decoded::Role::count); left > 0; --left) {
      natural(Decoded::Role::vertex);
      for (std::size_t i = 0; i < dimension; ++i)
        number(Decoded::Kind::integer, Decoded::Role::vertex);
    }
  }

  void node() {
    const std::size_t begin = result_.numbers.size();
    std::size_t children = 0;
    switch (tag(Decoded::Role::node)) {
      case 0:
        break;
      case 1:
        for (std::size_t left = natural(Decoded::Role::count); left > 0; --left) {
          natural(Decoded::Role::row);
          natural(Decoded::Role::multiplier);
        }
        break;
      case 2:
      case 5:
        form();
        children = 2;
        break;
      case 3:
      case 4:
        natural(Decoded::Role::boolean);
        children = 2;
        break;
      case 6:
        children = natural(Decoded::Role::count);
        for (std::size_t i = 0; i < children; ++i)
          for (std::size_t left = natural(Decoded::Role::count); left > 0; --left)
            natural(Decoded::Role::goal);
        break;
      case 7:
      case 9:
        for (std::size_t left = natural(Decoded::Role::count); left > 0; --left) block();
        break;
      case 8:
        children = natural(Decoded::Role::count);
        for (std::size_t i = 0; i < children; ++i)
          for (const Decoded::Role role : {Decoded::Role::variable, Decoded::Role::boolean})
            for (std::size_t left = natural(Decoded::Role::count); left > 0; --left) natural(role);
        break;
      default:
        throw std::runtime_error("no kind of node");
    }
    while (children-- > 0) node();
    result_.subtrees.push_back({begin, result_.numbers.size()});
  }

  const std::string& text_;
  std::size_t at_;
  Decoded result_;
};

}  // namespace

std::string Decoded::encoded() const {
  std::string result(certificate_mark);
  for (const Number& number : numbers) {
    if (number.kind == Kind::tag) {
      result += static_cast<char>(number.value.get_ui());
      continue;
    }
    Integer code = number.value;
    if (number.kind == Kind::integer) code = code >= 0 ? Integer(2 * code) : Integer(-2 * code - 1);
    for (; code >= 128; code >>= 7) result += static_cast<char>(Integer(code % 128).get_ui() | 128);
    result += static_cast<char>(code.get_ui());
  }
  return result;
}

Decoded decode(const std::string& certificate, const std::vector<int>& intervals) {
  return Decoder(certificate).run(intervals);
}

}  // namespace wmi::tests
