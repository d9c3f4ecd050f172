#include "experiments/driver/reading/claims.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

/// "claims.HL-3", or "claims" of one without an id.
std::string name_of_claim(const std::string& id) { return "claims" + (id.empty() ? "" : "." + id); }

std::string written_id(const YamlNode& node) {
  const YamlNode* id = node.find("id");
  return id != nullptr ? id->text : "";
}

bool has_key(const CheckKind& kind, const std::string& key) {
  return contains(kind.required, key) || contains(kind.optional, key);
}

constexpr std::size_t kMostWords = 100;  // characters

struct NamingKey {
  Named what;
  const char* key;
  const char* axis = "";  ///< of a value: the key that names what takes it
};
constexpr NamingKey kNamingKeys[] = {{Named::metric, "metric"},        {Named::metric, "other"},
                                     {Named::metric, "over"},          {Named::axis, "along"},
                                     {Named::axis, "across"},          {Named::value, "higher", "across"},
                                     {Named::value, "lower", "across"}};

/// "METRIC AXIS=VALUE, AXIS=VALUE".
ToldValue parse_value(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return std::invalid_argument("'{" + text + "}' " + why +
                                 "; it is a metric, and where it is told, such as {tau job.size=8}");
  };
  const std::string inner(trimmed(text));
  const auto blank = inner.find(' ');
  ToldValue value{inner.substr(0, blank), {}};
  if (value.metric.empty()) throw wrong("names no metric");
  std::string rest = blank == std::string::npos ? "" : inner.substr(blank);
  while (!trimmed(rest).empty()) {
    const auto equals = rest.find('=');
    if (equals == std::string::npos) throw wrong("has a part without '='");
    const auto comma = rest.find(", ", equals);
    const std::string part = rest.substr(0, comma);
    const std::string axis(trimmed(std::string_view(part).substr(0, equals))),
        at(trimmed(std::string_view(part).substr(equals + 1)));
    if (axis.empty() || at.empty()) throw wrong("has an axis or a value that is empty");
    if (!value.where.emplace(axis, at).second) throw wrong("names '" + axis + "' twice");
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
  }
  return value;
}

/// Reads "...{METRIC}...{METRIC AXIS=VALUE, AXIS=VALUE}...". @throws std::invalid_argument with a sentence on what is
/// wrong.
ToldSentence parse_told_sentence(const std::string& text) {
  ToldSentence sentence;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const std::string between = text.substr(at, open - at);
    if (between.find('}') != std::string::npos) throw std::invalid_argument("a '}' has no '{' before it");
    sentence.texts.back() += between;
    if (open == std::string::npos) break;
    const auto close = text.find('}', open);
    if (close == std::string::npos) throw std::invalid_argument("a '{' has no '}'");
    sentence.values.push_back(parse_value(text.substr(open + 1, close - open - 1)));
    sentence.texts.emplace_back();
    at = close + 1;
  }
  return sentence;
}

/// Reads one claim; every problem is noted, and the claim then left out.
class ClaimReader {
 public:
  ClaimReader(const YamlNode& node, const std::string& file, std::span<const CheckKind> checks)
      : block_(node, file, name_of_claim(written_id(node)), claim_keys()), read_(block_.read()), checks_(checks) {
    claim_.file = file;
    claim_.lines[""] = node.line;
    for (const auto& [key, value] : node.entries) claim_.lines[key] = value.line;
  }

  std::optional<Claim> read(Problems& problems) {
    claim_.id = needed("id");
    claim_.says = needed("says");
    claim_.source = needed("source");
    claim_.paper = text("paper");
    claim_.words = text("words");
    claim_.calibrated = read_.flag("calibrated");
    claim_.chosen = text("chosen");
    claim_.variant_of = text("variant_of");
    if (!claim_.variant_of.empty() && claim_.variant_of == claim_.id)
      block_.problem("variant_of", "a claim is no other reading of itself");
    check_words();
    read_kind();
    claim_.metric = needed("metric");
    check_keys();
    check_values();
    claim_.along = text("along");
    claim_.over = text("over");
    claim_.confidence = read_.value("confidence");
    note_names();
    read_reason();
    read_check();
    read_where();
    problems.add_all(block_.problems());
    if (!block_.problems().empty()) return std::nullopt;
    return std::move(claim_);
  }

 private:
  /// "" where it is not given.
  std::string text(const std::string& key) {
    const YamlNode* value = block_.node().find(key);
    if (value == nullptr) return "";
    if (value->kind == Kind::scalar && value->text.empty()) block_.problem(key, "a text is wanted here, not an empty one");
    return read_.text(key);
  }
  std::string needed(const std::string& key) {
    if (!block_.has(key)) block_.problem(key, "this key is missing; a claim has id, says, source, check and metric");
    return text(key);
  }

  /// A few words, not sentences: those are the paper's authors'.
  void check_words() {
    if (const std::size_t characters = shown_width(claim_.words); characters > kMostWords)
      block_.problem("words", "a few of the paper's own words stand here, at most " + std::to_string(kMostWords) +
                                  " characters, not " + std::to_string(characters));
  }

  /// Why it may differ, with the results that it names.
  void read_reason() try {
    claim_.differs = parse_told_sentence(text("differs"));
    for (const auto& value : claim_.differs.values) {
      claim_.names.push_back({Named::metric, "differs", value.metric});
      for (const auto& [axis, at] : value.where) {
        claim_.names.push_back({Named::axis, "differs", axis});
        claim_.names.push_back({Named::value, "differs", at, axis});
      }
    }
  } catch (const std::invalid_argument& e) {
    block_.problem("differs", e.what());
  }

  void read_kind() {
    const std::string name = needed("check");
    const auto found = std::ranges::find(checks_, name, &CheckKind::name);
    if (found != checks_.end()) claim_.kind = &*found;
    if (claim_.kind != nullptr || name.empty()) return;
    const Words known = words_in(checks_);
    block_.problem("check",
                   "there is no check '" + name + "'" + did_you_mean(name, known) + " (there are: " + joined(known) + ")");
  }

  [[nodiscard]] bool is_own(const Key& key) const {
    return key.of.empty() || claim_.kind == nullptr || has_key(*claim_.kind, key.name);
  }

  void check_keys() {
    Words known, others;
    for (const auto& key : claim_keys()) (is_own(key) ? known : others).push_back(key.name);
    for (const auto& [key, value] : block_.node().entries) {
      if (contains(others, key)) block_.problem(key, "the check '" + claim_.kind->name + "' does not have this key");
      else if (!contains(known, key)) block_.problem(key, "this key is not known" + did_you_mean(key, known));
      else if (value.kind == Kind::map && key != "where" && !read_.has_block(key))
        read_.value_of({key, KeyType::quantity, kMustBeGiven, "", kAnyNumber});  // says that there is none
    }
    if (claim_.kind == nullptr) return;
    for (const auto& key : claim_.kind->required)
      if (!block_.has(key)) block_.problem(key, "the check '" + claim_.kind->name + "' needs this key");
  }

  /// By the table alone, in its order, before the check makes anything of them.
  void check_values() {
    if (claim_.kind == nullptr) return;
    for (const auto& key : claim_keys()) {
      if (!has_key(*claim_.kind, key.name) || !block_.has(key.name)) continue;
      if (key.type == KeyType::text)
        text(key.name);
      else if (key.type == KeyType::word)
        read_.word(key.name);
      else
        read_.value(key.name);
    }
  }

  void note_names() {
    for (const auto& [what, key, axis] : kNamingKeys)
      if (const std::string name = text(key); !name.empty()) claim_.names.push_back({what, key, name, text(axis)});
  }

  /// What the kind's check asks, by the keys that are its own.
  void read_check() {
    if (claim_.kind == nullptr) return;
    KeyTable own;
    std::ranges::copy_if(claim_keys(), std::back_inserter(own), [&](const Key& key) { return is_own(key); });
    Reader read = read_.with(own);
    claim_.check = claim_.kind->read(read);
  }

  void read_where() {
    const YamlNode* where = block_.node().find("where");
    if (where == nullptr || where->kind == Kind::null) return;
    if (where->kind != Kind::map)
      return block_.problem("where", "this is a map of swept keys and their values, such as {owner.TH: 0.28}");
    for (const auto& axis : read_.names_below("where")) {
      const std::string key = "where." + axis;
      claim_.lines[key] = read_.place(key).line;
      claim_.where[axis] = read_.texts(key);
      if (claim_.where[axis].empty()) read_.problem(key, "here stands a value of the axis, or a list of them");
    }
  }

  MapBlock block_;
  Reader& read_;
  std::span<const CheckKind> checks_;
  Claim claim_;
};

/// Another reading stands beside a claim, which is none itself.
void note_readings_of_readings(const std::vector<Claim>& claims, Problems& problems) {
  for (const auto& claim : claims) {
    const auto read = std::ranges::find(claims, claim.variant_of, &Claim::id);
    if (read != claims.end() && !read->variant_of.empty())
      problems.add(claim.place("variant_of"), "'" + claim.variant_of + "' is another reading itself, of '" +
                                                  read->variant_of + "': name that claim");
  }
}

/// Holds one claim against the experiment's axes and metrics.
class ClaimValidator {
 public:
  ClaimValidator(const Claim& claim, const SweptAndMeasured& measured, const Registry<Metric>& known, Problems& problems)
      : claim_(claim), measured_(measured), known_(known), problems_(problems) {}

  void run() {
    for (const auto& named : claim_.names)
      if (named.what == Named::metric) check_metric(named.key, named.name);
    for (const auto& named : claim_.names)
      if (named.what == Named::axis) check_axis(named.key, named.name);
    for (const auto& [axis, values] : claim_.where)
      if (check_axis("where." + axis, axis))
        for (const auto& value : values) check_value("where." + axis, axis, value);
    for (const auto& named : claim_.names)
      if (named.what == Named::value) check_value(named.key, named.axis, named.name);
    if (!claim_.kind->needs_numbers || !claim_.over.empty()) return;
    for (const auto& value : measured_.values(claim_.along).in_order())
      if (!axis_number(value))
        return problem("along", "the check '" + claim_.kind->name + "' needs numbers along '" + claim_.along + "'; '" +
                                    value + "' is none");
  }

 private:
  void problem(const std::string& key, const std::string& sentence) {
    problems_.add(claim_.place(key), sentence);
  }
  void check_metric(const std::string& key, const std::string& name) {
    const Metric* metric = find_metric(name, known_);
    if (metric == nullptr) return problem(key, no_metric(name, words_in(known_)));
    if (metric->per_workstation)
      problem(key, "'" + name + "' has a value per workstation; a claim needs one per point");
    if (measured_.metric(name) == nullptr)
      problem(key, "the experiment does not measure '" + name + "'; its metrics: " +
                       joined(measured_.names_of([](const Metric&) { return true; })));
  }
  /// Whether the axis is there; one that could not be read has been reported.
  bool check_axis(const std::string& key, const std::string& axis) {
    if (measured_.is_swept(axis)) return true;
    if (!measured_.sweep.is_broken(axis)) problem(key, measured_.sweep.not_swept(axis));
    return false;
  }
  void check_value(const std::string& key, const std::string& axis, const std::string& value) {
    constexpr std::size_t kMost = 100;
    const Words& all = measured_.values(axis).in_order();
    if (!all.empty() && measured_.values(axis).find(value) == nullptr)
      problem(key, "'" + axis + "' does not take the value '" + value + "'; its values: " +
                       (all.size() > kMost ? some_names(all) : joined(all)));
  }

  const Claim& claim_;
  const SweptAndMeasured& measured_;
  const Registry<Metric>& known_;
  Problems& problems_;
};

}  // namespace

const KeyTable& claim_keys() {
  constexpr Bounds kFinite{-1e300, 1e300};
  const auto of_some = [](Key key) {
    key.of = "some checks";
    return key;
  };
  static const KeyTable keys{
      {"id", KeyType::text, kMustBeGiven, "a word of its own, such as HL-3-tau-flat"},
      {"says", KeyType::text, kMustBeGiven, "the statement"},
      {"source", KeyType::text, kMustBeGiven, "where it stands"},
      {"paper", KeyType::text, "", "the number that is given there"},
      {"words", KeyType::text, "", "a few of the paper's own, such as almost linearly"},
      {"differs", KeyType::text, "",
       "a sentence: why the verdict may be another; {tau job.size=8} is told as measured"},
      {"calibrated", KeyType::word, "false", "whether its number is an input of the experiment, or was fitted to", {},
       flag_words()},
      {"chosen", KeyType::text, "", "a sentence: what was fitted, or chosen after results had been seen"},
      {"variant_of", KeyType::text, "", "the id of the claim whose other reading it is: told beside it, counted apart"},
      {"check", KeyType::text, kMustBeGiven, "how it is checked (nowsim list checks), which says what else it has"},
      {"metric", KeyType::text, kMustBeGiven, "the metric it is about"},
      {"where", KeyType::block, "", "swept keys and the values of each that count, one or a list"},
      {"confidence", KeyType::share, "95%", "of the intervals it is judged by", {0.5, 0.999999}},
      of_some({"along", KeyType::text, "", "the swept key along which the curves go"}),
      of_some({"over", KeyType::text, "", "a metric that is x in its place"}),
      of_some({"across", KeyType::text, "", "the swept key that tells curves apart"}),
      of_some({"higher", KeyType::text, "", "the value of it whose curve is above, or divided"}),
      of_some({"lower", KeyType::text, "", "the value of the other"}),
      of_some({"tolerance", KeyType::share, "0", "by which it may be missed", {0, 10}}),
      of_some({"least", KeyType::share, "", "the least that something may be", kFinite}),
      of_some({"most", KeyType::share, "", "the most", kFinite}),
      of_some({"more_than", KeyType::number, "", "what the metric exceeds, in its unit", kFinite}),
      of_some({"less_than", KeyType::number, "", "what it stays below", kFinite}),
      of_some({"other", KeyType::text, "", "a second metric"}),
      of_some({"within", KeyType::number, "0", "how far two places may be apart, in the unit of along", {0, 1e300}}),
      of_some({"above_first", KeyType::word, "false", "a power law of the rise over the first point", {}, flag_words()})};
  return keys;
}

Place Claim::place(const std::string& key) const {
  const auto found = lines.find(key);
  const auto own = lines.find("");
  const int line = found != lines.end() ? found->second : own != lines.end() ? own->second : 0;
  const std::string full = name_of_claim(id) + (key.empty() ? "" : "." + key);
  return line < 0 ? Place{kOverridePlace, 0, full} : Place{file, line, full};
}

std::vector<Claim> read_claims(const YamlNode& node, const std::string& file, std::span<const CheckKind> checks,
                               Problems& problems) {
  std::vector<Claim> claims;
  std::set<std::string> ids;
  const auto place = [&](const YamlNode& at) {
    return at.line < 0 ? Place{kOverridePlace, 0, "claims"} : Place{file, at.line, "claims"};
  };
  if (node.kind != Kind::sequence)
    problems.add(place(node), "claims are a list of maps, each with id, says, source, check and metric");
  for (const auto& item : node.items) {
    if (item.kind != Kind::map) {
      problems.add(place(item), "a claim is a map with id, says, source, check and metric");
      continue;
    }
    auto claim = ClaimReader(item, file, checks).read(problems);
    if (!claim) continue;
    if (ids.insert(claim->id).second)
      claims.push_back(std::move(*claim));
    else
      problems.add(claim->place("id"), "this id is given twice");
  }
  note_readings_of_readings(claims, problems);
  return claims;
}

void validate_claims(const std::vector<Claim>& claims, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                     const Registry<Metric>& known, Problems& problems) {
  const SweptAndMeasured measured(sweep, metrics);
  for (const auto& claim : claims) ClaimValidator(claim, measured, known, problems).run();
}

}  // namespace nowsim
