#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// A parsed JSON text. Not a library's: numbers stay text, so that `0.1` is one tenth and not a
/// double, and every value has its line and column.
///
///     const Json json(R"({"domain": [["x", "real", [0, 0.1]]]})");
///     json.root().at("domain").items()[0].items()[2].items()[1].text();  // 0.1
class Json {
  struct Node;

 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  /// A reference to one value; the Json must outlive it.
  class Value {
   public:
    Kind kind() const { return node().kind; }
    Location where() const { return node().where; }
    /// The characters of a string; for other scalars their text in the file: `true`, `-1.50`.
    const std::string& text() const { return node().text; }
    /// The location of the first character of a string; none if the string has escapes.
    Location inside() const;
    /// The name of a member of an object, and its location.
    const std::string& key() const { return node().key; }
    Location key_where() const { return node().key_where; }

    /// The elements of an array or the members of an object.
    std::vector<Value> items() const;
    std::optional<Value> find(std::string_view key) const;
    /// Throws Error, located at the object, if there is no such member.
    Value at(std::string_view key) const;
    /// Returns this value; throws Error naming `what` if it is of another kind.
    const Value& expect(Kind kind, const std::string& what) const;

   private:
    friend class Json;
    Value(const Json& json, std::uint32_t index) : json_(&json), index_(index) {}
    const Node& node() const { return json_->nodes_[index_]; }

    const Json* json_;
    std::uint32_t index_;
  };

  /// Throws Error, with its location, if the text is not one JSON value.
  explicit Json(std::string_view text);

  Value root() const { return {*this, 0}; }

 private:
  struct Node {
    Kind kind;
    bool escaped;  // a string with a backslash in it
    std::string text;
    std::string key;
    Location where;
    Location key_where;
    std::uint32_t end;  // one past its last descendant
  };
  friend struct JsonParser;

  std::vector<Node> nodes_;  // in preorder
};

/// `a number`, `an object`.
std::string to_string(Json::Kind kind);

}  // namespace wmi::frontends
