// Any SimGrid program: prints the links between two machines of a platform file.
// usage: print_route PLATFORM.xml FROM TO
#include <simgrid/s4u.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  namespace s4u = simgrid::s4u;
  s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  std::vector<s4u::Link*> links;
  s4u::Host::by_name(argv[2])->route_to(s4u::Host::by_name(argv[3]), links, nullptr);
  for (const auto* link : links) std::printf("%s ", link->get_cname());
}
