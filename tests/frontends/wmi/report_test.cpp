// Answers as they are printed.

#include "frontends/wmi/report.h"

#include <doctest/doctest.h>

#include "tests/frontends/json_lines.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

Query asking(Query::Kind kind, const std::string& text) {
  Query query{};
  query.kind = kind;
  query.text = text;
  return query;
}

TEST_CASE("an unfinished answer shows the known bounds") {
  const Query query = asking(Query::Kind::wmi, "(get-wmi)");
  const Circumstances timeout{.file = {}, .stopped = "--timeout", .measured = {}};
  Answer answer;
  answer.complete = false;
  CHECK(report(query, answer, {}, timeout) == "(get-wmi): stopped by --timeout; no bound known\n");
  answer.upper = 2;
  CHECK(report(query, answer, {}, timeout) == "(get-wmi): stopped by --timeout; at most 2 = 2\n");
  answer.lower = ratio(2, 3);
  CHECK(report(query, answer, {.json = false, .exact = false, .decimals = 3}, timeout) ==
        "(get-wmi): stopped by --timeout; at least 2/3 = 0.666, at most 2 = 2\n");
  CHECK(report(query, answer, {.json = true, .exact = false, .decimals = 3}, timeout) ==
        R"json({"query":"(get-wmi)","exact":null,"decimal":null,"lower":"0.666","upper":"2",)json"
        R"json("stopped":"timeout","cells":0,"exactWithRespectTo":[]})json"
        "\n");
}

TEST_CASE("a rounded density encloses both limits") {
  const Query query = asking(Query::Kind::density, "(get-density x :at 1)");
  Answer answer;
  answer.value = Interval(ratio(1, 3), ratio(2, 3));
  answer.left = Interval(1, 2);
  CHECK(
      report(query, answer, {.json = true, .exact = false, .decimals = 2}) ==
      R"json({"query":"(get-density x :at 1)","exact":null,"decimal":"0.5","lower":"0.33",)json"
      R"json("upper":"0.67","left":null,"right":null,"leftLower":"1","leftUpper":"2","cells":0,)json"
      R"json("exactWithRespectTo":[]})json"
      "\n");
  CHECK(remarks(query, answer).size() == 1);
  answer.left = answer.value;
  CHECK(remarks(query, answer).empty());
  CHECK(report(query, answer, {.json = false, .exact = true, .decimals = 2}) == "[1/3, 2/3]\n");
}

TEST_CASE("text that is not UTF-8 does not break JSON") {
  const std::string line = report(Echo{"a\xff\x1b", 0, {}}, {.json = true, .exact = false});
  CHECK(Json::parse(line)["echo"] == "a\xef\xbf\xbd\x1b");
}

TEST_CASE("text and JSON list the assumptions of an answer") {
  const Query query = asking(Query::Kind::wmi, "(get-wmi)");
  Answer answer;
  answer.value = Interval(1);
  answer.assumptions = {"likelihood: triangular instead of Gaussian"};
  CHECK(contains(report(query, answer, {.json = true}),
                 R"json("exactWithRespectTo":["likelihood: triangular instead of Gaussian"])json"));
  CHECK(remarks(query, answer) ==
        std::vector<std::string>{
            "(get-wmi): exact with respect to likelihood: triangular instead of Gaussian"});
}

}  // namespace
}  // namespace wmi::frontends
