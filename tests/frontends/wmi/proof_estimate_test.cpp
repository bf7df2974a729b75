#include "frontends/wmi/proof_estimate.h"

#include <doctest/doctest.h>

#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

using Seconds = ProofEstimate::Seconds;

TEST_CASE("a long proof is announced once, with an estimate") {
  ProofEstimate estimate;
  CHECK(!estimate.at(0.5, Seconds(9)));
  const std::optional<std::string> line = estimate.at(0.25, Seconds(15));
  REQUIRE(line);
  CHECK(contains(*line, "25 % of it is written after 15 s"));
  CHECK(contains(*line, "about 60 s in all"));
  CHECK(!estimate.at(0.5, Seconds(30)));
}

TEST_CASE("estimates have units that fit, and no infinity") {
  const auto said = [](double share) {
    return ProofEstimate().at(share, Seconds(12)).value_or("");
  };
  CHECK(contains(said(0.01), "about 20 minutes"));
  CHECK(contains(said(0.001), "about 3.3 hours"));
  CHECK(contains(said(1e-5), "about 14 days"));
  CHECK(contains(said(1e-30), "may take years"));
  CHECK(contains(said(0), "may take years"));
}

}  // namespace
}  // namespace wmi::frontends
