#include "frontends/ciber/network_query.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "frontends/ciber/event.h"
#include "solver/error.h"

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
  Polynomial term;
};

class Asker {
 public:
  Asker(Encoding encoding, const NetworkQuery& asked)
      : encoding_(std::move(encoding)), cubic_(asked.likelihood.starts_with("cubic")) {
    std::vector<std::string> names = asked.outputs;
    if (names.empty()) {
      if (encoding_.outcome)
        names.emplace_back("y");
      else
        for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
          names.push_back("out[" + std::to_string(i) + "]");
    }
    for (const std::string& name : names) {
      const std::optional<Polynomial> term = value(name);
      if (!term) throw Error("--output: there is no '" + name + "'");
      subjects_.push_back({name, *term});
    }
    if (!asked.given.empty()) given_ = event(asked.given);
    for (const auto& [question, argument] : asked.questions) ask(question, argument);
    if (given_ != truth)
      for (Query& query : task_.queries) query.text += " given " + asked.given;
  }

  Task task() && {
    task_.problem = std::move(encoding_.problem);
    task_.names = std::move(encoding_.names);
    task_.assumptions = std::move(encoding_.exact_with_respect_to);
    return std::move(task_);
  }

 private:
  void ask(const std::string& question, const std::string& argument) {
    using Kind = Query::Kind;
    static const std::map<std::string, Kind, std::less<>> kinds{
        {"mean", Kind::expectation},  {"variance", Kind::variance},
        {"density", Kind::density},   {"cdf", Kind::cdf},
        {"quantile", Kind::quantile}, {"distribution", Kind::distribution},
    };
    if (cubic_ != (question == "class"))
      throw Error(cubic_ ? "--likelihood cubic(REACH) gives the probability of a class: ask --class"
                         : "--class: needs --likelihood cubic(REACH)");
    if (cubic_) {  // the laws of the unknowns have mass 1, so that the integral is the probability
      add(Kind::wmi, question, "", truth, {});
      return;
    }
    if (question == "probability")
      return add(Kind::probability, question, argument, event(argument), {});
    if (question == "largest")
      return add(Kind::probability, question, argument, largest(argument), {});
    for (const Subject& subject : subjects_) {
      Polynomial term = subject.term;
      const Kind kind = kinds.find(question)->second;
      if (kind != Kind::expectation && kind != Kind::variance)
        term = encoding_.problem.terms.affine(term);
      add(kind, question, argument, truth, std::move(term), subject.name);
    }
  }

  void add(Query::Kind kind, const std::string& question, const std::string& argument,
           Formula event, Polynomial term, const std::string& about = "") {
    Query query;
    query.kind = kind;
    query.event = event;
    query.given = given_;
    query.term = std::move(term);
    query.text = question + (about.empty() ? "" : " of " + about);
    if (kind == Query::Kind::probability) {
      query.text = question + " " + argument;
    } else if (!argument.empty()) {
      query.text += " at " + argument;
      try {
        query.at = parse_fraction(argument);
      } catch (const Error& error) {
        throw Error("--" + question + ": " + error.what());
      }
      if (kind == Query::Kind::quantile && (query.at <= 0 || query.at > 1))
        throw Error("--quantile: expected a probability above 0 and at most 1, not " + argument);
    }
    task_.queries.push_back(std::move(query));
  }

  Formula largest(const std::string& argument) {
    std::size_t index = 0;
    const auto [stop, error] =
        std::from_chars(argument.data(), argument.data() + argument.size(), index);
    if (error != std::errc() || stop != argument.data() + argument.size() ||
        index >= encoding_.outputs.size())
      throw Error("--largest: '" + argument + "' is no number of an output; there are " +
                  std::to_string(encoding_.outputs.size()));
    Terms& terms = encoding_.problem.terms;
    std::vector<Formula> all;
    for (std::size_t other = 0; other < encoding_.outputs.size(); ++other)
      if (other != index)
        all.push_back(terms.less(encoding_.outputs[other], encoding_.outputs[index]));
    return terms.all(all);
  }

  Formula event(const std::string& text) {
    return parse_event(text, encoding_.problem.terms,
                       [this](const std::string& name) { return value(name); });
  }

  /// Outputs by number, entries of layers, the outcome, unknowns. Throws Error for a name that
  /// could be two of them.
  std::optional<Polynomial> value(const std::string& name) const {
    const Terms& terms = encoding_.problem.terms;
    std::optional<Polynomial> result;
    const auto found = [&](const Polynomial& term) {
      if (result && *result != term)
        throw Error("'" + name +
                    "' is the name of a layer's entry and of something else; rename the "
                    "layer");
      result = term;
    };
    for (std::size_t i = 0; i < encoding_.outputs.size(); ++i)
      if (name == "out[" + std::to_string(i) + "]") found(encoding_.outputs[i]);
    for (Variable variable = 0; variable < encoding_.problem.integrated.size(); ++variable)
      if (terms.real_name(variable) == name) found(Polynomial::variable(variable));
    if (const std::size_t open = name.rfind('['); open != std::string::npos)
      if (const auto layer = encoding_.layers.find(name.substr(0, open));
          layer != encoding_.layers.end())
        for (std::size_t i = 0; i < layer->second.size(); ++i)
          if (encoders::index_name(layer->second.shape, i) == name.substr(open))
            found(layer->second.entries[i]);
    return result;
  }

  Encoding encoding_;
  bool cubic_;
  std::vector<Subject> subjects_;
  Formula given_ = truth;
  Task task_;
};

}  // namespace

std::span<const QuestionEntry> question_table() { return questions; }

Task make_task(const Network& network, const NetworkQuery& asked) {
  Encoding encoding =
      encoders::encode(network, read_input(network, asked.input), read_unknowns(asked.unknowns),
                       read_likelihood(asked.likelihood));
  return Asker(std::move(encoding), asked).task();
}

}  // namespace wmi::frontends
