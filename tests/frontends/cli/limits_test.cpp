// Time, memory and signals: what is known is printed, whatever the work does.

#include "frontends/cli/limits.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/frontends/json_lines.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

using namespace std::chrono_literals;

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

TEST_CASE("at --timeout, each query is answered with the bounds known so far") {
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

TEST_CASE("--memory stops the work") {
  const Finished found = wmi_reads(endless(), {"--memory", "1", "--json"});
  CHECK(found.exit == 3);
  CHECK(found.seconds < 20);
  CHECK(contains(found.errors, "wmi: stopped by --memory after "));
}

TEST_CASE("at a signal, the bounds known so far are printed") {
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
    become(program_path("wmi"), arguments);
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
  const TemporaryDirectory directory;
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

TEST_CASE("work that does not stop is abandoned") {
  CHECK(in_a_process([] {
          Supervisor supervisor({.time = 50ms, .memory = {}});
          const bool returned = supervisor.run([](std::stop_token) {
            for (;;) pause();
          });
          return !returned && supervisor.reason() == "--timeout" ? 0 : 1;
        }) == 0);
}

TEST_CASE("work that stops when asked has returned") {
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

TEST_CASE("memory that grows beyond the limit stops the work") {
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

TEST_CASE("a function that takes too long is abandoned") {
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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// The largest resident size of a program, in bytes, and its exit status.
std::pair<std::size_t, int> peak_of(const std::string& program,
                                    const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    become(program_path(program), arguments);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {static_cast<std::size_t>(usage.ru_maxrss) << 10, WEXITSTATUS(status)};
}

/// A sum of so many reals of [0, 1] that is below 3, and a power of another sum as its weight.
std::string heavy(int reals, int power, const std::string& query) {
  std::string text, plain, scaled;
  for (int i = 0; i < reals; ++i) {
    const std::string x = "x" + std::to_string(i);
    text += "(declare-const " + x + " Real) (assert (<= 0 " + x + " 1))\n";
    plain += " " + x;
    scaled += " (* " + std::to_string(i + 2) + " " + x + ")";
  }
  return text + "(assert (< (+" + plain + ") 3))\n(weight true (^ (+ 1" + scaled + ") " +
         std::to_string(power) + "))\n" + query + "\n";
}

TEST_CASE("the resident size stays below 1.2 times --memory and 20 MB") {
  const TemporaryDirectory directory;
  const std::string power = directory.file("power.smt2", heavy(10, 9, "(get-wmi)"));
  const std::string variance = directory.file("variance.smt2", heavy(8, 10, "(get-variance x0)"));
  struct Case {
    std::size_t megabytes;
    std::vector<std::string> arguments;
  };
  for (const auto& [megabytes, arguments] :
       {Case{100, {power}}, Case{60, {"--threads", "2", power}},
        Case{200, {"--digits", "10", "--threads", "2", variance}},
        Case{100, {"--enumerator", "z3", power}}, Case{150, {"--integrator", "mpfr", power}}}) {
    CAPTURE(megabytes);
    std::vector<std::string> words{"--memory", std::to_string(megabytes)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const auto [peak, status] = peak_of("wmi", words);
    CHECK(status == 3);
    CHECK(peak <= (megabytes << 20) * 6 / 5 + (std::size_t{20} << 20));
  }
}
#endif

}  // namespace
}  // namespace wmi::frontends
