// `ciber report`, run as its users run it, on a run directory that was made by hand.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "frontends/data/run_directory.h"
#include "frontends/plots/plain_number.h"
#include "tests/frontends/learning/line_run.h"
#include "tests/frontends/program.h"
#include "tests/markup.h"
#include "tests/process.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("a report of a run is the same page each time") {
  const TemporaryDirectory scratch;
  const std::string run = line_run(scratch);
  const std::string data = scratch.file("new.csv", "x,y\n-1,-1.2\n0,1.9\n1,2.4\n2,5.5\n");
  const std::string out = scratch.path("report.html");
  const Finished made = ciber("report " + run + " --data " + data + " --out " + out);
  CHECK(made.errors == "ciber: wrote " + out + "\n");
  REQUIRE(made.exit == 0);
  const std::string page = contents(out);
  CHECK(well_formed(page));
  CHECK(count(page, "On 4 rows of new.csv") == 1);
  CHECK(count(page, "Along x") >= 1);  // one input: its band
  CHECK(count(page, "<figure>") == 5);
  CHECK(count(page, "was trained on") == 0);
  CHECK(count(page, "posterior: conditional") >= 1);
  CHECK(count(page, "<pre>epochs: 10\n</pre>") == 1);
  CHECK(count(page, "<code>fc2.weight</code>") == 1);
  const Finished again = ciber("report " + run + " --data " + data + " --out - --threads 1");
  CHECK(again.output == page);
}

TEST_CASE("one bad row of a report is one bad row") {
  const TemporaryDirectory scratch;
  const std::string run = line_run(scratch);
  const std::string data = scratch.file("new.csv", "x,y\n-1,-1.2\nz,1.9\n1,\n2,5.5\n");
  const std::string out = scratch.path("report.html");
  const Finished made = ciber("report " + run + " --data " + data + " --out " + out);
  CHECK(made.exit == 1);
  CHECK(made.errors == "ciber: " + data +
                           ":3: column 'x': 'z' is no number\n"
                           "ciber: 1 of 4 rows are left out\n"
                           "ciber: 1 of 4 rows have no 'y' and are left out\n"
                           "ciber: wrote " +
                           out + "\n");
  const std::string page = contents(out);
  CHECK(count(page, "On 2 rows of new.csv") == 1);
  CHECK(count(page, "<td class=\"number\">3</td>") == 1);  // the row's place in the table
}

TEST_CASE("example rows have the values of the table") {
  const TemporaryDirectory scratch;
  std::string table = "kilometres,fuel,price\n";
  for (int i = 0; i < 24; ++i)
    table += std::to_string(10000 + 10001 * i) + (i % 3 == 0 ? ",petrol," : ",diesel & oil,") +
             std::to_string(52000 - 2000 * i + 300 * (i % 5)) + "\n";
  const std::string data = scratch.file("cars.csv", table), run = scratch.path("run");
  REQUIRE(ciber("train " + data +
                " --target price --search no --hidden 3 --epochs 5 --samples 2 --every 1 "
                "--sampling-rate 0.01 "
                "--out " +
                run)
              .exit == 0);
  const Finished made = ciber("report " + run + " --data " + data + " --examples 24 --out -");
  REQUIRE(made.exit == 0);
  CHECK(count(made.output, "<th class=\"number\">fuel</th>") == 1);
  CHECK(count(made.output, "<td class=\"number\">petrol</td>") == 8);
  CHECK(count(made.output, "<td class=\"number\">diesel &amp; oil</td>") == 16);
  CHECK(count(made.output, "<td class=\"number\">130012</td>") == 1);  // row 12
  CHECK(count(made.output, "<td class=\"number\">28600</td>") == 1);   // its price
  CHECK(count(made.output, "e+0") == 0);
}

TEST_CASE("numbers are rounded to few digits behind the point") {
  CHECK(plain_number(32740.6, 4) == "32741");
  CHECK(plain_number(-1234567, 4) == "-1234567");
  CHECK(plain_number(0.25, 4) == "0.25");
  CHECK(plain_number(2, 4) == "2");
  CHECK(plain_number(1.23456, 4) == "1.235");
  CHECK(plain_number(0.00012345, 3) == "0.000123");
  CHECK(plain_number(1e-7, 4) == "1e-07");
  CHECK(plain_number(2.5e12, 4) == "2.5e+12");
  CHECK(plain_number(0, 4) == "0");
}

TEST_CASE("the scores of a plain average of two samples equal those computed by hand") {
  const TemporaryDirectory scratch;
  const std::string run = line_run(scratch);
  // The mean is 1 + 2 x, at both samples' average: errors 0, 1 and -2, so the root of 5/3.
  const std::string data = scratch.file("new.csv", "x,y\n1,3\n2,6\n-1,-3\n");
  const Finished made = ciber("report " + run + " --partition none --out - --data " + data);
  REQUIRE(made.exit == 0);
  CHECK(count(made.output, "<td class=\"number\">1.291</td>") == 1);
  CHECK(count(made.output, "The plain average of the samples.") == 1);
}

TEST_CASE("without --data the training rows are scored, with a warning") {
  const TemporaryDirectory scratch;
  const std::string run = line_run(scratch);
  const Finished made = ciber("report " + run + " --out -");
  CHECK(made.exit == 0);
  CHECK(count(made.output, "was trained on") == 1);
  CHECK(count(made.output, "On 8 rows of the training data") == 1);
  // Rows without outcomes are forecast and not scored.
  const std::string data = scratch.file("new.csv", "x\n1\n2\n");
  const Finished blind = ciber("report " + run + " --out - --data " + data);
  CHECK(blind.exit == 0);
  CHECK(count(blind.output, "nothing is scored") == 1);
  CHECK(count(blind.output, "<td class=\"number\">") > 2);
}

TEST_CASE("a report that cannot be made is refused, and no file is written") {
  const TemporaryDirectory scratch;
  const std::string run = line_run(scratch);
  CHECK(ciber("report").exit == 2);
  CHECK(ciber("report " + run + " --out " + scratch.path("")).exit == 2);
  CHECK(ciber("report " + scratch.path("nowhere")).exit == 1);
  const std::string out = scratch.path("page.html");
  const std::string odd = scratch.file("odd.csv", "x,y\n1,\nred,3\n");
  const Finished made = ciber("report " + run + " --data " + odd + " --out " + out);
  CHECK(made.exit == 1);
  CHECK(made.errors.find("odd.csv:3") != std::string::npos);
  CHECK(!fs::exists(out));
  CHECK(ciber("report " + run + " --out " + scratch.path("no/such/page.html")).exit == 1);
}
