#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bnn/data/images.h"
#include "bnn/data/weights.h"
#include "bnn/numeric/matrix.h"
#include "bnn/torch/residual.h"
#include "frontends/learning/experiments/experiment.h"

// The long computations of the ResNet-20 experiment: training on from pretrained weights, and the
// features of images under many sets of weights. Each result is a file in a folder of its own, so
// that an interrupted experiment resumes.

namespace wmi::frontends {

inline constexpr std::size_t resnet20_features = 64, cifar10_classes = 10;

/// The size of the experiment: minutes of one core. Nothing here was chosen by looking at a score.
struct Resnet20Extent {
  std::size_t checkpoints = 20;
  std::size_t step = 2000;        // training images between checkpoints
  std::size_t training = 10'000;  // training images
  std::size_t given = 2500;       // the first of these, for the posterior of the last layer
  std::size_t statistics = 1000;  // the first of these, for the statistics of normalisation
  std::size_t test = 2000;        // test images for all methods, after those seen in trials
  std::size_t verified = 10'000;  // test images for the pretrained network
  std::size_t few = 5;            // checkpoints of the methods that use few
  std::size_t shown = 2000;       // the first test images, seen in trials: moved to the end
};

/// A set of weights reduced to its last layer: a network of one layer, `fc1`.
struct HeadSample {
  bnn::Weights layer;    // fc1.weight, fc1.bias
  bnn::Matrix training;  // its inputs, the features of training images
  bnn::Matrix test;      // and of test images
};

class Resnet20Workspace {
 public:
  /// Reads images and pretrained weights. Throws Error. The conditions must outlive this.
  Resnet20Workspace(const Conditions& conditions, const Resnet20Extent& extent);

  const bnn::Images& training() const { return training_; }
  const bnn::Images& test() const { return test_; }
  const bnn::Weights& pretrained() const { return pretrained_; }
  const bnn::ResidualRecipe& recipe() const { return recipe_; }

  /// The checkpoints, and the mean training loss before each.
  struct Trajectory {
    std::vector<bnn::Weights> checkpoints;
    std::vector<double> losses;
  };
  /// Trains on from the pretrained weights. Throws Stopped.
  Trajectory train();

  /// The features of the first images under these weights, recorded under `name`. With
  /// `statistics`, those of normalisation are first computed on training images. Throws Stopped.
  HeadSample sample(const std::string& name, bnn::Weights weights, bool statistics,
                    std::size_t training_rows, std::size_t test_rows);

 private:
  void report(const std::string& what, double more) const;
  std::vector<std::size_t> rows_of_step(std::size_t step) const;
  std::string setup() const;
  void write_state(const std::filesystem::path& path, const bnn::ResidualState& state,
                   double loss) const;
  double read_state(const std::filesystem::path& path, bnn::ResidualState& state) const;
  void run(const std::string& name, const bnn::Weights& weights, const bnn::Images& images,
           std::size_t count, float* to);

  const Conditions& conditions_;
  Resnet20Extent extent_;
  bnn::ResidualRecipe recipe_;
  bnn::Images training_, test_;
  bnn::Weights pretrained_;
  std::filesystem::path folder_;
  mutable std::map<std::size_t, std::vector<std::size_t>> orders_;  // of the images, by epoch
  double done_ = 0, total_ = 1;  // images, for progress; a trained image counts thrice
};

}  // namespace wmi::frontends
