#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/normalised_box.h"
#include "solver/terms/problem.h"

namespace wmi {

/// The formulas and affine forms of a problem, laid out in arrays for doubles: what an
/// `EnclosedBranch` walks.
///
/// A *row* is an affine form in declared and defined reals: that of an atom, or a branch of a
/// definition. The declared part is `base`, in normalised coordinates and with its error; of each
/// defined real there is a coefficient. An atom and a branch that are multiples of each other, as in
/// (ite (> a 0) a 0), share a row.
class CompiledForms {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Term {
    std::uint32_t definition;  // by number in `definitions`
    double coefficient;        // within 2 units of roundoff
  };
  struct AtomRow {
    std::uint32_t row = none;
    double sign = 1;  // the atom's form is a positive multiple of sign * row
  };
  struct DefinedReal {
    std::uint32_t node;
    Variable variable;
    Formula condition;
    std::uint32_t then, otherwise;  // rows
  };

  /// Of the nodes in `cone`. Requires that no real is derived. Null if a definition is not affine,
  /// something is a Boolean, or a number is too large or too small.
  static std::shared_ptr<const CompiledForms> compile(const Problem& problem,
                                                      std::span<const std::uint32_t> cone,
                                                      NormalisedBox box);

  const Problem& problem() const { return *problem_; }
  const NormalisedBox& box() const { return box_; }
  std::size_t dimension() const { return box_.dimension(); }
  /// Numbers in a row: the constant and one for each coordinate.
  std::size_t width() const { return box_.dimension() + 1; }

  std::size_t row_count() const { return row_starts_.size() - 1; }
  std::span<const Term> terms(std::uint32_t row) const { return slice(terms_, row_starts_, row); }
  const double* base(std::uint32_t row) const { return bases_.data() + row * width(); }
  /// Of the base alone, where no defined real adds to it; and where some do.
  double base_error(std::uint32_t row) const { return base_errors_[row]; }
  double summed_base_error(std::uint32_t row) const { return summed_base_errors_[row]; }
  std::span<const std::uint32_t> atoms_of(std::uint32_t row) const {
    return slice(row_atoms_, row_atom_starts_, row);
  }
  std::span<const std::uint32_t> definitions_of(std::uint32_t row) const {
    return slice(row_definitions_, row_definition_starts_, row);
  }

  const std::vector<DefinedReal>& definitions() const { return definitions_; }
  std::uint32_t definition_of(Variable variable) const { return definition_numbers_[variable]; }
  /// The rows in which a defined real occurs.
  std::span<const std::uint32_t> users(std::uint32_t definition) const {
    return slice(users_, user_starts_, definition);
  }
  const AtomRow& atom_row(std::uint32_t node) const { return atom_rows_[node]; }

  /// Conjunctions, choices and definitions (by node) of which a node is a child or the condition.
  std::span<const std::uint32_t> parents(std::uint32_t node) const {
    return slice(parents_, parent_starts_, node);
  }
  std::uint32_t definition_at(std::uint32_t node) const { return definition_nodes_[node]; }
  std::span<const std::uint32_t> cone() const { return cone_; }

  /// Bounds the rounding of a sum of products: see `EnclosedBranch::work_out`.
  double rounding() const { return rounding_; }
  /// A factor that makes up for the rounding of the bound itself; and for a sum longer than all that
  /// were compiled, for its own rounding, which `rounding` does not cover.
  double inflation(std::size_t terms) const;

  /// The row of a polynomial that was not compiled, in the same form; nullopt if it is not affine
  /// or a number is too large or too small.
  struct Loose {
    std::vector<Term> terms;
    std::vector<double> base;
    double base_error, summed_base_error;
  };
  std::optional<Loose> loose_row(const Polynomial& polynomial) const;

  /// Such a polynomial with its row, if it has one: what is evaluated again and again.
  struct LoosePolynomial {
    Polynomial polynomial;
    std::optional<Loose> row;
  };
  LoosePolynomial loose(const Polynomial& polynomial) const {
    return {polynomial, loose_row(polynomial)};
  }

 private:
  CompiledForms() = default;

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all,
                                  const std::vector<std::uint32_t>& starts, std::size_t i) {
    return std::span(all).subspan(starts[i], starts[i + 1] - starts[i]);
  }
  std::uint32_t add_row(const Polynomial& polynomial);

  const Problem* problem_ = nullptr;
  NormalisedBox box_;
  std::vector<std::uint32_t> cone_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> row_starts_{0};
  std::vector<double> bases_, base_errors_, summed_base_errors_;
  std::vector<std::uint32_t> row_atoms_, row_atom_starts_, row_definitions_, row_definition_starts_;
  std::vector<DefinedReal> definitions_;
  std::vector<std::uint32_t> definition_numbers_;  // by variable
  std::vector<std::uint32_t> definition_nodes_;    // by node
  std::vector<std::uint32_t> users_, user_starts_;
  std::vector<AtomRow> atom_rows_;  // by node
  std::vector<std::uint32_t> parents_, parent_starts_;
  std::size_t longest_ = 0;  // terms of a row, the constant included
  double rounding_ = 0;
};

}  // namespace wmi
