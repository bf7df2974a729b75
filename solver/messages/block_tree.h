#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/messages/factors.h"

namespace wmi {

/// Factors that no single variable separates, and the variables that they depend on.
struct Block {
  std::vector<std::size_t> factors;  // by number, ascending
  std::vector<Vertex> vertices;      // ascending
};

/// The biconnected blocks of the graph of some factors, in which two variables are joined if they
/// share a factor. Blocks share at most one variable, and form a forest: two blocks are neighbours
/// if they share one.
///
///     x < y, y < z, z < w:  {x y} - {y z} - {z w}
class BlockTree {
 public:
  /// The factors have these numbers; a weight may occur several times. `separates` says of a vertex
  /// whether blocks may be separated there.
  BlockTree(const Factors& factors, std::span<const std::size_t> numbers, std::size_t vertices,
            const std::vector<bool>& separates);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// The blocks of a vertex.
  const std::vector<std::size_t>& at(Vertex vertex) const { return at_[vertex]; }

  struct Step {
    std::size_t block;
    Vertex towards;  // the vertex that it shares with the block before it; none for the first
  };
  /// The blocks that are connected with this one, by growing distance.
  std::vector<Step> from(std::size_t block) const;
  /// A block in the middle of the tree that this one is in.
  std::size_t centre(std::size_t block) const;

 private:
  std::vector<Block> blocks_;
  std::vector<std::vector<std::size_t>> at_;
};

/// Is the graph of the problem's reals a forest, with Booleans in its blocks? Larger blocks take laws
/// of cells, which are slow.
bool has_small_blocks(const Problem& problem);

}  // namespace wmi
