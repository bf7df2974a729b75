#include "frontends/common/memory.h"

#include <doctest/doctest.h>
#include <gmp.h>

#include <new>

namespace wmi::frontends {
namespace {

struct NoMemory {};

TEST_CASE("GMP calls the new handler when it cannot allocate") {
  void* (*allocate)(std::size_t) = nullptr;
  void* (*reallocate)(void*, std::size_t, std::size_t) = nullptr;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(&allocate, &reallocate, &release);
  const std::new_handler before = std::set_new_handler([] { throw NoMemory(); });
  let_gmp_call_new_handler();
  void* (*ours)(std::size_t) = nullptr;
  mp_get_memory_functions(&ours, nullptr, nullptr);
  const volatile std::size_t too_much = std::size_t(-1) / 4;
  CHECK_THROWS_AS(ours(too_much), NoMemory);
  void (*free_ours)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &free_ours);
  free_ours(ours(10), 10);
  std::set_new_handler(before);
  mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace
}  // namespace wmi::frontends
