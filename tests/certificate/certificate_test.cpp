// Certificates of right answers are accepted; certificates that were changed are rejected, or prove
// the same answers.

#include "solver/certificate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "frontends/check/checker.h"
#include "frontends/formats/format.h"
#include "solver/solve.h"
#include "tests/certificate/decoded.h"
#include "tests/solver/random_problem.h"
#include "tests/source_directory.h"

namespace {

using namespace wmi;
using namespace wmi::tests;
using frontends::read;

Solution solved(const Task& task) { return solve(task, *make_split(), *make_auto({})); }

std::string certificate(const Task& task, const Solution& solution) {
  std::ostringstream out;
  out << certificate_mark;
  certify(task, solution.answers, out);
  return out.str();
}

std::string reason;                  // why the last one was rejected
std::vector<check::Certified> last;  // what the last one proved

std::string shown(const Interval& value) {
  return value.exact() ? to_string(value.lower)
                       : "between " + to_string(value.lower) + " and " + to_string(value.upper);
}

/// The answers that a certificate proves, as text; nothing if it is rejected.
std::optional<std::vector<std::string>> proved(const Task& task, const std::string& text) {
  std::istringstream stream(text);
  check::Bytes in(stream);
  std::vector<std::string> result;
  try {
    in.expect(check::mark);
    check::Counts counts;
    const std::vector<check::Certified> answers = check::check(task, in, counts);
    in.expect_end();
    for (const check::Certified& answer : answers) {
      result.push_back(answer.value ? shown(*answer.value) : answer.undefined);
      if (answer.left) result.back() += " from the left " + shown(*answer.left);
    }
    last = answers;
  } catch (const check::Rejected& why) {
    reason = why.what();
    return std::nullopt;
  } catch (const Error&) {  // a number or a polynomial that is refused as too large
    return std::nullopt;
  }
  return result;
}

std::vector<int> numbers_claimed(const Task& task) {
  std::vector<int> result;
  for (const Query& query : task.queries)
    if (certifiable(query)) result.push_back(query.kind == Query::Kind::density ? 2 : 1);
  return result;
}

Task random_task(Random& random) {
  Task task;
  task.problem = random_problem(random, {random.integer(1, 3), random.integer(0, 3),
                                         random.integer(2, 8), random.integer(0, 2), true});
  const auto query = [&](Query::Kind kind) {
    Query result;
    result.kind = kind;
    if (random.chance(60)) result.event = random_formula(random, task.problem, 2);
    if (random.chance(40) && kind != Query::Kind::wmi)
      result.given = random_formula(random, task.problem, 1);
    const bool affine = kind == Query::Kind::density || kind == Query::Kind::cdf;
    result.term =
        affine ? random_affine(random, task.problem) : random_polynomial(random, task.problem, 2);
    if (kind == Query::Kind::moment) result.order = 3;
    result.at = ratio(random.integer(-4, 4), 2);
    return result;
  };
  for (const Query::Kind kind :
       {Query::Kind::wmi, Query::Kind::probability, Query::Kind::expectation, Query::Kind::variance,
        Query::Kind::moment, Query::Kind::density, Query::Kind::cdf})
    if (random.chance(60)) task.queries.push_back(query(kind));
  if (task.queries.empty()) task.queries.push_back(query(Query::Kind::wmi));
  return task;
}

std::string text_of(const std::string& name) {
  std::ifstream in(source_directory().string() + "/tests/golden/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The golden files whose task is one.
std::vector<std::string> goldens() {
  return {"conditional_weight.smt2", "density_of_forms.smt2", "derived_chain.smt2",
          "independent.smt2",        "negative_weight.smt2",  "relu_defined.smt2",
          "relu_implied.smt2",       "relu_twice.smt2",       "two_weights_relu.smt2",
          "undefined.smt2",          "no_query.smt2",         "free_booleans.smt2",
          "certified_product.smt2",  "certified_faces.smt2"};
}

bool certain(const Solution& solution) {
  for (const Answer& answer : solution.answers)
    if (!answer.value && answer.undefined.empty()) return false;
  return true;
}

int many() { return std::getenv("WMI_LONG") != nullptr ? 4 : 1; }

/// What became of changed certificates.
struct Tally {
  std::map<std::string, std::pair<int, int>> kinds;  // tried, of which accepted: the same answers
  int wrong = 0;

  void add(const std::string& kind, const std::optional<std::vector<std::string>>& found,
           const std::vector<std::string>& right) {
    ++kinds[kind].first;
    if (!found) return;
    ++kinds[kind].second;
    if (*found != right) ++wrong;
  }

  void report(const char* title) const {
    std::string text;
    for (const auto& [kind, counts] : kinds)
      text += "\n  " + kind + ": " + std::to_string(counts.first) + " tried, " +
              std::to_string(counts.second) + " as valid as before";
    MESSAGE(std::string(title) << text << "\n  wrong answers accepted: " << wrong);
  }
};

const char* name(Decoded::Role role) {
  switch (role) {
    case Decoded::Role::node:
      return "kinds of node";
    case Decoded::Role::coefficient:
      return "coefficients";
    case Decoded::Role::variable:
      return "variables";
    case Decoded::Role::count:
      return "counts";
    case Decoded::Role::boolean:
      return "booleans";
    case Decoded::Role::goal:
      return "integrals of a fork";
    case Decoded::Role::multiplier:
      return "multipliers";
    case Decoded::Role::row:
      return "rows of multipliers";
    case Decoded::Role::vertex:
      return "vertices";
    case Decoded::Role::claim:
      return "claims";
  }
  return "";
}

/// One number changed: a digit, a sign, a neighbour, nothing, a multiple.
Integer changed(const Decoded::Number& number, Random& random) {
  const Integer& value = number.value;
  const bool natural = number.kind != Decoded::Kind::integer;
  for (;;) {
    Integer result;
    switch (random.integer(0, 6)) {
      case 0:
        result = value + 1;
        break;
      case 1:
        result = value - 1;
        break;
      case 2:
        result = -value;
        break;
      case 3:
        result = 0;
        break;
      case 4:
        result = value * 2;
        break;
      case 5:
        result = value + random.integer(-20, 20);
        break;
      default: {  // a decimal digit
        std::string digits = value.get_str();
        digits[static_cast<std::size_t>(random.integer(0, static_cast<int>(digits.size()) - 1))] =
            static_cast<char>('0' + random.integer(0, 9));
        result = Integer(digits, 10);
      }
    }
    if (natural && result < 0) result = -result;
    if (number.kind == Decoded::Kind::tag) result = random.integer(0, 10);
    if (result != value) return result;
  }
}

}  // namespace

TEST_CASE("the answers to random queries about random problems are certified and accepted") {
  Random random(800);
  CAPTURE(random.seed());
  int certified = 0;
  for (int round = 0; round < 200 * many(); ++round) {
    CAPTURE(round);
    const Task task = random_task(random);
    const Solution solution = solved(task);
    const auto found = proved(task, certificate(task, solution));
    CAPTURE(reason);
    REQUIRE(found);
    for (std::size_t i = 0; i < task.queries.size(); ++i) {
      const Answer& answer = solution.answers[i];
      CAPTURE(i);
      if (!answer.value) continue;
      std::string expected = to_string(answer.value->lower);
      if (answer.left) expected += " from the left " + to_string(answer.left->lower);
      CHECK((*found)[i] == expected);
      ++certified;
    }
  }
  CHECK(certified > 300);
}

/// Tells a search to stop when it has added so many cells: at once, for 0.
class Impatient final : public ProgressObserver {
 public:
  explicit Impatient(std::size_t cells) : left_(cells) {
    if (cells == 0) source_.request_stop();
  }
  void added(std::size_t cells) override {
    if (cells >= left_) source_.request_stop();
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::size_t left_;
  std::stop_source source_;
};

struct Partial {
  std::string proof;
  std::vector<Answer> answers;
};

/// Stopped after so many cells, or as soon as all is known to within a gap.
Partial partial(const Task& task, std::size_t cells, const std::optional<Rational>& gap = {}) {
  std::ostringstream out;
  out << certificate_mark;
  Impatient observer(cells);
  Solution solution = prove(task, *make_auto({}), out,
                            {.gap = gap, .stop = observer.token(), .observer = &observer});
  return {out.str(), std::move(solution.answers)};
}

/// The true answer, and its limit from the left, are where the last certificate says they are;
/// where it says nothing, they may be anything.
bool holds_of(const std::vector<Answer>& truth) {
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!last[i].certified || !last[i].value) continue;
    if (!truth[i].value || !last[i].value->contains(truth[i].value->lower)) return false;
    if (last[i].left && !last[i].left->contains(truth[i].left->lower)) return false;
  }
  return true;
}

TEST_CASE("what is known of an answer when a search is stopped is proved") {
  Random random(804);
  CAPTURE(random.seed());
  int bounds = 0, known = 0;
  std::vector<Task> tasks;
  for (const std::string& file : goldens()) tasks.push_back(read({file, text_of(file)})[0]);
  for (int round = 0; round < 80 * many(); ++round) tasks.push_back(random_task(random));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    CAPTURE(t);
    const Task& task = tasks[t];
    const std::vector<Answer> truth = solved(task).answers;
    for (const std::size_t cells : {0, 1, 4, 1000}) {
      CAPTURE(cells);
      const Partial found = partial(task, cells);
      const bool accepted = proved(task, found.proof).has_value();
      CAPTURE(reason);
      REQUIRE(accepted);
      CHECK(holds_of(truth));
      for (std::size_t i = 0; i < truth.size(); ++i) {
        CAPTURE(i);
        const Answer& answer = found.answers[i];
        if (answer.complete) {
          CHECK(answer.value == truth[i].value);
          CHECK(answer.left == truth[i].left);
          CHECK(answer.undefined == truth[i].undefined);
          CHECK(answer.refused == truth[i].refused);
          ++known;
        } else if (answer.lower && last[i].value) {
          // What is printed may also say that a probability is between 0 and 1.
          CHECK(*answer.lower <= std::max(Rational(0), last[i].value->lower));
          CHECK(*answer.upper >= std::min(Rational(1), last[i].value->upper));
          CHECK(*answer.lower <= truth[i].value->lower);
          CHECK(*answer.upper >= truth[i].value->lower);
          ++bounds;
        }
      }
    }
  }
  CHECK(bounds > 100);
  CHECK(known > 200);
}

TEST_CASE("an answer that is known to within a gap is proved as far as that") {
  Random random(805);
  CAPTURE(random.seed());
  int enclosed = 0;
  for (int round = 0; round < 50 * many(); ++round) {
    CAPTURE(round);
    Task task = read({"gap.smt2", text_of("gap.smt2")})[0];
    if (round > 0) {
      task.problem = random_problem(random, {2, 1, 12, 2, true});
      task.queries = {wmi_of(random_formula(random, task.problem, 3))};
      task.queries.push_back(wmi_of(random_formula(random, task.problem, 2)));
      task.queries.back().kind = Query::Kind::probability;
    }
    const std::vector<Answer> truth = solved(task).answers;
    for (const Rational& gap : {ratio(1, 2), ratio(1, 100)}) {
      const Partial found = partial(task, ~std::size_t{0}, gap);
      REQUIRE(proved(task, found.proof));
      CHECK(holds_of(truth));
      for (std::size_t i = 0; i < truth.size(); ++i) {
        if (!truth[i].value) continue;
        REQUIRE(found.answers[i].value);
        CHECK(found.answers[i].value->contains(truth[i].value->lower));
        CHECK(found.answers[i].value->upper - found.answers[i].value->lower <= gap);
        REQUIRE(last[i].value);
        CHECK(last[i].value->upper - last[i].value->lower <= gap);
        enclosed += found.answers[i].within_gap;
      }
    }
  }
  CHECK(enclosed > 10);
}

TEST_CASE("what an open leaf may add is its volume times the ranges of weight and term") {
  const auto said = [](const std::string& text, std::size_t cells) {
    const Task task = read({"a", text})[0];
    return proved(task, partial(task, cells).proof).value_or(std::vector{reason});
  };
  const std::string box =
      "(declare-const x Real)(declare-const y Real)(declare-const b Bool)"
      "(assert (<= 1 x 3))(assert (<= 0 y 1))";
  // Volume 2, weight x at most 3, two values of b.
  CHECK(said(box + "(weight true x)(get-wmi)", 0) == std::vector<std::string>{"between 0 and 12"});
  // Under b the weight is 5, otherwise 1/2; times y, at most 1.
  CHECK(said(box + "(weight b 5)(weight (not b) 0.5)(weight true y)(get-wmi)", 0) ==
        std::vector<std::string>{"between 0 and 11"});
  // 5 under b, -5 otherwise, and the formula may hold for one of them alone: 2 times -5 to 5.
  CHECK(said(box + "(weight b 5)(weight (not b) (- 5))(assert (or b (> x 2)))(get-wmi)", 0) ==
        std::vector<std::string>{"between -10 and 10"});
  // A weight that may count or not: x - 4 is between -3 and -1, or it is 1.
  CHECK(said(box + "(weight (> x 2) (- x 4))(get-wmi)", 0) ==
        std::vector<std::string>{"between -12 and 4"});
  // A choice that is not made: between 0 and 3.
  CHECK(said(box + "(weight true (ite (> x 2) x y))(get-wmi)", 0) ==
        std::vector<std::string>{"between 0 and 12"});
  // What is not affine: x y - y is at most 3 - 0 and at least 0 - 1.
  CHECK(said(box + "(weight true (- (* x y) y))(get-wmi)", 0) ==
        std::vector<std::string>{"between -4 and 12"});
  // Hundreds of weights -2, each under a Boolean of its own: (1 - 2)^300 and (1 + 2)^300 are the
  // sum and the difference of what is above 0 and what is below, on a volume of 1.
  std::string many = "(declare-const x Real)(assert (<= 0 x 1))";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "b" + std::to_string(i);
    many += "(declare-const " + name + " Bool)(weight " + name + " (- 2))";
  }
  const Rational all = power(Rational(3), 300);
  CHECK(said(many + "(assert (or b0 (> x 0.5)))(get-wmi)", 0) ==
        std::vector<std::string>{shown({(1 - all) / 2, (1 + all) / 2})});
  // Of a mean nothing follows, as the integral of the weight may be 0.
  CHECK(said(box + "(get-expectation y :given (> x 2))", 0) ==
        std::vector<std::string>{"nothing is known where leaves are open"});
  // The term does not come to 7, whatever is left open.
  CHECK(said(box + "(assert (or (<= x 2) (> y 0.5)))(get-density x :at 7)", 1) ==
        std::vector<std::string>{"0 from the left 0"});
}

TEST_CASE("at an open leaf the term may be another for each value of a Boolean") {
  // Z is 1 - 3, A is 1 * 1 + -3 * -1 = 4: the mean is -2. The tree is a fork, of a cell without
  // coordinates for Z and an open leaf for A.
  const Task task = read({"a",
                          "(declare-const p Bool)(weight p 1)(weight (not p) (- 3))"
                          "(get-expectation (ite p 1 (- 1)))"})[0];
  const std::string tree("\6\2\1\0\1\1\7\0\11\0\2", 11);
  const auto claimed = [&](const std::string& ends) {
    return proved(task, std::string(check::mark) + tree + ends);
  };
  CHECK(!claimed({5, 2, 6, 2}));  // from -3/2 to 3/2
  CHECK(claimed({3, 1, 4, 1}) == std::vector<std::string>{"between -2 and 2"});
}

TEST_CASE("a certificate of bounds that says something else is rejected, or proves what is true") {
  Random random(806);
  CAPTURE(random.seed());
  Tally tally;
  std::ptrdiff_t open = 0, products = 0;
  std::vector<Task> tasks;
  for (const std::string& file : goldens()) tasks.push_back(read({file, text_of(file)})[0]);
  for (int i = 0; i < 4 * many(); ++i) tasks.push_back(random_task(random));
  for (const Task& task : tasks) {
    const std::vector<Answer> truth = solved(task).answers;
    const std::string original = partial(task, 2).proof;
    REQUIRE(proved(task, original));
    const Decoded decoded = decode(original, numbers_claimed(task));
    REQUIRE(decoded.encoded() == original);
    for (const Decoded::Number& number : decoded.numbers) {
      open += number.role == Decoded::Role::node && number.value == 9;
      products += number.role == Decoded::Role::node && number.value == 8;
    }
    const auto attempt = [&](const std::string& kind, const std::string& text) {
      const auto found = proved(task, text);
      const bool right = found && holds_of(truth);
      tally.add(kind, found, right ? *found : std::vector<std::string>{"the truth"});
    };
    for (std::size_t i = 0; i < decoded.numbers.size(); ++i)
      for (int again = 0; again < many(); ++again) {
        Decoded other = decoded;
        other.numbers[i].value = changed(decoded.numbers[i], random);
        attempt(name(decoded.numbers[i].role), other.encoded());
      }
    for (std::size_t i = 0; i < original.size(); i += 3) {
      attempt("truncated", original.substr(0, i));
      std::string other = original;
      other[i] = static_cast<char>(other[i] ^ 1 << random.integer(0, 7));
      attempt("a bit flipped", other);
    }
  }
  tally.report("changed bounds");
  CHECK(tally.kinds["truncated"].second == 0);
  CHECK(tally.wrong == 0);
  CHECK(open > 20);
  CHECK(products > 0);
}

TEST_CASE("a certificate that says something else is rejected, or proves the same") {
  Random random(801);
  CAPTURE(random.seed());
  Tally tally;
  std::ptrdiff_t products = 0;
  std::vector<Task> tasks;
  for (const std::string& file : goldens()) tasks.push_back(read({file, text_of(file)})[0]);
  for (int i = 0; i < 8 * many(); ++i) tasks.push_back(random_task(random));
  for (const Task& task : tasks) {
    const std::string original = certificate(task, solved(task));
    const auto right = proved(task, original);
    REQUIRE(right);
    const Decoded decoded = decode(original, numbers_claimed(task));
    products += std::count_if(decoded.numbers.begin(), decoded.numbers.end(),
                              [](const Decoded::Number& number) {
                                return number.role == Decoded::Role::node && number.value == 8;
                              });
    REQUIRE(decoded.encoded() == original);
    for (std::size_t i = 0; i < decoded.numbers.size(); ++i)
      for (int again = 0; again < many(); ++again) {
        Decoded other = decoded;
        other.numbers[i].value = changed(decoded.numbers[i], random);
        tally.add(name(decoded.numbers[i].role), proved(task, other.encoded()), *right);
      }
    const auto some = [&](std::size_t size) {
      return static_cast<std::size_t>(random.integer(0, static_cast<int>(size) - 1));
    };
    for (int round = 0; round < 50; ++round) {  // the shape of the tree
      const Decoded::Subtree a = decoded.subtrees[some(decoded.subtrees.size())];
      const Decoded::Subtree b = decoded.subtrees[some(decoded.subtrees.size())];
      if (a.begin == b.begin) continue;
      Decoded other = decoded;
      const auto place = [&](std::size_t i) {
        return other.numbers.begin() + static_cast<std::ptrdiff_t>(i);
      };
      const std::vector<Decoded::Number> graft(decoded.numbers.begin() + b.begin,
                                               decoded.numbers.begin() + b.end);
      other.numbers.erase(place(a.begin), place(a.end));
      other.numbers.insert(place(a.begin), graft.begin(), graft.end());
      tally.add("subtrees replaced by others", proved(task, other.encoded()), *right);
      other.numbers = decoded.numbers;
      other.numbers.erase(place(a.begin), place(a.end));
      tally.add("subtrees left out", proved(task, other.encoded()), *right);
      other.numbers = decoded.numbers;
      other.numbers.insert(place(a.begin), graft.begin(), graft.end());
      tally.add("subtrees put in", proved(task, other.encoded()), *right);
    }
    for (int round = 0; round < 100; ++round) {
      Decoded other = decoded;
      const std::size_t i = some(decoded.numbers.size()), j = some(decoded.numbers.size());
      if (decoded.numbers[i].kind != decoded.numbers[j].kind ||
          decoded.numbers[i].value == decoded.numbers[j].value)
        continue;
      std::swap(other.numbers[i].value, other.numbers[j].value);
      tally.add("numbers exchanged", proved(task, other.encoded()), *right);
    }
  }
  tally.report("changed numbers");
  CHECK(tally.wrong == 0);
  int tried = 0;
  for (const auto& [kind, counts] : tally.kinds) tried += counts.first;
  CHECK(tried > 5000);
  CHECK(products > 3);
}

TEST_CASE("flipped bits and missing or additional bytes are rejected, or prove the same") {
  Random random(802);
  CAPTURE(random.seed());
  Tally tally;
  for (const std::string& file : goldens()) {
    const Task task = read({file, text_of(file)})[0];
    const std::string original = certificate(task, solved(task));
    const auto right = proved(task, original);
    REQUIRE(right);
    for (std::size_t i = 0; i < original.size(); ++i) {
      tally.add("truncated", proved(task, original.substr(0, i)), *right);
      std::string other = original;
      other[i] = static_cast<char>(other[i] ^ 1 << random.integer(0, 7));
      tally.add("a bit flipped", proved(task, other), *right);
      other = original;
      other.erase(i, 1);
      tally.add("a byte left out", proved(task, other), *right);
      other = original;
      other.insert(i, 1, static_cast<char>(random.integer(0, 255)));
      tally.add("a byte put in", proved(task, other), *right);
    }
    CHECK(!proved(task, original + '\0'));
  }
  CHECK(tally.kinds["truncated"].second == 0);
  tally.report("changed bytes");
  CHECK(tally.wrong == 0);
}

TEST_CASE("a certificate for a neighbouring problem with other answers is rejected") {
  const std::regex literal(R"([0-9]+(\.[0-9]+)?)");
  int rejected = 0, same = 0;
  for (const std::string& file : goldens()) {
    CAPTURE(file);
    std::string text = std::regex_replace(text_of(file), std::regex(";[^\n]*"), "");
    const Task task = read({file, text})[0];
    const std::string original = certificate(task, solved(task));
    const auto right = proved(task, original);
    REQUIRE(right);
    std::vector<std::string> neighbours;
    for (std::sregex_iterator i(text.begin(), text.end(), literal), end; i != end; ++i) {
      if (i->position() > 0 && std::isalnum(static_cast<unsigned char>(text[i->position() - 1])))
        continue;  // within a name
      neighbours.push_back(text.substr(0, i->position()) + "7" + text.substr(i->position()));
    }
    const std::regex comparison(R"(\(<= )"), command(R"(\n\((assert|weight))");
    for (std::sregex_iterator i(text.begin(), text.end(), comparison), end; i != end; ++i)
      neighbours.push_back(text.substr(0, i->position()) + "(>=" + text.substr(i->position() + 3));
    for (std::sregex_iterator i(text.begin(), text.end(), command), end; i != end; ++i) {
      std::string without = text;  // one assertion, one weight less
      std::size_t at = i->position() + 1, depth = 0, to = at;
      do {
        depth += text[to] == '(';
        depth -= text[to] == ')';
      } while (++to < text.size() && depth > 0);
      neighbours.push_back(without.erase(at, to - at));
    }
    for (const std::string& neighbour : neighbours) {
      CAPTURE(neighbour);
      Script script;
      Solution solution;
      try {
        script = read({file, neighbour});
        solution = solved(script[0]);
      } catch (const Error&) {
        continue;  // not a problem any more
      }
      if (script.size() != 1 || script[0].queries.size() != task.queries.size()) continue;
      const auto found = proved(script[0], original);
      if (!found) {
        ++rejected;
        continue;
      }
      // Accepted: then these must be the neighbour's own answers.
      REQUIRE(certain(solution));
      ++same;
      for (std::size_t k = 0; k < solution.answers.size(); ++k)
        if (solution.answers[k].value && !solution.answers[k].left)
          CHECK((*found)[k] == to_string(solution.answers[k].value->lower));
    }
  }
  MESSAGE("neighbouring problems: " << rejected << " rejected, " << same
                                    << " with the same answers accepted");
  CHECK(rejected > 150);
}

TEST_CASE("layout, comments and the names of variables are no part of a problem") {
  const Task task = read({"a",
                          "(declare-const x Real)(declare-const b Bool)(assert (<= 0 x 1))"
                          "(weight b x)(get-wmi)(get-expectation x)"})[0];
  const Task same =
      read({"b",
            "; another text\n(declare-const |the time| Real) (declare-const rain Bool)\n"
            "(assert (and (<= 0 |the time|) ; from\n (<= |the time| 1.0)))\n"
            "(weight rain |the time|)\n(get-wmi true) (get-expectation |the time|)"})[0];
  const auto found = proved(same, certificate(task, solved(task)));
  REQUIRE(found);
  CHECK(*found == std::vector<std::string>{"3/2", "5/9"});  // 1 + 1/2; (1/2 + 1/3) / (3/2)
}

TEST_CASE("parts that hang together are no product") {
  // The integral over the triangle x + y <= 1 is not that over x times that over y.
  const Task apart = read({"a",
                           "(declare-const x Real)(declare-const y Real)(declare-const b Bool)"
                           "(assert (<= 0 x 1))(assert (<= 0 y 1))"
                           "(assert (or b (<= x 0.5)))(assert (or (<= y 0.5) (<= 0.75 y)))"})[0];
  const std::string proof = certificate(apart, solved(apart));
  // b doubles where x <= 1/2: (1/2 * 2 + 1/2) * 3/4.
  const auto found = proved(apart, proof);
  REQUIRE(found);
  CHECK(*found == std::vector<std::string>{"9/8"});
  const Decoded decoded = decode(proof, numbers_claimed(apart));
  CHECK(std::any_of(decoded.numbers.begin(), decoded.numbers.end(), [](const auto& number) {
    return number.role == Decoded::Role::node && number.value == 8;
  }));
  for (const std::string tie :
       {"(assert (<= (+ x y) 2))", "(assert (or b (<= y 0.6)))", "(weight b y)",
        "(weight (<= x y) 1)", "(assert (=> (<= x 0.5) (<= y 0.875)))"}) {
    CAPTURE(tie);
    const Task tied = read({"b",
                            "(declare-const x Real)(declare-const y Real)(declare-const b Bool)"
                            "(assert (<= 0 x 1))(assert (<= 0 y 1))"
                            "(assert (or b (<= x 0.5)))(assert (or (<= y 0.5) (<= 0.75 y)))" +
                                tie})[0];
    CHECK(!proved(tied, proof));
    const Solution solution = solved(tied);
    const auto own = proved(tied, certificate(tied, solution));
    REQUIRE(own);
    CHECK((*own)[0] == to_string(solution.answers[0].value->lower));
  }
}

TEST_CASE("a cell without one of its vertices, or with a wrong one, is rejected") {
  Random random(803);
  CAPTURE(random.seed());
  int tried = 0;
  for (int dimension = 1; dimension <= 4; ++dimension) {
    CAPTURE(dimension);
    std::string text, sum;
    for (int i = 0; i < dimension; ++i) {
      const std::string x = "x" + std::to_string(i);
      text += "(declare-const " + x + " Real)(assert (<= 0 " + x + " 2))";
      sum += " (* " + std::to_string(i + 1) + " " + x + ")";
    }
    text += "(assert (<= (+ 0" + sum + ") " + std::to_string(dimension + 1) + "))";
    const Task task = read({"cut cube", text})[0];
    const std::string original = certificate(task, solved(task));
    const auto right = proved(task, original);
    REQUIRE(right);
    const Decoded decoded = decode(original, numbers_claimed(task));
    const auto size = static_cast<std::size_t>(dimension + 1);
    std::vector<std::size_t> vertices;  // where each begins
    for (std::size_t i = 0; i < decoded.numbers.size(); ++i)
      if (decoded.numbers[i].role == Decoded::Role::vertex) {
        vertices.push_back(i);
        i += size - 1;
      }
    for (const std::size_t vertex : vertices) {
      Decoded other = decoded;
      const auto begin = other.numbers.begin() + static_cast<std::ptrdiff_t>(vertex);
      other.numbers.erase(begin, begin + static_cast<std::ptrdiff_t>(size));
      --other.numbers[vertices[0] - 1].value;  // the count
      CHECK(!proved(task, other.encoded()));
      other = decoded;  // halfway to another
      const std::size_t to = vertices[static_cast<std::size_t>(
          random.integer(0, static_cast<int>(vertices.size()) - 1))];
      if (to == vertex) continue;
      const Integer p = decoded.numbers[vertex].value, q = decoded.numbers[to].value;
      other.numbers[vertex].value = 2 * p * q;
      for (std::size_t j = 1; j < size; ++j)
        other.numbers[vertex + j].value =
            decoded.numbers[vertex + j].value * q + decoded.numbers[to + j].value * p;
      CHECK(!proved(task, other.encoded()));
      ++tried;
    }
  }
  CHECK(tried > 15);
}
