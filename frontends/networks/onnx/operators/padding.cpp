#include "frontends/networks/onnx/operators/padding.h"

#include <algorithm>
#include <string>

#include "encoders/algebra.h"
#include "frontends/common/caps.h"
#include "frontends/common/text.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

std::size_t constant(std::int64_t, std::int64_t) { return encoders::nothing; }

std::size_t edge(std::int64_t place, std::int64_t length) {
  return static_cast<std::size_t>(std::clamp(place, std::int64_t{0}, length - 1));
}

/// Mirrored at the first and the last entry, which are not repeated.
std::size_t reflect(std::int64_t place, std::int64_t length) {
  if (length == 1) return 0;
  const std::int64_t period = 2 * (length - 1), rest = (place % period + period) % period;
  return static_cast<std::size_t>(rest < length ? rest : period - rest);
}

std::size_t wrap(std::int64_t place, std::int64_t length) {
  return static_cast<std::size_t>((place % length + length) % length);
}

struct Entry {
  std::string_view name;
  PaddingMode mode;
};
constexpr Entry table[] = {
    {"constant", constant}, {"edge", edge}, {"reflect", reflect}, {"wrap", wrap}};

}  // namespace

PaddingMode find_padding_mode(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found == std::end(table))
    throw Error("attribute 'mode' must be " + alternatives(table, &Entry::name) + ", not '" +
                shortened(name) + "'");
  return found->mode;
}

std::size_t padded_length(std::size_t length, const Padding& padding) {
  const auto n = static_cast<std::int64_t>(length);
  const auto most = static_cast<std::int64_t>(caps::tensors.value());
  const auto [before, after] = padding;
  if (before > most || after > most || before < -n || after < -n || before + after + n > most)
    throw Error("a padding of " + std::to_string(before) + " and " + std::to_string(after) +
                " does not fit an axis of length " + std::to_string(n));
  if (before + after + n <= 0) throw Error("has no entries");
  return static_cast<std::size_t>(before + after + n);
}

std::vector<std::size_t> padded_places(PaddingMode mode, std::size_t length,
                                       const Padding& padding) {
  const auto n = static_cast<std::int64_t>(length);
  std::vector<std::size_t> result;
  for (std::int64_t place = -padding.before; place < n + padding.after; ++place)
    result.push_back(place >= 0 && place < n ? static_cast<std::size_t>(place) : mode(place, n));
  return result;
}

}  // namespace wmi::frontends::onnx
