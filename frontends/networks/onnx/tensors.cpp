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

struct Type {
  int number;
  std::string_view name;
  ElementType type;
  std::size_t bytes;
  std::optional<Rational> (*read)(const char* bytes);  // nullopt for NaN and infinities
};

constexpr auto types = std::to_array<Type>({
    {TensorProto::FLOAT, "float", ElementType::real, 4, from_float<decode_f32>},
    {TensorProto::DOUBLE, "double", ElementType::real, 8, from_float<decode_f64>},
    {TensorProto::FLOAT16, "float16", ElementType::real, 2, from_float<decode_f16>},
    {TensorProto::BFLOAT16, "bfloat16", ElementType::real, 2, from_float<decode_bf16>},
    {TensorProto::INT8, "int8", ElementType::integer, 1, from_integer<std::int8_t, std::uint8_t>},
    {TensorProto::INT16, "int16", ElementType::integer, 2,
     from_integer<std::int16_t, std::uint16_t>},
    {TensorProto::INT32, "int32", ElementType::integer, 4,
     from_integer<std::int32_t, std::uint32_t>},
    {TensorProto::INT64, "int64", ElementType::integer, 8,
     from_integer<std::int64_t, std::uint64_t>},
    {TensorProto::UINT8, "uint8", ElementType::integer, 1,
     from_integer<std::uint8_t, std::uint8_t>},
    {TensorProto::UINT16, "uint16", ElementType::integer, 2,
     from_integer<std::uint16_t, std::uint16_t>},
    {TensorProto::UINT32, "uint32", ElementType::integer, 4,
     from_integer<std::uint32_t, std::uint32_t>},
    {TensorProto::UINT64, "uint64", ElementType::integer, 8, from_unsigned},
    {TensorProto::BOOL, "bool", ElementType::boolean, 1, from_integer<std::uint8_t, std::uint8_t>},
});

const Type& find_type(std::int64_t number) {
  const auto found = std::ranges::find(types, number, &Type::number);
  if (found == types.end())
    throw Error("of type " + std::to_string(number) + ", which is not supported; there are " +
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

/// The data as bytes, wherever the tensor has it.
std::string data_of(const TensorProto& tensor, std::size_t bytes) {
  if (tensor.has_raw_data()) return tensor.raw_data();
  std::string result;
  append(tensor.float_data(), bytes, result);
  append(tensor.double_data(), bytes, result);
  append(tensor.int32_data(), bytes, result);
  append(tensor.int64_data(), bytes, result);
  append(tensor.uint64_data(), bytes, result);
  return result;
}

Constant read(const TensorProto& tensor, std::size_t& left) {
  if (tensor.data_location() == TensorProto::EXTERNAL || tensor.external_data_size() > 0)
    throw Error(
        "has its data in another file; write the model with its data inside, as by "
        "torch.onnx.export(..., external_data=False)");
  const Type& type = find_type(tensor.data_type());
  if (tensor.has_segment()) throw Error("is a segment of a tensor, which is not supported");
  Constant result{type.type, {}, tensor.name()};
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
  const std::string data = data_of(tensor, type.bytes);
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
