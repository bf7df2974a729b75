#include "frontends/ciber/network_query.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "frontends/ciber/event.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Density;
using encoders::Encoding;
using encoders::Network;
using encoders::Outcome;
using encoders::Unknown;

constexpr QuestionEntry questions[] = {
    {"mean", "", "the mean of each output"},
    {"variance", "", "its variance"},
    {"distribution", "", "its whole law"},
    {"density", "C", "its density at C"},
    {"cdf", "C", "the probability that it is at most C"},
    {"quantile", "P", "the least number that it is at most with probability P"},
    {"probability", "EVENT", "of an event: 'out[0] > out[1] and out[0] <= 2'"},
    {"largest", "K", "the probability that output K is larger than all others"},
    {"class", "", "with --likelihood cubic(REACH): the probability of the class"},
};

encoders::Tensor<Rational> read_input(const Network& network, const std::string& text) {
  auto input = encoders::Tensor<Rational>::filled(network.input, 0);
  if (text.empty()) return input;
  std::vector<Rational> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    try {
      numbers.push_back(parse_fraction(rest.substr(0, comma)));
    } catch (const Error& error) {
      throw Error(std::string("--input: ") + error.what());
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() != input.size())
    throw Error("--input: " + std::to_string(numbers.size()) + " numbers for an input of shape " +
                encoders::to_string(network.input));
  input.entries = std::move(numbers);
  return input;
}

std::vector<Unknown> read_unknowns(const std::vector<std::string>& texts) {
  std::vector<Unknown> result;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
      throw Error("--unknown '" + text + "': write NAME=DENSITY, as in fc2.bias[0]=[-1,1]");
    try {
      result.push_back({text.substr(0, sign), encoders::parse_density(text.substr(sign + 1))});
    } catch (const Error& error) {
      throw Error("--unknown '" + text + "': " + error.what());
    }
  }
  return result;
}

Outcome read_likelihood(const std::string& text) {
  if (text.empty()) return {};
  const auto argument = [&](std::string_view name) -> std::optional<Rational> {
    if (!text.starts_with(name) || text.size() < name.size() + 2 || text[name.size()] != '(' ||
        !text.ends_with(')'))
      return std::nullopt;
    return parse_fraction(
        std::string_view(text).substr(name.size() + 1, text.size() - name.size() - 2));
  };
  try {
    if (const auto radius = argument("triangular")) return encoders::TriangularOutcome{*radius};
    if (const auto reach = argument("cubic")) return encoders::CubicSigmoid{*reach};
  } catch (const Error& error) {
    throw Error("--likelihood '" + text + "': " + error.what());
  }
  throw Error("--likelihood '" + text + "': write triangular(RADIUS) or cubic(REACH)");
}

/// What is asked about, under the name that is printed.
struct Subject {
  std::string name;
  Term term;
};

/// Makes queries of the questions to an encoding. Where all is known, a question is a query; of
/// what is known only between bounds it is an enclosing, made of several.
class Asker {
 public:
  Asker(Encoding encoding, const NetworkQuery& asked, const Outcome& outcome)
      : encoding_(std::move(encoding)),
        bracketed_(!encoding_.upper_outputs.empty()),
        outcome_(outcome) {
    if (asked.outputs.empty() && !encoding_.outcome)
      for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
        subjects_.push_back({output_name(i), output(i)});
    const std::vector<std::string> outcome_alone{"y"};
    for (const std::string& name :
         asked.outputs.empty() && encoding_.outcome ? outcome_alone : asked.outputs) {
      const std::optional<Term> term = value(name);
      if (!term) throw Error("--output: there is no '" + name + "'");
      subjects_.push_back({name, *term});
    }
    if (!asked.given.empty()) {
      given_ = event(asked.given);
      given_text_ = " given " + asked.given;
    }
    for (const auto& [question, argument] : asked.questions) ask(question, argument);
  }

  Task task() && {
    for (std::size_t i = 0; i < encoding_.outputs.size(); ++i) {
      const std::string name = output_name(i);
      const Term term = output(i);
      if (term.exact()) {
        task_.outputs.push_back({name, term.lower});
      } else {
        task_.outputs.push_back({"lower " + name, term.lower});
        task_.outputs.push_back({"upper " + name, term.upper()});
      }
    }
    task_.problem = std::move(encoding_.problem);
    task_.names = std::move(encoding_.names);
    task_.assumptions = std::move(encoding_.exact_with_respect_to);
    return std::move(task_);
  }

 private:
  using Kind = Query::Kind;
  using Rule = BoundedQuery::Rule;

  void ask(const std::string& question, const std::string& argument) {
    const bool cubic = std::holds_alternative<encoders::CubicSigmoid>(outcome_);
    if (cubic != (question == "class"))
      throw Error(cubic ? "--likelihood cubic(REACH) gives the probability of a class: ask --class"
                        : "--class: needs --likelihood cubic(REACH)");
    if (question == "probability")
      return ask_probability(question + " " + argument, event(argument));
    if (question == "largest") return ask_probability(question + " " + argument, largest(argument));
    if (question == "class") return ask_class();
    const Rational at = argument.empty() ? Rational(0) : number(question, argument);
    if (question == "quantile" && (at <= 0 || at > 1))
      throw Error("--quantile: expected a probability above 0 and at most 1, not " + argument);
    for (const Subject& subject : subjects_) {
      const std::string text =
          question + " of " + subject.name + (argument.empty() ? "" : " at " + argument);
      if (subject.term.exact() && given_.exact())
        ask_exactly(question, text, subject.term.lower, at);
      else if (question == "mean")
        ask_mean(text, subject.term);
      else if (question == "cdf")
        ask_probability(text, at_most(subject.term, at));
      else
        ask_between_bounds(question, text, subject, at);
    }
  }

  static Rational number(const std::string& question, const std::string& argument) {
    try {
      return parse_fraction(argument);
    } catch (const Error& error) {
      throw Error("--" + question + ": " + error.what());
    }
  }

  void ask_exactly(const std::string& question, const std::string& text, Polynomial term,
                   const Rational& at) {
    static const std::map<std::string, Kind, std::less<>> kinds{
        {"mean", Kind::expectation},  {"variance", Kind::variance},
        {"density", Kind::density},   {"cdf", Kind::cdf},
        {"quantile", Kind::quantile}, {"distribution", Kind::distribution},
    };
    const Kind kind = kinds.find(question)->second;
    if (kind != Kind::expectation && kind != Kind::variance)
      term = encoding_.problem.terms.affine(term);
    Query query = about(kind, std::move(term));
    query.at = at;
    add(text, Rule::as_it_is, {{"", std::move(query)}});
  }

  /// All but mean and cdf. The condition is exact, or the question is refused.
  void ask_between_bounds(const std::string& question, const std::string& text,
                          const Subject& subject, const Rational& at) {
    if (!given_.exact())
      throw Error("--" + question +
                  ": the condition depends on a smooth layer, so that it is known only between "
                  "bounds; --mean, --cdf and --probability can be enclosed under it");
    const Polynomial &lower = subject.term.lower, &upper = subject.term.upper();
    if (question == "variance") {
      Query distance = about(Kind::moment, upper - lower);
      distance.order = 2;
      return add(text, Rule::variance,
                 {{"of the middle of its bounds",
                   about(Kind::variance, Polynomial(ratio(1, 2)) * (lower + upper))},
                  {"the mean square of their distance", std::move(distance)}});
    }
    if (question == "quantile") {
      Query least = about(Kind::quantile, encoding_.problem.terms.affine(lower));
      Query most = about(Kind::quantile, encoding_.problem.terms.affine(upper));
      least.at = most.at = at;
      return add_between(text, std::move(least), std::move(most));
    }
    if (question == "density" && subject.name == "y" && encoding_.outcome)
      return ask_density_of_outcome(text, at);
    throw Error("--" + question + ": " + subject.name +
                " comes after a smooth layer and is known only between bounds, which say nothing "
                "of a density; ask --cdf or --quantile" +
                (question == "density" ? ", or give a --likelihood and ask about y" : ""));
  }

  /// E[k(c - f)], for the triangular k around 0: between the values of k nearest to and furthest
  /// from 0 that f between its bounds leaves possible.
  void ask_density_of_outcome(const std::string& text, const Rational& at) {
    if (mentions_outcome(given_.certain))
      throw Error("--density: the condition must not be about y itself");
    const Term f = output(0);
    const Polynomial before = Polynomial(at) - f.lower, after = f.upper() - Polynomial(at);
    const Polynomial furthest = greatest(before, after);
    const Polynomial nearest = greatest(greatest(-before, -after), 0);
    add_between(text, about(Kind::expectation, kernel(furthest)),
                about(Kind::expectation, kernel(nearest)));
  }

  /// 1/r - distance/r^2, but not below 0.
  Polynomial kernel(const Polynomial& distance) {
    const Rational& r = std::get<encoders::TriangularOutcome>(outcome_).radius;
    return greatest(Polynomial(1 / r) - Polynomial(1 / (r * r)) * distance, 0);
  }

  Polynomial greatest(const Polynomial& a, const Polynomial& b) {
    Terms& terms = encoding_.problem.terms;
    return terms.choice(terms.less(a, b), b, a);
  }

  bool mentions_outcome(Formula formula) const {
    const Terms& terms = encoding_.problem.terms;
    for (const std::uint32_t node : terms.below(std::span(&formula, 1), {}))
      if (terms.node(node).kind == wmi::Kind::atom)
        for (const auto& [variable, coefficient] :
             terms.atom(terms.node(node).index).form.coefficients)
          if (variable == *encoding_.outcome) return true;
    return false;
  }

  void ask_mean(const std::string& text, const Term& term) {
    if (given_.exact())
      return add_between(text, about(Kind::expectation, term.lower),
                         about(Kind::expectation, term.upper()));
    // Where the condition is not certain, what may count or not: at least its negative part.
    Terms& terms = encoding_.problem.terms;
    const auto counted = [&](const Polynomial& bound, const Polynomial& perhaps) {
      return terms.choice(given_.certain, bound, terms.choice(given_.possible, perhaps, 0));
    };
    Query least = plain(Kind::expectation), most = plain(Kind::expectation);
    least.term = counted(term.lower, -greatest(-term.lower, 0));
    most.term = counted(term.upper(), greatest(term.upper(), 0));
    add(text, Rule::ratio,
        {{"where the condition holds, times its probability: at least", std::move(least)},
         {"where the condition holds, times its probability: at most", std::move(most)},
         {"the probability of the condition: at least", of(given_.certain)},
         {"the probability of the condition: at most", of(given_.possible)}});
  }

  void ask_probability(const std::string& text, const Event& event) {
    const auto conditioned = [&](Formula formula) {
      Query query = of(formula);
      query.given = given_.certain;
      return query;
    };
    if (given_.exact() && event.exact())
      return add(text, Rule::as_it_is, {{"", conditioned(event.certain)}});
    if (given_.exact())
      return add_between(text, conditioned(event.certain), conditioned(event.possible));
    Terms& terms = encoding_.problem.terms;
    const auto& [certain, possible] = event;
    add(text, Rule::share,
        {{"with the condition: at least", of(terms.both(certain, given_.certain))},
         {"with the condition: at most", of(terms.both(possible, given_.possible))},
         {"the condition without it: at least", of(terms.both(!possible, given_.certain))},
         {"the condition without it: at most", of(terms.both(!certain, given_.possible))},
         {"the probability of the condition: at least", of(given_.certain)},
         {"the probability of the condition: at most", of(given_.possible)}});
  }

  void ask_class() {
    if (!bracketed_) {  // the laws of the unknowns have mass 1, so that the integral is the
                        // probability
      add("class", Rule::as_it_is, {{"", plain(Kind::wmi)}});
      return;
    }
    Terms& terms = encoding_.problem.terms;
    const Term f = output(0);
    const Rational& reach = std::get<encoders::CubicSigmoid>(outcome_).reach;
    Term probability{encoders::cubic_sigmoid(terms, f.lower, reach)};
    if (!f.exact()) probability.above = encoders::cubic_sigmoid(terms, f.upper(), reach);
    if (probability.exact() && given_.exact())
      ask_exactly("mean", "class", probability.lower, 0);
    else
      ask_mean("class", probability);
  }

  // Queries.

  static Query plain(Kind kind) {
    Query query;
    query.kind = kind;
    return query;
  }

  static Query of(Formula event) {
    Query query = plain(Kind::probability);
    query.event = event;
    return query;
  }

  /// Under a condition that is exact.
  Query about(Kind kind, Polynomial term) const {
    Query query = plain(kind);
    query.given = given_.certain;
    query.term = std::move(term);
    return query;
  }

  void add_between(const std::string& text, Query least, Query most) {
    add(text, Rule::between, {{"at least", std::move(least)}, {"at most", std::move(most)}});
  }

  /// The parts of a question, each with what it is.
  void add(const std::string& text, Rule rule, std::vector<std::pair<std::string, Query>> parts) {
    const std::string full = text + given_text_;
    if (bracketed_) task_.enclosings.push_back({rule, full, task_.queries.size()});
    for (auto& [part, query] : parts) {
      query.text = full + (part.empty() ? "" : ": " + part);
      task_.queries.push_back(std::move(query));
    }
  }

  // Events and names.

  Event at_most(const Term& term, const Rational& at) {
    Terms& terms = encoding_.problem.terms;
    return {terms.less_equal(term.upper(), Polynomial(at)),
            terms.less_equal(term.lower, Polynomial(at))};
  }

  Event largest(const std::string& argument) {
    std::size_t index = 0;
    const auto [stop, error] =
        std::from_chars(argument.data(), argument.data() + argument.size(), index);
    if (error != std::errc() || stop != argument.data() + argument.size() ||
        index >= encoding_.outputs.size())
      throw Error("--largest: '" + argument + "' is no number of an output; there are " +
                  std::to_string(encoding_.outputs.size()));
    Terms& terms = encoding_.problem.terms;
    std::vector<Formula> certain, possible;
    for (std::size_t other = 0; other < encoding_.outputs.size(); ++other)
      if (other != index) {
        certain.push_back(terms.less(output(other).upper(), output(index).lower));
        possible.push_back(terms.less(output(other).lower, output(index).upper()));
      }
    return {terms.all(certain), terms.all(possible)};
  }

  Event event(const std::string& text) {
    return parse_event(text, encoding_.problem.terms,
                       [this](const std::string& name) { return value(name); });
  }

  /// Two ends that are the same are one.
  static Term between(const Polynomial& lower, const Polynomial& upper) {
    return lower == upper ? Term{lower} : Term{lower, upper};
  }

  static std::string output_name(std::size_t i) { return "out[" + std::to_string(i) + "]"; }

  Term output(std::size_t i) const {
    return bracketed_ ? between(encoding_.outputs[i], encoding_.upper_outputs[i])
                      : Term{encoding_.outputs[i]};
  }

  /// Outputs by number, entries of layers, the outcome, unknowns. Throws Error for a name that
  /// could be two of them.
  std::optional<Term> value(const std::string& name) const {
    const Terms& terms = encoding_.problem.terms;
    std::optional<Term> result;
    const auto found = [&](const Term& term) {
      if (result && (result->lower != term.lower || result->upper() != term.upper()))
        throw Error("'" + name +
                    "' is the name of a layer's entry and of something else; rename the "
                    "layer");
      result = term;
    };
    for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
      if (name == output_name(i)) found(output(i));
    if (bracketed_ && encoding_.outcome && name == "y") {
      const Polynomial noise = Polynomial::variable(*encoding_.outcome);
      const Term f = output(0);
      found(between(f.lower + noise, f.upper() + noise));
    }
    for (Variable variable = 0; variable < encoding_.problem.integrated.size(); ++variable)
      if (terms.real_name(variable) == name) found({Polynomial::variable(variable)});
    if (const std::size_t open = name.rfind('['); open != std::string::npos)
      if (const auto layer = encoding_.layers.find(name.substr(0, open));
          layer != encoding_.layers.end())
        for (std::size_t i = 0; i < layer->second.size(); ++i)
          if (encoders::index_name(layer->second.shape, i) == name.substr(open)) {
            const Polynomial& lower = layer->second.entries[i];
            found(bracketed_ ? between(lower, encoding_.upper_layers.at(layer->first).entries[i])
                             : Term{lower});
          }
    return result;
  }

  Encoding encoding_;
  bool bracketed_;
  Outcome outcome_;
  std::vector<Subject> subjects_;
  Event given_;
  std::string given_text_;
  Task task_;
};

/// Under a condition, a class that is a weight would be divided by its own integral.
bool bracketed(const Network& network, const NetworkQuery& asked, const Outcome& outcome) {
  const bool weighed =
      !std::holds_alternative<encoders::CubicSigmoid>(outcome) || asked.given.empty();
  return !asked.width.empty() || !weighed || encoders::needs_brackets(network);
}

}  // namespace

std::span<const QuestionEntry> question_table() { return questions; }

Separated make_separately(const Network& network, const NetworkQuery& asked) {
  const Outcome outcome = read_likelihood(asked.likelihood);
  Separated result;
  if (bracketed(network, asked, outcome)) return result;
  result.parts = encoders::encode_separately(network, read_input(network, asked.input),
                                             read_unknowns(asked.unknowns), outcome);
  result.task = Asker(result.parts.statement, asked, outcome).task();
  return result;
}

Task make_task(const Network& network, const NetworkQuery& asked) {
  const encoders::Tensor<Rational> input = read_input(network, asked.input);
  const std::vector<Unknown> unknowns = read_unknowns(asked.unknowns);
  const Outcome outcome = read_likelihood(asked.likelihood);
  if (!bracketed(network, asked, outcome))
    return Asker(encoders::encode(network, input, unknowns, outcome), asked, outcome).task();
  if (asked.width.empty())
    return Asker(encoders::encode_bracketed(network, input, unknowns, outcome), asked, outcome)
        .task();
  std::optional<Network> narrowed;
  try {
    narrowed = encoders::within(network, parse_fraction(asked.width));
  } catch (const Error& error) {
    throw Error(std::string("--width: ") + error.what());
  }
  return Asker(encoders::encode_bracketed(*narrowed, input, unknowns, outcome), asked, outcome)
      .task();
}

}  // namespace wmi::frontends
