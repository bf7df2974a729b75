#pragma once

#include <string>

#include "frontends/learning/prediction.h"

namespace wmi::frontends {

/// A prediction as one line of JSON, from which it can be read again to the last bit.
std::string to_text(const Prediction& prediction);
/// Throws Error.
Prediction parse_prediction(const std::string& text);

/// The shortest text of a double that reads back as it; also `nan` and `inf`.
std::string exact_text(double value);
/// Throws Error.
double parse_exact_double(const std::string& text);

}  // namespace wmi::frontends
