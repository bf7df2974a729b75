#include "frontends/wmi/jobs/job.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <system_error>

#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/formats/json.h"
#include "frontends/wmi/jobs/digest.h"
#include "frontends/wmi/jobs/json_fields.h"
#include "frontends/wmi/jobs/program_build.h"
#include "solver/terms/error.h"

#ifndef WMI_VERSION
#define WMI_VERSION "unknown"
#endif

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view climb_names[] = {"none", "rounded", "doubles"};
constexpr std::string_view job_mark = "wmi-job", round_mark = "wmi-job-round";

[[noreturn]] void fail(const fs::path& file, std::string_view what) {
  throw Error(fmt::format("{}: {}", printable(file.string()), one_line(std::string(what))));
}

std::string text_of(const JobDescription& description) {
  JsonObject object(JsonSpacing::blanks);
  object.line(1).add(job_mark, 1);
  object.line(1).add("version", description.version);
  object.line(1).add("program", description.program);
  object.line(1).add("command", description.command);
  object.line(1).add("arguments", JsonArray::of(description.arguments, JsonSpacing::blanks));
  object.line(1).add("files", JsonArray::of(description.files, JsonSpacing::blanks));
  object.line(1).add("inputs", JsonArray::of(description.inputs, JsonSpacing::blanks));
  object.line(1).add("digests", JsonArray::of(description.digests, JsonSpacing::blanks));
  object.line(1).add("parts", description.parts);
  object.line(1).add("remark", description.remark);
  return object.line(0).text() + "\n";
}

JobDescription parse_description(const std::string& text) {
  const Json json(text);
  const Json::Value root = json.root().expect(Json::Kind::object, "the description of a job");
  if (!root.find(job_mark)) throw Error("it describes no job");
  JobDescription result;
  result.version = string_of(root.at("version"));
  result.program = string_of(root.at("program"));
  result.command = string_of(root.at("command"));
  result.arguments = strings_of(root.at("arguments"));
  result.files = strings_of(root.at("files"));
  result.inputs = strings_of(root.at("inputs"));
  result.digests = strings_of(root.at("digests"));
  result.remark = string_of(root.at("remark"));
  result.parts = count_of(root.at("parts"));
  if (result.files.empty()) throw Error("it names no file");
  if (result.inputs.size() != result.digests.size() || result.inputs.size() < result.files.size())
    throw Error("it has not one input for each file, or not one digest for each input");
  for (const std::string& input : result.inputs)
    for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 1) {
      end = input.find('/', from);
      const std::string part = input.substr(from, end - from);
      if (part.empty() || part.starts_with('.'))
        throw Error("'" + input + "' is no name of an input");
    }
  return result;
}

std::vector<std::vector<Climb>> parse_rounds(const std::string& text) {
  const Json json(text);
  const Json::Value root = json.root().expect(Json::Kind::object, "the round of a job");
  std::vector<std::vector<Climb>> result;
  for (const Json::Value& climb : root.at(round_mark).expect(Json::Kind::array, "a list").items()) {
    result.emplace_back();
    for (const std::string& task : strings_of(climb)) {
      const auto found = std::ranges::find(climb_names, task);
      if (found == std::end(climb_names)) throw Error("it is damaged");
      result.back().push_back(static_cast<Climb>(found - std::begin(climb_names)));
    }
  }
  return result;
}

/// Gives a draft its name, unless a file has it already. Returns an error number, or 0.
int give_name(const std::string& draft, const std::string& file) {
  if (link(draft.c_str(), file.c_str()) == 0) return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  // A file system without links, such as FAT; some have no such renaming either.
  if (renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;
  if (fs::exists(file)) return EEXIST;
  return std::rename(draft.c_str(), file.c_str()) == 0 ? 0 : errno;
}

/// Throws WriteError.
void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw WriteError("cannot write to " + printable(directory.string()) + ": " + error.message());
}

/// Throws Error that names the file.
template <class Parse>
auto parsed(const fs::path& file, const Parse& parse) {
  try {
    return parse(read_file(file.string()));
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(file.string())) throw;
    fail(file, what);
  }
}

/// Writes a text beside its file. Returns the name.
std::string save_draft(const std::string& file, const std::string& text) {
  make_directory(fs::path(file).parent_path());
  std::string draft = fmt::format("{}.{}.draft", file, process_mark());
  save(draft, text);
  return draft;
}

[[noreturn]] void cannot_write(const std::string& file, int reason) {
  throw WriteError("cannot write to " + printable(file) + ": " +
                   std::generic_category().message(reason));
}

/// Writes a file over what is there, also over a link or a pipe. Throws WriteError.
void replace_file(const std::string& file, const std::string& text) {
  const std::string draft = save_draft(file, text);
  if (std::rename(draft.c_str(), file.c_str()) == 0) return;
  const int reason = errno;
  unlink(draft.c_str());
  cannot_write(file, reason);
}

}  // namespace

std::string program_version() { return WMI_VERSION; }

std::string process_mark() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host = {"unknown"};
  return fmt::format("{}-{}", host.data(), getpid());
}

Job Job::create(const fs::path& directory, JobDescription description,
                const std::vector<std::string>& contents) {
  description.version = program_version();
  for (std::size_t i = 0; i < contents.size(); ++i) {
    description.digests.push_back(frontends::digest(contents[i]));
    const fs::path input = directory / "input" / description.inputs[i];
    make_directory(input.parent_path());
    save(input.string(), contents[i]);
  }
  const std::string digest = frontends::digest(text_of(description));
  return {directory, std::move(description), digest};
}

void Job::begin(const UnitRecord& root) const {
  keep(root);
  save((directory_ / "job.json").string(), text_of(description_));
}

Job Job::open(const fs::path& directory, const std::string& program) {
  const fs::path file = directory / "job.json";
  std::error_code error;
  const bool described = fs::exists(file, error);
  if (error) fail(file, "cannot be opened: " + error.message());
  if (!described) fail(directory, "is no directory of a job; it has no job.json");
  std::string text;
  JobDescription description = parsed(file, [&](std::string read) {
    text = std::move(read);
    return parse_description(text);
  });
  if (description.version != program_version())
    fail(file, fmt::format("the job was made by version {} and this is version {}; units are only "
                           "the same in the same version",
                           description.version, program_version()));
  if (description.program != program)
    fail(file, fmt::format("the job was made by {}; use that program", description.program));
  Job result(directory, std::move(description), frontends::digest(text));
  for (std::size_t i = 0; i < result.description_.inputs.size(); ++i) {
    const fs::path input = result.input(i);
    const auto digest_of = [](const std::string& bytes) { return frontends::digest(bytes); };
    if (parsed(input, digest_of) != result.description_.digests[i])
      fail(input, "the file has changed since the job was made; its digest does not match");
  }
  const fs::path round = directory / "round.json";
  if (fs::exists(round, error)) result.climbs_ = parsed(round, parse_rounds);
  return result;
}

fs::path Job::input(std::size_t number) const {
  if (number >= description_.inputs.size()) fail(directory_ / "job.json", "it has too few inputs");
  return directory_ / "input" / description_.inputs[number];
}

const std::string& Job::file(std::size_t number) const {
  if (number >= description_.files.size()) fail(directory_ / "job.json", "it has too few files");
  return description_.files[number];
}

fs::path Job::file_of(const std::string& unit) const {
  return directory_ / (round() == 1 ? "done" : fmt::format("done-{}", round())) / file_name(unit);
}

void Job::begin_round(std::vector<Climb> climbs, UnitRecord root) {
  climb(std::move(climbs));
  root.round = round();
  keep(root);
  JsonArray rounds;
  for (const std::vector<Climb>& climb : climbs_) {
    JsonArray tasks;
    for (const Climb task : climb) tasks.add(climb_names[static_cast<std::size_t>(task)]);
    rounds.add(tasks);
  }
  replace_file((directory_ / "round.json").string(),
               JsonObject().add(round_mark, rounds).text() + "\n");
}

std::optional<UnitRecord> Job::record(const std::string& unit,
                                      const std::vector<SearchPath>& places) const {
  const fs::path file = file_of(unit);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
  UnitRecord found = parsed(file, [](const std::string& text) {
    try {
      return parse_record(text);
    } catch (const Error& wrong) {
      throw Error(std::string("damaged: ") + wrong.what() + "; solve the unit again");
    }
  });
  if (found.version != description_.version)
    fail(file, fmt::format("written by version {}, not by {}; solve the unit again", found.version,
                           description_.version));
  if (found.job != digest_ || found.round != round() || found.unit != unit)
    fail(file, "of another job, round or unit; solve the unit again");
  if (found.places != places)
    fail(file, "of other places of the search than its unit; solve the unit again");
  if (!found.proof.empty()) {
    const fs::path proof = proof_of(found);
    const std::uintmax_t size = fs::file_size(proof, error);
    if (error || size != found.proof_size())
      fail(proof, fmt::format("{}, the proof of unit {}; solve the unit again",
                              error ? "missing" : "damaged", unit));
  }
  return found;
}

fs::path Job::proof_of(const UnitRecord& record) const {
  return directory_ / "proof" / record.proof.substr(record.proof.find(':') + 1);
}

std::string Job::keep_proof(const std::string& pieces) const {
  UnitRecord record;
  record.proof = frontends::digest(pieces);
  const fs::path file = proof_of(record);
  replace_file(file.string(),
               pieces);  // the name says what is in it, so another process writes the same
  return record.proof;
}

std::vector<SearchPath> Job::places_of(const std::string& unit) const {
  std::vector<SearchPath> places = {SearchPath()};
  if (unit == root_unit) return places;
  std::string parent(root_unit);
  for (const std::size_t number : parse_unit(unit)) {
    const std::optional<UnitRecord> found = record(parent, places);
    if (!found)
      fail(directory_, fmt::format("there is no unit {}: unit {} is not done", unit, parent));
    std::vector<std::vector<SearchPath>> units = found->left_open();
    if (number > units.size())
      fail(directory_,
           fmt::format("there is no unit {}: unit {} left {}", unit, parent, units.size()));
    places = std::move(units[number - 1]);
    parent = unit_name(parent, number);
  }
  return places;
}

UnitRecord Job::blank(const std::string& unit, std::vector<SearchPath> places) const {
  UnitRecord result;
  result.job = digest_;
  result.version = description_.version;
  result.build = program_build();
  result.round = round();
  result.unit = unit;
  result.places = std::move(places);
  return result;
}

bool Job::keep(const UnitRecord& record) const {
  // A link does not replace: of two processes with the same unit, the first one's record stays, and
  // with it the units that it left.
  const std::string file = file_of(record.unit).string();
  const std::string draft = save_draft(file, to_text(record));
  const int reason = give_name(draft, file);
  unlink(draft.c_str());
  if (reason == 0) return true;
  if (reason == EEXIST) return false;
  cannot_write(file, reason);
}

void Job::replace(const UnitRecord& record) const {
  replace_file(file_of(record.unit).string(), to_text(record));
}

void Job::visit(const Visitor& visitor) const {
  struct Waiting {
    std::string unit;
    std::vector<SearchPath> places;
  };
  std::deque<Waiting> waiting{{std::string(root_unit), {SearchPath()}}};
  for (; !waiting.empty(); waiting.pop_front()) {
    const Waiting here = waiting.front();
    std::optional<UnitRecord> found;
    std::string problem;
    try {
      found = record(here.unit, here.places);
    } catch (const Error& error) {
      problem = error.what();
    }
    if (!found) {
      visitor.open(here.unit, here.places, problem);
      continue;
    }
    std::vector<std::vector<SearchPath>> left = found->left_open();
    for (std::size_t i = 0; i < left.size(); ++i)
      waiting.push_back({unit_name(here.unit, i + 1), std::move(left[i])});
    visitor.done(*found);
  }
}

}  // namespace wmi::frontends
