#pragma once

#include <algorithm>
#include <cstddef>

namespace wmi {

/// What was done instead of a search: the blocks of the problem, how many messages between them were
/// computed, the most pieces of one; how many goals were boxes with cuts (cut_box.h) or sums over
/// Booleans (discrete_sums.h), and into how many cases others were split (case_split.h).
struct MessageCounts {
  std::size_t blocks = 0;
  std::size_t messages = 0;
  std::size_t most_pieces = 0;
  std::size_t cut_boxes = 0;
  std::size_t discrete_sums = 0;
  std::size_t cases = 0;

  /// Were goals answered without a search?
  bool any() const { return messages + cut_boxes + discrete_sums > 0; }

  MessageCounts& operator+=(const MessageCounts& other) {
    blocks += other.blocks;
    messages += other.messages;
    most_pieces = std::max(most_pieces, other.most_pieces);
    cut_boxes += other.cut_boxes;
    discrete_sums += other.discrete_sums;
    cases += other.cases;
    return *this;
  }
};

}  // namespace wmi
