#include "frontends/wmi/jobs/unit_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "frontends/common/json_writer.h"
#include "frontends/formats/json.h"
#include "frontends/wmi/jobs/digest.h"
#include "frontends/wmi/jobs/json_fields.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr std::string_view mark = "wmi-unit";
constexpr std::size_t format_version = 1;

[[noreturn]] void damaged(std::string_view what) { throw Error(std::string(what)); }

JsonText rational(const Rational& value) { return wmi::to_string(value); }

/// A number, or the ends of an interval.
JsonText interval(const Interval& value) {
  if (value.exact()) return rational(value.lower);
  return JsonArray().add(rational(value.lower)).add(rational(value.upper));
}

JsonText law(const TruncatedPowers& measure) {
  if (measure.too_long()) return nullptr;
  JsonArray knots;
  for (const TruncatedPowers::Knot& knot : measure.knots()) {
    JsonArray numbers;
    numbers.add(rational(knot.at));
    for (const Rational& coefficient : knot.coefficients) numbers.add(rational(coefficient));
    knots.add(numbers);
  }
  return knots;
}

template <class Values, class Write>
JsonArray list(const Values& values, const Write& write) {
  JsonArray result;
  for (const auto& value : values) result.add(write(value));
  return result;
}

JsonObject object_of(const UnitRecord::OfTask& part) {
  const UnitResult& found = part.found;
  JsonObject result;
  result.add("task", part.task);
  if (part.searched) result.add("searched", JsonArray::of(*part.searched));
  result.add("vertices", found.vertices)
      .add("doubles", found.used_doubles)
      .add("cells", found.sums.cells)
      .add("sums", list(found.sums.sums, interval))
      .add("counts", JsonArray::of(found.sums.counts))
      .add("laws", list(found.sums.laws, law))
      .add("refusals", list(found.refusals, [](const UnitRefusal& refusal) {
             return JsonText(JsonObject()
                                 .add("at", JsonArray::of(refusal.position))
                                 .add("sums", JsonArray::of(refusal.sums))
                                 .add("reason", JsonText::display(refusal.reason))
                                 .add("gaveUp", refusal.gave_up));
           }));
  if (!part.pieces.empty())
    result.add("pieces", list(part.pieces, [](const std::vector<std::size_t>& sizes) {
                 return JsonText(JsonArray::of(sizes));
               }));
  return result;
}

Rational rational_of(const Json::Value& value) { return parse_exact(string_of(value)); }

Interval interval_of(const Json::Value& value) {
  if (value.kind() != Json::Kind::array) return Interval(rational_of(value));
  const std::vector<Json::Value> ends = value.items();
  if (ends.size() != 2) damaged("an interval has two ends");
  const Rational lower = rational_of(ends[0]), upper = rational_of(ends[1]);
  if (lower > upper) damaged("the ends of an interval are in the wrong order");
  return {lower, upper};
}

TruncatedPowers law_of(const Json::Value& value) {
  if (value.kind() == Json::Kind::null) return TruncatedPowers::too_long_measure();
  std::vector<TruncatedPowers::Knot> knots;
  for (const Json::Value& item : value.expect(Json::Kind::array, "a list of knots").items()) {
    std::vector<Rational> numbers;
    for (const Json::Value& number : item.expect(Json::Kind::array, "a knot").items())
      numbers.push_back(rational_of(number));
    if (numbers.size() < 2) damaged("a knot has a place and a coefficient");
    knots.emplace_back(numbers[0], std::vector(numbers.begin() + 1, numbers.end()));
  }
  return TruncatedPowers(std::move(knots));
}

UnitRefusal refusal_of(const Json::Value& value) {
  UnitRefusal result;
  for (const std::size_t branch : counts_of(value.at("at"))) {
    if (branch > std::numeric_limits<std::uint32_t>::max()) damaged("a branch is too large");
    result.position.push_back(static_cast<std::uint32_t>(branch));
  }
  result.sums = counts_of(value.at("sums"));
  result.reason = string_of(value.at("reason"));
  result.gave_up = truth_of(value.at("gaveUp"));
  return result;
}

UnitRecord::OfTask part_of(const Json::Value& value) {
  UnitRecord::OfTask result;
  result.task = count_of(value.at("task"));
  if (const auto searched = value.find("searched")) result.searched = counts_of(*searched);
  UnitResult& found = result.found;
  found.vertices = count_of(value.at("vertices"));
  found.used_doubles = truth_of(value.at("doubles"));
  found.sums.cells = count_of(value.at("cells"));
  found.sums.sums = list_of(value.at("sums"), interval_of);
  found.sums.counts = counts_of(value.at("counts"));
  found.sums.laws = list_of(value.at("laws"), law_of);
  found.refusals = list_of(value.at("refusals"), refusal_of);
  if (const auto pieces = value.find("pieces")) result.pieces = list_of(*pieces, counts_of);
  return result;
}

/// The line without its digest, which must be right.
std::string_view undamaged(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) damaged("it is cut off");
  const std::string_view body = text.substr(0, end + 1);
  if (text.substr(end + 1) != digest(body) + "\n") damaged("its digest does not match");
  return body;
}

}  // namespace

std::vector<std::vector<SearchPath>> UnitRecord::left_open() const {
  std::map<std::size_t, std::vector<SearchPath>> units;
  for (std::size_t i = 0; i < trees.size(); ++i)
    for (OpenPlace& open : open_places(trees[i])) {
      SearchPath path = places[i];
      path.insert(path.end(), open.path.begin(), open.path.end());
      units[open.unit].push_back(std::move(path));
    }
  std::vector<std::vector<SearchPath>> result;
  for (auto& [number, paths] : units) {
    if (number != result.size() + 1) damaged("its new units are not numbered 1, 2, 3, ...");
    result.push_back(std::move(paths));
  }
  return result;
}

std::size_t UnitRecord::proof_size() const {
  std::size_t result = 0;
  for (const OfTask& part : tasks)
    for (const std::vector<std::size_t>& sizes : part.pieces)
      for (const std::size_t size : sizes) result += size;
  return result;
}

std::string to_text(const UnitRecord& record) {
  JsonObject object;
  object.add(mark, format_version)
      .add("job", record.job)
      .add("version", record.version)
      .add("build", record.build)
      .add("round", record.round)
      .add("unit", record.unit)
      .add("places",
           list(record.places, [](const SearchPath& path) { return JsonText(wmi::to_text(path)); }))
      .add("trees",
           list(record.trees, [](const SearchTree& tree) { return JsonText(wmi::to_text(tree)); }))
      .add("calls", record.calls)
      .add("seconds", JsonText::verbatim(fmt::format("{:.6f}", record.seconds)))
      .add("tasks", list(record.tasks,
                         [](const UnitRecord::OfTask& part) { return JsonText(object_of(part)); }));
  if (!record.note.empty()) object.add("note", record.note);
  if (!record.proof.empty()) object.add("proof", record.proof);
  const std::string body = object.text() + "\n";
  return body + digest(body) + "\n";
}

UnitRecord parse_record(std::string_view text) {
  const Json json(undamaged(text));
  const Json::Value root = json.root().expect(Json::Kind::object, "a record of a work unit");
  if (!root.find(mark)) damaged("it is no record of a work unit");
  if (count_of(root.at(mark)) != format_version) damaged("it is in another version of the format");
  UnitRecord result;
  result.job = string_of(root.at("job"));
  result.version = string_of(root.at("version"));
  if (const auto build = root.find("build")) result.build = string_of(*build);
  result.round = count_of(root.at("round"));
  result.unit = string_of(root.at("unit"));
  result.places = list_of(root.at("places"),
                          [](const Json::Value& value) { return parse_path(string_of(value)); });
  result.trees = list_of(root.at("trees"),
                         [](const Json::Value& value) { return parse_tree(string_of(value)); });
  if (result.places.empty() || result.trees.size() != result.places.size())
    damaged("it has not one tree for each of its places");
  result.calls = count_of(root.at("calls"));
  const std::string& seconds = root.at("seconds").expect(Json::Kind::number, "seconds").text();
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), result.seconds);
  result.tasks = list_of(root.at("tasks"), part_of);
  if (const auto note = root.find("note")) result.note = string_of(*note);
  if (const auto proof = root.find("proof")) result.proof = string_of(*proof);
  if (!result.proof.empty() && !is_digest(result.proof)) damaged("its proof has no digest");
  result.left_open();  // or it throws
  return result;
}

Rational parse_exact(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::string_view numerator = std::string_view(text).substr(
      text.starts_with('-') ? 1 : 0, slash - (text[0] == '-' ? 1 : 0));
  Rational result;
  if (!digits(numerator) ||
      (slash != std::string::npos && !digits(std::string_view(text).substr(slash + 1))) ||
      result.set_str(text, 10) != 0 || result.get_den() == 0)
    damaged("'" + text.substr(0, 40) + "' is no fraction");
  result.canonicalize();
  return result;
}

void number_units(std::vector<SearchTree>& trees, std::size_t most) {
  struct Leaf {
    std::size_t depth;
    SearchTree* place;
  };
  std::vector<Leaf> leaves;
  for (SearchTree& tree : trees)
    visit_open(tree, [&](SearchTree& place, std::size_t depth) {
      leaves.push_back({depth, &place});
    });
  std::vector<Leaf> large = leaves;
  std::ranges::stable_sort(large, {}, &Leaf::depth);
  if (most > 0 && large.size() > most) large.resize(most - 1);
  for (const Leaf& leaf : leaves) leaf.place->unit = 0;
  for (const Leaf& leaf : large) leaf.place->unit = 1;
  std::size_t units = 0;
  for (const Leaf& leaf : leaves)
    if (leaf.place->unit == 1) leaf.place->unit = ++units;
  for (const Leaf& leaf : leaves)
    if (leaf.place->unit == 0) leaf.place->unit = units + 1;
}

std::vector<std::size_t> parse_unit(const std::string& name) {
  constexpr std::size_t most_length = 100'000;  // less than an argument of a program can have
  std::vector<std::size_t> numbers;
  const char* at = name.data();
  const char* const end = at + name.size();
  while (name.size() <= most_length && at != end && *at != '0') {
    const auto [rest, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc()) break;
    if (rest == end) return numbers;
    if (*rest != '.') break;
    at = rest + 1;
  }
  throw Error("'" + name.substr(0, 40) + "' is no unit; units are named 17, or 17.2");
}

std::string unit_name(const std::string& parent, std::size_t number) {
  return parent == root_unit ? std::to_string(number) : parent + "." + std::to_string(number);
}

std::string file_name(const std::string& unit) {
  constexpr std::size_t most_length = 100, kept = 40;  // with the name of a draft, 255 at most
  if (unit.size() <= most_length) return unit;
  const std::string whole = digest(unit);
  return unit.substr(0, kept) + "~" + whole.substr(whole.find(':') + 1);
}

}  // namespace wmi::frontends
