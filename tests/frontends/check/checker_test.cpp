// A changed certificate is rejected, or it proves the same answers.

#include "frontends/check/checker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "frontends/formats/format.h"
#include "solver/solve.h"
#include "tests/frontends/check/certified.h"
#include "tests/frontends/check/decoded.h"

namespace {

using namespace wmi;
using namespace wmi::tests;
using frontends::read;

std::vector<int> numbers_claimed(const Task& task) {
  std::vector<int> result;
  for (const Query& query : task.queries)
    if (certifiable(query)) result.push_back(query.kind == Query::Kind::density ? 2 : 1);
  return result;
}

bool certain(const Solution& solution) {
  for (const Answer& answer : solution.answers)
    if (!answer.value && answer.undefined.empty()) return false;
  return true;
}

/// Counts of changed certificates by kind of change and verdict.
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

/// Changes one number: a digit, the sign, by one, to 0, or to a multiple.
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

TEST_CASE("an open leaf adds at most its volume times the ranges of weight and term") {
  const auto said = [](const std::string& text, std::size_t cells) {
    const Task task = read({"a", text})[0];
    const Checked found = checked(task, partial(task, cells).proof);
    return found.answers.value_or(std::vector{found.reason});
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
  // An undecided weight: x - 4 is between -3 and -1, or it is 1.
  CHECK(said(box + "(weight (> x 2) (- x 4))(get-wmi)", 0) ==
        std::vector<std::string>{"between -12 and 4"});
  // An undecided choice: between 0 and 3.
  CHECK(said(box + "(weight true (ite (> x 2) x y))(get-wmi)", 0) ==
        std::vector<std::string>{"between 0 and 12"});
  // Not affine: x y - y is at most 3 - 0 and at least 0 - 1.
  CHECK(said(box + "(weight true (- (* x y) y))(get-wmi)", 0) ==
        std::vector<std::string>{"between -4 and 12"});
  // Hundreds of weights -2, each under its own Boolean: (1 - 2)^300 and (1 + 2)^300 are the sum and
  // the difference of the positive and the negative part, on a volume of 1.
  std::string many = "(declare-const x Real)(assert (<= 0 x 1))";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "b" + std::to_string(i);
    many += "(declare-const " + name + " Bool)(weight " + name + " (- 2))";
  }
  const Rational all = power(Rational(3), 300);
  CHECK(said(many + "(assert (or b0 (> x 0.5)))(get-wmi)", 0) ==
        std::vector<std::string>{shown({(1 - all) / 2, (1 + all) / 2})});
  // A mean has no bounds, as the integral of the weight may be 0.
  CHECK(said(box + "(get-expectation y :given (> x 2))", 0) ==
        std::vector<std::string>{"nothing is known where leaves are open"});
  // The range of the term does not contain 7.
  CHECK(said(box + "(assert (or (<= x 2) (> y 0.5)))(get-density x :at 7)", 1) ==
        std::vector<std::string>{"0 from the left 0"});
}

TEST_CASE("at an open leaf the term may depend on an undecided Boolean") {
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

TEST_CASE("a changed certificate of bounds is rejected, or proves true bounds") {
  Random random(806);
  CAPTURE(random.seed());
  Tally tally;
  std::ptrdiff_t open = 0, products = 0;
  std::vector<Task> tasks = golden_tasks();
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
      const Checked found = checked(task, text);
      const bool right = found.answers && hold(found.certified, truth);
      tally.add(kind, found.answers,
                right ? *found.answers : std::vector<std::string>{"the truth"});
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

TEST_CASE("a certificate with changed numbers or subtrees is rejected, or proves the same") {
  Random random(801);
  CAPTURE(random.seed());
  Tally tally;
  std::ptrdiff_t products = 0;
  std::vector<Task> tasks = golden_tasks();
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
  for (const std::string& file : golden_names()) {
    const Task task = read({file, golden_text(file)})[0];
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
  for (const std::string& file : golden_names()) {
    CAPTURE(file);
    std::string text = std::regex_replace(golden_text(file), std::regex(";[^\n]*"), "");
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

TEST_CASE("layout, comments and names of variables do not matter to a certificate") {
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

TEST_CASE("a product of dependent parts is rejected") {
  // The integral over the triangle x + y <= 1 is not the product of integrals over x and y.
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
