#include "frontends/common/utf8.h"

#include <doctest/doctest.h>

using wmi::frontends::utf8_length;

TEST_CASE("a character has as many bytes as UTF-8 gives it") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("é.") == 2);
  CHECK(utf8_length("∈.") == 3);
  CHECK(utf8_length("𝑥.") == 4);
}

TEST_CASE("malformed UTF-8 has length 0") {
  CHECK(utf8_length("") == 0);
  CHECK(utf8_length("\x80") == 0);              // a continuation byte by itself
  CHECK(utf8_length("\xe2\x88") == 0);          // cut off
  CHECK(utf8_length("\xe2(\xa1") == 0);         // a letter where a continuation belongs
  CHECK(utf8_length("\xc0\xaf") == 0);          // '/' in two bytes
  CHECK(utf8_length("\xe0\x80\xaf") == 0);      // '/' in three bytes
  CHECK(utf8_length("\xed\xa0\x80") == 0);      // a surrogate
  CHECK(utf8_length("\xf4\x90\x80\x80") == 0);  // beyond the last character
  CHECK(utf8_length("\xff") == 0);
}
