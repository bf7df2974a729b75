#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/enumerators/search_tree.h"
#include "solver/units/task_in_units.h"

namespace wmi::frontends {

/// What a work unit found, as the file that it leaves: the sums over the cells it found, and which
/// places of the search it finished; the places that it left open are new units.
///
/// The file is one JSON object, and a line with its digest. Its trees are complete by their grammar,
/// so that no place can be missing from it.
struct UnitRecord {
  /// The part of one task.
  struct OfTask {
    std::size_t task = 0;
    std::optional<std::vector<std::size_t>> searched = {};  // of the root: the goals searched for
    UnitResult found = {};                                  // without the tree and the pieces
    /// Of a proof, for each place of the task: the sizes of the pieces (UnitResult).
    std::vector<std::vector<std::size_t>> pieces = {};
  };

  std::string job;        // the digest of the job's description
  std::string version;    // of the program
  std::string build;      // of the program, see program_build; may be empty
  std::size_t round = 1;  // of the job
  std::string unit;       // `17`, and `17.2` for the second unit that it left
  std::vector<SearchPath> places;
  std::vector<SearchTree> trees;  // below each place
  std::size_t calls = 0;          // after so many cells it was paused; 0: not at all
  double seconds = 0;
  std::vector<OfTask> tasks;
  std::string note;   // what else is kept of its cells, as JSON; may be empty
  std::string proof;  // the digest of its pieces, one after the other; empty: it is no proof

  /// The bytes of its pieces.
  std::size_t proof_size() const;

  /// The places of each unit that it left, in order.
  std::vector<std::vector<SearchPath>> left_open() const;
};

std::string to_text(const UnitRecord& record);

/// Throws Error, in one line, if the text is damaged or no record.
UnitRecord parse_record(std::string_view text);

/// A fraction of any length, as `to_string` writes it: unlike a literal of a user's. Throws Error.
Rational parse_exact(const std::string& text);

/// Makes units of the open places: the ones nearest to the root, which are likely to be the largest,
/// are a unit each, and all others together the last one. At most `most` units; 0: one for each.
void number_units(std::vector<SearchTree>& trees, std::size_t most);

/// The numbers of a name, from 1: the unit 17.2 is the second one that 17 left, which is the 17th that
/// the root left. Throws Error if it is no name of a unit.
std::vector<std::size_t> parse_unit(const std::string& name);
std::string unit_name(const std::string& parent, std::size_t number);

/// The file of a unit: its name, or if that is too long for a file, its beginning and its digest.
std::string file_name(const std::string& unit);

/// The unit that the whole search begins with.
inline constexpr std::string_view root_unit = "0";

}  // namespace wmi::frontends
