#include "frontends/cli/manual.h"

#include <doctest/doctest.h>

#include "frontends/ciber/pages.h"
#include "frontends/wmi/options.h"
#include "tests/frontends/program.h"
#include "tests/process.h"
#include "tests/skipped.h"

namespace wmi::frontends {
namespace {

bool installed(const std::string& tool) {
  const bool found = run("command -v " + tool).exit == 0;
  if (!found) skipped("no " + tool);
  return found;
}

/// A page with all that could upset a shell or roff.
ManualPage hostile() {
  return {.name = "ciber try",
          .summary = "it's [odd]: 100% of `this` $HOME",
          .usage = "FILE",
          .description = ".TH is no macro here\n'nor this\nback\\slash -- and ~ ^",
          .options = {{"--law", "LAW", "one of 'a[0]=[-1,1]': $(false) \\n"},
                      {"--mode", "NAME", "how", {"slow", "fast"}},
                      {"--quiet", "", "says \"nothing\""}},
          .examples = "ciber try 'a b' \\\n  --quiet\n"};
}

std::vector<ManualPage> pages_with_a_hostile_one() {
  std::vector<ManualPage> pages = all_pages({});
  pages.push_back(hostile());
  return pages;
}

/// What bash offers for the last of these words, sorted.
std::string offered(const std::string& script, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " " + quoted(word);
  const Finished shell = run(
      "bash --norc -uc " + quoted("source " + quoted(script) + "; COMP_WORDS=(" + line +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                                  "_ciber_completion; printf '%s\\n' \"${COMPREPLY[@]}\" | sort"));
  CHECK(shell.exit == 0);
  CHECK(shell.errors == "");
  return shell.output;
}

}  // namespace

TEST_CASE("manual pages are free of complaints from groff") {
  if (!installed("groff")) return;
  const TemporaryDirectory directory;
  const std::vector<ManualPage> pages = pages_with_a_hostile_one();
  for (const ManualPage& page : pages) {
    CAPTURE(page.name);
    const std::string file = directory.file("page.1", roff(page, pages));
    const Finished linted = run("groff -man -Tutf8 -ww -z " + quoted(file));
    CHECK(linted.exit == 0);
    CHECK(linted.errors == "");
  }
}

TEST_CASE("a manual page shows the words that it was given") {
  if (!installed("groff")) return;
  const TemporaryDirectory directory;
  const std::string file = directory.file("page.1", roff(hostile(), {}));
  const std::string shown = run("groff -man -Tascii -P-cbou " + quoted(file)).output;
  CHECK(contains(shown, ".TH is no macro here"));
  CHECK(contains(shown, "'nor this"));
  CHECK(contains(shown, "back\\slash -- and ~ ^"));
  CHECK(contains(shown, "--law LAW"));
  CHECK(contains(shown, "one of 'a[0]=[-1,1]': $(false) \\n"));
  CHECK(contains(shown, "ciber try 'a b' \\\n"));
}

TEST_CASE("every option of wmi's help is on its page, and on that of query") {
  const std::string help = wmi({"--help"}).output;
  const std::vector<ManualPage> pages = all_pages({});
  std::size_t found = 0;
  for (const ManualOption& option : option_table()) {
    CAPTURE(option.name);
    CHECK(contains(help, "  " + option.name));
    CHECK(contains(roff(pages[0], pages), "\n.B \\-\\-" + option.name.substr(2, 3)));
    ++found;
  }
  CHECK(lines(help) > found);
  CHECK(found > 15);
  const ManualPage& query = *std::ranges::find(pages, "ciber query", &ManualPage::name);
  for (const char* name : {"--unknown", "--quantile", "--json", "--digits"})
    CHECK(std::ranges::find(query.options, name, &ManualOption::name) != query.options.end());
}

TEST_CASE("bash completes commands, options, choices and files") {
  const TemporaryDirectory directory;
  const std::string script =
      directory.file("completion", completion("bash", pages_with_a_hostile_one()));
  CHECK(offered(script, {"ciber", "q"}) == "query\n");
  CHECK(offered(script, {"ciber", "--v"}) == "--version\n");
  CHECK(offered(script, {"/usr/bin/ciber", "query", "--unk"}) == "--unknown\n");
  CHECK(offered(script, {"ciber", "query", "x", "--qua"}) == "--quantile\n");
  CHECK(offered(script, {"ciber", "query", "--enumerator", ""}) == "split\nz3\n");
  CHECK(offered(script, {"wmi", "--enumerator", "z"}) == "z3\n");
  CHECK(offered(script, {"wmi", "--enumerator", "=", "s"}) == "split\n");
  CHECK(offered(script, {"wmi", "--enumerator", "="}) == "split\nz3\n");
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
      directory.file("completion", completion("fish", pages_with_a_hostile_one()));
  const auto offers = [&](const std::string& line) {
    const Finished shell = run("HOME=" + quoted(directory.path("")) + " fish -N -c " +
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
      directory.file("completion", completion("zsh", pages_with_a_hostile_one()));
  const Finished shell = run("zsh -f -c " + quoted("autoload -U compinit; compinit -D -u; source " +
                                                   script + "; print $_comps[ciber]"));
  CHECK(shell.errors == "");
  CHECK(shell.output == "_ciber_completion\n");
}

TEST_CASE("a shell that is not known is refused, and so is a page") {
  const Finished shell = ciber("completion tcsh");
  CHECK(shell.exit == 2);
  CHECK(shell.errors == "ciber: completion: name a shell: bash, zsh or fish\n");
  const Finished page = ciber("man nonsense");
  CHECK(page.exit == 2);
  CHECK(contains(page.errors, "no page about 'nonsense'; choose wmi, ciber, "));
  const Finished query = ciber("man query");
  CHECK(query.exit == 0);
  CHECK(query.output.starts_with(".TH CIBER-QUERY 1 "));
}

TEST_CASE("--write puts pages and completions where an installation looks for them") {
  const TemporaryDirectory directory;
  CHECK(ciber("man --write " + (directory / "share")).exit == 0);
  CHECK(contains(contents(directory.path("share/man/man1/ciber-query.1")), "unknown"));
  CHECK(contains(contents(directory.path("share/bash-completion/completions/wmi")), "complete"));
  CHECK(contents(directory.path("share/zsh/site-functions/_ciber")).starts_with("#compdef "));
  CHECK(fs::exists(directory.path("share/fish/vendor_completions.d/ciber.fish")));
  const Finished nowhere = ciber("man --write /dev/null/share");
  CHECK(nowhere.exit == 1);
  CHECK(contains(nowhere.errors, "/dev/null/share"));
}

}  // namespace wmi::frontends
