#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_work.h"

namespace wmi::frontends {

/// Work on each row of a table, perhaps in several groups: for blocks of samples, or for methods.
class RowTask {
 public:
  virtual ~RowTask() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t groups() const = 0;
  /// What a group gives for each of these rows, a line of text each. It does not depend on which
  /// rows are asked for together.
  virtual std::vector<std::string> lines(std::size_t group, std::size_t first,
                                         std::size_t count) const = 0;
  /// Prints what the lines of all groups and rows make, with the settings of `join`; returns the exit
  /// status.
  using Lines = std::vector<std::vector<std::string>>;  // of each group
  virtual int report(const Settings& settings, const Lines& lines, Terminal& terminal) const = 0;
};

/// The units of a job are blocks of rows, of each group. A budget is looked at between rows, and hands
/// the rows that are left back as new units.
std::unique_ptr<JobWork> row_work(Job& job, std::unique_ptr<RowTask> task);

/// The settings by which commands make such jobs, and those that are not written into them.
inline constexpr Setting row_job_settings[] = {
    {"job", "DIR", "",
     "answer nothing, but make a job of work units, which ciber part solves\nand ciber join adds "
     "up"},
    {"parts", "N", "100", "with --job: about so many units", kind::Count{1, 10'000'000}},
};
inline constexpr std::string_view not_of_a_row_job[] = {"job", "parts", "config", "threads",
                                                        "json"};

/// The name of a copy of a table, by which its reader knows whether it is compressed.
std::string table_name(const std::string& path);

std::unique_ptr<JobWork> open_predict_job(Job& job, Terminal& terminal);
std::unique_ptr<JobWork> open_evaluate_job(Job& job, Terminal& terminal);

/// The files of a run directory that predictions need: their names in a job, below `run`, and where
/// they are. Throws Error.
std::vector<std::pair<std::string, std::string>> run_files(const std::string& run);

}  // namespace wmi::frontends
