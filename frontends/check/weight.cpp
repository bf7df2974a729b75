#include "frontends/check/weight.h"

namespace wmi::check {

constexpr std::size_t most_booleans = 20;  // at once

Polynomial summed(Path& path, std::vector<const Weight*> weights, Set booleans,
                  const std::function<Set(const Weight&)>& waits_for,
                  const std::function<Polynomial(const Weight&)>& factor) {
  Polynomial result = 1;
  while (!weights.empty()) {
    Set shared = waits_for(*weights.back());
    if (shared == 0) {
      if (path.truth(weights.back()->condition) != Truth::no)
        result = result * factor(*weights.back());
      weights.pop_back();
      continue;
    }
    std::vector<const Weight*> group;
    while (std::erase_if(weights, [&](const Weight* weight) {
      const Set own = waits_for(*weight);
      if (!meet(own, shared)) return false;
      shared |= own;
      group.push_back(weight);
      return true;
    })) {
    }
    if (size(shared) > most_booleans) throw Rejected("weights wait for many Booleans");
    if (!within(shared, booleans)) throw Rejected("a weight has a Boolean of another part");
    booleans -= shared;
    const std::size_t first = members(shared)[0];
    mpz_clrbit(shared.get_mpz_t(), first);
    Polynomial sum;
    for (const bool holds : {false, true}) {
      path.mark();
      path.set_boolean(static_cast<std::uint32_t>(first), holds);
      sum += summed(path, group, shared, waits_for, factor);
      path.undo();
    }
    result = result * sum;
  }
  return result *= Rational(Integer(1) << size(booleans));
}

}  // namespace wmi::check
