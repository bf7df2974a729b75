#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <thread>

#include "bnn/predictive/certified_predictive.h"
#include "bnn/predictive/classes.h"
#include "frontends/python/core/arrays.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/collapsed_model.h"
#include "frontends/python/core/collapsed_state.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/numbers.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

/// The laws of the outcomes of some rows, and what they come from.
struct OutcomeLaws {
  Model model;
  ManyActivations activations;
  std::shared_ptr<const std::vector<bnn::Predictive>> laws;
};

/// The result of work that owns what it uses. Ctrl-C stops it.
template <class Work>
auto interruptibly(Work work) {
  return *result_of(std::move(work));
}

unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

bnn::Activations to_activations(const Array& entering, const Array& outputs) {
  return {to_matrix(entering), to_matrix(outputs)};
}

/// From pairs (entering, outputs), one for each sample.
ManyActivations to_many(const std::shared_ptr<CollapsedModel>& model, const py::list& pairs) {
  auto result = std::make_shared<std::vector<bnn::Activations>>();
  for (const py::handle one : pairs) {
    const auto pair = py::cast<std::pair<Array, Array>>(one);
    result->push_back(to_activations(pair.first, pair.second));
  }
  check_activations(*model, *result);
  return result;
}

/// The likelihood is (kind, link, least variance), the posterior (name, lambda, temperature, width).
/// Samples are tuples (weight, bias or None, raw variance, entering, outputs).
std::shared_ptr<CollapsedModel> make_model(
    const std::string& head, const std::tuple<std::string, std::string, double>& likelihood,
    const std::string& partition, const std::tuple<std::string, double, double, double>& posterior,
    const py::list& samples, const std::vector<std::size_t>& trajectories, const Array& targets) {
  const bnn::Observation observation = std::apply(to_observation, likelihood);
  bnn::CollapseOptions options;
  options.partition = partition;
  options.posterior = std::get<0>(posterior);
  options.options = {std::get<1>(posterior), std::get<2>(posterior), std::get<3>(posterior)};
  std::vector<HeadSample> heads;
  for (const py::handle one : samples) {
    const auto parts = py::cast<py::tuple>(one);
    heads.push_back(
        {to_matrix(py::cast<Array>(parts[0])),
         parts[1].is_none() ? std::vector<double>() : to_vector(py::cast<Array>(parts[1])),
         py::cast<double>(parts[2]),
         to_activations(py::cast<Array>(parts[3]), py::cast<Array>(parts[4]))});
  }
  return interruptibly(
      [=, heads = std::move(heads), numbers = to_vector(targets)](const std::stop_token& stop) {
        return collapse_head(head, observation, heads, trajectories, numbers, options, stop);
      });
}

OutcomeLaws make_laws(const std::shared_ptr<CollapsedModel>& model, const py::list& pairs) {
  if (!model->samples[0].observation.regression())
    throw Error("classes have probabilities, and no law of an outcome that is a number");
  const ManyActivations activations = to_many(model, pairs);
  return interruptibly([=](const std::stop_token& stop) {
    return OutcomeLaws{model, activations,
                       std::make_shared<const std::vector<bnn::Predictive>>(
                           outcome_laws(*model, *activations, cores(), stop))};
  });
}

py::tuple laws_state(const OutcomeLaws& outcomes) {
  py::list pairs;
  for (const bnn::Activations& one : *outcomes.activations)
    pairs.append(py::make_tuple(to_array(one.entering), to_array(one.outputs)));
  return py::make_tuple(to_state(*outcomes.model), pairs);
}

OutcomeLaws laws_of_state(const py::tuple& state) {
  return make_laws(from_state(py::cast<py::tuple>(state[0])), py::cast<py::list>(state[1]));
}

py::array make_probabilities(const std::shared_ptr<CollapsedModel>& model, const py::list& pairs) {
  const ManyActivations activations = to_many(model, pairs);
  return to_array(interruptibly([=](const std::stop_token& stop) {
    return class_probabilities(*model, *activations, cores(), stop);
  }));
}

py::tuple to_ends(const Interval& interval) {
  return py::make_tuple(to_fraction(interval.lower), to_fraction(interval.upper));
}

py::list certified_probabilities(const std::shared_ptr<CollapsedModel>& model,
                                 const py::list& pairs, unsigned digits) {
  const ManyActivations activations = to_many(model, pairs);
  const auto found = interruptibly([=](const std::stop_token& stop) {
    std::vector<std::vector<Interval>> rows(activations->front().outputs.rows());
    for_rows(rows.size(), cores(), stop, [&](std::size_t row) {
      rows[row] = bnn::certified_class_probabilities(exact_laws(*model, *activations, row),
                                                     model->samples[0].observation, digits);
    });
    return rows;
  });
  py::list result;
  for (const std::vector<Interval>& row : found) {
    py::list classes;
    for (const Interval& interval : row) classes.append(to_ends(interval));
    result.append(classes);
  }
  return result;
}

/// A number for each row, from a question that has an argument for each.
template <auto Question>
py::array of_outcomes(const OutcomeLaws& outcomes, const Array& arguments) {
  const std::vector<double> given = to_vector(arguments);
  if (given.size() != outcomes.laws->size())
    throw Error("there are " + std::to_string(outcomes.laws->size()) + " rows and " +
                std::to_string(given.size()) + " outcomes");
  return to_array(interruptibly([given, laws = outcomes.laws](const std::stop_token& stop) {
    std::vector<double> result(given.size());
    for_rows(result.size(), cores(), stop,
             [&](std::size_t i) { result[i] = ((*laws)[i].*Question)(given[i]); });
    return result;
  }));
}

template <auto Question>
py::array of_laws(const OutcomeLaws& outcomes) {
  std::vector<double> result;
  for (const bnn::Predictive& law : *outcomes.laws) result.push_back((law.*Question)());
  return to_array(result);
}

py::array variances(const OutcomeLaws& outcomes) {
  bnn::Matrix result(outcomes.laws->size(), 3);
  for (std::size_t i = 0; i < result.rows(); ++i) {
    const bnn::Predictive::Variance parts = (*outcomes.laws)[i].variance();
    result.at(i, 0) = parts.noise;
    result.at(i, 1) = parts.within;
    result.at(i, 2) = parts.between;
  }
  return to_array(result);
}

using Questions = bnn::CertifiedPredictive;

/// Answers about one row, in exact numbers for its activations.
template <class Answer>
auto certified(const OutcomeLaws& outcomes, std::size_t row, Answer answer) {
  if (row >= outcomes.laws->size()) throw py::index_error("there is no such row");
  return interruptibly([=](const std::stop_token&) {
    std::vector<bnn::OutputLaw<Rational>> laws;
    for (auto& sample : exact_laws(*outcomes.model, *outcomes.activations, row))
      laws.push_back(std::move(sample[0]));
    return answer(Questions(laws, bnn::OutcomeNoise{}, bnn::Standardisation{}));
  });
}

py::tuple certified_moments(const OutcomeLaws& outcomes, std::size_t row) {
  const auto [mean, variance] = certified(outcomes, row, [](const Questions& law) {
    return std::pair(law.mean().midpoint(), law.variance().midpoint());  // exact
  });
  return py::make_tuple(to_fraction(mean), to_fraction(variance));
}

template <auto Question>
py::tuple certified_at(const OutcomeLaws& outcomes, std::size_t row, py::handle at,
                       unsigned digits) {
  const Rational y = to_rational(at);
  return to_ends(
      certified(outcomes, row, [=](const Questions& law) { return (law.*Question)(y, digits); }));
}

py::tuple certified_log_density(const OutcomeLaws& outcomes, std::size_t row, py::handle at,
                                unsigned digits) {
  const Rational y = to_rational(at);
  return to_ends(certified(outcomes, row, [=](const Questions& law) {
    return law.log_density(y, digits).value();  // a Gaussian density is nowhere 0
  }));
}

py::tuple certified_quantile(const OutcomeLaws& outcomes, std::size_t row, py::handle probability,
                             unsigned digits) {
  const Rational p = to_rational(probability);
  return to_ends(certified(outcomes, row, [=, laws = outcomes.laws](const Questions& law) {
    return law.quantile(p, Rational((*laws)[row].quantile(p.get_d())), digits);
  }));
}

}  // namespace

void bind_collapse(py::module_& module) {
  py::class_<OutcomeLaws>(module, "OutcomeLaws")
      .def("mean", &of_laws<&bnn::Predictive::mean>)
      .def("deviation", &of_laws<&bnn::Predictive::deviation>)
      .def("variances", &variances)
      .def("cdf", &of_outcomes<&bnn::Predictive::cdf>)
      .def("log_density", &of_outcomes<&bnn::Predictive::log_density>)
      .def("quantile", &of_outcomes<&bnn::Predictive::quantile>)
      .def("crps", &of_outcomes<&bnn::Predictive::crps>)
      .def("certified_moments", &certified_moments)
      .def("certified_cdf", &certified_at<&Questions::cdf>)
      .def("certified_density", &certified_at<&Questions::density>)
      .def("certified_log_density", &certified_log_density)
      .def("certified_quantile", &certified_quantile)
      .def(py::pickle(&laws_state, &laws_of_state));
  py::class_<CollapsedModel, std::shared_ptr<CollapsedModel>>(module, "CollapsedModel")
      .def(py::init(&make_model))
      .def("laws", &make_laws)
      .def("probabilities", &make_probabilities)
      .def("certified_probabilities", &certified_probabilities)
      .def("state", &to_state)
      .def_static("of_state", &from_state)
      .def(py::pickle(&to_state, &from_state));
}

}  // namespace wmi::python
