#include "frontends/learning/compared_methods.h"

#include <fmt/format.h>

#include <string>

#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"

namespace wmi::frontends {

std::vector<const bnn::ComparedMethod*> compared_methods(const Settings& settings, bool several) {
  std::vector<const bnn::ComparedMethod*> result;
  if (settings.text("methods").empty()) {
    for (const bnn::ComparedMethod& method : bnn::methods())
      if (method.standard && (several || !method.pooled)) result.push_back(&method);
    return result;
  }
  for (const std::string& name : comma_separated(settings.text("methods"))) {
    const bnn::ComparedMethod& method = bnn::find_method(name);
    if (method.pooled && !several)
      throw UsageError(
          fmt::format("--methods: {} needs several trajectories", std::string(method.name)));
    result.push_back(&method);
  }
  return result;
}

bnn::PredictiveOptions evaluation_options(const Settings& settings) {
  bnn::PredictiveOptions options;
  options.floor = settings.number("floor");
  return options;
}

}  // namespace wmi::frontends
