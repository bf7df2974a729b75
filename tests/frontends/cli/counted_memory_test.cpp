#include "frontends/cli/counted_memory.h"

#include <doctest/doctest.h>
#include <flint/fmpz.h>
#include <gmpxx.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace wmi::frontends {
namespace {

constexpr std::ptrdiff_t megabyte = 1 << 20;
constexpr std::ptrdiff_t slack = megabyte / 2;  // threads count by themselves; FLINT keeps some

/// How many bytes are counted that were not when this was made.
class Growth {
 public:
  std::ptrdiff_t bytes() const {
    return static_cast<std::ptrdiff_t>(counted_bytes()) - static_cast<std::ptrdiff_t>(before_);
  }

 private:
  static std::size_t started() {
    count_memory();
    return counted_bytes();
  }

  std::size_t before_ = started();
};

TEST_CASE("one counter has the memory of C++, of GMP, of FLINT and of C") {
  if (!counts_memory()) return;
  const Growth growth;
  {
    const std::vector<char> block(10 * megabyte);
    CHECK(std::abs(growth.bytes() - 10 * megabyte) < slack);
    mpz_class large = 1;
    large <<= 8 * 5 * megabyte;
    CHECK(std::abs(growth.bytes() - 15 * megabyte) < slack);
    fmpz_t flint;
    fmpz_init(flint);
    fmpz_one(flint);
    fmpz_mul_2exp(flint, flint, 8 * 3 * megabyte);
    CHECK(std::abs(growth.bytes() - 18 * megabyte) < slack);
    fmpz_clear(flint);
    CHECK(std::abs(growth.bytes() - 15 * megabyte) < slack);
    void* c = std::calloc(4, megabyte);
    c = std::realloc(c, 6 * megabyte);
    CHECK(std::abs(growth.bytes() - 21 * megabyte) < slack);
    std::free(c);
    void* aligned = std::aligned_alloc(4096, 2 * megabyte);
    *static_cast<volatile char*>(aligned) = 1;  // a block that is not used may be left out
    CHECK(std::abs(growth.bytes() - 17 * megabyte) < slack);
    std::free(aligned);
  }
  CHECK(std::abs(growth.bytes()) < slack);
}

TEST_CASE("counting starts with what is in use, once") {
  if (!counts_memory()) return;
  const Growth growth;
  CHECK(counted_bytes() > 0);
  const std::vector<char> block(10 * megabyte);
  count_memory();
  CHECK(std::abs(growth.bytes() - 10 * megabyte) < slack);
}

TEST_CASE("many small blocks are counted like few large ones, and those of other threads too") {
  if (!counts_memory()) return;
  const Growth growth;
  std::vector<std::unique_ptr<char[]>> blocks(100'000);
  std::thread([&] {
    for (auto& block : blocks) block = std::make_unique<char[]>(100);
  }).join();
  CHECK(growth.bytes() > 100 * 100'000);
  CHECK(growth.bytes() < 140 * 100'000 + slack);
  blocks.clear();
  blocks.shrink_to_fit();
  CHECK(std::abs(growth.bytes()) < slack);
}

TEST_CASE("the watcher sees a large block before it is there, and small ones by the megabyte") {
  if (!counts_memory()) return;
  static std::size_t calls = 0, largest = 0;
  calls = largest = 0;
  watch_allocations([](std::size_t bytes) {
    ++calls;
    largest = std::max(largest, bytes);
  });
  const std::vector<char> block(7 * megabyte);
  CHECK(largest >= 7 * megabyte);
  calls = 0;
  for (int i = 0; i < 10'000; ++i) std::make_unique<char[]>(1'000);
  CHECK(calls >= 9);
  watch_allocations(nullptr);
}

}  // namespace
}  // namespace wmi::frontends
