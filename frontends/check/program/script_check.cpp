#include "frontends/check/program/script_check.h"

#include <utility>

#include "frontends/common/line.h"
#include "frontends/formats/format.h"

namespace wmi::check {
namespace {

/// The problem of a text. Throws Rejected: the text is part of the certificate.
CheckedScript check_text(const std::string& what, const std::string& text, Bytes& in,
                         std::string trust) {
  try {
    CheckedScript result = check_script(frontends::read({what, text}, "smtlib"), in);
    result.trust = std::move(trust);
    return result;
  } catch (const Error& error) {
    throw Rejected(frontends::message(what, error.where(), error.what()));
  }
}

}  // namespace

CheckedScript check_script(Script script, Bytes& in) {
  for (const Task& task : script) refuse_unanswerable(task);
  CheckedScript result{std::move(script), {}, {}};
  in.expect(mark);
  for (const Task& task : result.script)
    result.answers.push_back(check::check(task, in, result.counts));
  in.expect_end();
  return result;
}

CheckedScript check_embedded(const EmbeddedProblem& embedded, const encoders::Network* network,
                             Bytes& in) {
  std::string foreign, counted, trust = "trusted: encoder";
  if (network != nullptr)
    for (const auto& [type, layers] : count_layers(*network)) {
      counted += (counted.empty() ? "" : ", ") + std::to_string(layers.count) + " " + type;
      if (!layers.can_be_encoded) foreign += (foreign.empty() ? "layer " : ", ") + type;
    }
  if (network != nullptr && foreign.empty() && embedded.statement.empty())
    foreign = "the problem is carried as a whole";
  if (!foreign.empty()) trust += " (" + foreign + ")";
  CheckedScript result = check_text(
      "its problem", embedded.given() + embedded.network + embedded.statement, in, trust);
  if (network == nullptr || !foreign.empty()) return result;
  in.rewind();
  read_embedded(in);
  trust = "network: re-encoded, " + counted;
  for (const auto& [name, number] : embedded.values)  // numbers that override the network's file
    if (number && !name.starts_with("input[")) trust += "; " + name + " = " + to_string(*number);
  return check_text("its problem with the network re-encoded",
                    embedded.given() + definitions(*network, embedded.values) + embedded.statement,
                    in, trust);
}

}  // namespace wmi::check
