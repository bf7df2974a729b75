#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wmi::fuzz {

/// The commands of a problem's file; leaving some out makes it smaller.
using Commands = std::vector<std::string>;

std::string to_text(const Commands& commands);

/// Random numbers; the same on every platform for the same seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  /// Uniform in low ... high, nearly.
  int roll(int low, int high);
  bool chance(int percent) { return roll(1, 100) <= percent; }
  /// A small number, often 0 or 1; rarely huge or tiny.
  std::string number();
  /// From now on, this share of numbers, in percent, has 24 bits.
  void write_long_numbers(int percent) { long_numbers_ = percent; }

 private:
  std::uint64_t state_;
  int long_numbers_ = 0;
};

/// A kind of problem: one line of a table.
struct ShapeEntry {
  std::string_view name;
  std::string_view description;
  Commands (*generate)(Dice& dice);
};

std::span<const ShapeEntry> shapes();

}  // namespace wmi::fuzz
