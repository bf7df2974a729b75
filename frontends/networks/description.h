#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/formats/json.h"

namespace wmi::frontends {

/// All of a network but its parameters, from JSON as docs/network.md describes it. Throws Error
/// with its place.
encoders::Network parse_description(const Json::Value& value);

/// The JSON that is read back as this.
std::string description(const encoders::Network& network);

}  // namespace wmi::frontends
