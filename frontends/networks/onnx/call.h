#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/networks/onnx/builder.h"
#include "frontends/networks/onnx/model.h"
#include "frontends/networks/onnx/value.h"

namespace wmi::frontends::onnx {

/// A node with the values of its inputs, for the function that translates it into layers. It keeps
/// track of the attributes that were asked for; `finish` refuses the others.
class Call {
 public:
  struct Context {
    std::int64_t opset;
    std::vector<bool>
        weighted;    // of each input: the output of a node with weights, used here alone
    bool is_output;  // the first output is the only one of the graph, and used nowhere else
  };

  /// Inputs are null where the node leaves them out.
  Call(const Node& node, std::vector<const Value*> inputs, Context context, Builder& builder)
      : node_(node), inputs_(std::move(inputs)), context_(std::move(context)), builder_(builder) {}

  const Node& node() const { return node_; }
  Builder& builder() const { return builder_; }
  std::int64_t opset() const { return context_.opset; }
  bool is_output() const { return context_.is_output; }

  /// The name that layers of this node should have.
  std::string name() const;
  /// The name of a layer with these weights: that of an initialiser `NAME.weight`, or the node's.
  std::string name_by(const Constant& weight) const;

  std::size_t input_count() const { return inputs_.size(); }
  bool has(std::size_t i) const {
    inputs_asked_ = std::max(inputs_asked_, i + 1);
    return i < inputs_.size() && inputs_[i] != nullptr;
  }
  /// Throws Error if the input is left out.
  const Value& value(std::size_t i) const;
  const encoders::Shape& shape(std::size_t i) const { return shape_of(value(i)); }
  /// The input as a layer, also if it is a constant.
  Activation activation(std::size_t i) const;
  /// Null if the input depends on the input of the network.
  const Constant* constant_if(std::size_t i) const;
  /// Throws Error if the input is no constant.
  const Constant& constant(std::size_t i) const;
  /// The entries of a constant of integers.
  std::vector<std::int64_t> input_integers(std::size_t i) const;
  /// The single entry of a constant.
  Rational input_number(std::size_t i) const;

  /// Attributes. They throw Error if the attribute is of another kind, or missing without a
  /// default.
  std::int64_t integer(std::string_view name, std::optional<std::int64_t> otherwise = {});
  Rational real(std::string_view name, std::optional<Rational> otherwise = {});
  std::string word(std::string_view name, std::string_view otherwise);
  std::optional<std::vector<std::int64_t>> integers(std::string_view name);
  const Constant* tensor(std::string_view name);
  /// Whether there is such an attribute, of whatever kind.
  bool has_attribute(std::string_view name) const { return node_.attributes.contains(name); }
  /// Accepts attributes that do not matter here.
  void ignore(std::initializer_list<std::string_view> names);

  /// Throws Error if there are attributes or inputs that nobody has asked for.
  void finish() const;

  /// Makes the constant the bias of the layer that computes input i, x, if that is possible.
  bool fuse_bias(std::size_t i, Activation& x, const Constant& bias) const {
    return context_.weighted[i] && builder_.add_bias(x, bias);
  }

 private:
  template <class Kind>
  const Kind* find(std::string_view name, const char* what);

  const Node& node_;
  std::vector<const Value*> inputs_;
  Context context_;
  Builder& builder_;
  std::set<std::string, std::less<>> asked_;
  mutable std::size_t inputs_asked_ = 0;
};

/// The number of an axis, counted from the end if negative. Throws Error if there is none.
std::size_t axis_of(std::int64_t axis, std::size_t rank);
/// Several of them, in order and different.
std::vector<std::size_t> axes_of(const std::vector<std::int64_t>& axes, std::size_t rank);

}  // namespace wmi::frontends::onnx
