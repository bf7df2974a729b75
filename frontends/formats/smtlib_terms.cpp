#include "frontends/formats/smtlib_terms.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"

namespace wmi::frontends {
namespace {

constexpr auto table = std::to_array<Operator>({
    {"+", Takes::reals, 1, any_number, operators::sum},
    {"-", Takes::reals, 1, any_number, operators::difference},
    {"*", Takes::reals, 1, any_number, operators::product},
    {"/", Takes::reals, 2, any_number, operators::quotient},
    {"^", Takes::reals, 2, 2, operators::power},
    {"pow", Takes::reals, 2, 2, operators::power},
    {"to_real", Takes::reals, 1, 1, operators::sum},
    {"<=", Takes::reals, 2, any_number, operators::less_equal},
    {"<", Takes::reals, 2, any_number, operators::less},
    {">=", Takes::reals, 2, any_number, operators::greater_equal},
    {">", Takes::reals, 2, any_number, operators::greater},
    {"=", Takes::alike, 2, any_number, operators::equal},
    {"distinct", Takes::alike, 2, any_number, operators::distinct},
    {"ite", Takes::choice, 3, 3, operators::choice},
    {"not", Takes::booleans, 1, 1, operators::negation},
    {"and", Takes::booleans, 1, any_number, operators::conjunction},
    {"or", Takes::booleans, 1, any_number, operators::disjunction},
    {"=>", Takes::booleans, 2, any_number, operators::implication},
    {"xor", Takes::booleans, 2, any_number, operators::exclusive_or},
});

constexpr Operators smtlib = {table, "Bool", "Real"};

/// Null if there is none of this name. A macro of the same name goes before it.
const Operator* smooth_function(std::string_view name) {
  const auto found = std::ranges::find(smooth_functions(), name, &Operator::name);
  return found == smooth_functions().end() ? nullptr : &*found;
}

/// Whether an operator on reals gives a formula.
bool is_comparison(const Operator& op) {
  return op.name.find_first_of("<>") != std::string_view::npos;
}

[[noreturn]] void refuse_expansion(Location where) {
  throw Error("macros expand to more than " + std::to_string(caps::macro_terms) + " terms", where);
}

}  // namespace

bool reserved(const std::string& name) {
  constexpr auto words = std::to_array<std::string_view>({"let", "!", "true", "false"});
  return smtlib.find(name) != nullptr || std::find(words.begin(), words.end(), name) != words.end();
}

/// A list whose parts are being read.
struct TermReader::Frame {
  enum class Kind : std::uint8_t { application, let, annotation, body };

  Kind kind;
  const Tree* tree;
  std::uint32_t node;
  std::uint32_t next;                  // the part to read next
  const Operator* op;                  // of an operator application
  std::shared_ptr<const Macro> macro;  // of a call and its body
  Values values;
  std::size_t bound;    // locals to unbind at the end
  std::size_t visible;  // the value to restore at the end of a body

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

/// Of a declared name, a macro or an operator.
std::optional<NamedSort> TermReader::named_sort(const std::string& name) const {
  if (const Operator* op = smtlib.find(name)) {
    if (op->takes == Takes::choice) return NamedSort{};
    const bool arithmetic = op->takes == Takes::reals && !is_comparison(*op);
    return NamedSort{arithmetic ? Sort::real : Sort::boolean};
  }
  const Meaning* meaning = global(name);
  if (meaning == nullptr)
    return smooth_function(name) != nullptr ? std::optional(NamedSort{Sort::real}) : std::nullopt;
  if (const Value* value = std::get_if<Value>(meaning)) return NamedSort{sort_of(*value)};
  const Macro& macro = *std::get<std::shared_ptr<const Macro>>(*meaning);
  return NamedSort{macro.sort, macro.expansion};
}

void TermReader::define(const std::string& name, Macro macro, Location where) {
  const NamedSorts names = [&](const std::string& used) { return named_sort(used); };
  if (body_sort(macro.body, macro.parameters, names) != macro.sort)
    throw Error("the term is not of the sort that '" + name + "' has", macro.body[0].where);
  macro.expansion = expansion(macro.body, names);
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

/// Starts a term. True if it is a leaf, with its value in `result`.
bool TermReader::enter(std::vector<Frame>& frames, const Tree& tree, std::uint32_t node,
                       Value& result) {
  if (bodies_ > 0 && ++steps_ > caps::macro_terms) refuse_expansion(tree[node].where);
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
      throw Error("expected a term, not '" + shortened(item.text) + "'", item.where);
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
  } else if (frame.op = smtlib.find(name); frame.op == nullptr) {
    const Meaning* meaning = global(name);
    if (meaning == nullptr || std::holds_alternative<Value>(*meaning))
      frame.op = smooth_function(name);
    if (meaning == nullptr && frame.op == nullptr) throw Undeclared(name, tree[head].where);
    if (frame.op == nullptr && std::holds_alternative<Value>(*meaning))
      throw Error("'" + name + "' takes no arguments", tree[head].where);
    if (frame.op == nullptr) frame.macro = std::get<std::shared_ptr<const Macro>>(*meaning);
  }
  frames.push_back(std::move(frame));
  return false;
}

/// Continues the innermost list. True if it is complete, with its value in `result`.
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
        std::unordered_set<std::string_view> names;
        for (const std::uint32_t binding : children(tree, bindings)) {
          const std::string& name = tree[binding + 1].text;
          if (reserved(name)) throw Error("'" + name + "' is a reserved word", tree[binding].where);
          if (!names.insert(name).second)
            throw Error("'" + name + "' is bound twice by one let", tree[binding].where);
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
      --bodies_;
      visible_ = frame.visible;
      result = std::move(frame.values[0]);
      break;
  }
  frames.pop_back();
  return true;
}

Value TermReader::apply(Frame& frame) {
  try {
    return smtlib.apply(*frame.op, terms_, std::move(frame.values));
  } catch (const Error& error) {
    throw error.where().line != 0 ? error : Error(error.what(), frame.where());
  }
}

/// Turns the frame of a call with complete arguments into the frame of the macro's body.
bool TermReader::call(std::vector<Frame>& frames, const std::shared_ptr<const Macro>& macro,
                      Value& result) {
  Frame& frame = frames.back();
  const std::string& name = (*frame.tree)[frame.node + 1].text;
  if (frame.values.size() != macro->parameters.size())
    throw Error("'" + name + "' has " + std::to_string(frame.values.size()) +
                    " arguments; it takes " + std::to_string(macro->parameters.size()),
                frame.where());
  if (macro->expansion > caps::macro_terms - std::min(steps_, caps::macro_terms.value()))
    refuse_expansion(frame.where());  // before any of it is read
  if (frames.size() > caps::macro_depth) throw Error("macros nested too deeply", frame.where());
  frame.visible = std::exchange(visible_, bound_.size());
  for (std::size_t i = 0; i < frame.values.size(); ++i) {
    const auto& [parameter, sort] = macro->parameters[i];
    if (sort_of(frame.values[i]) != sort)
      throw Error("argument " + std::to_string(i + 1) + " of '" + name + "' is " +
                      std::string(smtlib.name_of(sort_of(frame.values[i]))) + ", not " +
                      std::string(smtlib.name_of(sort)),
                  frame.where());
    bind(parameter, std::move(frame.values[i]));
  }
  frame.bound = frame.values.size();
  frame.values.clear();
  frame.kind = Frame::Kind::body;
  ++bodies_;
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
  // Resets the state that an error in an earlier term left.
  bound_.clear();
  locals_.clear();
  visible_ = bodies_ = 0;
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
    throw Error("expected " + std::string(expected) + ", not " +
                    (tree[node].kind == Sexpr::Kind::list ? "a list"
                                                          : "'" + shortened(tree[node].text) + "'"),
                tree[node].where);
  return tree[node].text;
}

}  // namespace wmi::frontends
