#include "frontends/wmi/script_certificate.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "frontends/formats/format.h"
#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

struct Written {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "proof").string();
  const Script script = read_smtlib(
      {"test", "(declare-const x Real) (assert (<= 0 x 1)) (get-wmi) (get-expectation x)"});
  const Task& task = script.at(0);
  const std::unique_ptr<Integrator> integrator = make_auto({});
};

TEST_CASE_FIXTURE(Written, "the proof of a search is that of its known answers") {
  std::string proved;
  {
    ScriptCertificate certificate(file, {});
    REQUIRE(certificate.can_prove(task));
    const std::optional<Solution> solution = certificate.prove(0, task, *integrator, {});
    REQUIRE(solution);
    CHECK(solution->answers[0].value == Interval(1));
    certificate.keep();
    proved = contents(file);
  }
  CHECK(proved.starts_with(certificate_mark));
  ScriptCertificate certificate(file, {});
  certificate.certify(0, task, solve(task, *make_split(), *integrator).answers, {});
  certificate.keep();
  CHECK(contents(file) == proved);
}

TEST_CASE_FIXTURE(Written, "a certificate that is not kept is not there") {
  {
    ScriptCertificate certificate(file, {});
    certificate.prove(0, task, *integrator, {});
  }
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE_FIXTURE(Written, "an embedded problem stands before the proof and is what is proved") {
  Script other = script;
  other[0].queries.pop_back();
  ScriptCertificate certificate(file, EmbeddedScript{"head\n", other});
  CHECK(certificate.prove(0, task, *integrator, {})->answers.size() == 1);
  certificate.keep();
  CHECK(contents(file).starts_with("head\n" + std::string(certificate_mark)));
}

TEST_CASE_FIXTURE(Written, "after a task without a proof, none is proved, and the reason is kept") {
  const Task unbounded = read_smtlib({"test", "(declare-const x Real) (get-wmi)"}).at(0);
  ScriptCertificate certificate(file, {});
  CHECK_FALSE(certificate.prove(0, unbounded, *integrator, {}));
  CHECK_FALSE(certificate.can_prove(task));
  CHECK_THROWS_AS(certificate.certify(0, task, solve(task, *make_split(), *integrator).answers, {}),
                  GaveUp);
}

TEST_CASE_FIXTURE(Written, "laws are not proved") {
  const Task law =
      read_smtlib({"test", "(declare-const x Real) (assert (<= 0 x 1)) (get-distribution x)"})
          .at(0);
  CHECK_FALSE(ScriptCertificate(file, {}).can_prove(law));
}

}  // namespace
}  // namespace wmi::frontends
