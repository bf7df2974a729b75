#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/predictive/predictive.h"
#include "frontends/learning/prediction.h"
#include "frontends/learning/prediction_questions.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// What the formulas of some samples add to the answers of a row.
struct FormulaPart {
  Interval mean = Interval(0), density = Interval(0);
  std::size_t cells = 0;
};

/// Predicts a batch of rows: one forward pass of all samples over the batch; then, for each row,
/// the output laws of the collapsed samples and the predictive law that is their mixture.
class BatchPredictor {
 public:
  /// The rows from `first` on, `count` of them. All arguments must outlive this.
  BatchPredictor(const Predictor& predictor, const Questions& questions, const Rows& rows,
                 std::size_t first, std::size_t count);

  /// The predictions of the batch, in order. One that cannot be made has an error instead.
  std::vector<Prediction> predictions() const;

  /// With formulas: what the samples from `from` to before `to` add to a row of the batch, and the
  /// prediction of all parts. Throws Error.
  FormulaPart formula_part(std::size_t row, std::size_t from, std::size_t to) const;
  Prediction of_parts(std::size_t row, const FormulaPart& sum) const;

 private:
  Prediction predict(std::size_t row) const;
  /// Whether predictions have scores; those of a missing outcome are unknown.
  bool scored() const { return questions_.at || !outcomes_.empty(); }
  /// Calls `visit(name, from, to)` for each value of a whole-number target, and for what is below
  /// and above the values of the training.
  template <class Visit>
  void for_each_value(const Visit& visit) const;
  std::vector<Quantity> numbers(const bnn::Predictive& law, std::optional<double> outcome) const;
  /// `estimate` is where the search for certified quantiles starts.
  std::vector<Quantity> certified_numbers(const bnn::Predictive& estimate, std::size_t row,
                                          std::optional<double> outcome) const;
  std::optional<double> outcome_of(std::size_t row) const;
  void check_noise(const bnn::InputLaws& laws, std::size_t row) const;
  std::vector<Quantity> classes(const bnn::InputLaws& laws, std::size_t row,
                                std::optional<double> outcome) const;
  std::vector<double> authors_probabilities(std::size_t row) const;
  bnn::ExactActivations exact_numbers(std::size_t sample, std::size_t row) const;
  std::vector<std::vector<bnn::OutputLaw<Rational>>> exact_laws(std::size_t row) const;

  const Predictor& predictor_;
  const Questions& questions_;
  std::size_t first_;
  bnn::Matrix inputs_;
  const Rows& rows_;
  std::span<const double> outcomes_;  // empty if unknown
  std::vector<bnn::Activations> activations_;
};

}  // namespace wmi::frontends
