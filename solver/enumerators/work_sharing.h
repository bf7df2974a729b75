#pragma once

#include <functional>
#include <memory>

#include "solver/enumerator.h"

namespace wmi {

/// Calls `work` for each of the cells, from several threads at once, with the number of the thread.
/// True when all cells were searched. False when it was stopped: then `work` has also been given
/// open cells for the rest. Throws Stopped if the rest of the search is unknown.
///
/// An idle thread takes over a part of another one's search (Cells::fork), so none waits for long.
/// Which thread gets which cell is not determined. An exception of `work` or of the cells ends it
/// and is rethrown here; of several, any one.
bool share_work(std::unique_ptr<Cells> cells, unsigned threads,
                const std::function<void(const Cell&, unsigned)>& work);

}  // namespace wmi
