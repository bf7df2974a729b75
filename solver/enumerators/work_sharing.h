#pragma once

#include <functional>
#include <memory>

#include "solver/enumerator.h"

namespace wmi {

/// Calls `work` for each of the cells, from several threads at once, with the number of the thread.
/// True when that was all of them. False when it was stopped, and `work` has then been given the
/// rest as cells that are left open; Stopped where nobody can say what that is.
///
/// A thread that has nothing to do is given a part of what another one has left (Cells::fork), so
/// none waits for long. Which thread gets which cell, and when, is not known. An exception, of
/// `work` or of the cells, ends it and is thrown again here; of several, any one.
bool share_work(std::unique_ptr<Cells> cells, unsigned threads,
                const std::function<void(const Cell&, unsigned)>& work);

}  // namespace wmi
