#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <variant>
#include <vector>

#include "solver/certificates/certificate_writer.h"
#include "solver/certificates/decomposition.h"
#include "solver/certificates/proof_state.h"
#include "solver/enumerators/search_tree.h"

namespace wmi {

/// The current path of a search for a proof. Each move is written as a node of the certificate's
/// tree, and `backtrack` goes to the next child that is still to be written.
///
/// An atom that the region implies is not a node. Only where the checker needs it, at a product and
/// as a reason for a false formula, is it written: as a split with a thin side.
class Path {
 public:
  /// At the root, for the whole problem, which must outlive the path.
  Path(const Problem& problem, std::vector<CertifiedIntegral> integrals, std::ostream& out);

  ProofState& state() { return state_; }
  Scope& scope() { return scope_; }
  const Scope& scope() const { return scope_; }
  bool within_product() const;
  /// The number of atoms implied by the region among the reasons for the scope being false here.
  std::size_t implied_reasons() const { return reasons_to_show().size(); }

  /// Takes a decision without which a formula of the scope cannot hold: the other branch is false.
  /// Returns false if it has derived reals and is not an equation that pins one.
  bool require(const Decision& unit);
  /// Decides a Boolean or an atom, and branches if both values are possible. Returns false if it
  /// has derived reals that are not pinned.
  bool take(std::uint32_t node);
  /// Branches on the two sides of a form.
  void cut(const LinearForm& form);
  /// Starts a tree for each group of integrals.
  void fork(std::vector<std::vector<std::size_t>> groups);
  /// Starts a tree for each part.
  void decompose(Decomposition decomposition);

  /// Leaves.
  void write_falsehood();
  void write_region(CertificateNode kind);

  /// Goes to the last node with a child that is still to be written; false if there is none beyond
  /// the first `base` steps.
  bool backtrack(std::size_t base = 0);

  /// The number of steps from the root: nodes with one child to be searched, or several.
  std::size_t steps() const { return steps_.size(); }
  /// The branches to this place. Requires that it is not within a product, whose parts are searched
  /// together.
  SearchPath place() const;
  /// The last step, if it has several children of which the first was entered; nullopt if not.
  std::optional<PathStep> last_node() const;
  /// Enters a child of the last node instead of the first.
  void enter(std::uint32_t branch);
  /// The places that are still to be searched beyond the first `base` steps, from left to right,
  /// without this one.
  std::vector<SearchPath> waiting(std::size_t base) const;
  /// Takes back a product that was just begun.
  void withdraw_product();
  bool at_product() const {
    return !steps_.empty() && std::holds_alternative<Product>(steps_.back());
  }

  /// An estimate of how much of the tree is written, from 0 to 1: all children of a node count the
  /// same. It never falls from one leaf to the next.
  double share_written() const;

 private:
  struct Alternative {  // a branch not taken yet
    std::optional<Decision> decision;
    std::optional<LinearForm> row = {};
    std::optional<ProductRegion> region = {};  // if there is a row
  };
  struct Move {  // with what is needed to undo it
    bool decided = false, cut = false;
    std::optional<std::uint32_t> implied = {};  // an atom that the region implies
    std::optional<ProductRegion> region_before = {};
    std::optional<Elimination> pins_before = {};
    std::optional<SearchNode> node = {};  // if there is another branch
    std::optional<Alternative> other = {};
    bool other_taken = false;
  };
  struct Fork {
    std::vector<std::vector<std::size_t>> waiting;  // in reverse order
    std::vector<std::size_t> active_before;
    std::size_t done = 0;
  };
  struct Product {
    Decomposition decomposition;  // with the waiting parts, in reverse order
    Scope scope_before;
    std::size_t rows_before;
    std::vector<Scope> done = {};
  };

  /// How many children a step has, and how many of them are written.
  struct Children {
    std::size_t all, written;
  };
  static Children children(const Move& move);
  static Children children(const Fork& fork);
  static Children children(const Product& product);

  static std::optional<PathStep> path_step(const std::variant<Move, Fork, Product>& step);

  /// Undoes the current child and starts the next one; false if there is none.
  bool next_child(Move& move);
  bool next_child(Fork& fork);
  bool next_child(Product& product);

  void pin(const Decision& unit, const LinearForm& form);
  void refute(Decision decision, const LinearForm* row);
  void decide(const Decision& decision, Move move);
  std::vector<std::uint32_t> reasons_to_show() const;
  void show(const std::vector<std::uint32_t>& atoms);

  CertificateWriter out_;
  ProofState state_;
  Scope scope_;
  std::vector<LinearForm> rows_;                 // all <= 0 here
  std::map<std::uint32_t, LinearForm> implied_;  // the rows of atoms that the region implies
  std::vector<std::variant<Move, Fork, Product>> steps_;
};

}  // namespace wmi
