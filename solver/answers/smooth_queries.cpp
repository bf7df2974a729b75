#include "solver/answers/smooth_queries.h"

#include <algorithm>
#include <cmath>

namespace wmi {

void refuse_laws(Task& task) {
  for (Query& query : task.queries) {
    const bool law = query.kind == Query::Kind::distribution;
    if (!law && query.kind != Query::Kind::quantile) continue;
    query.kind = Query::Kind::wmi;
    query.event = query.given = truth;
    if (law)
      query.refused =
          "a law under weights that are no polynomials has no formula; ask for "
          "(get-cdf TERM :at c), (get-quantile TERM p), (get-density TERM :at c) or moments";
  }
}

namespace {

/// Where the quantile is: the cdf is certainly below the probability at `lower`, and certainly
/// reaches it at `upper`.
struct Bracket {
  std::optional<Rational> lower, upper;
  Interval at_lower, at_upper;
};

/// A nearby number with few bits, to within 2^-20 of the width.
Rational rounded(const Rational& value, const Rational& width) {
  const auto size = static_cast<long>(mpz_sizeinbase(width.get_num_mpz_t(), 2)) -
                    static_cast<long>(mpz_sizeinbase(width.get_den_mpz_t(), 2));
  Rational unit = 1;
  if (size >= 20)
    mpq_mul_2exp(unit.get_mpq_t(), unit.get_mpq_t(), static_cast<mp_bitcnt_t>(size - 20));
  else
    mpq_div_2exp(unit.get_mpq_t(), unit.get_mpq_t(), static_cast<mp_bitcnt_t>(20 - size));
  const Rational multiple = value / unit;
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), multiple.get_num_mpz_t(), multiple.get_den_mpz_t());
  return Rational(whole) * unit;
}

enum class Side { below, reached, unknown, failed };

class Search {
 public:
  Search(const Rational& probability, const EncloseCdf& cdf)
      : probability_(probability), cdf_(cdf) {}

  /// Narrows the bracket by the cdf at this place.
  Side look(const Rational& at) {
    last_ = cdf_(at);
    if (!last_.value) return Side::failed;
    if (last_.value->upper < probability_) {
      bracket_.lower = at;
      bracket_.at_lower = *last_.value;
      return Side::below;
    }
    if (last_.value->lower >= probability_) {
      bracket_.upper = at;
      bracket_.at_upper = *last_.value;
      return Side::reached;
    }
    return Side::unknown;
  }

  /// A bracket by steps of growing size from 0; false if there is none.
  bool find() {
    for (const int sign : {1, -1}) {
      Rational step = 1;
      for (int i = 0; i < 60 && !(bracket_.lower && bracket_.upper); ++i, step *= 4) {
        if (i == 0 && sign == 1 && look(Rational(0)) == Side::failed) return false;
        if (sign == 1 ? bracket_.upper.has_value() : bracket_.lower.has_value()) break;
        if (look(sign * step) == Side::failed) return false;
      }
    }
    return bracket_.lower && bracket_.upper;
  }

  bool narrow_enough(unsigned digits) const {
    const Interval found(*bracket_.lower, *bracket_.upper);
    return has_digits(found, digits);
  }

  /// By false position and bisection in turn.
  Side narrow(int round) {
    const Rational width = *bracket_.upper - *bracket_.lower;
    Rational share = ratio(1, 2);
    if (round % 3 != 2) {
      const double low = Rational(probability_ - bracket_.at_lower.midpoint()).get_d();
      const double high = Rational(bracket_.at_upper.midpoint() - probability_).get_d();
      // A little beyond the estimate, on alternating sides, so that both ends move.
      const double nudge = round % 3 == 0 ? 1e-4 : -1e-4;
      const double place = low + high > 0 ? low / (low + high) + nudge : 0.5;
      share = Rational(std::clamp(std::round(place * 0x1p30) / 0x1p30, 1e-6, 1 - 1e-6));
    }
    return look(rounded(*bracket_.lower + share * width, width));
  }

  Interval found() const { return {*bracket_.lower, *bracket_.upper}; }
  const Answer& last() const { return last_; }

 private:
  const Rational& probability_;
  const EncloseCdf& cdf_;
  Bracket bracket_;
  Answer last_;
};

}  // namespace

Answer smooth_quantile(const Rational& probability, unsigned digits, const EncloseCdf& cdf) {
  constexpr int most_rounds = 200;
  Search search(probability, cdf);
  if (!search.find()) {
    Answer result = search.last();
    if (result.value) {
      result.value.reset();
      result.refused = "the quantile is not bounded, or its probability is too near 0 or 1";
    }
    return result;
  }
  int unknown = 0;
  for (int round = 0; round < most_rounds && !search.narrow_enough(digits) && unknown < 2;
       ++round) {
    const Side side = search.narrow(round);
    if (side == Side::failed) return search.last();
    unknown = side == Side::unknown ? unknown + 1 : 0;
  }
  Answer result = search.last();
  result.value = search.found();
  return result;
}

}  // namespace wmi
