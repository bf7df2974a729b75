#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

/// Whether XML or HTML is well formed: tags nest and close, attributes are quoted, and no stray `<`,
/// `>` or `&` is left. Style sheets are not read; `meta` and `br` need no end tag.
inline bool well_formed(const std::string& text) {
  std::vector<std::string> open;
  std::size_t i = 0;
  const auto name = [&] {
    const std::size_t from = i;
    while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                               text[i] == '-' || text[i] == ':'))
      ++i;
    return text.substr(from, i - from);
  };
  if (text.starts_with("<!DOCTYPE html>\n")) i = 16;
  while (i < text.size()) {
    if (text[i] == '&') {
      ++i;
      const std::string entity = name();
      if (entity != "amp" && entity != "lt" && entity != "gt" && entity != "quot") return false;
      if (text[i++] != ';') return false;
    } else if (text[i] == '>') {
      return false;
    } else if (text[i] != '<') {
      if (open.empty() && text[i] != '\n') return false;
      ++i;
    } else if (text[++i] == '/') {
      ++i;
      if (open.empty() || name() != open.back() || text[i++] != '>') return false;
      open.pop_back();
    } else {
      open.push_back(name());
      if (open.back().empty()) return false;
      while (text[i] == ' ') {
        ++i;
        if (name().empty() || text.substr(i, 2) != "=\"") return false;
        i = text.find_first_of("\"<&", i + 2);
        if (i == std::string::npos || text[i] != '"') return false;
        ++i;
      }
      const bool closed = text[i] == '/';
      if (closed) ++i;
      if (text[i++] != '>') return false;
      if (open.back() == "style") {
        i = text.find("</style>", i);
        if (i == std::string::npos) return false;
      }
      if (closed || open.back() == "meta" || open.back() == "br") open.pop_back();
    }
  }
  return open.empty();
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++result;
  return result;
}
