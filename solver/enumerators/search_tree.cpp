#include "solver/enumerators/search_tree.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "solver/terms/error.h"

namespace wmi {
namespace {

using Kind = SearchNode::Kind;
using State = SearchTree::State;

constexpr std::size_t most_depth = 10'000;  // of a tree in a file
constexpr std::uint32_t most_branches = 1'000'000;

constexpr std::pair<char, Kind> letters[] = {{'g', Kind::goals},     {'l', Kind::links},
                                             {'r', Kind::reference}, {'t', Kind::tasks},
                                             {'c', Kind::cut},       {'b', Kind::blocks}};

char letter(Kind kind) {
  return std::ranges::find(letters, kind, [](const auto& entry) { return entry.second; })->first;
}

std::optional<Kind> kind_of(char first) {
  for (const auto& [letter, kind] : letters)
    if (letter == first) return kind;
  return std::nullopt;
}

[[noreturn]] void fail(std::string_view what) {
  throw Error("no path or tree of a search: " + std::string(what));
}

/// A number at the start of the text, which it removes.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc()) fail("a number is missing or too large");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return result;
}

bool take(std::string_view& text, char wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

void add_text(const SearchTree& tree, std::string& text) {
  switch (tree.state) {
    case State::open:
      text += "?" + std::to_string(tree.unit);
      return;
    case State::finished:
      text += '.';
      return;
    case State::elsewhere:
      fail("a part of the search is elsewhere");
    case State::inner:
      text += '(';
      if (tree.node.kind == Kind::decision)
        text += std::to_string(tree.node.node);
      else
        text += letter(tree.node.kind);
      for (const SearchTree& branch : tree.branches) {
        text += ' ';
        add_text(branch, text);
      }
      text += ')';
  }
}

SearchNode take_node(std::string_view& text) {
  if (text.empty()) fail("it ends too soon");
  if (const std::optional<Kind> kind = kind_of(text[0])) {
    text.remove_prefix(1);
    return {*kind};
  }
  return {Kind::decision, take_number(text)};
}

/// Has a node of this kind so many branches?
bool may_have(Kind kind, std::size_t branches) {
  if (kind == Kind::decision || kind == Kind::cut) return branches == 2;
  if (kind == Kind::reference) return branches == 1;
  return branches >= 1 && branches <= most_branches;
}

PathStep parse_step(std::string_view word) {
  const SearchNode node = take_node(word);
  PathStep step{node, 0, 1};
  if (node.kind == Kind::decision) {
    step.branches = 2;
    if (word != "+" && word != "-") fail("a decision is neither + nor -");
    step.branch = word == "-";
    return step;
  }
  if (node.kind != Kind::reference) {
    step.branch = take_number(word);
    if (!take(word, '/')) fail("the number of branches is missing");
    step.branches = take_number(word);
  }
  if (!word.empty() || step.branch >= step.branches || !may_have(node.kind, step.branches))
    fail("there is no such branch");
  return step;
}

void collect(const SearchTree& tree, SearchPath& path, std::vector<OpenPlace>& result) {
  if (tree.state == State::open) result.push_back({path, tree.unit});
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    path.push_back({tree.node, static_cast<std::uint32_t>(i),
                    static_cast<std::uint32_t>(tree.branches.size())});
    collect(tree.branches[i], path, result);
    path.pop_back();
  }
}

}  // namespace

std::string to_text(const SearchPath& path) {
  std::string result;
  for (const PathStep& step : path) {
    if (!result.empty()) result += ' ';
    if (step.at.kind == Kind::decision) {
      result += std::to_string(step.at.node) + (step.branch == 0 ? '+' : '-');
      continue;
    }
    result += letter(step.at.kind);
    if (step.at.kind != Kind::reference)
      result += std::to_string(step.branch) + '/' + std::to_string(step.branches);
  }
  return result;
}

SearchPath parse_path(std::string_view text) {
  SearchPath result;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    result.push_back(parse_step(word));
    if (result.size() > most_depth) fail("it is too deep");
    text.remove_prefix(word.size());
    if (take(text, ' ') && text.empty()) fail("it ends with a blank");
  }
  return result;
}

bool SearchTree::finished() const {
  if (state != State::inner) return state == State::finished;
  return std::ranges::all_of(branches, [](const SearchTree& branch) { return branch.finished(); });
}

SearchTree along(const SearchPath& path, SearchTree below) {
  for (std::size_t i = path.size(); i-- > 0;) {
    std::vector<SearchTree> branches(path[i].branches, SearchTree::leaf(State::elsewhere));
    branches[path[i].branch] = std::move(below);
    below = SearchTree::inner(path[i].at, std::move(branches));
  }
  return below;
}

void merge(SearchTree& tree, SearchTree other) {
  if (other.state == State::elsewhere) return;
  if (tree.state == State::elsewhere) {
    tree = std::move(other);
    return;
  }
  if (tree.state != State::inner || other.state != State::inner)
    throw Error("two searches are of the same place");
  if (tree.node != other.node || tree.branches.size() != other.branches.size())
    throw Error("two searches decide differently at the same place");
  for (std::size_t i = 0; i < tree.branches.size(); ++i)
    merge(tree.branches[i], std::move(other.branches[i]));
}

void carve(SearchTree& tree, const SearchPath& path) {
  SearchTree* here = &tree;
  for (const PathStep& step : path) {
    if (here->state != State::inner)
      *here = SearchTree::inner(step.at, std::vector<SearchTree>(step.branches, *here));
    here = &here->branches[step.branch];
  }
  *here = SearchTree::leaf(State::elsewhere);
}

const SearchTree& at(const SearchTree& tree, const SearchPath& path) {
  const SearchTree* here = &tree;
  for (const PathStep& step : path) {
    if (here->state != State::inner || here->node != step.at ||
        here->branches.size() != step.branches)
      throw Error("the tree of the search has no such place: " + to_text(path));
    here = &here->branches[step.branch];
  }
  return *here;
}

std::vector<OpenPlace> open_places(const SearchTree& tree) {
  std::vector<OpenPlace> result;
  SearchPath path;
  collect(tree, path, result);
  return result;
}

std::string to_text(const SearchTree& tree) {
  std::string result;
  add_text(tree, result);
  return result;
}

SearchTree parse_tree(std::string_view text) {
  std::vector<SearchTree> unfinished;  // inner nodes whose branches are still to be read
  for (;;) {
    SearchTree here;
    if (take(text, '(')) {
      unfinished.push_back(SearchTree::inner(take_node(text), {}));
      if (unfinished.size() > most_depth) fail("it is too deep");
      if (!take(text, ' ')) fail("a node has no branches");
      continue;
    }
    if (take(text, '.')) {
      here = SearchTree::leaf(State::finished);
    } else if (take(text, '?')) {
      here = SearchTree::leaf(State::open);
      here.unit = take_number(text);
    } else {
      fail("it ends too soon, or has an unknown letter");
    }
    for (;;) {  // `here` is complete
      if (unfinished.empty()) {
        if (!text.empty()) fail("something follows the last branch");
        return here;
      }
      SearchTree& parent = unfinished.back();
      parent.branches.push_back(std::move(here));
      if (take(text, ' ')) break;
      if (!take(text, ')')) fail("a parenthesis is missing");
      if (!may_have(parent.node.kind, parent.branches.size())) fail("a node lacks a branch");
      here = std::move(parent);
      unfinished.pop_back();
    }
  }
}

}  // namespace wmi
