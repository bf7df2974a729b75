#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/messages/block_integrator.h"
#include "solver/messages/block_tree.h"
#include "solver/messages/factors.h"
#include "solver/messages/implied_bounds.h"
#include "solver/messages/message_counts.h"
#include "solver/numeric/piecewise.h"

namespace wmi {

/// When messages are worth their overhead: some connected part must have so many reals, and so many
/// more than its largest block.
struct MessageRules {
  std::size_t least_reals = 5;
  std::size_t least_gain = 3;
  /// Messages lead to the middle of a tree, where they have the fewest pieces, or else near to what
  /// is asked, where more of them are shared: for many goals.
  bool to_the_middle = true;
  /// Independent parts count as one: where the terms of a sum relate them, for a search.
  bool together = false;
};

/// The integrals of goals, by messages between the blocks of a problem (block_tree.h).
///
/// The message of a part of the tree to the variable that separates it from the rest is the integral
/// over all its other variables: a univariate piecewise polynomial of a real, two numbers for a
/// Boolean. From the leaves to a root, each block is integrated once, with the messages to it as
/// factors of its weight; so the cost grows with the number of blocks, and exponentially with the
/// largest of them only. Messages that several goals need are computed once.
class MessagePassing {
 public:
  /// The problem has no observations. It and the enumerator must outlive this.
  MessagePassing(const Problem& problem, const Enumerator& enumerator, std::stop_token stop = {},
                 MessageRules rules = {});

  /// The integrals and laws of a goal, as those of one cell; nullopt if messages do not pay, cannot
  /// answer it, or the problem has an error, which a search will explain. Throws Stopped.
  struct Result {
    Cell cell;
    Evaluation::Result found;
  };
  std::optional<Result> operator()(const Goal& goal);

  const MessageCounts& counts() const { return counts_; }

 private:
  using OnBoolean = std::pair<Rational, Rational>;  // where it is true, where it is false
  struct Message {
    std::variant<Piecewise, OnBoolean> value;
    std::size_t cells;  // of all blocks behind it; 0 if one has no volume
  };
  /// What is asked of a tree of blocks: a number, the density of a real, the law of a term.
  struct Wanted {
    std::optional<Variable> density = {};
    const Polynomial* law = nullptr;
    std::optional<std::size_t> near = {};  // a factor at the root
  };
  struct Value {
    Rational number = 1;
    Piecewise density = {};
    TruncatedPowers law = {};
    std::size_t cells = 0;
  };
  struct Incoming {
    Vertex vertex;
    std::size_t message;
    friend auto operator<=>(const Incoming&, const Incoming&) = default;
  };
  struct Prepared {
    BlockProblem block;
    std::vector<Vertex> reals;  // of the block's
    Polynomial term;
  };

  Result evaluate(const Goal& goal);
  Rational summed(const Goal& goal, const Summand& summand, std::size_t& cells);
  Value value(std::vector<std::size_t> extra, const Wanted& wanted);
  bool gains(const BlockTree& tree) const;
  bool may_gain(const Goal& goal);
  std::size_t root(const BlockTree& tree, std::size_t start, const Wanted& wanted) const;
  void pass(const BlockTree& tree, std::size_t root, const Wanted& wanted, Value& value);
  std::size_t message(const Block& block, Vertex towards, const std::vector<Incoming>& incoming);
  std::size_t product(std::vector<std::size_t> messages);
  Value at_root(const Block& block, const std::vector<Incoming>& incoming, const Wanted& wanted);
  std::size_t keep(Message message);
  bool is_real(Vertex vertex) const { return vertex < problem_.integrated.size(); }
  /// The problem of a block with the messages to it; a Boolean may be fixed.
  Prepared prepare(const Block& block, const std::vector<Incoming>& incoming,
                   std::optional<std::pair<Vertex, bool>> fixed, const Polynomial* term) const;

  const Problem& problem_;
  const MessageRules rules_;
  Factors factors_;
  const BlockIntegrator integrator_;
  std::vector<std::pair<std::optional<Rational>, std::optional<Rational>>> bounds_;  // on first use
  std::vector<bool> separates_;
  bool problem_gains_ = false;  // without the factors of goals
  std::vector<std::unique_ptr<const Message>> messages_;
  std::map<std::vector<std::size_t>, std::size_t> known_;    // messages by what they are made of
  std::map<std::vector<std::size_t>, Value> known_numbers_;  // likewise, at roots
  MessageCounts counts_;
};

}  // namespace wmi
