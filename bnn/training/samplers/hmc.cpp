// Hamiltonian Monte Carlo (Neal, "MCMC using Hamiltonian dynamics", 2011) with a unit mass: a
// momentum is drawn, some leapfrog steps follow the dynamics, and Metropolis' test takes the end or
// stays. In the warm-up the step size is adapted by dual averaging (Hoffman and Gelman, "The
// No-U-Turn sampler", 2014, section 3.2) to the acceptance rate that was asked for; afterwards it
// stays, times a factor that is drawn for each iteration, so that no orbit closes on itself.

#include <algorithm>

#include "bnn/training/samplers/chains.h"

namespace wmi::bnn {
namespace {

class Hamiltonian {
 public:
  Hamiltonian(LogPosterior& posterior, std::vector<double> state, bool noise_known)
      : posterior_(posterior), state_(std::move(state)), gradient_(state_.size()) {
    density_ = posterior_(state_, gradient_);
    if (!std::isfinite(density_)) throw Error("the chain starts where the posterior is no number");
    moves_.resize(state_.size(), true);
    for (const Parameter& parameter : posterior_.layout().parameters)
      if (parameter.fixed || (parameter.name == raw_variance_name && noise_known))
        std::fill_n(moves_.begin() + static_cast<std::ptrdiff_t>(parameter.offset), parameter.size,
                    false);
  }

  const std::vector<double>& state() const { return state_; }

  /// Returns the probability with which the end was to be taken.
  double iterate(double step, std::size_t steps, Random& random) {
    position_ = state_;
    slope_ = gradient_;
    momentum_.resize(state_.size());
    double energy = -density_;
    for (std::size_t i = 0; i < momentum_.size(); ++i) {
      momentum_[i] = moves_[i] ? random.normal() : 0;
      energy += 0.5 * momentum_[i] * momentum_[i];
    }
    double density = density_;
    for (std::size_t s = 0; s < steps; ++s) {
      for (std::size_t i = 0; i < momentum_.size(); ++i) {
        momentum_[i] += 0.5 * step * slope_[i];
        position_[i] += step * momentum_[i];
      }
      density = posterior_(position_, slope_);
      if (!std::isfinite(density)) return 0;
      for (std::size_t i = 0; i < momentum_.size(); ++i) momentum_[i] += 0.5 * step * slope_[i];
    }
    double end = -density;
    for (const double p : momentum_) end += 0.5 * p * p;
    const double probability = std::isfinite(end) ? std::min(1.0, std::exp(energy - end)) : 0;
    if (random.uniform() < probability) {
      state_.swap(position_);
      gradient_.swap(slope_);
      density_ = density;
    }
    return probability;
  }

 private:
  LogPosterior& posterior_;
  std::vector<double> state_, gradient_;
  std::vector<double> position_, slope_, momentum_;
  std::vector<bool> moves_;
  double density_ = 0;
};

/// Dual averaging of the logarithm of the step size.
class StepSize {
 public:
  StepSize(double first, double target) : centre_(std::log(10 * first)), target_(target) {
    log_ = std::log(first);
  }
  double current() const { return std::exp(log_); }
  double averaged() const { return count_ == 0 ? std::exp(log_) : std::exp(average_); }
  void learn(double probability) {
    ++count_;
    const double n = static_cast<double>(count_);
    error_ += ((target_ - probability) - error_) / (n + 10);
    log_ = centre_ - std::sqrt(n) / 0.05 * error_;
    const double weight = std::pow(n, -0.75);
    average_ = weight * log_ + (1 - weight) * average_;
  }

 private:
  double centre_, target_;
  double log_ = 0, average_ = 0, error_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

Samples draw_hmc(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed) {
  if (options.leapfrog == 0) throw Error("an iteration needs a leapfrog step");
  const std::size_t warm_up = options.warm_up > 0 ? options.warm_up : 500;
  const std::size_t thinning = options.thinning > 0 ? options.thinning : 5;
  const std::size_t per_chain =
      (options.count + options.chains - 1) / std::max<std::size_t>(1, options.chains);
  const auto run_chain = [&](LogPosterior& posterior, std::vector<double> start, std::size_t draws,
                             Random& random, const auto& tick) {
    Hamiltonian dynamics(posterior, std::move(start), options.noise_variance.has_value());
    StepSize step(options.step > 0 ? options.step : 0.01, options.acceptance);
    const auto jitter = [&] { return 0.8 + 0.4 * random.uniform(); };
    for (std::size_t i = 0; i < warm_up; ++i) {
      step.learn(dynamics.iterate(step.current() * jitter(), options.leapfrog, random));
      tick();
    }
    Chain chain;
    chain.step = step.averaged();
    chain.acceptance = 0;
    for (std::size_t i = 1; chain.draws.size() < draws; ++i) {
      chain.acceptance += dynamics.iterate(chain.step * jitter(), options.leapfrog, random);
      if (i % thinning == 0) chain.draws.push_back(dynamics.state());
      tick();
    }
    chain.acceptance /= static_cast<double>(draws * thinning);
    return chain;
  };
  return run_chains(input, options, seed, warm_up + per_chain * thinning, run_chain);
}

}  // namespace wmi::bnn
