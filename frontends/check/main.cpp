// wmi-check: accepts or rejects a certificate. It stands on the readers, their vocabulary and
// GMP.

#include <fstream>
#include <functional>
#include <iostream>
#include <map>

#include "frontends/check/checker.h"
#include "frontends/check/limits.h"
#include "frontends/check/network.h"
#include "frontends/common/amounts.h"
#include "frontends/common/files.h"
#include "frontends/common/line.h"
#include "frontends/formats/caps.h"
#include "frontends/networks/network.h"
#include "solver/decimal.h"

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

/// The command line is not understood.
struct Usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the command line asks for.
struct Request {
  bool help = false, statement = false;
  std::vector<std::string> files;
  std::string format, network;
};

Request parse(const std::vector<std::string>& words) {
  Request result;
  const auto given = [](const auto& value, const std::string& what) {
    return value ? *value : throw Usage(what);
  };
  const std::map<std::string, std::function<void(const std::string&)>> options{
      {"--format", [&](const std::string& name) { result.format = name; }},
      {"--network", [&](const std::string& file) { result.network = file; }},
      {"--cap", [&](const std::string& text) { frontends::set_caps(text); }},
      {"--timeout",
       [&](const std::string& text) {
         limit_time(
             given(frontends::parse_seconds(text), "'" + text + "' is no number of seconds"));
       }},
      {"--memory", [&](const std::string& text) {
         limit_memory(given(frontends::parse_bytes(text),
                            "'" + text + "' is no size; write megabytes, or a unit: 500M, 2G"));
       }}};
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--help" || *word == "-h") {
      result.help = true;
      return result;
    }
    if (*word == "--statement") {
      result.statement = true;
    } else if (const auto option = options.find(*word);
               option != options.end() && word + 1 != words.end()) {
      try {
        option->second(*++word);
      } catch (const std::exception& error) {
        throw Usage(option->first + ": " + error.what());
      }
    } else if (word->size() > 1 && word->starts_with('-')) {
      throw Usage(*word + ": no such option; see --help");
    } else {
      result.files.push_back(*word);
    }
  }
  if (result.files.empty() || result.files.size() > 2)
    throw Usage("needs a CERTIFICATE, and a FILE if it carries no problem; see --help");
  if (result.files.size() == 2 && (result.statement || !result.network.empty()))
    throw Usage(
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

std::string line(const Query& query, const Certified& answer) {
  if (!answer.certified) return "not certified: " + frontends::one_line(query.text);
  if (!answer.value) return "undefined: " + answer.undefined;
  const auto& [lower, upper] = *answer.value;
  if (lower == upper) return to_string(lower) + " = " + decimal(lower, digits);
  return "at least " + decimal(lower, digits, Rounding::down) + ", at most " +
         decimal(upper, digits, Rounding::up);
}

/// Checks the tree of a certificate against a problem. What is then known, line by line.
std::string check_script(const Script& script, Bytes& in, const std::string& trust = "") {
  std::string answers;
  Counts counts;
  in.expect(mark);
  for (const Task& task : script) {
    const std::vector<Certified> found = check::check(task, in, counts);
    for (std::size_t i = 0; i < found.size(); ++i)
      answers += line(task.queries[i], found[i]) + '\n';
  }
  in.expect_end();
  return answers + trust + "accepted: " + std::to_string(counts.leaves) + " leaves, " +
         std::to_string(counts.cells) + " cells, " + std::to_string(counts.faces) + " faces" +
         (counts.open > 0 ? ", " + std::to_string(counts.open) + " left open\n" : "\n");
}

/// Likewise against the problem that it carries, and once more with the network re-encoded.
std::string check_carried(const Carried& carried, const encoders::Network* network, Bytes& in) {
  const auto against = [&](const std::string& what, const std::string& definitions,
                           const std::string& trust) {
    try {
      const std::string text = carried.given() + definitions + carried.statement;
      return check_script(frontends::read({what, text}, "smtlib"), in, trust + '\n');
    } catch (const Error& error) {
      throw Rejected(frontends::message(what, error.where(), error.what()));
    }
  };
  const std::string trusted = "trusted: encoder";
  if (network == nullptr) return against("its problem", carried.network, trusted);
  const std::string foreign = foreign_layers(*network);
  if (!foreign.empty())
    return against("its problem", carried.network, trusted + " (layer " + foreign + ")");
  if (carried.statement.empty())
    return against("its problem", carried.network,
                   trusted + " (the problem is carried as a whole)");
  against("its problem", carried.network, trusted);
  in.rewind();
  read_carried(in);
  std::string trust = "network: re-encoded, " + counted_layers(*network);
  for (const auto& [name, number] : carried.values)  // other numbers than in the network's file
    if (number && !name.starts_with("input[")) trust += "; " + name + " = " + to_string(*number);
  return against("its problem with the network re-encoded", definitions(*network, carried.values),
                 trust);
}

}  // namespace

int main(int argc, char** argv) {
  wmi::check::end_without_memory();
  Request asked;
  try {
    asked = parse({argv + 1, argv + argc});
  } catch (const Usage& error) {
    return complain(error.what(), 2);
  }
  if (asked.help) return print(help);

  std::optional<Script> script;
  std::optional<encoders::Network> network;
  std::string file;
  try {
    if (asked.files.size() == 2)
      script = frontends::read(frontends::load(file = asked.files[0]), asked.format);
    if (!asked.network.empty()) network = frontends::read_network(file = asked.network);
  } catch (const Error& error) {
    return complain(frontends::message(file, error.where(), error.what()), 1);
  }
  const std::string& path = asked.files.back();
  std::ifstream certificate(path, std::ios::binary);
  if (!certificate) return complain(path + ": cannot be opened", 1);
  Bytes in(certificate);
  try {
    const std::optional<Carried> carried = read_carried(in);
    if (script) return print(check_script(*script, in));
    if (!carried) return complain(path + ": carries no problem; give the FILE that it is about", 1);
    const std::string answers = check_carried(*carried, network ? &*network : nullptr, in);
    const std::string statement = carried->given() + carried->statement;
    return print((asked.statement ? frontends::printable(statement, "\n\t") : "") + answers);
  } catch (const std::exception& error) {  // also a polynomial, or memory, that is too large
    return complain(
        path + ": rejected at byte " + std::to_string(in.offset()) + ": " + error.what(), 4);
  }
}
