// Settings that make SimGrid's results exact, and loading a platform from memory.
#include "sim/engines/simgrid/session.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <xbt/log.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "sim/base/error.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/platform/canonical_xml.hpp"
#include "sim/platform/simgrid_words.hpp"

namespace nowsim {
namespace {

/// Stacks dominate an actor's cost. The sanitizers do not know SimGrid's own stacks, only threads'.
std::string contexts_flag([[maybe_unused]] int stack_kib) {
#if defined(__SANITIZE_ADDRESS__)
  return "--cfg=contexts/factory:thread";
#else
  return "--cfg=contexts/stack-size:" + std::to_string(stack_kib);
#endif
}

/// A path under which `text` can be read as a file, without leaving one behind.
std::string in_memory_file(const std::string& text) {
  const int fd = memfd_create("platform.xml", 0);
  if (fd < 0) throw RunError("cannot hold the platform in memory");
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n <= 0) throw RunError("cannot hold the platform in memory");
    at += static_cast<std::size_t>(n);
  }
  return "/proc/self/fd/" + std::to_string(fd);
}

/// SimGrid's "Parse error at /proc/self/fd/5:12: ..." becomes a place in the user's file. Other messages have no line;
/// they come where the parser stands.
[[noreturn]] void rethrow_as_input_error(const std::string& what, const std::string& path, Place place) {
  std::string sentence = what;
  if (const auto at = what.find(path + ":"); at != std::string::npos) {
    char* rest = nullptr;
    place.line = static_cast<int>(std::strtol(what.c_str() + at + path.size() + 1, &rest, 10));
    sentence = std::string(rest).substr(std::strspn(rest, ": \n"));
  }
  for (std::size_t at; (at = sentence.find(path)) != std::string::npos;) sentence.replace(at, path.size(), place.file);
  throw InputError(place, "SimGrid does not accept the platform: " + in_users_words(sentence).sentence);
}

}  // namespace

simgrid::s4u::Engine& open_simgrid(const std::string& xml, const std::string& name, double precision_s,
                                    int stack_kib) {
  xbt_log_control_set("root.thres:critical");
  static char program[] = "nowsim";
  static std::string contexts = contexts_flag(stack_kib);  // read only when the engine is made
  static char* arguments[] = {program, contexts.data(), nullptr};
  static int count = 2;
  static simgrid::s4u::Engine engine(&count, arguments);
  using simgrid::s4u::Engine;
  char precision[40];
  std::snprintf(precision, sizeof precision, "surf/precision:%.17g", precision_s);
  Engine::set_config(precision);
  // A message of m bytes takes lambda + m/beta: no TCP corrections, no window, no reverse traffic.
  Engine::set_config("network/model:CM02");
  Engine::set_config("network/crosstraffic:0");
  Engine::set_config("network/TCP-gamma:1e300");
  // All flows' rates at every event: with SimGrid 3.32's lazy updates some flows over several links end per cents off.
  Engine::set_config("network/optim:Full");
  // Of a link of which less is left than this part SimGrid takes all to be used up, and gives its other flows what they
  // may have elsewhere. Finer than 1e-7 its own rounding ends it (sim/engines/simgrid/README.md).
  Engine::set_config("maxmin/precision:1e-7");
  // What is the default: said all the same, or the platform's own <config> would choose models that are not exact.
  for (const char* setting : {"host/model:default", "cpu/model:Cas01", "cpu/optim:Lazy",
                              "network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0"})
    Engine::set_config(setting);
  const std::string path = in_memory_file(canonical_xml(xml, simgrid_version::kLoneCluster));
  bool is_parsing = true;
  try {
    engine.load_platform(path);
    is_parsing = false;  // what is wrong with the whole has no line
    engine.seal_platform();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    rethrow_as_input_error(e.what(), path, {name, is_parsing ? simgrid_version::parser_line() : 0, ""});
  }
  return engine;
}

void open_fat_pipes(const Platform& platform) {
  namespace s4u = simgrid::s4u;
  const auto varies = [&](const std::string& link) {
    return std::ranges::any_of(platform.link_profiles, [&](const LinkProfile& p) {
      return p.link == link && p.quantity == ProfileQuantity::bandwidth;
    });
  };
  // SimGrid bounds a flow by the least bandwidth on its way anyway. A capacity that no flows exhaust leaves it at that.
  const auto beyond_bounds = [](double, int) { return 1e300; };
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links())
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE && !varies(link->get_name()))
      link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, beyond_bounds);
}

}  // namespace nowsim
