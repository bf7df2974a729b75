#pragma once

namespace wmi {

/// An affine form over the box [-1, 1]^n in doubles, constant first: at every point of the box its
/// exact value differs from that of the coefficients by at most `error`, and no value is larger than
/// `size`. The coefficients belong to somebody else.
struct EnclosedForm {
  const double* coefficients;
  double error;
  double size;
};

}  // namespace wmi
