#pragma once

#include "encoders/encode.h"
#include "frontends/ciber/network_query.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The queries of all questions to an encoding. A question about terms that are known is one query;
/// about terms known only between bounds it is a bounded query, made of several. Throws Error for a
/// question that cannot be answered from bounds.
Task build_queries(encoders::Encoding encoding, const NetworkQuery& asked,
                   const encoders::Outcome& outcome);

}  // namespace wmi::frontends
