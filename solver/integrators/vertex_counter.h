#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/integrator.h"

namespace wmi {

/// An integrator that counts the vertices of its regions. The inner one must outlive it.
class VertexCounter final : public Integrator {
 public:
  explicit VertexCounter(const Integrator& inner) : inner_(inner) {}

  std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                  const Polytope& region) const override {
    vertices_ += region.vertex_count();
    return inner_.integrate(integrands, region);
  }

  std::optional<std::vector<Interval>> enclose(std::span<const EnclosedPolynomial> integrands,
                                               const EnclosedPolytope& region) const override {
    auto result = inner_.enclose(integrands, region);
    if (!result) return result;
    vertices_ += region.vertex_count();
    used_doubles_ = true;
    return result;
  }

  std::optional<std::vector<Interval>> enclose(const NestedPolynomial& weight,
                                               std::span<const Polynomial> factors,
                                               const Region& region) const override {
    auto result = inner_.enclose(weight, factors, region);
    if (result) vertices_ += region.vertex_count();
    return result;
  }

  std::size_t vertices() const { return vertices_; }
  bool used_doubles() const { return used_doubles_; }

 private:
  const Integrator& inner_;
  mutable std::atomic<std::size_t> vertices_ = 0;
  mutable std::atomic<bool> used_doubles_ = false;
};

}  // namespace wmi
