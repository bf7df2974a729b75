// The program `wmi`, run as its users run it: what it prints, where, and how it exits.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "frontends/formats/format.h"
#include "frontends/wmi/limits.h"
#include "frontends/wmi/line.h"
#include "frontends/wmi/report.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/rational.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

/// A directory for the files of one test.
class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "wmi_test.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = pattern;
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  fs::path path_;
};

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Finished {
  int exit = -1;  // 128 + signal if it was killed
  std::string output;
  std::string errors;
  double seconds = 0;
};

struct Setting {
  std::string input;                  // on stdin
  bool input_never_ends = false;      // stdin stays open and empty
  std::string output = {};            // a file for stdout
  int signal = 0;                     // sent after a while
  std::chrono::milliseconds after{};  // how long a while
};

int exit_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The program, by default beside the tests: bin/wmi of bin/tests/frontends_tests.
std::string program() {
#ifdef WMI_PROGRAM
  return WMI_PROGRAM;
#else
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "wmi";
#endif
}

[[noreturn]] void become_wmi(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program());
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

Finished wmi_in(const Setting& setting, const std::vector<std::string>& arguments) {
  const Directory directory;
  const std::string input = directory.file("in", setting.input);
  const std::string output = setting.output.empty() ? directory.path("out") : setting.output;
  const std::string errors = directory.path("err");
  int never[2] = {-1, -1};
  if (setting.input_never_ends && pipe(never) != 0) throw std::runtime_error("no pipe");
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int in = setting.input_never_ends ? never[0] : open(input.c_str(), O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    become_wmi(arguments);
  }
  if (setting.signal != 0) {
    std::this_thread::sleep_for(setting.after);
    kill(child, setting.signal);
  }
  Finished finished;
  finished.exit = exit_status(child);
  finished.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const int end : never)
    if (end >= 0) close(end);
  if (setting.output.empty()) finished.output = contents(output);
  finished.errors = contents(errors);
  return finished;
}

Finished wmi(const std::vector<std::string>& arguments) { return wmi_in({}, arguments); }

Finished wmi_reads(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.emplace_back("-");
  return wmi_in({.input = text}, arguments);
}

std::vector<Json> objects(const std::string& text) {
  std::vector<Json> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(Json::parse(line));
  return result;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string square = "(declare-const x Real) (assert (<= 0 x 1))\n";

/// x, uniform on [0,1]: a WMI of 1.
const std::string one = square + "(get-wmi)\n";

/// Weight 2 for each pair in order: the sum over the permutations of 12 reals of 2^inversions /
/// 12!, one cell each, far too many to wait for. The whole is the product of (2^k - 1)/k for k
/// = 1..12, twice: the Boolean is free.
std::string endless() {
  std::string text = "(declare-const b Bool)\n";
  const auto x = [](int i) { return "x" + std::to_string(i); };
  for (int i = 0; i < 12; ++i)
    text += "(declare-const " + x(i) + " Real) (assert (<= 0 " + x(i) + " 1))\n";
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j) text += "(weight (< " + x(i) + " " + x(j) + ") 2)\n";
  return text +
         "(echo \"first\")\n(get-wmi)\n(check-sat)\n(push 1)\n(assert b)\n(get-wmi b)\n(pop 1)\n";
}

Rational endless_value() {
  Rational value = 2;
  for (unsigned k = 1; k <= 12; ++k) value *= ratio((1 << k) - 1, k);
  return value;
}

// Answers

TEST_CASE("an answer is a fraction and its decimal") {
  const Finished right = wmi_reads(square + "(weight true x)(get-wmi)(get-expectation x)");
  CHECK(right.exit == 0);
  CHECK(right.output == "1/2 = 0.5\n2/3 = 0.66666666666666667\n");
  CHECK(right.errors.empty());
}

TEST_CASE("an enclosure prints its ends, rounded outwards, and holds the exact answer") {
  const std::string text = square + "(weight true (/ x 3))(get-wmi)";
  const Finished rounded =
      wmi_reads(text, {"--integrator", "mpfr", "--precision", "40", "--decimals", "5"});
  CHECK(rounded.exit == 0);
  CHECK(rounded.output == "[0.16666, 0.16667]\n");
  const std::vector<Json> answers =
      objects(wmi_reads(text, {"--integrator", "mpfr", "--precision", "40", "--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0]["exact"].is_null());
  CHECK(parse_number(answers[0]["lower"].get<std::string>()) <= ratio(1, 6));
  CHECK(parse_number(answers[0]["upper"].get<std::string>()) >= ratio(1, 6));
  CHECK(parse_number(answers[0]["lower"].get<std::string>()) <
        parse_number(answers[0]["upper"].get<std::string>()));
}

TEST_CASE("JSON has one object for each query, its fields in order") {
  const Finished found =
      wmi_reads(square + "(check-sat)(echo \"a \"\"b\"\"\")(get-expectation x)", {"--json"});
  CHECK(found.exit == 0);
  CHECK(found.output ==
        R"json({"query":"(check-sat)","answer":"sat"}
{"echo":"a \"b\""}
{"query":"(get-expectation x)","exact":"1/2","decimal":"0.5","lower":"0.5","upper":"0.5","cells":1,"exactWithRespectTo":[]}
)json");
}

TEST_CASE("a density has a left and a right limit") {
  const std::string text = square + "(get-density x :at 1)";
  const std::vector<Json> answers = objects(wmi_reads(text, {"--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(keys(answers[0]) == std::vector<std::string>{"query", "exact", "decimal", "lower", "upper",
                                                     "left", "right", "cells",
                                                     "exactWithRespectTo"});
  CHECK(answers[0]["exact"] == "0");
  CHECK(answers[0]["left"] == "1");
  CHECK(answers[0]["right"] == "0");
  const Finished plain = wmi_reads(text);
  CHECK(plain.output == "0 = 0\n");
  CHECK(
      plain.errors ==
      "wmi: -: note: (get-density x :at 1): the limit from the right; from the left it is 1 = 1\n");
}

TEST_CASE("an undefined answer is an answer") {
  const std::string text = square + "(get-probability (< x 1) :given (> x 2))";
  const Finished plain = wmi_reads(text);
  CHECK(plain.exit == 0);
  CHECK(plain.output == "undefined: the condition has probability 0\n");
  const Finished json = wmi_reads(text, {"--json"});
  CHECK(json.exit == 0);
  CHECK(contains(
      json.output,
      R"json("exact":null,"decimal":null,"undefined":"the condition has probability 0")json"));
}

TEST_CASE("a question that is refused is an error; the others are answered") {
  const Finished found = wmi_reads(
      square + "(define-fun z () Real (ite (< x 0.5) 0 x))\n(get-density z :at 0)\n(get-wmi)");
  CHECK(found.exit == 1);
  CHECK(found.output == "1 = 1\n");
  CHECK(found.errors.starts_with("wmi: -:3:1: "));
  CHECK(contains(found.errors, "point mass of 1/2 at 0"));
  CHECK(lines(found.errors) == 1);
}

TEST_CASE("a long fraction prints as its decimal, and in full on demand") {
  // 1/7^300, a fraction of 254 digits in the denominator
  const std::string text = square + "(weight true (^ (/ 1 7) 300))(get-wmi)";
  CHECK(wmi_reads(text).output ==
        "2.9552076050124081e-254 (a fraction of 255 digits; --exact prints it)\n");
  const std::string full = wmi_reads(text, {"--exact"}).output;
  CHECK(full.starts_with("1/338385702007491040936883"));
  CHECK(full.ends_with("84180001 = 2.9552076050124081e-254\n"));
  const std::vector<Json> answers = objects(wmi_reads(text, {"--json"}).output);
  REQUIRE(answers.size() == 1);
  CHECK(ratio(1, 1) / power(Rational(7), 300) == Rational(answers[0]["exact"].get<std::string>()));
}

TEST_CASE("--decimals sets the number of significant digits") {
  const std::string text = square + "(weight true (/ 2 3))(get-wmi)";
  CHECK(wmi_reads(text, {"--decimals", "3"}).output == "2/3 = 0.667\n");
  CHECK(wmi_reads(text, {"--decimals", "30"}).output == "2/3 = 0.666666666666666666666666666667\n");
}

TEST_CASE("statistics are separate from answers, which are the same bytes each time") {
  const std::string text = square + "(weight (< x 0.5) 2)(get-wmi)(get-variance x)";
  const Finished plain = wmi_reads(text, {"--stats"});
  CHECK(plain.output == wmi_reads(text).output);
  CHECK(plain.errors.starts_with("wmi: -: 2 queries, "));
  CHECK(contains(plain.errors, " seconds"));
  CHECK(wmi_reads(text, {"--json"}).output == wmi_reads(text, {"--json"}).output);
  for (const Json& answer : objects(wmi_reads(text, {"--json", "--stats"}).output)) {
    CHECK(answer["seconds"].is_number());
    CHECK(answer["vertices"].get<int>() >= 2);
  }
}

// Files

TEST_CASE("a bad file does not stop the next, and the exit code is the largest") {
  const Directory directory;
  const std::string good = directory.file("good.smt2", one);
  const std::string bad = directory.file("bad.smt2", "(assert\n  (< x 1))");
  const Finished found = wmi({"--json", good, bad, directory.path("missing.smt2"), good});
  CHECK(found.exit == 1);
  const std::vector<Json> answers = objects(found.output);
  REQUIRE(answers.size() == 2);
  for (const Json& answer : answers) {
    CHECK(keys(answer)[0] == "file");
    CHECK(answer["file"] == good);
    CHECK(answer["exact"] == "1");
  }
  CHECK(contains(found.errors, "wmi: " + bad + ":2:6: "));
  CHECK(contains(found.errors, "wmi: " + directory.path("missing.smt2") +
                                   ": cannot be opened: No such file or directory\n"));
  CHECK(lines(found.errors) == 2);
  CHECK_FALSE(objects(wmi({"--json", good}).output)[0].contains("file"));
}

TEST_CASE("a directory is no file") {
  const Finished found = wmi({"/"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: /: cannot be read: Is a directory\n");
}

TEST_CASE("a file whose name looks like an option follows --") {
  const Finished found = wmi({"--", "--json"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: --json: cannot be opened: No such file or directory\n");
}

TEST_CASE("--parse-only prints errors and nothing else") {
  const Finished good = wmi_reads(one, {"--parse-only"});
  CHECK(good.exit == 0);
  CHECK(good.output.empty());
  CHECK(good.errors.empty());
  const Finished bad = wmi_reads("(get-wmi", {"--parse-only"});
  CHECK(bad.exit == 1);
  CHECK(lines(bad.errors) == 1);
}

TEST_CASE("what --write-smtlib writes has the same answers") {
  const Directory directory;
  const std::string out = directory.path("out.smt2");
  const std::string text = square + "(weight (< x 0.25) (* 3 x))(get-wmi)(get-expectation x)";
  const Finished written = wmi_reads(text, {"--write-smtlib", out});
  CHECK(written.exit == 0);
  CHECK(written.output.empty());
  CHECK(wmi({out}).output == wmi_reads(text).output);
  CHECK(wmi_reads(text, {"--write-smtlib", "-"}).output == contents(out));
  const std::string pure = wmi_reads(text, {"--write-smtlib", "-", "--pure"}).output;
  CHECK(contains(pure, "assert"));
  CHECK_FALSE(contains(pure, "weight"));
  const Finished impossible = wmi_reads(text, {"--write-smtlib", directory.path("no/where")});
  CHECK(impossible.exit == 1);
  CHECK(lines(impossible.errors) == 1);
}

TEST_CASE("an error is one line, whatever the file says") {
  const Finished found = wmi_reads("(assert |a\nb\x1b[31m" + std::string(5000, 'c') + "|)");
  CHECK(found.exit == 1);
  CHECK(lines(found.errors) == 1);
  CHECK(found.errors.size() < 1000);
  CHECK_FALSE(contains(found.errors, "\x1b"));
}

TEST_CASE("output that cannot be written is an error") {
  const Finished found = wmi_in({.input = one, .output = "/dev/full"}, {"-"});
  CHECK(found.exit == 1);
  CHECK(found.errors == "wmi: cannot write to standard output: No space left on device\n");
  CHECK(wmi_in({.input = "", .output = "/dev/full"}, {"--help"}).exit == 1);
}

// Usage

TEST_CASE("the help names everything that can be chosen") {
  const Finished found = wmi({"--help"});
  CHECK(found.exit == 0);
  CHECK(found.output.starts_with("usage: wmi [options] FILE...\n"));
  for (const EnumeratorEntry& entry : enumerators())
    CHECK(contains(found.output, std::string(entry.name)));
  for (const IntegratorEntry& entry : integrators())
    CHECK(contains(found.output, std::string(entry.name)));
  for (const FormatEntry& entry : formats()) CHECK(contains(found.output, std::string(entry.name)));
  for (const char* option :
       {"--enumerator NAME", "--integrator NAME", "--precision BITS", "--threads N",
        "--timeout SECONDS", "--memory SIZE", "--exact", "--decimals N", "--json", "--format NAME",
        "--stats", "--parse-only", "--write-smtlib OUT", "--pure", "--version", "--help"})
    CHECK(contains(found.output, option));
}

TEST_CASE("the version is one line") {
  const Finished found = wmi({"--version"});
  CHECK(found.exit == 0);
  CHECK(found.output.starts_with("wmi "));
  CHECK(lines(found.output) == 1);
}

TEST_CASE(
    "every enumerator and integrator of the tables can be chosen, and any number of threads") {
  for (const EnumeratorEntry& enumerator : enumerators())
    for (const IntegratorEntry& integrator : integrators()) {
      CAPTURE(enumerator.name);
      CAPTURE(integrator.name);
      const Finished found =
          wmi_reads(one, {"--enumerator", std::string(enumerator.name),
                          "--integrator=" + std::string(integrator.name), "--threads", "2"});
      CHECK(found.exit == 0);
      CHECK(lines(found.output) == 1);
    }
}

TEST_CASE("bad usage is one line that says what would help") {
  const struct {
    std::vector<std::string> arguments;
    std::string error;
  } mistakes[] = {
      {{}, "no FILE given; see wmi --help"},
      {{"--json"}, "no FILE given; see wmi --help"},
      {{"--integrator", "exat", "-"},
       "--integrator: no integrator named 'exat'; choose triangulation or mpfr"},
      {{"--format", "x\ny", "-"}, "--format: no format named 'x\\ny'; choose "},
      {{"--enumerator", "", "-"}, "--enumerator: no enumerator named ''; choose z3"},
      {{"--jsn", "-"}, "--jsn: no such option; see wmi --help"},
      {{"--jsn=1", "-"}, "--jsn: no such option; see wmi --help"},
      {{"-q", "-"}, "-q: no such option; see wmi --help"},
      {{"-", "--timeout"}, "--timeout: needs a value; see wmi --help"},
      {{"--timeout", "0", "-"}, "--timeout: '0' is no number of seconds"},
      {{"--timeout", "-1", "-"}, "--timeout: '-1' is no number of seconds"},
      {{"--timeout", "soon", "-"}, "--timeout: 'soon' is no number of seconds"},
      {{"--timeout", "nan", "-"}, "--timeout: 'nan' is no number of seconds"},
      {{"--memory", "0", "-"}, "--memory: '0' is no size; write megabytes, or a unit: 500M, 2G"},
      {{"--memory", "2X", "-"}, "--memory: '2X' is no size"},
      {{"--memory", "1e30", "-"}, "--memory: '1e30' is no size"},
      {{"--decimals", "0", "-"}, "--decimals: '0' is no whole number from 1 to 10000"},
      {{"--decimals", "3.5", "-"}, "--decimals: '3.5' is no whole number"},
      {{"--precision", "99999999999999999999", "-"}, "--precision: '99999999999999999999' is no"},
      {{"--threads", "0", "-"}, "--threads: '0' is no whole number from 1"},
      {{"--json=maybe", "-"}, ""},
      {{"--pure", "-"}, "--pure: needs --write-smtlib OUT"},
      {{"--write-smtlib", "-", "a", "b"}, "--write-smtlib: takes one FILE at a time"},
  };
  for (const auto& mistake : mistakes) {
    CAPTURE(mistake.error);
    const Finished found = wmi(mistake.arguments);
    CHECK(found.exit == 2);
    CHECK(found.output.empty());
    CHECK(found.errors.starts_with("wmi: " + mistake.error));
    CHECK(lines(found.errors) == 1);
  }
}

// Limits

void check_bounds(const Json& answer, const std::string& reason) {
  CHECK(keys(answer) == std::vector<std::string>{"query", "exact", "decimal", "lower", "upper",
                                                 "stopped", "cells", "exactWithRespectTo"});
  CHECK(answer["exact"].is_null());
  CHECK(answer["decimal"].is_null());
  CHECK(answer["stopped"] == reason);
  if (answer["lower"].is_string())
    CHECK(parse_number(answer["lower"].get<std::string>()) <= endless_value());
  if (answer["upper"].is_string())
    CHECK(parse_number(answer["upper"].get<std::string>()) >= endless_value());
}

TEST_CASE("--timeout ends the work with what was asked and what is known") {
  const Finished plain = wmi_reads(endless(), {"--timeout", "1.5"});
  CHECK(plain.exit == 3);
  CHECK(plain.seconds < 20);
  CHECK(plain.output.starts_with("first\n(get-wmi): stopped by --timeout; at least "));
  CHECK(contains(plain.output, "\nsat\n"));  // asked before the cells
  CHECK(
      contains(plain.output, "\n(get-wmi b): stopped by --timeout; no bound known: not started\n"));
  CHECK(plain.errors.starts_with("wmi: stopped by --timeout after "));
  CHECK(lines(plain.errors) == 1);

  const Finished json = wmi_reads(endless(), {"--timeout", "2", "--json"});
  CHECK(json.exit == 3);
  const std::vector<Json> answers = objects(json.output);
  REQUIRE(answers.size() == 4);
  CHECK(answers[0] == Json{{"echo", "first"}});
  check_bounds(answers[1], "timeout");
  CHECK(answers[2] == Json{{"query", "(check-sat)"}, {"answer", "sat"}});
  CHECK(answers[3]["query"] == "(get-wmi b)");
  CHECK(answers[3]["lower"].is_null());
}

TEST_CASE("a limit that is not reached changes nothing") {
  const Finished found = wmi_reads(one, {"--timeout", "100", "--memory", "4G"});
  CHECK(found.exit == 0);
  CHECK(found.output == "1 = 1\n");
  CHECK(found.errors.empty());
}

TEST_CASE("--timeout covers reading, and files that are not reached are named") {
  const Finished found =
      wmi_in({.input = "", .input_never_ends = true}, {"--timeout", "0.2", "-", "next.smt2"});
  CHECK(found.exit == 3);
  CHECK(found.output.empty());
  CHECK(found.seconds < 20);
  CHECK(contains(found.errors, "wmi: -: not read\n"));
  CHECK(contains(found.errors, "wmi: next.smt2: not read\n"));
  CHECK(contains(found.errors, "wmi: stopped by --timeout after "));
}

TEST_CASE("--memory ends the work too") {
  const Finished found = wmi_reads(endless(), {"--memory", "1", "--json"});
  CHECK(found.exit == 3);
  CHECK(found.seconds < 20);
  CHECK(contains(found.errors, "wmi: stopped by --memory after "));
}

TEST_CASE("a signal ends the work with what is known") {
  for (const auto& [signal, name] : {std::pair(SIGINT, "SIGINT"), std::pair(SIGTERM, "SIGTERM")}) {
    const Finished found =
        wmi_in({.input = endless(), .signal = signal, .after = 2500ms}, {"--json", "-"});
    CAPTURE(name);
    CHECK(found.exit == 3);
    CHECK(found.seconds < 20);
    const std::vector<Json> answers = objects(found.output);
    REQUIRE(answers.size() == 4);
    check_bounds(answers[1], name);
    CHECK(contains(found.errors, std::string("wmi: stopped by ") + name));
  }
}

TEST_CASE("answers are printed as soon as their task is solved") {
  const std::string text = "(push 1)\n" + one + "(pop 1)\n" + endless();
  const Finished found = wmi_reads(text, {"--timeout", "2"});
  CHECK(found.exit == 3);
  CHECK(found.output.starts_with("1 = 1\nfirst\n(get-wmi): stopped by --timeout; "));
}

/// What a terminal shows while the program runs on it.
std::string on_a_terminal(const std::vector<std::string>& arguments) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    become_wmi(arguments);
  }
  std::string shown;
  char block[4096];
  for (ssize_t length = 0; (length = ::read(terminal, block, sizeof block)) > 0;)
    shown.append(block, static_cast<std::size_t>(length));
  close(terminal);
  exit_status(child);
  return shown;
}

TEST_CASE("progress is one line, rewritten in place and erased, on a terminal only") {
  const Directory directory;
  const std::string file = directory.file("endless.smt2", endless());
  const std::string shown = on_a_terminal({"--timeout", "2", file});
  CHECK(contains(shown, " cells, "));
  CHECK(contains(shown, "/s, "));
  CHECK(contains(shown, "\r\x1b[Kfirst\r\n"));  // erased before the answers
  CHECK(shown.find("\x1b[K") != shown.rfind("\x1b[K"));
  CHECK(shown.rfind("/s, ") < shown.rfind("\x1b[K"));
  CHECK_FALSE(contains(wmi({"--timeout", "1", file}).errors, "cells, "));
}

// What no file can bring about for certain: work that does not listen. Each in a process of its
// own.

template <class Test>
int in_a_process(Test test) {
  const pid_t child = fork();
  if (child == 0) _exit(test());
  return exit_status(child);
}

TEST_CASE("work that does not stop is left behind") {
  CHECK(in_a_process([] {
          Supervisor supervisor({.time = 50ms, .memory = {}});
          const bool returned = supervisor.run([](std::stop_token) {
            for (;;) pause();
          });
          return !returned && supervisor.reason() == "--timeout" ? 0 : 1;
        }) == 0);
}

TEST_CASE("work that stops when asked comes back") {
  CHECK(in_a_process([] {
          Supervisor supervisor({.time = 50ms, .memory = {}});
          const bool returned = supervisor.run([](std::stop_token stop) {
            while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
          });
          return returned && supervisor.reason() == "--timeout" ? 0 : 1;
        }) == 0);
}

TEST_CASE("work has a large stack") {
  CHECK(in_a_process([] {
          Supervisor supervisor({});
          const bool returned = supervisor.run([](std::stop_token) {
            volatile char deep[std::size_t{100} << 20];
            deep[0] = 1;
            static_cast<void>(deep[0]);
          });
          return returned && supervisor.reason().empty() ? 0 : 1;
        }) == 0);
}

TEST_CASE("memory that grows without end is noticed") {
  CHECK(in_a_process([] {
          Supervisor supervisor({.time = {}, .memory = std::size_t{300} << 20});
          const bool returned = supervisor.run([](std::stop_token stop) {
            std::vector<std::string> held;
            while (!stop.stop_requested()) held.emplace_back(1 << 20, 'x');
          });
          return returned && supervisor.reason() == "--memory" ? 0 : 1;
        }) == 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they bring their own malloc
TEST_CASE("one allocation beyond all limits stops the work instead of the process") {
  CHECK(in_a_process([] {
          Supervisor supervisor({.time = {}, .memory = std::size_t{300} << 20});
          supervisor.run(
              [](std::stop_token) { const std::vector<std::string> held(std::size_t{1} << 36); });
          return supervisor.reason() == "--memory" ? 0 : 1;
        }) == 0);
}
#endif

TEST_CASE("a question that takes too long is given up") {
  CHECK(in_a_process([] {
          const auto prompt = within(10s, [] { return 1; });
          const auto late = within(50ms, [] {
            std::this_thread::sleep_for(60s);
            return 2;
          });
          const auto failing = within(10s, []() -> int { throw std::runtime_error("no"); });
          return prompt == 1 && !late && !failing ? 0 : 1;
        }) == 0);
}

// Lines and reports

TEST_CASE("a line has no control characters and no stray bytes") {
  CHECK(one_line("a\nb\tc\x1b[0m\x7f\xff") == "a\\nb\\tc\\x1b[0m\\x7f\\xff");
  CHECK(one_line("gr\xc3\xbc\xc3\x9f \xe2\x88\xab") == "gr\xc3\xbc\xc3\x9f \xe2\x88\xab");
  CHECK(one_line("\xc2\x9b") == "\\xc2\\x9b");  // a control character of eight bits
  CHECK(printable("a\nb", "\n") == "a\nb");
  const std::string shortened = one_line(std::string(100000, 'a') + "; help");
  CHECK(shortened.size() < 700);
  CHECK(shortened.ends_with("aaa; help"));
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "\xc3\xbc";
  CHECK_FALSE(contains(one_line("a" + accents), "\\x"));
}

Query asking(Query::Kind kind, const std::string& text) {
  Query query{};
  query.kind = kind;
  query.text = text;
  return query;
}

TEST_CASE("an unfinished answer says which bounds are known") {
  const Query query = asking(Query::Kind::wmi, "(get-wmi)");
  const Circumstances timeout{.file = {}, .stopped = "--timeout", .measured = {}};
  Answer answer;
  answer.complete = false;
  CHECK(report(query, answer, {}, timeout) == "(get-wmi): stopped by --timeout; no bound known\n");
  answer.upper = 2;
  CHECK(report(query, answer, {}, timeout) == "(get-wmi): stopped by --timeout; at most 2 = 2\n");
  answer.lower = ratio(2, 3);
  CHECK(report(query, answer, {.json = false, .exact = false, .decimals = 3}, timeout) ==
        "(get-wmi): stopped by --timeout; at least 2/3 = 0.666, at most 2 = 2\n");
  CHECK(report(query, answer, {.json = true, .exact = false, .decimals = 3}, timeout) ==
        R"json({"query":"(get-wmi)","exact":null,"decimal":null,"lower":"0.666","upper":"2",)json"
        R"json("stopped":"timeout","cells":0,"exactWithRespectTo":[]})json"
        "\n");
}

TEST_CASE("an enclosed density says so of both limits") {
  const Query query = asking(Query::Kind::density, "(get-density x :at 1)");
  Answer answer;
  answer.value = Interval(ratio(1, 3), ratio(2, 3));
  answer.left = Interval(1, 2);
  CHECK(
      report(query, answer, {.json = true, .exact = false, .decimals = 2}) ==
      R"json({"query":"(get-density x :at 1)","exact":null,"decimal":"0.5","lower":"0.33",)json"
      R"json("upper":"0.67","left":null,"right":null,"leftLower":"1","leftUpper":"2","cells":0,)json"
      R"json("exactWithRespectTo":[]})json"
      "\n");
  CHECK(remarks(query, answer).size() == 1);
  answer.left = answer.value;
  CHECK(remarks(query, answer).empty());
  CHECK(report(query, answer, {.json = false, .exact = true, .decimals = 2}) == "[1/3, 2/3]\n");
}

TEST_CASE("text that is not UTF-8 does not break JSON") {
  const std::string line =
      report(asking(Query::Kind::echo, "a\xff\x1b"), {}, {.json = true, .exact = false});
  CHECK(Json::parse(line)["echo"] == "a\xef\xbf\xbd\x1b");
}

TEST_CASE("what an answer is exact with respect to is said in both forms") {
  const Query query = asking(Query::Kind::wmi, "(get-wmi)");
  Answer answer;
  answer.value = Interval(1);
  answer.exact_with_respect_to = {"likelihood: triangular instead of Gaussian"};
  CHECK(contains(report(query, answer, {.json = true}),
                 R"json("exactWithRespectTo":["likelihood: triangular instead of Gaussian"])json"));
  CHECK(remarks(query, answer) ==
        std::vector<std::string>{
            "(get-wmi): exact with respect to likelihood: triangular instead of Gaussian"});
}

}  // namespace
}  // namespace wmi::frontends
