#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnn/data/forecast.h"
#include "bnn/data/metrics.h"
#include "frontends/learning/pictures.h"

namespace wmi::frontends {

/// How every page starts.
inline constexpr std::string_view page_beginning =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"generator\" content=\"ciber report\">\n";

/// How much the samples of a run differ in one of its tensors.
struct TensorSpread {
  std::string name;
  std::size_t entries = 0;
  double size = 0;       // root mean square of the entries' means
  double deviation = 0;  // root mean square of their deviations over the samples
};

/// One row of the table of examples: inputs, outcome and forecast.
struct Example {
  std::string row;  // counted from 0, as `ciber predict` and `ciber explain` do
  std::vector<std::string> inputs;
  std::optional<double> outcome;
  bnn::Forecast forecast;
};

/// The content of a report; parts that are empty are left out.
struct ReportInput {
  std::string title;
  bool regression = true;
  std::string target;
  std::vector<std::string> classes;

  // What was trained.
  std::vector<std::pair<std::string, std::string>> facts;  // name and value
  std::vector<std::pair<std::string, std::string>> layers;
  std::string recipe;        // settings, a line each
  std::string choices = {};  // what the training chose, in words, and what alternatives scored
  std::vector<LossCurve> losses;
  std::size_t samples = 0;
  std::size_t trajectories = 0;
  std::vector<TensorSpread> spreads;
  /// The deviation of the mean over the samples relative to that of the noise, averaged over rows.
  std::optional<double> spread_to_noise;
  bool sampling_rate_chosen = false;  // by validation rows: then a small spread needs no advice

  // Forecasts and outcomes.
  std::string rows;  // which ones: `test.csv`
  std::string method;
  bool seen_in_training = false;  // scores of training rows are too good
  std::vector<bnn::Forecast> forecasts;
  std::vector<double> outcomes;
  std::optional<double> constant_guess;   // the mean of the training rows
  std::vector<double> class_shares = {};  // of the training rows
  bnn::Bootstrap bootstrap;
  std::optional<BandPanel> band;  // of a single input
  std::string input;              // its name
  std::vector<std::string> inputs;
  std::vector<Example> examples;

  /// What the forecasts are exact with respect to.
  std::vector<std::string> assumptions;
};

/// One HTML page without external resources, for screens of any width, light or dark. The same
/// input gives the same bytes.
std::string report_page(const ReportInput& input);

}  // namespace wmi::frontends
