// Random problems of several shapes. All are bounded, so that they have answers.

#include "tests/fuzz/differential/generate.h"

#include <fmt/format.h>

namespace wmi::fuzz {
namespace {

/// Writes a problem command by command, and remembers its variables.
class Writer {
 public:
  explicit Writer(Dice& dice) : dice_(dice) {}

  void declare(int reals, int booleans) {
    for (int i = 0; i < reals; ++i) {
      reals_.push_back(fmt::format("x{}", i));
      add("(declare-const {} Real)", reals_.back());
      const int low = dice_.roll(-2, 0);
      add("(assert (<= {} {} {}))", literal(low), reals_.back(), literal(low + dice_.roll(1, 3)));
    }
    for (int i = 0; i < booleans; ++i) {
      booleans_.push_back(fmt::format("b{}", i));
      add("(declare-const {} Bool)", booleans_.back());
    }
  }

  /// A real that is a function of those before it.
  void define(const std::string& name, const std::string& term) {
    add("(define-fun {} () Real {})", name, term);
    reals_.push_back(name);
  }

  std::string affine(int percent = 60) {
    std::string sum = dice_.number();
    for (const std::string& real : reals_)
      if (dice_.chance(percent)) sum += fmt::format(" (* {} {})", dice_.number(), real);
    return fmt::format("(+ {} 0)", sum);
  }

  std::string atom() {
    const char* const relation = dice_.chance(5)    ? "="
                                 : dice_.chance(50) ? "<="
                                 : dice_.chance(50) ? "<"
                                                    : ">=";
    if (dice_.chance(30) && reals_.size() > 1)  // through corners, on purpose
      return fmt::format("({} {} {})", relation, reals_[any(reals_)], reals_[any(reals_)]);
    return fmt::format("({} {} {})", relation, affine(), dice_.number());
  }

  std::string formula(int depth) {
    if (depth == 0 || dice_.chance(15)) {
      if (!booleans_.empty() && dice_.chance(40)) {
        const std::string& name = booleans_[any(booleans_)];
        return dice_.chance(50) ? name : fmt::format("(not {})", name);
      }
      return atom();
    }
    const std::string a = formula(depth - 1), b = formula(depth - 1);
    switch (dice_.roll(0, 5)) {
      case 0:
        return fmt::format("(and {} {})", a, b);
      case 1:
        return fmt::format("(or {} {})", a, b);
      case 2:
        return fmt::format("(=> {} {})", a, b);
      case 3:
        return fmt::format("(xor {} {})", a, b);
      case 4:
        return fmt::format("(not {})", a);
      default:
        return fmt::format("(ite {} {} {})", a, b, formula(depth - 1));
    }
  }

  /// Never negative where `positive`: a square, or a constant.
  std::string polynomial(int degree, bool positive) {
    if (positive)
      return dice_.chance(30) ? fmt::format("{}", dice_.roll(1, 4))
                              : fmt::format("(^ {} 2)", affine(40));
    std::string product = affine(40);
    for (int i = 1; i < degree; ++i) product = fmt::format("(* {} {})", product, affine(30));
    return product;
  }

  std::string tree(int depth, bool positive) {
    if (depth == 0) return polynomial(dice_.roll(1, 2), positive);
    return fmt::format("(ite {} {} {})", formula(1), tree(depth - 1, positive),
                       tree(depth - 1, positive));
  }

  void weights(bool positive, int count) {
    for (int i = 0; i < count; ++i)
      add("(weight {} {})", dice_.chance(40) ? "true" : formula(1),
          tree(dice_.roll(0, 1), positive));
  }

  void questions(bool positive) {
    add("(get-wmi)");
    add("(get-wmi {})", formula(1));
    add("(get-probability {} :given {})", formula(1), formula(1));
    add("(get-expectation {})", dice_.chance(50) ? affine() : tree(1, false));
    add("(get-variance {})", affine());
    add("(get-distribution {})", affine());
    if (dice_.chance(30)) add("(get-moment {} 3)", affine());
    if (dice_.chance(30)) add("(get-cdf {} :at {})", affine(), dice_.number());
    if (dice_.chance(30)) add("(get-density {} :at {})", affine(), dice_.number());
    if (positive) add("(get-quantile {} (/ {} 7))", affine(), dice_.roll(1, 7));
  }

  template <class... Parts>
  void add(fmt::format_string<Parts...> pattern, Parts&&... parts) {
    commands_.push_back(fmt::format(pattern, std::forward<Parts>(parts)...));
  }

  Commands commands() && { return std::move(commands_); }
  const std::vector<std::string>& reals() const { return reals_; }

 private:
  static std::string literal(int number) {
    return number < 0 ? fmt::format("(- {})", -number) : std::to_string(number);
  }
  std::size_t any(const std::vector<std::string>& names) {
    return static_cast<std::size_t>(dice_.roll(0, static_cast<int>(names.size()) - 1));
  }

  Dice& dice_;
  Commands commands_;
  std::vector<std::string> reals_;
  std::vector<std::string> booleans_;
};

Commands trees(Dice& dice) {
  Writer writer(dice);
  const bool positive = dice.chance(50);
  writer.declare(dice.roll(1, 3), dice.roll(0, 2));
  writer.add("(assert {})", writer.formula(2));
  writer.add("(weight true {})", writer.tree(dice.roll(1, 3), positive));
  writer.questions(positive);
  return std::move(writer).commands();
}

Commands chains(Dice& dice) {
  Writer writer(dice);
  writer.declare(dice.roll(1, 3), dice.roll(0, 1));
  const int length = dice.roll(2, 4);
  for (int i = 0; i < length; ++i)
    writer.define(fmt::format("d{}", i), fmt::format("(ite {} {} {})", writer.atom(),
                                                     writer.affine(50), writer.affine(50)));
  writer.weights(true, 1);
  writer.questions(true);
  return std::move(writer).commands();
}

Commands networks(Dice& dice) {
  Writer writer(dice);
  writer.declare(dice.roll(1, 3), 0);
  const int layers = dice.roll(1, 2);
  for (int layer = 0; layer < layers; ++layer) {
    const int units = dice.roll(1, 3);
    std::vector<std::string> terms;
    for (int unit = 0; unit < units; ++unit) terms.push_back(writer.affine(80));
    for (int unit = 0; unit < units; ++unit) {
      writer.define(fmt::format("a{}_{}", layer, unit), terms[static_cast<std::size_t>(unit)]);
      writer.define(fmt::format("z{}_{}", layer, unit),
                    fmt::format("(ite (> a{0}_{1} 0) a{0}_{1} 0)", layer, unit));
    }
  }
  writer.questions(true);
  return std::move(writer).commands();
}

/// With numbers as a float32 has them, so that searches are in doubles, among short ones, so that
/// hyperplanes still meet in vertices.
Commands floats(Dice& dice) {
  dice.write_long_numbers(dice.roll(10, 70));
  return dice.chance(70) ? networks(dice) : chains(dice);
}

Commands degenerate(Dice& dice) {
  Writer writer(dice);
  const int reals = dice.roll(2, 4);
  writer.declare(reals, 0);
  // Hyperplanes through one point, parallel ones, and the same ones again.
  const int planes = dice.roll(2, 5);
  std::string last;
  for (int i = 0; i < planes; ++i) {
    std::string sum = "0";
    for (const std::string& real : writer.reals())
      sum += fmt::format(" (* {} {})", dice.roll(0, 2), real);
    const std::string form = !last.empty() && dice.chance(25) ? last : fmt::format("(+ {})", sum);
    last = form;
    writer.add("(weight (< {} {}) {})", form, dice.chance(70) ? 0 : dice.roll(0, 1),
               writer.polynomial(1, true));
  }
  writer.questions(true);
  return std::move(writer).commands();
}

Commands booleans(Dice& dice) {
  Writer writer(dice);
  writer.declare(dice.roll(1, 2), dice.roll(3, 7));
  const int assertions = dice.roll(1, 4);
  for (int i = 0; i < assertions; ++i) writer.add("(assert {})", writer.formula(2));
  writer.weights(true, dice.roll(1, 3));
  writer.questions(true);
  return std::move(writer).commands();
}

/// Five or six reals, each related to one before it, or two neighbours to one: a tree of blocks.
Commands blocks(Dice& dice) {
  Writer writer(dice);
  const int reals = dice.roll(5, 6);
  writer.declare(reals, dice.roll(0, 2));
  for (int i = 1; i < reals; ++i) {
    const int parent = dice.chance(60) ? i - 1 : dice.roll(0, i - 1);
    const std::string bound = fmt::format("(/ {} 10)", dice.roll(1, 9));
    writer.add("(assert (<= (- x{} x{}) {}))", i, parent, bound);
    if (dice.chance(40)) writer.add("(assert (<= (- x{} x{}) {}))", parent, i, bound);
    if (dice.chance(15) && i > 1) writer.add("(assert (<= x{} (+ x{} x{} 1)))", i - 1, i, parent);
    if (dice.chance(30)) writer.add("(weight true (+ 1 (^ (- x{} (* 2 x{})) 2)))", i, parent);
  }
  const auto any = [&] { return dice.roll(0, reals - 1); };
  writer.add("(get-wmi)");
  writer.add("(get-wmi (<= x{} x{}))", any(), any());
  writer.add("(get-probability (< x{} {}) :given (<= x{} 1))", any(), dice.number(), any());
  writer.add("(get-expectation (- x{} x{}))", any(), any());
  writer.add("(get-variance x{})", any());
  if (dice.chance(30)) writer.add("(get-distribution x{})", any());
  return std::move(writer).commands();
}

constexpr ShapeEntry table[] = {
    {"trees", "weights that are trees of conditions", trees},
    {"chains", "reals defined by those before them", chains},
    {"networks", "ReLU networks of one or two layers", networks},
    {"floats", "networks and chains with long numbers, searched in doubles", floats},
    {"degenerate", "hyperplanes through one point, parallel and repeated", degenerate},
    {"booleans", "many Booleans, few reals", booleans},
    {"blocks", "reals related to neighbours, integrated by messages", blocks},
};

}  // namespace

std::string to_text(const Commands& commands) {
  std::string result;
  for (const std::string& command : commands) result += command + "\n";
  return result;
}

int Dice::roll(int low, int high) {
  // splitmix64: a few lines, and every library has the same.
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return low + static_cast<int>(z % static_cast<std::uint64_t>(high - low + 1));
}

std::string Dice::number() {
  const int sign = chance(40);
  std::string value;
  if (long_numbers_ > 0 && chance(long_numbers_))
    value = fmt::format("(/ {} 16777216)", roll(1, 1 << 25));
  else if (chance(2))
    value = "1000000007";
  else if (chance(2))
    value = "(/ 1 1000000007)";
  else if (chance(20))
    value = fmt::format("(/ {} {})", roll(0, 5), roll(2, 5));
  else
    value = std::to_string(roll(0, 3));
  return sign ? fmt::format("(- {})", value) : value;
}

std::span<const ShapeEntry> shapes() { return table; }

}  // namespace wmi::fuzz
