// Tables of SimGrid's grammar (its document type, version 4.1), and the walk along a tree.
#include "sim/platform/platform_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace platform_rules {
namespace {

using pugi::xml_node;

struct AttributeRule {
  std::string_view name;
  void (*check)(const Given&);
  bool required = false;
};
using ElementRule = std::vector<AttributeRule>;

const std::map<std::string_view, ElementRule>& grammar() {
  static const ElementRule zone{{"id", a_name, true}, {"routing", routing, true}};
  static const ElementRule zone_route{{"src", a_name, true},
                                      {"dst", a_name, true},
                                      {"gw_src", a_name, true},
                                      {"gw_dst", a_name, true},
                                      {"symmetrical", yes_or_no}};
  static const ElementRule zone_bypass{
      {"src", a_name, true}, {"dst", a_name, true}, {"gw_src", a_name, true}, {"gw_dst", a_name, true}};
  static const std::map<std::string_view, ElementRule> elements{
      {"platform", {{"version", version, true}}},
      {"config", {{"id", any_text}}},
      {"prop", {{"id", any_text, true}, {"value", any_text, true}}},
      {"random",
       {{"id", any_text},
        {"min", any_text},
        {"max", any_text},
        {"mean", any_text},
        {"std_deviation", any_text},
        {"seed", any_text},
        {"radical", any_text},
        {"generator", any_text}}},
      {"AS", zone},
      {"zone", zone},
      {"host",
       {{"id", a_name, true},
        {"speed", speeds, true},
        {"core", cores},
        {"speed_file", any_text},
        {"availability_file", any_text},
        {"state_file", any_text},
        {"coordinates", coordinates_if_any},
        {"pstate", power_state}}},
      {"disk", {{"id", any_text}, {"read_bw", a_bandwidth, true}, {"write_bw", a_bandwidth, true}}},
      {"host_link", {{"id", a_name, true}, {"up", a_name, true}, {"down", a_name, true}}},
      {"cluster",
       {{"id", a_name, true},
        {"prefix", any_text, true},
        {"suffix", any_text, true},
        {"radical", radical, true},
        {"speed", speeds, true},
        {"core", cores},
        {"bw", a_bandwidth, true},
        {"lat", a_latency, true},
        {"sharing_policy", cluster_sharing},
        {"topology", topology},
        {"topo_parameters", topology_parameters},
        {"bb_bw", a_bandwidth_if_any},
        {"bb_lat", a_latency_if_any},
        {"bb_sharing_policy", backbone_sharing},
        {"router_id", any_text},
        {"limiter_link", a_bandwidth_if_any},
        {"loopback_bw", a_bandwidth_if_any},
        {"loopback_lat", a_latency_if_any}}},
      {"cabinet",
       {{"id", a_name, true},
        {"prefix", any_text, true},
        {"suffix", any_text, true},
        {"radical", radical, true},
        {"speed", a_speed, true},
        {"bw", a_bandwidth, true},
        {"lat", a_latency, true}}},
      {"peer",
       {{"id", a_name, true},
        {"speed", a_speed, true},
        {"bw_in", a_bandwidth, true},
        {"bw_out", a_bandwidth, true},
        {"lat", a_latency_if_any},
        {"coordinates", coordinates, true},
        {"speed_file", any_text},
        {"availability_file", any_text},
        {"state_file", any_text}}},
      {"router", {{"id", a_name, true}, {"coordinates", coordinates_if_any}}},
      {"backbone", {{"id", a_name, true}, {"bandwidth", a_bandwidth, true}, {"latency", a_latency, true}}},
      {"link",
       {{"id", a_name, true},
        {"bandwidth", bandwidths, true},
        {"bandwidth_file", any_text},
        {"latency", a_latency, true},
        {"latency_file", any_text},
        {"state_file", any_text},
        {"sharing_policy", link_sharing}}},
      {"route", {{"src", a_name, true}, {"dst", a_name, true}, {"symmetrical", yes_or_no}}},
      {"ASroute", zone_route},
      {"zoneRoute", zone_route},
      {"bypassRoute", {{"src", a_name, true}, {"dst", a_name, true}}},
      {"bypassASroute", zone_bypass},
      {"bypassZoneRoute", zone_bypass},
      {"link_ctn", {{"id", a_name, true}, {"direction", direction}}},
      {"trace", {{"id", a_name, true}, {"file", any_text}, {"periodicity", any_text}}},
      {"trace_connect", {{"kind", any_text}, {"trace", any_text, true}, {"element", any_text, true}}},
  };
  return elements;
}

/// Elements of SimGrid's grammar that are refused, and why.
struct RefusedElement {
  std::string_view name;
  const char* why;
};
constexpr RefusedElement kRefusedElements[] = {
    {"include", "other files cannot be included: SimGrid does so no more since its version 3.18"},
    {"storage", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"storage_type", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"mount", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"process", "a platform says what there is, not what runs on it: the experiment's job does"},
    {"actor", "a platform says what there is, not what runs on it: the experiment's job does"},
};

/// Settings that nowsim makes itself, so that results are exact: a file's have no effect.
constexpr std::array<std::string_view, 17> kOwnSettings{"contexts/factory",
                                                        "contexts/guard-size",
                                                        "contexts/nthreads",
                                                        "contexts/stack-size",
                                                        "cpu/model",
                                                        "cpu/optim",
                                                        "host/model",
                                                        "network/TCP-gamma",
                                                        "network/bandwidth-factor",
                                                        "network/crosstraffic",
                                                        "network/latency-factor",
                                                        "network/loopback-bw",
                                                        "network/loopback-lat",
                                                        "network/model",
                                                        "network/optim",
                                                        "network/weight-S",
                                                        "surf/precision"};

// SimGrid's reader keeps a state for each, and 5000 of them ended it; nested zones mean sites, rooms and racks.
constexpr int kDeepest = 256;

/// The walk along the tree.
class RuleWalk {
 public:
  explicit RuleWalk(const PlatformText& platform) : platform_(platform) {}

  std::vector<std::string> remarks() {
    visit(platform_.tree, 0);
    return std::move(remarks_);
  }

 private:
  [[nodiscard]] Place place(const xml_node& node) const { return place_of(platform_, node); }

  void visit(const xml_node& parent, int depth) {
    if (depth > kDeepest)
      throw InputError(place(parent),
                       "elements stand more than " + std::to_string(kDeepest) + " deep in one another here");
    for (const auto& node : parent.children()) {
      if (node.type() != pugi::node_element && std::string_view(parent.name()) != "trace")
        throw InputError(place(parent),
                         "text stands between the elements here: " + quoted(node.value()));
      if (node.type() != pugi::node_element) continue;
      check_element(node);
      if (std::string_view(node.name()) == "config") check_settings(node);
      visit(node, depth + 1);
    }
  }

  void check_element(const xml_node& node) const {
    const std::string_view name = node.name();
    for (const auto& refused : kRefusedElements)
      if (refused.name == name) throw InputError(place(node), refused.why);
    const auto rule = grammar().find(name);
    if (rule == grammar().end())
      throw InputError(place(node), "<" + std::string(name) + "> is no element of a SimGrid platform (version 4.1)");
    check_attributes(node, rule->second);
    if (name == "prop" && std::string_view(node.attribute("id").value()) == "memory")
      a_size({platform_, node, "memory", node.attribute("value").value()});
    if (name == "peer" && lower_case(node.parent().attribute("routing").value()) != "vivaldi")
      throw InputError(place(node), "a <peer> stands in a <zone> with routing=\"Vivaldi\" only");
  }

  void check_attributes(const xml_node& node, const ElementRule& rules) const {
    std::set<std::string_view> seen;
    for (const auto& attribute : node.attributes()) {
      const Given given{platform_, node, attribute.name(), attribute.value()};
      if (!seen.insert(attribute.name()).second)
        throw InputError(place(node), "the attribute " + given.name + " is given twice");
      const auto rule = std::ranges::find(rules, std::string_view(given.name), &AttributeRule::name);
      if (rule == rules.end()) throw InputError(place(node), unknown_attribute(given, rules));
      if (std::ranges::any_of(given.value, is_control))
        throw InputError(place(node), "the attribute " + given.name + " has a control character");
      rule->check(given);
    }
    for (const auto& rule : rules)
      if (rule.required && !seen.contains(rule.name))
        throw InputError(place(node), "the attribute " + std::string(rule.name) + " is missing");
  }

  static std::string unknown_attribute(const Given& given, const ElementRule& rules) {
    std::string known;
    for (const auto& rule : rules) known += (known.empty() ? "" : ", ") + std::string(rule.name);
    return "a <" + std::string(given.node.name()) + "> has no attribute " + quoted(given.name) + "; it has " +
           known;
  }

  /// A setting could have files written, the process ended, or other models used, and SimGrid knows hundreds.
  void check_settings(const xml_node& config) {
    for (const auto& node : config.children("prop")) {
      const std::string key = node.attribute("id").value();
      if (!is_one_of(key, kOwnSettings))
        throw InputError(place(node),
                         "a platform cannot set " + quoted(key) +
                             ": settings of SimGrid may write files, end the program or change what is computed");
      remarks_.push_back(InputError(place(node), "the setting " + quoted(key) +
                                                     " has no effect: nowsim makes it itself, for exact results")
                             .what());
    }
  }

  const PlatformText& platform_;
  std::vector<std::string> remarks_;
};

}  // namespace
}  // namespace platform_rules

std::vector<std::string> check_rules(const PlatformText& platform) {
  return platform_rules::RuleWalk(platform).remarks();
}

}  // namespace nowsim
