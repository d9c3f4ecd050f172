#include "experiments/driver/reading/yaml_edit.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;
constexpr const char* kZip = "zip";

/// The rest of a dotted key behind an entry's name; "" where the entry does not hold it.
std::string rest_behind(const std::string& name, const std::string& key) {
  return key.starts_with(name + ".") ? key.substr(name.size() + 1) : "";
}

void erase_axis(YamlNode& map, const std::string& key) {
  for (auto& [name, node] : map.entries)
    if (name == kZip && node.kind == Kind::map)
      std::erase_if(node.entries, [&](const auto& entry) { return entry.first == key; });
  std::erase_if(map.entries, [&](const auto& entry) {
    const bool is_left_empty = entry.first == kZip && entry.second.kind == Kind::map && entry.second.entries.empty();
    return entry.first == key || is_left_empty;
  });
}

const YamlNode* axis_in(const YamlNode& map, const std::string& key) {
  for (const auto& [name, node] : map.entries) {
    if (name == key) return &node;
    if (name != kZip || node.kind != Kind::map) continue;
    if (const YamlNode* found = node.find(key)) return found;
  }
  return nullptr;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// ---- nodes as texts -------------------------------------------------------------------------------------------------

bool is_collection(const YamlNode& node) { return node.kind == Kind::map || node.kind == Kind::sequence; }

std::string key_text(const std::string& key) { return yaml_word(key, "."); }

std::string plain_text(const YamlNode& node) { return node.quoted ? json_text(node.text) : node.text; }

/// On one line.
std::string yaml_flow_text(const YamlNode& node) {
  if (node.kind == Kind::null) return "null";
  if (node.kind == Kind::scalar) return plain_text(node);
  Words inside;
  for (const YamlNode& item : node.items) inside.push_back(yaml_flow_text(item));
  for (const auto& [key, value] : node.entries) inside.push_back(key_text(key) + ": " + yaml_flow_text(value));
  return node.kind == Kind::sequence ? "[" + joined(inside) + "]" : "{" + joined(inside) + "}";
}

/// Whether it can stand on one line: a plain text with a comma or a bracket would end too soon there.
bool fits_flow(const YamlNode& node) {
  if (node.kind == Kind::scalar) return node.quoted || node.text.find_first_of(",[]{}") == std::string::npos;
  return std::ranges::all_of(node.items, fits_flow) &&
         std::ranges::all_of(node.entries, [](const auto& entry) { return fits_flow(entry.second); });
}

std::string block_text(const YamlNode& node, std::size_t indent);

/// What stands behind a key's colon or a '-', with its line's end.
std::string value_text(const YamlNode& node, std::size_t indent, bool prefers_one_line) {
  if (node.kind == Kind::null) return "\n";
  if (!is_collection(node)) return " " + plain_text(node) + "\n";
  const bool is_empty = node.items.empty() && node.entries.empty();
  const bool is_plain_list = node.kind == Kind::sequence && std::ranges::none_of(node.items, is_collection);
  if (is_empty || (fits_flow(node) && (prefers_one_line || is_plain_list))) return " " + yaml_flow_text(node) + "\n";
  return "\n" + block_text(node, indent + 2);
}

std::string block_text(const YamlNode& node, std::size_t indent) {
  const std::string blanks(indent, ' ');
  std::string out;
  for (const YamlNode& item : node.items) out += blanks + "-" + value_text(item, indent, false);
  for (const auto& [key, value] : node.entries) out += blanks + key_text(key) + ":" + value_text(value, indent, false);
  return out;
}

// ---- texts as lines -------------------------------------------------------------------------------------------------

using TextLines = std::vector<std::string>;  // each with its end

TextLines lines_of(const std::string& text) {
  TextLines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::size_t indent_of(const std::string& line) { return line.find_first_not_of(' '); }
bool says_nothing(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  return first == line.npos || line[first] == '#';
}

/// The length of a key at a line's indentation with its colon; 0 where another one stands there.
std::size_t key_length(const std::string& line, std::size_t indent, const std::string& key) {
  for (const std::string& written : {key, json_text(key), "'" + key + "'"}) {
    if (line.compare(indent, written.size(), written) != 0) continue;
    const std::size_t colon = line.find_first_not_of(' ', indent + written.size());
    if (colon == line.npos || line[colon] != ':') continue;
    if (colon + 1 == line.size() || std::string_view(" \t\r\n").find(line[colon + 1]) != std::string_view::npos)
      return colon + 1 - indent;
  }
  return 0;
}

/// Whether a quote opens a text there: at a value's beginning, or as an item or a value between brackets.
bool opens_text(std::string_view line, std::size_t from, std::size_t quote) {
  const std::string_view before = trimmed(line.substr(from, quote - from));
  return before.empty() || std::string_view("[{,:").find(before.back()) != std::string_view::npos;
}

/// Where the comment of a line begins, with the blanks before it; where there is none the line's end.
std::size_t comment_in(std::string_view line, std::size_t from) {
  char quote = 0;
  for (std::size_t k = from; k < line.size(); ++k) {
    if (quote == '"' && line[k] == '\\')
      ++k;
    else if (quote != 0)
      quote = line[k] == quote ? '\0' : quote;
    else if ((line[k] == '"' || line[k] == '\'') && opens_text(line, from, k))
      quote = line[k];
    else if (line[k] == '#' && (line[k - 1] == ' ' || line[k - 1] == '\t'))
      return line.find_last_not_of(" \t", k - 1) + 1;
  }
  return line.find_last_not_of("\r\n") + 1;
}

/// Where an entry of a map stands.
struct EntryLines {
  std::size_t begin, end;    ///< its lines, with those of its value
  std::size_t value_at = 0;  ///< in its first line, behind the colon
};

/// Changes a map of block style, as far as its lines go. Nothing is known to be right before it is read again.
class BlockRewriter {
 public:
  explicit BlockRewriter(const std::string& text) : lines_(lines_of(text)) {}

  /// Whether the map's entries were found in these lines, which then are as wanted.
  bool rewrite(const YamlNode& map, const YamlNode& wanted, std::size_t begin, std::size_t end) {
    while (begin < end && (says_nothing(lines_[begin]) || lines_[begin].starts_with("---"))) ++begin;
    if (begin == end || map.entries.empty()) return false;
    const std::size_t indent = indent_of(lines_[begin]);
    std::vector<EntryLines> places = places_of(map, begin, end, indent);
    if (places.size() != map.entries.size()) return false;
    append(wanted, count_new(map, wanted), indent, places.back().end);
    for (std::size_t k = map.entries.size(); k-- > 0;) {  // from below, so that places above stay
      const auto& [key, value] = map.entries[k];
      const YamlNode* now = wanted.find(key);
      if (now == nullptr)
        lines_.erase(at(places[k].begin), at(places[k].end));
      else if (!says_the_same(value, *now))
        change(value, *now, places[k], indent);
    }
    return true;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const std::string& line : lines_) out += line;
    return out;
  }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }

 private:
  [[nodiscard]] TextLines::iterator at(std::size_t line) { return lines_.begin() + static_cast<std::ptrdiff_t>(line); }

  static std::size_t count_new(const YamlNode& map, const YamlNode& wanted) {
    return static_cast<std::size_t>(
        std::ranges::count_if(wanted.entries, [&](const auto& entry) { return map.find(entry.first) == nullptr; }));
  }

  std::vector<EntryLines> places_of(const YamlNode& map, std::size_t begin, std::size_t end, std::size_t indent) const {
    std::vector<EntryLines> places;
    std::size_t line = begin;
    for (const auto& [key, value] : map.entries) {
      for (; line < end; ++line)
        if (indent_of(lines_[line]) == indent && key_length(lines_[line], indent, key) > 0) break;
      if (line == end) return {};
      if (!places.empty()) places.back().end = line;
      places.push_back({line, end, indent + key_length(lines_[line], indent, key)});
      ++line;
    }
    for (EntryLines& place : places)
      while (place.end > place.begin + 1 && says_nothing(lines_[place.end - 1])) --place.end;
    return places;
  }

  /// The last `count` entries of a map, behind a line.
  void append(const YamlNode& wanted, std::size_t count, std::size_t indent, std::size_t behind) {
    if (count > 0 && !lines_[behind - 1].ends_with('\n')) lines_[behind - 1] += '\n';
    const std::string blanks(indent, ' ');
    for (std::size_t k = wanted.entries.size() - count; k < wanted.entries.size(); ++k) {
      const auto& [key, value] = wanted.entries[k];
      lines_.insert(at(behind++), blanks + key_text(key) + ":" + value_text(value, indent, true));
    }
  }

  void change(const YamlNode& value, const YamlNode& now, const EntryLines& place, std::size_t indent) {
    const std::string line = lines_[place.begin];
    const std::size_t behind_value = comment_in(line, place.value_at);
    const bool is_block = line.find_first_not_of(" \t\r", place.value_at) >= behind_value;
    if (is_block && value.kind == Kind::map && now.kind == Kind::map && rewrite(value, now, place.begin + 1, place.end))
      return;
    const std::string made = value_text(now, indent, true);
    const std::size_t first = made.find('\n');
    lines_.erase(at(place.begin + 1), at(place.end));
    lines_[place.begin] = line.substr(0, place.value_at) + made.substr(0, first) + line.substr(behind_value) +
                          (line.ends_with('\n') || first + 1 == made.size() ? "" : "\n") + made.substr(first + 1);
  }

  TextLines lines_;
};

}  // namespace

YamlNode yaml_scalar(const std::string& text, bool is_quoted) {
  return {Kind::scalar, text, is_quoted, -1};
}

YamlNode yaml_list(const std::vector<std::string>& texts) {
  YamlNode node(Kind::sequence, "", false, -1);
  for (const auto& text : texts) node.items.push_back(yaml_scalar(text));
  return node;
}

const YamlNode* yaml_at(const YamlNode& map, const std::string& key) {
  if (const YamlNode* own = map.find(key)) return own;
  for (const auto& [name, node] : map.entries) {
    const std::string rest = rest_behind(name, key);
    if (rest.empty() || node.kind != Kind::map) continue;
    if (const YamlNode* found = yaml_at(node, rest)) return found;
  }
  return nullptr;
}

void yaml_erase(YamlNode& map, const std::string& key) {
  std::erase_if(map.entries, [&](const auto& entry) { return entry.first == key; });
  for (auto& [name, node] : map.entries) {
    const std::string rest = rest_behind(name, key);
    if (!rest.empty() && node.kind == Kind::map) yaml_erase(node, rest);
  }
}

const YamlNode* swept_values(const YamlNode& sweep, const std::string& key) {
  if (sweep.kind == Kind::map) return axis_in(sweep, key);
  for (const auto& item : sweep.items)
    if (const YamlNode* found = axis_in(item, key)) return found;
  return nullptr;
}

YamlNode* swept_values(YamlNode& sweep, const std::string& key) {
  return const_cast<YamlNode*>(swept_values(std::as_const(sweep), key));
}

void sweep_erase(YamlNode& sweep, const std::string& key) {
  if (sweep.kind == Kind::map) return erase_axis(sweep, key);
  for (auto& item : sweep.items) erase_axis(item, key);
  std::erase_if(sweep.items, [](const YamlNode& item) { return item.kind == Kind::map && item.entries.empty(); });
}

void sweep_first(YamlNode& sweep, const std::string& key, YamlNode values) {
  if (sweep.kind != Kind::sequence) {
    YamlNode list(Kind::sequence, "", false, sweep.line);
    if (sweep.kind == Kind::map && !sweep.entries.empty()) list.items.push_back(std::move(sweep));
    sweep = std::move(list);
  }
  YamlNode axis(Kind::map, "", false, -1);
  axis.entries.emplace_back(key, std::move(values));
  sweep.items.insert(sweep.items.begin(), std::move(axis));
}

std::string yaml_word(const std::string& text, std::string_view also) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_plain = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || also.find(c) != also.npos;
  };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_plain) ? text : json_text(text);
}

bool says_the_same(const YamlNode& a, const YamlNode& b) {
  const auto same_entry = [](const auto& x, const auto& y) {
    return x.first == y.first && says_the_same(x.second, y.second);
  };
  return a.kind == b.kind && a.text == b.text && a.quoted == b.quoted &&
         std::ranges::equal(a.items, b.items, says_the_same) && std::ranges::equal(a.entries, b.entries, same_entry);
}

bool is_read_as(const std::string& text, const YamlNode& document, const std::string& file) try {
  return says_the_same(parse_yaml(text, file), document);
} catch (const InputError&) {
  return false;
}

std::string yaml_text(const YamlNode& document) {
  const std::string text = is_collection(document) ? block_text(document, 0) : plain_text(document) + "\n";
  if (says_the_same(parse_yaml(text, "YAML"), document)) return text;
  throw InputError("this cannot be written as YAML");
}

std::optional<std::string> rewritten_yaml(const std::string& text, const YamlNode& wanted, const std::string& file) {
  const YamlNode document = parse_yaml(text, file);
  if (document.kind != Kind::map || wanted.kind != Kind::map) return std::nullopt;
  const bool has_mark = text.starts_with(kByteOrderMark);
  BlockRewriter rewriter(has_mark ? text.substr(kByteOrderMark.size()) : text);
  if (!rewriter.rewrite(document, wanted, 0, rewriter.size())) return std::nullopt;
  const std::string made = (has_mark ? std::string(kByteOrderMark) : "") + rewriter.text();
  return is_read_as(made, wanted, file) ? std::optional(made) : std::nullopt;  // lines alone may not explain a text
}

}  // namespace nowsim
