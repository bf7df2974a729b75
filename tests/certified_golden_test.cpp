// Certifies the answers to one golden file and has the certificate checked, twice.
//
//     certified_golden_test WMI WMI-CHECK FILE [PYTHON CHECK.PY]
//
// Both checkers must accept it and print the same answers. Where wmi refuses the problem there is
// no certificate, or one that is accepted all the same (a density refused for its point mass). A
// file that says `; no certificate: REASON` is answered, and the reason given.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include "tests/process.h"

namespace {

namespace fs = std::filesystem;

int fail(const std::string& what, const Finished& finished) {
  std::cout << what << "\nexit " << finished.exit << "\n"
            << finished.output << finished.errors << '\n';
  return 1;
}

/// The numbers alone: `3/4 = 0.75` and `3/4` are the same, and so are all reasons for none.
std::string values(const std::string& output) {
  std::istringstream in(output);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("accepted") || line.starts_with("not certified")) continue;
    result += (line.starts_with("undefined") ? "undefined" : line.substr(0, line.find(' '))) + "\n";
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 6) {
    std::cerr << "usage: certified_golden_test WMI WMI-CHECK FILE [PYTHON CHECK.PY]\n";
    return 2;
  }
  const std::string file = argv[3];
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const fs::path proof =
      fs::temp_directory_path() / ("wmi-" + fs::path(file).filename().string() + ".certificate");
  fs::remove(proof);
  const std::string both = " " + quoted(file) + " " + quoted(proof.string());

  const Finished written =
      run(quoted(argv[1]) + " --certificate " + quoted(proof.string()) + " " + quoted(file));
  std::smatch none;
  if (std::regex_search(text, none, std::regex("; no certificate: (.*)"))) {
    if (written.exit != 3 || written.errors.find(none[1]) == std::string::npos || fs::exists(proof))
      return fail("a reason for having no certificate is expected", written);
    return 0;
  }
  if (!fs::exists(proof)) return written.exit == 1 ? 0 : fail("there is no certificate", written);
  const Finished checked = run(quoted(argv[2]) + both);
  if (checked.exit != 0) return fail("wmi-check rejects it", checked);
  if (argc == 6) {
    const Finished again = run(quoted(argv[4]) + " " + quoted(argv[5]) + both);
    if (again.exit != 0) return fail("the second checker rejects it", again);
    if (values(again.output) != values(checked.output)) {
      fail("the checkers find different answers", checked);
      return fail("", again);
    }
  }
  fs::remove(proof);
  if (written.exit != 0) return 0;

  // Bounds will do: what is not searched is left open.
  const std::string gap = " --gap 1/2 --certificate ";
  const Finished bounded = run(quoted(argv[1]) + gap + quoted(proof.string()) + " " + quoted(file));
  if (!fs::exists(proof)) return fail("there is no certificate of bounds", bounded);
  const Finished bounds = run(quoted(argv[2]) + both);
  if (bounds.exit != 0) return fail("wmi-check rejects bounds", bounds);
  if (argc == 6) {
    const Finished again = run(quoted(argv[4]) + " " + quoted(argv[5]) + both);
    if (again.exit != 0) return fail("the second checker rejects bounds", again);
    if (values(again.output) != values(bounds.output)) {
      fail("the checkers find different bounds", bounds);
      return fail("", again);
    }
  }
  fs::remove(proof);
  return 0;
}
