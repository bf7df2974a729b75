// malloc and its relatives, each that of glibc with a count beside it. Every library of the process
// calls these, since the definitions of a program come before those of shared libraries. A thread
// counts by itself and adds to the sum now and then, so that threads do not wait for each other.
// Nothing is counted before somebody wants to know: it takes a tenth of the time of small numbers.

#include "frontends/cli/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WMI_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(WMI_SANITIZED)
#define WMI_COUNTS_MEMORY
#endif

namespace {

std::atomic<std::ptrdiff_t> total = 0;
std::atomic<void (*)(std::size_t)> watcher = nullptr;
std::atomic<bool> counting = false;

}  // namespace

namespace wmi::frontends {

std::size_t counted_bytes() {
  const std::ptrdiff_t bytes = total;
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

bool counts_memory() {
#ifdef WMI_COUNTS_MEMORY
  return true;
#else
  return false;
#endif
}

void count_memory() {
#ifdef WMI_COUNTS_MEMORY
  if (counting) return;
  const struct mallinfo2 heap = mallinfo2();
  total = static_cast<std::ptrdiff_t>(heap.uordblks + heap.hblkhd);
  counting = true;
#endif
}

void watch_allocations(void (*watch)(std::size_t bytes)) {
  if (watch != nullptr) count_memory();
  watcher = watch;
}

}  // namespace wmi::frontends

#ifdef WMI_COUNTS_MEMORY

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

constexpr std::ptrdiff_t own_share = std::ptrdiff_t{1} << 16;  // that a thread counts by itself
constexpr std::size_t interval = std::size_t{1} << 20;         // between two calls of the watcher

constinit thread_local std::ptrdiff_t counted = 0;  // since it was added to the total
constinit thread_local std::size_t allocated = 0;   // since the watcher was called

void count(std::ptrdiff_t bytes) {
  counted += bytes;
  if (counted < own_share && counted > -own_share) return;
  total.fetch_add(counted, std::memory_order_relaxed);
  counted = 0;
}

bool is_counting() { return counting.load(std::memory_order_relaxed); }

void before(std::size_t size) {
  if (size < interval) return;
  if (void (*const watch)(std::size_t) = watcher) watch(size);
}

void* counted_block(void* block) {
  if (block == nullptr) return block;
  const std::size_t size = malloc_usable_size(block);
  count(static_cast<std::ptrdiff_t>(size));
  allocated += size;
  if (allocated < interval) return block;
  allocated = 0;
  if (void (*const watch)(std::size_t) = watcher) watch(0);
  return block;
}

void uncount(void* block) { count(-static_cast<std::ptrdiff_t>(malloc_usable_size(block))); }

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  if (!is_counting()) return __libc_malloc(size);
  before(size);
  return counted_block(__libc_malloc(size));
}

void* calloc(std::size_t number, std::size_t size) {
  if (!is_counting()) return __libc_calloc(number, size);
  std::size_t bytes = 0;
  before(__builtin_mul_overflow(number, size, &bytes) ? SIZE_MAX : bytes);
  return counted_block(__libc_calloc(number, size));
}

void* realloc(void* block, std::size_t size) {
  if (!is_counting()) return __libc_realloc(block, size);
  before(size);
  const std::size_t old = malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (moved != nullptr || size == 0) count(-static_cast<std::ptrdiff_t>(old));
  return counted_block(moved);
}

void* memalign(std::size_t alignment, std::size_t size) {
  if (!is_counting()) return __libc_memalign(alignment, size);
  before(size);
  return counted_block(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  const int error = errno;
  void* const block = memalign(alignment, size);
  errno = error;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

void* valloc(std::size_t size) { return memalign(4096, size); }

void* pvalloc(std::size_t size) { return memalign(4096, (size + 4095) / 4096 * 4096); }

void free(void* block) {
  if (block == nullptr) return;
  if (is_counting()) uncount(block);
  __libc_free(block);
}

}  // extern "C"

#endif
