#include "solver/answers/part_integrator.h"

#include <optional>
#include <utility>
#include <vector>

#include "solver/terms/accumulator.h"
#include "solver/terms/error.h"

namespace wmi {

Evaluation::PartIntegrator enumerate_parts(const Enumerator& enumerator, std::stop_token stop) {
  return
      [&enumerator, stop = std::move(stop)](const Part& part, std::span<const Polynomial> monomials,
                                            const Evaluation& evaluation) {
        Goal goal;
        for (std::size_t i = 0; i < monomials.size(); ++i)
          goal.summands.push_back({monomials[i], i});
        std::vector<Accumulator> sums(monomials.size());
        Evaluation::Result result;
        const auto cells = enumerator.start(part.problem, std::span(&goal, 1), stop);
        while (const std::optional<Cell> cell = cells->next()) {
          const Evaluation::Result found = evaluation(*cell);
          for (const Refusal& refusal : found.refusals) {
            if (refusal.gave_up) throw GaveUp(refusal.why);
            if (!refusal.empty()) throw Error(refusal.why);
          }
          result.cells += found.cells;
          for (std::size_t i = 0; i < found.integrals.size(); ++i)
            for (const std::size_t sum : cell->sums[i]) sums[sum].add(found.integrals[i]);
        }
        for (const Accumulator& sum : sums) result.integrals.push_back(sum.total());
        return result;
      };
}

}  // namespace wmi
