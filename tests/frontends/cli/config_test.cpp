#include "frontends/cli/config.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
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
  constexpr std::string_view sections[] = {"train", "predict"};
  try {
    read_config(file, command, sections);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("JSON and TOML have the same settings") {
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
  CHECK(told("a = +1_0.5_0 # ten\n\"\u00e9\" = 'é' \nb = [ 0.10,\n 2.50]") ==
        "a=10.50\né=é\nb=0.10|2.50\n");
  CHECK(told("'éé' = [0.10, 'é', 0.20]") == "éé=0.10|é|0.20\n");  // columns are not bytes
  for (const char* bad : {"1__0", "_1", "1_", "01", ".5", "5.", "1e", "0x", "0xg", "--1", "1-2",
                          "True", "yes", "1.2.3", "+", "0x_1", "18446744073709551616"}) {
    CAPTURE(bad);
    CHECK(refusal(std::string("a = ") + bad).starts_with("1:"));
  }
  for (const char* bad : {"nan", "inf", "-inf", "2026-11-16", "07:30:00"})
    CHECK_MESSAGE(refusal(std::string("a = ") + bad) ==
                      "1:5: expected a number, true, false, or a word in quotes",
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

TEST_CASE("errors have a location") {
  CHECK(refusal("a = 1\nb 2") == "2:3: while parsing key-value pair: expected '=', saw '2'");
  CHECK(refusal("a = 1 b = 2") ==
        "1:7: while parsing key-value pair: expected a comment or whitespace, saw 'b'");
  CHECK(refusal("a = \"x") == "1:7: while parsing string: encountered end-of-file");
  CHECK(refusal("a = 'x\n'").starts_with("1:7: while parsing literal string: "));
  CHECK(refusal("a = \"\"\"x\n\n").starts_with("2:"));
  CHECK(refusal("a = [1, 2") == "1:10: while parsing array: encountered end-of-file");
  CHECK(refusal("a = [1, [2]]") == "1:9: a list in a list is no value of a setting");
  CHECK(refusal("a = { b = 1 }") ==
        "1:5: a table in a line: write [COMMAND] above its settings instead");
  CHECK(refusal("[[train]]") == "1:1: a list of tables is no setting");
  CHECK(refusal(R"(a = "x\u0000y")") == R"(1:5: the character \u0000 is not text)");
  CHECK(refusal("[train.deep]") == "1:1: a table in a table: name the command alone");
  CHECK(refusal("[train]\n[train]") ==
        "2:1: while parsing table header: cannot redefine existing table 'train'");
  CHECK(refusal("[train]\na = 1\n\n a = 2").starts_with("4:"));
  CHECK(refusal("[train]\na.b = 1") == "2:1: a table in a table: name the command alone");
  CHECK(refusal("a = ").starts_with("1:5: "));
  CHECK(refusal("= 1").starts_with("1:1: "));
  CHECK(refusal(R"(a = "\x")").starts_with("1:7: while parsing string: escape sequence '\\x'"));
  CHECK(refusal(R"(a = "\ud800")").starts_with("1:"));
  CHECK(refusal(R"(a = "\u12")").starts_with("1:"));
  CHECK(refusal("a = 1\nb = \"\xff\"").starts_with("2:"));
  CHECK(refusal(std::string_view("a = \"\0\"", 7)).starts_with("1:"));
  CHECK(refusal("# \x01").starts_with("1:3: while parsing comment: "));
  CHECK(refusal("{\"a\": 1,\n \"a\": 2}") != "");
  CHECK(refusal("{\"a\": null}") == "1:7: expected a number, a word, true or false");
  CHECK(refusal("{\"a\": {\"b\": {}}}") == "1:13: expected a number, a word, true or false");
  CHECK(refusal("") == "");
}

TEST_CASE("deeply nested text does not exhaust the stack") {
  const auto repeated = [](const std::string& text) {
    std::string result;
    for (int i = 0; i < 200'000; ++i) result += text;
    return result;
  };
  CHECK(refusal("a = 1\n" + repeated("a.") + "a = 1") == "2:1: a key has too many parts");
  CHECK(refusal("[" + repeated("a.") + "a]") == "1:1: a key has too many parts");
  CHECK(refusal("x = '''\n\"'''\n" + repeated("\"=\\\"\" . ") + "a = 1") ==
        "3:1: a key has too many parts");
  CHECK(refusal("a = " + repeated("[")).starts_with("1:"));
  CHECK(refusal("a = " + repeated("{a=")).starts_with("1:"));
  CHECK(refusal("{\"a\":" + repeated("[")).starts_with("1:"));
  // Dots elsewhere do not count.
  CHECK(refusal("# " + repeated(".") + "\na = '" + repeated(".") + "'\nb = [" + repeated("0.5, ") +
                "]") == "");
}

TEST_CASE("settings for one command override those for all") {
  const TemporaryDirectory directory;
  const std::string file = directory.file(
      "c.toml", "threads = 1\nseed = 3\n[train]\nseed = 4\n[predict]\nintervals = [0.5, 0.9]\n");
  const std::vector<ConfigEntry> train = read_config(file, "train");
  REQUIRE(train.size() == 2);
  CHECK(train[0].values == std::vector<std::string>{"4"});
  CHECK(train[1].name == "threads");
  CHECK(read_config(file, "predict").size() == 3);
  CHECK(usage_error(directory.file("d.toml", "x = 1\n[trian]\nseed = 4\n"), "train") ==
        directory.path("d.toml") + ":3:1: there is no command 'trian'; did you mean 'train'?");
  CHECK(usage_error(directory.file("e.toml", "[everything]\nseed = 4\n"), "train") ==
        directory.path("e.toml") + ":2:1: there is no command 'everything'");
  CHECK(usage_error(directory.path("none.toml"), "train").starts_with(directory.path("none.toml")));
}

TEST_CASE("a value that both languages take for a number is written without quotes") {
  for (const char* number : {"0", "-1", "0.50", "1e-6", "6.02E+23", "9223372036854775807"})
    CHECK(config_value(number) == number);
  for (const char* text : {"", "+1", "01", ".5", "5.", "1_0", "nan", "0x1", "18446744073709551615",
                           "1e999", "yes", "1 2", "-"})
    CHECK(config_value(text) == "\"" + std::string(text) + "\"");
}

}  // namespace
}  // namespace wmi::frontends
