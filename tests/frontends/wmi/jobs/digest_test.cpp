#include "frontends/wmi/jobs/digest.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

TEST_CASE("digests are those of sha256sum") {
  CHECK(digest("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace wmi::frontends
