#include "frontends/cli/command.h"

#include <doctest/doctest.h>

#include "frontends/ciber/pages.h"
#include "tests/frontends/program.h"
#include "tests/process.h"

namespace wmi::frontends {
namespace {

constexpr Setting settings[] = {
    {"count", "N", "3", "how many", kind::Count{1, 9}},
    {"law", "LAW", "",
     "words that go on and on until they reach the end of the line, which is where the next one\n"
     "starts"},
    {"json", "", "", "as JSON"},
    {"threads", "N", "", "of the other program", kind::Text{}, Repeat::last_wins, "other"},
};

Command command() {
  return {.name = "try",
          .usage = "FILE",
          .description = "Tries.",
          .settings = settings,
          .examples = "  ciber try x\n",
          .notes = "More is there.\n"};
}

}  // namespace

TEST_CASE("help has two columns, the command's own options and those of every command") {
  CHECK(
      help(command()) ==
      "usage: ciber try FILE\n"
      "Tries.\n"
      "  --count N       how many (default: 3)\n"
      "  --law LAW       words that go on and on until they reach the end of the line, which is "
      "where the\n"
      "                  next one\n"
      "                  starts\n"
      "  --json          as JSON\n"
      "  --cap NAME=N    what may be larger than usual in a file, such as cells=50000000; several "
      "with\n"
      "                  commas between (docs/language.md)\n"
      "  --print-config  print all settings as the JSON that --config FILE reads, and stop\n"
      "  --print-toml    the same as TOML, each setting below what it means\n"
      "  --config FILE   settings in TOML or JSON; the command line wins\n"
      "More is there.\n"
      "Examples:\n"
      "  ciber try x\n");
}

TEST_CASE("names of settings are not used twice, and defaults are of their kind") {
  for (const Command& each : all_commands()) {
    CAPTURE(each.name);
    const std::vector<Setting> table = all_settings(each);
    for (const Setting& setting : table) {
      CAPTURE(setting.name);
      CHECK(find(table, setting.name) == &setting);
      if (!setting.standard.empty())
        CHECK(!mistake(setting, std::string(setting.standard)).has_value());
    }
  }
}

TEST_CASE("wmi is configured by a file too, and prints its settings") {
  const TemporaryDirectory directory;
  const std::string problem =
      directory.file("p.smt2", "(declare-const x Real)(assert (<= 0 x 1))(get-wmi)");
  const std::string file = directory.file(
      "wmi.toml", "arguments = ['" + problem + "']\n[wmi]\njson = true\nenumerator = 'z3'\n");
  const Finished answered = wmi({"--config", file});
  CHECK(answered.exit == 0);
  CHECK(answered.output.starts_with("{\"query\":\"(get-wmi)\""));
  const Finished printed = wmi({"--config", file, "--print-config"});
  CHECK(contains(printed.output, "\"enumerator\": \"z3\""));
  CHECK(contains(printed.output, "\"json\": true"));
  CHECK(wmi({"--config", directory.file("printed.json", printed.output)}).output ==
        answered.output);
  CHECK(contains(wmi({"--print-toml"}).output, "\nenumerator = \"split\"\n"));
  CHECK(wmi({"--config", directory.file("bad.toml", "[query]\njson = true\n")}).exit == 2);
}

TEST_CASE("the settings of a query are printed and read back, questions in their order") {
  const TemporaryDirectory directory;
  const Finished printed =
      ciber("query net --density 1 --mean --density 2 --given 'out[0] > 0' --print-config");
  CHECK(printed.exit == 0);
  CHECK(contains(printed.output, "\"given\": \"out[0] > 0\""));
  CHECK(contains(printed.output, "\"density\": [1, 2],\n  \"mean\": true\n}"));
  const std::string file = directory.file("q.json", printed.output);
  CHECK(ciber("query --print-config --config " + quoted(file)).output == printed.output);
}

TEST_CASE("a misspelt command, option or section is answered with a suggestion") {
  CHECK(ciber("qery").errors == "ciber: no command 'qery'; did you mean 'query'?\n");
  CHECK(ciber("nonsense").errors == "ciber: no command 'nonsense'; see ciber --help\n");
  CHECK(ciber("--verson").errors ==
        "ciber: --verson: 'ciber' has no such option; did you mean --version?\n");
  CHECK(ciber("query --qantile 1").errors ==
        "ciber: --qantile: 'ciber query' has no such option; did you mean --quantile?\n");
  CHECK(ciber("query --jsn x").errors ==
        "ciber: --jsn: 'ciber query' has no such option; did you mean --json?\n");
  CHECK(ciber("man --wrte x").exit == 2);
}

}  // namespace wmi::frontends
