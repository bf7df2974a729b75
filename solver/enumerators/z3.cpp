// AllSMT with Z3, the reference: z3_search.cpp has the algorithm.

#include <algorithm>

#include "solver/enumerator.h"
#include "solver/enumerators/single_valued.h"
#include "solver/enumerators/z3_search.h"

namespace wmi {
namespace {

class Z3Enumerator final : public Enumerator {
 public:
  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop) const override {
    if (std::count(problem.integrated.begin(), problem.integrated.end(), false) > 0)
      check_single_valued(problem, stop);
    return std::make_unique<Z3Search>(problem, goals, stop);
  }

  /// Whoever has started at the root has checked the derived reals.
  std::unique_ptr<Cells> start_at(const SearchPath& path, const Problem& problem,
                                  std::span<const Goal> goals,
                                  std::stop_token stop) const override {
    if (path.empty()) return start(problem, goals, std::move(stop));
    return std::make_unique<Z3Search>(problem, goals, stop, path);
  }
};

}  // namespace

std::unique_ptr<Enumerator> make_z3() { return std::make_unique<Z3Enumerator>(); }

}  // namespace wmi
