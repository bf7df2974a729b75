#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "frontends/check/numbers.h"

namespace wmi::check {

using Exponents = std::vector<std::uint32_t>;  // of a monomial, by coordinate

/// The integrals of monomials over simplices of dimension d in n >= d coordinates, added up. On one
/// with vertices s_0 ... s_d,
///
///     integral of x^m = d! vol * m! / (|m| + d)! * [t^m] product of 1 / (1 - <t, s_i>),
///
/// by the recurrence F[m] += sum over j of s_j F[m - e_j], one vertex s after the other, in
/// integers over a common denominator.
class Moments {
 public:
  Moments(std::size_t coordinates, std::size_t dimension, const std::set<Exponents>& monomials);

  /// Vertices are (q, q x); `determinant` is d! vol (in whatever measure) times all q.
  void add(std::span<const Vector* const> vertices, const Integer& determinant);

  /// Requires a monomial of those given.
  Rational operator[](const Exponents& monomial) const;

 private:
  struct Step {
    std::size_t target, source, coordinate;
  };

  Rational pending(std::size_t place) const;

  std::size_t coordinates_, dimension_;
  std::map<Exponents, std::size_t> places_;
  std::vector<unsigned> degrees_;    // by place
  std::vector<Integer> factorials_;  // m!, by place
  std::vector<Step> steps_;          // those of one monomial after those of all below it
  Integer common_ = 1;               // the denominator
  std::vector<Integer> sums_;        // over powers of it
  std::vector<Rational> done_;       // what was summed over other denominators
  std::vector<Integer> series_, point_;
};

}  // namespace wmi::check
