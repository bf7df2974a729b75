#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace wmi::bnn {

/// Derives an independent seed for each use of one: `mixed(seed, epoch)`.
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t use) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (use + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Random numbers that depend on the seed only: the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  std::uint64_t bits() { return bits_(); }
  /// In (0, 1).
  double uniform() { return (static_cast<double>(bits_() >> 12) + 0.5) * 0x1p-52; }
  /// Of mean 0 and variance 1, by Box and Muller.
  double normal() {
    if (ready_) {
      ready_ = false;
      return other_;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * 3.14159265358979323846 * uniform();
    other_ = radius * std::sin(angle);
    ready_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::mt19937_64 bits_;
  double other_ = 0;
  bool ready_ = false;
};

}  // namespace wmi::bnn
