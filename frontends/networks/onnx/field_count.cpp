#include "frontends/networks/onnx/field_count.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstdint>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;

constexpr std::size_t deepest = 100;  // as protobuf's own limit

const Error damaged("no ONNX model, or one that is damaged or cut off");

std::uint64_t read_varint(std::string_view bytes, std::size_t& at, std::size_t end) {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at >= end) throw damaged;
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    if (shift < 64) result |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128) return result;
  }
  throw damaged;
}

/// The number of bytes that a field of this wire type has after its tag and length.
std::size_t read_length(WireFormatLite::WireType type, std::string_view bytes, std::size_t& at,
                        std::size_t end) {
  std::uint64_t length = 0;
  switch (type) {
    case WireFormatLite::WIRETYPE_VARINT:
      read_varint(bytes, at, end);
      break;
    case WireFormatLite::WIRETYPE_FIXED64:
      length = 8;
      break;
    case WireFormatLite::WIRETYPE_FIXED32:
      length = 4;
      break;
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      length = read_varint(bytes, at, end);
      break;
    default:
      throw damaged;
  }
  if (length > end - at) throw damaged;
  return static_cast<std::size_t>(length);
}

bool is_packed_integers(const FieldDescriptor& field) {
  return field.is_packable() && (field.cpp_type() == FieldDescriptor::CPPTYPE_INT64 ||
                                 field.cpp_type() == FieldDescriptor::CPPTYPE_INT32 ||
                                 field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64);
}

}  // namespace

std::size_t count_fields(std::string_view bytes, const Descriptor& type, std::size_t most) {
  struct Open {
    const Descriptor* type;
    std::size_t end;
  };
  std::vector<Open> open{{&type, bytes.size()}};
  std::size_t at = 0, result = 0;
  while (!open.empty() && result <= most) {
    const auto [message, end] = open.back();
    if (at == end) {
      open.pop_back();
      continue;
    }
    ++result;
    const std::uint64_t tag = read_varint(bytes, at, end);
    if (tag >> 32 != 0 || tag >> 3 == 0) throw damaged;
    const auto wire = static_cast<WireFormatLite::WireType>(tag & 7);
    const std::size_t length = read_length(wire, bytes, at, end);
    const FieldDescriptor* const field = message->FindFieldByNumber(static_cast<int>(tag >> 3));
    const bool delimited = wire == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    if (delimited && field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE) {
      if (open.size() == deepest) throw Error("a model with messages nested too deeply");
      open.push_back({field->message_type(), at + length});
      continue;
    }
    if (delimited && field != nullptr && is_packed_integers(*field)) result += length;
    at += length;
  }
  return result;
}

}  // namespace wmi::frontends::onnx
