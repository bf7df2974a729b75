#include "frontends/ciber/network_query.h"

#include <algorithm>

#include "frontends/ciber/query_arguments.h"
#include "frontends/ciber/query_builder.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Network;
using encoders::Outcome;
using encoders::Unknown;

constexpr QuestionEntry questions[] = {
    {"mean", "", "the mean of each output"},
    {"variance", "", "its variance"},
    {"distribution", "", "its whole law"},
    {"density", "C", "its density at C"},
    {"cdf", "C", "the probability that it is at most C"},
    {"quantile", "P", "the least number that it is at most with probability P"},
    {"probability", "EVENT", "of an event: 'out[0] > out[1] and out[0] <= 2'"},
    {"largest", "K", "the probability that output K is larger than all others"},
    {"class", "", "with --likelihood cubic(REACH): the probability of the class"},
};

/// Whether the network is encoded between bounds: with smooth layers, and for the probability of a
/// class under a condition or a law that is not normalised, which as a weight would be divided by its
/// own integral or by none.
bool bracketed(const Network& network, const NetworkQuery& asked, const Outcome& outcome,
               std::span<const Unknown> unknowns) {
  const bool weighed = !std::holds_alternative<encoders::CubicSigmoid>(outcome) ||
                       (asked.given.empty() && !encoders::has_unnormalised_laws(unknowns));
  return !asked.width.empty() || !weighed || encoders::needs_brackets(network);
}

/// The network with its smooth layers bounded this narrowly.
Network narrowed(const Network& network, const std::string& width) {
  try {
    return encoders::within(network, parse_fraction(width));
  } catch (const Error& error) {
    throw Error(std::string("--width: ") + error.what());
  }
}

/// Whether the texts of the query can name entries of the layer.
bool may_mention(const NetworkQuery& asked, const std::string& layer) {
  const auto in = [&](const std::string& text) { return text.find(layer) != std::string::npos; };
  return in(asked.given) || std::ranges::any_of(asked.outputs, in) ||
         std::ranges::any_of(asked.questions,
                             [&](const auto& question) { return in(question.second); });
}

}  // namespace

std::span<const QuestionEntry> question_table() { return questions; }

AuditableQuery make_auditable(const Network& network, const NetworkQuery& asked) {
  const Outcome outcome = read_likelihood(asked.likelihood);
  AuditableQuery result;
  const std::vector<Unknown> unknowns = read_unknowns(asked.unknowns);
  if (bracketed(network, asked, outcome, unknowns)) return result;
  result.parts =
      encoders::encode_auditable(network, read_input(network, asked.input), unknowns, outcome);
  result.task = build_queries(result.parts.statement, asked, outcome);
  return result;
}

Task make_task(const Network& network, const NetworkQuery& asked) {
  const encoders::Tensor<Rational> input = read_input(network, asked.input);
  const std::vector<Unknown> unknowns = read_unknowns(asked.unknowns);
  const Outcome outcome = read_likelihood(asked.likelihood);
  const encoders::KeepLayer mentioned = [&](const std::string& layer) {
    return may_mention(asked, layer);
  };
  if (!bracketed(network, asked, outcome, unknowns))
    return build_queries(encoders::encode(network, input, unknowns, outcome, mentioned), asked,
                         outcome);
  const auto between_bounds = [&](const Network& bounded) {
    return build_queries(encoders::encode_bracketed(bounded, input, unknowns, outcome, mentioned),
                         asked, outcome);
  };
  if (asked.width.empty()) return between_bounds(network);
  return between_bounds(narrowed(network, asked.width));
}

}  // namespace wmi::frontends
