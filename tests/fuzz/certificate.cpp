// The checker of certificates. Whatever the bytes say, what it accepts is the truth about this
// problem: y = ReLU(w) + b, w uniform on [-1, 1], and a Boolean with weights 1 and 2. One that
// carries its problem is checked against that, and against a network: y = ReLU(input) there.

#include <sstream>

#include "frontends/check/checker.h"
#include "frontends/check/program/network.h"
#include "frontends/formats/format.h"
#include "tests/fuzz/target.h"

using namespace wmi;

namespace {

const char* const problem =
    "(declare-const w Real) (declare-const z Real) (declare-const b Bool) (integrate w)\n"
    "(assert (<= (- 1) w 1)) (assert (=> (> w 0) (= z w))) (assert (=> (<= w 0) (= z 0)))\n"
    "(weight b 2)\n"
    "(get-wmi) (get-expectation (+ z (ite b 1 0))) (get-density z :at 0.5)\n";

encoders::Network network() { return {{1}, {{"relu", encoders::Relu{}, {"input"}}}, {"relu"}, {}}; }

/// The rest of a certificate that carries its problem. Throws what is wrong with it.
void check_embedded(check::Bytes& in, const check::EmbeddedProblem& embedded, bool reencode) {
  static const encoders::Network relu = network();
  const std::string definitions =
      reencode ? check::definitions(relu, embedded.values) : embedded.network;
  const Script script =
      frontends::read({"carried", embedded.given() + definitions + embedded.statement}, "smtlib");
  check::Counts counts;
  in.expect(check::mark);
  for (const Task& task : script) check::check(task, in, counts);
  in.expect_end();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Task task = frontends::read({"problem", problem}, "smtlib")[0];
  std::istringstream stream{std::string(fuzz::text(data, size))};
  check::Bytes in(stream);
  check::Counts counts;
  try {
    if (const std::optional<check::EmbeddedProblem> embedded = check::read_embedded(in)) {
      std::istringstream again(stream.str());
      check::Bytes once_more(again);
      check::read_embedded(once_more);
      fuzz::require(once_more.offset() == in.offset(), "what is read twice is the same");
      try {
        check_embedded(in, *embedded, false);
      } catch (const check::Rejected&) {
      }
      check_embedded(once_more, *embedded, true);
      return 0;
    }
    in.expect(check::mark);
    const std::vector<check::Certified> found = check::check(task, in, counts);
    in.expect_end();
    const auto holds = [&](std::size_t i, const Rational& answer) {  // or says nothing of it
      return !found[i].value || found[i].value->contains(answer);
    };
    fuzz::require(holds(0, 6), "the integral is 2 (1 + 2)");
    fuzz::require(holds(1, ratio(11, 12)), "the mean is 1/4 + 2/3");
    fuzz::require(holds(2, ratio(1, 2)), "the density is 1/2");
  } catch (const check::Rejected&) {
  } catch (const Error&) {
  }
  return 0;
}
