#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "bnn/data/observation.h"
#include "frontends/python/core/collapsed_model.h"

namespace wmi::python {

/// A likelihood by its names. Throws Error that lists them.
bnn::Observation to_observation(const std::string& kind, const std::string& link,
                                double least_variance);

/// A collapsed model as tuples, texts, numbers and arrays, for pickles and files.
pybind11::tuple to_state(const CollapsedModel& model);
/// The model again, from what may come from a stranger. Throws Error if its parts do not fit.
std::shared_ptr<CollapsedModel> from_state(const pybind11::tuple& state);

}  // namespace wmi::python
