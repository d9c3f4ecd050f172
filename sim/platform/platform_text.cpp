// Finding profiles in XML, and blanking them; writing a tree anew.
#include "sim/platform/platform_text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <pugixml.hpp>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/platform_rules.hpp"

namespace nowsim {
namespace {

namespace fs = std::filesystem;

/// What kind of profile an attribute, or a <trace_connect> of SimGrid's older grammar, attaches.
struct ProfileRole {
  const char* element;  ///< host (and peer) or link
  const char* attribute;
  std::string_view connect;  ///< the kind in <trace_connect>
  ProfileQuantity quantity;
};
constexpr ProfileRole kProfileRoles[] = {
    {"host", "speed_file", "SPEED", ProfileQuantity::fraction},
    {"host", "availability_file", "SPEED", ProfileQuantity::fraction},
    {"host", "state_file", "HOST_AVAIL", ProfileQuantity::state},
    {"link", "bandwidth_file", "BANDWIDTH", ProfileQuantity::bandwidth},
    {"link", "latency_file", "LATENCY", ProfileQuantity::latency},
    {"link", "state_file", "LINK_AVAIL", ProfileQuantity::state},
};

std::string_view line_around(const std::string& text, std::size_t offset) {
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return std::string_view(text).substr(begin, text.find('\n', offset) - begin);
}

bool is_host(const std::string& element) { return element == "host" || element == "peer"; }

/// SimGrid takes attributes that run together, as in suffix=""radical="0-3", which are no well-formed XML: with a blank
/// between them they are.
std::string with_blanks_between_attributes(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kNoTags[] = {{"<!--", "-->"}, {"<?", "?>"}, {"<!", ">"}};
  const auto end_of = [&](std::size_t open) {
    for (const auto& [begin, end] : kNoTags)
      if (text.compare(open, begin.size(), begin) == 0) return text.find(end, open);
    return open + 1;
  };
  std::string out;
  std::size_t taken = 0;
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const bool is_tag = (at = end_of(at)) < text.size() && text[at - 1] == '<';
    while (is_tag && (at = text.find_first_of("\"'>", at)) < text.size() && text[at] != '>') {
      at = text.find(text[at], at + 1);
      if (at >= text.size()) break;
      if (++at == text.size() || std::string_view(" \t\r\n/>?").find(text[at]) != std::string_view::npos) continue;
      out.append(text.substr(taken, at - taken)) += ' ';
      taken = at;
    }
  }
  return out.append(text.substr(taken));
}

/// Reads one platform's text into what must not reach SimGrid, and the text that may.
class ProfileExtraction {
 public:
  ProfileExtraction(std::string_view text, const std::string& file)
      : source_(with_blanks_between_attributes(text)), file_(file) {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(source_.data(), source_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed)
      throw InputError(place(static_cast<std::size_t>(parsed.offset)),
                       std::string("this is not well-formed XML: ") + parsed.description() +
                           lookalike_hint(line_around(source_, static_cast<std::size_t>(parsed.offset))));
    if (!document.child("platform"))
      throw InputError(Place{file_, 1, ""}, "a SimGrid platform begins with the element <platform>" +
                                                (document.child("platform_description")
                                                     ? platform_rules::how_to_update("platform version=\"0\">")
                                                     : ""));
    if (source_.find("<!DOCTYPE") == std::string::npos)
      throw InputError(Place{file_, 1, ""}, "SimGrid wants the line <!DOCTYPE platform SYSTEM "
                                            "\"https://simgrid.org/simgrid.dtd\"> before <platform>");
    parts_.xml = source_;
    RuleNotes notes = check_rules({document, source_, file_});
    parts_.settings = std::move(notes.settings);
    parts_.remarks = std::move(notes.remarks);
    if (!document.select_node("//host | //peer | //cluster | //cabinet"))  // SimGrid fails over no zone at all
      throw InputError(Place{file_, 0, ""}, "the platform has no hosts");
    require_memory(platform_rules::platform_bytes(document), file_ + ": this platform");
    visit(document);
    resolve_connections();
    check_what_is_left();
  }

  PlatformParts parts() && { return std::move(parts_); }

 private:
  [[nodiscard]] Place place(std::size_t offset, const std::string& key = "") const {
    return {file_, line_at(source_, offset), key};
  }
  [[nodiscard]] Place place(const pugi::xml_node& node, const std::string& key = "") const {
    return place(static_cast<std::size_t>(node.offset_debug()), key);
  }

  void visit(const pugi::xml_node& parent) {
    for (const auto& node : parent.children()) {
      if (node.type() != pugi::node_element) continue;
      const std::string element = node.name();
      if (element == "trace") take_trace(node);
      else if (element == "trace_connect") connections_.push_back(node);
      else take_profiles(node);
      if (element.starts_with("trace")) blank_element(node);
      visit(node);
    }
  }

  [[nodiscard]] static std::string name_of(const pugi::xml_node& node) {
    return std::string(node.name()) + " " + node.attribute("id").value();
  }

  void take_profiles(const pugi::xml_node& node) {
    const std::string element = is_host(node.name()) ? "host" : node.name();
    for (const auto& role : kProfileRoles) {
      const auto attribute = node.attribute(role.attribute);
      if (element != role.element || !attribute) continue;
      if (std::string(attribute.value()).empty()) continue;
      parts_.profiles.push_back({element, node.attribute("id").value(), role.quantity,
                                 profile_from(attribute.value(), role.quantity, node), place(node)});
      blank_attribute(node, role.attribute);
    }
  }

  std::shared_ptr<const Profile> profile_from(const std::string& name, ProfileQuantity quantity,
                                              const pugi::xml_node& node) {
    const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : fs::path(file_).parent_path() / name;
    std::error_code error;
    const auto kind = fs::status(path, error).type();
    if (kind == fs::file_type::not_found || error)
      throw InputError(place(node, name_of(node)), "there is no profile file '" + path.string() + "'");
    if (kind != fs::file_type::regular)  // a pipe might never be written to, a device never end
      throw InputError(place(node, name_of(node)), "the profile '" + path.string() + "' is no ordinary file");
    parts_.profile_files.push_back(path.string());
    return std::make_shared<Profile>(read_profile(path.string(), quantity));
  }

  // SimGrid's older grammar: a named <trace>, connected to a resource by a <trace_connect>.
  struct Trace {
    std::string text;
    pugi::xml_node node;
  };
  void take_trace(const pugi::xml_node& node) {
    // Behind as many empty lines as stand before it in the file, so that its errors name the file's lines.
    const auto text = node.first_child();
    std::string before(text ? static_cast<std::size_t>(place(text).line - 1) : 0, '\n');
    const std::string period = node.attribute("periodicity").value();
    if (takes_effect(period, node)) before.insert(0, "PERIODICITY " + period + (before.empty() ? "\n" : ""));
    traces_[node.attribute("id").value()] = {before + node.text().get(), node};
  }
  /// A period of 0 or less means that the trace does not repeat.
  bool takes_effect(const std::string& period, const pugi::xml_node& node) const {
    if (period.empty()) return false;
    if (const auto seconds = to_number(period)) return *seconds > 0;
    throw InputError(place(node, name_of(node)), "periodicity=" + quoted(period) + " is not a number of seconds");
  }
  void resolve_connections() {
    for (const auto& node : connections_) {
      const std::string kind = node.attribute("kind") ? node.attribute("kind").value() : "HOST_AVAIL",
                        name = node.attribute("trace").value();
      const auto* const role = std::ranges::find(kProfileRoles, std::string_view(kind), &ProfileRole::connect);
      if (role == std::end(kProfileRoles)) throw InputError(place(node), "unknown kind \"" + kind + "\" of trace");
      const auto trace = traces_.find(name);
      if (trace == traces_.end()) throw InputError(place(node), "there is no trace \"" + name + "\"");
      const auto& [text, of_trace] = trace->second;
      const std::string file = of_trace.attribute("file").value();
      parts_.profiles.push_back({role->element, node.attribute("element").value(), role->quantity,
                                 file.empty() ? std::make_shared<Profile>(parse_profile(text, file_, role->quantity))
                                              : profile_from(file, role->quantity, of_trace),
                                 place(node)});
    }
  }

  /// What stood in a comment may be an element now.
  void check_what_is_left() const {
    pugi::xml_document document;
    const auto parsed =
        document.load_buffer(parts_.xml.data(), parts_.xml.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed)
      throw InputError(place(static_cast<std::size_t>(parsed.offset)),
                       "a <trace> or a profile's attribute cannot be told from a comment here");
    check_rules({document, parts_.xml, file_});
  }

  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (parts_.xml[i] != '\n') parts_.xml[i] = ' ';  // line numbers stay those of the user's file
  }
  /// Finds name="value" inside the start tag at the node and blanks it.
  void blank_attribute(const pugi::xml_node& node, const std::string& name) {
    std::size_t i = static_cast<std::size_t>(node.offset_debug()) + std::string(node.name()).size();
    while (i < source_.size() && source_[i] != '>') {
      const std::size_t begin = source_.find_first_not_of(" \t\r\n/", i);
      const std::size_t equals = source_.find('=', begin);
      const std::size_t open = source_.find_first_of("\"'", equals);
      const std::size_t close = source_.find(source_[open], open + 1);
      const std::string found = source_.substr(begin, source_.find_first_of(" \t\r\n=", begin) - begin);
      if (found == name) return blank(begin, close + 1);
      i = close + 1;
    }
  }
  void blank_element(const pugi::xml_node& node) {
    const auto begin = static_cast<std::size_t>(node.offset_debug()) - 1;
    std::size_t end = source_.find('>', begin) + 1;
    if (source_[end - 2] != '/') end = source_.find('>', source_.find("</" + std::string(node.name()), end)) + 1;
    blank(begin, end);
  }

  std::string source_;  // as it was, for places
  std::string file_;
  PlatformParts parts_;
  std::map<std::string, Trace> traces_;
  std::vector<pugi::xml_node> connections_;
};

}  // namespace

PlatformParts take_profiles_out(std::string text, const std::string& file) {
  return ProfileExtraction(std::move(text), file).parts();
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char* entity = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : nullptr;
    if (entity != nullptr) out += entity;
    else out += c;
  }
  return out;
}

std::string canonical_xml(const std::string& xml, LoneCluster lone_cluster) {
  // What could have files written or read. Profiles are taken out before.
  constexpr std::array<std::string_view, 3> kLeftOut{"config", "trace", "trace_connect"};
  const pugi::xml_document tree = tree_of(xml, "");
  std::string out = "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
  std::size_t at = 0;
  const std::function<void(const pugi::xml_node&)> write = [&](const pugi::xml_node& node) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element || std::ranges::find(kLeftOut, name) != kLeftOut.end()) return;
    for (const auto here = static_cast<std::size_t>(node.offset_debug()); at < here; ++at)
      if (xml[at] == '\n') out += '\n';  // it keeps its line
    const bool wants_zone = lone_cluster == LoneCluster::in_a_zone && name == "cluster" &&
                            std::string_view(node.parent().name()) == "platform";
    if (wants_zone) out += "<zone id=\"around the cluster\" routing=\"Full\">";
    (out += '<') += name;
    for (const auto& attribute : node.attributes()) {
      if (std::string_view(attribute.name()).ends_with("_file")) continue;
      ((((out += ' ') += attribute.name()) += "=\"") += xml_text(attribute.value())) += '"';
    }
    out += '>';
    for (const auto& child : node.children()) write(child);
    ((out += "</") += name) += '>';
    if (wants_zone) out += "</zone>";
  };
  for (const auto& node : tree.children()) write(node);
  out += '\n';
  return out;
}

}  // namespace nowsim
