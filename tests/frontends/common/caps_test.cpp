// Every cap: inputs of its size are read, larger ones are refused unless the cap is raised.

#include "frontends/common/caps.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <regex>

#include "encoders/enclosure.h"
#include "encoders/layers/quantiser.h"
#include "encoders/layers/window.h"
#include "frontends/formats/format.h"
#include "frontends/networks/onnx/model.h"
#include "frontends/networks/safetensors.h"
#include "solver/integrators/face_plan.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/laws/truncated_powers.h"
#include "tests/frontends/fault_injection.h"
#include "tests/frontends/networks/onnx/message.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

/// A cap with this value, while it lives.
class With {
 public:
  With(Cap& cap, std::size_t value) : cap_(cap) { cap_.set(value); }
  ~With() { cap_.set(cap_.standard()); }
  With(const With&) = delete;
  With& operator=(const With&) = delete;

 private:
  Cap& cap_;
};

std::string times(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

void read_text(const std::string& text) { read({"text", text}, "smtlib"); }

const std::string reals = "(declare-const x Real) (declare-const y Real) (declare-const b Bool)\n";

Polynomial sum_of(std::size_t variables) {
  std::vector<Polynomial::Term> terms;
  for (std::size_t i = 0; i < variables; ++i)
    terms.push_back({{{static_cast<Variable>(i), 1}}, Rational(1)});
  return Polynomial(terms);
}

std::string safetensors(const std::string& header, const std::string& data) {
  std::string result;
  for (std::size_t i = 0; i < 8; ++i) result += static_cast<char>(header.size() >> (8 * i));
  return result + header + data;
}

/// What needs a cap of exactly `size`, where `least` is the smallest that can be tried.
struct Case {
  std::size_t size;
  std::function<void(std::size_t size)> use;
};

const std::map<std::string_view, Case> cases = {
    {"file", {100, [](std::size_t n) { read_text("(get-wmi)" + std::string(n - 9, ' ')); }}},
    {"nesting",
     {30,
      [](std::size_t n) {
        read_text("(assert " + times(n - 1, "(not ") + "true" + times(n, ")"));
      }}},
    {"digits", {50, [](std::size_t n) { parse_number(std::string(n, '9')); }}},
    {"number-digits",
     {190,
      [](std::size_t n) {  // counted in words of 19 digits
        const Polynomial x = Polynomial::variable(0);
        const Polynomial big = power(Polynomial(10), static_cast<unsigned>(n / 2)) * x;
        static_cast<void>(n == 190 ? big * big : big * big * power(Polynomial(10), 40));
      }}},
    {"exponent",
     {9, [](std::size_t n) { read_text("(assert (< (^ 1 " + std::to_string(n) + ") 2))"); }}},
    {"degree",
     {12, [](std::size_t n) { power(Polynomial::variable(0), static_cast<unsigned>(n)); }}},
    {"terms", {20, [](std::size_t n) { sum_of(n) += Polynomial(0); }}},
    {"products",
     {12, [](std::size_t n) { static_cast<void>(sum_of(3) * sum_of(n == 12 ? 4 : 5)); }}},
    {"coefficients",  // a word each for numerators and denominators
     {32, [](std::size_t n) { static_cast<void>(sum_of(n == 32 ? 2 : 3) * sum_of(1)); }}},
    {"choices",
     {3,
      [](std::size_t n) {  // a product of two is one piece and those below; of four, many
        read_text(reals + "(assert (< (* (ite b 1 2) (ite (< x 0) 1 2)" +
                  (n > 3 ? std::string(" (ite (< y 0) x y) (ite (< x y) 1 2)") : "") + ") 3))");
      }}},
    {"moments",
     {10,
      [](std::size_t n) {
        const Polynomial x = Polynomial::variable(0);
        const Polynomial integrand = power(x, static_cast<unsigned>(n - 1));
        MomentTable(std::span(&integrand, 1), 1);
      }}},
    {"knots",
     {6,
      [](std::size_t n) {
        std::vector<TruncatedPowers::Knot> knots;
        for (std::size_t i = 0; i < n; ++i)
          knots.push_back({Rational(static_cast<unsigned long>(i)), {Rational(1)}});
        if (TruncatedPowers(knots).too_long()) throw Error("too long");
      }}},
    {"plan",
     {400,
      [](std::size_t n) {
        try {
          check_plan_memory(n);
        } catch (const PlanTooLarge& error) {
          throw Error(error.what());
        }
      }}},
    {"push", {8, [](std::size_t n) { read_text("(push " + std::to_string(n) + ")"); }}},
    {"distinct",
     {5, [](std::size_t n) { read_text(reals + "(assert (distinct" + times(n, " x") + "))"); }}},
    {"macro-terms",
     {40,
      [](std::size_t n) {
        read_text(reals + "(define-fun f ((z Real)) Real (+ z 1))\n(assert (< (+" +
                  times(n == 40 ? 13 : 14, " (f x)") + ") 2))");
      }}},
    {"macro-depth",
     {12,
      [](std::size_t n) {
        read_text(reals + "(define-fun f ((z Real)) Real (+ z 1))\n(assert (< " +
                  times(n == 12 ? 11 : 20, "(f ") + "x" + times(n == 12 ? 11 : 20, ")") + " 2))");
      }}},
    {"states",
     {60,
      [](std::size_t n) {
        read_text(reals + times(n == 60 ? 3 : 40, "(push 1) (assert (< x y)) (get-wmi) (pop 1)\n"));
      }}},
    {"header",
     {64,
      [](std::size_t n) {
        parse_safetensors(safetensors("{" + std::string(n - 2, ' ') + "}", ""));
      }}},
    {"tensors",
     {6,
      [](std::size_t n) {
        const std::string size = std::to_string(n);
        parse_safetensors(safetensors(
            R"({"t":{"dtype":"U8","shape":[)" + size + R"(],"data_offsets":[0,)" + size + "]}}",
            std::string(n, '\1')));
      }}},
    {"fields",
     {8,  // five of the model itself, and one for each node
      [](std::size_t n) { onnx::parse_model(model_message(times(n - 5, field(1, "")))); }}},
    {"entries",
     {24,
      [](std::size_t n) {
        encoders::checked_entries({n / 4, 4}, n % 4);
      }}},
    {"seen",
     {36,  // a window of 2 x 2 in nine places; of 3 x 2 in six
      [](std::size_t n) {
        encoders::Windows({1, 4, std::size_t{n == 36 ? 4U : 5U}}, {2, 2}, {{1, 1}, {0, 0}, {0, 0}});
      }}},
    {"steps",
     {7,
      [](std::size_t n) {
        encoders::Attributes attributes(
            {{"step", Rational(1)}, {"low", Rational(0)}, {"high", Rational(n)}});
        encoders::Quantiser::make(attributes);
      }}},
    {"pieces",
     {20,
      [](std::size_t n) {
        encoders::EnclosureRequest request;
        request.low = -8;
        request.high = 8;
        request.pieces = n;
        encoders::enclose(encoders::Smooth::tanh, request);
      }}},
};

/// Those of tables are tested with the tables, in tests/learning.
const std::vector<std::string_view> of_tables = {"columns", "cells", "inputs", "words", "unpacked"};

TEST_CASE("every cap is tested") {
  for (const Cap* cap : all_caps()) {
    CAPTURE(cap->name());
    const bool of_table = std::ranges::find(of_tables, cap->name()) != of_tables.end();
    CHECK(cases.contains(cap->name()) != of_table);
    CHECK(cap->value() == cap->standard());
    CHECK(cap->standard() <= cap->greatest());
  }
  CHECK(all_caps().size() == cases.size() + of_tables.size());
  // What headers promise without them.
  CHECK(wmi::caps::knots.standard() == TruncatedPowers::max_knots);
}

TEST_CASE("inputs up to a cap are read, larger ones only if it is raised") {
  for (Cap* cap : all_caps()) {
    const auto found = cases.find(cap->name());
    if (found == cases.end()) continue;
    CAPTURE(cap->name());
    const auto& [size, use] = found->second;
    {
      const With lowered(*cap, size);
      CHECK_NOTHROW(use(size));
      CHECK_THROWS_AS(use(size + 1), Error);
    }
    const With raised(*cap, cap->standard() + 1);
    CHECK_NOTHROW(use(size + 1));
  }
}

/// `10 000 000`
std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

TEST_CASE("docs/language.md lists every cap with its value") {
  const std::string page = contents((source_directory() / "docs" / "language.md").string());
  for (const Cap* cap : all_caps()) {
    const std::string row = "| `" + std::string(cap->name()) + "` | " + std::string(cap->what()) +
                            " | " + grouped(cap->standard()) + " |\n";
    CAPTURE(row);
    CHECK(contains(page, row));
  }
}

TEST_CASE("several caps are set together or not at all") {
  set_caps("digits=20000,push=7");
  CHECK(wmi::caps::digits == 20'000);
  CHECK(caps::push == 7);
  set_caps("digits=" + std::to_string(wmi::caps::digits.standard()) +
           ",push=" + std::to_string(caps::push.standard()));
  const auto complaint = [](const std::string& text) {
    try {
      set_caps(text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(complaint("digits") == "'digits': write NAME=VALUE, as in digits=20000");
  CHECK(complaint("push=7,digits=0") == "'0' is no whole number from 1 to 1000000000, for digits");
  CHECK(complaint("degree=50001") == "'50001' is no whole number from 1 to 50000, for degree");
  CHECK(complaint("digits=1e9").starts_with("'1e9' is no whole number"));
  CHECK(complaint("digit=5").starts_with("no cap named 'digit'; choose file, nesting, digits, "));
  for (const Cap* cap : all_caps()) CHECK(cap->value() == cap->standard());
}

TEST_CASE("--cap raises caps of a file, for wmi and for wmi-check") {
  const TemporaryDirectory directory;
  const std::string number = "1" + std::string(12'000, '0');
  const std::string file =
      directory.file("long.smt2", "(declare-const x Real) (assert (<= 0 (* " + number + " x) " +
                                      number + "))\n(get-wmi)\n");
  const Finished refused = wmi({file});
  CHECK(refused.exit == 1);
  CHECK(contains(refused.errors, "a numeral of more than 10000 digits"));
  const std::string proof = directory.path("proof");
  const Finished read = wmi({"--cap", "digits=20000", "--certificate", proof, file});
  CHECK(read.exit == 0);
  CHECK(read.output == "1 = 1\n");
  CHECK(wmi({"--cap=push=5,digits=20000", "--cap", "terms=9", file}).exit == 0);

  const Finished unknown = wmi({"--cap", "digit=20000", file});
  CHECK(unknown.exit == 2);
  CHECK(unknown.errors.starts_with("wmi: --cap: no cap named 'digit'; choose file, "));

  CHECK(run_program("wmi-check", {file, proof}).exit == 1);
  CHECK(run_program("wmi-check", {"--cap", "digits=20000", file, proof}).exit == 0);
  CHECK(run_program("wmi-check", {"--cap", "digits", file, proof}).exit == 2);
}

}  // namespace
}  // namespace wmi::frontends
