#pragma once

#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "frontends/check/set.h"
#include "solver/terms/linear_form.h"

namespace wmi::check {

/// The certificate does not prove its claims. The message says where and why.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The numbers of a certificate, one after the other: integers of any size in groups of seven bits,
/// the lowest first, each but the last with the high bit set; signed integers as 2n, or -2n-1 if
/// negative.
class Bytes {
 public:
  explicit Bytes(std::istream& in) : in_(in) {}

  std::size_t offset() const { return offset_; }

  void rewind();
  unsigned char byte();
  void expect(std::string_view text);
  void expect_end();
  bool next_is(int letter) const { return in_.peek() == letter; }
  /// A text, preceded by its length of at most `most` bytes.
  std::string text(std::size_t most);
  Integer natural();
  /// Throws Rejected beyond `most`.
  std::size_t count(std::size_t most);
  Integer integer();
  Rational rational();
  /// A set of numbers, preceded by its size; each is removed from `left`.
  Set share(Set& left);
  /// A form in variables below `variables`, ascending; not constant.
  LinearForm form(std::size_t variables);

 private:
  std::istream& in_;
  std::size_t offset_ = 0;
};

}  // namespace wmi::check
