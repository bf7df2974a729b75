#include "frontends/networks/onnx/tensors.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "frontends/networks/binary_numbers.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using ::onnx::TensorProto;

std::optional<Rational> from_unsigned(const char* bytes) {
  return Rational(static_cast<unsigned long>(little_endian<std::uint64_t>(bytes)));
}

/// The field of a tensor that has the entries of a type, if they are not raw bytes.
enum class Field { floats, doubles, int32s, int64s, uint64s, strings };

struct Type {
  int number;
  std::string_view name;
  ElementType type;
  std::size_t bytes;
  Field field;
  std::optional<Rational> (*read)(const char* bytes);  // nullopt for NaN and infinities
};

constexpr auto types = std::to_array<Type>({
    {TensorProto::FLOAT, "float", ElementType::real, 4, Field::floats, from_float<decode_f32>},
    {TensorProto::DOUBLE, "double", ElementType::real, 8, Field::doubles, from_float<decode_f64>},
    {TensorProto::FLOAT16, "float16", ElementType::real, 2, Field::int32s, from_float<decode_f16>},
    {TensorProto::BFLOAT16, "bfloat16", ElementType::real, 2, Field::int32s,
     from_float<decode_bf16>},
    {TensorProto::INT8, "int8", ElementType::int8, 1, Field::int32s,
     from_integer<std::int8_t, std::uint8_t>},
    {TensorProto::INT16, "int16", ElementType::int16, 2, Field::int32s,
     from_integer<std::int16_t, std::uint16_t>},
    {TensorProto::INT32, "int32", ElementType::int32, 4, Field::int32s,
     from_integer<std::int32_t, std::uint32_t>},
    {TensorProto::INT64, "int64", ElementType::int64, 8, Field::int64s,
     from_integer<std::int64_t, std::uint64_t>},
    {TensorProto::UINT8, "uint8", ElementType::uint8, 1, Field::int32s,
     from_integer<std::uint8_t, std::uint8_t>},
    {TensorProto::UINT16, "uint16", ElementType::uint16, 2, Field::int32s,
     from_integer<std::uint16_t, std::uint16_t>},
    {TensorProto::UINT32, "uint32", ElementType::uint32, 4, Field::uint64s,
     from_integer<std::uint32_t, std::uint32_t>},
    {TensorProto::UINT64, "uint64", ElementType::uint64, 8, Field::uint64s, from_unsigned},
    {TensorProto::BOOL, "bool", ElementType::boolean, 1, Field::int32s,
     from_integer<std::uint8_t, std::uint8_t>},
});

const Type& find_type(std::int64_t number) {
  const auto found = std::ranges::find(types, number, &Type::number);
  if (found == types.end())
    throw Error("is of type " + std::to_string(number) + ", which is not supported; there are " +
                alternatives(types, &Type::name));
  return *found;
}

/// Appends the low bytes of each number of a list, little-endian.
template <class List>
void append(const List& numbers, std::size_t bytes, std::string& result) {
  for (const auto number : numbers) {
    const auto bits = [&] {
      if constexpr (sizeof(number) == 4)
        return std::uint64_t{std::bit_cast<std::uint32_t>(number)};
      else
        return std::bit_cast<std::uint64_t>(number);
    }();
    for (std::size_t i = 0; i < bytes; ++i) result += static_cast<char>(bits >> (8 * i) & 255);
  }
}

/// The data as bytes, in the field of its type or in the raw one. Throws Error if another has any.
std::string data_of(const TensorProto& tensor, const Type& type) {
  const auto check = [&](const auto& list, Field field) {
    if (!list.empty() && (type.field != field || tensor.has_raw_data()))
      throw Error("has data in a field that is not for its type, " + std::string(type.name) +
                  ", or in two fields");
  };
  check(tensor.float_data(), Field::floats);
  check(tensor.double_data(), Field::doubles);
  check(tensor.int32_data(), Field::int32s);
  check(tensor.int64_data(), Field::int64s);
  check(tensor.uint64_data(), Field::uint64s);
  check(tensor.string_data(), Field::strings);
  if (tensor.has_raw_data()) return tensor.raw_data();
  std::string result;
  append(tensor.float_data(), type.bytes, result);
  append(tensor.double_data(), type.bytes, result);
  append(tensor.int32_data(), type.bytes, result);
  append(tensor.int64_data(), type.bytes, result);
  append(tensor.uint64_data(), type.bytes, result);
  return result;
}

/// Throws Error if a listed number does not fit its type: its bytes were read as another number.
template <class List>
void check_listed(const List& numbers, const Constant& read) {
  if (!is_integer(read.type) || numbers.empty()) return;
  for (std::size_t i = 0; i < read.tensor.size(); ++i)
    if (read.tensor.entries[i] != Rational(numbers[static_cast<int>(i)]))
      throw Error("entry " + encoders::index_name(read.tensor.shape, i) + " is no " +
                  std::string(name_of(read.type)));
}

Constant read(const TensorProto& tensor, std::size_t& left) {
  if (tensor.data_location() == TensorProto::EXTERNAL || tensor.external_data_size() > 0)
    throw Error(
        "has its data in another file; write the model with its data inside, as by "
        "torch.onnx.export(..., external_data=False)");
  const Type& type = find_type(tensor.data_type());
  if (tensor.has_segment()) throw Error("is a segment of a tensor, which is not supported");
  Constant result{type.type, {}, tensor.name()};
  check_rank(static_cast<std::size_t>(tensor.dims_size()));
  for (const std::int64_t length : tensor.dims()) {
    if (length < 0 || static_cast<std::uint64_t>(length) > caps::tensors)
      throw Error("has an axis of length " + std::to_string(length));
    result.tensor.shape.push_back(static_cast<std::size_t>(length));
  }
  const std::size_t count = encoders::entry_count(result.tensor.shape);
  if (count > left)
    throw Error("has too many entries: the tensors of a model have at most " +
                std::to_string(caps::tensors));
  left -= count;
  const std::string data = data_of(tensor, type);
  if (data.size() != count * type.bytes)
    throw Error(std::string(type.name) + " " + encoders::to_string(result.tensor.shape) +
                " takes " + std::to_string(count * type.bytes) + " bytes, not " +
                std::to_string(data.size()));
  result.tensor.entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Rational> value = type.read(data.data() + i * type.bytes);
    if (!value)
      throw Error("entry " + encoders::index_name(result.tensor.shape, i) +
                  " is not a finite number");
    result.tensor.entries.push_back(std::move(*value));
  }
  check_entries(result.type, result.tensor.entries);
  check_listed(tensor.int32_data(), result);
  check_listed(tensor.uint64_data(), result);
  return result;
}

}  // namespace

Constant read_tensor(const TensorProto& tensor, std::size_t& left) {
  try {
    return read(tensor, left);
  } catch (const Error& error) {
    throw Error("tensor '" + shortened(tensor.name()) + "': " + error.what());
  }
}

ElementType element_type(std::int64_t number) { return find_type(number).type; }

}  // namespace wmi::frontends::onnx
