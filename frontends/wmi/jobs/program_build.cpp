// The build ID is a note in a segment of the program, which is in memory: nothing is read from a file.

#include "frontends/wmi/jobs/program_build.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace wmi::frontends {
namespace {

constexpr std::string_view gnu("GNU\0", 4);

/// The build ID among the notes of a segment; empty if there is none.
std::string build_among(std::span<const std::byte> notes, std::size_t alignment) {
  const auto aligned = [&](std::size_t size) {
    return (size + alignment - 1) / alignment * alignment;
  };
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t begin = aligned(sizeof note + note.n_namesz);
    if (begin + note.n_descsz > notes.size()) break;
    const std::string_view name(reinterpret_cast<const char*>(notes.data()) + sizeof note,
                                note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && name == gnu)
      return fmt::format("{:02x}", fmt::join(notes.subspan(begin, note.n_descsz), ""));
    notes = notes.subspan(std::min(notes.size(), begin + aligned(note.n_descsz)));
  }
  return {};
}

int read_program(dl_phdr_info* program, std::size_t, void* build) {
  auto& result = *static_cast<std::string*>(build);
  for (const ElfW(Phdr) & segment : std::span(program->dlpi_phdr, program->dlpi_phnum))
    if (segment.p_type == PT_NOTE && result.empty())
      result = build_among(
          {std::bit_cast<const std::byte*>(program->dlpi_addr + segment.p_vaddr), segment.p_memsz},
          std::max<std::size_t>(4, segment.p_align));
  return 1;  // the first one is the program, and the others are its libraries
}

}  // namespace

std::string program_build() {
  std::string result;
  dl_iterate_phdr(read_program, &result);
  return result;
}

}  // namespace wmi::frontends
