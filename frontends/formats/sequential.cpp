#include "frontends/formats/sequential.h"

#include <string_view>
#include <utility>

#include "frontends/formats/lisp.h"

namespace wmi::frontends {
namespace {

struct Line {
  std::string_view text;
  Location where;
};

/// A line `QUERY,probability,seconds`.
struct QueryLine {
  Line query;
  StoredAnswer answer;
};

std::vector<Line> lines(std::string_view text) {
  std::vector<Line> result;
  std::size_t number = 1;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      result.push_back({line, {number, 1}});
    start = end + 1;
  }
  if (result.size() < 2)
    throw Error("expected a support, a weight and then queries, each on a line of its own", {1, 1});
  return result;
}

Rational number(std::string_view text, Location where) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t last = text.find_last_not_of(' ');
  try {
    return parse_number(text.substr(first, last == std::string_view::npos ? 0 : last + 1 - first));
  } catch (const Error& error) {
    throw Error(error.what(), where);
  }
}

QueryLine split(const Line& line) {
  const std::size_t last = line.text.rfind(',');
  const std::size_t middle =
      last == std::string_view::npos || last == 0 ? last : line.text.rfind(',', last - 1);
  if (last == std::string_view::npos || middle == std::string_view::npos || middle == last)
    throw Error("expected QUERY,probability,seconds", line.where);
  const auto place = [&](std::size_t at) { return Location{line.where.line, at + 1}; };
  return {{line.text.substr(0, middle), line.where},
          {number(line.text.substr(middle + 1, last - middle - 1), place(middle + 1)),
           number(line.text.substr(last + 1), place(last + 1))}};
}

}  // namespace

Script read_sequential(const Source& source) {
  const std::vector<Line> all = lines(source.text);
  const Tree support = read_lisp(all[0].text, all[0].where);
  const Tree weight = read_lisp(all[1].text, all[1].where);
  Declarations declarations;
  declare_variables(support, declarations);
  declare_variables(weight, declarations);
  Task task;
  task.problem.assertions.push_back(lisp_formula(support, declarations));
  add_weights(weight, declarations, task.problem.weights);
  task.queries.push_back(wmi_query());
  for (std::size_t i = 2; i < all.size(); ++i) {
    const Line query = split(all[i]).query;
    const Tree tree = read_lisp(query.text, query.where);
    try {
      task.queries.push_back(probability_query(
          declarations.terms(), lisp_formula(tree, declarations), truth, query.where));
    } catch (const Undeclared& error) {
      throw Error("'" + error.name() + "' occurs neither in the support nor in the weight",
                  error.where());
    }
  }
  return {declarations.finish(task)};
}

std::vector<StoredAnswer> stored_answers(const Source& source) {
  const std::vector<Line> all = lines(source.text);
  std::vector<StoredAnswer> result;
  for (std::size_t i = 2; i < all.size(); ++i) result.push_back(split(all[i]).answer);
  return result;
}

}  // namespace wmi::frontends
