// Message passing on the tree of biconnected blocks: bucket elimination where every separator is one
// variable. For blocks of two reals it is the algorithm of Zeng, Morettin, Yan, Vergari and Van den
// Broeck, "Scaling up Hybrid Probabilistic Inference with Logical and Arithmetic Constraints via
// Message Passing" (ICML 2020); larger blocks are integrated cell by cell.

#include "solver/messages/message_passing.h"

#include <algorithm>
#include <limits>
#include <set>

#include "solver/laws/law.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

/// More monomials of a term than this are not integrated one by one.
constexpr std::size_t most_monomials = 5'000;

/// Separates the parts of a key.
constexpr std::size_t end_of_part = std::numeric_limits<std::size_t>::max();

Law law_of(const Piecewise& density) {
  std::vector<Piece> pieces;
  for (const Piecewise::Piece& piece : density.pieces())
    pieces.push_back({piece.from, piece.to, piece.value.univariate()});
  return Law({}, pieces);
}

/// factor * variable + constant
struct AffineInOne {
  Variable variable;
  Rational factor, constant;
};

std::optional<AffineInOne> affine_in_one(const Problem& problem, const Polynomial& term) {
  if (term.degree() != 1) return std::nullopt;
  const LinearForm form(term);
  if (form.coefficients.size() != 1) return std::nullopt;
  const auto& [variable, factor] = form.coefficients[0];
  if (variable >= problem.integrated.size() || !problem.integrated[variable]) return std::nullopt;
  return AffineInOne{variable, factor, form.constant};
}

}  // namespace

MessagePassing::MessagePassing(const Problem& problem, const Enumerator& enumerator,
                               std::stop_token stop, MessageRules rules)
    : problem_(problem),
      rules_(rules),
      factors_(problem),
      integrator_(enumerator, std::move(stop)),
      separates_(problem.integrated) {
  separates_.resize(problem.integrated.size() + problem.terms.boolean_count(), true);
  problem_gains_ = gains(BlockTree(factors_, factors_.of_problem(), separates_.size(), separates_));
}

std::optional<MessagePassing::Result> MessagePassing::operator()(const Goal& goal) {
  try {
    if (may_gain(goal)) return evaluate(goal);
  } catch (const GaveUp&) {
  } catch (const Error&) {
  }
  return std::nullopt;
}

/// A goal that relates variables may connect small blocks; any other has the blocks of the problem.
bool MessagePassing::may_gain(const Goal& goal) {
  return problem_gains_ ||
         std::ranges::any_of(factors_.of_formula(goal.condition), [&](std::size_t factor) {
           return factors_[factor].vertices.size() > 1;
         });
}

MessagePassing::Result MessagePassing::evaluate(const Goal& goal) {
  Result result;
  if (bounds_.empty()) bounds_ = implied_bounds(problem_);
  for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
    if (problem_.integrated[variable]) result.cell.variables.push_back(variable);
  const auto add = [&](Rational number, std::vector<std::size_t> sums) {
    result.found.integrals.emplace_back(std::move(number));
    result.cell.sums.push_back(std::move(sums));
  };
  const auto note_cells = [&](std::size_t cells) {
    result.found.cells = std::max(result.found.cells, cells);
  };
  for (const Summand& summand : goal.summands) {
    std::size_t cells = 0;
    add(summed(goal, summand, cells), {summand.sum});
    note_cells(cells);
  }
  const std::vector<std::size_t> condition = factors_.of_formula(goal.condition);
  const auto density = [&](const AffineInOne& form) {
    std::vector<std::size_t> extra = condition;
    extra.push_back(factors_.around(Polynomial::variable(form.variable)));
    return value(extra, {.density = form.variable, .near = extra.back()});
  };
  const auto law = [&](const Polynomial& term) {
    if (const std::optional<AffineInOne> form = affine_in_one(problem_, term)) {
      const Value found = density(*form);
      note_cells(found.cells);
      return law_of(found.density).image(form->factor, form->constant);
    }
    std::vector<std::size_t> extra = condition;
    extra.push_back(factors_.around(term));
    Value found = value(extra, {.law = &term, .near = extra.back()});
    note_cells(found.cells);
    return Law(std::move(found.law));
  };
  std::vector<Image> images;
  for (const Output& output : goal.outputs) {
    images.push_back({output.law, {}, {}});
    result.found.laws.push_back(law(output.term).truncated_powers());
  }
  if (goal.slice) {
    const Law of_term = law(goal.slice->term);
    add(of_term.mass_at(goal.slice->at), {goal.slice->mass});
    add(of_term.density_left(goal.slice->at), {goal.slice->left});
    add(of_term.density(goal.slice->at), {goal.slice->right});
  }
  result.cell.kind = PlainCell{{}, std::move(images)};
  return result;
}

/// Monomial by monomial: each is a product of functions of single variables.
Rational MessagePassing::summed(const Goal& goal, const Summand& summand, std::size_t& cells) {
  const Polynomial term = summand.is_one() ? Polynomial(1) : power(summand.term, summand.order);
  if (term.terms().size() > most_monomials) throw NoMessage("a term of very many monomials");
  const std::vector<std::size_t> condition = factors_.of_formula(goal.condition);
  Rational result;
  for (const Polynomial::Term& monomial : term.terms()) {
    std::vector<std::size_t> extra = condition;
    for (const std::size_t factor : factors_.of_monomial(monomial.monomial))
      extra.push_back(factor);
    Wanted wanted;
    if (!extra.empty()) wanted.near = extra.back();
    const Value found = value(extra, wanted);
    result += monomial.coefficient * found.number;
    cells = std::max(cells, found.cells);
  }
  return result;
}

/// The product over the trees; what is wanted besides numbers is of one of them.
MessagePassing::Value MessagePassing::value(std::vector<std::size_t> extra, const Wanted& wanted) {
  std::vector<std::size_t> numbers = factors_.of_problem();
  const std::set<std::size_t> present(numbers.begin(), numbers.end());
  for (const std::size_t factor : extra)
    if (!factors_[factor].asserts || !present.contains(factor)) numbers.push_back(factor);
  Value result;
  for (const std::size_t number : numbers) {
    const Factor& factor = factors_[number];
    if (!factor.vertices.empty()) continue;
    if (factor.asserts ? factor.condition != truth : factor.condition == truth)
      result.number *= factor.asserts ? Rational(0) : factor.value.constant_term();
  }
  const BlockTree tree(factors_, numbers, separates_.size(), separates_);
  if (!gains(tree)) throw NoMessage("no part of the problem has many small blocks");
  counts_.blocks = std::max(counts_.blocks, tree.blocks().size());
  for (Vertex vertex = 0; vertex < separates_.size(); ++vertex) {
    if (!tree.at(vertex).empty()) continue;
    if (is_real(vertex)) throw NoMessage("a real that nothing bounds");
    result.number *= 2;
  }
  // Trees first, the one with what is wanted last.
  std::vector<bool> done(tree.blocks().size());
  std::vector<std::size_t> roots;
  std::optional<std::size_t> last;
  for (std::size_t block = 0; block < tree.blocks().size(); ++block) {
    if (done[block]) continue;
    for (const BlockTree::Step& step : tree.from(block)) done[step.block] = true;
    const std::size_t start = root(tree, block, wanted);
    const std::vector<std::size_t>& own = tree.blocks()[start].factors;
    if ((wanted.density || wanted.law != nullptr) && std::ranges::binary_search(own, *wanted.near))
      last = start;
    else
      roots.push_back(start);
  }
  bool empty = false;
  const auto take = [&](std::size_t start, const Wanted& here) {
    Value found;
    pass(tree, start, here, found);
    result.number *= found.number;
    empty = empty || found.cells == 0;
    result.cells += found.cells;
    return found;
  };
  for (const std::size_t start : roots) take(start, {});
  if (last) {
    const Rational others = result.number;
    Value found = take(*last, wanted);
    if (wanted.density) result.density = found.density * others;
    if (wanted.law != nullptr) {
      found.law.scale(others);
      result.law = std::move(found.law);
    }
  }
  if (!last && (wanted.density || wanted.law != nullptr)) throw NoMessage("a constant term");
  if (tree.blocks().empty()) result.cells = 1;
  if (empty) result.cells = 0;
  return result;
}

/// Messages pay where some connected part has many more reals than its largest block.
bool MessagePassing::gains(const BlockTree& tree) const {
  std::vector<bool> done(tree.blocks().size());
  std::set<Vertex> all;
  std::size_t largest = 0;
  for (std::size_t start = 0; start < tree.blocks().size(); ++start) {
    if (done[start]) continue;
    if (!rules_.together) {
      all.clear();
      largest = 0;
    }
    for (const BlockTree::Step& step : tree.from(start)) {
      done[step.block] = true;
      std::size_t reals = 0;
      for (const Vertex vertex : tree.blocks()[step.block].vertices) {
        if (!is_real(vertex) || !problem_.integrated[vertex]) continue;
        all.insert(vertex);
        ++reals;
      }
      largest = std::max(largest, reals);
    }
    if (all.size() >= rules_.least_reals && all.size() >= largest + rules_.least_gain) return true;
  }
  return false;
}

/// The root of the tree that a block is in: near what is wanted, if that is in this tree; else in
/// the middle, since the pieces of messages grow with the distance.
std::size_t MessagePassing::root(const BlockTree& tree, std::size_t start,
                                 const Wanted& wanted) const {
  if (wanted.near && (!rules_.to_the_middle || wanted.density || wanted.law != nullptr))
    for (const BlockTree::Step& step : tree.from(start))
      if (std::ranges::binary_search(tree.blocks()[step.block].factors, *wanted.near))
        return step.block;
  return tree.centre(start);
}

void MessagePassing::pass(const BlockTree& tree, std::size_t root, const Wanted& wanted,
                          Value& value) {
  std::vector<BlockTree::Step> steps = tree.from(root);
  std::map<Vertex, std::vector<std::size_t>> arrived;
  const auto incoming = [&](const Block& block, std::optional<Vertex> but) {
    std::vector<Incoming> result;
    for (const Vertex vertex : block.vertices)
      if (const auto found = arrived.find(vertex); vertex != but && found != arrived.end())
        result.push_back({vertex, product(found->second)});
    return result;
  };
  for (std::size_t i = steps.size(); i-- > 1;) {
    const Block& block = tree.blocks()[steps[i].block];
    arrived[steps[i].towards].push_back(
        message(block, steps[i].towards, incoming(block, steps[i].towards)));
  }
  const Block& block = tree.blocks()[root];
  value = at_root(block, incoming(block, std::nullopt), wanted);
}

std::size_t MessagePassing::keep(Message message) {
  ++counts_.messages;
  if (const auto* const density = std::get_if<Piecewise>(&message.value)) {
    counts_.most_pieces = std::max(counts_.most_pieces, density->pieces().size());
    if (density->pieces().size() > caps::knots) throw NoMessage("a message of too many pieces");
  }
  messages_.push_back(std::make_unique<const Message>(std::move(message)));
  return messages_.size() - 1;
}

std::size_t MessagePassing::product(std::vector<std::size_t> messages) {
  if (messages.size() == 1) return messages[0];
  std::ranges::sort(messages);
  std::vector<std::size_t> key = {end_of_part};
  key.insert(key.end(), messages.begin(), messages.end());
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  Message result = *messages_[messages[0]];
  for (std::size_t i = 1; i < messages.size(); ++i) {
    const Message& other = *messages_[messages[i]];
    result.cells = result.cells == 0 || other.cells == 0 ? 0 : result.cells + other.cells;
    if (auto* const density = std::get_if<Piecewise>(&result.value)) {
      *density = *density * std::get<Piecewise>(other.value);
    } else {
      auto& [yes, no] = std::get<OnBoolean>(result.value);
      yes *= std::get<OnBoolean>(other.value).first;
      no *= std::get<OnBoolean>(other.value).second;
    }
  }
  --counts_.messages;  // no message of its own
  return known_[key] = keep(std::move(result));
}

std::size_t MessagePassing::message(const Block& block, Vertex towards,
                                    const std::vector<Incoming>& incoming) {
  std::vector<std::size_t> key = {towards};
  key.insert(key.end(), block.factors.begin(), block.factors.end());
  key.push_back(end_of_part);
  std::size_t cells = 0;
  bool empty = false;
  for (const Incoming& one : incoming) {
    key.push_back(one.vertex);
    key.push_back(one.message);
    cells += messages_[one.message]->cells;
    empty = empty || messages_[one.message]->cells == 0;
  }
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const auto with = [&](std::size_t own) { return empty || own == 0 ? 0 : cells + own; };
  Message result{OnBoolean(), 0};
  if (is_real(towards)) {
    const Prepared prepared = prepare(block, incoming, std::nullopt, nullptr);
    const auto target =
        static_cast<Variable>(std::ranges::find(prepared.reals, towards) - prepared.reals.begin());
    auto found = integrator_.density(prepared.block, target);
    result = {std::move(found.value), with(found.cells)};
  } else {
    const auto yes =
        integrator_.integral(prepare(block, incoming, std::pair(towards, true), nullptr).block);
    const auto no =
        integrator_.integral(prepare(block, incoming, std::pair(towards, false), nullptr).block);
    result = {OnBoolean(yes.value, no.value), with(yes.cells + no.cells)};
  }
  return known_[key] = keep(std::move(result));
}

MessagePassing::Value MessagePassing::at_root(const Block& block,
                                              const std::vector<Incoming>& incoming,
                                              const Wanted& wanted) {
  Value result;
  std::size_t cells = 0;
  bool empty = false;
  for (const Incoming& one : incoming) {
    cells += messages_[one.message]->cells;
    empty = empty || messages_[one.message]->cells == 0;
  }
  const auto with = [&](std::size_t own) { return empty || own == 0 ? 0 : cells + own; };
  if (wanted.law != nullptr) {
    const Prepared prepared = prepare(block, incoming, std::nullopt, wanted.law);
    auto found = integrator_.law(prepared.block, prepared.term);
    result.law = std::move(found.value);
    result.cells = with(found.cells);
    return result;
  }
  if (wanted.density) {
    std::vector<Incoming> others = incoming;
    std::erase_if(others, [&](const Incoming& one) { return one.vertex == *wanted.density; });
    std::vector<std::size_t> parts = {message(block, *wanted.density, others)};
    for (const Incoming& one : incoming)
      if (one.vertex == *wanted.density) parts.push_back(one.message);
    const Message& found = *messages_[product(parts)];
    result.density = std::get<Piecewise>(found.value);
    result.cells = found.cells;
    return result;
  }
  std::vector<std::size_t> key(block.factors.begin(), block.factors.end());
  key.push_back(end_of_part);
  for (const Incoming& one : incoming) {
    key.push_back(one.vertex);
    key.push_back(one.message);
  }
  if (const auto found = known_numbers_.find(key); found != known_numbers_.end())
    return found->second;
  const auto found = integrator_.integral(prepare(block, incoming, std::nullopt, nullptr).block);
  result.number = found.value;
  result.cells = with(found.cells);
  known_numbers_[key] = result;
  return result;
}

MessagePassing::Prepared MessagePassing::prepare(const Block& block,
                                                 const std::vector<Incoming>& incoming,
                                                 std::optional<std::pair<Vertex, bool>> fixed,
                                                 const Polynomial* term) const {
  Prepared result;
  Problem& problem = result.block.problem;
  Terms& terms = problem.terms;
  Substitution substitution(problem_.terms, terms);
  const auto reals = static_cast<Vertex>(problem_.integrated.size());
  std::map<Vertex, Formula> booleans;
  for (const Vertex vertex : block.vertices) {
    if (is_real(vertex)) {
      substitution.set_real(
          vertex, Polynomial::variable(terms.declare_real(problem_.terms.real_name(vertex))));
      problem.integrated.push_back(problem_.integrated[vertex]);
      result.reals.push_back(vertex);
      continue;
    }
    booleans[vertex] = terms.declare_boolean(problem_.terms.boolean_name(vertex - reals));
    substitution.set_boolean(vertex - reals, booleans[vertex]);
  }
  result.block.factors.resize(result.reals.size());
  const auto at_most = [&](const Polynomial& a, const Polynomial& b) {
    problem.assertions.push_back(terms.less_equal(a, b));
  };
  for (Variable real = 0; real < result.reals.size(); ++real) {
    const Polynomial variable = Polynomial::variable(real);
    const auto& [lower, upper] = bounds_[result.reals[real]];
    if (lower) at_most(*lower, variable);
    if (upper) at_most(variable, *upper);
  }
  for (const Incoming& one : incoming) {
    const Message& message = *messages_[one.message];
    if (const auto* const density = std::get_if<Piecewise>(&message.value)) {
      const auto real =
          static_cast<Variable>(std::ranges::find(result.reals, one.vertex) - result.reals.begin());
      result.block.factors[real] = density;
      if (density->zero()) {
        problem.assertions.push_back(falsity);
        continue;
      }
      at_most(density->support().lower, Polynomial::variable(real));
      at_most(Polynomial::variable(real), density->support().upper);
    } else {
      const auto& [yes, no] = std::get<OnBoolean>(message.value);
      problem.weights.push_back({booleans.at(one.vertex), Polynomial(yes)});
      problem.weights.push_back({!booleans.at(one.vertex), Polynomial(no)});
    }
  }
  if (fixed)
    problem.assertions.push_back(fixed->second ? booleans.at(fixed->first)
                                               : !booleans.at(fixed->first));
  for (const std::size_t number : block.factors) {
    const Factor& factor = factors_[number];
    if (factor.asserts)
      problem.assertions.push_back(substitution(factor.condition));
    else
      problem.weights.push_back({substitution(factor.condition), substitution(factor.value)});
  }
  if (term != nullptr) result.term = substitution(*term);
  return result;
}

}  // namespace wmi
