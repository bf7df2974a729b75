#pragma once

#include <cstddef>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace wmi::frontends::onnx {

/// The number of fields of a message and of all messages in it, found by reading tags and lengths
/// alone: an upper bound of what its decoding allocates. Entries of packed lists of integers, which
/// may take eight times their bytes, count as fields. Stops after `most`. Throws Error if the bytes
/// are no such message.
std::size_t count_fields(std::string_view bytes, const google::protobuf::Descriptor& type,
                         std::size_t most);

}  // namespace wmi::frontends::onnx
