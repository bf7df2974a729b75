#include "frontends/cli/manual.h"

#include <doctest/doctest.h>

#include "frontends/ciber/pages.h"
#include "frontends/wmi/options.h"
#include "tests/frontends/cli/hostile_command.h"
#include "tests/frontends/program.h"
#include "tests/process.h"
#include "tests/skipped.h"

namespace wmi::frontends {
namespace {}  // namespace

TEST_CASE("groff formats manual pages without warnings") {
  if (!installed("groff")) return;
  const TemporaryDirectory directory;
  const std::vector<Command> commands = commands_with_a_hostile_one();
  for (const Command& command : commands) {
    CAPTURE(command.name);
    const std::string file = directory.file("page.1", manual_page(command, commands));
    const Finished linted = ::run("groff -man -Tutf8 -ww -z " + quoted(file));
    CHECK(linted.exit == 0);
    CHECK(linted.errors == "");
  }
}

TEST_CASE("a manual page shows its texts literally") {
  if (!installed("groff")) return;
  const TemporaryDirectory directory;
  const std::string file = directory.file("page.1", manual_page(hostile(), {}));
  const std::string shown = ::run("groff -man -Tascii -P-cbou " + quoted(file)).output;
  CHECK(contains(shown, ".TH is no macro here"));
  CHECK(contains(shown, "'nor this"));
  CHECK(contains(shown, "back\\slash -- and ~ ^"));
  CHECK(contains(shown, "--law LAW"));
  CHECK(contains(shown, "one of 'a[0]=[-1,1]': $(false) \\n"));
  CHECK(contains(shown, "ciber try 'a b' \\\n"));
}

TEST_CASE("every option of wmi is in its help and on its page, and on that of query") {
  const std::string help = wmi({"--help"}).output;
  const std::vector<Command> commands = all_commands();
  const std::string page = manual_page(commands[0], commands);
  for (const Setting& setting : all_settings(commands[0])) {
    CAPTURE(setting.name);
    CHECK(contains(help, "\n  --" + std::string(setting.name)));
    CHECK(contains(page, "\n.B \\-\\-" + std::string(setting.name.substr(0, 3))));
  }
  CHECK(wmi_settings().size() > 15);
  const Command& query = *std::ranges::find(commands, "query", &Command::name);
  for (const char* name : {"unknown", "quantile", "json", "digits", "config"})
    CHECK(find(all_settings(query), name) != nullptr);
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
