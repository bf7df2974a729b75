#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::frontends {

/// The commands of `ciber` that need LibTorch. It takes half a second to load, so they live in a
/// program of their own beside this one, `ciber-learning`, which takes over.
struct LearningCommand {
  std::string_view name;
  std::string_view description;
};

inline constexpr std::array learning_commands = {
    LearningCommand{"train",
                    "trains a network and keeps samples of its weights in a run directory"},
    LearningCommand{"sample", "adds samples to a run directory: more of the trajectory, SWAG, HMC"},
    LearningCommand{"predict", "laws of outcomes, averaged over collapsed samples"},
    LearningCommand{"evaluate", "compares methods on held-out rows or on splits of a data set"},
    LearningCommand{"explain", "where the uncertainty of a prediction comes from"},
    LearningCommand{"report", "one HTML page about a run directory, with pictures"},
    LearningCommand{"demo", "the toy regression: collapsed samples beside Monte Carlo and HMC"},
    LearningCommand{"reproduce", "the experiments of the published method, and what they show"},
};

/// Whether that program is installed.
bool has_learning();

/// Blocks or unblocks (SIG_BLOCK, SIG_UNBLOCK) in this thread the signals that end a program.
void mask_signals(int how);

/// Replaces this process by that program with these arguments. Throws Error if it is not there.
[[noreturn]] void run_learning(const std::vector<std::string>& arguments);

}  // namespace wmi::frontends
