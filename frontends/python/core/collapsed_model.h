#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/predictive/predictive.h"
#include "solver/terms/interval.h"

namespace wmi::python {

/// One sample of a network that someone else runs: its last layer, a linear one, and what this
/// layer receives and returns on the training rows.
struct HeadSample {
  bnn::Matrix weight;
  std::vector<double> bias;  // empty: there is none
  double raw_variance = 0;   // of homoscedastic noise
  bnn::Activations training;
};

/// Samples of a network whose last layer is collapsed. Every question takes the activations of all
/// samples on the rows that it is about.
struct CollapsedModel {
  std::vector<bnn::CollapsedSample> samples;
};

using Model = std::shared_ptr<const CollapsedModel>;
using ManyActivations = std::shared_ptr<const std::vector<bnn::Activations>>;

// All of these throw Stopped when they are asked to stop.

/// Does the work for each row, in several threads.
void for_rows(std::size_t rows, unsigned threads, const std::stop_token& stop,
              const std::function<void(std::size_t row)>& work);

/// Collapses the last layer, named `head`. The targets are those of the training rows; a class is
/// its number. Throws Error that says what does not fit.
std::shared_ptr<CollapsedModel> collapse_head(const std::string& head,
                                              const bnn::Observation& observation,
                                              const std::vector<HeadSample>& samples,
                                              const std::vector<std::size_t>& trajectories,
                                              const std::vector<double>& targets,
                                              const bnn::CollapseOptions& options,
                                              const std::stop_token& stop);

/// Throws Error unless the numbers of samples, rows, features and outputs fit the model and all
/// numbers are finite.
void check_activations(const CollapsedModel& model,
                       const std::vector<bnn::Activations>& activations);

/// The law of the outcome of each row.
std::vector<bnn::Predictive> outcome_laws(const CollapsedModel& model,
                                          const std::vector<bnn::Activations>& activations,
                                          unsigned threads, const std::stop_token& stop);

/// The probability of each class, a row each.
bnn::Matrix class_probabilities(const CollapsedModel& model,
                                const std::vector<bnn::Activations>& activations, unsigned threads,
                                const std::stop_token& stop);

/// The output laws of one row, exactly for these activations.
std::vector<std::vector<bnn::OutputLaw<Rational>>> exact_laws(
    const CollapsedModel& model, const std::vector<bnn::Activations>& activations, std::size_t row);

}  // namespace wmi::python
