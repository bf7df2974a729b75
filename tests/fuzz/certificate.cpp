// The checker of certificates. Whatever the bytes say, what it accepts is the truth about this
// problem: y = ReLU(w) + b, w uniform on [-1, 1], and a Boolean with weights 1 and 2.

#include <sstream>

#include "frontends/check/checker.h"
#include "frontends/formats/format.h"
#include "tests/fuzz/target.h"

using namespace wmi;

namespace {

const char* const problem =
    "(declare-const w Real) (declare-const z Real) (declare-const b Bool) (integrate w)\n"
    "(assert (<= (- 1) w 1)) (assert (=> (> w 0) (= z w))) (assert (=> (<= w 0) (= z 0)))\n"
    "(weight b 2)\n"
    "(get-wmi) (get-expectation (+ z (ite b 1 0))) (get-density z :at 0.5)\n";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Task task = frontends::read({"problem", problem}, "smtlib")[0];
  std::istringstream stream{std::string(fuzz::text(data, size))};
  check::Bytes in(stream);
  check::Counts counts;
  try {
    in.expect(check::mark);
    const std::vector<check::Certified> found = check::check(task, in, counts);
    in.expect_end();
    fuzz::require(found[0].value == Rational(6), "the integral is 2 (1 + 2)");
    fuzz::require(found[1].value == ratio(11, 12), "the mean is 1/4 + 2/3");
    fuzz::require(found[2].value == ratio(1, 2), "the density is 1/2");
  } catch (const check::Rejected&) {
  } catch (const Error&) {
  }
  return 0;
}
