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

/// The arguments of `ciber query` and `ciber encode`, as text: the input, the unknowns, the
/// likelihood and the questions.
struct NetworkQuery {
  std::string input;                  // `1,0.5`: numbers in row-major order; empty: all 0
  std::vector<std::string> unknowns;  // `fc2.weight[0,3]=[-1,1]`
  std::string likelihood;             // empty, `triangular(r)` or `cubic(d)`
  std::vector<std::string> outputs;   // `out[0]`, for mean, variance, ...; empty: all of them
  std::string given;                  // the condition, an event; empty: none
  std::string width;                  // of the bounds on smooth layers; empty: the layers' own

  /// A question and its argument, in the order asked: {"density", "0.7"}, {"mean", ""}.
  std::vector<std::pair<std::string, std::string>> questions;
};

/// A question that can be asked, and the name of its argument.
struct QuestionEntry {
  std::string_view name;
  std::string_view argument;  // empty: none
  std::string_view description;
};
std::span<const QuestionEntry> question_table();

/// The encoding of a network with a query for each question (and output); with smooth layers, the
/// queries whose answers enclose it. Throws Error.
Task make_task(const encoders::Network& network, const NetworkQuery& asked);

/// The same queries with the network encoded separately from the statement about it, so that a
/// checker can encode the network itself; `task` is about the reals of `parts.statement`. Without a
/// task if the network is known only between bounds. Throws Error.
struct AuditableQuery {
  encoders::AuditableEncoding parts;
  std::optional<Task> task;
};
AuditableQuery make_auditable(const encoders::Network& network, const NetworkQuery& asked);

}  // namespace wmi::frontends
