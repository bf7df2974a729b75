#include "frontends/networks/onnx/element_type.h"

#include <algorithm>
#include <string>

#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

struct Entry {
  ElementType type;
  std::string_view name;
  unsigned bits;  // 0: any number
  bool has_sign;
};

constexpr Entry table[] = {
    {ElementType::real, "float", 0, true},      {ElementType::boolean, "bool", 1, false},
    {ElementType::int8, "int8", 8, true},       {ElementType::int16, "int16", 16, true},
    {ElementType::int32, "int32", 32, true},    {ElementType::int64, "int64", 64, true},
    {ElementType::uint8, "uint8", 8, false},    {ElementType::uint16, "uint16", 16, false},
    {ElementType::uint32, "uint32", 32, false}, {ElementType::uint64, "uint64", 64, false},
};

const Entry& find(ElementType type) { return *std::ranges::find(table, type, &Entry::type); }

}  // namespace

std::string_view name_of(ElementType type) { return find(type).name; }

bool is_integer(ElementType type) {
  return type != ElementType::real && type != ElementType::boolean;
}

void check_entries(ElementType type, const std::vector<Rational>& entries) {
  const Entry& entry = find(type);
  if (entry.bits == 0) return;
  const Integer count = Integer(1) << entry.bits;
  const Integer low = entry.has_sign ? Integer(-count / 2) : Integer(0), high = low + count;
  for (const Rational& number : entries)
    if (number.get_den() != 1 || number.get_num() < low || number.get_num() >= high)
      throw Error("has the entry " + shortened(to_string(number)) + ", which is no " +
                  std::string(entry.name) +
                  "; integers are computed only where nothing is rounded "
                  "or wraps around");
}

void check_rank(std::size_t rank) {
  if (rank > most_axes)
    throw Error("has " + std::to_string(rank) + " axes; at most " + std::to_string(most_axes) +
                " are supported");
}

}  // namespace wmi::frontends::onnx
