#include "solver/smooth/gauss_legendre.h"

#include <arb_hypgeom.h>

#include <map>
#include <mutex>
#include <utility>

namespace wmi {

std::shared_ptr<const QuadratureRule> gauss_legendre(unsigned points, slong bits) {
  static std::mutex mutex;
  static std::map<std::pair<unsigned, slong>, std::shared_ptr<const QuadratureRule>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const QuadratureRule>& found = known[{points, bits}];
  if (found) return found;
  auto rule = std::make_shared<QuadratureRule>();
  for (unsigned k = 0; k < points; ++k) {
    Ball node, weight;  // on [-1, 1]
    arb_hypgeom_legendre_p_ui_root(node, weight, points, k, bits + 16);
    arb_add_ui(node, node, 1, bits);
    arb_mul_2exp_si(node, node, -1);
    arb_mul_2exp_si(weight, weight, -1);
    rule->nodes.push_back(std::move(node));
    rule->weights.push_back(std::move(weight));
  }
  return found = std::move(rule);
}

}  // namespace wmi
