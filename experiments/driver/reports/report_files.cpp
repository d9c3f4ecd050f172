// A report's files: descriptions read for people, and the page, made again and again, never at the cost of another's.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <string_view>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/reports/report.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// A value on one line, as YAML's flow style has it.
std::string flow_text(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "";
    case YamlNode::Kind::scalar:
      return node.text;
    case YamlNode::Kind::sequence: {
      Words items;
      for (const auto& item : node.items) items.push_back(flow_text(item));
      return "[" + joined(items) + "]";
    }
    case YamlNode::Kind::map: {
      Words entries;
      for (const auto& [key, value] : node.entries) entries.push_back(key + ": " + flow_text(value));
      return "{" + joined(entries) + "}";
    }
  }
  return "";
}

void flatten(const YamlNode& node, const std::string& key, std::vector<Parameter>& out) {
  if (node.kind != YamlNode::Kind::map) return out.push_back({key, flow_text(node)});
  for (const auto& [name, value] : node.entries) flatten(value, key + "." + name, out);
}

std::string text_of(const YamlNode& root, const std::string& key) {
  const YamlNode* node = root.find(key);
  return node == nullptr ? "" : node->text;
}

constexpr std::string_view kSeal = "<!-- nowsim's own page, replaced when it is made again; its lines' checksum: ";

std::string sealed(const std::string& page) {
  return page + std::string(kSeal) + std::to_string(checksum(page)) + " -->\n";
}

bool is_own(const std::string& text) {
  const auto at = text.rfind(kSeal);
  return at != std::string::npos && sealed(text.substr(0, at)) == text;
}

/// The experiments of a page, by its articles' ids.
std::set<std::string> experiments_of(const std::string& page) {
  constexpr std::string_view kArticle = "<article id=\"";
  std::set<std::string> found;
  for (auto at = page.find(kArticle); at != std::string::npos; at = page.find(kArticle, at)) {
    at += kArticle.size();
    found.insert(page.substr(at, page.find('"', at) - at));
  }
  return found;
}

bool may_replace(const std::string& old, const std::string& page) {
  const auto before = experiments_of(old), after = experiments_of(page);
  return is_own(old) && std::includes(after.begin(), after.end(), before.begin(), before.end());
}

}  // namespace

ExperimentListing describe_file(const std::string& file, const std::vector<std::string>& overrides) {
  static const Words told_elsewhere{"nowsim", "title", "description", "metrics", "sweep", "figure", "claims"};
  YamlNode root = read_yaml(file);
  for (const auto& text : overrides) apply_override(root, parse_override(text));
  ExperimentListing described{
      text_of(root, "title"), text_of(root, "description"), {}, read_user_file(file, kMostDescriptionBytes)};
  for (const auto& [key, value] : root.entries)
    if (!contains(told_elsewhere, key)) flatten(value, key, described.parameters);
  return described;
}

std::string write_report(const std::string& folder, const std::string& page) {
  try {
    return write_output_file(
        (fs::path(folder) / kReportFile).string(), [&](std::ostream& out) { out << sealed(page); },
        [&](const fs::path& there, const fs::path&) { return may_replace(bytes_of(there), page); });
  } catch (const RunError& e) {
    throw RunError(std::string(e.what()) + "; the results are kept, and the same command writes it again");
  }
}

}  // namespace nowsim
