#pragma once

#include <optional>
#include <string>

#include "encoders/encode.h"
#include "frontends/ciber/event.h"

namespace wmi::frontends {

/// The terms of an encoding that a question can name: outputs `out[0]`, entries of layers
/// `fc1[3]`, unknowns, and the outcome `y`. Behind a smooth layer a term is known only between
/// bounds.
///
///     const encoders::Encoding encoding;
///     const NamedValues values(encoding);
///     values.find("out[0]");  // nullopt: there are no outputs
class NamedValues {
 public:
  /// The encoding must outlive this.
  explicit NamedValues(const encoders::Encoding& encoding) : encoding_(encoding) {}

  /// Whether terms may be known only between bounds.
  bool bracketed() const { return !encoding_.upper_outputs.empty(); }

  std::size_t output_count() const { return encoding_.outputs.size(); }
  static std::string output_name(std::size_t i) { return "out[" + std::to_string(i) + "]"; }
  Term output(std::size_t i) const;

  /// Nullopt for an unknown name. Throws Error for a name of two different terms.
  std::optional<Term> find(const std::string& name) const;

 private:
  const encoders::Encoding& encoding_;
};

}  // namespace wmi::frontends
