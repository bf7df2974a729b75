#include "bnn/training/sampler.h"

#include <string>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr SamplerEntry table[] = {
    {"trajectory", "goes on from the last samples, at the sampling rate", draw_trajectory},
    {"sgd", "the last point of the first trajectory", draw_sgd},
    {"swa", "the mean of the first trajectory's weights", draw_swa},
    {"swag", "normal around each trajectory's mean, covariance diagonal and low rank", draw_swag},
    {"ensemble", "the last point of each trajectory", draw_ensemble},
    {"dropout", "the last point, with units left out at random", draw_dropout},
    {"sgld", "stochastic gradient Langevin dynamics, under a normal prior", draw_sgld},
    {"hmc", "Hamiltonian Monte Carlo, for small networks, under a normal prior", draw_hmc},
};

}  // namespace

std::span<const SamplerEntry> samplers() { return table; }

const SamplerEntry& find_sampler(std::string_view name) {
  std::string known;
  for (const SamplerEntry& entry : table) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("no sampler '" + std::string(name) + "'; choose " + known);
}

}  // namespace wmi::bnn
