// Farkas multipliers by linear programming. The dual of maximising the form a.x subject to the rows
// a_i.x <= b_i minimises sum m_i b_i over multipliers m >= 0 with sum m_i a_i = a. It is solved by
// the two-phase simplex method on a dense tableau of rationals, with Bland's rule, which cannot
// cycle. Rows are few: those of a path through the search tree.

#include "solver/geometry/farkas.h"

#include <algorithm>

namespace wmi {
namespace {

class Tableau {
 public:
  Tableau(const LinearForm& form, std::span<const LinearForm> rows) : columns_(rows.size()) {
    std::vector<Variable> variables;
    for (const auto& [variable, coefficient] : form.coefficients) variables.push_back(variable);
    for (const LinearForm& row : rows)
      for (const auto& [variable, coefficient] : row.coefficients) variables.push_back(variable);
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    const auto row_of = [&](Variable variable) {
      return static_cast<std::size_t>(
          std::lower_bound(variables.begin(), variables.end(), variable) - variables.begin());
    };
    equations_.assign(variables.size(), std::vector<Rational>(columns_ + 1));
    basis_.assign(variables.size(), columns_);  // an artificial variable each
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [variable, coefficient] : rows[i].coefficients)
        equations_[row_of(variable)][i] = coefficient;
    for (const auto& [variable, coefficient] : form.coefficients)
      equations_[row_of(variable)][columns_] = coefficient;
    for (std::vector<Rational>& equation : equations_)
      if (equation[columns_] < 0)
        for (Rational& entry : equation) entry = -entry;
  }

  /// Phase one: makes all artificial variables 0. Returns false if that is impossible.
  bool feasible() {
    std::vector<Rational> cost(columns_ + 1);  // minus the sum of the artificial variables
    for (const std::vector<Rational>& equation : equations_)
      for (std::size_t j = 0; j <= columns_; ++j) cost[j] -= equation[j];
    minimise(cost);
    return cost[columns_] == 0;
  }

  /// Phase two; requires feasibility. Returns false if the minimum is unbounded.
  bool minimise_bound(std::span<const LinearForm> rows) {
    for (std::size_t i = 0; i < equations_.size(); ++i) {  // drive out artificial variables at 0
      if (basis_[i] != columns_) continue;
      for (std::size_t j = 0; j < columns_ && basis_[i] == columns_; ++j)
        if (equations_[i][j] != 0) pivot(i, j, nullptr);
    }
    std::vector<Rational> cost(columns_ + 1);
    for (std::size_t j = 0; j < columns_; ++j) cost[j] = -rows[j].constant;
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      if (basis_[i] == columns_) continue;
      const Rational factor = cost[basis_[i]];
      if (factor == 0) continue;
      for (std::size_t j = 0; j <= columns_; ++j) cost[j] -= factor * equations_[i][j];
    }
    return minimise(cost);
  }

  std::vector<Rational> solution() const {
    std::vector<Rational> result(columns_);
    for (std::size_t i = 0; i < equations_.size(); ++i)
      if (basis_[i] != columns_) result[basis_[i]] = equations_[i][columns_];
    return result;
  }

 private:
  bool minimise(std::vector<Rational>& cost) {
    for (;;) {
      std::size_t entering = 0;
      while (entering < columns_ && cost[entering] >= 0) ++entering;
      if (entering == columns_) return true;
      std::size_t leaving = equations_.size();
      Rational least;
      for (std::size_t i = 0; i < equations_.size(); ++i) {
        if (equations_[i][entering] <= 0) continue;
        Rational ratio = equations_[i][columns_] / equations_[i][entering];
        if (leaving == equations_.size() || ratio < least ||
            (ratio == least && basis_[i] < basis_[leaving])) {
          leaving = i;
          least = std::move(ratio);
        }
      }
      if (leaving == equations_.size()) return false;
      pivot(leaving, entering, &cost);
    }
  }

  void pivot(std::size_t row, std::size_t column, std::vector<Rational>* cost) {
    const Rational by = equations_[row][column];
    for (Rational& entry : equations_[row]) entry /= by;
    const auto clear = [&](std::vector<Rational>& other) {
      const Rational factor = other[column];
      if (factor == 0) return;
      for (std::size_t j = 0; j <= columns_; ++j)
        if (equations_[row][j] != 0) other[j] -= factor * equations_[row][j];
    };
    for (std::size_t i = 0; i < equations_.size(); ++i)
      if (i != row) clear(equations_[i]);
    if (cost != nullptr) clear(*cost);
    basis_[row] = column;
  }

  std::size_t columns_;
  std::vector<std::vector<Rational>> equations_;  // the last entry is the right side, never < 0
  std::vector<std::size_t> basis_;                // `columns_`: an artificial variable
};

}  // namespace

std::optional<std::vector<Rational>> implied_by(const LinearForm& form,
                                                std::span<const LinearForm> rows) {
  Tableau tableau(form, rows);
  if (!tableau.feasible() || !tableau.minimise_bound(rows)) return std::nullopt;
  std::vector<Rational> result = tableau.solution();
  Rational excess = -form.constant;
  for (std::size_t i = 0; i < rows.size(); ++i) excess += result[i] * rows[i].constant;
  if (excess < 0) return std::nullopt;
  return result;
}

}  // namespace wmi
