#include "frontends/wmi/jobs/job_draft.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view draft_prefix = ".making-";

[[noreturn]] void refuse(const fs::path& directory) {
  throw Error(printable(directory.string()) +
              ": is there already; name another directory for the job");
}

/// Is the directory not there yet? Throws Error if it is in use.
bool free_and_new(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return true;
  fs::directory_iterator entries(directory, error);
  if (error) refuse(directory);
  for (const fs::directory_entry& entry : entries)
    if (!entry.path().filename().string().starts_with(draft_prefix)) refuse(directory);
  return false;
}

/// Makes the directory of a draft, and returns its name. Throws WriteError.
fs::path make_draft(const fs::path& directory) {
  fs::path result = directory / (std::string(draft_prefix) + process_mark());
  std::error_code error;
  fs::create_directories(result, error);
  if (error)
    throw WriteError("cannot write to " + printable(directory.string()) + ": " + error.message());
  return result;
}

}  // namespace

JobDraft::JobDraft(fs::path directory, JobDescription description,
                   const std::vector<std::string>& contents)
    : directory_(std::move(directory)),
      is_new_(free_and_new(directory_)),
      draft_(make_draft(directory_)),
      job_(Job::create(draft_, std::move(description), contents)) {}

JobDraft::~JobDraft() {
  std::error_code error;
  fs::remove_all(draft_, error);
  if (is_new_) fs::remove(directory_, error);  // unless there is something in it
}

void JobDraft::keep(const UnitRecord& root) {
  job_.begin(root);
  // The inputs first: a directory that is there is not replaced. The description last: before it,
  // there is no job.
  for (const char* const name : {"input", "done", "proof", "job.json"}) {
    std::error_code error;
    if (!fs::exists(draft_ / name, error)) continue;
    fs::rename(draft_ / name, directory_ / name, error);
    if (!error) continue;
    if (fs::exists(directory_ / name)) refuse(directory_);
    throw WriteError("cannot write to " + printable(directory_.string()) + ": " + error.message());
  }
}

}  // namespace wmi::frontends
