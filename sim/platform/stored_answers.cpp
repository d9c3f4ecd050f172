// An XML file: <answers> with the platform's own text, <host>, <link> and, per machine, <from> with a <route> to each.
#include "sim/platform/stored_answers.hpp"

#include <filesystem>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

constexpr const char* kFormat = "1";

// ---- writing ----

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void add_host(pugi::xml_node all, const Workstation& w) {
  pugi::xml_node host = all.append_child("host");
  set(host, "name", w.name);
  set(host, "speed_flops", number_text(w.speed_flops));
  set(host, "cores", std::to_string(w.cores));
  if (w.extras->memory_bytes) set(host, "memory_bytes", number_text(*w.extras->memory_bytes));
  for (const auto& [key, value] : w.extras->properties) {
    pugi::xml_node property = host.append_child("prop");
    set(property, "key", key);
    set(property, "value", value);
  }
}

void add_link(pugi::xml_node all, const Link& l) {
  pugi::xml_node link = all.append_child("link");
  set(link, "name", l.name);
  set(link, "bandwidth_Bps", number_text(l.bandwidth_Bps));
  set(link, "latency_s", number_text(l.latency_s));
  set(link, "shared", l.shared ? "1" : "0");
}

/// Names of links, and the bandwidths that routes have seen them with, each once: routes name them by number.
class RouteLinks {
 public:
  RouteLinks(pugi::xml_node all, const Platform& platform) : all_(all), links_(links_by_route_name(platform)) {}
  std::string numbers(const Route& route) {
    std::string out;
    for (const auto& name : route.links) out += (out.empty() ? "" : " ") + std::to_string(number(name, route));
    return out;
  }

 private:
  std::size_t number(const std::string& name, const Route& route) {
    const auto [at, is_new] = numbers_.emplace(name, numbers_.size());
    if (is_new) {
      const auto known = links_.find(name);
      pugi::xml_node link = all_.append_child("on_routes");
      set(link, "name", name);
      set(link, "bandwidth_Bps", number_text(known == links_.end() ? route.bandwidth_Bps : known->second->bandwidth_Bps));
    }
    return at->second;
  }

  pugi::xml_node all_;
  std::unordered_map<std::string, const Link*> links_;
  std::map<std::string, std::size_t> numbers_;
};

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::size_t machines) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t from = 0; from < machines; ++from)
    for (std::size_t to = 0; to < machines; ++to) pairs.emplace_back(from, to);
  return pairs;
}

// ---- reading ----

double number_of(const pugi::xml_node& node, const char* name) {
  return to_number(node.attribute(name).value()).value_or(0);
}

/// The file beside a platform file.
struct AnswersOf {
  explicit AnswersOf(const std::string& platform_file) : file(platform_file + std::string(kAnswersEnding)) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
      throw InputError(Place{platform_file, 0, ""},
                       "SimGrid is needed to read this platform file, and there is none here, nor its answers in " + file +
                           ", which 'nowsim platform answers' writes where SimGrid is");
    const std::string text = read_user_file(file, kMostPlatformBytes);
    if (!document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata))
      throw InputError(Place{file, 0, ""}, "this is no XML");
    all = document.child("answers");
    if (std::string_view(all.attribute("format").value()) != kFormat)
      throw InputError(Place{file, 0, ""}, "these are no answers of SimGrid's as this nowsim writes them; have 'nowsim "
                                           "platform answers' write them anew");
  }
  std::string file;
  pugi::xml_document document;
  pugi::xml_node all;
};

void put_stored_host(Serializer& out, const pugi::xml_node& host) {
  out.put(std::string(host.attribute("name").value()));
  out.put(number_of(host, "speed_flops"));
  out.put(static_cast<int>(number_of(host, "cores")));
  out.put(host.attribute("memory_bytes").empty() ? -1.0 : number_of(host, "memory_bytes"));
  const auto properties = host.children("prop");
  out.put(static_cast<std::size_t>(std::distance(properties.begin(), properties.end())));
  for (const auto& property : properties) {
    out.put(std::string(property.attribute("key").value()));
    out.put(std::string(property.attribute("value").value()));
  }
}

void put_stored_route(Serializer& out, const pugi::xml_node& route,
                      const std::vector<std::pair<std::string, double>>& links) {
  out.put(std::string(route.attribute("obstacle").value()));
  out.put(number_of(route, "latency_s"));
  std::vector<std::size_t> numbers;
  std::istringstream words(route.attribute("links").value());
  for (std::size_t k = 0; words >> k;) numbers.push_back(k);
  out.put(numbers.size());
  for (const std::size_t k : numbers) {
    out.put(links.at(k).first);
    out.put(links.at(k).second);
  }
}

}  // namespace

std::string stored_answers(const Platform& platform, double limit_s) {
  const std::size_t machines = platform.workstations.size();
  if (machines > kMostStoredMachines)
    throw InputError(Place{platform.source, 0, ""}, "routes of all pairs are kept for up to " +
                                                        std::to_string(kMostStoredMachines) + " machines; these are " +
                                                        std::to_string(machines));
  pugi::xml_document document;
  pugi::xml_node all = document.append_child("answers");
  set(all, "format", kFormat);
  all.append_child("of").text().set(platform.xml.c_str());
  for (const auto& w : platform.workstations) add_host(all, w);
  for (const auto& l : platform.links) add_link(all, l);
  if (platform.has_network()) {
    const auto pairs = pairs_of(machines);
    const FoundRoutes found = routes_and_shape(platform, pairs, limit_s);
    set(all, "hang_on_one_star", found.hang_on_one_star ? "1" : "0");
    RouteLinks links(all, platform);
    pugi::xml_node from;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (pairs[k].second == 0) set(from = all.append_child("from"), "name", platform.workstations[pairs[k].first].name);
      pugi::xml_node route = from.append_child("route");
      if (!found.routes[k].obstacle.empty()) set(route, "obstacle", found.routes[k].obstacle);
      set(route, "latency_s", number_text(found.routes[k].latency_s));
      set(route, "links", links.numbers(found.routes[k]));
    }
  }
  std::ostringstream out;
  document.save(out, " ", pugi::format_default | pugi::format_no_declaration);
  return out.str();
}

std::string stored_description(const std::string& xml, const std::string& platform_file) {
  const AnswersOf stored(platform_file);
  if (stored.all.child("of").text().get() != xml)
    throw InputError(Place{stored.file, 0, ""}, "these answers are of another version of " + platform_file +
                                                    "; have 'nowsim platform answers' write them anew where SimGrid is");
  Serializer out;
  const auto hosts = stored.all.children("host"), links = stored.all.children("link");
  out.put(static_cast<std::size_t>(std::distance(hosts.begin(), hosts.end())));
  for (const auto& host : hosts) put_stored_host(out, host);
  out.put(static_cast<std::size_t>(std::distance(links.begin(), links.end())));
  for (const auto& link : links) {
    out.put(std::string(link.attribute("name").value()));
    out.put(number_of(link, "bandwidth_Bps"));
    out.put(number_of(link, "latency_s"));
    out.put(number_of(link, "shared") != 0);
  }
  return out.take();
}

std::string stored_routes(const Platform& platform, std::span<const std::pair<std::size_t, std::size_t>> pairs) {
  const AnswersOf stored(platform.source);
  std::vector<std::pair<std::string, double>> links;
  for (const auto& link : stored.all.children("on_routes"))
    links.emplace_back(link.attribute("name").value(), number_of(link, "bandwidth_Bps"));
  std::unordered_map<std::string, std::size_t> numbers;  // of the file's machines, of which a platform may have some
  for (const auto& host : stored.all.children("host")) numbers.emplace(host.attribute("name").value(), numbers.size());
  std::vector<std::vector<pugi::xml_node>> routes;
  for (const auto& from : stored.all.children("from")) {
    const auto to = from.children("route");
    routes.emplace_back(to.begin(), to.end());
  }
  Serializer out;
  out.put(number_of(stored.all, "hang_on_one_star") != 0);
  for (const auto& [from, to] : pairs)
    put_stored_route(out, routes.at(numbers.at(platform.workstations.at(from).name))
                              .at(numbers.at(platform.workstations.at(to).name)), links);
  return out.take();
}

}  // namespace nowsim
