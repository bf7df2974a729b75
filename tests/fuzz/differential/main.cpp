// wmi-fuzz: solves random problems by every method and compares the answers. A problem on which two
// methods disagree is shrunk and written to a file.

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "frontends/cli/program.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/write_file.h"
#include "solver/terms/error.h"
#include "tests/fuzz/differential/check.h"
#include "tests/fuzz/differential/generate.h"
#include "tests/fuzz/differential/shrink.h"

using namespace wmi;
using namespace wmi::frontends;
using namespace wmi::fuzz;

namespace {

constexpr std::string_view usage =
    "usage: wmi-fuzz [COUNT] [--seed N] [--shape NAME]\n"
    "Solves COUNT (100) random problems by every enumerator and integrator, and compares the\n"
    "answers, laws, written files, threads and complements of events; has each certified, and the\n"
    "certificate checked. A problem with a fault is made small and written to fault-SEED.smt2; "
    "exit\n"
    "status 4.\n";

std::optional<std::string> fault_of(const Commands& commands) {
  try {
    return find_fault(to_text(commands));
  } catch (const Error&) {  // no longer a problem
    return std::nullopt;
  }
}

std::uint64_t number(const std::string& word) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size())
    throw UsageError("'" + word + "' is no number; see --help");
  return value;
}

int run(const std::vector<std::string>& arguments, Terminal& terminal) {
  std::uint64_t count = 100, seed = 1;
  std::string only;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool more = i + 1 < arguments.size();
    if (arguments[i] == "--help") {
      terminal.print(usage);
      for (const ShapeEntry& shape : shapes())
        terminal.print(fmt::format("  {:<11} {}\n", shape.name, shape.description));
      return 0;
    }
    if (arguments[i] == "--seed" && more)
      seed = number(arguments[++i]);
    else if (arguments[i] == "--shape" && more)
      only = arguments[++i];
    else
      count = number(arguments[i]);
  }
  std::size_t solved = 0, faults = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const ShapeEntry& shape = shapes()[i % shapes().size()];
    if (!only.empty() && only != shape.name) continue;
    const std::uint64_t problem = seed * 1'000'003 + i;
    Dice dice(problem);
    const Commands commands = shape.generate(dice);
    ++solved;
    std::optional<std::string> fault;
    try {
      fault = find_fault(to_text(commands));
    } catch (const Error& error) {
      fault = fmt::format("what is made is not read: {}:{}: {}", error.where().line,
                          error.where().column, error.what());
    }
    if (fault) {
      ++faults;
      const Commands small =
          shrink(commands, [](const Commands& some) { return fault_of(some).has_value(); });
      const std::string still = fault_of(small).value_or(*fault);
      const std::string file = fmt::format("fault-{}.smt2", problem);
      save(file, "; " + still + "\n" + to_text(small));
      terminal.say(fmt::format("{} (shape {}): {}; see {}", problem, shape.name, *fault, file));
    }
    terminal.progress(fmt::format("{} of {} problems, {} faults", i + 1, count, faults));
  }
  terminal.progress("");
  if (solved == 0) throw UsageError("no problem of shape '" + only + "'; see --help");
  const Tally done = tally();
  terminal.print(
      fmt::format("{} problems, {} comparisons, {} certificates accepted, {} without one, {} "
                  "faults\n",
                  solved, done.comparisons, done.certificates, done.uncertified, faults));
  return faults == 0 ? 0 : 4;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  Terminal terminal("wmi-fuzz");
  return guarded(terminal, [&] { return run({argv + 1, argv + argc}, terminal); });
}
