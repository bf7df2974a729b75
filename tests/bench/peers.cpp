// Our seconds against the stored ones of a peer, whole processes, as CSV: one line for each file of
// the benchmark data that has them. Without the data it says so.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/frontends/reading.h"

int main() {
  const auto folder = sample_folder();
  if (!folder) {
    std::puts("skipped: no data");
    return 0;
  }
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "wmi";
  const auto reference = nlohmann::json::parse(load(*folder / "answers.json").text);
  std::puts("file,seconds,peer_over_ours");
  for (const auto& [name, answer] : reference.at("answers").items()) {
    const std::string command = "'" + program + "' '" + (*folder / name).string() + "' > /dev/null";
    const auto start = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0) return 1;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%s,%.3f,%.0f\n", name.c_str(), taken.count(),
                answer.at("peer_seconds").get<double>() / taken.count());
  }
}
