// The state of a collapsed model:
//
//     (format, likelihood, link, least variance, head, is the layer unknown, samples)
//     a sample is (raw variance, rows), a row of the last layer
//     (weights, bias, inputs of the unknown entries, their marginals, mean, covariance, is a box)
//
// where a marginal is a row (from, to, order), and mean and covariance are None without a joint law.

#include "frontends/python/core/collapsed_state.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "frontends/python/core/arrays.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

using Kind = bnn::Observation::Kind;
using Link = bnn::Observation::Link;
using Row = bnn::CollapsedSample::Row;

constexpr const char* format = "ciber collapse 1";

template <class Value>
struct Named {
  const char* name;
  Value value;
};
constexpr Named<Kind> kinds[] = {{"heteroscedastic", Kind::heteroscedastic},
                                 {"homoscedastic", Kind::homoscedastic},
                                 {"softmax", Kind::softmax},
                                 {"sigmoid", Kind::sigmoid}};
constexpr Named<Link> links[] = {
    {"exponential", Link::exponential}, {"softplus", Link::softplus}, {"bounded", Link::bounded}};

template <class Value>
Value value_of(std::span<const Named<Value>> table, const std::string& what,
               const std::string& name) {
  std::string known;
  for (const Named<Value>& entry : table) {
    if (name == entry.name) return entry.value;
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw Error("no " + what + " is called '" + name + "'; there are " + known);
}

template <class Value>
const char* name_of(std::span<const Named<Value>> table, Value value) {
  return std::ranges::find(table, value, &Named<Value>::value)->name;
}

[[noreturn]] void fail(const std::string& what) {
  throw Error("the state of a collapsed model: " + what);
}

py::tuple row_state(const Row& row) {
  std::vector<std::size_t> inputs;
  bnn::Matrix marginals(row.candidates.size(), 3);
  for (std::size_t i = 0; i < row.candidates.size(); ++i) {
    const bnn::Candidate& candidate = row.candidates[i];
    inputs.push_back(candidate.input);
    marginals.at(i, 0) = candidate.marginal.from;
    marginals.at(i, 1) = candidate.marginal.to;
    marginals.at(i, 2) = candidate.marginal.order;
  }
  const bool joint = !row.joint.mean.empty();
  return py::make_tuple(to_array(row.weights), row.bias, inputs,
                        row.candidates.empty() ? py::object(py::none()) : to_array(marginals),
                        joint ? py::object(to_array(row.joint.mean)) : py::none(),
                        joint ? py::object(to_array(row.joint.covariance)) : py::none(),
                        !row.basis.values.empty());
}

void check_finite(const std::vector<double>& numbers) {
  if (!std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); }))
    fail("a number is not finite");
}

bnn::Candidate to_candidate(std::size_t unit, std::size_t input, std::span<const double> marginal) {
  bnn::Candidate result;
  result.unit = unit;
  result.input = input;
  const double order = marginal[2];
  if (!(marginal[0] <= marginal[1]) || !(order == 1 || order == 2)) fail("a weight has no law");
  result.marginal = {marginal[0], marginal[1], static_cast<unsigned>(order)};
  return result;
}

Row to_row(const py::tuple& state, std::size_t unit) {
  if (state.size() != 7) fail("a row has seven parts");
  Row row;
  row.weights = to_vector(py::cast<Array>(state[0]));
  row.bias = py::cast<double>(state[1]);
  check_finite(row.weights);
  check_finite({row.bias});
  const auto inputs = py::cast<std::vector<std::size_t>>(state[2]);
  const bnn::Matrix marginals =
      state[3].is_none() ? bnn::Matrix() : to_matrix(py::cast<Array>(state[3]));
  if (marginals.rows() != inputs.size() || (!inputs.empty() && marginals.columns != 3))
    fail("each unknown weight has a law");
  check_finite(marginals.entries);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] > row.weights.size() || (i > 0 && inputs[i] <= inputs[i - 1]))
      fail("unknown weights are those of inputs, in their order");
    row.candidates.push_back(to_candidate(unit, inputs[i], marginals.row(i)));
  }
  row.most = row.candidates.size();
  if (state[4].is_none() || state[5].is_none()) return row;
  row.joint = {to_vector(py::cast<Array>(state[4])), to_matrix(py::cast<Array>(state[5]))};
  if (row.joint.mean.size() != inputs.size() || row.joint.covariance.rows() != inputs.size() ||
      row.joint.covariance.columns != inputs.size())
    fail("mean and covariance do not fit the unknown weights");
  check_finite(row.joint.mean);
  check_finite(row.joint.covariance.entries);
  if (py::cast<bool>(state[6])) row.basis = bnn::symmetric_eigen(row.joint.covariance);
  return row;
}

}  // namespace

bnn::Observation to_observation(const std::string& kind, const std::string& link,
                                double least_variance) {
  if (!(least_variance >= 0 && std::isfinite(least_variance)))
    throw Error("the least variance is a finite number that is not negative");
  return {value_of<Kind>(kinds, "likelihood", kind), value_of<Link>(links, "link", link),
          least_variance};
}

py::tuple to_state(const CollapsedModel& model) {
  const bnn::CollapsedSample& first = model.samples[0];
  py::list samples;
  for (const bnn::CollapsedSample& sample : model.samples) {
    py::list rows;
    for (const Row& row : sample.rows) rows.append(row_state(row));
    samples.append(py::make_tuple(sample.raw_variance, rows));
  }
  return py::make_tuple(format, name_of<Kind>(kinds, first.observation.kind),
                        name_of<Link>(links, first.observation.link),
                        first.observation.least_variance, first.layer,
                        first.layers == bnn::UnknownLayers::last, samples);
}

std::shared_ptr<CollapsedModel> from_state(const py::tuple& state) {
  if (state.size() != 7 || !py::isinstance<py::str>(state[0]) ||
      py::cast<std::string>(state[0]) != format)
    fail(std::string("it is not of the format '") + format + "'");
  const bnn::Observation observation = to_observation(
      py::cast<std::string>(state[1]), py::cast<std::string>(state[2]), py::cast<double>(state[3]));
  auto result = std::make_shared<CollapsedModel>();
  for (const py::handle one : state[6]) {
    const auto parts = py::cast<py::tuple>(one);
    if (parts.size() != 2) fail("a sample has two parts");
    bnn::CollapsedSample sample;
    sample.layers = py::cast<bool>(state[5]) ? bnn::UnknownLayers::last : bnn::UnknownLayers::none;
    sample.layer = py::cast<std::string>(state[4]);
    sample.observation = observation;
    sample.raw_variance = py::cast<double>(parts[0]);
    check_finite({sample.raw_variance});
    for (const py::handle row : parts[1])
      sample.rows.push_back(to_row(py::cast<py::tuple>(row), sample.rows.size()));
    const bool rows_fit =
        observation.kind == Kind::softmax ? sample.rows.size() >= 2 : sample.rows.size() == 1;
    if (!rows_fit ||
        (!result->samples.empty() && sample.rows.size() != result->samples[0].rows.size()))
      fail("the rows of a sample do not fit the likelihood");
    for (const Row& row : sample.rows)
      if (row.weights.size() != sample.rows[0].weights.size()) fail("rows differ in length");
    result->samples.push_back(std::move(sample));
  }
  if (result->samples.empty()) fail("there are no samples");
  return result;
}

}  // namespace wmi::python
