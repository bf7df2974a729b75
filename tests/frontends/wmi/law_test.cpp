// Laws of the terms in every golden file: they say what the single questions of the file say.

#include "solver/laws/law.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "solver/solve.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

const std::filesystem::path golden = source_directory() / "tests" / "golden";

/// The whole law of the query's term, if that is piecewise affine.
std::optional<Answer> law_for(Task task, const Query& query) {
  Query whole = query;
  whole.kind = Query::Kind::distribution;
  try {
    whole.term = task.problem.terms.affine(query.term);
  } catch (const Error&) {
    return std::nullopt;
  }
  task.queries = {whole};
  return solve(task, *make_split(), *make_auto({})).answers[0];
}

}  // namespace

TEST_CASE("every golden file: densities, means, variances and moments come out of laws as well") {
  int compared = 0;
  for (const std::filesystem::path& path : golden_files()) {
    CAPTURE(path.string());
    for (const Task& task : read(load(path))) {
      if (task.problem.terms.smooth()) continue;  // no law
      const std::vector<Answer> answers = solve(task, *make_split(), *make_auto({})).answers;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const Query& query = task.queries[i];
        if (!answers[i].value) continue;
        const Rational value = answers[i].value->lower;
        std::optional<Rational> same;
        using Kind = Query::Kind;
        if (query.kind != Kind::density && query.kind != Kind::expectation &&
            query.kind != Kind::variance && query.kind != Kind::moment)
          continue;
        const std::optional<Answer> law = law_for(task, query);
        if (!law) continue;
        REQUIRE(law->law);
        CAPTURE(query.text);
        ++compared;
        switch (query.kind) {
          case Kind::density:
            CHECK(law->law->density(query.at) == value);
            break;
          case Kind::expectation:
            CHECK(law->law->mean() == value);
            break;
          case Kind::variance:
            CHECK(law->law->variance() == value);
            break;
          default:
            CHECK(law->law->moment(query.order) == value);
        }
      }
    }
  }
  CHECK(compared > 30);
}

TEST_CASE("the probability of an interval is a difference of the distribution function") {
  const Script script = read(load(golden / "three_weights.smt2"));
  const Query& about_y = script[0].queries[1];
  REQUIRE(about_y.kind == Query::Kind::density);
  const Law law = *law_for(script[0], about_y)->law;
  CHECK(law.density(ratio(9, 10)) == Rational("453130613/1479016000"));
  CHECK(law.cdf(2) - law.cdf(ratio(-3, 2)) == Rational("1266817878373/1267728000000"));
  CHECK(law.mean() == ratio(51, 400));
}
