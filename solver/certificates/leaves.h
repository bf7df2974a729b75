#pragma once

#include <span>
#include <vector>

#include "solver/certificates/certificate_writer.h"
#include "solver/geometry/region.h"

namespace wmi {

/// Writes a cell or an open region: the polytopes of the product with their vertices. `reals` are
/// the variables of the coordinates.
void write_region(CertificateWriter& out, CertificateNode kind, const Region& region,
                  std::span<const Variable> reals);

/// Writes a split that adds a row implied by the others: its other side has no volume, as Farkas
/// multipliers show. Throws GaveUp if the rows do not imply it.
void write_implied(CertificateWriter& out, const LinearForm& row, std::span<const LinearForm> rows);

}  // namespace wmi
