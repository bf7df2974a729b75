#pragma once

#include <string>
#include <string_view>

namespace wmi::frontends {

/// `sha256:` and the digest of these bytes, in hexadecimal.
std::string digest(std::string_view bytes);
/// Has a text this form?
bool is_digest(std::string_view text);

}  // namespace wmi::frontends
