// wmi-check: accepts or rejects a certificate. It stands on the readers, their vocabulary and GMP.

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "frontends/check/checker.h"
#include "frontends/check/limits.h"
#include "frontends/formats/caps.h"
#include "frontends/formats/format.h"
#include "solver/decimal.h"
#include "solver/error.h"

namespace {

constexpr const char* help =
    "usage: wmi-check [options] FILE CERTIFICATE\n"
    "Checks that the certificate proves its answers to the queries of FILE, and prints them.\n"
    "  --format NAME      of FILE (default: recognised by content)\n"
    "  --timeout SECONDS  stop after so long\n"
    "  --memory SIZE      stop at so many megabytes of address space, or with a unit: 500M, 2G\n"
    "  --cap NAME=N       what may be larger than usual in FILE (docs/language.md)\n"
    "Exit status: 0 accepted, 1 bad input, 2 bad usage, 3 stopped by a limit, 4 rejected.\n";

constexpr int digits = 17;

int complain(const std::string& what, int status) {
  std::cerr << "wmi-check: " << what << '\n';
  return status;
}

/// What is wrong with it; nothing when all is right.
std::string set_limit(const std::string& option, const std::string& value) {
  try {
    if (option == "--cap") wmi::frontends::set_caps(value);
  } catch (const wmi::Error& error) {
    return error.what();
  }
  if (option == "--timeout" && !wmi::check::limit_time(value))
    return "'" + value + "' is no number of seconds";
  if (option == "--memory" && !wmi::check::limit_memory(value))
    return "'" + value + "' is no size; write megabytes, or a unit: 500M, 2G";
  return "";
}

std::string line(const wmi::Query& query, const wmi::check::Certified& answer) {
  if (!answer.certified) return "not certified: " + query.text;
  if (!answer.value) return "undefined: " + answer.undefined;
  return wmi::to_string(*answer.value) + " = " + wmi::decimal(*answer.value, digits);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string format;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      std::cout << help << std::flush;
      return std::cout ? 0 : complain("cannot write to standard output", 1);
    }
    if (word == "--format" && i + 1 < argc)
      format = argv[++i];
    else if ((word == "--timeout" || word == "--memory" || word == "--cap") && i + 1 < argc) {
      const std::string problem = set_limit(word, argv[++i]);
      if (!problem.empty()) return complain(word + ": " + problem, 2);
    } else if (word.size() > 1 && word[0] == '-')
      return complain(word + ": no such option; see --help", 2);
    else
      files.push_back(word);
  }
  if (files.size() != 2) return complain("needs a FILE and a CERTIFICATE; see --help", 2);

  wmi::Script script;
  try {
    std::ifstream file(files[0], std::ios::binary);
    if (!file) return complain(files[0] + ": cannot be opened", 1);
    std::string text;
    for (std::vector<char> block(1 << 16); file;) {
      file.read(block.data(), static_cast<std::streamsize>(block.size()));
      text.append(block.data(), static_cast<std::size_t>(file.gcount()));
      if (text.size() > wmi::frontends::caps::file) break;  // the reader says so
    }
    script = wmi::frontends::read({files[0], text}, format);
  } catch (const wmi::Error& error) {
    std::string place = files[0] + ":";
    for (const std::size_t number : {error.where().line, error.where().column})
      if (number > 0) place += std::to_string(number) + ":";
    return complain(place + " " + error.what(), 1);
  }
  std::ifstream certificate(files[1], std::ios::binary);
  if (!certificate) return complain(files[1] + ": cannot be opened", 1);

  wmi::check::Bytes in(certificate);
  wmi::check::Counts counts;
  std::string answers;
  try {
    in.expect(wmi::check::mark);
    for (const wmi::Task& task : script) {
      const std::vector<wmi::check::Certified> found = wmi::check::check(task, in, counts);
      for (std::size_t i = 0; i < found.size(); ++i)
        answers += line(task.queries[i], found[i]) + '\n';
    }
    in.expect_end();
  } catch (
      const std::exception& error) {  // Rejected; or a polynomial, or memory, that is too large
    return complain(
        files[1] + ": rejected at byte " + std::to_string(in.offset()) + ": " + error.what(), 4);
  }
  std::cout << answers << "accepted: " << counts.leaves << " leaves, " << counts.cells << " cells, "
            << counts.faces << " faces\n"
            << std::flush;
  return std::cout ? 0 : complain("cannot write to standard output", 1);
}
