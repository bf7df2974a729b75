#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/answer.h"
#include "solver/answers/explain.h"
#include "solver/enumerator.h"
#include "solver/messages/message_counts.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// How answers are written.
struct Style {
  bool json = false;
  bool exact = false;  // fractions in full, however long
  int decimals = 17;   // significant digits
};

/// Measurements, which differ from run to run.
struct Measurements {
  double seconds = 0;
  std::size_t vertices = 0;
  SearchCounts counts = {};
  MessageCounts messages = {};
};

/// What a report contains besides the answer.
struct Circumstances {
  std::string_view file;     // named in the report, if not empty
  std::string_view stopped;  // what ended the work, for answers that are not complete
  std::optional<Measurements> measured;
};

/// One answer as it is printed: a line. A refused query has no line in text, since it is an error; in
/// JSON it has an object, so that there is one for each query.
///
///     Query query{.kind = Query::Kind::expectation, .text = "(get-expectation y)"};
///     report(query, {.value = ratio(3, 4)}, {});              // 3/4 = 0.75
///     report(query, {.value = ratio(3, 4)}, {.json = true});
///     // {"query":"(get-expectation y)","exact":"3/4","decimal":"0.75","lower":"0.75", ...
std::string report(const Query& query, const Answer& answer, const Style& style,
                   const Circumstances& circumstances = {});

/// An echo as it is printed.
std::string report(const Echo& echo, const Style& style, std::string_view file = {});

/// The patterns of an explanation, the heaviest first: a line for each of the first few, or one
/// JSON object with all of them. `names` are those of the definitions.
std::string report(const Explanation& explanation, const std::vector<std::string>& names,
                   const Style& style, std::string_view file);

/// Notes on an answer for a reader of the plain text, a line each.
std::vector<std::string> remarks(const Query& query, const Answer& answer);

}  // namespace wmi::frontends
