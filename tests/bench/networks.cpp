// Real networks, whose numbers are long: cells per second of `split`, which decides in doubles with
// proven errors, against `exact-split` and against plain doubles. The latter is this program once
// more, compiled without error bounds (networks_plain), which is run from here.
//
// The mean of an output needs every activation pattern, and no formula is decided early; so all
// enumerators find the same cells. Rates are by processor time, of the first cells where there are
// many; of exact numbers, of those found within two seconds.
//
// A second table has the time of a whole answer: the probability that an output is the least. Here
// bounds decide most regions before their patterns are enumerated.

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "encoders/encode.h"
#include "frontends/networks/onnx/network_file.h"
#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/bench/problems.h"
#include "tests/bench/table.h"
#include "tests/process.h"
#include "tests/skipped.h"
#include "tests/source_directory.h"
#include "tests/temporary_directory.h"

namespace {

using namespace wmi;
using namespace wmi::bench;
namespace fs = std::filesystem;

struct Row {
  std::string name;
  Problem problem;
  Polynomial output;  // its mean is asked for
  std::optional<Formula> event = {};
};

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Count {
  std::size_t cells = 0;
  double seconds = 0;
  bool complete = false;

  double rate() const { return static_cast<double>(cells) / seconds; }
};

/// Counts so many cells at most, and for so many seconds; or integrates them as well.
Count count(const Enumerator& enumerator, const Row& row, const Integrator* integrator,
            double most_seconds) {
  constexpr std::size_t most_cells = 20'000;
  const std::vector<Goal> goals{{truth, {{row.output, 0}}, {}}};
  Count result;
  const double start = processor_time();
  std::optional<Evaluation> evaluation;
  if (integrator != nullptr) evaluation.emplace(*integrator);
  const auto cells = enumerator.start(row.problem, goals, {});
  do {
    const std::optional<Cell> cell = cells->next();
    result.complete = !cell;
    if (!cell) break;
    if (evaluation) (*evaluation)(*cell);
    ++result.cells;
  } while (result.cells < most_cells && processor_time() - start < most_seconds);
  result.seconds = processor_time() - start;
  return result;
}

/// The best of a few runs, as other programs disturb it.
Count best_count(const Enumerator& enumerator, const Row& row) {
  Count best;
  double total = 0;
  for (int run = 0; run < 3 || total < 0.5; ++run) {
    const Count found = count(enumerator, row, nullptr, 60);
    if (run == 0 || found.rate() > best.rate()) best = found;
    total += found.seconds;
  }
  return best;
}

/// Weights from N(0, 2 / fan-in), as floats; biases likewise, from N(0, 1/4).
class RandomWeights {
 public:
  explicit RandomWeights(unsigned seed) : engine_(seed) {}

  Rational weight(std::size_t fan_in) { return draw(std::sqrt(2 / static_cast<double>(fan_in))); }
  Rational bias() { return draw(0.5); }

 private:
  /// By Box and Muller: the same numbers with every standard library.
  Rational draw(double deviation) {
    const double u = (static_cast<double>(engine_()) + 1) * 0x1p-32,
                 v = static_cast<double>(engine_()) * 0x1p-32;
    const double normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    return Rational(static_cast<double>(static_cast<float>(deviation * normal)));
  }

  std::mt19937 engine_;
};

/// Adds units to the problem, layer by layer. The last entry of `widths` is that of the output. In the
/// layer `unknown`, whose inputs are numbers, a weight of each of the first units is a real.
Polynomial add_layers(Problem& problem, std::vector<Polynomial> layer,
                      const std::vector<int>& widths, RandomWeights& weights,
                      std::optional<std::size_t> unknown = {}) {
  Terms& terms = problem.terms;
  for (std::size_t depth = 0; depth < widths.size(); ++depth) {
    // The weight of the largest input: others may be 0.
    std::size_t largest = 0;
    for (std::size_t i = 0; unknown == depth && i < layer.size(); ++i)
      if (layer[i].constant_term() > layer[largest].constant_term()) largest = i;
    std::vector<Polynomial> next;
    for (int k = 0; k < widths[depth]; ++k) {
      Polynomial sum(weights.bias());
      for (const Polynomial& input : layer) sum += Polynomial(weights.weight(layer.size())) * input;
      if (unknown == depth && k < static_cast<int>(problem.integrated.size()))
        sum += Polynomial::variable(static_cast<Variable>(k)) * layer[largest];
      next.push_back(depth + 1 < widths.size() ? terms.choice(terms.less(0, sum), sum, 0) : sum);
    }
    layer = std::move(next);
  }
  return layer[0];
}

Row random_network(int inputs, const std::vector<int>& widths) {
  Row row{"random " + std::to_string(inputs), cube(inputs).problem, {}};
  std::vector<Polynomial> layer;
  for (int i = 0; i < inputs; ++i) layer.push_back(Polynomial::variable(static_cast<Variable>(i)));
  for (const int width : widths) row.name += "-" + std::to_string(width);
  RandomWeights weights(static_cast<unsigned>(inputs) + 100);
  row.output = add_layers(row.problem, std::move(layer), widths, weights);
  return row;
}

/// A network 8-16-16-16-1 at a fixed input, four weights of a layer unknown: within 3 of what they are.
Row unknown_weights(const char* name, std::size_t unknown) {
  Row row{std::string("weights of the ") + name + " layer", cube(4, 3).problem, {}};
  RandomWeights weights(200);
  std::vector<Polynomial> input;
  for (int i = 0; i < 8; ++i) input.emplace_back(Rational(abs(weights.weight(2))));
  row.output = add_layers(row.problem, std::move(input), {16, 16, 16, 1}, weights, unknown);
  return row;
}

using Box = std::vector<std::optional<std::pair<const char*, const char*>>>;

/// The inputs of properties 3 and 4 (Katz et al. 2017), normalised.
const std::map<int, Box> boxes = {
    {3,
     {{{"-0.303531156", "-0.298552812"}},
      {{"-0.009549297", "0.009549297"}},
      {{"0.493380324", "0.5"}},
      {{"0.3", "0.5"}},
      {{"0.3", "0.5"}}}},
    {4,
     {{{"-0.303531156", "-0.298552812"}},
      {{"-0.009549297", "0.009549297"}},
      std::nullopt,  // 0
      {{"0.318181818", "0.5"}},
      {{"0.083333333", "0.166666667"}}}},
};

/// The ACAS Xu networks, where the data is present.
std::vector<Row> acasxu() {
  std::vector<Row> result;
  const std::optional<fs::path> data = data_folder("vnncomp");
  if (!data) return result;
  for (const std::string name : {"1_7", "3_3", "1_1"}) {
    const fs::path file = *data / "acasxu" / ("ACASXU_run2a_" + name + "_batch_2000.onnx.gz");
    const encoders::Network network = frontends::read_any_network(file.string()).network;
    for (const auto& [property, box] : boxes) {
      std::vector<encoders::Unknown> unknowns;
      for (std::size_t i = 0; i < box.size(); ++i)
        if (box[i])
          unknowns.push_back(
              {"input" + encoders::index_name(network.input, i),
               {Law::uniform(parse_fraction(box[i]->first), parse_fraction(box[i]->second)), ""}});
      const encoders::Tensor<Rational> zero(network.input, std::vector<Rational>(box.size()));
      encoders::Encoding encoding = encoders::encode(network, zero, unknowns);
      std::vector<Formula> least;
      for (std::size_t i = 1; i < encoding.outputs.size(); ++i)
        least.push_back(
            encoding.problem.terms.less_equal(encoding.outputs[0], encoding.outputs[i]));
      const Formula event = encoding.problem.terms.all(least);
      result.push_back({"ACAS Xu " + name + ", property " + std::to_string(property),
                        std::move(encoding.problem), encoding.outputs[0], event});
    }
  }
  return result;
}

std::vector<Row> rows() {
  std::vector<Row> result = acasxu();
  result.push_back(random_network(3, {16, 16, 1}));
  result.push_back(random_network(3, {10, 10, 10, 1}));
  result.push_back(random_network(2, {20, 20, 1}));
  result.push_back(random_network(4, {12, 12, 1}));
  result.push_back(random_network(5, {10, 10, 1}));
  result.push_back(unknown_weights("first", 0));
  result.push_back(unknown_weights("middle", 1));
  result.push_back(unknown_weights("last hidden", 2));
  return result;
}

/// Cells per second in plain doubles, by row; the best so far.
void add_plain_rates(const std::string& program, std::map<std::string, Count>& best) {
  std::istringstream lines(run(quoted(program)).output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    Count found;
    std::istringstream(line.substr(tab)) >> found.cells >> found.seconds;
    Count& of_row = best[line.substr(0, tab)];
    if (of_row.cells == 0 || found.rate() > of_row.rate()) of_row = found;
  }
}

[[maybe_unused]] void print_counts() {
  for (const Row& row : rows()) {
    const Count found = best_count(*make_split(), row);
    std::printf("%s\t%zu %.17g\n", row.name.c_str(), found.cells, found.seconds);
  }
}

/// The seconds that the probability of the row's event takes; nullopt if it is stopped after so many.
std::optional<double> event_seconds(const Enumerator& enumerator, const Row& row,
                                    const Integrator& integrator, double most_seconds) {
  Query query;
  query.kind = Query::Kind::probability;
  query.event = *row.event;
  const Task task{row.problem, {query}};
  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable_any ended;
  const std::jthread alarm([&](const std::stop_token& done) {
    std::unique_lock lock(mutex);
    ended.wait_for(lock, done, std::chrono::duration<double>(most_seconds), [] { return false; });
    stop.request_stop();
  });
  const double start = processor_time();
  const Solution found = solve(task, enumerator, integrator, {.stop = stop.get_token()});
  return found.answers[0].complete ? std::optional(processor_time() - start) : std::nullopt;
}

[[maybe_unused]] void compare_events() {
  constexpr double most_seconds = 20;
  const auto integrator = make_auto({.digits = 6, .wide_cells = true});
  Table table("events_of_real_networks",
              {"network", "early_decisions", "split_s", "exact_s", "exact_over_split"});
  for (const Row& row : acasxu()) {
    const auto split = make_split();
    const double fast = event_seconds(*split, row, *integrator, 60).value_or(60);
    const std::optional<double> slow =
        event_seconds(*make_exact_split(), row, *integrator, most_seconds);
    const auto at_least = [&](double number) -> Table::Entry {
      if (slow) return number;
      return "> " + std::to_string(static_cast<int>(number));
    };
    table.add({row.name, double(split->counts().early_decisions), fast,
               at_least(slow.value_or(most_seconds)),
               at_least(slow.value_or(most_seconds) / fast)});
  }
}

[[maybe_unused]] void compare(const std::string& plain_program) {
  struct Result {
    std::string name;
    Count cells, integrals, exact, exact_integrals;
    SearchCounts counts;
  };
  std::map<std::string, Count> plain;
  add_plain_rates(plain_program, plain);
  const auto integrator = make_auto({.digits = 6, .wide_cells = true});
  std::vector<Result> results;
  for (const Row& row : rows()) {
    const auto split = make_split(), exact_split = make_exact_split();
    Result& result = results.emplace_back();
    result.name = row.name;
    result.cells = best_count(*split, row);
    result.counts = split->counts();
    result.integrals = count(*split, row, integrator.get(), 60);
    result.exact = count(*exact_split, row, nullptr, 2);
    result.exact_integrals = count(*exact_split, row, integrator.get(), 2);
  }
  add_plain_rates(plain_program, plain);  // before and after, as the machine may be busy

  Table table("real_networks",
              {"network", "cells", "split_per_s", "with_integrals", "exact_per_s",
               "exact_with_integrals", "split_over_exact", "with_integrals_over_exact", "signs",
               "exact_signs", "plain_per_s", "plain_over_split"});
  for (const auto& [name, cells, integrals, exact, exact_integrals, counts] : results) {
    if (exact.complete && cells.complete && exact.cells != cells.cells)
      std::printf("%s: %zu cells in exact numbers\n", name.c_str(), exact.cells);
    if (plain[name].cells != cells.cells)
      std::printf("%s: %zu cells in plain doubles\n", name.c_str(), plain[name].cells);
    table.add({name, (cells.complete ? "" : "> ") + std::to_string(cells.cells), cells.rate(),
               integrals.rate(), exact.rate(), exact_integrals.rate(), cells.rate() / exact.rate(),
               integrals.rate() / exact_integrals.rate(),
               double(counts.signs_in_doubles + counts.exact_signs), double(counts.exact_signs),
               plain[name].rate(), plain[name].rate() / cells.rate()});
  }
}

}  // namespace

int main(int, char** arguments) {
#ifdef WMI_WITHOUT_ERROR_BOUNDS
  static_cast<void>(arguments);
  print_counts();
#else
  compare(std::string(arguments[0]) + "_plain");
  compare_events();
#endif
}
