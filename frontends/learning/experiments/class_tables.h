#pragma once

#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/forecast.h"
#include "bnn/data/observation.h"
#include "frontends/learning/experiments/resnet20_workspace.h"

namespace wmi::frontends {

/// The probabilities of the classes for all test images, image by image.
using ClassTable = std::vector<double>;

inline const bnn::Observation softmax_observation{bnn::Observation::Kind::softmax, {}, 0};

/// The softmax of the logits of one sample.
ClassTable plain_table(const HeadSample& sample);

/// The mean softmax of a collapsed sample, jointly over all logits; or, with `authors`, by the
/// authors' formula for one unknown weight of each class.
ClassTable collapsed_table(const HeadSample& sample, const bnn::CollapsedSample& collapsed,
                           bool authors, unsigned threads);

/// The mean of some tables, as forecasts.
std::vector<bnn::Forecast> average(std::span<const ClassTable> tables);

/// So many of the tables, evenly spaced, the last one among them.
std::vector<ClassTable> evenly(std::span<const ClassTable> tables, std::size_t count);

}  // namespace wmi::frontends
