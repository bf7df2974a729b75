// Jobs as users run them: split, part, units, join; against one process, byte for byte.

#include "frontends/wmi/jobs/job.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "frontends/wmi/jobs/digest.h"
#include "tests/process.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace wmi::tests {
namespace {

namespace fs = std::filesystem;

const std::string wmi = ::quoted(program_path("wmi"));

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

/// Many planes through a cube, each of which changes the weight; and questions of several kinds.
std::string planes(int count) {
  std::ostringstream out;
  out << "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
         "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n";
  for (int i = 1; i <= count; ++i)
    out << "(weight (< (+ x (* (- " << (i * 7) % 11 << " 5) y) (* (- " << (i * 5) % 13
        << " 6) z)) (/ (- " << (i * 37) % 29 << " 9) 7)) (+ 1 (/ x " << i + 1 << ")))\n";
  out << "(get-wmi)\n(get-probability (< x y))\n(get-variance (+ x z))\n(get-density y :at 0.25)\n"
         "(check-sat)\n";
  return out.str();
}

struct Directory {
  TemporaryDirectory place;
  std::string path(const std::string& name) const { return (place.path() / name).string(); }
  std::string file = path("problem.smt2");
  std::string job = path("job");

  Finished split(const std::string& options) const {
    return run(wmi + " split " + ::quoted(file) + " --out " + ::quoted(job) + " " + options);
  }
  Finished part(const std::string& unit, const std::string& options = "") const {
    return run(wmi + " part " + ::quoted(job) + " --unit " + unit + " " + options);
  }
  std::vector<std::string> units() const {
    return lines(run(wmi + " units " + ::quoted(job)).output);
  }
  void solve_all(const std::string& options = "") const {
    for (std::vector<std::string> open; !(open = units()).empty();)
      for (const std::string& unit : open) REQUIRE(part(unit, options).exit == 0);
  }
  Finished join(const std::string& options = "") const {
    return run(wmi + " join " + ::quoted(job) + " " + options);
  }
  Finished whole(const std::string& options = "") const {
    return run(wmi + " " + ::quoted(file) + " " + options);
  }
  fs::path done(const std::string& unit) const { return fs::path(job) / "done" / unit; }
};

void check_same(const Finished& found, const Finished& expected) {
  CHECK(found.output == expected.output);
  CHECK(found.errors == expected.errors);
  CHECK(found.exit == expected.exit);
}

TEST_CASE("every golden file is answered by a job as by one process") {
  int jobs = 0, divided = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(source_directory()) / "tests/golden")) {
    const std::string file = entry.path().string();
    if (!file.ends_with(".smt2") || file.ends_with("sum_of_twenty.smt2")) continue;
    CAPTURE(file);
    Directory in;
    in.file = file;
    const Finished expected = in.whole("--json --threads 1");
    const Finished split = in.split("--parts 5");
    if (split.exit != 0) {
      if (split.errors.find("are not divided into work units") != std::string::npos) {
        CHECK(split.exit == 1);
        continue;
      }
      CHECK(split.errors == expected.errors);
      CHECK(split.exit == expected.exit);
      continue;
    }
    in.solve_all("--budget 0.002 --into 2");
    ++jobs;
    divided += fs::exists(in.done("2"));
    Finished joined = in.join("--json --recheck 1");
    for (int round = 2; round < 5 && joined.exit == 3; ++round) {  // of smooth functions
      in.solve_all();
      joined = in.join("--json --recheck 1");
    }
    check_same(joined, expected);
  }
  CHECK(jobs > 20);
  CHECK(divided > 4);
}

TEST_CASE("a larger problem, by every enumerator, with units that hand back most of their work") {
  for (const char* options : {"", "--digits 5", "--enumerator exact-split", "--enumerator z3"}) {
    CAPTURE(options);
    Directory in;
    write(in.file, planes(std::string(options).ends_with("z3") ? 4 : 12));
    REQUIRE(in.split(std::string(options) + " --parts 9").exit == 0);
    in.solve_all("--budget 0.003 --into 3");
    check_same(in.join("--json --recheck 2"), in.whole(std::string(options) + " --json"));
    check_same(in.join(), in.whole(options));
  }
}

TEST_CASE("integrals that cancel need a second round with more digits") {
  // The integral of x^3 - 1/4, nearly, over the unit cube, cut into cells that cancel.
  Directory in;
  write(in.file,
        "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
        "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n"
        "(weight true (- (* 1.000000001 x x x) 0.25))\n"
        "(weight (< (+ x y z) 1) 0.9999999999)\n(weight (< (+ x y) z) 0.9999999999)\n"
        "(weight (< (+ x z) y) 0.9999999999)\n(weight (< (+ y z) x) 0.9999999999)\n(get-wmi)\n");
  REQUIRE(in.split("--parts 2 --digits 8").exit == 0);
  in.solve_all();
  int rounds = 1;
  Finished joined = in.join();
  for (; joined.exit == 3 && rounds < 6; ++rounds) {
    CHECK(joined.output == "");
    in.solve_all();
    joined = in.join();
  }
  CHECK(rounds > 1);
  CHECK(fs::exists(fs::path(in.job) / "done-2/1"));
  check_same(joined, in.whole("--digits 8"));

  for (const char* wrong : {R"({"wmi-job-round":[[]]})", R"({"wmi-job-round":[["none","none"]]})",
                            R"({"wmi-job-round":[["other"]]})", "{}", ""}) {
    CAPTURE(wrong);
    write(fs::path(in.job) / "round.json", wrong);
    const Finished refused = in.join();
    CHECK(refused.exit == 1);
    CHECK(refused.output == "");
    CHECK(lines(refused.errors).size() == 1);
    CHECK(refused.errors.find("round.json: ") != std::string::npos);
  }
}

TEST_CASE("a unit that is done twice counts once, and its first result stays") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  REQUIRE(in.part("1").exit == 0);
  const std::string first = read(in.done("1"));
  const Finished again = in.part("1", "--budget 0.0001");
  CHECK(again.exit == 0);
  CHECK(again.errors == "wmi: unit 1 is done already\n");
  CHECK(read(in.done("1")) == first);
  in.solve_all();
  check_same(in.join(), in.whole());
}

TEST_CASE("of two results of a unit that are written at once, the first one stays") {
  const TemporaryDirectory place;
  frontends::JobDescription description;
  description.program = "wmi";
  description.command = "split";
  description.files = description.inputs = {"problem.smt2"};
  const frontends::Job job =
      frontends::Job::create(place.path() / "job", description, {"(get-wmi)"});
  frontends::UnitRecord record = job.blank("1", {SearchPath()});
  record.trees = {SearchTree::leaf(SearchTree::State::finished)};
  CHECK(job.keep(record));
  const std::string first = read(job.file_of("1"));
  record.seconds = 9;
  CHECK_FALSE(job.keep(record));
  CHECK(read(job.file_of("1")) == first);
  job.replace(record);
  CHECK(read(job.file_of("1")) == to_text(record));
  const fs::directory_iterator files(job.file_of("1").parent_path());
  CHECK(std::distance(begin(files), end(files)) == 1);  // no draft is left
}

TEST_CASE("results of units that a lost unit had left otherwise are not counted") {
  Directory in;
  write(in.file, planes(12));
  REQUIRE(in.split("--parts 1").exit == 0);
  REQUIRE(in.part("1", "--budget 0.000001 --into 4").exit == 0);
  in.solve_all();
  REQUIRE(fs::exists(in.done("1.3")));
  fs::remove(in.done("1"));
  REQUIRE(in.part("1", "--budget 0.000001 --into 2").exit == 0);  // 1.2 is more than it was
  const Finished refused = in.join();
  CHECK(refused.exit == 1);
  CHECK(refused.output == "");
  CHECK(refused.errors.find("of other places of the search than its unit") != std::string::npos);
  in.solve_all();
  check_same(in.join(), in.whole());
}

TEST_CASE("a unit can be handed back as often as it takes") {
  // A chain of cells, one a process: the names of the units become longer than those of files.
  Directory in;
  std::ostringstream chain;
  chain << "(declare-const x Real) (assert (<= 0 x 1))\n";
  for (int i = 1; i <= 70; ++i) chain << "(weight (< x (/ " << i << " 71)) (/ 1001 1000))\n";
  write(in.file, chain.str() + "(get-wmi)\n");
  REQUIRE(in.split("--parts 1").exit == 0);
  std::string unit = "1";
  for (;; unit += ".1") {
    REQUIRE(in.part(unit, "--budget 0.000001 --into 1").exit == 0);
    if (in.units().empty()) break;
  }
  CHECK(unit.size() > 100);
  check_same(in.join("--json --recheck 3"), in.whole("--json"));
}

TEST_CASE("units are listed as JSON, with what is wrong with them") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  write(in.done("2"), "");
  const std::string units = wmi + " units " + ::quoted(in.job) + " --json";
  CHECK(run(units).output == "{\"unit\":\"2\",\"places\":1,\"problem\":\"" + in.done("2").string() +
                                 ": damaged: it is cut off; solve the unit again\"}\n");
  const std::vector<std::string> done = lines(run(units + " --done").output);
  REQUIRE(done.size() == 4);
  CHECK(done[0].starts_with("{\"unit\":\"0\",\"seconds\":0."));
  CHECK(done[0].ends_with(",\"left\":4}"));
  CHECK(done[1].ends_with(",\"left\":0}"));
}

TEST_CASE("units by two builds of a version are joined with a warning") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  const std::string text = read(in.done("2"));
  std::string body = text.substr(0, text.find('\n') + 1);
  body.insert(body.find("\"build\":\"") + 9, "00");
  write(in.done("2"), body + frontends::digest(body) + "\n");
  const Finished joined = in.join("--recheck 9");
  CHECK(joined.output == in.whole().output);
  CHECK(joined.exit == 0);
  CHECK(joined.errors.find("units 0 and 2 are by two builds of version") != std::string::npos);
}

TEST_CASE("damaged and foreign files are named in one line, and can be made good") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  const Finished expected = in.whole();
  check_same(in.join(), expected);
  const std::string good = read(in.done("2"));

  const auto refused = [&](const std::string& what) {
    CAPTURE(what);
    const Finished joined = in.join();
    CHECK(joined.exit == 1);
    CHECK(joined.output == "");
    CHECK(lines(joined.errors).size() == 1);
    CHECK(joined.errors.find("done/2: ") != std::string::npos);
    CHECK(joined.errors.find(what) != std::string::npos);
    CHECK(in.units() == std::vector<std::string>{"2"});
    CHECK(in.part("2").exit == 0);
    check_same(in.join(), expected);
  };
  write(in.done("2"), good.substr(0, good.size() / 2));
  refused("damaged: it is cut off");
  write(in.done("2"), "");
  refused("damaged: it is cut off");
  std::string changed = good;
  changed[changed.size() / 2] ^= 1;
  write(in.done("2"), changed);
  refused("damaged: its digest does not match");
  write(in.done("2"), read(in.done("3")));
  refused("of another job, round or unit");
  const std::string version = "\"version\":\"" + frontends::program_version() + "\"";
  std::string body = good.substr(0, good.find('\n') + 1);
  body.replace(body.find(version), version.size(), "\"version\":\"0.0.1\"");
  write(in.done("2"), body + frontends::digest(body) + "\n");
  refused("written by version 0.0.1");

  write(fs::path(in.job) / "input/problem.smt2", planes(9));
  CHECK(in.join().errors.find("has changed since the job was made") != std::string::npos);
  CHECK(in.join().exit == 1);
}

TEST_CASE("a root that is lost, damaged or another job's is made again by part --unit 0") {
  Directory in, other;
  write(in.file, planes(8));
  write(other.file, planes(9));
  REQUIRE(in.split("--parts 4").exit == 0);
  REQUIRE(other.split("--parts 4").exit == 0);
  in.solve_all();
  const std::string good = read(in.done("0"));
  for (const std::string& bad : {std::string(), good.substr(0, 99), read(other.done("0"))}) {
    write(in.done("0"), bad);
    CHECK(in.units() == std::vector<std::string>{"0"});
    CHECK(in.part("1").exit == 1);  // nothing says where it is
    CHECK(in.part("0").exit == 0);
    check_same(in.join(), in.whole());
  }
  fs::remove_all(fs::path(in.job) / "done");
  CHECK(in.join().exit == 3);
  in.solve_all();
  check_same(in.join("--recheck 9"), in.whole());
}

TEST_CASE("what is no plain file in the place of a result is replaced, and not followed") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  const fs::path mine = in.path("mine");
  write(mine, "not a result");
  const std::string pipe = "mkfifo " + ::quoted(in.done("2").string());
  for (const char* what : {"pipe", "link", "dangling", "loop", "device"}) {
    CAPTURE(what);
    fs::remove(in.done("2"));
    if (what == std::string("pipe"))
      REQUIRE(run(pipe).exit == 0);
    else
      fs::create_symlink(what == std::string("link")       ? mine.string()
                         : what == std::string("dangling") ? "/nothing/there"
                         : what == std::string("loop")     ? in.done("2").string()
                                                           : "/dev/zero",
                         in.done("2"));
    CHECK(in.join().exit == 1);
    CHECK(lines(in.join().errors).size() == 1);
    CHECK(in.units() == std::vector<std::string>{"2"});
    CHECK(in.part("2").exit == 0);
    check_same(in.join(), in.whole());
  }
  CHECK(read(mine) == "not a result");
  fs::remove(in.done("2"));
  fs::create_directory(in.done("2"));
  const Finished refused = in.part("2");
  CHECK(refused.exit == 1);
  CHECK(refused.errors.find("done/2: Is a directory") != std::string::npos);
}

TEST_CASE("a job is there as a whole or not at all, and nothing else is removed") {
  Directory in;
  write(in.file, planes(8));
  // A process that was killed has left its draft.
  fs::create_directories(fs::path(in.job) / ".making-elsewhere-1/input");
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  check_same(in.join(), in.whole());

  Directory used;
  write(used.file, "(declare-const x Real) (get-wmi");
  CHECK(used.split("").exit == 1);
  CHECK_FALSE(fs::exists(used.job));
  fs::create_directory(used.job);
  CHECK(used.split("").exit == 1);
  CHECK(fs::is_empty(used.job));  // it was there before
  write(fs::path(used.job) / "mine", "some notes");
  write(used.file, planes(8));
  CHECK(used.split("").exit == 1);
  CHECK(used.split("").errors.find("is there already") != std::string::npos);
  CHECK(read(fs::path(used.job) / "mine") == "some notes");
}

TEST_CASE("two processes that make the same job make one") {
  for (int attempt = 0; attempt < 5; ++attempt) {
    Directory in;
    write(in.file, planes(8));
    write(in.path("other.smt2"), planes(9));
    const std::string out = " --parts 6 --out " + ::quoted(in.job) + " & ";
    run(wmi + " split " + ::quoted(in.file) + out + wmi + " split " +
        ::quoted(in.path("other.smt2")) + out + "wait");
    in.solve_all();
    const Finished joined = in.join(), first = in.whole();
    const Finished second = run(wmi + " " + ::quoted(in.path("other.smt2")));
    CHECK(joined.exit == 0);
    CHECK((joined.output == first.output || joined.output == second.output));
  }
}

TEST_CASE("a description that was changed is refused, or begins another job") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 4").exit == 0);
  in.solve_all();
  const fs::path file = fs::path(in.job) / "job.json";
  const std::string good = read(file);
  for (const auto& [old, by] : std::vector<std::pair<std::string, std::string>>{
           {"[\"" + in.file + "\"]", "[]"},
           {"\"parts\": 4", "\"parts\": -4"},
           {"\"parts\": 4", "\"parts\": 44444444444444444444444"},
           {"\"split\"", "\"join\""},
           {"\"input", "\"../input"},
           {"\"arguments\": []", "\"arguments\": [\"--nothing\"]"},
           {"problem.smt2\"],\n \"digests", "problem2.smt2\"],\n \"digests"}}) {
    CAPTURE(by);
    if (good.find(old) == std::string::npos) continue;
    write(file, std::string(good).replace(good.find(old), old.size(), by));
    for (const Finished& found : {in.part("0"), in.join()}) {
      CHECK((found.exit == 1 || found.exit == 2));
      CHECK(found.output == "");
      CHECK(found.errors.starts_with("wmi: "));
    }
  }
  write(file, std::string(good).replace(good.find("\"parts\": 4"), 10, "\"parts\": 7"));
  CHECK(in.units() == std::vector<std::string>{"0"});
  in.solve_all();
  check_same(in.join(), in.whole());

  write(file, good);
  fs::remove(fs::path(in.job) / "input/problem.smt2");
  CHECK(in.join().errors.find("input/problem.smt2: cannot be opened") != std::string::npos);
}

TEST_CASE("a result that is forged with a right digest is found when the unit is solved again") {
  Directory in;
  write(in.file, planes(8));
  REQUIRE(in.split("--parts 3").exit == 0);
  in.solve_all();
  CHECK(in.join("--recheck 100").exit == 0);
  const std::string good = read(in.done("1"));
  std::string body = good.substr(0, good.find('\n') + 1);
  const std::size_t sums = body.find("\"sums\":[\"") + 9;
  body.insert(sums, "1");
  write(in.done("1"), body + frontends::digest(body) + "\n");
  CHECK(in.join().exit == 0);  // nothing shows it
  const Finished found = in.join("--recheck 100");
  CHECK(found.exit == 1);
  CHECK(found.output == "");
  CHECK(found.errors.find("done/1: wrong: solved again") != std::string::npos);
}

TEST_CASE("open units give bounds, which narrow as units are done") {
  Directory in;
  write(in.file,
        "(declare-const x Real) (declare-const y Real)\n(assert (and (<= 0 x 1) (<= 0 y 1)))\n"
        "(weight (< x 0.5) 3)\n(weight (< y 0.5) 2)\n(weight (< (+ x y) 1) (+ 1 x))\n(get-wmi)\n");
  REQUIRE(in.split("--parts 4").exit == 0);
  CHECK(in.join().exit == 3);
  CHECK(in.join().errors.find("units are open, the first is 1 (done: 0)") != std::string::npos);
  const std::vector<std::string> units = in.units();
  REQUIRE(units.size() >= 2);
  const Finished before = in.join("--allow-open");
  CHECK(before.exit == 3);
  CHECK(before.output.starts_with("(get-wmi): stopped by"));
  CHECK(before.errors.find("open units") != std::string::npos);
  REQUIRE(in.part(units[0]).exit == 0);
  const Finished later = in.join("--allow-open");
  CHECK(later.output.starts_with("(get-wmi): stopped by"));
  CHECK(later.output != before.output);
  in.solve_all();
  check_same(in.join("--allow-open"), in.whole());
}

/// Smooth weights in some cells.
constexpr const char* smooth_problem =
    "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
    "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n"
    "(weight true (exp (- (* x y))))\n(weight (< (+ x y) 1) (sigmoid (+ x z)))\n"
    "(weight (< z (* 2 x)) 3)\n(weight (< (- z y) 0.25) (+ 1 x))\n";

TEST_CASE("smooth functions are divided, in rounds of more and more digits") {
  for (const char* options : {"", "--digits 4"}) {
    CAPTURE(options);
    Directory in;
    write(in.file, std::string(smooth_problem) +
                       "(get-wmi)\n(get-probability (< x y))\n(get-expectation (- z 0.5))\n");
    REQUIRE(in.split(std::string(options) + " --parts 4").exit == 0);
    in.solve_all("--budget 0.01 --into 2");
    Finished joined = in.join();
    for (int round = 2; round < 5 && joined.exit == 3; ++round) {
      in.solve_all("--budget 0.01");
      joined = in.join();
    }
    check_same(joined, in.whole(std::string(options) + " --threads 1"));
    check_same(in.join("--json"), in.whole(std::string(options) + " --json"));
  }
  Directory in;
  write(in.file, std::string(smooth_problem) + "(get-quantile x 0.5)\n");
  const Finished refused = in.split("");
  CHECK(refused.exit == 1);
  CHECK(refused.errors.find("not divided into work units") != std::string::npos);
}

TEST_CASE("with a gap, no unit is needed any more once the bounds are narrow enough") {
  for (const char* options : {"--gap 1/5", "--gap 1/5 --proof"}) {
    CAPTURE(options);
    Directory in;
    const std::string problem = planes(12);
    write(in.file,
          problem.substr(0, problem.find("(get-wmi)")) + "(get-probability (< (+ x (* 2 y)) 1))\n");
    REQUIRE(in.split(std::string(options) + " --parts 20").exit == 0);
    const std::string exact = in.whole().output;
    std::size_t solved = 0;
    for (std::vector<std::string> open; !(open = in.units()).empty(); ++solved) {
      CHECK(in.join().exit == 3);
      CHECK(in.join().errors.find("wider than the gap") != std::string::npos);
      REQUIRE(in.part(open[0]).exit == 0);
    }
    const Finished joined = in.join();
    CHECK(joined.exit == 0);
    CHECK(joined.output.starts_with("["));
    CHECK(solved > 0);
    CHECK(solved < 20);
    double lower = 0, upper = 0;
    REQUIRE(std::sscanf(joined.output.c_str(), "[%lf, %lf]", &lower, &upper) == 2);
    const double value = std::stod(exact);
    CHECK(lower <= value);
    CHECK(value <= upper);
    CHECK(upper - lower <= 0.2);
  }
}

TEST_CASE("a part that is killed leaves nothing, and one that is terminated what it found") {
  Directory in;
  write(in.file, planes(40));
  REQUIRE(in.split("--parts 1").exit == 0);
  run("timeout -s KILL 0.3 " + wmi + " part " + ::quoted(in.job) + " --unit 1");
  CHECK_FALSE(fs::exists(in.done("1")));
  CHECK(in.units() == std::vector<std::string>{"1"});
  Finished ended;
  for (const char* seconds : {"0.3", "0.6", "1.2", "2.4"}) {  // on a busy machine, it starts late
    ended = run("timeout --preserve-status -s TERM " + std::string(seconds) + " " + wmi + " part " +
                ::quoted(in.job) + " --unit 1");
    if (ended.exit == 0) break;
  }
  CHECK(ended.exit == 0);
  CHECK(fs::exists(in.done("1")));
  CHECK(in.units().size() > 1);
  in.solve_all();
  check_same(in.join("--json"), in.whole("--json"));
}

TEST_CASE("at its --memory a part hands the rest back, and smaller processes go on") {
  // 256 cells of nine dimensions, of which each needs some megabytes.
  Directory in;
  std::ostringstream chain;
  for (int i = 1; i <= 9; ++i)
    chain << "(declare-const x" << i << " Real) (assert (<= 0 x" << i << " 1))\n";
  for (int i = 1; i < 9; ++i)
    chain << "(weight (< (+ x" << i << " x" << i + 1 << " (* (/ 1 2) x" << i * 5 % 9 + 1 << ")) (/ "
          << i % 3 + 1 << " 2)) (+ 1 x" << i << "))\n";
  write(in.file, chain.str() + "(get-wmi)\n");
  REQUIRE(in.split("--parts 1").exit == 0);
  bool done = false;
  for (int megabytes = 20; !done && megabytes < 400; megabytes += 2) {
    const Finished ended = in.part("1", "--memory " + std::to_string(megabytes) + "M");
    done = ended.exit == 0;
    if (done) break;
    CHECK(ended.exit == 3);
    CHECK(ended.errors == "wmi: stopped by --memory; the unit is not done\n");
    CHECK(in.units() == std::vector<std::string>{"1"});
  }
  CHECK(done);
  CHECK(in.units().size() > 1);
  in.solve_all();
  check_same(in.join("--json"), in.whole("--json"));
}

TEST_CASE("what does not go with a job is refused") {
  Directory in;
  write(in.file, planes(3));
  CHECK(run(wmi + " split " + ::quoted(in.file)).exit == 2);
  CHECK(in.split("--gap 0").exit == 2);
  CHECK(in.split("--certificate out").exit == 2);
  const Finished full = in.split("--memory 1");
  CHECK(full.exit == 3);
  CHECK(full.errors == "wmi: stopped by --memory; no job is made\n");
  CHECK(in.units().empty());
  CHECK(run(wmi + " split nothing.smt2 --out " + ::quoted(in.job))
            .errors.starts_with("wmi: nothing.smt2: cannot be opened"));
  REQUIRE(in.split("").exit == 0);
  CHECK(in.split("").exit == 1);  // it is there already
  CHECK(in.part("1000").exit == 1);
  CHECK(in.part("../0").exit == 1);
  CHECK(in.part("1", "--budget x").exit == 2);
  CHECK(run(wmi + " part " + ::quoted(in.path("nothing")) + " --unit 1").exit == 1);
  CHECK(run(wmi + " join " + ::quoted(in.place.path().string())).errors.find("no job.json") !=
        std::string::npos);
}

}  // namespace
}  // namespace wmi::tests
