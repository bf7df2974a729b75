#pragma once

#include <vector>

namespace wmi::bnn {

/// A mixture of normal laws, for what takes long by distribution functions alone.
///
///     const NormalMixture law({{0, 1, 0.5}, {3, 2, 0.5}});
///     law.quantile(0.5);
class NormalMixture {
 public:
  struct Part {
    double mean = 0;
    double deviation = 1;  // above 0
    double weight = 1;     // of sum 1 over the parts
  };
  explicit NormalMixture(std::vector<Part> parts);

  /// For 0 < p < 1.
  double quantile(double p) const;

  /// E|X - X'| / 2 for independent X and X' of this law.
  double half_spread() const;

 private:
  std::vector<Part> parts_;
  std::vector<double> scales_;  // 1 / deviation
  double mean_ = 0;
  double deviation_ = 0;
  double least_deviation_ = 0;  // of a part
};

}  // namespace wmi::bnn
