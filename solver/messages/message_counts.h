#pragma once

#include <algorithm>
#include <cstddef>

namespace wmi {

/// What message passing did: the blocks of the problem, how many messages were computed, and the
/// most pieces of one.
struct MessageCounts {
  std::size_t blocks = 0;
  std::size_t messages = 0;
  std::size_t most_pieces = 0;

  MessageCounts& operator+=(const MessageCounts& other) {
    blocks += other.blocks;
    messages += other.messages;
    most_pieces = std::max(most_pieces, other.most_pieces);
    return *this;
  }
};

}  // namespace wmi
