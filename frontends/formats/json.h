#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// A JSON text, read by hand for one reason: libraries turn numbers into doubles and lose places.
/// Here a number stays the text it was, so that `0.1` is one tenth; every value knows its place.
///
///     const Json json(R"({"domain": [["x", "real", [0, 0.1]]]})");
///     json.root().at("domain").items()[0].items()[2].items()[1].text();  // 0.1
class Json {
  struct Node;

 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  /// One value of a text that outlives it.
  class Value {
   public:
    Kind kind() const { return node().kind; }
    Location where() const { return node().where; }
    /// Of a string, its characters; else the value as it stands in the file: `true`, `-1.50`.
    const std::string& text() const { return node().text; }
    /// Where the characters of a string begin; nowhere if an escape moves them about.
    Location inside() const;
    /// The name of a member of an object, and where it stands.
    const std::string& key() const { return node().key; }
    Location key_where() const { return node().key_where; }

    /// Of an array or an object.
    std::vector<Value> items() const;
    std::optional<Value> find(std::string_view key) const;
    /// Throws Error, at the object, when there is no such member.
    Value at(std::string_view key) const;
    /// Itself. Throws Error naming `what` when it is of another kind.
    const Value& expect(Kind kind, const std::string& what) const;

   private:
    friend class Json;
    Value(const Json& json, std::uint32_t index) : json_(&json), index_(index) {}
    const Node& node() const { return json_->nodes_[index_]; }

    const Json* json_;
    std::uint32_t index_;
  };

  /// Throws Error, with its place, when the text is not one JSON value.
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
