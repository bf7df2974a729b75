#pragma once

#include <string>

#include "encoders/network.h"
#include "frontends/formats/json.h"

namespace wmi::frontends {

/// Parses the description of a network (docs/network.md), all of it but the parameters. Throws
/// Error with its location.
encoders::Network parse_description(const Json::Value& value);

/// The JSON that `parse_description` reads back as this network without parameters.
std::string description(const encoders::Network& network);

}  // namespace wmi::frontends
