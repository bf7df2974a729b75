#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace wmi::bench {

/// A table of figures: printed in aligned columns, and written as NAME.csv and NAME.json to the
/// directory $WMI_BENCH, if that is set.
class Table {
 public:
  using Entry = std::variant<std::string, double>;

  Table(std::string name, std::vector<std::string> columns)
      : name_(std::move(name)), columns_(std::move(columns)) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() {
    print();
    const char* const folder = std::getenv("WMI_BENCH");
    if (folder == nullptr) return;
    std::filesystem::create_directories(folder);
    write_csv(std::filesystem::path(folder) / (name_ + ".csv"));
    write_json(std::filesystem::path(folder) / (name_ + ".json"));
  }

  void add(std::vector<Entry> row) { rows_.push_back(std::move(row)); }

 private:
  static std::string text(const Entry& entry) {
    if (const auto* const words = std::get_if<std::string>(&entry)) return *words;
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4g", std::get<double>(entry));
    return buffer;
  }

  void print() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      widths.push_back(columns_[i].size());
      for (const auto& row : rows_) widths[i] = std::max(widths[i], text(row[i]).size());
    }
    std::printf("\n%s\n", name_.c_str());
    for (std::size_t i = 0; i < columns_.size(); ++i)
      std::printf("  %*s", static_cast<int>(widths[i]), columns_[i].c_str());
    for (const auto& row : rows_) {
      std::printf("\n");
      for (std::size_t i = 0; i < row.size(); ++i)
        std::printf("  %*s", static_cast<int>(widths[i]), text(row[i]).c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  void write_csv(const std::filesystem::path& path) const {
    std::ofstream out(path);
    for (std::size_t i = 0; i < columns_.size(); ++i) out << (i > 0 ? "," : "") << columns_[i];
    for (const auto& row : rows_) {
      out << '\n';
      for (std::size_t i = 0; i < row.size(); ++i) out << (i > 0 ? "," : "") << text(row[i]);
    }
    out << '\n';
  }

  void write_json(const std::filesystem::path& path) const {
    std::ofstream out(path);
    out << "[";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      out << (r > 0 ? ",\n {" : "\n {");
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const bool words = std::holds_alternative<std::string>(rows_[r][i]);
        out << (i > 0 ? "," : "") << '"' << columns_[i] << "\":" << (words ? "\"" : "")
            << text(rows_[r][i]) << (words ? "\"" : "");
      }
      out << "}";
    }
    out << "\n]\n";
  }

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Entry>> rows_;
};

/// The shortest of a few runs.
inline double seconds(const std::function<void()>& work, int runs = 1) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Processor time of this thread for one run; other processes do not count.
inline double processor_seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

}  // namespace wmi::bench
