// Reads YAML into YamlNode trees: yaml-cpp's events, checked for what yaml-cpp lets pass.
#include "experiments/driver/reading/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

// ---- the text -------------------------------------------------------------------------------------------------------

/// A text being parsed and where it comes from, for the places in messages.
struct YamlSource {
  std::string text, file;

  [[nodiscard]] int line_of(std::size_t index) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(index, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
  }
  /// The last line that has something in it, where yaml-cpp's marks may point behind it.
  [[nodiscard]] int last_line() const { return line_of(text.find_last_not_of(" \t\r\n") + 1); }
  [[nodiscard]] std::string_view from(std::size_t index) const {
    return std::string_view(text).substr(std::min(index, text.size()));
  }
  [[noreturn]] void fail(int line, const std::string& sentence) const { throw InputError(Place{file, line, ""}, sentence); }
};

/// Control characters but tab and line feed are left out: they are no YAML (1.2.2, 5.1), and yaml-cpp takes 04 for the
/// end of the file.
bool is_yaml(const Utf8Character& c) {
  return c.is_whole && c.code != 0x7f && (c.code >= 0x20 || c.code == '\t' || c.code == '\n');
}

/// Index of the first byte that is no part of a character, or the size.
std::size_t first_bad_byte(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const Utf8Character c = first_character(text.substr(i));
    if (!is_yaml(c)) break;
    i += c.bytes;
  }
  return i;
}

/// "a NUL byte", "the byte 0x80, which is not UTF-8".
std::string name_of_byte(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  const auto text = std::string("the byte 0x") + digits[byte / 16] + digits[byte % 16];
  if (byte == 0) return "a NUL byte";
  if (byte == '\r') return "a carriage return inside a line";
  return text + (byte < 0x80 ? ", a control character" : ", which is not UTF-8");
}

/// Without byte order mark and carriage returns at line ends; the last line ends like the others.
std::string normalized(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.substr(i, 2) != "\r\n") out += text[i];
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

void check_characters(const YamlSource& source) {
  const auto bad = first_bad_byte(source.text);
  if (bad < source.text.size())
    source.fail(source.line_of(bad), "the file holds " + name_of_byte(source.text[bad]) + "; write plain UTF-8 text");
}

/// yaml-cpp ends the document at a '%' that begins a line and ignores the line if it knows no such directive.
void check_directives(const YamlSource& source) {
  const auto& text = source.text;
  for (auto i = text.find('%'); i != std::string::npos; i = text.find('%', i + 1))
    if ((i == 0 || text[i - 1] == '\n') && source.from(i).substr(0, 6) != "%YAML ")
      source.fail(source.line_of(i),
                  "a line that begins with '%' is a YAML directive, which is not supported; indent it");
}

/// The text that a parser may see. @throws InputError for bytes that are no characters of YAML, and for directives other
/// than %YAML.
YamlSource checked_source(const std::string& text, const std::string& file) {
  YamlSource source{normalized(text), file};
  check_characters(source);
  check_directives(source);
  return source;
}

// ---- numbers that are read in two ways ------------------------------------------------------------------------------

/// "010 could mean 8 or 10; write 10, or quote it if it is text"; the octal reading only where it exists and differs.
std::string explain_leading_zeros(const std::string& text) {
  const std::string sign = text[0] == '-' || text[0] == '+' ? text.substr(0, 1) : "";
  const auto zeros = std::min(text.find_first_not_of('0', sign.size()), text.size());
  auto decimal = text.substr(zeros);
  if (decimal.find_first_of("0123456789") != 0) decimal.insert(0, "0");
  long long octal = 0;
  const auto [end, error] = std::from_chars(text.data() + sign.size(), text.data() + text.size(), octal, 8);
  const bool two_ways = error == std::errc{} && end == text.data() + text.size() && std::to_string(octal) != decimal;
  const auto trouble = two_ways ? " could mean " + sign + std::to_string(octal) + " or " + sign + decimal
                                : std::string(" has a leading zero");
  return text + trouble + "; write " + sign + decimal + ", or quote it if it is text";
}

/// Plain scalars that YAML 1.1 reads as a number or a date and YAML 1.2 as text.
struct Form {
  std::regex pattern;
  const char* meaning;  ///< nullptr: a leading zero
};
const std::vector<Form>& forms() {
  // https://yaml.org/type/int.html, float.html and timestamp.html; a little wider, so that 07:30 counts as a time.
  static const std::vector<Form> out{
      {std::regex("[-+]?0[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?"), nullptr},
      {std::regex("[-+]?0[xX][0-9a-fA-F_]+"), "a hexadecimal number"},
      {std::regex("[-+]?0[oO][0-7_]+"), "an octal number"},
      {std::regex("[-+]?0[bB][01_]+"), "a binary number"},
      {std::regex("[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+([.][0-9_]*)?"), "a time, a number to base 60"},
      {std::regex("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?"), "a date"},
  };
  return out;
}

/// The sentence against a plain scalar that YAML 1.1 reads as a number or a date and YAML 1.2 as text, or "".
std::string objection_to(const std::string& text) {
  constexpr std::size_t longest = 64;  // std::regex recurses with the length of the text
  if (text.size() > longest || text.find_first_of("0123456789") > 1) return "";
  const auto found = std::find_if(forms().begin(), forms().end(),
                                  [&](const Form& form) { return std::regex_match(text, form.pattern); });
  if (found == forms().end()) return "";
  if (found->meaning == nullptr) return explain_leading_zeros(text);
  return text + " could mean " + found->meaning + " or text; write it in quotes or in decimal";
}

// ---- the tree -------------------------------------------------------------------------------------------------------

constexpr std::size_t max_depth = 100;
constexpr std::size_t max_copied_nodes = 100'000;

std::size_t node_count(const YamlNode& node) {
  std::size_t out = 1;
  for (const auto& item : node.items) out += node_count(item);
  for (const auto& [key, value] : node.entries) out += node_count(value);
  return out;
}

std::size_t depth_of(const YamlNode& node) {
  std::size_t out = 0;
  for (const auto& item : node.items) out = std::max(out, depth_of(item));
  for (const auto& [key, value] : node.entries) out = std::max(out, depth_of(value));
  return node.kind == YamlNode::Kind::sequence || node.kind == YamlNode::Kind::map ? out + 1 : out;
}

std::size_t index_of(const YAML::Mark& mark) { return static_cast<std::size_t>(std::max(mark.pos, 0)); }

/// Builds the tree from yaml-cpp's events and refuses what the contract refuses.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const YamlSource& source) : source_(source) { root_.line = 1; }

  [[nodiscard]] YamlNode take() { return std::move(root_); }

  /// Where the innermost list or map that is not closed began: "'[' of line 3"; "" outside of one.
  [[nodiscard]] std::string open_collection() const {
    if (frames_.empty()) return "";
    const auto& node = frames_.back().node;
    const char* const bracket = node.kind == YamlNode::Kind::sequence ? "'['" : "'{'";
    return std::string(bracket) + " of line " + std::to_string(node.line);
  }

  /// The last line something was read from.
  [[nodiscard]] int reached() const { return reached_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!std::exchange(seen_document_, true)) return;
    const bool marked = source_.from(index_of(mark)).substr(0, 3) == "---";
    fail(mark,
         marked ? "a second document begins here; a file holds one" : "there is text after the end of the document");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check_colon(mark);
    const bool written = anchor != YAML::NullAnchor || is_key_next() || is_null_word(index_of(mark));
    if (in_flow_sequence() && source_.from(index_of(mark)).substr(0, 1) == ",")
      fail(mark, "an entry is missing before this ','");
    YamlNode node;
    node.line = line(mark) - (written ? 0 : lines_since_text(index_of(mark)));
    deliver(std::move(node), anchor, index_of(mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(mark, "the alias " + alias_name(mark) + " stands inside its own anchor");
    copied_nodes_ += node_count(found->second);
    if (copied_nodes_ > max_copied_nodes)
      fail(mark, "the aliases up to here unfold to more than " + std::to_string(max_copied_nodes) + " nodes");
    check_depth(frames_.size() + depth_of(found->second), line(mark));
    deliver(found->second, YAML::NullAnchor, index_of(mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    if (const auto bad = first_bad_byte(value); bad < value.size())  // from an escape such as \0
      fail(mark, "the text holds " + name_of_byte(value[bad]) + "; write plain UTF-8 text");
    YamlNode node(YamlNode::Kind::scalar, value, tag == "!", line(mark));
    if (!node.quoted && !is_key_next()) {
      if (const auto sentence = objection_to(value); !sentence.empty()) fail(mark, sentence);
    }
    deliver(std::move(node), anchor, index_of(mark));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::sequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(YamlNode::Kind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

  /// The name at a mark, with its '*'.
  [[nodiscard]] std::string alias_name(const YAML::Mark& mark) const {
    const auto rest = source_.from(index_of(mark));
    return quoted(rest.substr(0, rest.find_first_of(" \t\n,]}[{")));
  }

 private:
  /// A list or map that is still being read.
  struct Frame {
    YamlNode node;
    YAML::anchor_t anchor;
    bool flow;
    std::optional<std::string> key;        ///< map: the key whose value comes next
    std::size_t key_index;                 ///< map: where this key begins in the text
    std::map<std::string, int> key_lines;  ///< map: where each key was given
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& sentence) const {
    source_.fail(line(mark), sentence);
  }
  static int line(const YAML::Mark& mark) { return mark.line + 1; }

  [[nodiscard]] bool is_key_next() const {
    return !frames_.empty() && frames_.back().node.kind == YamlNode::Kind::map && !frames_.back().key;
  }
  [[nodiscard]] bool in_flow_sequence() const {
    return !frames_.empty() && frames_.back().flow && frames_.back().node.kind == YamlNode::Kind::sequence;
  }

  /// For a value that is not written, yaml-cpp marks what comes next.
  [[nodiscard]] bool is_null_word(std::size_t index) const {
    const auto rest = source_.from(index);
    const auto word = rest.substr(0, rest.find_first_of(" \t\n,]}:"));
    return word == "~" || word == "null" || word == "Null" || word == "NULL";
  }
  /// Lines from the last text before an index that is no comment up to there: a missing value belongs to that text.
  [[nodiscard]] int lines_since_text(std::size_t index) const {
    const auto before = std::string_view(source_.text).substr(0, index);
    auto text = before;
    while (true) {
      text = text.substr(0, text.find_last_not_of(" \t\n") + 1);
      const auto start = text.find_first_not_of(" \t", text.rfind('\n') + 1);
      if (start >= text.size() || text[start] != '#') break;
      text = text.substr(0, start);
    }
    const auto gap = before.substr(text.size());
    return static_cast<int>(std::count(gap.begin(), gap.end(), '\n'));
  }
  /// Before the end of a document yaml-cpp takes a word without ':' for a key; then it puts the mark of the key on the
  /// missing value.
  void check_colon(const YAML::Mark& mark) const {
    if (frames_.empty() || frames_.back().flow || !frames_.back().key) return;
    if (frames_.back().key_index == index_of(mark))
      fail(mark, "there is no ':' after " + quoted(*frames_.back().key));
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag == "?" || tag == "!") return;
    constexpr std::string_view standard = "tag:yaml.org,2002:";  // yaml-cpp's reading of !!
    const bool is_standard = tag.compare(0, standard.size(), standard) == 0;
    const auto written = is_standard ? "!!" + tag.substr(standard.size()) : tag;
    fail(mark, "the tag " + quoted(written) + " is not supported; write the value without it");
  }
  void check_depth(std::size_t depth, int at) const {
    if (depth > max_depth)
      source_.fail(at, "lists and maps are nested more than " + std::to_string(max_depth) + " deep here");
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    check_tag(mark, tag);
    check_depth(frames_.size() + 1, line(mark));
    reached_ = std::max(reached_, line(mark));
    frames_.push_back({YamlNode(kind, "", false, line(mark)), anchor, style == YAML::EmitterStyle::Flow, {}, 0, {}});
  }

  void close() {
    auto frame = std::move(frames_.back());
    frames_.pop_back();
    deliver(std::move(frame.node), frame.anchor, 0);
  }

  /// Puts a complete node where it belongs. An anchor is known only from here on: not inside of itself.
  void deliver(YamlNode node, YAML::anchor_t anchor, std::size_t index) {
    reached_ = std::max(reached_, node.line);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (auto& frame = frames_.back(); frame.node.kind == YamlNode::Kind::sequence) {
      frame.node.items.push_back(std::move(node));
    } else if (frame.key) {
      frame.node.entries.emplace_back(*std::exchange(frame.key, std::nullopt), std::move(node));
    } else {
      take_key(frame, node);
      frame.key_index = index;
    }
  }

  void take_key(Frame& frame, const YamlNode& key) const {
    static const std::map<YamlNode::Kind, const char*> others{
        {YamlNode::Kind::null, "empty or null"}, {YamlNode::Kind::sequence, "a list"}, {YamlNode::Kind::map, "a map"}};
    if (key.kind != YamlNode::Kind::scalar)
      source_.fail(key.line, std::string("a key is ") + others.at(key.kind) + "; a key is a plain word");
    if (!key.quoted && key.text == "<<") source_.fail(key.line, "merging with '<<' is not supported; write the entries out");
    const auto [first, is_new] = frame.key_lines.emplace(key.text, key.line);
    if (!is_new)
      source_.fail(key.line, "the key " + quoted(key.text) + " is given twice (first in line " +
                                 std::to_string(first->second) + ")");
    frame.key = key.text;
  }

  const YamlSource& source_;
  YamlNode root_;
  bool seen_document_ = false;
  int reached_ = 1;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t copied_nodes_ = 0;
};

// ---- yaml-cpp's own complaints ----------------------------------------------------------------------------------

/// yaml-cpp's message and what to tell the user instead.
struct Explanation {
  std::string_view message;
  const char* sentence;
};
const Explanation explanations[] = {
    {YAML::ErrorMsg::END_OF_MAP, "this does not continue the map above: check the indentation and the ':'"},
    {YAML::ErrorMsg::END_OF_SEQ, "this does not continue the list above: check the indentation and the '-'"},
    {YAML::ErrorMsg::MAP_VALUE,
     "a ':' is not expected here: check the indentation (blanks, no tabs), or quote a text that holds ': '"},
    {YAML::ErrorMsg::MAP_KEY, "a '?' is not expected here: check the indentation"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a '-' is not expected here: check the indentation (blanks, no tabs)"},
    {YAML::ErrorMsg::FLOW_END, "this bracket closes nothing: it has no partner of its kind"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab is used to indent; indent with blanks"},
    {YAML::ErrorMsg::DOC_IN_SCALAR, "a quoted text has no closing quote before this document marker"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "a text cannot begin with this character; quote it"},
    {YAML::ErrorMsg::INVALID_ESCAPE, "a '\\' in double quotes begins no escape that YAML knows; write '\\\\'"},
    {YAML::ErrorMsg::CHAR_IN_BLOCK, "after '|' or '>' the text begins in the next line"},
    {YAML::ErrorMsg::ALIAS_NOT_FOUND, "a '*' is not followed by a name; quote it if it is text"},
    {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "a '&' is not followed by a name; quote it if it is text"},
};

std::string explain(const YAML::Exception& error, const TreeBuilder& builder) {
  if (error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR))  // yaml-cpp 0.8 goes on with the name
    return "the alias " + builder.alias_name(error.mark) + " has no anchor before it";
  if (error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW || error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW)
    return "the " + builder.open_collection() + " is not closed, or a ',' is missing";
  if (error.msg == YAML::ErrorMsg::EOF_IN_SCALAR)
    return "a quoted text that begins in or after line " + std::to_string(builder.reached()) + " has no closing quote";
  const auto* const found = std::find_if(std::begin(explanations), std::end(explanations),
                                         [&](const Explanation& e) { return error.msg.starts_with(e.message); });
  return found == std::end(explanations) ? "this is not YAML: " + error.msg : found->sentence;
}

void read_documents(const YamlSource& source, TreeBuilder& builder) {
  // yaml-cpp notices an open quote only if the file ends inside of a line, such as this comment.
  std::istringstream stream(source.text + "#");
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    source.fail(std::clamp(error.mark.line + 1, 1, source.last_line()), explain(error, builder));
  }
}

}  // namespace

YamlNode::YamlNode() = default;
YamlNode::YamlNode(Kind of_kind, const std::string& written, bool is_quoted, int at_line)
    : kind(of_kind), text(written), quoted(is_quoted), line(at_line) {}

const YamlNode* YamlNode::find(const std::string& key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
  return found == entries.end() ? nullptr : &found->second;
}

YamlNode* YamlNode::find(const std::string& key) { return const_cast<YamlNode*>(std::as_const(*this).find(key)); }

YamlNode parse_yaml(const std::string& text, const std::string& file) {
  const YamlSource source = checked_source(text, file);
  TreeBuilder builder(source);
  read_documents(source, builder);
  return builder.take();
}

YamlNode read_yaml(const std::string& file) { return parse_yaml(read_user_file(file, kMostDescriptionBytes), file); }

}  // namespace nowsim
