#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "solver/polynomial.h"

namespace wmi::check {

/// The integrals of monomials over simplices, added up. On a simplex of dimension d with vertices
/// s_0 ... s_d (in n >= d coordinates),
///
///     integral of x^m = d! vol * m! / (|m| + d)! * [t^m] product of 1 / (1 - <t, s_i>),
///
/// by the recurrence F[m] += sum over j of s_j F[m - e_j], one vertex s after the other. All in
/// integers over one denominator.
class Moments {
 public:
  /// Exponents are by position; `monomials` are those whose integrals are wanted.
  Moments(std::size_t coordinates, const std::vector<std::vector<std::uint32_t>>& monomials);

  /// Vertices are (q, q x), q > 0, and `factorial_volume` is d! vol, the volume in whatever measure.
  void add(std::span<const std::vector<Integer>* const> vertices, const Rational& factorial_volume);

  /// Requires a monomial of those given, and simplices of one dimension.
  const Rational& operator[](const std::vector<std::uint32_t>& monomial) const;

 private:
  struct Step {
    std::size_t target, source, coordinate;
  };

  std::size_t coordinates_;
  std::map<std::vector<std::uint32_t>, std::size_t> places_;
  std::vector<unsigned> degrees_;    // by place
  std::vector<Integer> factorials_;  // m!, by place
  std::vector<bool> wanted_;
  std::vector<Step> steps_;          // those of one monomial after those of all below it
  std::vector<Rational> sums_;
  unsigned degree_ = 0;
};

/// The determinant of a square matrix of integers, its rows given.
Integer determinant(std::vector<std::vector<Integer>> rows);

}  // namespace wmi::check
