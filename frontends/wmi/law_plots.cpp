#include "frontends/wmi/law_plots.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "frontends/common/line.h"

namespace wmi::frontends {

std::string plot_title(const Query& query) {
  std::string text = one_line(query.text);
  constexpr std::string_view command = "(get-distribution ";
  if (!text.starts_with(command) || !text.ends_with(')')) return text;
  return "law of " + text.substr(command.size(), text.size() - command.size() - 1);
}

std::string plot_file(const std::string& file, std::size_t number) {
  if (number == 1) return file;
  const std::filesystem::path path = file;
  std::filesystem::path name = path.stem();
  name += fmt::format("-{}", number);
  name += path.extension();
  return (path.parent_path() / name).string();
}

}  // namespace wmi::frontends
