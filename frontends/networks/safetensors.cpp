// The safetensors format, for files that are not trusted. Numbers are checked before they are used:
// the length of the header against the file, the entries of a shape against overflow, the bytes of
// each tensor against its type and shape. As the specification demands, the tensors partition the
// data, without overlap or gap, so memory is bounded by the size of the file.
//
// Ours, since no library of the distribution reads the format.

#include "frontends/networks/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "frontends/common/caps.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/read_file.h"
#include "frontends/common/text.h"
#include "frontends/common/write_file.h"
#include "frontends/formats/json.h"
#include "frontends/networks/binary_numbers.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Shape;
using encoders::Tensor;
using encoders::to_string;
using wmi::to_string;

template <class Unsigned>
void store(Unsigned value, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(std::uint64_t{value} >> (8 * i)));
}

struct Type {
  std::string_view name;
  std::size_t bytes;
  std::optional<Rational> (*read)(const char* bytes);  // nullopt for NaN and infinities
};

constexpr auto types = std::to_array<Type>({
    {"F64", 8, from_float<decode_f64>},
    {"F32", 4, from_float<decode_f32>},
    {"F16", 2, from_float<decode_f16>},
    {"BF16", 2, from_float<decode_bf16>},
    {"I64", 8, from_integer<std::int64_t, std::uint64_t>},
    {"I32", 4, from_integer<std::int32_t, std::uint32_t>},
    {"U8", 1, from_integer<std::uint8_t, std::uint8_t>},
    {"BOOL", 1, from_integer<std::uint8_t, std::uint8_t>},
});

std::string choices() { return alternatives(types, &Type::name); }

/// A tensor as the header describes it.
struct Entry {
  std::string name;
  const Type* type;
  Shape shape;
  std::size_t begin, end;  // of its data
};

std::string called(const std::string& name) { return "tensor '" + shortened(name) + "'"; }

std::size_t natural(const Json::Value& value, const std::string& what) {
  std::size_t result = 0;
  const std::string& text = value.text();
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (value.kind() != Json::Kind::number || failure != std::errc() ||
      end != text.data() + text.size())
    throw Error(what + " must be natural numbers");
  return result;
}

Entry read_entry(const Json::Value& value) {
  const std::string name = called(value.key());
  if (value.kind() != Json::Kind::object) throw Error(name + " must be described by an object");
  std::optional<Json::Value> dtype, shape, offsets;
  for (const Json::Value& item : value.items()) {
    if (item.key() == "dtype")
      dtype = item;
    else if (item.key() == "shape")
      shape = item;
    else if (item.key() == "data_offsets")
      offsets = item;
    else
      throw Error(name + " has a key '" + shortened(item.key()) + "', which is unknown");
  }
  if (!dtype || dtype->kind() != Json::Kind::string) throw Error(name + " has no 'dtype'");
  if (!shape || shape->kind() != Json::Kind::array) throw Error(name + " has no 'shape'");
  if (!offsets || offsets->kind() != Json::Kind::array || offsets->items().size() != 2)
    throw Error(name + " has no 'data_offsets', which are two numbers");

  const auto type = std::find_if(types.begin(), types.end(),
                                 [&](const Type& t) { return t.name == dtype->text(); });
  if (type == types.end())
    throw Error(name + " is of type '" + shortened(dtype->text()) + "'; convert it to " +
                choices());
  Entry result{value.key(), &*type, {}, 0, 0};
  for (const Json::Value& length : shape->items())
    result.shape.push_back(natural(length, name + ": the lengths in 'shape'"));
  result.begin = natural(offsets->items()[0], name + ": the 'data_offsets'");
  result.end = natural(offsets->items()[1], name + ": the 'data_offsets'");
  return result;
}

/// Throws Error unless the data has the size that type and shape need and lies inside the file.
void check_size(const Entry& entry, std::size_t data_size) {
  const std::string name = called(entry.name);
  std::size_t count = 0;
  try {
    count = encoders::entry_count(entry.shape);
  } catch (const Error& error) {
    throw Error(name + ": " + error.what());
  }
  if (entry.begin > entry.end || entry.end > data_size)
    throw Error(name + ": its data from " + std::to_string(entry.begin) + " to " +
                std::to_string(entry.end) + " is not inside the " + std::to_string(data_size) +
                " bytes of data");
  if (entry.end - entry.begin != count * entry.type->bytes)
    throw Error(name + ": " + std::string(entry.type->name) + ' ' + to_string(entry.shape) +
                " takes " + std::to_string(count * entry.type->bytes) + " bytes, not " +
                std::to_string(entry.end - entry.begin));
}

/// Throws Error unless the tensors partition the data.
void check_order(const std::vector<Entry>& entries, std::size_t data_size) {
  const auto unused = [](std::size_t begin, std::size_t end) {
    return Error("the bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                 " of the data belong to no tensor");
  };
  std::size_t end = 0;
  const Entry* before = nullptr;
  for (const Entry& entry : entries) {
    if (entry.begin < end)
      throw Error("tensors '" + shortened(before->name) + "' and '" + shortened(entry.name) +
                  "' overlap in the data");
    if (entry.begin > end) throw unused(end, entry.begin);
    end = entry.end;
    before = &entry;
  }
  if (end < data_size) throw unused(end, data_size);
}

Tensor<Rational> read_tensor(const Entry& entry, std::string_view data) {
  Tensor<Rational> result;
  result.shape = entry.shape;
  const std::size_t count = (entry.end - entry.begin) / entry.type->bytes;
  result.entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Rational> value =
        entry.type->read(data.data() + entry.begin + i * entry.type->bytes);
    if (!value)
      throw Error(called(entry.name) + ": entry " + encoders::index_name(entry.shape, i) +
                  " is not a finite number");
    result.entries.push_back(std::move(*value));
  }
  return result;
}

Json parse_header(std::string_view text) {
  if (!text.starts_with('{'))
    throw Error("no safetensors file: its header does not begin with '{'");
  try {
    return Json(text);
  } catch (const Error& error) {
    throw Error("in the header at " + std::to_string(error.where().line) + ":" +
                std::to_string(error.where().column) + ": " + error.what());
  }
}

}  // namespace

Safetensors parse_safetensors(std::string_view bytes) {
  if (bytes.size() < 8) throw Error("no safetensors file: it is shorter than 8 bytes");
  const auto length = little_endian<std::uint64_t>(bytes.data());
  if (length > bytes.size() - 8)
    throw Error("no safetensors file: its header of " + std::to_string(length) +
                " bytes would end after it");
  if (length > caps::header)
    throw Error("the header is longer than " + std::to_string(caps::header) + " bytes");
  const Json header = parse_header(bytes.substr(8, length));
  const std::string_view data = bytes.substr(8 + length);

  Safetensors result;
  std::vector<Entry> entries;
  for (const Json::Value& value : header.root().items()) {
    if (value.key() != "__metadata__") {
      entries.push_back(read_entry(value));
      check_size(entries.back(), data.size());
      continue;
    }
    if (value.kind() != Json::Kind::object) throw Error("'__metadata__' must be an object");
    for (const Json::Value& word : value.items()) {
      if (word.kind() != Json::Kind::string)
        throw Error("'" + shortened(word.key()) + "' in '__metadata__' must be a string");
      result.metadata.emplace(word.key(), word.text());
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  check_order(entries, data.size());
  std::size_t count = 0;
  for (const Entry& entry : entries) count += (entry.end - entry.begin) / entry.type->bytes;
  if (count > caps::tensors)
    throw Error("the tensors have " + std::to_string(count) + " entries; the most is " +
                std::to_string(caps::tensors));
  for (const Entry& entry : entries) result.tensors.emplace(entry.name, read_tensor(entry, data));
  return result;
}

Safetensors read_safetensors(const std::string& path) { return parse_safetensors(read_file(path)); }

// ---------------------------------------------------------------------------------------------

namespace {

template <class Float, class Unsigned>
bool store_float(const Rational& value, std::string& bytes) {
  const auto number = static_cast<Float>(value.get_d());  // rounds towards zero: exact if possible
  if (!std::isfinite(number) || Rational(number) != value) return false;
  store(std::bit_cast<Unsigned>(number), bytes);
  return true;
}

bool store_integer(const Rational& value, std::string& bytes) {
  if (value.get_den() != 1 || !value.get_num().fits_slong_p()) return false;
  store(static_cast<std::uint64_t>(value.get_num().get_si()), bytes);
  return true;
}

struct Writer {
  std::string_view type;
  bool (*store)(const Rational& value, std::string& bytes);  // false if it is not exact
};

constexpr auto writers = std::to_array<Writer>({
    {"F32", store_float<float, std::uint32_t>},
    {"F64", store_float<double, std::uint64_t>},
    {"I64", store_integer},
});

/// Appends the data of a tensor; returns its type.
std::string_view append(const std::string& name, const Tensor<Rational>& tensor,
                        std::string& data) {
  const std::size_t start = data.size();
  std::size_t furthest = 0;
  for (const Writer& writer : writers) {
    data.resize(start);
    std::size_t done = 0;
    while (done < tensor.size() && writer.store(tensor.entries[done], data)) ++done;
    if (done == tensor.size()) return writer.type;
    furthest = std::max(furthest, done);
  }
  throw Error(called(name) + ": entry " + encoders::index_name(tensor.shape, furthest) + " is " +
              shortened(to_string(tensor.entries[furthest])) +
              ", and no type holds it and those before it exactly");
}

}  // namespace

std::string to_bytes(const Safetensors& file) {
  JsonObject header;
  std::string data;
  if (!file.metadata.empty()) {
    JsonObject metadata;
    for (const auto& [name, word] : file.metadata) metadata.add(name, word);
    header.add("__metadata__", metadata);
  }
  for (const auto& [name, tensor] : file.tensors) {
    if (encoders::entry_count(tensor.shape) != tensor.size())
      throw Error(called(name) + " has " + std::to_string(tensor.size()) +
                  " entries and the shape " + to_string(tensor.shape));
    const std::size_t begin = data.size();
    JsonObject entry;
    entry.add("dtype", append(name, tensor, data))
        .add("shape", JsonArray::of(tensor.shape, JsonSpacing::blanks))
        .add("data_offsets", JsonArray().add(begin).add(data.size()));
    header.add(name, entry);
  }
  std::string text = header.text();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // aligns the data
  std::string result;
  store(std::uint64_t{text.size()}, result);
  return result + text + data;
}

void write_safetensors(const std::string& path, const Safetensors& file) {
  try {
    save(path, to_bytes(file));
  } catch (const WriteError& error) {
    throw Error(error.what());
  }
}

}  // namespace wmi::frontends
