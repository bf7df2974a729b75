#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/enumerators/filtered/compiled_forms.h"
#include "solver/enumerators/filtered/enclosed_branch.h"
#include "solver/geometry/filtered_polytope.h"

namespace wmi {

/// Affine bounds, from below and above, of all defined reals over a region, whatever is still
/// undecided there: so a formula may be decided long before the reals in it are resolved.
///
/// A real that is resolved is its own bound. Others take the bounds of their branches: a maximum
/// with 0 the usual triangle (as in DeepPoly, Singh et al. 2019), anything else the hull of its
/// ranges. Ranges are taken over the vertices of the region, which is tighter than over any box.
class LinearBounds {
 public:
  explicit LinearBounds(std::shared_ptr<const CompiledForms> forms);

  /// Bounds all defined reals that are not resolved on the branch.
  void update(const EnclosedBranch& branch, const FilteredPolytope& region);

  /// After an update with the same arguments: the truth of an atom, as far as bounds decide it.
  Truth truth(std::uint32_t atom, const EnclosedBranch& branch, const FilteredPolytope& region);
  /// An enclosure of an affine polynomial's values.
  std::pair<double, double> range(const CompiledForms::Loose& row, const EnclosedBranch& branch,
                                  const FilteredPolytope& region);

 private:
  using Terms = std::span<const CompiledForms::Term>;

  /// The bounds of a row into `low_` and `high_`, and the range.
  std::pair<double, double> bound(Terms terms, const double* base, double base_error,
                                  double summed_base_error, const EnclosedBranch& branch,
                                  const FilteredPolytope& region);
  std::pair<double, double> bound(std::uint32_t row, const EnclosedBranch& branch,
                                  const FilteredPolytope& region);
  void bound_definition(std::uint32_t definition, const EnclosedBranch& branch,
                        const FilteredPolytope& region);
  void store(std::uint32_t definition);
  double size(const double* form) const;
  /// As a form of the region's box with no error: the bound already allows for it.
  EnclosedForm as_form(const std::vector<double>& form) const;

  const std::shared_ptr<const CompiledForms> forms_;
  const std::size_t width_, stride_;
  std::vector<bool> is_maximum_;       // by definition: max(row, 0), with the row as its condition
  std::vector<double> lower_, upper_;  // by definition; last what they add to errors
  std::vector<double> low_, high_;     // of the row at hand
};

}  // namespace wmi
