#include "frontends/formats/smtlib_macros.h"

#include <algorithm>
#include <cstdint>

#include "frontends/formats/smtlib_terms.h"

namespace wmi::frontends {
namespace {

/// The binding of a name in a `let`, as the node of its term; nullopt if there is none.
std::optional<std::uint32_t> bound_term(const Tree& tree, std::uint32_t let,
                                        const std::string& name) {
  const std::uint32_t bindings = tree[let + 1].end;
  for (const std::uint32_t binding : children(tree, bindings))
    if (tree[binding].kind == Sexpr::Kind::list && binding + 1 < tree[binding].end &&
        tree[binding + 1].text == name && tree[binding + 1].end < tree[binding].end)
      return tree[binding + 1].end;
  return std::nullopt;
}

/// `(let ((name term) ...) term)`
bool is_let(const Tree& tree, std::uint32_t node) {
  const std::vector<std::uint32_t> parts = children(tree, node);
  return parts.size() == 3 && tree[parts[0]].text == "let" &&
         tree[parts[1]].kind == Sexpr::Kind::list;
}

}  // namespace

Sort body_sort(const Tree& body, const std::vector<std::pair<std::string, Sort>>& parameters,
               const NamedSorts& names) {
  std::vector<std::uint32_t> lets;  // around the node, outermost first
  // Each step goes to a part of the node or, from a name, to a term before its `let`'s own body.
  for (std::uint32_t node = 0;;) {
    const Sexpr& item = body[node];
    if (item.kind == Sexpr::Kind::number) return Sort::real;
    if (item.kind == Sexpr::Kind::symbol) {
      std::optional<std::uint32_t> term;
      while (!lets.empty() && !term) {
        term = bound_term(body, lets.back(), item.text);
        lets.pop_back();
      }
      if (term) {
        node = *term;
        continue;
      }
      const auto parameter =
          std::ranges::find(parameters, item.text, &std::pair<std::string, Sort>::first);
      if (parameter != parameters.end()) return parameter->second;
      if (item.text == "true" || item.text == "false") return Sort::boolean;
      const std::optional<NamedSort> named = names(item.text);
      if (!named || !named->sort) throw Undeclared(item.text, item.where);
      return *named->sort;
    }
    if (item.kind != Sexpr::Kind::list) throw Error("expected a term", item.where);
    const std::vector<std::uint32_t> parts = children(body, node);
    if (parts.empty()) throw Error("expected a term, not ()", item.where);
    const std::string& name = read_symbol(body, parts[0], "an operator");
    if (is_let(body, node)) {
      lets.push_back(node);
      node = parts[2];
    } else if (name == "!" && parts.size() > 1) {
      node = parts[1];
    } else if (name == "ite" && parts.size() == 4) {
      node = parts[2];
    } else {
      const std::optional<NamedSort> named = names(name);
      if (!named || !named->sort) throw Undeclared(name, body[parts[0]].where);
      return *named->sort;
    }
  }
}

std::size_t expansion(const Tree& body, const NamedSorts& names) {
  std::size_t result = 0;
  std::vector<std::uint32_t> open{0};
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    ++result;
    if (body[node].kind != Sexpr::Kind::list) continue;
    const std::vector<std::uint32_t> parts = children(body, node);
    if (parts.empty()) continue;
    if (is_let(body, node)) {
      for (const std::uint32_t binding : children(body, parts[1]))
        if (body[binding].kind == Sexpr::Kind::list && children(body, binding).size() == 2)
          open.push_back(children(body, binding)[1]);
      open.push_back(parts[2]);
    } else if (body[parts[0]].text == "!") {
      if (parts.size() > 1) open.push_back(parts[1]);
    } else {
      open.insert(open.end(), parts.begin() + 1, parts.end());
      if (const std::optional<NamedSort> named = names(body[parts[0]].text))
        result = std::min(SIZE_MAX / 2, result + named->expansion);
    }
  }
  return result;
}

}  // namespace wmi::frontends
