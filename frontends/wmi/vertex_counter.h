#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "solver/integrator.h"

namespace wmi::frontends {

/// An integrator that counts the vertices of its regions. The inner one must outlive it.
class VertexCounter final : public Integrator {
 public:
  explicit VertexCounter(const Integrator& inner) : inner_(inner) {}

  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    vertices_ += region.vertex_count();
    return inner_.integrate(integrands, region);
  }

  std::size_t vertices() const { return vertices_; }

 private:
  const Integrator& inner_;
  mutable std::atomic<std::size_t> vertices_ = 0;
};

}  // namespace wmi::frontends
