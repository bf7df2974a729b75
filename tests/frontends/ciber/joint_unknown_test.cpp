#include "frontends/ciber/joint_unknown.h"

#include <doctest/doctest.h>

#include "frontends/ciber/network_query.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/frontends/ciber/verify/small_problems.h"
#include "tests/frontends/reading.h"
#include "tests/temporary_directory.h"

namespace wmi::frontends {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

std::string refusal(const std::string& names, const std::string& law) {
  return complaint([&] { read_joint_normal(names, law); });
}

TEST_CASE("a joint law has names, means and a covariance, written out or in files") {
  const auto found =
      read_joint_normal("fc2.weight[0,1..2]", "normal([1, -1/2], [[1,0.5],[0.5,2]])");
  REQUIRE(found);
  CHECK(found->names == std::vector<std::string>{"fc2.weight[0,1]", "fc2.weight[0,2]"});
  CHECK(found->mean == std::vector<Rational>{1, ratio(-1, 2)});
  CHECK(found->covariance == Matrix{{1, ratio(1, 2)}, {ratio(1, 2), 2}});

  const TemporaryDirectory directory;
  const std::string means = directory.file("means.csv", "1\n2\n"),
                    covariance = directory.file("covariance.txt", "1, 1/2\n\n 0.5\t3 \n");
  const auto of_files =
      read_joint_normal("fc1.bias[0],fc1.weight[2,3]", "normal(" + means + ", " + covariance + ")");
  REQUIRE(of_files);
  CHECK(of_files->names == std::vector<std::string>{"fc1.bias[0]", "fc1.weight[2,3]"});
  CHECK(of_files->mean == std::vector<Rational>{1, 2});
  CHECK(of_files->covariance == Matrix{{1, ratio(1, 2)}, {ratio(1, 2), 3}});
}

TEST_CASE("the law of a single entry is none") {
  CHECK_FALSE(read_joint_normal("fc1.weight[0,1]", "normal(0, 1)"));
  CHECK_FALSE(read_joint_normal("fc1.weight[0,1]", "[0, 1]"));
  CHECK_FALSE(read_joint_normal("fc1.weight[0,1]", "3"));
  for (const char* single : {"normal(0, 1)", "normal(1/3)", "normal()", "[0, 1]", "3"})
    CHECK_FALSE(is_joint_normal(single));
  for (const char* joint : {"normal([0], [[1]])", " normal(means.csv, covariance.csv) "})
    CHECK(is_joint_normal(joint));
}

TEST_CASE("mistakes are named") {
  CHECK(refusal("a[0..1]", "[0,1]")
            .starts_with("the joint law of several entries is normal(MEANS, COVARIANCE)"));
  CHECK(refusal("a[3..1]", "normal([0],[[1]])") ==
        "'a[3..1]': write a range of entries as in fc2.weight[0,0..4]");
  CHECK(refusal("a[0..99999]", "normal([0],[[1]])") == "'a[0..99999]': more than 1000 entries");
  CHECK(refusal("a[0]", "normal([0,x],[[1]])").find("'x'") != std::string::npos);
  CHECK(refusal("a[0]", "normal([0], [1])").starts_with("'1': expected numbers in brackets"));
  CHECK(!refusal("a[0]", "normal(no/such/file.csv, [[1]])").empty());
  CHECK(!refusal("a[0]]", "normal([").empty());
}

/// A network with two weights at the input (1, 1), whose outputs are these, and their difference
/// rectified.
Answer answer(const std::string& law, const std::string& question, const std::string& argument) {
  Network network = linear_network(2, 2, {0, 0, 0, 0}, {0, 0}, {});
  network.parameters.find("fc1.weight")->second.entries = {1, 0, 0, 1};
  NetworkQuery asked;
  asked.input = "1,1";
  asked.unknowns = {law};
  asked.questions = {{question, argument}};
  return solve(make_task(network, asked), *make_split(), *make_auto({})).answers.at(0);
}

bool is(const Answer& answer, const char* digits) {
  const Rational expected = parse_fraction(digits);
  return answer.value && abs(answer.value->lower - expected) < ratio(1, 10'000'000) &&
         abs(answer.value->upper - expected) < ratio(1, 10'000'000);
}

TEST_CASE("orthants of correlated weights have their closed forms") {
  // 1/4 + asin(rho) / (2 pi): 1/3 for rho = 1/2, 1/6 for -1/2.
  CHECK(is(answer("fc1.weight[0,0],fc1.weight[1,1]=normal([0,0],[[1,1/2],[1/2,1]])", "probability",
                  "out[0] > 0 and out[1] > 0"),
           "0.333333333333"));
  CHECK(is(answer("fc1.weight[0,0],fc1.weight[1,1]=normal([0,0],[[4,-1],[-1,1]])", "probability",
                  "out[0] > 0 and out[1] > 0"),
           "0.166666666667"));
  // Singular: out[1] = 2 out[0] - 1, out[0] > 1/2; P(Z > 1/2) = 0.308537538726.
  CHECK(is(answer("fc1.weight[0,0],fc1.weight[1,1]=normal([0,-1],[[1,2],[2,4]])", "probability",
                  "out[1] > 0"),
           "0.308537538726"));
  // The names of the entries themselves: X - Y has variance 1 + 3 - 2.
  CHECK(is(answer("fc1.weight[0,0],fc1.weight[1,1]=normal([1,0],[[1,1],[1,3]])", "probability",
                  "fc1.weight[0,0] > fc1.weight[1,1]"),
           "0.760249938906"));
  CHECK(is(answer("fc1.weight[0,0],fc1.weight[1,1]=normal([1,0],[[1,1],[1,3]])", "mean", ""), "1"));
}

TEST_CASE("a rectified sum of correlated weights has its mean") {
  Network network = linear_network(2, 1, {0, 0}, {0}, {{"relu1", encoders::Relu{}, {"fc1"}}});
  NetworkQuery asked;
  asked.input = "1,-1";
  asked.unknowns = {"fc1.weight[0,0..1]=normal([0,0],[[1,1/2],[1/2,1]])"};
  asked.questions = {{"mean", ""}};
  // The difference has variance 1, so the mean is 1 / sqrt(2 pi).
  CHECK(is(solve(make_task(network, asked), *make_split(), *make_auto({})).answers.at(0),
           "0.398942280401"));
}

}  // namespace
}  // namespace wmi::frontends
