#include "frontends/ciber/embedded_problem.h"

#include "frontends/formats/format.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_writer.h"
#include "solver/certificates/certificate_writer.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The named terms of the network that occur in the statement.
std::vector<NamedTerm> mentioned(const encoders::AuditableEncoding& parts,
                                 const std::string& statement) {
  std::vector<NamedTerm> result;
  const auto add = [&](const std::string& name, const Polynomial& term) {
    if (statement.find(quoted_symbol(name)) != std::string::npos) result.push_back({name, term});
  };
  for (std::size_t i = 0; i < parts.network.outputs.size(); ++i)
    add("out[" + std::to_string(i) + "]", parts.network.outputs[i]);
  for (const auto& [layer, values] : parts.network.layers)
    for (std::size_t i = 0; i < values.size() && layer != "input" && layer != "out"; ++i)
      add(layer + encoders::index_name(values.shape, i), values.entries[i]);
  return result;
}

}  // namespace

std::string EmbeddedProblem::text() const {
  std::string result;
  for (const encoders::NamedValue& value : values)
    result += value.number ? "(define-fun " + quoted_symbol(value.name) + " () Real " +
                                 number_text(*value.number) + ")\n"
                           : "(declare-const " + quoted_symbol(value.name) + " Real)\n";
  return result + network + statement;
}

void EmbeddedProblem::write(std::ostream& out) const {
  CertificateWriter writer(out);
  const auto write_text = [&](const std::string& text) {
    writer.natural(text.size());
    out << text;
  };
  out << "query-certificate 1\n";
  writer.natural(values.size());
  for (const encoders::NamedValue& value : values) {
    write_text(value.name);
    out.put(value.number ? '\1' : '\0');
    if (value.number) writer.rational(*value.number);
  }
  write_text(network);
  write_text(statement);
}

EmbeddedProblem embedded_problem(const encoders::Network& network, const NetworkQuery& asked) {
  return embedded_problem([&] { return make_auditable(network, asked); },
                          [&] { return make_task(network, asked); });
}

EmbeddedProblem embedded_problem(const std::function<AuditableQuery()>& make,
                                 const std::function<Task()>& fallback) {
  try {
    AuditableQuery made = make();
    if (made.task) {
      EmbeddedProblem result{std::move(made.parts.values), "", statement_text(*made.task)};
      const std::vector<NamedTerm> named = mentioned(made.parts, result.statement);
      result.network = definitions_text(made.parts.network.problem.terms, named);
      read_smtlib({"", result.text()});
      return result;
    }
  } catch (const Error&) {
    // Not separable: a unit fed by a product, a name that SMT-LIB cannot express.
  }
  return {{}, write_smtlib({fallback()}), ""};
}

}  // namespace wmi::frontends
