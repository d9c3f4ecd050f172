// Typed reading of a map of scalars, lists and maps.
#include "experiments/driver/labs/lab_block.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using NodeKind = YamlNode::Kind;

constexpr double kMostDrawn = 10'000;  // values of a number

}  // namespace

LabBlock::LabBlock(const YamlNode& node, const std::string& file, std::string name, Problems& problems)
    : node_(node), file_(file), name_(std::move(name)), problems_(problems) {
  if (node.kind != NodeKind::map) problems.add(place(""), "here stands a map: keys and what belongs to them");
}

LabBlock::LabBlock(LabBlock& block, const std::string& key)
    : LabBlock(block.node_.entries.at(block.position(key)).second, block.file_,
               block.name_.empty() ? key : block.name_ + "." + key, block.problems_) {}

std::size_t LabBlock::position(const std::string& key) {
  asked_.push_back(key);
  return static_cast<std::size_t>(std::ranges::find(node_.entries, key, [](const auto& e) { return e.first; }) -
                                  node_.entries.begin());
}

LabBlock::~LabBlock() {
  for (const auto& [key, value] : node_.entries)
    if (!contains(asked_, key)) problem(key, "this key is not known" + did_you_mean(key, asked_));
}

Place LabBlock::place(const std::string& key) const {
  const YamlNode* value = node_.find(key);
  const std::string full = name_.empty() || key.empty() ? name_ + key : name_ + "." + key;
  return {file_, value != nullptr ? value->line : node_.line, full};
}

const YamlNode* LabBlock::take(const std::string& key) {
  asked_.push_back(key);
  const YamlNode* value = node_.find(key);
  return value != nullptr && value->kind != NodeKind::null ? value : nullptr;
}

const YamlNode* LabBlock::needed(const std::string& key, bool is_needed) {
  const YamlNode* value = take(key);
  if (value == nullptr && is_needed) problem(key, "this key is missing");
  return value;
}

std::string LabBlock::text(const std::string& key, const std::optional<std::string>& fallback) {
  const YamlNode* value = needed(key, !fallback);
  if (value == nullptr) return fallback.value_or("");
  if (value->kind != NodeKind::scalar) problem(key, "here stands a text");
  return std::string(trimmed(value->text));  // folded texts end with a line's end
}

double LabBlock::number(const std::string& key, std::optional<double> fallback, double least) {
  const YamlNode* value = needed(key, !fallback);
  if (value == nullptr) return fallback.value_or(least);
  try {
    const double x = parse_quantity(value->text, Dimension::fraction);
    if (x >= least) return x;
    problem(key, "this is to be at least " + short_number(least) + ", not " + quoted(value->text));
  } catch (const InputError& e) {
    problem(key, e.what());
  }
  return fallback.value_or(least);
}

std::uint64_t LabBlock::count(const std::string& key, std::optional<std::uint64_t> fallback) {
  const YamlNode* value = needed(key, !fallback);
  if (value == nullptr) return fallback.value_or(0);
  try {
    return static_cast<std::uint64_t>(parse_quantity(value->text, Dimension::count));
  } catch (const InputError& e) {
    problem(key, e.what());
    return fallback.value_or(0);
  }
}

bool LabBlock::flag(const std::string& key) { return word(key, {"false", "true"}, 0) == 1; }

std::size_t LabBlock::word(const std::string& key, const Words& words, std::optional<std::size_t> fallback) {
  const YamlNode* value = needed(key, !fallback);
  if (value == nullptr) return fallback.value_or(0);
  const auto found = std::ranges::find(words, value->text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  problem(key, "there is no " + quoted(value->text) + " here" + did_you_mean(value->text, words) +
                   " (there are: " + joined(words) + ")");
  return 0;
}

Words LabBlock::texts(const std::string& key) {
  const YamlNode* value = take(key);
  if (value == nullptr) return {};
  if (value->kind == NodeKind::scalar) return {value->text};
  Words out;
  for (const auto& item : value->items) {
    if (item.kind != NodeKind::scalar) problem(key, "here stands a list of texts");
    out.push_back(item.text);
  }
  if (value->kind == NodeKind::map) problem(key, "here stands a list of texts, not a map");
  return out;
}

NamedTexts LabBlock::named_texts(const std::string& key) {
  const YamlNode* value = take(key);
  NamedTexts out;
  if (value == nullptr) return out;
  for (const auto& item : value->items) out.emplace_back(item.text, "");
  for (const auto& [name, node] : value->entries) {
    if (node.kind != NodeKind::scalar) problem(key, quoted(name) + " is to have a text");
    out.emplace_back(name, node.text);
  }
  if (value->kind == NodeKind::scalar) problem(key, "here stands a map");
  return out;
}

void LabBlock::each(const std::string& key, const std::function<void(const std::string&, const YamlNode&)>& read) {
  const YamlNode* value = take(key);
  if (value == nullptr) return;
  if (value->kind != NodeKind::map) return problem(key, "here stands a map of names and what they are");
  for (const auto& [name, node] : value->entries) read(name, node);
}

std::vector<double> drawn_values(const YamlNode& node, const Place& place, Problems& problems) {
  const auto number = [&](const std::string& text) {
    try {
      return parse_quantity(text, Dimension::fraction);
    } catch (const InputError& e) {
      problems.add(place, e.what());
      return 0.0;
    }
  };
  std::vector<double> values;
  for (const auto& item : node.items) values.push_back(number(item.text));
  const YamlNode *from = node.find("from"), *to = node.find("to"), *step = node.find("step");
  if (from != nullptr && to != nullptr && step != nullptr) {
    const double first = number(from->text), last = number(to->text), by = number(step->text);
    const double steps = std::round((last - first) / by);
    if (!(by > 0 && steps >= 0 && steps < kMostDrawn) || std::abs(first + steps * by - last) > 1e-9 * by)
      problems.add(place, "from, to and step are to make a row of values with both ends");
    else
      for (double k = 0; k <= steps; ++k) {  // of whole parts of a step: 0.1 + 2·0.05 is then 0.2
        const double per = std::round(1 / by);
        const bool is_part = by < 1 && std::abs(per * by - 1) < 1e-12 && std::abs(std::round(first * per) - first * per) < 1e-9;
        values.push_back(is_part ? (std::round(first * per) + k) / per : first + k * by);
      }
  }
  if (values.empty()) problems.add(place, "here stand the values that are drawn: a list, or {from, to, step}");
  return values;
}

}  // namespace nowsim
