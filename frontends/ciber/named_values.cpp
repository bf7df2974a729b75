#include "frontends/ciber/named_values.h"

#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Equal bounds are one exact term.
Term between(const Polynomial& lower, const Polynomial& upper) {
  return lower == upper ? Term{lower} : Term{lower, upper};
}

}  // namespace

Term NamedValues::output(std::size_t i) const {
  return bracketed() ? between(encoding_.outputs[i], encoding_.upper_outputs[i])
                     : Term{encoding_.outputs[i]};
}

std::optional<Term> NamedValues::find(const std::string& name) const {
  const Terms& terms = encoding_.problem.terms;
  std::optional<Term> result;
  const auto found = [&](const Term& term) {
    if (result && (result->lower != term.lower || result->upper() != term.upper()))
      throw Error("'" + name +
                  "' is the name of a layer's entry and of something else; rename the "
                  "layer");
    result = term;
  };
  for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
    if (name == output_name(i)) found(output(i));
  if (bracketed() && encoding_.outcome && name == "y") {
    const Polynomial noise = Polynomial::variable(*encoding_.outcome);
    const Term f = output(0);
    found(between(f.lower + noise, f.upper() + noise));
  }
  for (Variable variable = 0; variable < encoding_.problem.integrated.size(); ++variable)
    if (terms.real_name(variable) == name) found({Polynomial::variable(variable)});
  if (const auto unknown = encoding_.combinations.find(name);
      unknown != encoding_.combinations.end())
    found({unknown->second});
  if (const std::size_t open = name.rfind('['); open != std::string::npos)
    if (const auto layer = encoding_.layers.find(name.substr(0, open));
        layer != encoding_.layers.end())
      for (std::size_t i = 0; i < layer->second.size(); ++i)
        if (encoders::index_name(layer->second.shape, i) == name.substr(open)) {
          const Polynomial& lower = layer->second.entries[i];
          found(bracketed() ? between(lower, encoding_.upper_layers.at(layer->first).entries[i])
                            : Term{lower});
        }
  return result;
}

}  // namespace wmi::frontends
