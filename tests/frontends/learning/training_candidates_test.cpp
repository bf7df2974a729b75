#include "frontends/learning/training_candidates.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "tests/frontends/learning/given.h"

using namespace wmi::frontends;

namespace {

std::string value(const OptionValues& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &OptionValues::value_type::first);
  return found == values.end() ? "not filled in" : found->second;
}

std::vector<OptionValues> candidates(const std::vector<std::string>& words, std::size_t rows = 500,
                                     bool regression = true) {
  return training_candidates(given(train_command(), words), rows, 10, regression);
}

}  // namespace

TEST_CASE("candidates fill in what was not given, and equal ones are tried once") {
  const std::vector<OptionValues> all = candidates({"data.csv"});
  CHECK(all.size() > 4);
  for (const OptionValues& each : all)
    CHECK(each.size() == (value(each, "hidden-weights") == "drawn" ? 8 : 9));
  const std::vector<OptionValues> narrow = candidates({"data.csv", "--hidden=7", "--epochs=100"});
  CHECK(narrow.size() < all.size());
  for (const OptionValues& each : narrow) CHECK(value(each, "hidden") == "not filled in");
  const std::vector<OptionValues> one =
      candidates({"data.csv", "--bins=0", "--hidden=7", "--rate=1e-3", "--weight-decay=0",
                  "--likelihood=homoscedastic", "--epochs=5"});
  REQUIRE(one.size() == 1);
  CHECK(value(one[0], "every") == "1");
  CHECK(candidate_name(one[0]) == "as given");
}

TEST_CASE("many rows are seen less often, in larger batches") {
  const std::vector<OptionValues> few = candidates({"data.csv"}, 300);
  const std::vector<OptionValues> many = candidates({"data.csv"}, 40'000);
  CHECK(value(few[0], "epochs") == "300");
  CHECK(value(many[0], "epochs") == "47");  // 300 sqrt(1000 / 40000)
  CHECK(value(few[0], "batch") == "32");
  CHECK(value(many[0], "batch") == "100");
  CHECK(value(few[1], "bins") == "8");
  CHECK(value(many[1], "bins") == "16");
}

TEST_CASE("drawn hidden weights are tried unless options are about trained ones") {
  const auto drawn = [](const std::vector<OptionValues>& all) {
    return std::ranges::count(
        all, "drawn", [](const OptionValues& each) { return value(each, "hidden-weights"); });
  };
  const std::vector<OptionValues> all = candidates({"data.csv"});
  CHECK(drawn(all) == 1);
  CHECK(value(all[0], "hidden-weights") == "not filled in");
  CHECK(candidate_name(all[2]) == "hidden weights drawn; bins 0; hidden 256; homoscedastic");
  CHECK(drawn(candidates({"data.csv"}, 500, false)) == 0);
  for (const char* option : {"--hidden=50", "--rate=0.1", "--tails=student", "--epochs=9",
                             "--likelihood=heteroscedastic", "--hidden-weights=trained"})
    CHECK(drawn(candidates({"data.csv", option})) == 0);
  const std::vector<OptionValues> one =
      candidates({"data.csv", "--hidden-weights=drawn", "--hidden=40"});
  REQUIRE(one.size() == 1);
  CHECK(value(one[0], "hidden") == "not filled in");
  CHECK(value(one[0], "activation") == "tanh");
  CHECK_THROWS_AS(candidates({"data.csv", "--hidden-weights=drawn"}, 500, false), UsageError);
}

TEST_CASE("many inputs are not multiplied by bins, unless they are asked for") {
  const auto wide = [](const std::vector<std::string>& words) {
    return training_candidates(given(train_command(), words), 30, 19'000, true);
  };
  CHECK(wide({"data.csv"}).size() > 3);
  for (const OptionValues& each : wide({"data.csv"})) CHECK(value(each, "bins") == "0");
  CHECK(wide({"data.csv", "--bins=8"}).size() == candidates({"data.csv", "--bins=8"}).size());
}

TEST_CASE("classes have no noise to choose") {
  for (const OptionValues& each : candidates({"data.csv"}, 500, false))
    CHECK(value(each, "likelihood") == "not filled in");
}

TEST_CASE("values are added to what was given, and named in words") {
  const OptionValues values{{"hidden", "20,10"}, {"rate", "0.5"}, {"batch", "8"}};
  const Settings filled =
      with_values(given(train_command(), {"data.csv", "--target=y", "--from-best"}), values);
  CHECK(filled.words() == std::vector<std::string>{"data.csv"});
  CHECK(filled.text("target") == "y");
  CHECK(filled.flag("from-best"));
  CHECK(filled.counts("hidden") == std::vector<std::size_t>{20, 10});
  CHECK(filled.number("rate") == 0.5);
  CHECK(candidate_name(values) == "hidden 20 10; rate 0.5");
}
