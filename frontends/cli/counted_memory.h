#pragma once

#include <cstddef>

namespace wmi::frontends {

/// Bytes that the allocator has given to this process and not got back, whoever asked for them: C++,
/// GMP, FLINT, MPFR, Z3. Right up to 64 KiB for each thread; 0 if `counts_memory` is false, or before
/// the first call of `count_memory`.
std::size_t counted_bytes();

/// Counts from now on, in the whole process. What is in use already is asked of the allocator.
void count_memory();

/// False where the allocator cannot be replaced: under sanitizers, and without glibc.
bool counts_memory();

/// Counts memory, too. From now on, `watch` is called before an allocation of a megabyte or more, with its size, and
/// otherwise after each megabyte of allocations, with 0; in the allocating thread, outside of the
/// allocator. It may not allocate. It may not return, too: then the thread gets no more memory.
void watch_allocations(void (*watch)(std::size_t bytes));

}  // namespace wmi::frontends
