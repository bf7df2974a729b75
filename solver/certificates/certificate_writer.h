#pragma once

#include <ostream>
#include <vector>

#include "solver/terms/linear_form.h"
#include "solver/terms/rational.h"

namespace wmi {

/// The nodes of a certificate's tree, by the byte that they begin with.
enum class CertificateNode : unsigned char {
  falsehood = 0,
  thin = 1,
  split = 2,
  branch_false_first = 3,
  branch_true_first = 4,
  pin = 5,
  fork = 6,
  cell = 7,
  product = 8,
  open = 9,
};

/// The kind of a claimed answer.
enum class CertificateClaim : unsigned char { undefined, exact, enclosed, point_mass, nothing };

/// Writes the numbers of a certificate: integers of any size in groups of seven bits, the lowest
/// first, each but the last with the high bit set; signed integers as 2n, or -2n-1 if negative.
class CertificateWriter {
 public:
  explicit CertificateWriter(std::ostream& out) : out_(out) {}

  void tag(CertificateNode node) { byte(static_cast<unsigned char>(node)); }
  void tag(CertificateClaim claim) { byte(static_cast<unsigned char>(claim)); }
  void natural(std::size_t value);
  void natural(const Integer& value);
  void integer(const Integer& value);
  void rational(const Rational& value);
  /// The number of variables; each with its coefficient; the constant. All integers.
  void form(const LinearForm& form);

 private:
  void byte(unsigned char value) { out_.put(static_cast<char>(value)); }

  std::ostream& out_;
};

}  // namespace wmi
