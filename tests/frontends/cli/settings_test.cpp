#include "frontends/cli/settings.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "tests/temporary_directory.h"

using namespace wmi::frontends;

namespace {

constexpr Setting table[] = {
    {"epochs", "N", "300", "how often all rows are seen", kind::Count{1, 1000}},
    {"hidden", "N,N", "50", "units of the hidden layers", kind::Counts{}},
    {"rate", "X", "", "of learning", kind::Number{0, 1}},
    {"resume", "", "", "goes on"},
    {"again", "yes|no", "yes", "once more"},
    {"schedule", "NAME", "", "of the rate", kind::OneOf{"linear|constant"}},
    {"shell", "NAME", "", "which", kind::OneOf{"bash|zsh|fish", nullptr, "shell"}},
    {"ask", "WHAT", "", "a question", kind::Text{}, Repeat::list},
    {"mean", "", "", "another question", kind::Text{}, Repeat::list},
    {"threads", "N", "", "at once", kind::Count{1, 9}, Repeat::last_wins},
    {"config", "FILE", "", "settings"},
};
constexpr std::string_view sections[] = {"train", "predict"};

Settings read(const std::vector<std::string>& arguments) {
  return {"ciber train", table, arguments, sections};
}

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    read(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("options that are not given have their defaults") {
  const Settings settings = read({"data.csv", "--rate=0.5", "--hidden", "20,10"});
  CHECK(settings.words() == std::vector<std::string>{"data.csv"});
  CHECK(settings.count("epochs") == 300);
  CHECK(settings.number("rate") == 0.5);
  CHECK(settings.counts("hidden") == std::vector<std::size_t>{20, 10});
  CHECK(!settings.flag("resume"));
  CHECK(!settings.given("epochs"));
  CHECK(read({"--resume"}).flag("resume"));
  CHECK(!read({}).has("rate"));
}

TEST_CASE("a bad option is named, with what would help") {
  CHECK(refusal({"--epoch", "3"}) ==
        "--epoch: 'ciber train' has no such option; did you mean --epochs?");
  CHECK(refusal({"--colour"}) == "--colour: 'ciber train' has no such option; see --help");
  CHECK(refusal({"-x"}) == "-x: 'ciber train' has no such option; see --help");
  CHECK(refusal({"--epochs"}) == "--epochs: needs a value; see --help");
  CHECK(refusal({"--epochs", "0"}) == "--epochs: '0' is no whole number from 1 to 1000");
  CHECK(refusal({"--epochs", "3x"}) == "--epochs: '3x' is no whole number from 1 to 1000");
  CHECK(refusal({"--epochs=3", "--epochs=4"}) == "--epochs: given twice");
  CHECK(refusal({"--rate", "nan"}) == "--rate: 'nan' is no number from 0 to 1");
  CHECK(refusal({"--resume=yes"}) == "--resume: takes no value");
  CHECK(refusal({"--hidden", "5,,6"}) ==
        "--hidden: '5,,6' is no list of numbers above 0, such as 50,20");
  CHECK(refusal({"--rate="}) == "--rate: needs a value; see --help");
  CHECK(refusal({"--again", "maybe"}) == "--again: no 'maybe'; choose yes or no");
  CHECK(refusal({"--schedule", ""}) == "--schedule: no ''; choose linear or constant");
  CHECK(refusal({"--shell", "tcsh"}) == "--shell: no shell named 'tcsh'; choose bash, zsh or fish");
  CHECK(refusal({"--threads", "0"}) == "--threads: '0' is no whole number from 1 to 9");
}

TEST_CASE("an option may be given once, or the last one wins, or all count in their order") {
  CHECK(read({"--threads", "2", "--threads=3"}).count("threads") == 3);
  const Settings settings = read({"--ask", "a", "--mean", "--threads=1", "--ask=b", "--threads=2"});
  std::string order;
  for (const auto& [name, value] : settings.occurrences()) order += name + "=" + value + " ";
  CHECK(order == "ask=a mean=true ask=b threads=2 ");
  CHECK(settings.texts("ask") == std::vector<std::string>{"a", "b"});
  CHECK(settings.texts("mean").size() == 1);
  CHECK(settings.texts("rate").empty());
}

TEST_CASE("words after -- and a single dash are no options") {
  CHECK(read({"-", "--resume", "--", "--rate", "-x"}).words() ==
        std::vector<std::string>{"-", "--rate", "-x"});
}

TEST_CASE("a range may depend on other values") {
  const Settings settings = read({"--epochs", "50", "--rate", "0.5"});
  CHECK(settings.count("epochs", 1, 50) == 50);
  CHECK_THROWS_WITH(settings.count("epochs", 1, 49),
                    "--epochs: '50' is no whole number from 1 to 49");
  CHECK_THROWS_WITH(settings.number("rate", 0, 0.25), "--rate: '0.5' is no number from 0 to 0.25");
}

TEST_CASE("printed settings are read back unchanged, as JSON and as TOML") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("settings");
  const auto write = [&](const std::string& text) { directory.file("settings", text); };
  const Settings first = read({"a \"b\".csv", "--hidden", "7,8", "--resume", "--rate", "0.25"});
  for (const std::string& text : {first.json(), first.toml()}) {
    CAPTURE(text);
    write(text);
    const Settings settings = read({"--config", file, "--rate", "0.75"});
    CHECK(settings.words() == std::vector<std::string>{"a \"b\".csv"});
    CHECK(settings.count("epochs") == 300);
    CHECK(settings.counts("hidden") == std::vector<std::size_t>{7, 8});
    CHECK(settings.flag("resume"));
    CHECK(settings.number("rate") == 0.75);  // the command line wins
    CHECK(read({"--config", file}).json() == first.json());
    CHECK(read({"other", "--config", file}).words() == std::vector<std::string>{"other"});
  }
  CHECK(read({"--epochs", "5"}).json() ==
        "{\n  \"epochs\": 5,\n  \"hidden\": 50,\n  \"again\": \"yes\"\n}\n");
  CHECK(read({}).toml() ==
        "\n# N: how often all rows are seen\nepochs = 300\n"
        "\n# N,N: units of the hidden layers\nhidden = 50\n"
        "\n# X: of learning\n# rate = \n"
        "\n# goes on\n# resume = true\n"
        "\n# yes|no: once more\nagain = \"yes\"\n"
        "\n# NAME: of the rate\n# schedule = \n"
        "\n# NAME: which\n# shell = \n"
        "\n# WHAT: a question\n# ask = \n"
        "\n# another question\n# mean = true\n"
        "\n# N: at once\n# threads = \n");
  write("{\"hidden\": [3, 4], \"epochs\": 12, \"resume\": false, \"again\": false}");
  CHECK(read({"--config", file}).counts("hidden") == std::vector<std::size_t>{3, 4});
  CHECK(read({"--config", file}).count("epochs") == 12);
  CHECK(!read({"--config", file}).flag("resume"));
  CHECK(read({"--config", file}).text("again") == "no");
  write("epochs = 3\n[train]\nepochs = 4\n[predict]\nanything = 5\n");
  CHECK(read({"--config", file}).count("epochs") == 4);
  write("{\"hidden\": [3, 4],\n \"epoch\": 12}");
  CHECK(refusal({"--config", file}) == file + ":2:2: no setting 'epoch'; did you mean --epochs?");
  write("[train]\nresume = 'yes'");
  CHECK(refusal({"--config", file}) == file + ":2:1: 'resume' is true or false");
  write("rate = ''");
  CHECK(refusal({"--config", file}) == file + ":1:1: 'rate' needs a value");
  write("rate = true");
  CHECK(refusal({"--config", file}) == file + ":1:1: 'rate' needs a value");
  write("seed = 1\n rate = 7");
  CHECK(refusal({"--config", file}) == file + ":1:1: no setting 'seed'; see --help");
  write("\n rate = 7");
  CHECK(refusal({"--config", file}) == file + ":2:2: 'rate': '7' is no number from 0 to 1");
  write("config = 'other'");
  CHECK(refusal({"--config", file}) ==
        file + ":1:1: 'config' is an option of the command line only");
  write("[trian]\nrate = 1");
  CHECK(refusal({"--config", file}) ==
        file + ":2:1: there is no command 'trian'; did you mean 'train'?");
  // Lists, and the order of what may be repeated, on both sides of the command line.
  write(read({"--ask", "b", "--mean", "--ask", "a"}).json());
  CHECK(read({"--config", file}).texts("ask") == std::vector<std::string>{"b", "a"});
  write("ask = ['1', '2']\nthreads = 4\nmean = true");
  const Settings both = read({"--ask", "3", "--config", file});
  CHECK(both.texts("ask") == std::vector<std::string>{"3"});
  CHECK(both.count("threads") == 4);
  CHECK(both.occurrences().front().name == "threads");  // the file comes before the line
}
