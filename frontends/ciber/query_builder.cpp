#include "frontends/ciber/query_builder.h"

#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "frontends/ciber/event.h"
#include "frontends/ciber/named_values.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Encoding;
using encoders::Outcome;

/// A term that questions are about, and its printed name.
struct Subject {
  std::string name;
  Term term;
};

class QueryBuilder {
 public:
  QueryBuilder(Encoding encoding, const NetworkQuery& asked, const Outcome& outcome)
      : encoding_(std::move(encoding)), values_(encoding_), outcome_(outcome) {
    if (asked.outputs.empty() && !encoding_.outcome)
      for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
        subjects_.push_back({NamedValues::output_name(i), values_.output(i)});
    const std::vector<std::string> outcome_alone{"y"};
    for (const std::string& name :
         asked.outputs.empty() && encoding_.outcome ? outcome_alone : asked.outputs) {
      const std::optional<Term> term = values_.find(name);
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
      const std::string name = NamedValues::output_name(i);
      const Term term = values_.output(i);
      if (term.exact()) {
        task_.outputs.push_back({name, term.lower});
      } else {
        task_.outputs.push_back({"lower " + name, term.lower});
        task_.outputs.push_back({"upper " + name, term.upper()});
      }
    }
    task_.problem = std::move(encoding_.problem);
    task_.names = std::move(encoding_.names);
    task_.assumptions = std::move(encoding_.assumptions);
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
    if (question == "quantile" && (sgn(at) <= 0 || at > 1))
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
    add(text, Rule::single, {{"", std::move(query)}});
  }

  /// All questions but mean and cdf, about a term between bounds. Throws Error unless the condition
  /// is exact.
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

  /// E[k(c - f)] for the triangular kernel k, which decreases with |c - f|: bounded by k at the
  /// largest and at the smallest distance that the bounds on f allow.
  void ask_density_of_outcome(const std::string& text, const Rational& at) {
    if (mentions_outcome(given_.certain))
      throw Error("--density: the condition must not be about y itself");
    const Term f = values_.output(0);
    const Polynomial before = Polynomial(at) - f.lower, after = f.upper() - Polynomial(at);
    const Polynomial furthest = greatest(before, after);
    const Polynomial nearest = greatest(greatest(-before, -after), 0);
    add_between(text, about(Kind::expectation, kernel(furthest)),
                about(Kind::expectation, kernel(nearest)));
  }

  /// max(1/r - distance/r^2, 0).
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
    // Where the condition may or may not hold, the term adds its negative part at least and its
    // positive part at most.
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
      return add(text, Rule::single, {{"", conditioned(event.certain)}});
    if (given_.exact())
      return add_between(text, conditioned(event.certain), conditioned(event.possible));
    Terms& terms = encoding_.problem.terms;
    const auto& [certain, possible] = event;
    add(text, Rule::conditional_probability,
        {{"with the condition: at least", of(terms.both(certain, given_.certain))},
         {"with the condition: at most", of(terms.both(possible, given_.possible))},
         {"the condition without it: at least", of(terms.both(!possible, given_.certain))},
         {"the condition without it: at most", of(terms.both(!certain, given_.possible))},
         {"the probability of the condition: at least", of(given_.certain)},
         {"the probability of the condition: at most", of(given_.possible)}});
  }

  void ask_class() {
    if (!values_.bracketed()) {  // the densities have mass 1: the integral is the probability
      add("class", Rule::single, {{"", plain(Kind::wmi)}});
      return;
    }
    Terms& terms = encoding_.problem.terms;
    const Term f = values_.output(0);
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

  /// A query under the condition, which is exact.
  Query about(Kind kind, Polynomial term) const {
    Query query = plain(kind);
    query.given = given_.certain;
    query.term = std::move(term);
    return query;
  }

  void add_between(const std::string& text, Query least, Query most) {
    add(text, Rule::between, {{"at least", std::move(least)}, {"at most", std::move(most)}});
  }

  /// Adds the queries that a question is answered from, each with its description.
  void add(const std::string& text, Rule rule, std::vector<std::pair<std::string, Query>> parts) {
    const std::string full = text + given_text_;
    if (values_.bracketed()) parts.front().second.bounded = {rule, full};
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
        certain.push_back(terms.less(values_.output(other).upper(), values_.output(index).lower));
        possible.push_back(terms.less(values_.output(other).lower, values_.output(index).upper()));
      }
    return {terms.all(certain), terms.all(possible)};
  }

  Event event(const std::string& text) {
    return parse_event(text, encoding_.problem.terms,
                       [this](const std::string& name) { return values_.find(name); });
  }

  Encoding encoding_;
  NamedValues values_;
  Outcome outcome_;
  std::vector<Subject> subjects_;
  Event given_;
  std::string given_text_;
  Task task_;
};

}  // namespace

Task build_queries(Encoding encoding, const NetworkQuery& asked, const Outcome& outcome) {
  return QueryBuilder(std::move(encoding), asked, outcome).task();
}

}  // namespace wmi::frontends
