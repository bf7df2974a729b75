#include "solver/certificates/certificate_writer.h"

namespace wmi {

void CertificateWriter::natural(std::size_t value) {
  for (; value >= 128; value >>= 7) byte(static_cast<unsigned char>(value | 128));
  byte(static_cast<unsigned char>(value));
}

void CertificateWriter::natural(const Integer& value) {
  if (value.fits_ulong_p()) return natural(value.get_ui());
  std::vector<unsigned char> groups((mpz_sizeinbase(value.get_mpz_t(), 2) + 6) / 7);
  std::size_t count = 0;
  mpz_export(groups.data(), &count, -1, 1, 0, 1, value.get_mpz_t());
  for (std::size_t i = 0; i < count; ++i)
    byte(static_cast<unsigned char>(groups[i] | (i + 1 < count ? 128 : 0)));
}

void CertificateWriter::integer(const Integer& value) {
  natural(value >= 0 ? Integer(2 * value) : Integer(-2 * value - 1));
}

void CertificateWriter::rational(const Rational& value) {
  integer(value.get_num());
  natural(value.get_den());
}

void CertificateWriter::form(const LinearForm& form) {
  natural(form.coefficients.size());
  for (const auto& [variable, coefficient] : form.coefficients) {
    natural(variable);
    integer(coefficient.get_num());
  }
  integer(form.constant.get_num());
}

}  // namespace wmi
