// What a platform's file may say: each element, attribute and number that nowsim relies on is checked before SimGrid,
// which ends the process over some mistakes and passes over others, sees any of it; the kinds of values that attributes
// have; and the machines that a cluster makes. Part of the platform loader (read_platform.hpp).
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// The tree of a platform's text, taken as UTF-8 whatever it says, so that nothing is converted and offsets are those
/// of the text. @throws InputError, about `source`, for what is no well-formed XML.
pugi::xml_document tree_of(const std::string& xml, const std::string& source, unsigned options = pugi::parse_default);

/// A file's tree, and where its nodes stand.
struct PlatformText {
  const pugi::xml_document& tree;
  const std::string& text;
  const std::string& file;
};

/// What is worth saying of a platform that follows the rules.
struct RuleNotes {
  std::vector<std::string> settings;  ///< that have no effect, each once, with '-' for '_'
  std::vector<std::string> remarks;   ///< on these, and on values that are hardly meant
};

/// Allowed is what is in a list: elements, their attributes, settings (<config>), values in their ranges. Zones are
/// nested 256 deep at most, and the machine has memory for what elements such as <cluster> make.
/// @throws InputError for the first that is wrong, with file, line, attribute, what was found and what is wanted.
RuleNotes check_rules(const PlatformText& platform);

/// The names of the machines that a <cluster> or <cabinet> makes: a number of the element's radical, and what stands around
/// it. Other elements may have the same around theirs.
class ClusterNames {
 public:
  /// An element that follows the rules of platforms.
  explicit ClusterNames(const pugi::xml_node& element);
  /// In the radical's order.
  [[nodiscard]] std::vector<int> numbers() const;
  [[nodiscard]] double size() const;
  [[nodiscard]] std::string name(int number) const { return prefix_ + std::to_string(number) + suffix_; }
  [[nodiscard]] bool has(const std::string& name) const;

 private:
  std::string prefix_, suffix_;
  std::vector<std::pair<int, int>> ranges_;
};

}  // namespace nowsim

namespace nowsim::platform_rules {  // short names are those of attributes, and of much else

/// "FILE:LINE: host a"; a property is its element's.
Place place_of(const PlatformText& platform, const pugi::xml_node& node);

/// What there is to do about a file of an older version: "; 'simgrid_update_xml FILE' ...", which finds the version of
/// <platform ...> by a pattern. @param element the text behind its '<'.
std::string how_to_update(std::string_view element);

/// An attribute at hand: where, its name and its value.
struct Given {
  const PlatformText& platform;
  pugi::xml_node node;
  std::string name, value;

  /// @throws InputError: "FILE:LINE: host a: speed="x" is ...".
  [[noreturn]] void refuse(const std::string& sentence) const;
};

/// Refuses an element that the grammar has not, attributes that are unknown, missing or given twice, and values that
/// are none of their kind. @throws InputError.
void check_element(const PlatformText& platform, const pugi::xml_node& node);

// Kinds of values that tell of machines. @throws InputError.
/// The numbers of a cluster's machines: "0-9,12". Each once.
void radical(const Given& given);
/// SimGrid numbers the machines of a regular network by the cluster's, and wants as many.
void topology_parameters(const Given& given);

// What a text says that has passed the rules [flop/s, bytes/s, s, bytes], by SimGrid's own arithmetic.
double speed_in(std::string_view text);
double bandwidth_in(std::string_view text);
double latency_in(std::string_view text);
double size_in(std::string_view text);

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators);
/// Of those between blanks.
bool is_one_of(std::string_view word, std::string_view words);
/// The number that the digits are; nothing for anything else, and beyond an int, which SimGrid takes.
std::optional<int> whole_number(std::string_view digits);
/// @throws InputError where it is none, or less than `least`; `what` is wanted.
int required_whole(const Given& given, std::string_view digits, int least, const std::string& what);

/// Bytes that SimGrid and nowsim take, roughly, for machines and links that few words of the tree describe: to refuse at once
/// what SimGrid would make for minutes, until memory ends. The tree follows the rules.
double platform_bytes(const pugi::xml_document& tree);

}  // namespace nowsim::platform_rules
