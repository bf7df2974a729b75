#include "solver/certificates/leaves.h"

#include "solver/certificates/proof_state.h"
#include "solver/geometry/farkas.h"
#include "solver/terms/error.h"

namespace wmi {

void write_region(CertificateWriter& out, CertificateNode kind, const Region& region,
                  std::span<const Variable> reals) {
  out.tag(kind);
  out.natural(region.factors.size());
  for (const Region::Factor& factor : region.factors) {
    out.natural(factor.coordinates.size());
    for (const Variable coordinate : factor.coordinates) out.natural(reals[coordinate]);
    const Polytope& polytope = factor.polytope;
    out.natural(polytope.vertex_count());
    for (std::size_t v = 0, k = 0; v < polytope.vertex_count(); ++v) {
      out.natural(polytope.homogeneous_vertices()[k++]);
      for (std::size_t j = 0; j < polytope.dimension(); ++j)
        out.integer(polytope.homogeneous_vertices()[k++]);
    }
  }
}

void write_implied(CertificateWriter& out, const LinearForm& row,
                   std::span<const LinearForm> rows) {
  const std::optional<std::vector<Rational>> multipliers = implied_by(row, rows);
  if (!multipliers) throw GaveUp("no certificate: an atom is not implied by the path");
  out.tag(CertificateNode::split);
  out.form(-row);
  out.tag(CertificateNode::thin);
  Integer common = 1;
  std::size_t count = 1;  // the row of the other side
  for (const Rational& multiplier : *multipliers) {
    common = lcm(common, multiplier.get_den());
    count += multiplier != 0;
  }
  out.natural(count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((*multipliers)[i] == 0) continue;
    out.natural(i);
    out.natural(Integer((*multipliers)[i] * common));
  }
  out.natural(rows.size());
  out.natural(common);
}

}  // namespace wmi
