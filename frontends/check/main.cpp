// wmi-check: accepts or rejects a certificate. It stands on the readers, their vocabulary and GMP.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "frontends/check/checker.h"
#include "frontends/formats/format.h"
#include "solver/decimal.h"
#include "solver/error.h"

namespace {

constexpr const char* help =
    "usage: wmi-check [--format NAME] FILE CERTIFICATE\n"
    "Checks that the certificate proves its answers to the queries of FILE, and prints them.\n"
    "Exit status: 0 accepted, 1 bad input, 2 bad usage, 4 rejected.\n";

constexpr int digits = 17;

int complain(const std::string& what, int status) {
  std::cerr << "wmi-check: " << what << '\n';
  return status;
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
      std::cout << help;
      return 0;
    }
    if (word == "--format" && i + 1 < argc)
      format = argv[++i];
    else if (word.size() > 1 && word[0] == '-')
      return complain(word + ": no such option; see --help", 2);
    else
      files.push_back(word);
  }
  if (files.size() != 2) return complain("needs a FILE and a CERTIFICATE; see --help", 2);

  wmi::Script script;
  try {
    std::ifstream file(files[0], std::ios::binary);
    if (!file) return complain(files[0] + ": cannot be opened", 1);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    script = wmi::frontends::read({files[0], text}, format);
  } catch (const wmi::Error& error) {
    const wmi::Location where = error.where();
    return complain(files[0] + ":" +
                        (where.line > 0 ? std::to_string(where.line) + ":" +
                                              std::to_string(where.column) + ":"
                                        : "") +
                        " " + error.what(),
                    1);
  }
  std::ifstream certificate(files[1], std::ios::binary);
  if (!certificate) return complain(files[1] + ": cannot be opened", 1);

  wmi::check::Bytes in(certificate);
  std::size_t leaves = 0, cells = 0, simplices = 0;
  std::string answers;
  try {
    wmi::check::check_mark(in);
    for (const wmi::Task& task : script) {
      const wmi::check::Report report = wmi::check::check(task, in);
      leaves += report.leaves;
      cells += report.cells;
      simplices += report.simplices;
      for (std::size_t i = 0; i < task.queries.size(); ++i)
        answers += line(task.queries[i], report.answers[i]) + '\n';
    }
    wmi::check::check_end(in);
  } catch (const wmi::check::Rejected& rejected) {
    return complain(files[1] + ": rejected at byte " + std::to_string(in.offset()) + ": " +
                        rejected.what(),
                    4);
  } catch (const wmi::Error& error) {  // a polynomial too large, say
    return complain(files[1] + ": rejected at byte " + std::to_string(in.offset()) + ": " +
                        error.what(),
                    4);
  } catch (const std::bad_alloc&) {
    return complain(files[1] + ": rejected at byte " + std::to_string(in.offset()) +
                        ": it needs more memory than there is",
                    4);
  }
  std::cout << answers << "accepted: " << leaves << " leaves, " << cells << " cells, " << simplices
            << " simplices\n";
  std::cout.flush();
  return std::cout ? 0 : complain("cannot write to standard output", 1);
}
