#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoders/auditable.h"
#include "encoders/encode.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// What `ciber query` and `ciber encode` are asked: a network, what is unknown in it, and
/// questions.
struct NetworkQuery {
  std::string input;                  // `1,0.5`: numbers in row-major order; empty if all are 0
  std::vector<std::string> unknowns;  // `fc2.weight[0,3]=[-1,1]`
  std::string likelihood;             // empty, `triangular(r)` or `cubic(d)`
  std::vector<std::string> outputs;   // `out[0]`, of mean, variance, ...; empty: all of them
  std::string given;                  // an event; empty: nothing
  std::string width;                  // of the bounds of smooth layers; empty: the layers say

  /// A question and its argument, in the order asked: {"density", "0.7"}, {"mean", ""}.
  std::vector<std::pair<std::string, std::string>> questions;
};

/// The questions that can be asked, and what their arguments are.
struct QuestionEntry {
  std::string_view name;
  std::string_view argument;  // empty: none
  std::string_view description;
};
std::span<const QuestionEntry> question_table();

/// The task for a network: its encoding, and a query for each question (and output); with smooth
/// layers, several queries that enclose its answer. Throws Error.
Task make_task(const encoders::Network& network, const NetworkQuery& asked);

/// The network and what is asked about it, apart: the same queries about the reals of
/// `parts.statement`. No task if the network is known only between bounds. Throws Error.
struct Separated {
  encoders::AuditableEncoding parts;
  std::optional<Task> task;
};
Separated make_separately(const encoders::Network& network, const NetworkQuery& asked);

}  // namespace wmi::frontends
