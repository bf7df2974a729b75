#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/formats/smtlib_terms.h"

namespace wmi::frontends {

/// A command of a script. Its parts are its name, part 0, and its arguments.
class ScriptCommand {
 public:
  ScriptCommand() = default;
  /// Throws Error if it is no list, or an empty one.
  explicit ScriptCommand(Tree tree) : tree_(std::move(tree)), parts_(children(tree_, 0)) {
    if (parts_.empty()) throw Error("expected a command in parentheses", where());
  }

  const Tree& tree() const { return tree_; }
  Location where() const { return tree_[0].where; }
  std::size_t arguments() const { return parts_.size() - 1; }

  /// The node of a part, its kind, text and location.
  std::uint32_t part(std::size_t i) const { return parts_[i]; }
  Sexpr::Kind kind(std::size_t i) const { return tree_[parts_[i]].kind; }
  const std::string& text(std::size_t i) const { return tree_[parts_[i]].text; }
  Location where(std::size_t i) const { return tree_[parts_[i]].where; }

  /// The text of a part that must be a symbol.
  const std::string& symbol(std::size_t i, std::string_view expected) const {
    return read_symbol(tree_, parts_[i], expected);
  }
  /// Throws Error, showing how the command is used, for another number of arguments.
  void expect(std::size_t least, std::size_t most, std::string_view usage) const {
    if (arguments() < least || arguments() > most)
      throw Error("expected " + std::string(usage), where());
  }

  void drop_last(std::size_t count) { parts_.resize(parts_.size() - count); }

 private:
  Tree tree_;
  std::vector<std::uint32_t> parts_;
};

}  // namespace wmi::frontends
