// An XML file: <answers> with the platform's own text, <host>, <link> and, per machine, <from> with a <route> to each;
// of machines that hang on one star, where that says it all, their links <up> and <down>.
#include "sim/platform/stored_answers.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/platform/cluster_names.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/platform_values.hpp"
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

/// Links as routes name them, each once: routes tell them by number.
class RouteLinks {
 public:
  RouteLinks(pugi::xml_node all, const Platform& platform) : all_(all), links_(links_by_route_name(platform)) {}
  /// `narrowest_Bps`: of the route that they are of, for links that the platform does not list: they limit nothing.
  std::string numbers(const std::vector<std::string>& names, double narrowest_Bps) {
    std::string out;
    for (const auto& name : names) out += (out.empty() ? "" : " ") + std::to_string(number(name, narrowest_Bps));
    return out;
  }
  [[nodiscard]] double latency_s(const std::string& name) const {
    const auto known = links_.find(name);
    return known == links_.end() ? 0 : known->second->latency_s;
  }

 private:
  std::size_t number(const std::string& name, double narrowest_Bps) {
    const auto [at, is_new] = numbers_.emplace(name, numbers_.size());
    if (is_new) {
      const auto known = links_.find(name);
      pugi::xml_node link = all_.append_child("on_routes");
      set(link, "name", name);
      set(link, "bandwidth_Bps", number_text(known == links_.end() ? narrowest_Bps : known->second->bandwidth_Bps));
      set(link, "latency_s", number_text(latency_s(name)));
    }
    return at->second;
  }

  pugi::xml_node all_;
  std::unordered_map<std::string, const Link*> links_;
  std::map<std::string, std::size_t> numbers_;
};

using Names = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

void add_route(pugi::xml_node to, const char* element, const Route& route, RouteLinks& links) {
  pugi::xml_node node = to.append_child(element);
  if (!route.obstacle.empty()) set(node, "obstacle", route.obstacle);
  set(node, "latency_s", number_text(route.latency_s));
  set(node, "links", links.numbers(route.links, route.bandwidth_Bps));
}

void add_all_pairs(pugi::xml_node all, const Platform& platform, double limit_s) {
  const std::size_t machines = platform.workstations.size();
  if (machines > kMostStoredMachines)
    throw InputError(Place{platform.source, 0, ""},
                     "routes of all pairs are kept for up to " + std::to_string(kMostStoredMachines) +
                         " machines where they do not hang on one star; these are " + std::to_string(machines));
  Pairs pairs;
  for (std::size_t k = 0; k < machines * machines; ++k) pairs.emplace_back(k / machines, k % machines);
  const FoundRoutes found = routes_and_shape(platform, pairs, limit_s);
  set(all, "hang_on_one_star", found.hang_on_one_star ? "1" : "0");
  RouteLinks links(all, platform);
  pugi::xml_node from;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (pairs[k].second == 0) set(from = all.append_child("from"), "name", platform.workstations[pairs[k].first].name);
    add_route(from, "route", found.routes[k], links);
  }
}

/// Those of the first that are among the second.
Names in_common(const Names& first, const Names& second) {
  Names out;
  std::ranges::copy_if(first, std::back_inserter(out),
                       [&](const std::string& name) { return std::ranges::find(second, name) != second.end(); });
  return out;
}

/// One way behind the other, each link once, as a star has them.
template <class Item>
std::vector<Item> one_behind_other(std::vector<Item> up, const std::vector<Item>& down) {
  for (const Item& item : down)
    if (std::ranges::find(up, item) == up.end()) up.push_back(item);
  return up;
}

/// The ways of machines on one star, from routes: each is what a machine's routes to (or from) its next two others have in
/// common, but for links that only these two share, which a further route tells.
class StarWays {
 public:
  std::vector<Names> up, down;
  std::vector<Route> own;

  /// Asks for routes in two questions. Nothing where they are not made of such ways.
  static std::optional<StarWays> of(const Platform& platform, const RouteLinks& links, double limit_s) {
    const std::size_t n = platform.workstations.size();
    Pairs pairs = ring(n);
    FoundRoutes found = routes_and_shape(platform, pairs, limit_s);
    if (!found.hang_on_one_star) return std::nullopt;
    StarWays ways;
    for (std::size_t i = 0; i < n; ++i) {
      const Route* at = &found.routes[kPerMachine * i];
      ways.up.push_back(in_common(at[0].links, at[1].links));
      ways.down.push_back(in_common(at[2].links, at[3].links));
      ways.own.push_back(at[4]);
    }
    const Pairs more = ways.settle(platform, limit_s, found.routes);
    pairs.insert(pairs.end(), more.begin(), more.end());
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (pairs[k].first != pairs[k].second && !ways.make(pairs[k], found.routes[k], links)) return std::nullopt;
    return ways;
  }

 private:
  static constexpr std::size_t kPerMachine = 5;

  static Pairs ring(std::size_t n) {
    Pairs all;
    for (std::size_t i = 0; i < n; ++i)
      for (const auto& pair : Pairs{{i, (i + 1) % n}, {i, (i + 2) % n}, {(i + 1) % n, i}, {(i + 2) % n, i}, {i, i}})
        all.push_back(pair);
    return all;
  }

  /// A link that a machine's two partners have too, as it seems.
  struct Doubt {
    std::size_t machine;
    std::string link;
    bool is_up;
  };
  [[nodiscard]] std::vector<Doubt> doubts() const {
    std::vector<Doubt> all;
    const std::size_t n = up.size();
    for (const bool is_up : {true, false}) {
      const auto &ways = is_up ? up : down, &others = is_up ? down : up;
      for (std::size_t i = 0; i < n; ++i)
        for (const std::string& link : in_common(ways[i], in_common(others[(i + 1) % n], others[(i + 2) % n])))
          all.push_back({i, link, is_up});
    }
    return all;
  }

  /// Whose routes show whether a link is the machine's own: somebody who has not got it; else all of whom that is in doubt
  /// too. (Of one that all have it makes no difference, as each link stands once.)
  [[nodiscard]] std::vector<std::size_t> witnesses(const Doubt& doubt, const std::vector<Doubt>& all) const {
    const auto& others = doubt.is_up ? down : up;
    for (std::size_t j = 0; j < others.size(); ++j)
      if (j != doubt.machine && std::ranges::find(others[j], doubt.link) == others[j].end()) return {j};
    std::vector<std::size_t> out;
    for (const Doubt& other : all)
      if (other.is_up != doubt.is_up && other.link == doubt.link && other.machine != doubt.machine)
        out.push_back(other.machine);
    return out;
  }

  /// Takes out what is another's; between whom the routes are that told it, which are added.
  Pairs settle(const Platform& platform, double limit_s, std::vector<Route>& routes) {
    const std::vector<Doubt> all = doubts();
    Pairs pairs;
    std::vector<const Doubt*> of_pairs;
    for (const Doubt& doubt : all)
      for (const std::size_t witness : witnesses(doubt, all)) {
        pairs.emplace_back(doubt.is_up ? doubt.machine : witness, doubt.is_up ? witness : doubt.machine);
        of_pairs.push_back(&doubt);
      }
    if (pairs.empty()) return pairs;
    const std::vector<Route> told = look_for_routes(platform, pairs, limit_s);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (std::ranges::find(told[k].links, of_pairs[k]->link) == told[k].links.end())
        std::erase((of_pairs[k]->is_up ? up : down)[of_pairs[k]->machine], of_pairs[k]->link);
    routes.insert(routes.end(), told.begin(), told.end());
    return pairs;
  }

  [[nodiscard]] bool make(const Pairs::value_type& pair, const Route& route, const RouteLinks& links) const {
    const Names both = one_behind_other(up[pair.first], down[pair.second]);
    double latency_s = 0;
    for (const auto& name : both) latency_s += links.latency_s(name);
    return route.obstacle.empty() && both == route.links && latency_s == route.latency_s;
  }
};

/// False, and nothing is added, where the machines do not hang on one star or their routes are not made as a star's.
bool add_star(pugi::xml_node all, const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  if (n < 3) return false;
  RouteLinks links(all, platform);
  const auto ways = StarWays::of(platform, links, limit_s);
  if (!ways) return false;
  set(all, "hang_on_one_star", "1");
  for (std::size_t i = 0; i < n; ++i) {
    pugi::xml_node from = all.append_child("from");
    set(from, "name", platform.workstations[i].name);
    set(from, "up", links.numbers(ways->up[i], kUnlimitedBps));
    set(from, "down", links.numbers(ways->down[i], kUnlimitedBps));
    add_route(from, "own", ways->own[i], links);
  }
  return true;
}

// ---- reading ----

/// Of a file that has been damaged. @throws std::out_of_range, which answered_from() puts into words.
[[noreturn]] void something_is_missing() { throw std::out_of_range("answers"); }

/// All figures here are 0 or more.
double number_of(const pugi::xml_node& node, const char* name) {
  const auto number = to_number(node.attribute(name).value());
  if (!number || *number < 0) something_is_missing();
  return *number;
}

int count_of(const pugi::xml_node& node, const char* name) {
  const auto count = platform_rules::whole_number(node.attribute(name).value());
  if (!count || *count < 1) something_is_missing();
  return *count;
}

/// Attributes that platform_changes.hpp writes, and the unit that it writes.
struct ChangeableFigure {
  std::string_view attribute, unit;
};
constexpr ChangeableFigure kSpeed{"speed", "f"};
constexpr ChangeableFigure kChangeable[] = {
    kSpeed, {"bandwidth", "Bps"}, {"latency", "s"}, {"bb_bw", "Bps"}, {"bb_lat", "s"}};

/// What a platform's XML says in another way than the XML that SimGrid was asked about: figures of machines and links.
struct NewFigures {
  std::map<std::string, double> speed_flops;  ///< by machines' names
  std::vector<std::pair<ClusterNames, double>> speed_of_clusters_flops;
  std::map<std::string, double> bandwidth_Bps, latency_s;  ///< by links' names

  [[nodiscard]] double speed(const std::string& name, double stored) const {
    if (const auto own = speed_flops.find(name); own != speed_flops.end()) return own->second;
    for (const auto& [names, speed] : speed_of_clusters_flops)
      if (names.has(name)) return speed;
    return stored;
  }
  static double of(const std::map<std::string, double>& figures, const std::string& name, double stored) {
    const auto found = figures.find(name);
    return found == figures.end() ? stored : found->second;
  }
};

/// What SimGrid calls what an element of links, <link> or <backbone>, describes: the directions of a link that has two.
Names names_of_links(const pugi::xml_node& element) {
  const std::string id = element.attribute("id").value();
  const std::string_view sharing = element.attribute("sharing_policy").value();
  return sharing == "SPLITDUPLEX" || sharing == "FULLDUPLEX" ? Names{id + "_UP", id + "_DOWN"} : Names{id};
}

/// Compares two trees element by element; false where they differ in more than figures.
class Differences {
 public:
  NewFigures figures;

  bool alike(const pugi::xml_node& stored, const pugi::xml_node& now) {
    const Elements a = elements_of(stored), b = elements_of(now);
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (std::string_view(a[k].name()) != b[k].name() || !have_like_attributes(a[k], b[k]) || !alike(a[k], b[k]))
        return false;
    return true;
  }

 private:
  using Elements = std::vector<pugi::xml_node>;
  static Elements elements_of(const pugi::xml_node& node) {
    Elements out;
    std::ranges::copy_if(node.children(), std::back_inserter(out),
                         [](const pugi::xml_node& child) { return child.type() == pugi::node_element; });
    return out;
  }
  /// Attributes may have been added: figures that had been left out.
  bool have_like_attributes(const pugi::xml_node& stored, const pugi::xml_node& now) {
    for (const auto& attribute : stored.attributes())
      if (!now.attribute(attribute.name())) return false;
    return std::ranges::all_of(now.attributes(), [&](const pugi::xml_attribute& attribute) {
      const auto before = stored.attribute(attribute.name());
      return (before && std::string_view(before.value()) == attribute.value()) || is_figure(now, attribute);
    });
  }
  bool is_figure(const pugi::xml_node& element, const pugi::xml_attribute& attribute) {
    const std::string_view name = attribute.name();
    const auto kind = std::ranges::find(kChangeable, name, &ChangeableFigure::attribute);
    if (kind == std::end(kChangeable)) return false;
    // A speed per power state: where they differ, SimGrid knows which counts.
    const auto states = platform_rules::parts_of(attribute.value(), name == kSpeed.attribute ? "," : "");
    std::string_view text = states.front();
    const auto differs = [&](std::string_view other) { return other != text; };
    if (!text.ends_with(kind->unit) || std::ranges::any_of(states, differs)) return false;
    text.remove_suffix(kind->unit.size());
    const auto value = to_number(text);
    if (value) note(element, kind->attribute, *value);
    return value.has_value();
  }
  void note(const pugi::xml_node& element, std::string_view attribute, double value) {
    const std::string id = element.attribute("id").value();
    if (attribute == kSpeed.attribute && element.attribute("prefix"))
      figures.speed_of_clusters_flops.emplace_back(element, value);
    else if (attribute == kSpeed.attribute) figures.speed_flops[id] = value;
    else if (attribute == "bb_bw") figures.bandwidth_Bps[id + "_backbone"] = value;
    else if (attribute == "bb_lat") figures.latency_s[id + "_backbone"] = value;
    else if (attribute == "latency")
      for (const auto& name : names_of_links(element)) figures.latency_s[name] = value;
    else if (std::string_view(element.attribute("sharing_policy").value()) != "WIFI")  // SimGrid says 1 Bps of these
      for (const auto& name : names_of_links(element)) figures.bandwidth_Bps[name] = value;
  }
};

/// The file beside a platform file, and how the platform differs from what SimGrid was asked about.
struct AnswersOf {
  AnswersOf(const std::string& xml, const std::string& platform_file)
      : file(platform_file + std::string(kAnswersEnding)) {
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
    pugi::xml_document stored, now;
    Differences differences;
    if (!stored.load_string(all.child("of").text().get()) || !now.load_string(xml.c_str()) ||
        !differences.alike(stored, now) || !has_links_of(differences.figures))
      throw InputError(Place{file, 0, ""}, "these answers are of another version of " + platform_file +
                                               "; have 'nowsim platform answers' write them anew where SimGrid is");
    figures = differences.figures;
    check_names(now);
  }
  std::string file;
  pugi::xml_document document;
  pugi::xml_node all;
  NewFigures figures;

 private:
  using NameSet = std::unordered_set<std::string>;
  [[nodiscard]] NameSet names_of(const char* elements) const {
    NameSet names;
    for (const auto& element : all.children(elements)) names.insert(element.attribute("name").value());
    return names;
  }
  /// A <cluster> that has been given figures of a backbone has one more link.
  [[nodiscard]] bool has_links_of(const NewFigures& changed) const {
    const NameSet links = names_of("link");
    const auto has = [&](const auto& entry) { return links.contains(entry.first); };
    return std::ranges::all_of(changed.bandwidth_Bps, has) && std::ranges::all_of(changed.latency_s, has);
  }
  /// What the platform names is there, and where there are routes, they are of all machines.
  void check_names(const pugi::xml_node& platform) const {
    const NameSet machines = names_of("host"), links = names_of("link"), senders = names_of("from");
    bool has_all = senders.empty() || senders == machines;
    for (const auto& found : platform.select_nodes("//host | //peer"))
      has_all = has_all && machines.contains(found.node().attribute("id").value());
    for (const auto& found : platform.select_nodes("//link | //backbone"))
      for (const auto& name : names_of_links(found.node())) has_all = has_all && links.contains(name);
    if (!has_all) something_is_missing();
  }
};

/// What `use` makes of the answers beside a platform file.
template <class Use>
std::string answered_from(const std::string& xml, const std::string& platform_file, Use use) {
  try {
    return use(AnswersOf(xml, platform_file));
  } catch (const std::out_of_range&) {
    throw InputError(Place{platform_file + std::string(kAnswersEnding), 0, ""},
                     "something is missing in these answers; have 'nowsim platform answers' write them anew");
  }
}

void put_stored_host(Serializer& out, const pugi::xml_node& host, const NewFigures& figures) {
  const std::string name = host.attribute("name").value();
  out.put(name);
  out.put(figures.speed(name, number_of(host, "speed_flops")));
  out.put(count_of(host, "cores"));
  out.put(host.attribute("memory_bytes").empty() ? -1.0 : number_of(host, "memory_bytes"));
  const auto properties = host.children("prop");
  out.put(static_cast<std::size_t>(std::distance(properties.begin(), properties.end())));
  for (const auto& property : properties) {
    out.put(std::string(property.attribute("key").value()));
    out.put(std::string(property.attribute("value").value()));
  }
}

/// Of sums of a few latencies.
constexpr double kRounding = 1e-12;

using Numbers = std::vector<std::size_t>;

Numbers numbers_in(const pugi::xml_attribute& attribute) {
  if (!attribute) something_is_missing();
  Numbers out;
  std::istringstream words(attribute.value());
  for (std::string word; words >> word;) {
    const auto number = platform_rules::whole_number(word);
    if (!number) something_is_missing();
    out.push_back(static_cast<std::size_t>(*number));
  }
  return out;
}

/// A link on routes.
struct RouteLink {
  std::string name;
  double bandwidth_Bps, latency_s;  ///< now
  double stored_latency_s;
};

/// The routes of a file, in either form.
class StoredRoutes {
 public:
  StoredRoutes(const pugi::xml_node& all, const NewFigures& figures) {
    for (const auto& link : all.children("on_routes")) {
      const std::string name = link.attribute("name").value();
      links_.push_back({name, NewFigures::of(figures.bandwidth_Bps, name, number_of(link, "bandwidth_Bps")),
                        NewFigures::of(figures.latency_s, name, number_of(link, "latency_s")),
                        number_of(link, "latency_s")});
    }
    for (const auto& from : all.children("from")) {
      places_.emplace(from.attribute("name").value(), from_.size());
      from_.push_back({from, {}});
      for (const auto& route : from.children("route")) from_.back().routes.push_back(route);
    }
    for (const From& from : from_)
      if (!from.routes.empty() && from.routes.size() != from_.size()) something_is_missing();
  }
  void put(Serializer& out, const std::string& from, const std::string& to) const {
    const From &a = from_.at(places_.at(from)), &b = from_.at(places_.at(to));
    if (!a.routes.empty()) return put_listed(out, a.routes.at(places_.at(to)));
    if (from == to) return put_listed(out, a.node.child("own"));
    const Numbers both = one_behind_other(numbers_in(a.node.attribute("up")), numbers_in(b.node.attribute("down")));
    put_route(out, "", latency_of(both), both);
  }

 private:
  struct From {
    pugi::xml_node node;
    std::vector<pugi::xml_node> routes;
  };
  void put_listed(Serializer& out, const pugi::xml_node& route) const {
    const Numbers numbers = numbers_in(route.attribute("links"));
    put_route(out, route.attribute("obstacle").value(), latency_now(numbers, number_of(route, "latency_s")), numbers);
  }
  /// As the stored latency is made of the links' stored ones, but for rounding, since zones within zones are added up in
  /// an order of their own: SimGrid counts a link twice that is up and down of a way.
  [[nodiscard]] double latency_now(const Numbers& numbers, double stored_s) const {
    const auto is_as_it_was = [&](std::size_t k) { return links_.at(k).latency_s == links_.at(k).stored_latency_s; };
    if (std::ranges::all_of(numbers, is_as_it_was)) return stored_s;
    Numbers with_first_again = numbers, twice = numbers;
    with_first_again.push_back(numbers.front());
    twice.insert(twice.end(), numbers.begin(), numbers.end());
    for (const Numbers& counted : {numbers, with_first_again, twice})
      if (std::abs(latency_of(counted, &RouteLink::stored_latency_s) - stored_s) <= kRounding * stored_s)
        return latency_of(counted);
    throw InputError("what a link's new latency makes of a route only SimGrid knows, and there is none here");
  }
  [[nodiscard]] double latency_of(const Numbers& numbers, double RouteLink::* figure = &RouteLink::latency_s) const {
    double latency_s = 0;
    for (const std::size_t k : numbers) latency_s += links_.at(k).*figure;
    return latency_s;
  }
  void put_route(Serializer& out, const std::string& obstacle, double latency_s, const Numbers& numbers) const {
    out.put(obstacle);
    out.put(latency_s);
    out.put(numbers.size());
    for (const std::size_t k : numbers) {
      out.put(links_.at(k).name);
      out.put(links_.at(k).bandwidth_Bps);
    }
  }

  std::vector<RouteLink> links_;
  std::vector<From> from_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

std::string stored_answers(const Platform& platform, double limit_s) {
  pugi::xml_document document;
  pugi::xml_node all = document.append_child("answers");
  set(all, "format", kFormat);
  all.append_child("of").text().set(platform.xml.c_str());
  for (const auto& w : platform.workstations) add_host(all, w);
  for (const auto& l : platform.links) add_link(all, l);
  if (platform.has_network() && !add_star(all, platform, limit_s)) add_all_pairs(all, platform, limit_s);
  std::ostringstream out;
  document.save(out, " ", pugi::format_default | pugi::format_no_declaration);
  return out.str();
}

std::string stored_description(const std::string& xml, const std::string& platform_file) {
  return answered_from(xml, platform_file, [](const AnswersOf& stored) {
    const NewFigures& now = stored.figures;
    Serializer out;
    const auto hosts = stored.all.children("host"), links = stored.all.children("link");
    out.put(static_cast<std::size_t>(std::distance(hosts.begin(), hosts.end())));
    for (const auto& host : hosts) put_stored_host(out, host, now);
    out.put(static_cast<std::size_t>(std::distance(links.begin(), links.end())));
    for (const auto& link : links) {
      const std::string name = link.attribute("name").value();
      out.put(name);
      out.put(NewFigures::of(now.bandwidth_Bps, name, number_of(link, "bandwidth_Bps")));
      out.put(NewFigures::of(now.latency_s, name, number_of(link, "latency_s")));
      out.put(number_of(link, "shared") != 0);
    }
    return out.take();
  });
}

std::string stored_routes(const Platform& platform, std::span<const std::pair<std::size_t, std::size_t>> pairs) {
  return answered_from(platform.xml, platform.source, [&](const AnswersOf& stored) {
    const StoredRoutes routes(stored.all, stored.figures);
    Serializer out;
    out.put(platform.has_network() && number_of(stored.all, "hang_on_one_star") != 0);
    for (const auto& [from, to] : pairs)
      routes.put(out, platform.workstations.at(from).name, platform.workstations.at(to).name);
    return out.take();
  });
}

}  // namespace nowsim
