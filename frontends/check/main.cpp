// wmi-check: accepts or rejects a certificate. It stands on the readers, their vocabulary and
// GMP.

#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "frontends/check/checker.h"
#include "frontends/check/limits.h"
#include "frontends/check/network.h"
#include "frontends/formats/caps.h"
#include "frontends/formats/format.h"
#include "frontends/networks/network.h"
#include "solver/decimal.h"
#include "solver/error.h"

namespace {

constexpr const char* help =
    "usage: wmi-check [options] [FILE] CERTIFICATE\n"
    "Checks that the certificate proves its answers to the queries of FILE, and prints them;\n"
    "without FILE, to those of the problem that a certificate of ciber query carries.\n"
    "  --network NET      also re-encode the network NET, and check the certificate against that:\n"
    "                     then its answers are about NET, without trust in who encoded it\n"
    "  --statement        also print what the certificate says is given and asked\n"
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
  const auto& [lower, upper] = *answer.value;
  if (lower == upper) return wmi::to_string(lower) + " = " + wmi::decimal(lower, digits);
  return "at least " + wmi::decimal(lower, digits, wmi::Rounding::down) + ", at most " +
         wmi::decimal(upper, digits, wmi::Rounding::up);
}

wmi::Script read_problem(const std::string& path, const std::string& format) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw wmi::Error("cannot be opened");
  std::string text;
  for (std::vector<char> block(1 << 16); file;) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > wmi::frontends::caps::file) break;  // the reader says so
  }
  return wmi::frontends::read({path, text}, format);
}

/// `FILE:3:9: what is wrong`
std::string place(const std::string& file, const wmi::Error& error) {
  std::string result = file + ":";
  for (const std::size_t number : {error.where().line, error.where().column})
    if (number > 0) result += std::to_string(number) + ":";
  return result + " " + error.what();
}

/// What the command line asks for.
struct Request {
  std::vector<std::string> files;
  std::string format;
  std::optional<std::string> network;
  bool statement = false;
};

struct Report {
  std::string answers, statement, trust;
  wmi::check::Counts counts;
};

/// Checks the tree of the certificate against the problem.
void check_tree(const wmi::Script& script, wmi::check::Bytes& in, Report& report) {
  report.counts = {};
  report.answers.clear();
  in.expect(wmi::check::mark);
  for (const wmi::Task& task : script) {
    const std::vector<wmi::check::Certified> found = wmi::check::check(task, in, report.counts);
    for (std::size_t i = 0; i < found.size(); ++i)
      report.answers += line(task.queries[i], found[i]) + '\n';
  }
  in.expect_end();
}

wmi::Script carried_script(const std::string& what, const std::string& text) {
  try {
    return wmi::frontends::read({what, text}, "smtlib");
  } catch (const wmi::Error& error) {
    throw wmi::check::Rejected(place(what, error));
  }
}

/// Weights and biases that are other numbers than in the network's file.
std::string replacements(const wmi::check::Carried& carried) {
  std::string result;
  for (const wmi::check::Carried::Value& value : carried.values)
    if (value.number && !value.name.starts_with("input["))
      result += "; " + value.name + " = " + wmi::to_string(*value.number);
  return result;
}

/// Exit status 4 if it is rejected.
int check(const Request& asked, const wmi::Script* script, const wmi::encoders::Network* network) {
  const std::string& path = asked.files.back();
  Report report;
  std::size_t offset = 0;
  try {
    // The tree is read for each problem that it is checked against.
    const auto with_certificate = [&](const auto& action) {
      std::ifstream file(path, std::ios::binary);
      wmi::check::Bytes in(file);
      try {
        const std::optional<wmi::check::Carried> carried = wmi::check::read_carried(in);
        action(in, carried);
      } catch (...) {
        offset = in.offset();
        throw;
      }
    };
    bool again = false, carries = false;
    with_certificate([&](wmi::check::Bytes& in, const auto& carried) {
      if (script != nullptr) return check_tree(*script, in, report);
      if (!carried) return;
      carries = true;
      report.statement = carried->given() + carried->statement;
      report.trust = "trusted: encoder";
      if (network != nullptr) {
        const std::string foreign = wmi::check::foreign_layers(*network);
        again = foreign.empty() && !carried->statement.empty();
        if (again)
          report.trust = "network: re-encoded, " + wmi::check::counted_layers(*network) +
                         replacements(*carried);
        else if (!foreign.empty())
          report.trust += " (layer " + foreign + ")";
        else
          report.trust += " (the problem is carried as a whole)";
      }
      check_tree(
          carried_script("its problem", carried->given() + carried->network + carried->statement),
          in, report);
    });
    if (script == nullptr && !carries)
      return complain(path + ": carries no problem; give the FILE that it is about", 1);
    if (again)
      with_certificate([&](wmi::check::Bytes& in, const auto& carried) {
        const std::string text =
            carried->given() + wmi::check::definitions(*network, carried->values);
        check_tree(
            carried_script("its problem with the network re-encoded", text + carried->statement),
            in, report);
      });
  } catch (
      const std::exception& error) {  // Rejected; or a polynomial, or memory, that is too large
    return complain(path + ": rejected at byte " + std::to_string(offset) + ": " + error.what(), 4);
  }
  if (asked.statement) std::cout << report.statement;
  std::cout << report.answers;
  if (!report.trust.empty()) std::cout << report.trust << '\n';
  std::cout << "accepted: " << report.counts.leaves << " leaves, " << report.counts.cells
            << " cells, " << report.counts.faces << " faces"
            << (report.counts.open > 0 ? ", " + std::to_string(report.counts.open) + " left open\n"
                                       : "\n")
            << std::flush;
  return std::cout ? 0 : complain("cannot write to standard output", 1);
}

}  // namespace

int main(int argc, char** argv) {
  Request asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      std::cout << help << std::flush;
      return std::cout ? 0 : complain("cannot write to standard output", 1);
    }
    if (word == "--format" && i + 1 < argc)
      asked.format = argv[++i];
    else if (word == "--network" && i + 1 < argc)
      asked.network = argv[++i];
    else if (word == "--statement")
      asked.statement = true;
    else if ((word == "--timeout" || word == "--memory" || word == "--cap") && i + 1 < argc) {
      const std::string problem = set_limit(word, argv[++i]);
      if (!problem.empty()) return complain(word + ": " + problem, 2);
    } else if (word.size() > 1 && word[0] == '-')
      return complain(word + ": no such option; see --help", 2);
    else
      asked.files.push_back(word);
  }
  if (asked.files.empty() || asked.files.size() > 2)
    return complain("needs a CERTIFICATE, and a FILE if it carries no problem; see --help", 2);
  const bool has_file = asked.files.size() == 2;
  if (has_file && (asked.network || asked.statement))
    return complain(
        "--network and --statement are about the problem that a certificate carries; "
        "leave out FILE",
        2);

  std::string file;
  try {
    std::optional<wmi::Script> script;
    std::optional<wmi::encoders::Network> network;
    if (has_file) script = read_problem(file = asked.files[0], asked.format);
    if (asked.network) network = wmi::frontends::read_network(file = *asked.network);
    if (!std::ifstream(asked.files.back(), std::ios::binary))
      return complain(asked.files.back() + ": cannot be opened", 1);
    return check(asked, script ? &*script : nullptr, network ? &*network : nullptr);
  } catch (const wmi::Error& error) {
    return complain(place(file, error), 1);
  }
}
