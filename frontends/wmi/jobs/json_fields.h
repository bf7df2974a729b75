#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontends/formats/json.h"

namespace wmi::frontends {

// Fields of the files of a job. All throw Error if the value is of another kind.

const std::string& string_of(const Json::Value& value);
std::vector<std::string> strings_of(const Json::Value& value);
/// A whole number from 0 to 2^64 - 1.
std::size_t count_of(const Json::Value& value);
std::vector<std::size_t> counts_of(const Json::Value& value);
bool truth_of(const Json::Value& value);

/// A list, each item by `read`.
template <class Read>
auto list_of(const Json::Value& value, const Read& read) {
  std::vector<decltype(read(value))> result;
  for (const Json::Value& item : value.expect(Json::Kind::array, "a list").items())
    result.push_back(read(item));
  return result;
}

}  // namespace wmi::frontends
