// From the graph of an ONNX model to layers, node by node in the order of the graph. A value is a
// constant or the output of a layer. A node of constants alone is run at once, on a network of its
// own in exact numbers, so that every operator that can be a layer can be folded.

#include "frontends/networks/onnx/read_onnx.h"

#include <algorithm>
#include <map>
#include <set>

#include "encoders/exact.h"
#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/networks/onnx/builder.h"
#include "frontends/networks/onnx/call.h"
#include "frontends/networks/onnx/gelu_pattern.h"
#include "frontends/networks/onnx/growth.h"
#include "frontends/networks/onnx/operators.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Tensor;

std::string called(const Node& node) {
  return "node '" + shortened(node.called()) + "' (" + shortened(node.type) + "): ";
}

/// The shape of an input, with a batch of 1.
Shape input_shape(const Input& input) {
  const std::string name = "input '" + shortened(input.name) + "'";
  if (!input.shape) throw Error(name + " has no shape; export the model with one");
  Shape result;
  for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
    const std::optional<std::size_t> length = (*input.shape)[axis];
    if (!length && axis > 0)
      throw Error(name + " has an axis " + std::to_string(axis) +
                  " of unknown length; export the model with a fixed one (only the first axis, the "
                  "batch, may be open)");
    result.push_back(length.value_or(1));
  }
  if (encoders::entry_count(result) > caps::tensors)
    throw Error(name + " has more than " + std::to_string(caps::tensors) + " entries");
  return result;
}

const Operator& find_operator(const Node& node) {
  if (!node.domain.empty())
    throw Error("an operator of '" + shortened(node.domain) +
                "'; those of standard ONNX are supported only");
  const auto found = std::ranges::find(operators(), node.type, &Operator::name);
  if (found == operators().end())
    throw Error("not supported; supported are " + alternatives(operators(), &Operator::name));
  return *found;
}

/// The nodes that the outputs depend on: others are not read.
std::vector<const Node*> needed_nodes(const Model& model) {
  std::set<std::string_view> needed(model.outputs.begin(), model.outputs.end());
  std::vector<const Node*> result;
  for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, [&](const std::string& name) {
          return !name.empty() && needed.contains(name);
        }))
      continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    result.push_back(&*node);
  }
  std::ranges::reverse(result);
  return result;
}

class Translation {
 public:
  explicit Translation(const Model& model)
      : model_(model), nodes_(needed_nodes(model)), builder_(add_inputs()) {
    for (const auto& [name, constant] : model.initialisers) define(name, constant);
    for (const Node* const node : nodes_)
      for (const std::string& name : node->inputs) ++uses_[name];
    for (const std::string& name : model.outputs) ++uses_[name];
  }

  ReadNetwork run() && {
    for (const Node* const node : nodes_) {
      try {
        translate(*node);
      } catch (const Error& error) {
        throw Error(called(*node) + error.what());
      }
    }
    std::vector<Activation> outputs;
    for (const std::string& name : model_.outputs) {
      const auto found = values_.find(name);
      if (found == values_.end())
        throw Error("the output '" + shortened(name) + "' is computed by no node");
      if (const auto* const constant = std::get_if<Constant>(&found->second))
        outputs.push_back(builder_.constant(layer_name(name, "output"), constant->tensor));
      else
        outputs.push_back(std::get<Activation>(found->second));
    }
    const std::vector<std::string> notes = builder_.notes();
    return {std::move(builder_).finish(outputs), notes};
  }

 private:
  /// Several inputs become one vector, in their order.
  Builder add_inputs() {
    if (model_.inputs.empty()) throw Error("a model without inputs");
    std::vector<Shape> shapes;
    std::size_t count = 0;
    for (const Input& input : model_.inputs) {
      shapes.push_back(input_shape(input));
      count += encoders::entry_count(shapes.back());
      if (count > caps::tensors)
        throw Error("inputs with more than " + std::to_string(caps::tensors) +
                    " entries, the cap 'tensors'");
    }
    const bool single = shapes.size() == 1;
    Shape inner = single ? without_batch(shapes[0]) : Shape{count};
    if (inner.empty()) inner = {1};
    Builder result(inner);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const std::string& name = model_.inputs[i].name;
      std::vector<std::size_t> entries(encoders::entry_count(shapes[i]));
      for (std::size_t& entry : entries) entry = begin++;
      define(name, single ? result.input(shapes[0])
                          : result.rearranged(layer_name(name, "input"), result.input({count}),
                                              entries, shapes[i]));
      producers_[name] = nullptr;
    }
    return result;
  }

  void define(const std::string& name, Value value) {
    if (!values_.emplace(name, std::move(value)).second)
      throw Error("two values are named '" + shortened(name) + "'");
  }

  void translate(const Node& node) {
    const Operator& kind = find_operator(node);
    std::vector<const Value*> inputs;
    Call::Context context{model_.opset, {}, false};
    bool all_constant = true;
    for (const std::string& name : node.inputs) {
      const auto found = values_.find(name);
      if (!name.empty() && found == values_.end())
        throw Error("its input '" + shortened(name) +
                    "' is no input or tensor of the model, and no earlier node computes it");
      inputs.push_back(name.empty() ? nullptr : &found->second);
      context.weighted.push_back(is_weighted(name));
      all_constant =
          all_constant && (name.empty() || std::holds_alternative<Constant>(found->second));
    }
    context.is_output = !node.outputs.empty() && uses_[node.outputs[0]] == 1 &&
                        model_.outputs.size() == 1 && model_.outputs[0] == node.outputs[0];
    if (node.least_rank > 0 && shape_of(*inputs.at(0)).size() < node.least_rank)
      throw Error("is written with constants of " + std::to_string(node.least_rank) +
                  " axes, which is not supported for a value " +
                  encoders::to_string(shape_of(*inputs[0])));
    std::vector<Value> outputs;
    if (all_constant && kind.folds && !inputs.empty() && inputs[0] != nullptr) {
      outputs = fold(node, kind, inputs, context);
    } else {
      Call call(node, inputs, context, builder_);
      outputs = kind.translate(call);
      call.finish();
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      if (i >= outputs.size())
        throw Error("its output '" + shortened(node.outputs[i]) + "' is not supported");
      check_rank(shape_of(outputs[i]).size());
      if (const auto* const constant = std::get_if<Constant>(&outputs[i])) {
        check_entries(constant->type, constant->tensor.entries);
        computed_bits_ += checked_bits(constant->tensor);
        check_total_bits(computed_bits_);
        computed_ += constant->tensor.size();
        if (computed_ > caps::tensors)
          throw Error("more than " + std::to_string(caps::tensors) +
                      " entries of constants are computed, the cap 'tensors'");
      }
      define(node.outputs[i], std::move(outputs[i]));
      producers_[node.outputs[i]] = &node;
    }
  }

  /// Whether the value is the output of a node with weights, and used once.
  bool is_weighted(const std::string& name) {
    static constexpr std::string_view with_weights[] = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
    const auto producer = producers_.find(name);
    return producer != producers_.end() && producer->second != nullptr && uses_[name] == 1 &&
           std::ranges::find(with_weights, producer->second->type) != std::end(with_weights);
  }

  /// Runs a node on constants.
  std::vector<Value> fold(const Node& node, const Operator& kind, std::vector<const Value*> inputs,
                          const Call::Context& context) const {
    const auto& first = std::get<Constant>(*inputs[0]);
    if (first.tensor.size() == 0) throw Error("a constant without entries is not supported");
    Builder builder(first.tensor.shape);
    const Value start = builder.input(first.tensor.shape);
    inputs[0] = &start;
    Call call(node, inputs, context, builder);
    std::vector<Value> outputs = kind.translate(call);
    call.finish();
    std::vector<Activation> made;
    for (const Value& output : outputs)
      if (const auto* const activation = std::get_if<Activation>(&output))
        made.push_back(*activation);
    if (made.empty()) return outputs;
    if (builder.multiplications() > wmi::caps::seen)
      throw Error("a product of constants that takes too long to compute exactly");
    std::vector<const Tensor<Rational>*> factors{&first.tensor};
    for (const Value* const input : inputs)
      if (const auto* const constant = input != nullptr ? std::get_if<Constant>(input) : nullptr)
        factors.push_back(&constant->tensor);
    std::size_t entries = 0;
    for (const Activation& output : made) entries += encoders::entry_count(output.shape);
    check_growth(factors, entries, adds_up(node.type));
    const encoders::Network network = std::move(builder).finish(made);
    std::vector<Tensor<Rational>> results = encoders::run_exactly(network, first.tensor);
    std::size_t next = 0;
    for (Value& output : outputs)
      if (const auto* const activation = std::get_if<Activation>(&output))
        output = Constant{
            first.type, {activation->shape, std::move(results[next++].entries)}, first.origin};
    return outputs;
  }

  const Model& model_;
  std::vector<const Node*> nodes_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, std::size_t, std::less<>> uses_;
  std::map<std::string, const Node*, std::less<>> producers_;
  std::size_t computed_ = 0;  // entries of constants, besides those of the model
  std::size_t computed_bits_ = 0;
  Builder builder_;
};

}  // namespace

ReadNetwork to_network(Model model) {
  replace_gelu_patterns(model);
  return Translation(model).run();
}

ReadNetwork read_onnx(std::string_view bytes) { return to_network(parse_model(bytes)); }

}  // namespace wmi::frontends::onnx
