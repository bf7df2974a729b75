#include "bnn/data/tails.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double log_two_pi = 1.8378770664093454835606594728112;

constexpr std::pair<std::string_view, Tails::Kind> names[] = {
    {"normal", Tails::Kind::normal},
    {"student", Tails::Kind::student},
    {"two-scale", Tails::Kind::two_scale},
};

/// log of the two parts of a two-scale law, without the common factor.
struct Parts {
  double usual, outlying;
};
Parts parts(const Tails& tails, double square) {
  const double scale = tails.outlier_scale;
  return {std::log1p(-tails.outliers) - square / 2,
          std::log(tails.outliers / scale) - square / (2 * scale * scale)};
}

}  // namespace

std::string_view name(Tails::Kind kind) {
  for (const auto& [word, entry] : names)
    if (entry == kind) return word;
  return "";
}

Tails::Kind tails_kind(std::string_view name) {
  for (const auto& [word, entry] : names)
    if (word == name) return entry;
  throw Error("no noise with the tails '" + std::string(name) +
              "'; choose normal, student, two-scale");
}

double log_density(const Tails& tails, double square) {
  switch (tails.kind) {
    case Tails::Kind::student: {
      const double n = tails.freedom;
      return std::lgamma((n + 1) / 2) - std::lgamma(n / 2) - 0.5 * std::log(n * std::numbers::pi) -
             (n + 1) / 2 * std::log1p(square / n);
    }
    case Tails::Kind::two_scale: {
      const auto [usual, outlying] = parts(tails, square);
      const double most = std::max(usual, outlying);
      return most + std::log(std::exp(usual - most) + std::exp(outlying - most)) -
             0.5 * log_two_pi;
    }
    default:
      return -0.5 * (log_two_pi + square);
  }
}

double precision(const Tails& tails, double square) {
  switch (tails.kind) {
    case Tails::Kind::student:
      return (tails.freedom + 1) / (tails.freedom + square);
    case Tails::Kind::two_scale: {
      const auto [usual, outlying] = parts(tails, square);
      const double share = 1 / (1 + std::exp(usual - outlying));  // that it is an outlier
      return 1 - share + share / (tails.outlier_scale * tails.outlier_scale);
    }
    default:
      return 1;
  }
}

}  // namespace wmi::bnn
