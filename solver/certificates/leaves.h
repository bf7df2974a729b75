#pragma once

#include <span>
#include <vector>

#include "solver/certificates/certificate_writer.h"
#include "solver/geometry/region.h"

namespace wmi {

/// Writes a cell, or what is left open: its blocks with their vertices, the coordinates as these
/// reals.
void write_region(CertificateWriter& out, CertificateNode kind, const Region& region,
                  std::span<const Variable> reals);

/// Writes a split after which a row that the others imply is a row as well: on the other way there
/// is no volume, which Farkas multipliers show. Throws GaveUp if they do not imply it.
void write_implied(CertificateWriter& out, const LinearForm& row, std::span<const LinearForm> rows);

}  // namespace wmi
