#include "frontends/learning/sample_formula.h"

#include <string>
#include <vector>

#include "bnn/predictive/formulas.h"

namespace wmi::frontends {

bnn::ExactActivations exact_activations(const Predictor& predictor, std::size_t sample,
                                        const bnn::Matrix& inputs,
                                        std::span<const bnn::Activations> activations,
                                        std::size_t row, bool exact_forward) {
  const auto rational = [](std::span<const double> values) {
    return std::vector<Rational>(values.begin(), values.end());
  };
  if (exact_forward) {
    const bnn::CollapsedSample& collapsed = predictor.collapsed[sample];
    const bool plain = collapsed.layers == bnn::UnknownLayers::none;
    return bnn::exact_forward(predictor.run.network, predictor.samples[sample],
                              rational(inputs.row(row)), plain ? "" : collapsed.layer);
  }
  const bnn::Activations& found = activations[sample];
  bnn::ExactActivations result;
  if (found.entering.rows() > 0) result.entering = rational(found.entering.row(row));
  result.outputs = rational(found.outputs.row(row));
  return result;
}

Task sample_formula(const Predictor& predictor, std::size_t sample,
                    const bnn::ExactActivations& activations,
                    const std::optional<Rational>& outcome) {
  const bnn::CollapsedSample& collapsed = predictor.collapsed[sample];
  const double noise = bnn::output_laws(collapsed, std::span<const Rational>(activations.entering),
                                        std::span<const Rational>(activations.outputs))[0]
                           .noise;
  const Rational radius(predictor.options.noise.alpha * (noise * predictor.options.noise.scale));
  return bnn::sample_task(
      bnn::encode_sample(predictor.run.network, predictor.samples[sample], collapsed,
                         activations.entering, activations.outputs, radius),
      predictor.run.standardisation, outcome);
}

}  // namespace wmi::frontends
