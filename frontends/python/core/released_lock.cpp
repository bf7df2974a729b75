#include "frontends/python/core/released_lock.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace wmi::python {
namespace {

constexpr int patience = 1000;  // milliseconds; a fork may count threads that it does not have

std::atomic<std::thread::id> ending;  // the thread that ends the interpreter
std::atomic<int> returning = 0;       // threads that wait for the lock

bool holds_up_this_thread() {
  const std::thread::id ender = ending;
  return ender != std::thread::id() && ender != std::this_thread::get_id();
}

}  // namespace

ReleasedLock::ReleasedLock() : state_(PyEval_SaveThread()) {}

ReleasedLock::~ReleasedLock() {
  ++returning;
  if (holds_up_this_thread()) {
    --returning;
    for (;;) pause();
  }
  PyEval_RestoreThread(state_);
  --returning;
}

void end_questions() {
  ending = std::this_thread::get_id();
  PyThreadState* const state = PyEval_SaveThread();
  for (int i = 0; i < patience && returning > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

}  // namespace wmi::python
