#include "frontends/common/memory.h"

#include <gmp.h>

#include <cstdlib>
#include <new>

namespace wmi::frontends {
namespace {

void* allocate(std::size_t size) {
  for (;;) {
    if (void* block = std::malloc(size)) return block;
    std::get_new_handler()();
  }
}

void* reallocate(void* block, std::size_t, std::size_t size) {
  for (;;) {
    if (void* moved = std::realloc(block, size)) return moved;
    std::get_new_handler()();
  }
}

void release(void* block, std::size_t) { std::free(block); }

}  // namespace

void let_gmp_call_new_handler() { mp_set_memory_functions(allocate, reallocate, release); }

}  // namespace wmi::frontends
