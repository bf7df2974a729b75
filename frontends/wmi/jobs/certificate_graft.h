#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <span>
#include <string>

#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/unit_record.h"

namespace wmi::frontends {

/// Puts a certificate together from the pieces that the units of a job found: each subtree where
/// another unit left its place open. Memory is that of the records, not of the proofs.
class CertificateGraft {
 public:
  /// All must outlive this.
  CertificateGraft(const Job& job, std::span<const UnitRecord> records, std::ostream& out);

  /// The bytes of a place that no unit has searched.
  void leave_open(const SearchPath& place, std::string bytes);

  /// Writes the subtree of a task. Throws Error if the file of a proof is damaged, or if a place is
  /// missing.
  void write(const SearchPath& task);

 private:
  struct Found {
    const UnitRecord* record;
    const SearchTree* tree;
    const std::vector<std::size_t>* sizes;  // of the pieces
    std::size_t offset;                     // of the first one in the file
  };
  void add(const UnitRecord& record, std::size_t& offset, const SearchPath& place,
           const SearchTree& tree, const std::vector<std::size_t>& sizes);
  void copy(const Found& found, std::size_t offset, std::size_t size);

  const Job& job_;
  std::ostream& out_;
  std::map<std::string, Found> found_;       // by the unit and its place, as text
  std::map<std::string, std::string> open_;  // by the place
  std::set<std::string> checked_;            // units whose file has the digest that it should have
};

}  // namespace wmi::frontends
