// Certifies the answers to one golden file and checks the certificate, with wmi-check and with a
// second checker in Python; then the same for bounds, --gap 1/2.
//
//     certified_golden_test WMI WMI-CHECK FILE [PYTHON CHECK.PY]
//
// Both checkers must accept it and print the same answers. If wmi refuses the problem, there is no
// certificate, or a valid one without that answer (a density refused for its point mass). A file
// that says `; no certificate: REASON` is answered, and wmi prints the reason.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include "tests/process.h"
#include "tests/temporary_directory.h"

namespace {

namespace fs = std::filesystem;

/// Prints what is wrong; returns 1.
int fail(const std::string& what, const Finished& finished) {
  std::cout << what << "\nexit " << finished.exit << "\n"
            << finished.output << finished.errors << '\n';
  return 1;
}

/// The answers alone: without decimals (`3/4 = 0.75`) and reasons for `undefined`.
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
  const TemporaryDirectory directory;
  const std::string proof = directory.path("certificate");
  const std::string both = " " + quoted(file) + " " + quoted(proof);

  const Finished written =
      run(quoted(argv[1]) + " --certificate " + quoted(proof) + " " + quoted(file));
  std::smatch none;
  if (std::regex_search(text, none, std::regex("; no certificate: (.*)"))) {
    if (written.exit != 3 || written.errors.find(none[1]) == std::string::npos || fs::exists(proof))
      return fail("a reason for having no certificate is expected", written);
    return 0;
  }
  if (!fs::exists(proof))
    return written.exit == 1 ? 0 : fail("no certificate was written", written);
  const auto accepted = [&](const std::string& kind) {
    const Finished checked = run(quoted(argv[2]) + both);
    if (checked.exit != 0) {
      fail("wmi-check rejects the " + kind, checked);
      return false;
    }
    if (argc < 6) return true;
    const Finished again = run(quoted(argv[4]) + " " + quoted(argv[5]) + both);
    if (again.exit != 0) {
      fail("the second checker rejects the " + kind, again);
      return false;
    }
    if (values(again.output) == values(checked.output)) return true;
    fail("the checkers find different " + kind, checked);
    fail("", again);
    return false;
  };
  if (!accepted("answers")) return 1;
  fs::remove(proof);
  if (written.exit != 0) return 0;

  // Bounds: regions that are not searched stay open.
  const std::string gap = " --gap 1/2 --certificate ";
  const Finished bounded = run(quoted(argv[1]) + gap + quoted(proof) + " " + quoted(file));
  if (!fs::exists(proof)) return fail("no certificate of bounds was written", bounded);
  return accepted("bounds") ? 0 : 1;
}
