#pragma once

#include <optional>

#include "solver/smooth/smooth_integrand.h"
#include "solver/terms/linear_form.h"

namespace wmi {

/// An integrand all of whose functions depend on one linear form: the integrand in that form's value
/// s, without its factor.
struct Ridge {
  LinearForm form;
  SmoothIntegrand along;  // one-dimensional, with factor 1
};

/// nullopt if the functions depend on more than one form.
std::optional<Ridge> find_ridge(const SmoothIntegrand& integrand);

}  // namespace wmi
