// Real networks, whose numbers are long: cells per second of `split`, which decides in doubles with
// proven errors, against `exact-split` and against plain doubles. The latter is this program once
// more, compiled without error bounds (networks_plain), which is run from here.
//
// The mean of an output needs every activation pattern, and no formula is decided early; so all
// enumerators find the same cells. Rates are by processor time; a count that takes too long is
// stopped, and its rate is that of the cells found until then.

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "encoders/encode.h"
#include "frontends/networks/network.h"
#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/integrator.h"
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
  Task task;  // the mean of an output
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

/// Counts cells, or integrates them as well, for so many seconds at most.
Count count(const Enumerator& enumerator, Task task, const Integrator* integrator, double most) {
  const Plan plan = make_plan(task);
  Count result;
  const double start = processor_time();
  std::optional<Evaluation> evaluation;
  if (integrator != nullptr) evaluation.emplace(*integrator);
  const auto cells = enumerator.start(task.problem, plan.goals, {});
  do {
    const std::optional<Cell> cell = cells->next();
    result.complete = !cell;
    if (!cell) break;
    if (evaluation) (*evaluation)(*cell);
    ++result.cells;
  } while (processor_time() - start < most);
  result.seconds = processor_time() - start;
  return result;
}

/// The best of a few runs, as other programs disturb it.
Count best_count(const Task& task, const Integrator* integrator, int runs) {
  Count best;
  for (int run = 0; run < runs; ++run) {
    const Count found = count(*make_split(), task, integrator, 20);
    if (run == 0 || found.rate() > best.rate()) best = found;
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

/// The last entry of `widths` is that of the output. In the layer `unknown`, the first weights of the
/// first units are the reals of the problem, within 1 of what they would be otherwise.
void add_layers(Task& task, std::vector<Polynomial> layer, const std::vector<int>& widths,
                RandomWeights& weights, std::optional<std::size_t> unknown = {}) {
  Terms& terms = task.problem.terms;
  for (std::size_t depth = 0; depth < widths.size(); ++depth) {
    std::vector<Polynomial> next;
    for (int k = 0; k < widths[depth]; ++k) {
      Polynomial sum(weights.bias());
      for (std::size_t i = 0; i < layer.size(); ++i) {
        const Rational weight = weights.weight(layer.size());
        sum += Polynomial(weight) * layer[i];
        const auto reals = static_cast<int>(task.problem.integrated.size());
        if (unknown == depth && i == 0 && k < reals)
          sum += Polynomial::variable(static_cast<Variable>(k)) * layer[i];
      }
      next.push_back(depth + 1 < widths.size() ? terms.choice(terms.less(0, sum), sum, 0) : sum);
    }
    layer = std::move(next);
  }
  task.queries[0].kind = Query::Kind::expectation;
  task.queries[0].term = layer[0];
}

Row random_network(int inputs, const std::vector<int>& widths) {
  Row row{"random " + std::to_string(inputs), cube(inputs)};
  std::vector<Polynomial> layer;
  for (int i = 0; i < inputs; ++i) layer.push_back(Polynomial::variable(static_cast<Variable>(i)));
  for (const int width : widths) row.name += "-" + std::to_string(width);
  RandomWeights weights(static_cast<unsigned>(inputs) + 100);
  add_layers(row.task, std::move(layer), widths, weights);
  return row;
}

/// A network 8-16-16-16-1 at a fixed input, three weights of a layer unknown.
Row unknown_weights(const char* name, std::size_t unknown) {
  Row row{std::string("weights of the ") + name + " layer", cube(3)};
  RandomWeights weights(200);
  std::vector<Polynomial> input;
  for (int i = 0; i < 8; ++i) input.emplace_back(1 + abs(weights.weight(2)));
  add_layers(row.task, std::move(input), {16, 16, 16, 1}, weights, unknown);
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

/// The ACAS Xu networks, where the data and python3 are present.
std::vector<Row> acasxu() {
  std::vector<Row> result;
  const std::optional<fs::path> data = data_folder("vnncomp");
  const std::optional<std::string> interpreter = python("import gzip, json, struct", "python3");
  if (!data || !interpreter) return result;
  const TemporaryDirectory directory;
  for (const std::string name : {"1_7", "3_3", "1_1"}) {
    const fs::path onnx = *data / "acasxu" / ("ACASXU_run2a_" + name + "_batch_2000.onnx.gz");
    const std::string out = directory.path(name + ".safetensors");
    const std::string tool = source_directory().string() + "/tests/tools/onnx_to_network.py";
    if (run(*interpreter + " " + quoted(tool) + " " + quoted(onnx.string()) + " " + quoted(out))
            .exit != 0) {
      skipped("ACAS Xu " + name + " is not converted");
      continue;
    }
    const encoders::Network network = frontends::read_network(out);
    for (const auto& [property, box] : boxes) {
      std::vector<encoders::Unknown> unknowns;
      for (std::size_t i = 0; i < box.size(); ++i)
        if (box[i])
          unknowns.push_back(
              {"input[" + std::to_string(i) + "]",
               {Law::uniform(parse_fraction(box[i]->first), parse_fraction(box[i]->second)), ""}});
      const encoders::Tensor<Rational> zero({box.size()}, std::vector<Rational>(box.size()));
      encoders::Encoding encoding = encoders::encode(network, zero, unknowns);
      Query query;
      query.kind = Query::Kind::expectation;
      query.term = encoding.outputs[0];
      result.push_back({"ACAS Xu " + name + ", property " + std::to_string(property),
                        {std::move(encoding.problem), {query}}});
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

constexpr int runs = 3;

/// Cells per second in plain doubles, by row.
std::map<std::string, double> plain_rates(const std::string& program) {
  std::map<std::string, double> result;
  std::istringstream lines(run(quoted(program)).output);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
      result[line.substr(0, tab)] = std::stod(line.substr(tab + 1));
  return result;
}

[[maybe_unused]] void print_rates() {
  for (const Row& row : rows())
    std::printf("%s\t%.17g\n", row.name.c_str(), best_count(row.task, nullptr, runs).rate());
}

[[maybe_unused]] void compare(const std::string& plain) {
  std::map<std::string, double> rates = plain_rates(plain);
  const auto integrator = make_auto({.digits = 6, .wide_cells = true});
  Table table("real_networks", {"network", "cells", "split_per_s", "with_integrals", "exact_per_s",
                                "exact_with_integrals", "over_exact", "with_integrals_over_exact",
                                "exact_signs", "plain_over_split"});
  for (const Row& row : rows()) {
    const Count cells = best_count(row.task, nullptr, runs),
                integrals = best_count(row.task, integrator.get(), 1);
    const Count exact = count(*make_exact_split(), row.task, nullptr, 4),
                exact_integrals = count(*make_exact_split(), row.task, integrator.get(), 4);
    if (exact.complete && exact.cells != cells.cells)
      std::printf("%s: %zu cells in exact numbers\n", row.name.c_str(), exact.cells);
    const auto counted = make_split();
    count(*counted, row.task, nullptr, 20);
    const SearchCounts counts = counted->counts();
    table.add({row.name, double(cells.cells), cells.rate(), integrals.rate(), exact.rate(),
               exact_integrals.rate(), cells.rate() / exact.rate(),
               integrals.rate() / exact_integrals.rate(),
               double(counts.exact_signs) / double(counts.exact_signs + counts.signs_in_doubles),
               rates[row.name] / cells.rate()});
  }
}

}  // namespace

int main(int, char** arguments) {
#ifdef WMI_WITHOUT_ERROR_BOUNDS
  static_cast<void>(arguments);
  print_rates();
#else
  compare(std::string(arguments[0]) + "_plain");
#endif
}
