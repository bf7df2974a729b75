#pragma once

#include "frontends/networks/onnx/model.h"

namespace wmi::frontends::onnx {

/// Replaces x (1 + erf(x / sqrt(2))) / 2, as exporters write Gelu in terms of Erf, by an operator
/// Gelu: its last node becomes one, and the others are no longer needed. A constant stands for
/// sqrt(2) if it is the float nearest to it, in one of the precisions.
void replace_gelu_patterns(Model& model);

}  // namespace wmi::frontends::onnx
