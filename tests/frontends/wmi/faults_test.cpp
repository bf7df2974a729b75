// Killed while it writes, a full disk, a directory that cannot be written to, a closed pipe: the
// old file or the new one is there, never half of one; one line says why; the exit status is right.

#include <doctest/doctest.h>

#include "tests/frontends/fault_injection.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

/// What a program writes to a file, and how it is asked to.
struct Output {
  std::string program;
  std::vector<std::string> arguments;  // OUT stands for the file
  std::string name;                    // of the file
};

/// With many pieces, so that what is written of it is long.
std::string problem() {
  std::string text =
      "(declare-const x Real) (declare-const y Real)\n"
      "(assert (and (<= 0 x 1) (<= 0 y 1)))\n";
  for (int i = 1; i < 8; ++i)
    text += "(weight (< (+ x (* " + std::to_string(i) + " y)) " + std::to_string(i) + ") 2)\n";
  return text + "(get-wmi)\n(get-distribution (+ x y))\n";
}

std::string network() { return (source_directory() / "docs/examples/net.safetensors").string(); }

std::vector<Output> outputs(const std::string& file) {
  return {
      {"wmi", {"--certificate", "OUT", file}, "proof"},
      {"wmi", {"--plot", "OUT", file}, "law.svg"},
      {"wmi", {"--write-smtlib", "OUT", file}, "written.smt2"},
      {"ciber",
       {"encode", network(), "--unknown", "fc1.bias[2]=[-1,1]", "--input", "1,0.5", "--out", "OUT"},
       "encoded.smt2"}};
}

std::vector<std::string> placed(const Output& output, const std::string& place) {
  std::vector<std::string> result = output.arguments;
  result.push_back("--overwrite");
  for (std::string& word : result)
    if (word == "OUT") word = place;
  return result;
}

/// One line that names the file.
void check_complaint(const Finished& found, const Output& output, const std::string& why) {
  CAPTURE(found.errors);
  CHECK(found.exit == 1);
  CHECK(lines(found.errors) == 1);
  CHECK(found.errors.starts_with(output.program + ": "));
  CHECK(contains(found.errors, why));
}

TEST_CASE("killed at any byte, a program leaves the old file or the new one") {
  const TemporaryDirectory inputs;
  for (const Output& output : outputs(inputs.file("problem.smt2", problem()))) {
    CAPTURE(output.name);
    const TemporaryDirectory directory;
    const std::string place = directory.path(output.name);
    const std::vector<std::string> arguments = placed(output, place);
    REQUIRE(run_program(output.program, arguments).exit == 0);
    const std::string whole = contents(place);
    REQUIRE(whole.size() > 100);
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1, whole.size()}) {
      CAPTURE(bytes);
      fs::remove(place);
      const bool enough = bytes == whole.size();
      CHECK(run_program(output.program, arguments, killed_at(bytes)).exit ==
            (enough ? 0 : 128 + SIGXFSZ));
      CHECK(names_in(directory.path("")) ==
            (enough ? std::vector{output.name} : std::vector<std::string>()));
      directory.file(output.name, "the old one");
      run_program(output.program, arguments, killed_at(bytes));
      CHECK(contents(place) == (enough ? whole : "the old one"));
      CHECK(names_in(directory.path("")) == std::vector{output.name});
    }
  }
}

TEST_CASE("on a full disk the old file stays, and one line says why") {
  const TemporaryDirectory inputs;
  for (const Output& output : outputs(inputs.file("problem.smt2", problem()))) {
    CAPTURE(output.name);
    const TemporaryDirectory directory;
    const std::string place = directory.file(output.name, "the old one");
    for (const std::size_t bytes : {0, 100}) {
      check_complaint(run_program(output.program, placed(output, place), full_at(bytes)), output,
                      place + ": File too large");
      CHECK(contents(place) == "the old one");
      CHECK(names_in(directory.path("")) == std::vector{output.name});
    }
    if (output.name.ends_with(".svg")) continue;  // a picture must have such a name
    check_complaint(run_program(output.program, placed(output, "/dev/full")), output,
                    "/dev/full: No space left on device");
  }
}

TEST_CASE("where nothing can be written, one line says why, and existing files stay") {
  const TemporaryDirectory inputs;
  for (const Output& output : outputs(inputs.file("problem.smt2", problem()))) {
    CAPTURE(output.name);
    const TemporaryDirectory directory;
    const std::string place = directory.file(output.name, "the old one");
    {
      const ReadOnly locked(directory.path(""));
      check_complaint(run_program(output.program, placed(output, place), obey_permissions), output,
                      place + ": Permission denied");
    }
    CHECK(contents(place) == "the old one");
    const std::string within_file = place + "/" + output.name;
    check_complaint(run_program(output.program, placed(output, within_file)), output,
                    within_file + ": Not a directory");
    const std::string nowhere = directory.path("nowhere/" + output.name);
    check_complaint(run_program(output.program, placed(output, nowhere)), output,
                    nowhere + ": No such file or directory");
    fs::create_directory(directory.path("folder.svg"));
    check_complaint(run_program(output.program, placed(output, directory.path("folder.svg"))),
                    output, "folder.svg: Is a directory");
    CHECK(names_in(directory.path("folder.svg")).empty());
    CHECK(names_in(directory.path("")).size() == 2);
  }
}

TEST_CASE("the file that a link names is written, and keeps its permissions") {
  const TemporaryDirectory inputs, directory;
  const std::string real = directory.file("real.smt2", "the old one");
  chmod(real.c_str(), 0640);
  fs::create_symlink(real, directory.path("link.smt2"));
  CHECK(run_program("wmi", {"--overwrite", "--write-smtlib", directory.path("link.smt2"),
                            inputs.file("problem.smt2", problem())})
            .exit == 0);
  CHECK(fs::is_symlink(directory.path("link.smt2")));
  CHECK(contains(contents(real), "(declare-const x Real)"));
  struct stat status {};
  stat(real.c_str(), &status);
  CHECK((status.st_mode & 0777U) == 0640);
}

/// What each program prints, given a problem and its certificate.
std::vector<std::pair<std::string, std::vector<std::string>>> printing(const std::string& file,
                                                                       const std::string& proof) {
  return {{"wmi", {file}},
          {"wmi", {"--help"}},
          {"wmi", {"--write-smtlib", "-", file}},
          {"wmi-check", {file, proof}},
          {"wmi-check", {"--help"}},
          {"ciber", {"query", network(), "--unknown", "fc1.bias[2]=[-1,1]", "--input", "1,0.5"}},
          {"ciber", {"--help"}},
          {"wmi-fuzz", {"1"}},
          {"wmi-fuzz", {"--help"}}};
}

TEST_CASE("a closed pipe ends the output silently, and one that cannot be written is an error") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("problem.smt2", problem());
  const std::string proof = directory.path("proof");
  REQUIRE(run_program("wmi", {"--certificate", proof, file}).exit == 0);
  for (const auto& [program, arguments] : printing(file, proof)) {
    CAPTURE(program);
    CAPTURE(arguments[0]);
    const auto instead = [](int descriptor) {
      return [descriptor] { dup2(descriptor, STDOUT_FILENO); };
    };
    // As in `wmi FILE | head -0`.
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    const Finished unread = run_program(program, arguments, instead(ends[1]));
    CHECK(unread.exit == 128 + SIGPIPE);
    CHECK(unread.errors.empty());
    // The same for who ignores the signal, as some parents have it.
    const Finished ignoring = run_program(program, arguments, [&] {
      dup2(ends[1], STDOUT_FILENO);
      ::signal(SIGPIPE, SIG_IGN);
    });
    CHECK(ignoring.exit == 1);
    CHECK(lines(ignoring.errors) == 1);
    close(ends[1]);

    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    const Finished on_full = run_program(program, arguments, instead(full));
    close(full);
    CHECK(on_full.exit == 1);
    CHECK(on_full.errors.starts_with(program + ": cannot write to standard output"));
    CHECK(lines(on_full.errors) == 1);

    const Finished closed = run_program(program, arguments, [] { close(STDOUT_FILENO); });
    CHECK(closed.exit == 1);
    CHECK(closed.errors.starts_with(program + ": cannot write to standard output"));
  }
}

TEST_CASE("a file that cannot be read leaves no certificate") {
  const TemporaryDirectory directory;
  const std::string file = directory.file("problem.smt2", "(get-wmi");
  const Finished found = run_program("wmi", {"--certificate", directory.path("proof"), file});
  CHECK(found.exit == 1);
  CHECK(names_in(directory.path("")) == std::vector<std::string>{"problem.smt2"});
}

}  // namespace
}  // namespace wmi::frontends
