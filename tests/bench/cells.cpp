// How many cells the benchmark files of the data folder take: by the split enumerator in each of
// its branching orders, by the z3 enumerator, and the total assignments to atoms and Booleans. A
// count that takes more than a few seconds for a file ends there, and the sum is a lower bound.
// `cells road` takes the sets of that folder alone.

#include <condition_variable>
#include <mutex>
#include <thread>

#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/error.h"
#include "tests/bench/table.h"
#include "tests/frontends/reading.h"
#include "tests/skipped.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

constexpr std::chrono::seconds limit(3);

/// Requests a stop after some time, unless it is destroyed before.
class Deadline {
 public:
  explicit Deadline(std::stop_source stop)
      : thread_([this, stop](const std::stop_token& gone) mutable {
          std::unique_lock lock(mutex_);
          over_.wait_for(lock, gone, limit, [] { return false; });
          stop.request_stop();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any over_;
  std::jthread thread_;
};

struct Count {
  std::size_t cells = 0;
  double seconds = 0;
  bool whole = true;

  std::string text() const { return (whole ? "" : "> ") + std::to_string(cells); }
};

/// Counts the cells of each part of a product every time it occurs, and not the product itself.
void add_cells(const Enumerator& enumerator, const Problem& problem, const std::stop_token& stop,
               std::size_t& cells) {
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  const auto found = enumerator.start(problem, std::span(&goal, 1), stop);
  while (const std::optional<Cell> cell = found->next()) {
    const auto* const product = std::get_if<ProductCell>(&cell->kind);
    if (product == nullptr)
      ++cells;
    else
      for (const Part& part : product->parts) add_cells(enumerator, part.problem, stop, cells);
  }
}

void add_count(const Enumerator& enumerator, const Problem& problem, Count& count) {
  std::stop_source stop;
  const Deadline deadline(stop);
  count.seconds += processor_seconds([&] {
    try {
      add_cells(enumerator, problem, stop.get_token(), count.cells);
    } catch (const Stopped&) {
      count.whole = false;
    }
  });
}

/// With a weight on each atom and Boolean, every total assignment is a cell of its own.
Problem total(const Problem& problem) {
  Problem result = problem;
  result.weights.clear();
  for (std::uint32_t i = 0; i < problem.terms.size(); ++i)
    if (const Kind kind = problem.terms.node(i).kind; kind == Kind::atom || kind == Kind::boolean)
      result.weights.push_back({Formula(i, false), Polynomial(2)});
  return result;
}

struct Set {
  const char* folder;
  const char* prefix;
};

constexpr Set sets[] = {{"random", "nr2-"},
                        {"random", "nr3-"},
                        {"random", "nr4-"},
                        {"random", "nr5-"},
                        {"random", "nr6-"},
                        {"random", "nr7-"},
                        {"random", "nr8-"},
                        {"random", "nr9-"},
                        {"random", "nr10-"},
                        {"kolb", ""},
                        {"sequential", ""},
                        {"dets", ""},
                        {"road", ""},
                        {"synthetic", "r3_b3_d4"},
                        {"synthetic", "r3_b3_d5"},
                        {"synthetic", "r3_b3_d6"},
                        {"synthetic", "r3_b3_d7"}};

}  // namespace

int main(int argc, char** argv) {
  const auto folder = data_folder("wmi");
  if (!folder) return 0;
  Table cells("cells", {"set", "files", "split", "z3", "total_assignments"});
  Table orders("orders", {"set", "most_used", "most_even", "first", "weight_first", "most_used_s",
                          "most_even_s", "first_s", "weight_first_s"});
  for (const Set& set : sets) {
    if (argc > 1 && set.folder != std::string(argv[1])) continue;
    Count by[4], z3, every;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / set.folder)) {
      const std::string name = entry.path().filename().string();
      // Each Kolb problem is there in two formats.
      const bool twice = set.folder == std::string("kolb") && name.ends_with(".txt");
      if (!name.starts_with(set.prefix) || twice) continue;
      ++files;
      for (const Task& task : read(load(entry.path()), "")) {
        for (const Branching branching : {Branching::most_used, Branching::most_even,
                                          Branching::first, Branching::weight_first})
          add_count(*make_split_by(branching), task.problem, by[static_cast<int>(branching)]);
        add_count(*make_z3(), task.problem, z3);
        add_count(*make_z3(), total(task.problem), every);
      }
    }
    const std::string name = std::string(set.folder) + "/" + set.prefix;
    cells.add({name, double(files), by[0].text(), z3.text(), every.text()});
    orders.add({name, by[0].text(), by[1].text(), by[2].text(), by[3].text(), by[0].seconds,
                by[1].seconds, by[2].seconds, by[3].seconds});
    std::fprintf(stderr, "%s\n", name.c_str());
  }
}
