#include "frontends/learning/experiments/markdown.h"

#include <doctest/doctest.h>

using namespace wmi::frontends;

TEST_CASE("paragraphs and list items are wrapped, tables are not") {
  CHECK(wrapped("# A title of some length\none two\nthree four\n\n| a table | of words |\n", 10) ==
        "# A title of some length\none two\nthree four\n\n| a table | of words |\n");
  CHECK(wrapped("- one two three\n  four\n- five\n", 10) == "- one two\n  three\n  four\n- five\n");
  CHECK(wrapped("one two `x y z` end\n", 11) == "one two\n`x y z` end\n");
  CHECK(wrapped("one two - three 4. five\n", 8) == "one\ntwo -\nthree 4.\nfive\n");
  CHECK(wrapped("one\n\n    a command of some length\n", 10) ==
        "one\n\n    a command of some length\n");
  CHECK(wrapped("all 10 000, or 90 %\n", 8) == "all\n10 000,\nor 90 %\n");
}
