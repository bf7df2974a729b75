#pragma once

#include <cstddef>
#include <string>

#include "solver/laws/law.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The title of a law's plot: `law of z`, for (get-distribution z).
std::string plot_title(const Query& query);

/// The file of the plot with this number, from 1: `out.svg`, `out-2.svg`, `out-3.svg`.
std::string plot_file(const std::string& file, std::size_t number);

}  // namespace wmi::frontends
