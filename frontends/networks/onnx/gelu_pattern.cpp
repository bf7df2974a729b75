#include "frontends/networks/onnx/gelu_pattern.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace wmi::frontends::onnx {
namespace {

// The floats nearest to sqrt(2) and to 1/sqrt(2): double (and 1 divided by the first), float,
// float16 and bfloat16, which are the same.
constexpr double roots[] = {0x1.6a09e667f3bcdp0, 0x1.6a09e6p0, 0x1.6ap0};
constexpr double inverse_roots[] = {0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp-1, 0x1.6a09e6p-1,
                                    0x1.6ap-1};

class Patterns {
 public:
  explicit Patterns(Model& model) : model_(model) {
    for (Node& node : model_.nodes) {
      for (const std::string& name : node.outputs) producers_[name] = &node;
      for (const std::string& name : node.inputs) ++uses_[name];
      for (const std::string& name : node.inputs)
        if (!name.empty()) consumers_[name] = &node;
    }
  }

  void replace_all() {
    for (Node& node : model_.nodes)
      if (node.type == "Erf" && node.inputs.size() == 1 && node.outputs.size() == 1) replace(node);
  }

 private:
  /// The number that a value is, if it is a constant of one entry. Counts its axes, which it adds
  /// to a value with fewer.
  std::optional<Rational> number(const std::string& name) const {
    const Constant* constant = nullptr;
    if (const auto tensor = model_.initialisers.find(name); tensor != model_.initialisers.end())
      constant = &tensor->second;
    const auto producer = producers_.find(name);
    if (producer != producers_.end() && producer->second->type == "Constant" &&
        !producer->second->attributes.empty()) {
      const Attribute& value = producer->second->attributes.begin()->second;
      if (const auto* const real = std::get_if<Rational>(&value)) return *real;
      constant = std::get_if<Constant>(&value);
    }
    if (constant == nullptr || constant->tensor.size() != 1) return std::nullopt;
    rank_ = std::max(rank_, constant->tensor.shape.size());
    return constant->tensor.entries[0];
  }

  /// The node of this type that alone uses a value.
  Node* user(const std::string& name, std::string_view type) const {
    const auto found = consumers_.find(name);
    return found != consumers_.end() && uses_.at(name) == 1 && found->second->type == type &&
                   found->second->inputs.size() == 2 && found->second->outputs.size() == 1
               ? found->second
               : nullptr;
  }

  /// The other input of a node of two.
  static const std::string& other(const Node& node, const std::string& name) {
    return node.inputs[node.inputs[0] == name ? 1 : 0];
  }

  /// x, if the value is x / sqrt(2).
  std::optional<std::string> scaled(const std::string& name) const {
    const auto found = producers_.find(name);
    if (found == producers_.end() || found->second->inputs.size() != 2) return std::nullopt;
    const Node& node = *found->second;
    const auto is_one_of = [&](const std::string& value, const auto& floats) {
      const std::optional<Rational> constant = number(value);
      return constant &&
             std::ranges::any_of(floats, [&](double each) { return *constant == Rational(each); });
    };
    if (node.type == "Div" && is_one_of(node.inputs[1], roots)) return node.inputs[0];
    if (node.type == "Mul" && is_one_of(node.inputs[1], inverse_roots)) return node.inputs[0];
    if (node.type == "Mul" && is_one_of(node.inputs[0], inverse_roots)) return node.inputs[1];
    return std::nullopt;
  }

  /// Whether the value is x / 2.
  bool is_half_of(const std::string& name, const std::string& x) const {
    const auto found = producers_.find(name);
    if (found == producers_.end() || found->second->inputs.size() != 2) return false;
    const Node& node = *found->second;
    if (node.type == "Div") return node.inputs[0] == x && number(node.inputs[1]) == Rational(2);
    return node.type == "Mul" && ((node.inputs[0] == x && number(node.inputs[1]) == ratio(1, 2)) ||
                                  (node.inputs[1] == x && number(node.inputs[0]) == ratio(1, 2)));
  }

  void replace(const Node& erf) {
    rank_ = 0;
    const std::optional<std::string> x = scaled(erf.inputs[0]);
    if (!x) return;
    const Node* const sum = user(erf.outputs[0], "Add");
    if (sum == nullptr || number(other(*sum, erf.outputs[0])) != Rational(1)) return;
    Node* const first = user(sum->outputs[0], "Mul");
    if (first == nullptr) return;
    const std::string factor = other(*first, sum->outputs[0]);
    if (is_half_of(factor, *x)) return become_gelu(*first, *x);
    // The factors x and 1/2 one after the other.
    Node* const second = user(first->outputs[0], "Mul");
    if (second == nullptr) return;
    const std::string last = other(*second, first->outputs[0]);
    if ((factor == *x && number(last) == ratio(1, 2)) ||
        (last == *x && number(factor) == ratio(1, 2)))
      become_gelu(*second, *x);
  }

  void become_gelu(Node& node, const std::string& x) const {
    node.type = "Gelu";
    node.inputs = {x};
    node.attributes.clear();
    node.least_rank = rank_;
  }

  Model& model_;
  std::map<std::string, Node*, std::less<>> producers_, consumers_;
  std::map<std::string, std::size_t, std::less<>> uses_;
  mutable std::size_t rank_ = 0;  // the greatest of the constants looked at for a pattern
};

}  // namespace

void replace_gelu_patterns(Model& model) { Patterns(model).replace_all(); }

}  // namespace wmi::frontends::onnx
