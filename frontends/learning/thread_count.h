#pragma once

#include <algorithm>
#include <thread>

#include "frontends/cli/settings.h"

namespace wmi::frontends {

/// The setting `threads`; by default one thread for each core.
inline unsigned thread_count(const Settings& settings) {
  return settings.has("threads") ? static_cast<unsigned>(settings.count("threads"))
                                 : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace wmi::frontends
