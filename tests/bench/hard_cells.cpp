// One cell of each hard file of the data folder by every exact method: of those cells that one
// polytope bounds, the one with the most vertices, integrated in a process of its own with a minute
// of processor time. The seconds and megabytes of the integration alone; - is not done, and refused
// where a vertex is on more facets than the dimension. Arguments are the files to take instead.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/geometry/region.h"
#include "solver/integrator.h"
#include "solver/integrators/cone_sums.h"
#include "tests/bench/table.h"
#include "tests/frontends/reading.h"
#include "tests/skipped.h"

namespace {

using namespace wmi;
using namespace wmi::bench;

struct HardCell {
  Polytope region;
  std::vector<Polynomial> integrands;
};

/// Goes into the parts of products.
void find_hardest(const Problem& problem, std::optional<HardCell>& hardest) {
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  const auto enumerator = make_split();
  const auto cells = enumerator->start(problem, std::span(&goal, 1), {});
  while (const std::optional<Cell> cell = cells->next()) {
    if (const auto* const product = std::get_if<ProductCell>(&cell->kind))
      for (const Part& part : product->parts) find_hardest(part.problem, hardest);
    const auto* const plain = std::get_if<PlainCell>(&cell->kind);
    if (plain == nullptr) continue;
    const Region region = make_region(cell->variables.size(), plain->bounds);
    if (region.flat || region.factors.size() != 1) continue;
    const Polytope& polytope = region.factors[0].polytope;
    if (!hardest || hardest->region.vertex_count() < polytope.vertex_count())
      hardest = {polytope, cell->integrands};
  }
}

using Method = std::function<bool(const HardCell&)>;

Method by(std::unique_ptr<Integrator> (*make)(const IntegratorOptions&)) {
  return [make](const HardCell& cell) {
    make({})->integrate(cell.integrands, cell.region);
    return true;
  };
}

bool by_cones(const HardCell& cell) {
  return integrate_by_cones(cell.integrands, cell.region).has_value();
}

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Seconds of processor time, and by how many megabytes the peak of the process grows.
std::string measured(const HardCell& cell, const Method& method) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlimit minute{60, 60};
    setrlimit(RLIMIT_CPU, &minute);
    const double before = megabytes();
    bool done = false;
    const double time = processor_seconds([&] { done = method(cell); });
    char text[64];
    const int length =
        done ? std::snprintf(text, sizeof text, "%.3g s, %.0f MB", time, megabytes() - before)
             : std::snprintf(text, sizeof text, "refused");
    _exit(write(ends[1], text, static_cast<std::size_t>(length)) == length ? 0 : 1);
  }
  close(ends[1]);
  char text[64];
  const ssize_t length = read(ends[0], text, sizeof text);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "-";
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = data_folder("wmi");
  if (!folder) return 0;
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty())
    files = {"random/nr8-01.json", "random/nr8-17.json", "random/nr9-13.json", "random/nr9-15.json",
             "random/nr10-03.json"};
  Table table("hard_cells", {"file", "dimension", "vertices", "degree", "triangulation",
                             "face_lattice", "cones"});
  for (const std::string& file : files) {
    std::optional<HardCell> hardest;
    for (const Task& task : read(load(*folder / file), "")) find_hardest(task.problem, hardest);
    if (!hardest) continue;
    unsigned degree = 0;
    for (const Polynomial& integrand : hardest->integrands)
      degree = std::max(degree, integrand.degree());
    table.add({file, double(hardest->region.dimension()), double(hardest->region.vertex_count()),
               double(degree), measured(*hardest, by(make_triangulation)),
               measured(*hardest, by(make_face_lattice)), measured(*hardest, by_cones)});
  }
}
