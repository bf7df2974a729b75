#include "frontends/cli/settings.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontends/wmi/options.h"

using namespace wmi::frontends;

namespace {

constexpr Setting table[] = {
    {"epochs", "N", "300", "how often all rows are seen"},
    {"hidden", "N,N", "50", "units of the hidden layers"},
    {"rate", "X", "", "of learning"},
    {"resume", "", "", "goes on"},
    {"again", "yes|no", "yes", "once more"},
};

Settings read(const std::vector<std::string>& arguments) { return {"train", table, arguments}; }

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    const Settings settings = read(arguments);
    settings.count("epochs", 1, 1000);
    if (settings.has("rate")) settings.number("rate", 0, 1);
    settings.counts("hidden");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is not given has its standard value") {
  const Settings settings = read({"data.csv", "--rate=0.5", "--hidden", "20,10"});
  CHECK(settings.words() == std::vector<std::string>{"data.csv"});
  CHECK(settings.count("epochs", 1, 1000) == 300);
  CHECK(settings.number("rate", 0, 1) == 0.5);
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
  CHECK(refusal({"--epochs"}) == "--epochs: needs a value");
  CHECK(refusal({"--epochs", "0"}) == "--epochs: '0' is no whole number from 1 to 1000");
  CHECK(refusal({"--epochs", "3x"}) == "--epochs: '3x' is no whole number from 1 to 1000");
  CHECK(refusal({"--epochs=3", "--epochs=4"}) == "--epochs: given twice");
  CHECK(refusal({"--rate", "nan"}) == "--rate: 'nan' is no number from 0 to 1");
  CHECK(refusal({"--resume=yes"}) == "--resume: takes no value");
  CHECK(refusal({"--hidden", "5,,6"}) ==
        "--hidden: '5,,6' is no list of numbers above 0, such as 50,20");
}

TEST_CASE("the printed configuration says the same when it is read, as JSON and as TOML") {
  const std::string file =
      std::filesystem::temp_directory_path() / ("settings_test_" + std::to_string(getpid()));
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  const Settings first = read({"a \"b\".csv", "--hidden", "7,8", "--resume", "--rate", "0.25"});
  for (const std::string& text : {first.json(), first.toml()}) {
    CAPTURE(text);
    write(text);
    const Settings settings = read({"--config", file, "--rate", "0.75"});
    CHECK(settings.words() == std::vector<std::string>{"a \"b\".csv"});
    CHECK(settings.count("epochs", 1, 1000) == 300);
    CHECK(settings.counts("hidden") == std::vector<std::size_t>{7, 8});
    CHECK(settings.flag("resume"));
    CHECK(settings.number("rate", 0, 1) == 0.75);  // the command line wins
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
        "\n# yes|no: once more\nagain = \"yes\"\n");
  write("{\"hidden\": [3, 4], \"epochs\": 12, \"resume\": false, \"again\": false}");
  CHECK(read({"--config", file}).counts("hidden") == std::vector<std::size_t>{3, 4});
  CHECK(read({"--config", file}).count("epochs", 1, 1000) == 12);
  CHECK(!read({"--config", file}).flag("resume"));
  CHECK(read({"--config", file}).text("again") == "no");
  write("epochs = 3\n[train]\nepochs = 4\n[predict]\nanything = 5\n");
  CHECK(read({"--config", file}).count("epochs", 1, 1000) == 4);
  write("{\"hidden\": [3, 4],\n \"epoch\": 12}");
  CHECK(refusal({"--config", file}) == file + ":2:2: no setting 'epoch'; did you mean --epochs?");
  write("[train]\nresume = 'yes'");
  CHECK(refusal({"--config", file}) == file + ":2:1: 'resume' is true or false");
  write("rate = ''");
  CHECK(refusal({"--config", file}) == file + ":1:1: 'rate' needs a value");
  std::filesystem::remove(file);
}
