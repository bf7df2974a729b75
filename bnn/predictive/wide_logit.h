#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace wmi::bnn {

/// E[G(u - z)] and E[g(u - z)] of a normal z, with Gumbel's distribution G and its density g: the
/// law of z plus a Gumbel number. For wide laws, at a cost that does not depend on the width.
class WideLogit {
 public:
  static constexpr double least_deviation = 4;

  struct Averages {
    double distribution = 0;
    double density = 0;
  };

  /// Throws std::invalid_argument below the least deviation.
  WideLogit(double mean, double deviation);

  /// Right to about 1e-13 of the largest value. Quick where u is near to the u before.
  Averages at(double u);

  /// Beyond them, distributions are 0 and 1.
  double low() const;
  double high() const;

  static constexpr std::size_t terms = 13;  // of a polynomial in (u - mean) / deviation

 private:
  struct Table;
  static const Table& table_for(double deviation);
  void enter(std::size_t cell);

  double mean_, deviation_;
  const Table* table_;
  std::vector<double> interpolation_;  // weights of the table's entries
  std::size_t cell_;                   // that `polynomial_` is for
  std::array<double, terms> polynomial_{};
};

}  // namespace wmi::bnn
