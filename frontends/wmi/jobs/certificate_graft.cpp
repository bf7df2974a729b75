#include "frontends/wmi/jobs/certificate_graft.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/wmi/jobs/digest.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

[[noreturn]] void misfit(const std::string& unit) {
  throw Error(fmt::format("unit {}: its proof does not have a piece for each of its places", unit));
}

std::string name_of(const std::string& unit, const SearchPath& place) {
  return unit + ": " + to_text(place);
}

}  // namespace

CertificateGraft::CertificateGraft(const Job& job, std::span<const UnitRecord> records,
                                   std::ostream& out)
    : job_(job), out_(out) {
  for (const UnitRecord& record : records) {
    std::size_t offset = 0;
    if (record.unit == root_unit) {  // its place is that of all tasks
      const std::vector<SearchTree>& tasks = record.trees.at(0).branches;
      for (const UnitRecord::OfTask& part : record.tasks) {
        if (part.task >= tasks.size() || part.pieces.size() != 1) misfit(record.unit);
        const PathStep step{{SearchNode::Kind::tasks},
                            static_cast<std::uint32_t>(part.task),
                            static_cast<std::uint32_t>(tasks.size())};
        add(record, offset, {step}, tasks[part.task], part.pieces[0]);
      }
      continue;
    }
    for (const UnitRecord::OfTask& part : record.tasks) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < record.places.size(); ++i) {
        if (record.places[i].empty() || record.places[i][0].branch != part.task) continue;
        if (next == part.pieces.size()) misfit(record.unit);
        add(record, offset, record.places[i], record.trees[i], part.pieces[next++]);
      }
      if (next != part.pieces.size()) misfit(record.unit);
    }
  }
}

void CertificateGraft::add(const UnitRecord& record, std::size_t& offset, const SearchPath& place,
                           const SearchTree& tree, const std::vector<std::size_t>& sizes) {
  if (sizes.size() != open_places(tree).size() + 1) misfit(record.unit);
  found_.emplace(name_of(record.unit, place), Found{&record, &tree, &sizes, offset});
  for (const std::size_t size : sizes) offset += size;
}

void CertificateGraft::leave_open(const SearchPath& place, std::string bytes) {
  open_.emplace(to_text(place), std::move(bytes));
}

void CertificateGraft::copy(const Found& found, std::size_t offset, std::size_t size) {
  const std::string file = job_.proof_of(*found.record).string();
  if (!checked_.contains(found.record->unit)) {
    constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();
    if (digest(read_file(file, any_size)) != found.record->proof)
      throw Error(
          fmt::format("{}: damaged, the proof of unit {}: its digest does not match; remove "
                      "the file and solve the unit again",
                      printable(file), found.record->unit));
    checked_.insert(found.record->unit);
  }
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto whole = static_cast<std::size_t>(std::max<std::streamoff>(0, in.tellg()));
  if (offset > whole || size > whole - offset) misfit(found.record->unit);
  in.seekg(static_cast<std::streamoff>(offset));
  std::string bytes(size, '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    throw Error(printable(file) + ": cannot be read");
  out_ << bytes;
}

void CertificateGraft::write(const SearchPath& task) {
  struct Waiting {  // a place, from one of its pieces on
    SearchPath place;
    const Found* found;
    std::vector<OpenPlace> open;
    std::size_t next, offset;
  };
  std::vector<Waiting> waiting;
  const auto enter = [&](const std::string& unit, const SearchPath& place) {
    const auto found = found_.find(name_of(unit, place));
    if (found == found_.end()) {
      const auto left = open_.find(to_text(place));
      if (left == open_.end())
        throw Error(fmt::format("unit {} has no proof for the place {}", unit, to_text(place)));
      out_ << left->second;
      return;
    }
    waiting.push_back(
        {place, &found->second, open_places(*found->second.tree), 0, found->second.offset});
  };
  for (enter(std::string(root_unit), task); !waiting.empty();) {
    Waiting& here = waiting.back();
    const std::size_t size = (*here.found->sizes)[here.next];
    if (size > 0) copy(*here.found, here.offset, size);
    here.offset += size;
    if (here.next == here.open.size()) {
      waiting.pop_back();
      continue;
    }
    SearchPath place = here.place;
    const OpenPlace& below = here.open[here.next++];
    place.insert(place.end(), below.path.begin(), below.path.end());
    enter(unit_name(here.found->record->unit, below.unit), place);
  }
}

}  // namespace wmi::frontends
