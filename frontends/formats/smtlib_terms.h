#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontends/formats/operators.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_macros.h"

namespace wmi::frontends {

/// The use of an undeclared name.
class Undeclared : public Error {
 public:
  Undeclared(const std::string& name, Location where)
      : Error("'" + name + "' is not declared" + hint(name), where), name_(name) {}

  const std::string& name() const { return name_; }

 private:
  /// SMT-LIB has no negative literals: `-3` is a name like any other.
  static std::string hint(const std::string& name) {
    const bool number = name.size() > 1 && name[0] == '-' && name[1] >= '0' && name[1] <= '9';
    return number ? "; write (- " + name.substr(1) + ")" : "";
  }

  std::string name_;
};

/// Reads SMT-LIB terms into a `Terms`: keeps the names in scope, expands macros and lets.
///
/// It is a loop over an explicit stack, so that neither nesting nor macros overflow the call stack.
class TermReader {
 public:
  explicit TermReader(Terms& terms) : terms_(terms) {}

  struct Macro {
    std::vector<std::pair<std::string, Sort>> parameters;
    Sort sort;
    Tree body;
    std::size_t expansion = 0;  // terms that a call of it reads; `define` counts them
  };

  /// Throws Error if the name is taken; of a macro, also if its body is of another sort.
  void declare(const std::string& name, Value value, Location where);
  void define(const std::string& name, Macro macro, Location where);

  /// Names declared after a push are forgotten at its pop.
  void push();
  void pop();

  Value value(const Tree& tree, std::uint32_t node = 0);
  Formula formula(const Tree& tree, std::uint32_t node = 0);
  Polynomial real(const Tree& tree, std::uint32_t node = 0);
  /// A real without variables.
  Rational number(const Tree& tree, std::uint32_t node = 0);

 private:
  using Meaning = std::variant<Value, std::shared_ptr<const Macro>>;
  struct Local {
    std::size_t level;
    Value value;
  };
  struct Frame;

  std::optional<NamedSort> named_sort(const std::string& name) const;
  void claim(const std::string& name, Location where);
  const Meaning* global(const std::string& name) const;
  const Value* local(const std::string& name) const;
  void bind(const std::string& name, Value value);
  void unbind(std::size_t levels);
  bool enter(std::vector<Frame>& frames, const Tree& tree, std::uint32_t node, Value& result);
  bool step(std::vector<Frame>& frames, Value& result);
  Value apply(Frame& frame);
  bool call(std::vector<Frame>& frames, const std::shared_ptr<const Macro>& macro, Value& result);
  void name_term(const Tree& tree, std::uint32_t node, const Value& value);

  Terms& terms_;
  std::unordered_map<std::string, Meaning> globals_;
  std::vector<std::string> order_;   // of the globals, for pop
  std::vector<std::size_t> scopes_;  // sizes of order_ at each push
  std::unordered_map<std::string, std::vector<Local>> locals_;
  std::vector<std::string> bound_;  // names of the locals, innermost last
  std::size_t visible_ = 0;         // locals below this level belong to a macro's caller
  std::size_t bodies_ = 0;          // macro bodies open now
  std::size_t steps_ = 0;           // terms read in macro bodies
};

/// True for reserved words, such as `and` and `let`, which cannot be declared.
bool reserved(const std::string& name);

/// The sort `Real` or `Bool`; throws Error for any other.
Sort read_sort(const Tree& tree, std::uint32_t node);

/// The text of a symbol node; throws Error, naming what was expected, for any other node.
const std::string& read_symbol(const Tree& tree, std::uint32_t node, std::string_view expected);

}  // namespace wmi::frontends
