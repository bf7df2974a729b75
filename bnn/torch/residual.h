#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "bnn/collapse/forward.h"
#include "bnn/data/images.h"
#include "bnn/data/weights.h"

namespace wmi::bnn {

// Residual networks for images of 32 x 32 pixels (He et al., "Deep residual learning for image
// recognition", 2016, section 4.2): a convolution, three groups of blocks with 16, 32 and 64
// channels, the mean over all pixels, and a linear layer. A block adds its input to what two
// convolutions make of it; where channels double and sides halve, every second pixel of the input
// is added, and nothing to the new channels, half of which come before the others.
//
// The weights determine the depth. They have the names that PyTorch gives them: conv1.weight,
// bn1.weight, bn1.running_mean, layer1.0.conv1.weight, ..., linear.weight, linear.bias. Everything
// runs in 32-bit floats and in one thread, so that the same weights give the same bytes.

/// The normalisation of pixels: (pixel / 255 - mean) / deviation, for red, green, blue.
struct Normalisation {
  double mean[3] = {0.485, 0.456, 0.406};
  double deviation[3] = {0.229, 0.224, 0.225};
};

/// The linear layer.
inline constexpr const char* residual_head = "linear";

/// The input of the linear layer and the logits of some images, with the normalisation statistics
/// among the weights. Throws Error that names a tensor that is missing or does not fit.
Activations residual_forward(const Weights& weights, const Images& images,
                             std::span<const std::size_t> rows,
                             const Normalisation& normalisation = {});

/// The weights with the normalisation statistics (running_mean, running_var) of these images: the
/// means over batches of a batch's mean and variance, as for averages of weights (Izmailov et al.
/// 2018, section 3.2), whose own statistics are meaningless.
Weights with_statistics(const Weights& weights, const Images& images,
                        std::span<const std::size_t> rows, std::size_t batch = 125,
                        const Normalisation& normalisation = {});

/// How a residual network is trained: stochastic gradient descent at a constant rate.
struct ResidualRecipe {
  double rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 1e-4;  // of all that is trained
  std::size_t batch = 125;
  double statistics = 0.1;  // weight of a batch in the running statistics
  bool varied = true;       // images are cropped and mirrored at random
};

/// The state of a training between two batches; a resumed training ends as if never interrupted.
struct ResidualState {
  Weights weights;
  Weights velocity = {};  // of what is trained; at the start there is none
};

/// Trains one epoch on these images, in this order, with augmentations drawn by the seed. Returns
/// the mean loss (cross entropy). Calls `done` after each batch with the share that is done; an
/// exception from it ends the training. Throws Error when the loss diverges.
double train_residual(ResidualState& state, const Images& images, std::span<const std::size_t> rows,
                      const ResidualRecipe& recipe, std::uint64_t seed,
                      const std::function<void(double share)>& done = {},
                      const Normalisation& normalisation = {});

}  // namespace wmi::bnn
