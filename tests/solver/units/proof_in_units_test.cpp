// Certificates in units against `prove`, byte for byte: random problems, divided at random, paused at
// random; and units that are left open, which the checker accepts with bounds.

#include "solver/units/proof_in_units.h"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "solver/enumerators/replay.h"
#include "solver/terms/error.h"
#include "tests/frontends/check/certified.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// All parts of a proof, by their places, put together in memory.
class Parts {
 public:
  Parts(ProofInUnits& whole, const Random& random) : whole_(whole), random_(random) {}

  void divide() {
    results_.push_back(whole_.divide(static_cast<std::size_t>(random_.integer(1, 12)), {}));
    const std::vector<OpenPlace> open = open_places(results_[0].tree);
    text_ = joined(results_[0].pieces.at(0), {open.begin(), open.end()}, {});
  }

  /// The bytes of these pieces with those of the places between them.
  std::string joined(const std::vector<std::string>& pieces, std::vector<OpenPlace> open,
                     const SearchPath& above) {
    REQUIRE(pieces.size() == open.size() + 1);
    std::string result;
    for (std::size_t i = 0; i < open.size(); ++i) {
      SearchPath place = above;
      place.insert(place.end(), open[i].path.begin(), open[i].path.end());
      result += pieces[i] + below(place);
    }
    return result + pieces.back();
  }

  const std::string& text() const { return text_; }
  const std::vector<UnitResult>& results() const { return results_; }
  const std::vector<SearchPath>& left() const { return left_; }
  void leave_some() { leaves_ = true; }
  static std::string mark(std::size_t number) { return "<" + std::to_string(number) + ">"; }

 private:
  std::string below(const SearchPath& place) {
    CHECK(parse_path(to_text(place)) == place);
    if (leaves_ && random_.chance(30)) {
      left_.push_back(place);
      return mark(left_.size() - 1);
    }
    int leaves = random_.chance(60) ? random_.integer(0, 3) : 1'000'000;
    UnitResult found = whole_.solve({place}, [&] { return leaves-- <= 0; });
    const std::vector<OpenPlace> open = open_places(at(found.tree, place));
    const std::vector<std::string> pieces = found.pieces.at(0);
    results_.push_back(std::move(found));
    return joined(pieces, open, place);
  }

  ProofInUnits& whole_;
  Random random_;
  std::vector<UnitResult> results_;
  std::vector<SearchPath> left_;
  std::string text_;
  bool leaves_ = false;
};

void check_equal(const Solution& found, const Solution& expected) {
  REQUIRE(found.answers.size() == expected.answers.size());
  for (std::size_t i = 0; i < found.answers.size(); ++i) {
    CAPTURE(i);
    CHECK(found.answers[i].value == expected.answers[i].value);
    CHECK(found.answers[i].left == expected.answers[i].left);
    CHECK(found.answers[i].undefined == expected.answers[i].undefined);
    CHECK(found.answers[i].refused == expected.answers[i].refused);
    CHECK(found.answers[i].cells == expected.answers[i].cells);
    CHECK(found.answers[i].complete);
  }
  CHECK(found.warnings == expected.warnings);
}

TEST_CASE("a proof in units has the bytes of one search, and its answers") {
  int proofs = 0, divided = 0, bounded = 0;
  for (int i = 0; i < 60 * many(); ++i) {
    Random random(static_cast<unsigned>(i));
    CAPTURE(i);
    const Task task = random_task(random);
    if (!std::ranges::all_of(task.queries, certifiable)) continue;
    const std::unique_ptr<Integrator> integrator = make_auto({});
    std::ostringstream one;
    Solution expected;
    try {
      expected = prove(task, *integrator, one);
    } catch (const std::exception&) {
      continue;  // no proof, by either
    }
    ++proofs;
    ProofInUnits whole(task, *integrator);
    Parts parts(whole, random);
    parts.divide();
    const JoinedTask joined = whole.join(parts.results(), {}, 20, {});
    check_equal(joined.solution, expected);
    CHECK(parts.text() + joined.claims == one.str());
    divided += parts.results().size() > 3;

    Parts some(whole, random);
    some.leave_some();
    some.divide();
    if (some.left().empty()) continue;
    JoinedTask bounds;
    try {
      bounds = whole.join(some.results(), some.left(), 20, {});
    } catch (const Stopped&) {
      continue;  // a region without bounds
    }
    std::string text = some.text();
    for (std::size_t k = 0; k < some.left().size(); ++k) {
      const std::string mark = Parts::mark(k);
      text.replace(text.find(mark), mark.size(), bounds.open[k]);
    }
    ++bounded;
    const Checked verdict = checked(task, std::string(certificate_mark) + text + bounds.claims);
    CAPTURE(verdict.reason);
    REQUIRE(verdict.answers.has_value());
    CHECK(hold(verdict.certified, expected.answers));
  }
  CHECK(proofs > 20);
  CHECK(divided > 5);
  CHECK(bounded > 5);
}

TEST_CASE("the place of another search, and a query that has no certificate, are refused") {
  const Task task = golden_tasks().at(0);
  const std::unique_ptr<Integrator> integrator = make_auto({});
  const ProofInUnits whole(task, *integrator);
  const auto never = [] { return false; };
  CHECK_THROWS_AS(whole.solve({parse_path("1000+")}, never), LostPlace);
  CHECK_THROWS_AS(whole.solve({parse_path("c0/2 c0/2 c0/2")}, never), LostPlace);
  Task asked = task;
  asked.queries[0].kind = Query::Kind::distribution;
  CHECK_THROWS_AS(ProofInUnits(asked, *integrator), Error);
}

}  // namespace
}  // namespace wmi::tests
