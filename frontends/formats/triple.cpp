// A problem in three SMT-LIB files: assertions, a real term as weight, and optionally a formula
// whose probability is asked. Each file declares the variables that it uses.

#include <filesystem>
#include <optional>
#include <utility>

#include "frontends/common/read_file.h"
#include "frontends/common/text.h"
#include "frontends/formats/format.h"
#include "frontends/formats/lisp.h"
#include "frontends/formats/sexpr.h"
#include "frontends/formats/smtlib_terms.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// The file of the same name with this extension, or nullopt.
std::optional<Source> sibling(const Source& source, const char* extension) {
  const fs::path path = fs::path(source.name).replace_extension(extension);
  if (path == fs::path(source.name)) return source;
  std::error_code failure;
  if (!fs::exists(path, failure)) return std::nullopt;
  try {
    return Source{path.string(), read_file(path.string())};
  } catch (const Error& error) {
    throw Error("'" + path.filename().string() + "' " + error.what());
  }
}

struct Reader {
  Declarations declarations;
  TermReader terms{declarations.terms()};

  void declare(const std::string& name, Sort sort, Location where) {
    if (!declarations.contains(name)) {
      declarations.declare(name, sort, where);
      terms.declare(name, declarations.value(name, where), where);
    } else if (sort_of(declarations.value(name, where)) != sort) {
      throw Error("'" + name + "' is declared with another sort in another file", where);
    }
  }

  /// Reads the declarations of a file; calls `asserted(tree, node)` for each assertion.
  template <typename Asserted>
  void read(const Source& source, const Asserted& asserted) {
    SexprReader sexprs(source.text);
    while (const std::optional<Tree> read = sexprs.next()) {
      const Tree& tree = *read;
      const std::vector<std::uint32_t> parts = children(tree, 0);
      if (parts.empty()) throw Error("expected a command in parentheses", tree[0].where);
      const std::string& name = read_symbol(tree, parts[0], "the name of a command");
      const auto expect = [&](bool shape, const char* usage) {
        if (!shape) throw Error(std::string("expected ") + usage, tree[0].where);
      };
      if (name == "declare-fun") {
        expect(parts.size() == 4 && tree[parts[2]].kind == Sexpr::Kind::list &&
                   tree[parts[2]].end == parts[3],
               "(declare-fun name () sort)");
        if (parts[3] != parts[2] + 1)
          throw Error("only constants can be declared", tree[parts[2]].where);
        declare(read_symbol(tree, parts[1], "a name"), read_sort(tree, parts[3]),
                tree[parts[1]].where);
      } else if (name == "declare-const") {
        expect(parts.size() == 3, "(declare-const name sort)");
        declare(read_symbol(tree, parts[1], "a name"), read_sort(tree, parts[2]),
                tree[parts[1]].where);
      } else if (name == "assert") {
        expect(parts.size() == 2, "(assert term)");
        asserted(tree, parts[1]);
      } else if (name == "exit") {
        return;
      } else if (name != "set-logic" && name != "set-info" && name != "set-option" &&
                 name != "check-sat") {
        throw Error("command '" + shortened(name) +
                        "' has no place in a triple; use declare-fun, declare-const and assert",
                    tree[parts[0]].where);
      }
    }
  }

  /// Likewise for a file of the triple; errors name it if it is not the one that the user named.
  template <typename Asserted>
  void read_part(const Source& part, const Source& source, const Asserted& asserted) {
    try {
      read(part, asserted);
    } catch (const Error& error) {
      if (part.name == source.name) throw;
      throw Error("in '" + fs::path(part.name).filename().string() + "' at " +
                  std::to_string(error.where().line) + ":" + std::to_string(error.where().column) +
                  ": " + error.what());
    }
  }
};

}  // namespace

Script read_triple(const Source& source) {
  const std::string extension = fs::path(source.name).extension().string();
  if (extension != ".support" && extension != ".weights" && extension != ".query")
    throw Error("a triple is named by its .support, .weights or .query file");
  const auto needed = [&](const char* part) {
    std::optional<Source> found = sibling(source, part);
    if (!found)
      throw Error("'" + fs::path(source.name).replace_extension(part).filename().string() +
                  "' is missing; a triple needs its .support and .weights beside each other");
    return std::move(*found);
  };

  Reader reader;
  Task task;
  reader.read_part(needed(".support"), source, [&](const Tree& tree, std::uint32_t node) {
    task.problem.assertions.push_back(reader.terms.formula(tree, node));
  });
  bool weighted = false;
  reader.read_part(needed(".weights"), source, [&](const Tree& tree, std::uint32_t node) {
    weighted = true;
    for (const std::uint32_t factor : factors(tree, node))
      add_weight(reader.declarations.terms(), reader.terms.real(tree, factor),
                 task.problem.weights);
  });
  if (!weighted)
    throw Error("'" + fs::path(source.name).replace_extension(".weights").filename().string() +
                "' asserts no weight");

  task.queries.push_back(wmi_query());
  if (const std::optional<Source> query = sibling(source, ".query")) {
    std::vector<Formula> event;
    std::optional<Location> where;
    reader.read_part(*query, source, [&](const Tree& tree, std::uint32_t node) {
      event.push_back(reader.terms.formula(tree, node));
      if (!where) where = tree[node].where;
    });
    if (where) {
      Terms& terms = reader.declarations.terms();
      task.queries.push_back(probability_query(terms, terms.all(event), truth, *where));
    }
  }
  return {reader.declarations.finish(task)};
}

}  // namespace wmi::frontends
