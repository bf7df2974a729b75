// wmi-check: accepts or rejects a certificate. It uses the readers of problems and networks, the
// vocabulary (solver/terms) and GMP, and nothing else.

#include <fstream>
#include <iostream>

#include "frontends/check/program/limits.h"
#include "frontends/check/program/network.h"
#include "frontends/check/program/script_check.h"
#include "frontends/common/amounts.h"
#include "frontends/common/caps.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/formats/format.h"
#include "frontends/networks/network.h"
#include "solver/terms/decimal.h"

namespace {

using namespace wmi;
using namespace wmi::check;

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

/// The command line. Limits take effect as soon as they are read.
struct Request {
  bool help = false, statement = false;
  std::vector<std::string> files;
  std::string format, network;

  /// Throws Error.
  void read_option(const std::string& option, const std::string& value) {
    const auto known = [&](const auto& amount, const char* what) {
      return amount ? *amount : throw Error("'" + value + "' is no " + what);
    };
    if (option == "--format") format = value;
    if (option == "--network") network = value;
    if (option == "--cap") frontends::set_caps(value);
    if (option == "--timeout")
      limit_time(known(frontends::parse_seconds(value), "number of seconds"));
    if (option == "--memory")
      limit_memory(
          known(frontends::parse_bytes(value), "size; write megabytes, or a unit: 500M, 2G"));
  }
};

/// Throws Error.
Request parse(const std::vector<std::string>& words) {
  const std::set<std::string> options{"--format", "--network", "--cap", "--timeout", "--memory"};
  Request result;
  for (std::size_t i = 0; i < words.size() && !result.help; ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h") {
      result.help = true;
    } else if (word == "--statement") {
      result.statement = true;
    } else if (options.contains(word) && i + 1 < words.size()) {
      try {
        result.read_option(word, words[++i]);
      } catch (const std::exception& error) {
        throw Error(word + ": " + error.what());
      }
    } else if (word.size() > 1 && word.starts_with('-')) {
      throw Error(word + ": no such option; see --help");
    } else {
      result.files.push_back(word);
    }
  }
  const bool embedded = result.statement || !result.network.empty();
  if (!result.help && (result.files.empty() || result.files.size() > 2))
    throw Error("needs a CERTIFICATE, and a FILE if it carries no problem; see --help");
  if (!result.help && result.files.size() == 2 && embedded)
    throw Error(
        "--network and --statement are about the problem that a certificate carries; "
        "leave out FILE");
  return result;
}

int complain(const std::string& what, int status) {
  std::cerr << "wmi-check: " << frontends::one_line(what) << '\n';
  return status;
}

int print(const std::string& text) {
  std::cout << text << std::flush;
  return std::cout ? 0 : complain("cannot write to standard output", 1);
}

std::string not_certified(const std::string& text) {
  return "not certified: " + frontends::one_line(text);
}

std::string line(const Query& query, const Certified& answer) {
  if (!answer.certified) return not_certified(query.text);
  if (!answer.value) return "undefined: " + answer.undefined;
  const auto& [lower, upper] = *answer.value;
  if (lower == upper) return to_string(lower) + " = " + decimal(lower, digits);
  return "at least " + decimal(lower, digits, Rounding::down) + ", at most " +
         decimal(upper, digits, Rounding::up);
}

/// The proven answers, line by line, and how much was checked.
std::string report(const CheckedScript& checked) {
  std::string answers;
  for (std::size_t task = 0; task < checked.script.size(); ++task) {
    const std::vector<Query>& queries = checked.script[task].queries;
    const std::vector<Certified>& found = checked.answers[task];
    in_order(
        found.size(), checked.script[task].echoes,
        [&](const Echo& echo) { answers += not_certified(echo.text) + '\n'; },
        [&](std::size_t i) { answers += line(queries[i], found[i]) + '\n'; });
  }
  if (!checked.trust.empty()) answers += checked.trust + '\n';
  const Counts& counts = checked.counts;
  return answers + "accepted: " + std::to_string(counts.nodes) + " nodes, " +
         std::to_string(counts.cells) + " cells" +
         (counts.open > 0 ? ", " + std::to_string(counts.open) + " left open\n" : "\n");
}

}  // namespace

int main(int argc, char** argv) {
  wmi::check::end_without_memory();
  Request asked;
  try {
    asked = parse({argv + 1, argv + argc});
  } catch (const Error& error) {
    return complain(error.what(), 2);
  }
  if (asked.help) return print(help);

  std::optional<Script> script;
  std::optional<encoders::Network> network;
  std::string file;
  try {
    if (asked.files.size() == 2) {
      file = asked.files[0];
      script = frontends::read({file, frontends::read_input(file)}, asked.format);
    }
    if (!asked.network.empty()) network = frontends::read_network(file = asked.network);
  } catch (const frontends::UnknownFormat& unknown) {
    const Error error = unknown.with_option("--format");
    return complain(frontends::message(file, error.where(), error.what()), 1);
  } catch (const Error& error) {
    return complain(frontends::message(file, error.where(), error.what()), 1);
  }
  const std::string& path = asked.files.back();
  std::ifstream certificate(path, std::ios::binary);
  if (!certificate) return complain(path + ": cannot be opened", 1);
  Bytes in(certificate);
  try {
    const std::optional<EmbeddedProblem> embedded = read_embedded(in);
    if (script) return print(report(check_script(*std::move(script), in)));
    if (!embedded)
      return complain(path + ": carries no problem; give the FILE that it is about", 1);
    const std::string answers =
        report(check_embedded(*embedded, network ? &*network : nullptr, in));
    const std::string statement = embedded->given() + embedded->statement;
    return print((asked.statement ? frontends::printable(statement, "\n\t") : "") + answers);
  } catch (const std::exception& error) {  // also a polynomial, or memory, that is too large
    return complain(
        path + ": rejected at byte " + std::to_string(in.offset()) + ": " + error.what(), 4);
  }
}
