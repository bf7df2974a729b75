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

namespace wmi {

/// The path of a search for a proof, written as it goes: each move is a node of the certificate's
/// tree, and `backtrack` goes to the next child that is still to be written.
///
/// An atom that the region alone decides is no node. Where it matters, at a product and where it is
/// one of the reasons why a formula is false, it is written as a split of which one way is thin.
class Path {
 public:
  /// At the root, for the whole problem, which must outlive the path.
  Path(const Problem& problem, std::vector<CertifiedIntegral> aims, std::ostream& out);

  ProofState& place() { return place_; }
  Scope& scope() { return scope_; }
  const Scope& scope() const { return scope_; }
  bool within_product() const;
  /// How many atoms that the region alone decides are reasons why it is false here.
  std::size_t implied_reasons() const { return reasons_to_show().size(); }

  /// Takes a decision without which a formula of the scope cannot hold: on the other way it is
  /// false. False if it has derived reals and is no equation that pins one.
  bool require(const Decision& unit);
  /// Decides a Boolean or an atom, both ways if it can go both ways. False if it has derived reals
  /// that are not pinned.
  bool take(std::uint32_t node);
  /// Both ways, on the two sides of a form.
  void cut(const LinearForm& form);
  /// A tree for each group of aims.
  void fork(std::vector<std::vector<std::size_t>> groups);
  /// A tree for each part.
  void fall_apart(Decomposition apart);

  /// Leaves.
  void write_falsehood();
  void write_region(CertificateNode kind);

  /// To the last node with a way that is still to be written; false if there is none.
  bool backtrack();

 private:
  struct Way {  // not taken yet
    std::optional<Decision> decision;
    std::optional<LinearForm> row = {};
    std::optional<ProductRegion> region = {};  // if there is a row
  };
  struct Move {  // and how to take it back
    bool decided = false, cut = false;
    std::optional<std::uint32_t> implied = {};  // an atom that the region decides
    std::optional<ProductRegion> region_before = {};
    std::optional<Elimination> pins_before = {};
    std::optional<Way> other = {};
  };
  struct Fork {
    std::vector<std::vector<std::size_t>> waiting;  // the last one is next
    std::vector<std::size_t> active_before;
  };
  struct Product {
    Decomposition apart;  // its parts are waiting, and the last one is next
    Scope scope_before;
    std::size_t rows_before;
    std::vector<Scope> done = {};
  };

  bool turn(Move& move);
  bool turn(Fork& fork);
  bool turn(Product& product);

  void pin(const Decision& unit, const LinearForm& form);
  void refute(Decision decision, const LinearForm* row);
  void decide(const Decision& decision, Move move);
  std::vector<std::uint32_t> reasons_to_show() const;
  void show(const std::vector<std::uint32_t>& atoms);

  CertificateWriter out_;
  ProofState place_;
  Scope scope_;
  std::vector<LinearForm> rows_;                 // none is above 0 here
  std::map<std::uint32_t, LinearForm> implied_;  // of atoms that the region decides, likewise
  std::vector<std::variant<Move, Fork, Product>> steps_;
};

}  // namespace wmi
