#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace wmi::check {

/// A set of numbers below a bound, as bits. Only sets of the same bound may meet.
class Set {
 public:
  explicit Set(std::size_t bound) : words_((bound + 63) / 64) {}

  void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  bool contains(std::size_t number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  bool empty() const { return std::ranges::count(words_, 0U) == std::ssize(words_); }
  bool meets(const Set& other) const { return missing_in(other) < size(); }
  bool within(const Set& other) const { return missing_in(other) == 0; }
  std::size_t size() const {
    std::size_t result = 0;
    for (const std::uint64_t word : words_) result += static_cast<unsigned>(std::popcount(word));
    return result;
  }
  /// How many of it are not in the other.
  std::size_t missing_in(const Set& other) const {
    std::size_t result = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      result += static_cast<unsigned>(std::popcount(words_[i] & ~other.words_[i]));
    return result;
  }

  Set& operator&=(const Set& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }

  Set& operator-=(const Set& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }

  std::vector<std::size_t> members() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        result.push_back(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
    return result;
  }

  friend bool operator==(const Set&, const Set&) = default;

  struct Hash {
    std::size_t operator()(const Set& set) const {
      std::size_t result = 0;
      for (const std::uint64_t word : set.words_)
        result = (result ^ word ^ word >> 29) * 0x9E3779B97F4A7C15U;
      return result;
    }
  };

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace wmi::check
