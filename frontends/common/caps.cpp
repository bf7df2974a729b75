#include "frontends/common/caps.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

Cap* const table[] = {
    &caps::file,
    &caps::nesting,
    &wmi::caps::digits,
    &wmi::caps::number_digits,
    &caps::exponent,
    &wmi::caps::degree,
    &wmi::caps::terms,
    &wmi::caps::products,
    &wmi::caps::coefficients,
    &wmi::caps::choices,
    &wmi::caps::moments,
    &wmi::caps::knots,
    &wmi::caps::plan,
    &caps::push,
    &caps::distinct,
    &caps::macro_terms,
    &caps::macro_depth,
    &caps::states,
    &caps::header,
    &caps::tensors,
    &caps::fields,
    &caps::columns,
    &caps::cells,
    &caps::inputs,
    &caps::words,
    &caps::unpacked,
    &wmi::caps::entries,
    &wmi::caps::seen,
    &wmi::caps::steps,
    &wmi::caps::pieces,
};

std::string names() { return alternatives(table, &Cap::name); }

std::pair<Cap*, std::size_t> read_cap(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos)
    throw Error("'" + shortened(std::string(text)) + "': write NAME=VALUE, as in digits=20000");
  const std::string_view name = text.substr(0, sign), number = text.substr(sign + 1);
  const auto found = std::ranges::find(table, name, [](const Cap* cap) { return cap->name(); });
  if (found == std::end(table))
    throw Error("no cap named '" + shortened(std::string(name)) + "'; choose " + names());
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || stop != number.data() + number.size() || value == 0 ||
      value > (*found)->greatest())
    throw Error("'" + shortened(std::string(number)) + "' is no whole number from 1 to " +
                std::to_string((*found)->greatest()) + ", for " + std::string(name));
  return {*found, value};
}

}  // namespace

std::span<Cap* const> all_caps() { return table; }

void set_caps(std::string_view text) {
  std::vector<std::pair<Cap*, std::size_t>> read;  // parsed completely before any is set
  for (;;) {
    const std::size_t comma = text.find(',');
    read.push_back(read_cap(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  for (const auto& [cap, value] : read) cap->set(value);
}

}  // namespace wmi::frontends
