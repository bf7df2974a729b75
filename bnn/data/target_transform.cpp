#include "bnn/data/target_transform.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::pair<std::string_view, TargetTransform> names[] = {
    {"none", TargetTransform::none},   {"log", TargetTransform::log},
    {"log1p", TargetTransform::log1p}, {"logit", TargetTransform::logit},
    {"asinh", TargetTransform::asinh},
};

}  // namespace

std::string_view name(TargetTransform transform) {
  for (const auto& [word, entry] : names)
    if (entry == transform) return word;
  return "";
}

TargetTransform target_transform(std::string_view name) {
  for (const auto& [word, entry] : names)
    if (word == name) return entry;
  throw Error("no transform of targets named '" + std::string(name) + "'");
}

OutcomeRange range(TargetTransform transform) {
  switch (transform) {
    case TargetTransform::log:
      return {0, infinity};
    case TargetTransform::log1p:
      return {-1, infinity};
    case TargetTransform::logit:
      return {0, 1};
    default:
      return {-infinity, infinity};
  }
}

double transformed(TargetTransform transform, double y) {
  if (y <= range(transform).from) return -infinity;
  if (y >= range(transform).to) return infinity;
  switch (transform) {
    case TargetTransform::log:
      return std::log(y);
    case TargetTransform::log1p:
      return std::log1p(y);
    case TargetTransform::logit:
      return std::log(y) - std::log1p(-y);
    case TargetTransform::asinh:
      return std::asinh(y);
    default:
      return y;
  }
}

double inverse(TargetTransform transform, double x) {
  switch (transform) {
    case TargetTransform::log:
      return std::exp(x);
    case TargetTransform::log1p:
      return std::expm1(x);
    case TargetTransform::logit:
      return 1 / (1 + std::exp(-x));
    case TargetTransform::asinh:
      return std::sinh(x);
    default:
      return x;
  }
}

double inverse_slope(TargetTransform transform, double x) {
  switch (transform) {
    case TargetTransform::log:
    case TargetTransform::log1p:
      return std::exp(x);
    case TargetTransform::logit:
      return 1 / ((1 + std::exp(-x)) * (1 + std::exp(x)));
    case TargetTransform::asinh:
      return std::cosh(x);
    default:
      return 1;
  }
}

double log_slope(TargetTransform transform, double y) {
  switch (transform) {
    case TargetTransform::log:
      return -std::log(y);
    case TargetTransform::log1p:
      return -std::log1p(y);
    case TargetTransform::logit:
      return -std::log(y) - std::log1p(-y);
    case TargetTransform::asinh:
      return -0.5 * std::log1p(y * y);
    default:
      return 0;
  }
}

double growth(TargetTransform transform) {
  return transform == TargetTransform::none || transform == TargetTransform::logit ? 0 : 1;
}

}  // namespace wmi::bnn
