#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/network.h"
#include "frontends/networks/onnx/value.h"

namespace wmi::frontends::onnx {

/// The shape without a batch: without the first axis, if that has length 1 and is not the only one.
encoders::Shape without_batch(const encoders::Shape& shape);

/// A name of letters, digits, `_` and `.`; other characters become `_`. It may be empty.
std::string clean_name(std::string_view name);
/// The same, beginning with a letter: `otherwise` is put before a digit, or instead of nothing.
std::string layer_name(std::string_view name, std::string_view otherwise);
/// The NAME of a tensor that is called NAME.KIND (`weight` or `bias`), as torch does, or nothing.
std::string owner_name(std::string_view tensor, std::string_view kind);

/// The number of entries of a value of a model. Throws Error if the cap `tensors` is exceeded, which
/// is to be asked before such a value, or a list with all its entries, is made.
std::size_t allowed_count(const encoders::Shape& shape);

/// A network that grows layer by layer. Every layer is checked against the shapes of its inputs
/// and tensors as soon as it is added. All values together, and all tensors together, have at most
/// as many entries as the cap `tensors` says.
class Builder {
 public:
  using Tensors = std::map<std::string, encoders::Tensor<Rational>, std::less<>>;

  explicit Builder(encoders::Shape input);

  /// The input in the shape that ONNX sees.
  Activation input(encoders::Shape shape) const;

  /// Adds a layer that sees its inputs in the shapes of `from`, and returns its output in its own
  /// shape. Its name is the wish, or the wish with a number. Throws Error if the shapes do not fit.
  Activation add(const std::string& wish, encoders::Layer layer,
                 const std::vector<Activation>& from, Tensors tensors = {});

  /// Adds a layer that treats every entry alike, whatever the shape is.
  Activation add_entrywise(const std::string& wish, encoders::Layer layer, const Activation& x);

  /// Entries of x by number, `nothing` for `fill`, in a new shape. Adds no layer if that changes
  /// nothing but the shape.
  Activation rearranged(const std::string& wish, const Activation& x,
                        const std::vector<std::size_t>& entries, const encoders::Shape& shape,
                        const Rational& fill = 0);

  /// The same entries in another shape. Throws Error if their number differs.
  static Activation reshaped(const Activation& x, encoders::Shape shape);

  /// A value that does not depend on the input.
  Activation constant(const std::string& wish, const encoders::Tensor<Rational>& tensor);

  /// Makes a tensor the bias of the layer, if that is linear or a convolution without a bias, and
  /// the tensor has one entry for each output or channel. The layer must be used nowhere yet.
  bool add_bias(Activation& x, const Constant& bias);

  /// Remarks about the network, for its user.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  const std::vector<std::string>& notes() const { return notes_; }

  /// Says that the model goes on with this operator, which is left out.
  void set_logits_of(std::string type) { network_.logits_of = std::move(type); }

  /// The number of multiplications that running the linear layers and convolutions takes.
  std::size_t multiplications() const { return multiplications_; }

  /// The network with these outputs. Throws Error if the network would have none.
  encoders::Network finish(const std::vector<Activation>& outputs) &&;

 private:
  std::string unused(const std::string& wish);
  void rename(const std::string& layer, const std::string& wish);
  /// The layer's output as a layer of precisely this shape.
  std::string layer_with_shape(const Activation& x, const std::string& wish);

  encoders::Network network_;
  std::vector<std::string> notes_;
  std::map<std::string, encoders::Shape, std::less<>> shapes_;     // of all layers
  std::map<std::string, std::size_t, std::less<>> places_;         // of all layers in the network
  std::map<std::string, std::size_t, std::less<>> names_by_wish_;  // the last number given
  std::size_t entries_ = 0, tensor_entries_ = 0, multiplications_ = 0;
  std::map<std::pair<std::string, encoders::Shape>, std::string> reshaped_;
};

}  // namespace wmi::frontends::onnx
