#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

#include "solver/terms/polynomial.h"
#include "solver/terms/rational.h"

namespace wmi {

/// A limit on the size of inputs: larger ones are refused before time or memory is spent on them.
/// It has one value in a process, which may only change before any work begins.
class Cap {
 public:
  constexpr Cap(std::string_view name, std::size_t standard, std::size_t greatest,
                std::string_view what)
      : name_(name), what_(what), standard_(standard), greatest_(greatest), value_(standard) {}
  Cap(const Cap&) = delete;
  Cap& operator=(const Cap&) = delete;

  std::string_view name() const { return name_; }
  std::string_view what() const { return what_; }
  std::size_t standard() const { return standard_; }
  /// The largest value it can be set to: beyond it, numbers would not fit their types.
  std::size_t greatest() const { return greatest_; }

  std::size_t value() const { return value_; }
  operator std::size_t() const { return value_; }  // NOLINT: it is a number
  /// From 1 to `greatest`.
  void set(std::size_t value) { value_ = value; }

 private:
  const std::string_view name_, what_;
  const std::size_t standard_, greatest_;
  std::size_t value_;
};

/// The limits on numbers, polynomials, formulas, laws, and layers of networks.
/// `frontends/common/caps.h` lists all limits.
namespace caps {

inline constexpr std::size_t any = std::numeric_limits<std::size_t>::max() / 1'000;

inline constinit Cap digits("digits", max_digits, 1'000'000'000,
                            "digits of a numeral, size of its exponent");
inline constinit Cap number_digits("number-digits", max_number_digits, 1'000'000'000,
                                   "digits of a number that products make");
inline constinit Cap degree("degree", max_degree, 50'000,
                            "degree of a polynomial, exponent of ^, order of a moment");
inline constinit Cap terms("terms", max_terms, any, "terms of a polynomial");
inline constinit Cap products("products", max_products, any,
                              "products of terms in one product of polynomials");
inline constinit Cap coefficients("coefficients", std::size_t{10} << 20, any,
                                  "bytes of the coefficients of a polynomial");
inline constinit Cap choices("choices", 10'000, any,
                             "pieces of a product of choices in a comparison");
inline constinit Cap moments("moments", 500'000, 4'000'000'000, "moments of an integrand");
inline constinit Cap knots("knots", 200'000, any,
                           "places where a law has point masses or pieces end");

inline constinit Cap plan("plan", std::size_t{256} << 20, any,
                          "bytes of the faces of one polytope and their moments; beyond, another "
                          "method integrates it");

inline constinit Cap entries("entries", std::size_t{1} << 23, any,
                             "entries of the values of all layers together");
inline constinit Cap seen("seen", std::size_t{1} << 26, any,
                          "entries that all windows on a plane see together");
inline constinit Cap steps("steps", std::size_t{1} << 16, 1'000'000'000, "steps of a quantiser");
inline constinit Cap pieces("pieces", 1'024, 4'096, "pieces of an enclosure of a smooth layer");

}  // namespace caps
}  // namespace wmi
