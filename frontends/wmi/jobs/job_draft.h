#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontends/wmi/jobs/job.h"

namespace wmi::frontends {

/// A job that is being made, in a hidden directory within its own, so that it is there as a whole or
/// not at all. A process that is killed leaves that directory, which is in nobody's way.
class JobDraft {
 public:
  /// Throws Error if the directory is there and has anything but drafts in it; WriteError.
  JobDraft(std::filesystem::path directory, JobDescription description,
           const std::vector<std::string>& contents);
  /// Removes what was not kept.
  ~JobDraft();
  JobDraft(const JobDraft&) = delete;
  JobDraft& operator=(const JobDraft&) = delete;

  Job& job() { return job_; }
  /// Throws Error if another process has made a job there meanwhile; WriteError.
  void keep(const UnitRecord& root);

 private:
  const std::filesystem::path directory_;
  const bool is_new_;  // the directory
  const std::filesystem::path draft_;
  Job job_;
};

}  // namespace wmi::frontends
