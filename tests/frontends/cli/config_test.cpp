#include "frontends/cli/config.h"

#include <doctest/doctest.h>

#include "frontends/wmi/options.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

/// `section.name=value|value` of each setting.
std::string told(std::string_view text) {
  std::string result;
  for (const ConfigEntry& entry : parse_config(text)) {
    result += entry.section.empty() ? "" : entry.section + ".";
    result += entry.name + (entry.boolean ? ":" : "=");
    for (std::size_t i = 0; i < entry.values.size(); ++i)
      result += (i > 0 ? "|" : "") + entry.values[i];
    result += "\n";
  }
  return result;
}

std::string refusal(std::string_view text) {
  try {
    parse_config(text);
  } catch (const Error& error) {
    return std::to_string(error.where().line) + ":" + std::to_string(error.where().column) + ": " +
           error.what();
  }
  return "";
}

std::string usage_error(const std::string& file, std::string_view command) {
  try {
    read_config(file, command);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("JSON and TOML say the same") {
  const std::string said =
      "seed=7\ntrain.target=price\ntrain.hidden=100|50\ntrain.from-best:true\n";
  CHECK(told("{\"seed\": 7, \"train\": {\"target\": \"price\", \"hidden\": [100, 50], "
             "\"from-best\": true}}") == said);
  CHECK(told("seed = 7\n[train]\ntarget = \"price\"\nhidden = [100, 50]\nfrom-best = true\n") ==
        said);
  CHECK(told("seed=7\r\n\r\n[ train ] # the first\r\n'target'='''price'''\r\nhidden = [\r\n 100, # "
             "wide\r\n 50,\r\n]\r\nfrom-best=true") == said);
  CHECK(told("seed = 7\ntrain.target = 'price'\ntrain.\"hidden\" = [100, 50]\ntrain . from-best = "
             "true") == said);
}

TEST_CASE("numbers stay the text that they were, as C writes it") {
  CHECK(told("a = +1_000\nb = -0.50\nc = 1e-6\nd = 0xff\ne = 0b101\nf = 6.02E+23\ng = 0o17") ==
        "a=1000\nb=-0.50\nc=1e-6\nd=255\ne=5\nf=6.02E+23\ng=15\n");
  for (const char* bad :
       {"1__0", "_1",  "1_",  "01",         ".5",       "5.",   "1e",  "0x",    "0xg", "nan",
        "inf",  "--1", "1-2", "2026-11-16", "07:30:00", "True", "yes", "1.2.3", "+",   "0x_1"})
    CHECK_MESSAGE(refusal(std::string("a = ") + bad) ==
                      std::string("1:5: '") + bad + "' is no number, and words stand in quotes",
                  bad);
}

TEST_CASE("the four kinds of strings are read") {
  CHECK(told(R"(a = "x\ty\"\u00e9\U0001F600\\")") == "a=x\ty\"é\U0001F600\\\n");
  CHECK(told(R"(a = 'C:\new')") == "a=C:\\new\n");
  CHECK(told("a = \"\"\"\none\ntwo\"\"\"\"\"") == "a=one\ntwo\"\"\n");
  CHECK(told("a = \"\"\"one \\\n     two\"\"\"") == "a=one two\n");
  CHECK(told("a = '''\nx\\''''") == "a=x\\'\n");
  CHECK(told("a = \"\"") == "a=\n");
  CHECK(told("a = 'no # comment' # comment") == "a=no # comment\n");
}

TEST_CASE("what is wrong is said with its place") {
  CHECK(refusal("a = 1\nb 2") == "2:3: expected '='");
  CHECK(refusal("a = 1 b = 2") == "1:7: expected the end of the line");
  CHECK(refusal("a = \"x") == "1:7: a quote is never closed");
  CHECK(refusal("a = 'x\n'") == "1:7: a quote is never closed");
  CHECK(refusal("a = \"\"\"x\n\n") == "3:1: a quote is never closed");
  CHECK(refusal("a = [1, 2") == "1:10: expected ',' or ']'");
  CHECK(refusal("a = [1, [2]]") == "1:9: a list in a list is no value of a setting");
  CHECK(refusal("a = { b = 1 }") ==
        "1:5: a table in a line: write [COMMAND] above its settings instead");
  CHECK(refusal("[[train]]") == "1:1: a list of tables is no setting");
  CHECK(refusal("[train.deep]") == "1:1: a table in a table: name the command alone");
  CHECK(refusal("[train]\n[train]") == "2:1: the table 'train' is there twice");
  CHECK(refusal("[train]\na = 1\n\n a = 2") == "4:2: 'a' is given twice");
  CHECK(refusal("[train]\na.b = 1") ==
        "2:1: a table in a table: COMMAND.SETTING is as deep as it goes");
  CHECK(refusal("a = ") == "1:5: expected a value: a number, true, false, or a word in quotes");
  CHECK(refusal("= 1") == "1:1: expected the name of a setting");
  CHECK(refusal(R"(a = "\x")").starts_with("1:6: a backslash stands before"));
  CHECK(refusal(R"(a = "\ud800")").starts_with("1:6: this is no character"));
  CHECK(refusal(R"(a = "\u12")").starts_with("1:6: this is no character"));
  CHECK(refusal("a = \"\xff\"") == "1:6: a byte that is not text");
  CHECK(refusal(std::string_view("a = \"\0\"", 7)) == "1:6: a byte that is not text");
  CHECK(refusal("# \x01") == "1:3: a byte that is not text");
  CHECK(refusal("{\"a\": null}") == "1:7: expected a number, a word, true or false");
  CHECK(refusal("{\"a\": {\"b\": {}}}") == "1:13: expected a number, a word, true or false");
  CHECK(refusal("") == "");
}

TEST_CASE("a file has settings for all commands and for one, which win") {
  const TemporaryDirectory directory;
  const std::string file = directory.file(
      "c.toml", "threads = 1\nseed = 3\n[train]\nseed = 4\n[predict]\nintervals = [0.5, 0.9]\n");
  const std::vector<ConfigEntry> train = read_config(file, "train");
  REQUIRE(train.size() == 2);
  CHECK(train[0].values == std::vector<std::string>{"4"});
  CHECK(train[1].name == "threads");
  CHECK(read_config(file, "predict").size() == 3);
  CHECK(usage_error(directory.file("d.toml", "x = 1\n[trian]\nseed = 4\n"), "train") ==
        directory.path("d.toml") + ":3:1: there is no command 'trian'");
  CHECK(usage_error(directory.path("none.toml"), "train").starts_with(directory.path("none.toml")));
}

TEST_CASE("a query is configured like everything else") {
  const TemporaryDirectory directory;
  const std::vector<ManualOption> known = {
      {"--input", "NUMBERS", ""}, {"--unknown", "NAME=LAW", ""}, {"--json", "", ""},
      {"--stats", "", ""},        {"--digits", "N", ""},         {"--config", "FILE", ""},
      {"--print-config", "", ""}};
  const std::string file = directory.file(
      "q.toml",
      "arguments = ['net']\ninput = [1, 0.5]\nunknown = ['a=[0,1]', 'b=[1,2]']\ndigits = 3\n"
      "json = true\nstats = false\n");
  const std::vector<std::string> found =
      with_config({"--config", file, "--digits", "9"}, "query", known);
  CHECK(found == std::vector<std::string>{"--input=1,0.5", "--unknown=a=[0,1]", "--unknown=b=[1,2]",
                                          "--json", "--digits=9", "--", "net"});
  // What is printed says the same when it is read.
  const std::string printed = directory.file("printed.json", config_json(found, known));
  CHECK(with_config({"--config=" + printed}, "query", known) == found);
  CHECK(with_config({"--digits", "9", "net"}, "query", known) ==
        std::vector<std::string>{"--digits", "9", "net"});
  const auto refused = [&](const std::string& text) {
    const std::string bad = directory.file("bad", text);
    try {
      with_config({"--config", bad}, "query", known);
    } catch (const UsageError& error) {
      return std::string(error.what()).substr(bad.size());
    }
    return std::string();
  };
  CHECK(refused("\nepochs = 3") == ":2:1: no setting 'epochs'; see --help");
  CHECK(refused("json = 1") == ":1:1: 'json' is true or false");
  CHECK(refused("digits = true") == ":1:1: 'digits' needs a value");
}

}  // namespace
}  // namespace wmi::frontends
