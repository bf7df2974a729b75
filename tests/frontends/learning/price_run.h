#pragma once

#include <string>
#include <vector>

#include "tests/frontends/json_lines.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {

/// A directory with a run of three samples, `toy.run`, and a table, `rows.csv`: size and age enter a
/// network of three ReLUs with mean and variance as outputs. The target, price, has mean 3 and scale
/// 2; or it has the classes blue and red.
class PriceRun : public TemporaryDirectory {
 public:
  explicit PriceRun(bool classes = false);

  std::string run() const { return *this / "toy.run"; }
  std::string rows() const { return *this / "rows.csv"; }
};

/// The JSON lines of a program that must have succeeded.
std::vector<Json> objects(const Finished& finished);

}  // namespace wmi::frontends
