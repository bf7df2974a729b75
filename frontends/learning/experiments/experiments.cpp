#include <array>

#include "frontends/learning/experiments/experiment.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

void Conditions::report(std::string_view what, double share) const {
  if (stop.stop_requested()) throw Stopped();
  if (progress) progress(what, share);
}

std::span<const ExperimentEntry> experiments() {
  static constexpr std::array table{
      ExperimentEntry{"warm-up", "A network with one weight", false, run_warm_up},
      ExperimentEntry{"linear", "Linear regression with a known truth", false, run_linear},
      ExperimentEntry{"sigmoid", "The mean of a sigmoid", false, run_sigmoid},
      ExperimentEntry{"toy", "Ten points of a cubic", false, run_toy},
      ExperimentEntry{"uci-small", "Five small data sets", true, run_uci_small},
      ExperimentEntry{"uci-samples", "Few samples and many", true, run_uci_samples},
      ExperimentEntry{"uci-large", "Six large data sets", true, run_uci_large},
      ExperimentEntry{"cifar10-features", "Images: the last layer of a pretrained network", true,
                      run_cifar10_features},
      ExperimentEntry{"cifar10-resnet20", "Images: a whole network, trained on", true,
                      run_cifar10_resnet20},
      ExperimentEntry{"ablations", "What each choice does", true, run_ablations},
  };
  return table;
}

}  // namespace wmi::frontends
