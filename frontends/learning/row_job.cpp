// Jobs about rows. The place of a unit is a path, as that of a search is: the group, the block of rows,
// and the row within it where a block was divided later. So all that holds for units of a search holds
// here: the file of a unit says what it left, and a complete tree has each row once.

#include "frontends/learning/row_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/commands.h"
#include "solver/enumerators/replay.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using Clock = std::chrono::steady_clock;
using State = SearchTree::State;

constexpr SearchNode blocks_node{SearchNode::Kind::blocks};

PathStep step(std::size_t branch, std::size_t branches) {
  return {blocks_node, static_cast<std::uint32_t>(branch), static_cast<std::uint32_t>(branches)};
}

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Some rows of a group, one after the other.
struct Range {
  std::size_t group, first, count;
};

class RowWork final : public JobWork {
 public:
  RowWork(Job& job, std::unique_ptr<RowTask> task) : job_(job), task_(std::move(task)) {
    constexpr std::size_t most = 1'000'000;  // branches of a tree
    const std::size_t asked = job.description().parts / std::max<std::size_t>(1, task_->groups());
    blocks_ =
        std::clamp<std::size_t>(asked, 1, std::min(most, std::max<std::size_t>(1, task_->rows())));
    if (task_->rows() / blocks_ >= most)
      throw Error(fmt::format("--parts: {} rows need at least {} units", task_->rows(),
                              task_->rows() / most + 1));
  }

  UnitRecord divide(const std::stop_token&) override {
    UnitRecord record = job_.blank(std::string(root_unit), {SearchPath()});
    SearchTree tree = SearchTree::leaf(State::finished);
    if (task_->rows() > 0) {
      const SearchTree group = SearchTree::inner(blocks_node, std::vector<SearchTree>(blocks_));
      tree = SearchTree::inner(blocks_node, std::vector<SearchTree>(task_->groups(), group));
    }
    record.trees = {std::move(tree)};
    number_units(record.trees, 0);
    return record;
  }

  UnitRecord solve(const std::string& unit, const std::vector<SearchPath>& places,
                   const Pause& pause, std::size_t into) override;
  int join(const Settings& settings, const FoundUnits& found, Terminal& terminal) override;

 private:
  std::size_t begin_of(std::size_t block) const {
    // Without overflow, since both are below 10^12.
    return block * task_->rows() / blocks_;
  }
  Range range_of(const SearchPath& place) const;
  std::vector<Range> ranges_of(const std::vector<SearchPath>& places) const;
  std::size_t add_lines(const std::vector<Range>& ranges, std::size_t rows, const Pause& pause,
                        std::string& note) const;
  std::vector<SearchTree> trees_after(std::size_t done,
                                      const std::vector<SearchPath>& places) const;

  Job& job_;
  const std::unique_ptr<RowTask> task_;
  std::size_t blocks_;  // of rows
};

Range RowWork::range_of(const SearchPath& place) const {
  if (place.size() < 2 || place.size() > 3) Replay::fail();
  const std::size_t first = begin_of(place[1].branch),
                    count = begin_of(place[1].branch + 1) - first;
  if (place[0] != step(place[0].branch, task_->groups()) ||
      place[1] != step(place[1].branch, blocks_) ||
      (place.size() == 3 && place[2] != step(place[2].branch, count)))
    Replay::fail();
  if (place.size() == 3) return {place[0].branch, first + place[2].branch, 1};
  return {place[0].branch, first, count};
}

/// The rows of all places, neighbours as one range.
std::vector<Range> RowWork::ranges_of(const std::vector<SearchPath>& places) const {
  std::vector<Range> result;
  for (const SearchPath& place : places) {
    const Range next = range_of(place);
    if (!result.empty() && result.back().group == next.group &&
        result.back().first + result.back().count == next.first)
      result.back().count += next.count;
    else
      result.push_back(next);
  }
  return result;
}

/// Adds the lines of the rows, one after the other, until there is a pause. Returns how many rows
/// are done.
std::size_t RowWork::add_lines(const std::vector<Range>& ranges, std::size_t rows,
                               const Pause& pause, std::string& note) const {
  // Few rows at first, more if they are quick.
  constexpr std::size_t most_rows = 1024;
  constexpr double slow = 0.2;
  std::size_t done = 0;
  for (const Range& range : ranges) {
    std::size_t count = 1;
    for (std::size_t at = 0; at < range.count;) {
      count = std::min(count, range.count - at);
      if (pause.calls > 0) count = std::min(count, pause.calls - done);
      const auto begin = Clock::now();
      for (const std::string& line : task_->lines(range.group, range.first + at, count))
        note += line + "\n";
      at += count;
      done += count;
      if (done < rows && pause.due(done)) return done;
      count = since(begin) < slow ? std::min(2 * count, most_rows)
                                  : std::max<std::size_t>(1, count / 2);
    }
  }
  return done;
}

/// What is finished below each place once so many rows are done, and what is open.
std::vector<SearchTree> RowWork::trees_after(std::size_t done,
                                             const std::vector<SearchPath>& places) const {
  std::vector<SearchTree> result;
  for (const SearchPath& place : places) {
    const std::size_t count = range_of(place).count;
    SearchTree& tree = result.emplace_back(SearchTree::leaf(State::finished));
    if (done >= count) {
      done -= count;
      continue;
    }
    if (place.size() == 3) {
      tree.state = State::open;
      continue;
    }
    tree = SearchTree::inner(blocks_node, std::vector<SearchTree>(count));
    for (; done > 0; --done) tree.branches[done - 1].state = State::finished;
  }
  return result;
}

UnitRecord RowWork::solve(const std::string& unit, const std::vector<SearchPath>& places,
                          const Pause& pause, std::size_t into) {
  const auto start = Clock::now();
  UnitRecord record = job_.blank(unit, places);
  const std::vector<Range> ranges = ranges_of(places);
  std::size_t rows = 0;
  for (const Range& range : ranges) rows += range.count;
  const std::size_t done = add_lines(ranges, rows, pause, record.note);
  record.trees = trees_after(done, places);
  // As equal shares.
  const std::size_t open = rows - done, units = into == 0 ? open : std::min(into, open);
  std::size_t number = 0;
  for (SearchTree& tree : record.trees)
    visit_open(tree,
               [&](SearchTree& leaf, std::size_t) { leaf.unit = 1 + number++ * units / open; });
  record.calls = open > 0 ? done : 0;
  record.tasks.push_back({});
  record.tasks.back().found.sums.cells = done;
  record.seconds = since(start);
  return record;
}

int RowWork::join(const Settings& settings, const FoundUnits& found, Terminal& terminal) {
  for (const std::string_view name : {"certificate", "plot", "allow-open", "exact"})
    if (settings.given(name))
      throw UsageError(fmt::format("--{}: is not for a job about rows", name));
  if (!found.open.empty()) return say_open(job_, found, "solve them", terminal);
  RowTask::Lines lines(task_->groups(), std::vector<std::string>(task_->rows()));
  for (const UnitRecord& record : found.records) {
    if (record.unit == root_unit) continue;
    std::string_view note = record.note;
    const auto take = [&](std::string& line) {
      const std::size_t end = note.find('\n');
      if (end == std::string_view::npos)
        throw Error(fmt::format("unit {}: it has fewer rows than it says", record.unit));
      line = note.substr(0, end);
      note.remove_prefix(end + 1);
    };
    for (std::size_t i = 0; i < record.places.size(); ++i) {
      const auto [group, first, count] = range_of(record.places[i]);
      const SearchTree& tree = record.trees[i];
      if (tree.state == State::finished) {
        for (std::size_t row = 0; row < count; ++row) take(lines[group][first + row]);
      } else if (tree.state == State::inner) {
        if (tree.branches.size() != count) Replay::fail();
        for (std::size_t row = 0; row < count; ++row)
          if (tree.branches[row].state == State::finished) take(lines[group][first + row]);
      }
    }
    if (!note.empty())
      throw Error(fmt::format("unit {}: it has more rows than it says", record.unit));
  }
  return task_->report(settings, lines, terminal);
}

}  // namespace

std::unique_ptr<JobWork> row_work(Job& job, std::unique_ptr<RowTask> task) {
  return std::make_unique<RowWork>(job, std::move(task));
}

std::string table_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.empty() || name.starts_with('.') || name == "-" ? "table.csv" : name;
}

std::span<const JobCommand> learning_job_commands() {
  static constexpr JobCommand table[] = {{"predict", nullptr, open_predict_job},
                                         {"evaluate", nullptr, open_evaluate_job}};
  return table;
}

std::vector<std::pair<std::string, std::string>> run_files(const std::string& run) {
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, std::string>> result{
      {"run/run.json", (fs::path(run) / "run.json").string()}};
  for (const char* const name : {"training.safetensors", "conformal.safetensors"})
    if (const fs::path file = fs::path(run) / name; fs::exists(file))
      result.emplace_back(fmt::format("run/{}", name), file.string());
  for (const SampleEntry& sample : read_run(run).samples)
    result.emplace_back("run/" + sample.file, (fs::path(run) / sample.file).string());
  return result;
}

}  // namespace wmi::frontends
