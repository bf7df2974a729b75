#include "frontends/formats/smtlib_queries.h"

#include <algorithm>
#include <iterator>

#include "frontends/common/caps.h"

namespace wmi::frontends {
namespace {

struct QueryCommand {
  std::string_view name;
  Query::Kind kind;
  std::string_view usage;
};

constexpr QueryCommand query_commands[] = {
    {"check-sat", Query::Kind::satisfiable, "(check-sat)"},
    {"get-wmi", Query::Kind::wmi, "(get-wmi) or (get-wmi FORMULA)"},
    {"get-probability", Query::Kind::probability, "(get-probability FORMULA [:given FORMULA])"},
    {"get-expectation", Query::Kind::expectation, "(get-expectation TERM [:given FORMULA])"},
    {"get-variance", Query::Kind::variance, "(get-variance TERM [:given FORMULA])"},
    {"get-moment", Query::Kind::moment, "(get-moment TERM NUMBER [:given FORMULA])"},
    {"get-density", Query::Kind::density, "(get-density TERM :at NUMBER [:given FORMULA])"},
    {"get-distribution", Query::Kind::distribution, "(get-distribution TERM [:given FORMULA])"},
    {"get-cdf", Query::Kind::cdf, "(get-cdf TERM :at NUMBER [:given FORMULA])"},
    {"get-quantile", Query::Kind::quantile, "(get-quantile TERM PROBABILITY [:given FORMULA])"},
};

class QueryReader {
 public:
  QueryReader(ScriptCommand& command, TermReader& reader, Terms& terms)
      : command_(command), reader_(reader), terms_(terms) {}

  Query read(Query::Kind kind, std::string_view usage) {
    query_.kind = kind;
    query_.text = to_string(command_.tree());
    query_.where = command_.where();
    switch (kind) {
      case Query::Kind::satisfiable:
        command_.expect(0, 0, usage);
        break;
      case Query::Kind::wmi:
        command_.expect(0, 1, usage);
        if (command_.arguments() == 1) query_.event = formula(1);
        break;
      case Query::Kind::probability:
        take_keywords(false, usage);
        command_.expect(1, 1, usage);
        query_.event = formula(1);
        break;
      case Query::Kind::expectation:
      case Query::Kind::variance:
        take_keywords(false, usage);
        command_.expect(1, 1, usage);
        query_.term = real(1);
        break;
      case Query::Kind::moment:
        take_keywords(false, usage);
        command_.expect(2, 2, usage);
        query_.term = real(1);
        query_.order = order(2);
        break;
      case Query::Kind::density:
      case Query::Kind::cdf:
        take_keywords(true, usage);
        command_.expect(1, 1, usage);
        query_.term = affine(1);
        break;
      case Query::Kind::distribution:
        take_keywords(false, usage);
        command_.expect(1, 1, usage);
        query_.term = affine(1);
        break;
      case Query::Kind::quantile:
        take_keywords(false, usage);
        if (command_.arguments() == 1)
          throw Error("the probability is missing: expected " + std::string(usage),
                      command_.where());
        command_.expect(2, 2, usage);
        query_.term = affine(1);
        query_.at = probability(2);
        break;
    }
    if (!query_.refused.empty()) {  // any question that has an answer takes its place
      query_.kind = Query::Kind::wmi;
      query_.event = query_.given = truth;
    }
    return std::move(query_);
  }

 private:
  Formula formula(std::size_t part) {
    return reader_.formula(command_.tree(), command_.part(part));
  }
  Polynomial real(std::size_t part) { return reader_.real(command_.tree(), command_.part(part)); }
  Rational number(std::size_t part) { return reader_.number(command_.tree(), command_.part(part)); }

  /// A term that must be piecewise affine; if it is not, the query is refused, and no other one.
  Polynomial affine(std::size_t part) {
    Polynomial term = real(part);
    try {
      return terms_.affine(term);
    } catch (const Error& error) {
      query_.refused = error.what();
      query_.where = error.where().line != 0 ? error.where() : command_.where(part);
      return {};
    }
  }

  unsigned order(std::size_t part) {
    const Rational value = number(part);
    if (value < 0 || value.get_den() != 1 || value > wmi::caps::degree.value())
      throw Error("expected a natural number up to " + std::to_string(wmi::caps::degree),
                  command_.where(part));
    return static_cast<unsigned>(value.get_num().get_ui());
  }

  Rational probability(std::size_t part) {
    Rational value = number(part);
    if (sgn(value) <= 0 || value > 1)
      throw Error("expected a probability above 0 and at most 1", command_.where(part));
    return value;
  }

  /// Removes `:given G`, and `:at c` if it is needed, from the end of the command.
  void take_keywords(bool with_at, std::string_view usage) {
    bool given = false, at = false;
    while (command_.arguments() >= 3) {
      const std::size_t argument = command_.arguments(), keyword = argument - 1;
      if (!is_keyword(keyword)) break;
      if (command_.text(keyword) == "given" && !given) {
        query_.given = formula(argument);
        given = true;
      } else if (command_.text(keyword) == "at" && with_at && !at) {
        query_.at = number(argument);
        at = true;
      } else {
        refuse(keyword);
      }
      command_.drop_last(2);
    }
    const std::size_t last = command_.arguments();
    if (last > 0 && is_keyword(last)) {
      if (command_.text(last) == "given" && !given)
        throw Error("the formula after ':given' is missing", command_.where(last));
      if (command_.text(last) == "at" && with_at && !at)
        throw Error("the number after ':at' is missing", command_.where(last));
    }
    for (std::size_t part = 1; part <= last; ++part)
      if (is_keyword(part)) refuse(part);
    if (with_at && !at)
      throw Error("':at NUMBER' is missing: expected " + std::string(usage), command_.where());
  }

  bool is_keyword(std::size_t part) const { return command_.kind(part) == Sexpr::Kind::keyword; }
  [[noreturn]] void refuse(std::size_t keyword) const {
    throw Error("unexpected ':" + command_.text(keyword) + "'", command_.where(keyword));
  }

  ScriptCommand& command_;
  TermReader& reader_;
  Terms& terms_;
  Query query_;
};

}  // namespace

std::optional<Query> read_query(ScriptCommand& command, TermReader& reader, Terms& terms) {
  const auto* const entry = std::ranges::find(query_commands, command.text(0), &QueryCommand::name);
  if (entry == std::end(query_commands)) return std::nullopt;
  return QueryReader(command, reader, terms).read(entry->kind, entry->usage);
}

}  // namespace wmi::frontends
