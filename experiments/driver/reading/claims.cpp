// Reading claims from YAML.
#include "experiments/driver/reading/claims.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

/// Reads one claim; every problem is noted, and the claim then left out.
class ClaimReader {
 public:
  ClaimReader(const YamlNode& node, const std::string& file, std::span<const CheckKind> checks, Words& problems)
      : node_(node), checks_(checks), problems_(problems) {
    claim_.file = file;
    claim_.lines[""] = node.line;
    for (const auto& [key, value] : node.entries) claim_.lines[key] = value.line;
  }

  std::optional<Claim> read() {
    const std::size_t before = problems_.size();
    claim_.id = text("id", true);
    claim_.says = text("says", true);
    claim_.source = text("source", true);
    claim_.paper = text("paper");
    claim_.differs = text("differs");
    claim_.calibrated = flag("calibrated");
    read_kind();
    claim_.metric = text("metric", true);
    check_keys();
    read_parameters();
    read_where();
    if (problems_.size() > before) return std::nullopt;
    return std::move(claim_);
  }

 private:
  void problem(const std::string& key, const std::string& sentence) {
    problems_.emplace_back(InputError(claim_.place(key), sentence).what());
  }

  /// A scalar's text; "" where it is not given, which is a problem if it is required.
  std::string text(const std::string& key, bool required = false) {
    const YamlNode* value = node_.find(key);
    if (value == nullptr) {
      if (required) problem(key, "this key is missing; a claim has id, says, source, check and metric");
      return "";
    }
    if (value->kind != Kind::scalar || value->text.empty())
      problem(key, "here stands one plain value, not a list, a map or nothing");
    return value->text;
  }

  /// False where it is not given.
  bool flag(const std::string& key) {
    const std::string found = text(key);
    if (!found.empty() && found != "true" && found != "false")
      problem(key, quoted(found) + " is neither true nor false");
    return found == "true";
  }

  void read_kind() {
    const std::string name = text("check", true);
    const auto found = std::ranges::find(checks_, name, &CheckKind::name);
    if (found != checks_.end()) claim_.kind = &*found;
    if (claim_.kind != nullptr || name.empty()) return;
    Words known;
    for (const auto& kind : checks_) known.push_back(kind.name);
    problem("check",
            "there is no check '" + name + "'" + did_you_mean(name, known) + " (there are: " + joined(known) + ")");
  }

  void check_keys() {
    static const Words common{"id", "says", "source", "paper", "differs", "calibrated",
                              "check", "metric", "where", "confidence"};
    Words known = common, elsewhere = common;
    for (const auto& kind : checks_)
      for (const Words* keys : {&kind.required, &kind.optional}) {
        elsewhere.insert(elsewhere.end(), keys->begin(), keys->end());
        if (claim_.kind == nullptr || &kind == claim_.kind) known.insert(known.end(), keys->begin(), keys->end());
      }
    for (const auto& [key, value] : node_.entries) {
      if (contains(known, key)) continue;
      if (contains(elsewhere, key))
        problem(key, "the check '" + claim_.kind->name + "' does not have this key");
      else
        problem(key, "this key is not known" + did_you_mean(key, known));
    }
    if (claim_.kind == nullptr) return;
    for (const auto& key : claim_.kind->required)
      if (node_.find(key) == nullptr) problem(key, "the check '" + claim_.kind->name + "' needs this key");
  }

  /// Reads a quantity within bounds, if it is given.
  void number(const std::string& key, Dimension dimension, double least, double most,
              const std::function<void(double)>& take) {
    const std::string found = text(key);
    if (found.empty()) return;
    try {
      const double value = parse_quantity(found, dimension);
      if (!(value >= least && value <= most))
        throw InputError(quoted(found) + " is out of range: from " + number_text(least) + " to " +
                         number_text(most));
      take(value);
    } catch (const InputError& e) {
      problem(key, e.what());
    }
  }

  void read_parameters() {
    claim_.along = text("along");
    claim_.over = text("over");
    claim_.across = text("across");
    claim_.higher = text("higher");
    claim_.lower = text("lower");
    number("tolerance", Dimension::fraction, 0, 10, [&](double x) { claim_.tolerance = x; });
    number("confidence", Dimension::fraction, 0.5, 0.999999, [&](double x) { claim_.confidence = x; });
    number("least", Dimension::fraction, -1e300, 1e300, [&](double x) { claim_.least = x; });
    number("most", Dimension::fraction, -1e300, 1e300, [&](double x) { claim_.most = x; });
    number("more_than", Dimension::number, -1e300, 1e300, [&](double x) { claim_.more_than = x; });
    number("less_than", Dimension::number, -1e300, 1e300, [&](double x) { claim_.less_than = x; });
    number("within", Dimension::number, 0, 1e300, [&](double x) { claim_.within = x; });
    claim_.other = text("other");
    claim_.above_first = flag("above_first");
    if (!claim_.across.empty() && claim_.across == claim_.along)
      problem("across", "'along' and 'across' are different axes");
    if (!claim_.higher.empty() && same_axis_value(claim_.higher, claim_.lower))
      problem("higher", "'higher' and 'lower' are different values of 'across'");
    if (claim_.least && claim_.most && *claim_.least > *claim_.most) problem("least", "'least' is more than 'most'");
    needs_either("least", "most", claim_.least || claim_.most);
    needs_either("more_than", "less_than", claim_.more_than || claim_.less_than);
  }

  /// Of two optional bounds at least one.
  void needs_either(const std::string& a, const std::string& b, bool has) {
    if (claim_.kind != nullptr && contains(claim_.kind->optional, a) && !has)
      problem("", "the check '" + claim_.kind->name + "' needs '" + a + "', '" + b + "' or both");
  }

  void read_where() {
    const YamlNode* where = node_.find("where");
    if (where == nullptr) return;
    if (where->kind != Kind::map)
      return problem("where", "this is a map of swept keys and their values, such as {owner.TH: 0.28}");
    for (const auto& [key, value] : where->entries) {
      claim_.lines["where." + key] = value.line;
      read_values(key, value);
    }
  }

  void read_values(const std::string& key, const YamlNode& value) {
    const bool is_list = value.kind == Kind::sequence && !value.items.empty();
    const std::vector<YamlNode> items = is_list ? value.items : std::vector<YamlNode>{value};
    for (const auto& item : items) {
      if (item.kind != Kind::scalar)
        return problem("where." + key, "here stands a value of the axis, or a list of them");
      claim_.where[key].push_back(item.text);
    }
  }

  const YamlNode& node_;
  std::span<const CheckKind> checks_;
  Words& problems_;
  Claim claim_;
};

}  // namespace

Place Claim::place(const std::string& key) const {
  const auto found = lines.find(key);
  const auto own = lines.find("");
  const int line = found != lines.end() ? found->second : own != lines.end() ? own->second : 0;
  const std::string full = "claims" + (id.empty() ? "" : "." + id) + (key.empty() ? "" : "." + key);
  return line < 0 ? Place{kOverridePlace, 0, full} : Place{file, line, full};
}

std::vector<Claim> read_claims(const YamlNode& node, const std::string& file, std::span<const CheckKind> checks,
                               std::vector<std::string>& problems) {
  std::vector<Claim> claims;
  std::set<std::string> ids;
  const auto place = [&](const YamlNode& at) {
    return at.line < 0 ? Place{kOverridePlace, 0, "claims"} : Place{file, at.line, "claims"};
  };
  if (node.kind != Kind::sequence)
    problems.emplace_back(
        InputError(place(node), "claims are a list of maps, each with id, says, source, check and metric").what());
  for (const auto& item : node.items) {
    if (item.kind != Kind::map) {
      problems.emplace_back(InputError(place(item), "a claim is a map with id, says, source, check and metric").what());
      continue;
    }
    auto claim = ClaimReader(item, file, checks, problems).read();
    if (!claim) continue;
    if (ids.insert(claim->id).second)
      claims.push_back(std::move(*claim));
    else
      problems.emplace_back(InputError(claim->place("id"), "this id is given twice").what());
  }
  return claims;
}

std::optional<double> axis_number(const std::string& text) {
  if (const auto plain = to_number(text)) return plain;
  for (const Dimension dimension : {Dimension::fraction, Dimension::time, Dimension::bytes, Dimension::bandwidth,
                                    Dimension::work, Dimension::count}) {
    try {
      return parse_quantity(text, dimension);
    } catch (const InputError&) {  // not of this dimension
    }
  }
  return std::nullopt;
}

bool same_axis_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = axis_number(a), y = axis_number(b);
  return x && y && std::abs(*x - *y) <= 1e-12 * std::max(std::abs(*x), std::abs(*y));
}

}  // namespace nowsim
