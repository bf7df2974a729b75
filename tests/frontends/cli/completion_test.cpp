#include "frontends/cli/completion.h"

#include <doctest/doctest.h>

#include "tests/frontends/cli/hostile_command.h"
#include "tests/frontends/program.h"
#include "tests/process.h"
#include "tests/skipped.h"

namespace wmi::frontends {
namespace {

/// What bash offers for the last of these words, sorted.
std::string offered(const std::string& script, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " " + quoted(word);
  const Finished shell = ::run(
      "bash --norc -uc " + quoted("source " + quoted(script) + "; COMP_WORDS=(" + line +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                                  "_ciber_completion; printf '%s\\n' \"${COMPREPLY[@]}\" | sort"));
  CHECK(shell.exit == 0);
  CHECK(shell.errors == "");
  return shell.output;
}

}  // namespace

TEST_CASE("bash completes commands, options, choices and files") {
  const TemporaryDirectory directory;
  const std::string script =
      directory.file("completion", completion("bash", commands_with_a_hostile_one()));
  CHECK(offered(script, {"ciber", "q"}) == "query\n");
  CHECK(offered(script, {"ciber", "--v"}) == "--version\n");
  CHECK(offered(script, {"/usr/bin/ciber", "query", "--unk"}) == "--unknown\n");
  CHECK(offered(script, {"ciber", "query", "x", "--qua"}) == "--quantile\n");
  CHECK(offered(script, {"ciber", "query", "--enumerator", ""}) == "exact-split\nsplit\nz3\n");
  CHECK(offered(script, {"wmi", "--enumerator", "z"}) == "z3\n");
  CHECK(offered(script, {"wmi", "--enumerator", "=", "s"}) == "split\n");
  CHECK(offered(script, {"wmi", "--enumerator", "="}) == "exact-split\nsplit\nz3\n");
  CHECK(offered(script, {"wmi", "--unk"}) == "\n");  // an option of query only
  CHECK(offered(script, {"ciber", "completion", ""}) == "bash\nfish\nzsh\n");
  CHECK(contains(offered(script, {"ciber", "man", ""}), "query\n"));
  CHECK(offered(script, {"ciber", "try", "--mode", ""}) == "fast\nslow\n");
  CHECK(offered(script, {"ciber", "try", "--q"}) == "--quiet\n");
  directory.file("a file.smt2", "");
  CHECK(offered(script, {"wmi", directory.path("a f")}) == directory.path("a file.smt2") + "\n");
  CHECK(offered(script, {"wmi", "--plot", directory.path("a f")}) ==
        directory.path("a file.smt2") + "\n");
}

TEST_CASE("fish completes commands, options and choices") {
  if (!installed("fish")) return;
  const TemporaryDirectory directory;
  const std::string script =
      directory.file("completion", completion("fish", commands_with_a_hostile_one()));
  const auto offers = [&](const std::string& line) {
    const Finished shell = ::run("HOME=" + quoted(directory.path("")) + " fish -N -c " +
                                 quoted("source " + script + "; complete -C '" + line + "'"));
    CHECK(shell.errors == "");
    return shell.output;
  };
  CHECK(offers("ciber que") == "query\tanswers questions about a partly unknown network\n");
  CHECK(offers("ciber try --q") == "--quiet\tsays \"nothing\"\n");
  CHECK(contains(offers("ciber try --mode "), "slow"));
  CHECK(contains(offers("wmi --enumerator "), "split"));
  CHECK(contains(offers("ciber try --la"), "one of 'a[0]=[-1,1]': $(false) \\n"));
}

TEST_CASE("zsh reads its completion") {
  if (!installed("zsh")) return;
  const TemporaryDirectory directory;
  const std::string script =
      directory.file("completion", completion("zsh", commands_with_a_hostile_one()));
  const Finished shell =
      ::run("zsh -f -c " + quoted("autoload -U compinit; compinit -D -u; source " + script +
                                  "; print $_comps[ciber]"));
  CHECK(shell.errors == "");
  CHECK(shell.output == "_ciber_completion\n");
}

}  // namespace wmi::frontends
