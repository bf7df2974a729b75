#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontends/wmi/jobs/unit_record.h"

namespace wmi::frontends {

/// What a job is: enough to build its problem again.
struct JobDescription {
  std::string version;                 // of the program that made it
  std::string program;                 // `wmi`, `ciber`
  std::string command;                 // `split`, `query`, `verify`
  std::vector<std::string> arguments;  // its options
  std::vector<std::string> files;      // the words of its command line, for messages
  std::vector<std::string> inputs;     // names in the directory, the first ones of these files
  std::vector<std::string> digests;    // of each
  std::size_t parts = 1;               // as many as were asked for
  std::string remark;                  // of the command
};

/// How the precision of a task rises from one round to the next: not at all if its answers have their
/// digits, else by what its cells were integrated with.
enum class Climb : std::uint8_t { none, rounded, doubles };

/// The directory of a job:
///
///     job.json        the description, with the digests of all inputs
///     input/          copies of the inputs
///     done/0          what the division itself found; its open places are the units 1, 2, ...
///     done/17         what unit 17 found; its open places are the units 17.1, 17.2, ...
///     proof/SHA256    of a job with proofs: the part of the certificate that a unit found
///     round.json      if the digits that were asked for need a second round: done-2/0, ...
///
/// Files appear whole or not at all, and what is there is never changed; so any number of processes
/// on any number of machines may work in it, and be killed.
class Job {
 public:
  /// Copies the inputs, of these contents. There is no job before `begin`. Throws WriteError.
  static Job create(const std::filesystem::path& directory, JobDescription description,
                    const std::vector<std::string>& contents);
  /// Writes the root, and then the description.
  void begin(const UnitRecord& root) const;
  /// Throws Error if there is no job, if it is of another program or version, or damaged.
  static Job open(const std::filesystem::path& directory, const std::string& program);

  const std::filesystem::path& directory() const { return directory_; }
  const JobDescription& description() const { return description_; }
  const std::string& digest() const { return digest_; }
  /// The copy of an input, and what a file is called in messages. Both throw Error.
  std::filesystem::path input(std::size_t number) const;
  const std::string& file(std::size_t number) const;

  std::size_t round() const { return climbs_.size() + 1; }
  /// After each earlier round, of each task.
  const std::vector<std::vector<Climb>>& climbs() const { return climbs_; }
  /// In this process alone: the next round.
  void climb(std::vector<Climb> climbs) { climbs_.push_back(std::move(climbs)); }
  /// Begins the next round, whose root is this one.
  void begin_round(std::vector<Climb> climbs, UnitRecord root);

  /// `job/done/17`
  std::filesystem::path file_of(const std::string& unit) const;
  /// What a unit found; nullopt if it is not done. Throws Error, in one line that names the file, if
  /// the file is damaged, or of another job, or of other places than these.
  std::optional<UnitRecord> record(const std::string& unit,
                                   const std::vector<SearchPath>& places) const;
  /// The places of a unit. Throws Error if the unit that left it is not done.
  std::vector<SearchPath> places_of(const std::string& unit) const;

  /// A record for this job and round.
  UnitRecord blank(const std::string& unit, std::vector<SearchPath> places) const;
  /// Writes the record, whole or not at all. False if the unit is done already: then the first
  /// record stays. Throws WriteError.
  bool keep(const UnitRecord& record) const;
  /// The same, in place of a file that is damaged, or is no plain file.
  void replace(const UnitRecord& record) const;

  /// Keeps the pieces of a unit's proof, before its record, and returns their digest. Throws
  /// WriteError.
  std::string keep_proof(const std::string& pieces) const;
  std::filesystem::path proof_of(const UnitRecord& record) const;

  /// All units from the root on: those that are done, and those that are open with the reason if
  /// that is a file that cannot be used. In order.
  struct Visitor {
    std::function<void(const UnitRecord&)> done;
    std::function<void(const std::string& unit, const std::vector<SearchPath>& places,
                       const std::string& problem)>
        open;
  };
  void visit(const Visitor& visitor) const;

 private:
  Job(std::filesystem::path directory, JobDescription description, std::string digest)
      : directory_(std::move(directory)),
        description_(std::move(description)),
        digest_(std::move(digest)) {}

  std::filesystem::path directory_;
  JobDescription description_;
  std::string digest_;
  std::vector<std::vector<Climb>> climbs_;
};

/// The version of this program.
std::string program_version();

/// Of this process on this machine: drafts of several lie in one directory.
std::string process_mark();

}  // namespace wmi::frontends
