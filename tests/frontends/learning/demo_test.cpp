#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/frontends/program.h"

using namespace wmi::frontends;

TEST_CASE("the demo's collapsed samples are nearer to the long reference than plain ones") {
  const TemporaryDirectory directory;
  const Finished found = ciber("demo --out " + (directory / "demo.svg"));
  CHECK(found.errors == "");
  REQUIRE(found.exit == 0);
  const auto number_after = [&](const std::string& words, std::size_t from = 0) {
    const std::size_t at = found.output.find(words, from);
    REQUIRE(at != std::string::npos);
    return std::strtod(found.output.c_str() + at + words.size(), nullptr);
  };
  CHECK(number_after("split R-hat of the predictive mean ") < 1.05);
  const std::size_t collapsed = found.output.find("collapsed samples:");
  const std::size_t plain = found.output.find("the same 10 samples:");
  CHECK(number_after("90 % band ", collapsed) < number_after("90 % band ", plain));
  const std::string picture = contents(directory.path("demo.svg"));
  CHECK(picture.starts_with("<svg"));
  CHECK(contains(picture, "10 collapsed samples"));
}
