// Welling and Teh, "Bayesian learning via stochastic gradient Langevin dynamics", 2011, with a
// constant step e: w += e/2 * gradient of the log posterior + sqrt(e) z. The gradient is that of a
// batch of rows that stands for all of them. The rate r of the descent on the mean loss is the same
// as e = 2 r / n.

#include "bnn/training/samplers/chains.h"

namespace wmi::bnn {

Samples draw_sgld(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed) {
  const std::size_t warm_up = options.warm_up > 0 ? options.warm_up : 2000;
  const std::size_t thinning = options.thinning > 0 ? options.thinning : 200;
  const double rate = options.step > 0 ? options.step : 0.002;
  const std::size_t per_chain =
      (options.count + options.chains - 1) / std::max<std::size_t>(1, options.chains);
  const auto run_chain = [&](LogPosterior& posterior, std::vector<double> state, std::size_t draws,
                             Random& random, const auto& tick) {
    const std::size_t rows = input.training.rows();
    const double e = 2 * rate / static_cast<double>(rows);
    const std::size_t batch = std::min(rows, options.recipe.batch);
    std::vector<double> gradient(state.size());
    std::vector<std::size_t> order;
    std::size_t at = rows;
    Chain chain;
    chain.step = e;
    for (std::size_t iteration = 1; chain.draws.size() < draws; ++iteration) {
      if (at + batch > rows) {
        order = shuffled(rows, random.bits());
        at = 0;
      }
      posterior.gradient(state, std::span(order).subspan(at, batch), gradient);
      at += batch;
      // A gradient that is far out of scale moves by its direction alone, as in training.
      double square = 0;
      for (const double entry : gradient) square += entry * entry;
      const double norm = std::sqrt(square) / static_cast<double>(rows);
      const double clip = options.recipe.clip;
      const double scale = clip > 0 && norm > clip ? clip / norm : 1;
      for (const Parameter& parameter : posterior.layout().parameters) {
        if (parameter.fixed || (parameter.name == raw_variance_name && options.noise_variance))
          continue;
        for (std::size_t i = parameter.offset; i < parameter.offset + parameter.size; ++i)
          state[i] += 0.5 * e * scale * gradient[i] + std::sqrt(e) * random.normal();
      }
      if (!std::isfinite(square)) throw Error("Langevin dynamics diverge; a smaller step may help");
      if (iteration > warm_up && (iteration - warm_up) % thinning == 0)
        chain.draws.push_back(state);
      tick();
    }
    return chain;
  };
  Samples result = run_chains(input, options, seed, warm_up + per_chain * thinning, run_chain);
  std::erase_if(result.diagnostics,
                [](const Diagnostic& d) { return d.name == "acceptance rate"; });
  return result;
}

}  // namespace wmi::bnn
