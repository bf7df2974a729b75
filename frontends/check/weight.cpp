#include "frontends/check/weight.h"

namespace wmi::check {

constexpr std::size_t most_booleans = 20;  // at once

Polynomial summed(Path& path, const std::vector<const Weight*>& weights, Set booleans,
                  const std::function<Set(const Weight&)>& depends_on,
                  const std::function<Polynomial(const Weight&)>& factor) {
  Polynomial result = 1;
  std::vector<std::pair<Set, std::vector<const Weight*>>> groups;
  for (const Weight* const weight : weights) {
    Set shared = depends_on(*weight);
    if (shared == 0 && path.truth(weight->condition) != Truth::no)
      result = result * factor(*weight);
    if (shared == 0) continue;
    std::vector<const Weight*> joined{weight};
    std::erase_if(groups, [&](const auto& group) {
      if (!meet(group.first, shared)) return false;
      shared |= group.first;
      joined.insert(joined.end(), group.second.begin(), group.second.end());
      return true;
    });
    groups.emplace_back(std::move(shared), std::move(joined));
  }
  for (auto& [shared, group] : groups) {
    if (size(shared) > most_booleans) throw Rejected("weights wait for many Booleans");
    if (!within(shared, booleans)) throw Rejected("a weight has a Boolean of another part");
    booleans -= shared;
    const std::size_t first = members(shared)[0];
    mpz_clrbit(shared.get_mpz_t(), first);
    Polynomial sum;
    for (const bool holds : {false, true}) {
      path.mark();
      path.set_boolean(static_cast<std::uint32_t>(first), holds);
      sum += summed(path, group, shared, depends_on, factor);
      path.undo();
    }
    result = result * sum;
  }
  return result *= Rational(Integer(1) << size(booleans));
}

}  // namespace wmi::check
