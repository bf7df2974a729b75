#include "frontends/formats/smtlib_terms.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace wmi::frontends {
namespace {

/// Terms that a file may expand to before it is refused: macros of macros grow without bound.
constexpr std::size_t max_steps = 10'000'000;
constexpr std::size_t max_distinct = 1'000;

using Values = std::vector<Value>;

std::string_view sort_name(Sort sort) { return sort == Sort::boolean ? "Bool" : "Real"; }

std::vector<Formula> formulas(const Values& values) {
  std::vector<Formula> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(std::get<Formula>(value));
  return result;
}

const Polynomial& real_at(const Values& values, std::size_t i) {
  return std::get<Polynomial>(values[i]);
}

Value sum(Terms&, const Values& values) {
  std::vector<Polynomial::Term> terms;
  for (const Value& value : values) {
    const auto& more = std::get<Polynomial>(value).terms();
    terms.insert(terms.end(), more.begin(), more.end());
  }
  return Polynomial(std::move(terms));
}

Value difference(Terms&, const Values& values) {
  if (values.size() == 1) return -real_at(values, 0);
  Polynomial result = real_at(values, 0);
  for (std::size_t i = 1; i < values.size(); ++i) result -= real_at(values, i);
  return result;
}

Value product(Terms&, const Values& values) {
  Polynomial result(1);
  for (const Value& value : values) result = result * std::get<Polynomial>(value);
  return result;
}

Value quotient(Terms&, const Values& values) {
  Polynomial result = real_at(values, 0);
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!real_at(values, i).constant())
      throw Error("division by a variable; divide by numbers only");
    if (real_at(values, i).zero()) throw Error("division by zero");
    result *= 1 / real_at(values, i).constant_term();
  }
  return result;
}

Value to_power(Terms&, const Values& values) {
  const Polynomial& exponent = real_at(values, 1);
  if (!exponent.constant()) throw Error("an exponent must be a number");
  const Rational number = exponent.constant_term();
  if (number < 0 || number.get_den() != 1)
    throw Error("the exponent " + number.get_str() + " is not a natural number");
  if (number > 1'000'000)
    throw Error("the exponent " + number.get_str().substr(0, 20) + " is beyond 1000000");
  return power(real_at(values, 0), static_cast<unsigned>(number.get_num().get_ui()));
}

/// a R b R c says a R b and b R c.
Value chain(Terms& terms, const Values& values,
            const std::function<Formula(const Value&, const Value&)>& related) {
  std::vector<Formula> links;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    links.push_back(related(values[i], values[i + 1]));
  return terms.all(links);
}

Formula same(Terms& terms, const Value& a, const Value& b) {
  if (sort_of(a) == Sort::real)
    return terms.equal(std::get<Polynomial>(a), std::get<Polynomial>(b));
  return terms.choice(std::get<Formula>(a), std::get<Formula>(b), !std::get<Formula>(b));
}

Value all_equal(Terms& terms, const Values& values) {
  return chain(terms, values, [&](const Value& a, const Value& b) { return same(terms, a, b); });
}

Value distinct(Terms& terms, const Values& values) {
  if (values.size() > max_distinct)
    throw Error("'distinct' of more than " + std::to_string(max_distinct) + " terms");
  std::vector<Formula> differences;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      differences.push_back(!same(terms, values[i], values[j]));
  return terms.all(differences);
}

Value less(Terms& terms, const Values& values) {
  return chain(terms, values, [&](const Value& a, const Value& b) {
    return terms.less(std::get<Polynomial>(a), std::get<Polynomial>(b));
  });
}

Value less_equal(Terms& terms, const Values& values) {
  return chain(terms, values, [&](const Value& a, const Value& b) {
    return terms.less_equal(std::get<Polynomial>(a), std::get<Polynomial>(b));
  });
}

Value greater(Terms& terms, const Values& values) {
  return less(terms, Values(values.rbegin(), values.rend()));
}

Value greater_equal(Terms& terms, const Values& values) {
  return less_equal(terms, Values(values.rbegin(), values.rend()));
}

Value implication(Terms& terms, const Values& values) {  // a => b => c says a and b imply c
  std::vector<Formula> parts = formulas(values);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parts[i] = !parts[i];
  return terms.any(parts);
}

Value exclusive_or(Terms& terms, const Values& values) {
  Formula result = std::get<Formula>(values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Formula other = std::get<Formula>(values[i]);
    result = terms.choice(result, !other, other);
  }
  return result;
}

Value choice(Terms& terms, const Values& values) {
  const Formula condition = std::get<Formula>(values[0]);
  if (sort_of(values[1]) == Sort::boolean)
    return terms.choice(condition, std::get<Formula>(values[1]), std::get<Formula>(values[2]));
  return terms.choice(condition, real_at(values, 1), real_at(values, 2));
}

/// What the arguments of an operator may be.
enum class Takes : std::uint8_t { reals, booleans, alike, choice };

struct Operator {
  std::string_view name;
  Takes takes;
  std::size_t least, most;  // number of arguments
  Value (*apply)(Terms&, const Values&);
};

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

constexpr auto operators = std::to_array<Operator>({
    {"+", Takes::reals, 1, any_number, sum},
    {"-", Takes::reals, 1, any_number, difference},
    {"*", Takes::reals, 1, any_number, product},
    {"/", Takes::reals, 2, any_number, quotient},
    {"^", Takes::reals, 2, 2, to_power},
    {"pow", Takes::reals, 2, 2, to_power},
    {"to_real", Takes::reals, 1, 1, sum},
    {"<=", Takes::reals, 2, any_number, less_equal},
    {"<", Takes::reals, 2, any_number, less},
    {">=", Takes::reals, 2, any_number, greater_equal},
    {">", Takes::reals, 2, any_number, greater},
    {"=", Takes::alike, 2, any_number, all_equal},
    {"distinct", Takes::alike, 2, any_number, distinct},
    {"ite", Takes::choice, 3, 3, choice},
    {"not", Takes::booleans, 1, 1,
     [](Terms&, const Values& values) -> Value { return !std::get<Formula>(values[0]); }},
    {"and", Takes::booleans, 1, any_number,
     [](Terms& terms, const Values& values) -> Value { return terms.all(formulas(values)); }},
    {"or", Takes::booleans, 1, any_number,
     [](Terms& terms, const Values& values) -> Value { return terms.any(formulas(values)); }},
    {"=>", Takes::booleans, 2, any_number, implication},
    {"xor", Takes::booleans, 2, any_number, exclusive_or},
});

const Operator* find_operator(std::string_view name) {
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const Operator& entry) { return entry.name == name; });
  return found == operators.end() ? nullptr : &*found;
}

void check_sorts(const Operator& op, const Values& values) {
  if (values.size() < op.least || values.size() > op.most)
    throw Error("'" + std::string(op.name) + "' has " + std::to_string(values.size()) +
                (values.size() == 1 ? " argument" : " arguments") + "; it takes " +
                (op.least == op.most ? "" : "at least ") + std::to_string(op.least));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Sort wanted = op.takes == Takes::reals      ? Sort::real
                        : op.takes == Takes::booleans ? Sort::boolean
                        : op.takes == Takes::alike    ? sort_of(values[0])
                        : i == 0                      ? Sort::boolean
                                                      : sort_of(values[1]);
    if (sort_of(values[i]) != wanted)
      throw Error("argument " + std::to_string(i + 1) + " of '" + std::string(op.name) + "' is " +
                  std::string(sort_name(sort_of(values[i]))) + ", not " +
                  std::string(sort_name(wanted)));
  }
}

bool reserved(const std::string& name) {
  constexpr auto words = std::to_array<std::string_view>({"let", "!", "true", "false"});
  return find_operator(name) != nullptr ||
         std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

/// A list whose parts are being read.
struct TermReader::Frame {
  enum class Kind : std::uint8_t { application, let, annotation, body };

  Kind kind;
  const Tree* tree;
  std::uint32_t node;
  std::uint32_t next;                  // the part to read next
  const Operator* op;                  // of an application of an operator
  std::shared_ptr<const Macro> macro;  // of a call, and of its body
  std::vector<Value> values;
  std::size_t bound;    // locals to forget at the end
  std::size_t visible;  // to restore at the end of a body

  Location where() const { return (*tree)[node].where; }
};

void TermReader::claim(const std::string& name, Location where) {
  if (reserved(name)) throw Error("'" + name + "' is a reserved word", where);
  if (globals_.contains(name)) throw Error("'" + name + "' is declared twice", where);
  order_.push_back(name);
}

void TermReader::declare(const std::string& name, Value value, Location where) {
  claim(name, where);
  globals_.emplace(name, std::move(value));
}

void TermReader::define(const std::string& name, Macro macro, Location where) {
  claim(name, where);
  globals_.emplace(name, std::make_shared<const Macro>(std::move(macro)));
}

void TermReader::push() { scopes_.push_back(order_.size()); }

void TermReader::pop() {
  for (; order_.size() > scopes_.back(); order_.pop_back()) globals_.erase(order_.back());
  scopes_.pop_back();
}

const TermReader::Meaning* TermReader::global(const std::string& name) const {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

const Value* TermReader::local(const std::string& name) const {
  const auto found = locals_.find(name);
  if (found == locals_.end() || found->second.empty() || found->second.back().level < visible_)
    return nullptr;
  return &found->second.back().value;
}

void TermReader::bind(const std::string& name, Value value) {
  locals_[name].push_back({bound_.size(), std::move(value)});
  bound_.push_back(name);
}

void TermReader::unbind(std::size_t levels) {
  for (; levels > 0; --levels, bound_.pop_back()) {
    const auto found = locals_.find(bound_.back());
    found->second.pop_back();
    if (found->second.empty()) locals_.erase(found);
  }
}

/// Begins to read a term: true when it is a leaf, and then `result` is its value.
bool TermReader::enter(std::vector<Frame>& frames, const Tree& tree, std::uint32_t node,
                       Value& result) {
  if (++steps_ > max_steps)
    throw Error("macros expand to more than " + std::to_string(max_steps) + " terms",
                tree[node].where);
  const Sexpr& item = tree[node];
  switch (item.kind) {
    case Sexpr::Kind::number:
      try {
        result = Polynomial(parse_number(item.text));
      } catch (const Error& error) {
        throw Error(error.what(), item.where);
      }
      return true;
    case Sexpr::Kind::symbol: {
      if (const Value* value = local(item.text)) {
        result = *value;
        return true;
      }
      if (item.text == "true" || item.text == "false") {
        result = item.text == "true" ? truth : falsity;
        return true;
      }
      const Meaning* meaning = global(item.text);
      if (meaning == nullptr) {
        if (reserved(item.text)) throw Error("'" + item.text + "' is not a term", item.where);
        throw Undeclared(item.text, item.where);
      }
      if (!std::holds_alternative<Value>(*meaning))
        throw Error("'" + item.text + "' needs arguments", item.where);
      result = std::get<Value>(*meaning);
      return true;
    }
    case Sexpr::Kind::string:
    case Sexpr::Kind::keyword:
      throw Error("expected a term, not '" + item.text.substr(0, 40) + "'", item.where);
    case Sexpr::Kind::list:
      break;
  }
  const std::uint32_t head = node + 1;
  if (head == item.end) throw Error("expected a term, not ()", item.where);
  const std::string& name = read_symbol(tree, head, "an operator");
  Frame frame{Frame::Kind::application, &tree, node, tree[head].end, nullptr, nullptr, {}, 0, 0};
  if (name == "let") {
    frame.kind = Frame::Kind::let;
    if (frame.next == item.end || tree[frame.next].kind != Sexpr::Kind::list ||
        tree[frame.next].end == item.end || tree[tree[frame.next].end].end != item.end)
      throw Error("expected (let ((name term) ...) term)", item.where);
    ++frame.next;  // the first binding
  } else if (name == "!") {
    frame.kind = Frame::Kind::annotation;
    if (frame.next == item.end) throw Error("expected (! term :named name)", item.where);
  } else if (frame.op = find_operator(name); frame.op == nullptr) {
    const Meaning* meaning = global(name);
    if (meaning == nullptr) throw Undeclared(name, tree[head].where);
    if (std::holds_alternative<Value>(*meaning))
      throw Error("'" + name + "' takes no arguments", tree[head].where);
    frame.macro = std::get<std::shared_ptr<const Macro>>(*meaning);
  }
  frames.push_back(std::move(frame));
  return false;
}

/// Goes on with the innermost list: true when it is done, and then `result` is its value.
bool TermReader::step(std::vector<Frame>& frames, Value& result) {
  Frame& frame = frames.back();
  const Tree& tree = *frame.tree;
  const std::uint32_t end = tree[frame.node].end;
  switch (frame.kind) {
    case Frame::Kind::application: {
      if (frame.next < end) {
        const std::uint32_t part = std::exchange(frame.next, tree[frame.next].end);
        return enter(frames, tree, part, result);
      }
      if (frame.macro != nullptr) return call(frames, frame.macro, result);
      result = apply(frame);
      break;
    }
    case Frame::Kind::let: {
      const std::uint32_t bindings = tree[frame.node + 1].end;  // after the word `let`
      const std::uint32_t body = tree[bindings].end;
      if (frame.next < body) {
        const Sexpr& binding = tree[frame.next];
        if (binding.kind != Sexpr::Kind::list || children(tree, frame.next).size() != 2)
          throw Error("expected (name term)", binding.where);
        read_symbol(tree, frame.next + 1, "a name");
        const std::uint32_t part = tree[frame.next + 1].end;
        frame.next = binding.end;
        return enter(frames, tree, part, result);
      }
      if (frame.next == body && frame.bound == 0 &&
          frame.values.size() == children(tree, bindings).size()) {
        std::size_t i = 0;
        for (const std::uint32_t binding : children(tree, bindings)) {
          const std::string& name = tree[binding + 1].text;
          if (reserved(name)) throw Error("'" + name + "' is a reserved word", tree[binding].where);
          bind(name, std::move(frame.values[i++]));
        }
        frame.bound = i;
        frame.next = end;
        frame.values.clear();
        return enter(frames, tree, body, result);
      }
      unbind(frame.bound);
      result = std::move(frame.values[0]);
      break;
    }
    case Frame::Kind::annotation:
      if (frame.values.empty()) return enter(frames, tree, frame.next, result);
      name_term(tree, frame.node, frame.values[0]);
      result = std::move(frame.values[0]);
      break;
    case Frame::Kind::body:
      if (frame.values.empty()) return enter(frames, frame.macro->body, 0, result);
      unbind(frame.bound);
      visible_ = frame.visible;
      result = std::move(frame.values[0]);
      break;
  }
  frames.pop_back();
  return true;
}

Value TermReader::apply(const Frame& frame) {
  try {
    check_sorts(*frame.op, frame.values);
    return frame.op->apply(terms_, frame.values);
  } catch (const Error& error) {
    throw error.where().line != 0 ? error : Error(error.what(), frame.where());
  }
}

/// Turns the frame of a call, its arguments read, into the frame of the macro's body.
bool TermReader::call(std::vector<Frame>& frames, const std::shared_ptr<const Macro>& macro,
                      Value& result) {
  Frame& frame = frames.back();
  const std::string& name = (*frame.tree)[frame.node + 1].text;
  if (frame.values.size() != macro->parameters.size())
    throw Error("'" + name + "' has " + std::to_string(frame.values.size()) +
                    " arguments; it takes " + std::to_string(macro->parameters.size()),
                frame.where());
  if (frames.size() > 10 * max_nesting) throw Error("macros nested too deeply", frame.where());
  frame.visible = std::exchange(visible_, bound_.size());
  for (std::size_t i = 0; i < frame.values.size(); ++i) {
    const auto& [parameter, sort] = macro->parameters[i];
    if (sort_of(frame.values[i]) != sort)
      throw Error("argument " + std::to_string(i + 1) + " of '" + name + "' is " +
                      std::string(sort_name(sort_of(frame.values[i]))) + ", not " +
                      std::string(sort_name(sort)),
                  frame.where());
    bind(parameter, std::move(frame.values[i]));
  }
  frame.bound = frame.values.size();
  frame.values.clear();
  frame.kind = Frame::Kind::body;
  return step(frames, result);
}

void TermReader::name_term(const Tree& tree, std::uint32_t node, const Value& value) {
  const std::vector<std::uint32_t> parts = children(tree, node);
  for (std::size_t i = 2; i < parts.size(); ++i)
    if (tree[parts[i]].kind == Sexpr::Kind::keyword && tree[parts[i]].text == "named") {
      if (i + 1 == parts.size()) throw Error("':named' needs a name", tree[parts[i]].where);
      declare(read_symbol(tree, parts[i + 1], "a name"), value, tree[parts[i + 1]].where);
    }
}

Value TermReader::value(const Tree& tree, std::uint32_t node) {
  // After an error the next term starts afresh.
  bound_.clear();
  locals_.clear();
  visible_ = 0;
  std::vector<Frame> frames;
  Value result;
  bool ready = enter(frames, tree, node, result);
  while (!frames.empty()) {
    if (ready) frames.back().values.push_back(std::move(result));
    ready = step(frames, result);
  }
  return result;
}

Formula TermReader::formula(const Tree& tree, std::uint32_t node) {
  const Value result = value(tree, node);
  if (sort_of(result) != Sort::boolean)
    throw Error("expected a formula, not a Real", tree[node].where);
  return std::get<Formula>(result);
}

Polynomial TermReader::real(const Tree& tree, std::uint32_t node) {
  Value result = value(tree, node);
  if (sort_of(result) != Sort::real)
    throw Error("expected a Real, not a Bool; write (ite F 1 0) for a formula F", tree[node].where);
  return std::get<Polynomial>(std::move(result));
}

Rational TermReader::number(const Tree& tree, std::uint32_t node) {
  const Polynomial result = real(tree, node);
  if (!result.constant()) throw Error("expected a number without variables", tree[node].where);
  return result.constant_term();
}

Sort read_sort(const Tree& tree, std::uint32_t node) {
  const std::string& name = read_symbol(tree, node, "a sort");
  if (name == "Real") return Sort::real;
  if (name == "Bool") return Sort::boolean;
  throw Error("sort '" + name + "' is not supported; use Real or Bool", tree[node].where);
}

const std::string& read_symbol(const Tree& tree, std::uint32_t node, std::string_view expected) {
  if (tree[node].kind != Sexpr::Kind::symbol)
    throw Error(
        "expected " + std::string(expected) + ", not " +
            (tree[node].kind == Sexpr::Kind::list ? "a list"
                                                  : "'" + tree[node].text.substr(0, 40) + "'"),
        tree[node].where);
  return tree[node].text;
}

}  // namespace wmi::frontends
