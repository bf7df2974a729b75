// ciber predict, run as its users run it.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "solver/terms/rational.h"
#include "tests/frontends/learning/price_run.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

TEST_CASE("intervals contain their means for every posterior and likelihood") {
  const PriceRun folder;
  for (const char* options :
       {"", "--partition none", "--posterior conditional-box", "--posterior minmax",
        "--partition second:3", "--partition last:2 --choose effect",
        "--posterior moment --likelihood triangular", "--variant authors --likelihood smoothed",
        "--variant authors --partition second", "--partition all",
        "--partition all --posterior minmax --width 0.5"}) {
    CAPTURE(options);
    const auto found =
        objects(ciber("predict " + folder.run() + " " + folder.rows() + " --json " + options));
    REQUIRE(found.size() == 2);
    for (const Json& row : found) {
      CHECK(row["low_0.9"] < row["low_0.5"]);
      CHECK(row["low_0.5"] < row["mean"]);
      CHECK(row["mean"] < row["high_0.9"]);
      CHECK(row["crps"] > 0);
      CHECK(row["exactWithRespectTo"].size() >= 3);
    }
  }
}

TEST_CASE("with all weights collapsed, answers name their estimated error and are not certified") {
  const PriceRun folder;
  const std::string line = "predict " + folder.run() + " " + folder.rows() + " --partition all";
  for (const Json& row : objects(ciber(line + " --json"))) {
    const std::string assumptions = row["exactWithRespectTo"].dump();
    CHECK(assumptions.find("all: doubles, estimated error ") != std::string::npos);
    CHECK(assumptions.find("posterior of all: moment") != std::string::npos);
    CHECK(assumptions.find("variance of the outcome: at the sample, not at the") !=
          std::string::npos);
  }
  CHECK(ciber(line).errors.find("estimated error") != std::string::npos);
  const Finished certified = ciber(line + " --digits 9");
  CHECK(certified.exit != 0);
  CHECK(certified.errors.find("products of unknowns") != std::string::npos);
  const Finished formulas = ciber(line + " --likelihood triangular --via wmi");
  CHECK(formulas.exit != 0);
  CHECK(formulas.errors.find("products of unknowns") != std::string::npos);
}

TEST_CASE("probabilities of whole numbers are differences of the distribution function") {
  const PriceRun folder;
  const std::string line = "predict " + folder.run() + " " + folder.rows() + " --json";
  const std::vector<std::string> names{"p_below_2", "p_2", "p_3", "p_4", "p_5", "p_above_5"};
  const auto found = objects(ciber(line + " --discrete"));
  const auto certified = objects(ciber(line + " --discrete --digits 8"));
  REQUIRE(found.size() == 2);
  for (std::size_t i = 0; i < found.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      CAPTURE(names[k]);
      const double p = found[i][names[k]];
      const Json& bounds = certified[i][names[k]];
      const double lower = std::stod(bounds["lower"].get<std::string>());
      const double upper = std::stod(bounds["upper"].get<std::string>());
      CHECK(lower <= p + 1e-10);
      CHECK(upper >= p - 1e-10);
      CHECK(upper - lower < 1e-7);
      // The distribution function at the ends, one at a time.
      const auto below = [&](double y) {
        const auto at = objects(ciber(line + " --at " + std::to_string(y)));
        return at[i]["cdf"].get<double>();
      };
      const double from = k == 0 ? 0 : below(0.5 + static_cast<double>(k));
      const double to = k + 1 == names.size() ? 1 : below(1.5 + static_cast<double>(k));
      CHECK(p == doctest::Approx(to - from).epsilon(1e-9));
      sum += p;
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
  // The outcome of the first row is 4.
  CHECK(std::exp(found[0]["log_probability"].get<double>()) ==
        doctest::Approx(found[0]["p_4"].get<double>()).epsilon(1e-12));
  const PriceRun classes(true);
  CHECK(ciber("predict " + classes.run() + " " + classes.rows() + " --discrete").exit == 2);
}

TEST_CASE("predictions, explanations and reports need no ciber-learning") {
  const PriceRun folder;
  const fs::path alone = folder.path() / "bin";
  fs::create_directory(alone);
  fs::copy_file(program_path("ciber"), alone / "ciber");
  const auto start = [&](const std::string& words) {
    return run(quoted((alone / "ciber").string()) + " " + words);
  };
  const std::string line = "predict " + folder.run() + " " + folder.rows();
  const Finished found = start(line);
  CHECK(found.exit == 0);
  CHECK(found.output == ciber(line).output);
  CHECK(start("explain " + folder.run() + " --row 0").exit == 0);
  CHECK(start("report " + folder.run() + " --out -").exit == 0);
  const Finished reproduced = start("reproduce toy");
  CHECK(reproduced.exit == 1);
  CHECK(contains(reproduced.errors, "needs the program ciber-learning"));
}

TEST_CASE("the authors' variant names their partitions") {
  const PriceRun folder;
  const std::string line = "predict " + folder.run() + " " + folder.rows() + " --json";
  const auto same = [&](const std::string& one, const std::string& other) {
    const auto first = objects(ciber(line + one)), second = objects(ciber(line + other));
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] == second[i]);
  };
  const std::string spelt = " --choose effect --posterior minmax --likelihood triangular";
  same(" --variant authors --partition last --likelihood triangular",
       " --partition last:2+bias --alpha 2.45" + spelt);
  same(" --variant authors --partition second --likelihood triangular",
       " --partition second:2+bias --alpha 2.45" + spelt);
}

TEST_CASE("certified intervals contain the answers in doubles") {
  const PriceRun folder;
  for (const char* options : {"--partition none", "", "--posterior moment", "--partition second:3",
                              "--partition last:2 --posterior minmax --likelihood triangular"}) {
    CAPTURE(options);
    const std::string line =
        "predict " + folder.run() + " " + folder.rows() + " --json --above 4 " + options;
    const auto fast = objects(ciber(line)), certified = objects(ciber(line + " --digits 9"));
    for (std::size_t i = 0; i < fast.size(); ++i) {
      for (const char* name : {"mean", "low_0.9", "high_0.5", "log_density", "cdf", "above"}) {
        CAPTURE(name);
        const double value = fast[i][name];
        const double lower = std::stod(certified[i][name]["lower"].get<std::string>());
        const double upper = std::stod(certified[i][name]["upper"].get<std::string>());
        CHECK(value > lower - 1e-7);
        CHECK(value < upper + 1e-7);
        CHECK(upper - lower < 1e-7);
      }
    }
  }
}

TEST_CASE("a floor applies to densities in doubles, certified and through formulas") {
  const PriceRun folder;
  // Far out the triangular density is 0.
  const std::string line = "predict " + folder.run() +
                           " --input 2,0.5 --at 1000 --json --partition last:2 --posterior minmax "
                           "--likelihood triangular ";
  for (const char* way : {"", "--digits 9", "--via wmi"}) {
    CAPTURE(way);
    const Json found = objects(ciber(line + way + " --floor 0.125"))[0];
    if (*way == '\0')
      CHECK(found["log_density"].get<double>() == doctest::Approx(std::log(0.125)));
    else
      CHECK(found["density"]["exact"] == "1/8");
    if (std::string(way) == "--digits 9")
      CHECK(found["log_density"]["decimal"].get<double>() == doctest::Approx(std::log(0.125)));
    // Where the density is above it, nothing changes.
    const std::string near = "predict " + folder.run() +
                             " --input 2,0.5 --at 4 --json --partition last:2 --posterior minmax "
                             "--likelihood triangular " +
                             way;
    Json plain = objects(ciber(near))[0], floored = objects(ciber(near + " --floor 1e-9"))[0];
    plain.erase("exactWithRespectTo");
    floored.erase("exactWithRespectTo");
    CHECK(plain == floored);
  }
}

TEST_CASE("a floor is refused for classes, which have no densities") {
  const PriceRun folder(true);
  CHECK(ciber("predict " + folder.run() + " " + folder.rows() + " --floor 0.1").errors ==
        "ciber: --floor: is about densities, and the target has classes\n");
}

TEST_CASE("names of classes with commas are quoted in CSV") {
  const PriceRun folder(true);
  const fs::path file = folder.path() / "toy.run" / "run.json";
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::string renamed = text.str();
  renamed.replace(renamed.find("\"red\""), 5, "\"red, or so\"");
  std::ofstream(file) << renamed;
  const std::string output =
      ciber("predict " + folder.run() + " " + folder.rows() + " --digits 5").errors;
  // The table's own word is not among the classes any more.
  CHECK(output.find("'red' was not among the training rows") != std::string::npos);
  std::ofstream(folder.path() / "rows.csv") << "size,age\n2,0.5\n";
  CHECK(ciber("predict " + folder.run() + " " + folder.rows() + " --digits 5")
            .output.starts_with("row,p_blue,\"p_red, or so\",class,p_blue_lower,p_blue_upper,"
                                "\"p_red, or so_lower\",\"p_red, or so_upper\"\n"));
}

TEST_CASE("one bad row is one bad row, and a missing outcome is only not scored") {
  const PriceRun folder;
  folder.file("bad.csv", "id,size,age,price\na,2,0.5,4\nb,x,1,2\nc,2,0.5,\nd,1\ne,2,0.5,4\n");
  const Finished csv = ciber("predict " + folder.run() + " " + folder / "bad.csv" +
                             " --keep id --intervals 0.9 --quantiles 0.5,0.05");
  CHECK(csv.exit == 1);
  CHECK(contains(csv.errors, "ciber: 2 of 5 rows could not be predicted\n"));
  std::istringstream text(csv.output);
  std::vector<std::string> found;
  for (std::string line; std::getline(text, line);) found.push_back(line);
  REQUIRE(found.size() == 6);
  CHECK(found[0] ==
        "row,id,mean,deviation,low_0.9,high_0.9,quantile_0.5,quantile_0.05,outcome,log_density,cdf,"
        "crps,error");
  CHECK(found[2].starts_with("1,b,,,,,,,,,,,"));
  CHECK(contains(found[2], "bad.csv:3: column 'size': 'x' is no number"));
  CHECK(found[4].starts_with("3,d,,,,,,,,,,,"));
  CHECK(found[3].ends_with(",,,,,"));  // no outcome, no scores and no error
  CHECK(found[1].substr(3) == found[5].substr(3));

  const auto rows = [&](const std::string& options) {
    const Finished finished =
        ciber("predict " + folder.run() + " " + folder / "bad.csv" + " --json " + options);
    CHECK(finished.exit == 1);
    std::vector<Json> result;
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) result.push_back(Json::parse(line));
    return result;
  };
  const std::vector<Json> json = rows("--quantiles 0.05 --intervals 0.9");
  CHECK(json[1]["error"].get<std::string>().ends_with("'x' is no number"));
  CHECK(json[0]["quantile_0.05"].get<double>() ==
        doctest::Approx(json[0]["low_0.9"].get<double>()).epsilon(1e-12));
  CHECK(json[2]["crps"].is_null());
  CHECK(json[2]["mean"] == json[0]["mean"]);
  CHECK(rows("--digits 5")[2]["cdf"].is_null());

  folder.file("worse.csv", "size,age\nx,1\n");
  const Finished none = ciber("predict " + folder.run() + " " + folder / "worse.csv");
  CHECK(none.exit == 1);
  CHECK(none.output.empty());
  CHECK(lines(none.errors) == 1);
}

TEST_CASE("certified predictions have the columns of others, and more behind them") {
  const PriceRun folder;
  const std::string line = "predict " + folder.run() + " " + folder.rows();
  const auto header = [](const Finished& finished) {
    return finished.output.substr(0, finished.output.find('\n'));
  };
  CHECK(header(ciber(line + " --digits 5")).starts_with(header(ciber(line)) + ","));
  const Json row = objects(ciber(line + " --digits 25 --json"))[0];
  const Rational low = parse_number(row["deviation"]["lower"].get<std::string>()),
                 high = parse_number(row["deviation"]["upper"].get<std::string>());
  CHECK(low * low <= parse_number(row["variance"]["upper"].get<std::string>()));
  CHECK(high * high >= parse_number(row["variance"]["lower"].get<std::string>()));
  CHECK(high - low < parse_number("1e-20"));
}

TEST_CASE("tables come from standard input and from compressed files, and go to CSV or JSON") {
  const PriceRun folder;
  const std::string start = "predict " + folder.run() + " ";
  const std::string expected = ciber(start + folder.rows()).output;
  const std::string program = quoted(program_path("ciber"));
  CHECK(run("gzip -c " + folder.rows() + " | " + program + " " + start + "-").output == expected);
  CHECK(run("cat " + folder.rows() + " | " + program + " " + start + "/dev/stdin").output ==
        expected);
  const Finished refused = ciber(start + folder.rows() + " --out " + folder / "x.parquet");
  CHECK(refused.exit == 2);
  CHECK(contains(refused.errors, "predictions are written as CSV, or with --json as JSON lines"));
  CHECK(!fs::exists(folder.path("x.parquet")));
  CHECK(ciber(start + folder.rows() + " --out " + folder / "x.json").exit == 2);
  CHECK(ciber(start + folder.rows() + " --json --out " + folder / "x.json").exit == 0);
}

TEST_CASE("a class that looks like a formula is text in CSV, unless that is asked for") {
  const PriceRun folder(true);
  const fs::path file = folder.path() / "toy.run" / "run.json";
  std::string renamed = contents(file);
  for (const std::string name : {"\"red\"", "\"blue\""})
    renamed.replace(renamed.find(name), name.size(), name == "\"red\"" ? "\"=1+1\"" : "\"=2\"");
  std::ofstream(file) << renamed;
  std::ofstream(folder.path() / "rows.csv") << "size,age\n2,0.5\n";
  const std::string predict = "predict " + folder.run() + " " + folder.rows();
  const std::string safe = ciber(predict).output, kept = ciber(predict + " --formulas kept").output;
  CHECK(safe.find(",'=") != std::string::npos);
  CHECK(kept.find(",'=") == std::string::npos);
  CHECK(kept.find(",=") != std::string::npos);
}

TEST_CASE("predict stops at --timeout, with one line, and without it takes its time") {
  const PriceRun folder;
  std::ofstream rows(folder.path() / "rows.csv");
  rows << "size,age\n";
  for (int i = 0; i < 20'000; ++i) rows << i % 7 << ",0.5\n";
  rows.close();
  const std::string predict =
      "predict " + folder.run() + " " + folder.rows() + " --digits 300 --threads 1";
  const Finished stopped = ciber(predict + " --timeout 0.3");
  CHECK(stopped.exit == 3);
  CHECK(stopped.output.empty());
  CHECK(stopped.seconds < 20);
  CHECK(stopped.errors.find("stopped by --timeout after") != std::string::npos);
  CHECK(ciber(predict + " --timeout soon").exit == 2);
  const std::string one = "predict " + folder.run() + " --input 2,0.5";
  CHECK(ciber(one + " --timeout 100").output == ciber(one).output);
}

TEST_CASE("the probabilities of classes sum to 1, certified or not") {
  const PriceRun folder(true);
  for (const char* options : {"--partition none", "", "--posterior minmax",
                              "--partition last:2 "
                              "--posterior minmax"}) {
    CAPTURE(options);
    const std::string line = "predict " + folder.run() + " " + folder.rows() + " --json " + options;
    const auto fast = objects(ciber(line + " --largest")),
               certified = objects(ciber(line + " --digits 8"));
    for (std::size_t i = 0; i < fast.size(); ++i) {
      const double blue = fast[i]["p_blue"], red = fast[i]["p_red"];
      CHECK(blue + red == doctest::Approx(1).epsilon(1e-12));
      CHECK(blue == doctest::Approx(certified[i]["p_blue"]["decimal"].get<double>()).epsilon(1e-6));
      CHECK(fast[i]["largest_blue"].get<double>() + fast[i]["largest_red"].get<double>() ==
            doctest::Approx(1).epsilon(1e-6));
    }
  }
  const std::string exact = "predict " + folder.run() + " " + folder.rows() +
                            " --json --partition last:2 --posterior minmax --largest";
  const auto fast = objects(ciber(exact)), certified = objects(ciber(exact + " --digits 8"));
  CHECK(fast[0]["largest_red"].get<double>() ==
        doctest::Approx(certified[0]["largest_red"]["decimal"].get<double>()).epsilon(1e-4));
  CHECK(parse_number(certified[0]["largest_red"]["lower"].get<std::string>()) >= 0);
}

TEST_CASE("mistakes in arguments of predict are reported in one line") {
  const PriceRun folder;
  const auto error = [&](const std::string& arguments) {
    const Finished finished = ciber(arguments);
    CHECK(finished.exit != 0);
    return finished.errors;
  };
  const std::string start = "predict " + folder.run() + " ";
  CHECK(error("predict") ==
        "ciber: name a run directory and a table: ciber predict RUN DATA.csv\n");
  CHECK(error(start + folder.rows() + " --partition lost")
            .starts_with("ciber: no partition 'lost'; choose none, last"));
  CHECK(error(start + folder.rows() + " --intervals 1.5")
            .starts_with("ciber: --intervals: '1.5' is no list of probabilities"));
  CHECK(error(start + folder.rows() + " --posterior minmx")
            .starts_with("ciber: --posterior: no 'minmx'; choose auto, conditional"));
  CHECK(error(start + "--input 1e300,1 --digits 9")
            .starts_with("ciber: --input:1: column 'size': more than 1e15 standard deviations"));
  CHECK(error(start + "--input 1") == "ciber: --input: 1 values for 2 inputs: size, age\n");
  CHECK(error(start + folder.rows() + " --via wmi") ==
        "ciber: --via wmi: weights of formulas are polynomials; --likelihood triangular\n");
  CHECK(error(start + folder.rows() + " --via wmi --likelihood triangular")
            .starts_with("ciber: posterior 'conditional' is a Gaussian, not a formula"));
}

}  // namespace
}  // namespace wmi::frontends
