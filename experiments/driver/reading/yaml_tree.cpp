// Reads YAML into YamlNode trees: yaml-cpp's events, checked for what yaml-cpp lets pass.
#include "experiments/driver/reading/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/reading/ambiguous_scalars.hpp"
#include "experiments/driver/reading/yaml_source.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

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
  const YamlSource source = yaml_source(text, file);
  TreeBuilder builder(source);
  read_documents(source, builder);
  return builder.take();
}

YamlNode read_yaml(const std::string& file) { return parse_yaml(read_user_file(file, kMostDescriptionBytes), file); }

}  // namespace nowsim
