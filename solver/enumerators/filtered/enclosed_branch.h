#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/filtered/ball_polynomial.h"
#include "solver/enumerators/filtered/compiled_forms.h"
#include "solver/geometry/enclosed_form.h"

namespace wmi {

/// A partial assignment, as a Branch is, but with the forms of atoms and the values of defined reals
/// as doubles with proven errors: layer by layer, in contiguous arrays.
///
/// A row is *ready* when all defined reals in it have a value; its form is worked out at that moment.
class EnclosedBranch {
 public:
  explicit EnclosedBranch(std::shared_ptr<const CompiledForms> forms);

  const CompiledForms& forms() const { return *forms_; }
  const std::vector<PathDecision>& decisions() const { return decisions_; }
  /// Decides an atom that is unknown.
  void decide(PathDecision decision);
  void undo();

  Truth truth(Formula formula) const {
    const Truth positive = truth_[formula.node()];
    return formula.negated() ? !positive : positive;
  }
  bool resolved(std::uint32_t definition) const {
    return value_rows_[definition] != CompiledForms::none;
  }

  /// The value of a resolved real: its coefficients, and what it adds to the error of a sum per unit
  /// of its factor; null if it is 0.
  const double* value_of(std::uint32_t definition) const {
    const std::uint32_t row = value_rows_[definition];
    return is_zero(row) ? nullptr : values_.data() + row * stride_;
  }

  /// The atoms whose rows are ready and that were not known when they became so, in that order.
  std::span<const std::uint32_t> ready_atoms() const { return ready_atoms_; }
  /// The form of a ready atom.
  bool ready(std::uint32_t atom) const { return open_terms_[forms_->atom_row(atom).row] == 0; }
  EnclosedForm form_of_atom(std::uint32_t atom) const {
    return form_of_row(forms_->atom_row(atom).row);
  }
  /// The atom's form is a positive multiple of this sign times that.
  double sign_of_atom(std::uint32_t atom) const { return forms_->atom_row(atom).sign; }

  /// A ready atom that the truth of the formula (unknown) may depend on.
  std::uint32_t open_in(Formula formula) const { return descend(formula.node()); }
  /// One that the value of a polynomial depends on; nullopt when all its reals are resolved.
  std::optional<std::uint32_t> open_in(const Polynomial& polynomial) const;
  /// Whether each term has a factor that is 0.
  bool vanishes(const Polynomial& polynomial) const;

  /// The value of a polynomial whose reals are resolved, in normalised coordinates.
  BallPolynomial value(const CompiledForms::LoosePolynomial& loose) const;
  BallPolynomial value(const Polynomial& polynomial) const {
    return value(forms_->loose(polynomial));
  }
  /// The same of an affine one as a form, whose coefficients go to `out`.
  EnclosedForm value(const CompiledForms::Loose& row, double* out) const;

 private:
  bool is_zero(std::uint32_t row) const { return sizes_[row] == 0 && errors_[row] == 0; }
  EnclosedForm form_of_row(std::uint32_t row) const {
    return {values_.data() + row * stride_, errors_[row], sizes_[row]};
  }
  void conclude(std::uint32_t node, Truth value);
  void propagate();
  void update(std::uint32_t node);
  void resolve(std::uint32_t definition);
  void make_ready(std::uint32_t row);
  void work_out(std::uint32_t row);
  void sum(std::span<const CompiledForms::Term> terms, const double* base, double base_error,
           double summed_base_error, double* out, double& error, double& size) const;
  std::uint32_t descend(std::uint32_t node) const;

  struct Mark {
    std::size_t known, ready;
  };

  const std::shared_ptr<const CompiledForms> forms_;
  const std::size_t stride_;  // a row's coefficients, then what it adds to errors
  std::vector<PathDecision> decisions_;
  std::vector<Mark> marks_;
  std::vector<Truth> truth_;               // by node
  std::vector<std::uint32_t> open_;        // children of a conjunction that are unknown, by node
  std::vector<std::uint32_t> open_terms_;  // defined reals without a value, by row
  std::vector<std::uint32_t> value_rows_;  // by definition: the row that is its value
  std::vector<double> values_, errors_, sizes_;  // by row
  std::vector<std::uint32_t> trail_;             // nodes that are known
  std::vector<std::uint32_t> ready_atoms_;
  std::size_t concluded_ = 0;
};

}  // namespace wmi
