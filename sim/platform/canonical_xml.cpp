// Writing a tree anew.
#include "sim/platform/canonical_xml.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <string_view>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// What could have files written or read. Profiles are taken out before (platform_profiles.hpp).
constexpr std::array<std::string_view, 3> kLeftOut{"config", "trace", "trace_connect"};
constexpr std::string_view kHead =
    "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";

class CanonicalText {
 public:
  CanonicalText(const std::string& source, LoneCluster lone_cluster)
      : source_(source), lone_cluster_(lone_cluster), out_(kHead) {}

  std::string of(const pugi::xml_document& tree) {
    for (const auto& node : tree.children()) write(node);
    return std::move(out_) + "\n";
  }

 private:
  void write(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element || std::ranges::find(kLeftOut, name) != kLeftOut.end()) return;
    go_to(static_cast<std::size_t>(node.offset_debug()));
    const bool wants_zone = lone_cluster_ == LoneCluster::in_a_zone && name == "cluster" &&
                            std::string_view(node.parent().name()) == "platform";
    if (wants_zone) out_ += "<zone id=\"around the cluster\" routing=\"Full\">";
    (out_ += '<') += name;
    for (const auto& attribute : node.attributes()) {
      if (std::string_view(attribute.name()).ends_with("_file")) continue;
      ((out_ += ' ') += attribute.name()) += "=\"";
      for (const char* c = attribute.value(); *c != '\0'; ++c) put(*c);
      out_ += '"';
    }
    out_ += '>';
    for (const auto& child : node.children()) write(child);
    ((out_ += "</") += name) += '>';
    if (wants_zone) out_ += "</zone>";
  }
  /// Keeps the line.
  void go_to(std::size_t offset) {
    for (; at_ < offset; ++at_)
      if (source_[at_] == '\n') out_ += '\n';
  }
  void put(char c) {
    switch (c) {
      case '<':
        out_ += "&lt;";
        break;
      case '>':
        out_ += "&gt;";
        break;
      case '&':
        out_ += "&amp;";
        break;
      case '"':
        out_ += "&quot;";
        break;
      default:
        out_ += c;
    }
  }

  const std::string& source_;
  LoneCluster lone_cluster_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string canonical_xml(const std::string& xml, LoneCluster lone_cluster) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) throw InputError(parsed.description());
  return CanonicalText(xml, lone_cluster).of(tree);
}

}  // namespace nowsim
