// A farm of tasks as one writes it with S4U: a server that hands tasks out one by one, a client per other machine, and
// mailboxes. A peer for the benchmark, not a part of nowsim.
// usage: plain_farm PLATFORM.xml COSTS REQUEST_BYTES INPUT_BYTES RESULT_BYTES
//   COSTS: a file of numbers, the flop of each task. The server runs on the platform's first machine in order of name.
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace {

struct Bytes {
  std::uint64_t request, input, result;
};

double end = 0;  // what a client gets when there are no more tasks: it outlives the server

void serve(const std::vector<double>& costs, int clients, const Bytes& bytes, const std::vector<s4u::Mailbox*>& boxes) {
  for (std::size_t next = 0; clients > 0;) {
    const int from = *boxes[0]->get<int>();
    auto* to = boxes[static_cast<std::size_t>(from)];
    if (next < costs.size()) {
      to->put(const_cast<double*>(&costs[next++]), bytes.request + bytes.input);
    } else {
      to->put(&end, bytes.request);
      --clients;
    }
  }
}

void work(int self, const Bytes& bytes, const std::vector<s4u::Mailbox*>& boxes) {
  for (std::uint64_t result = 0;; result = bytes.result) {
    boxes[0]->put(&self, bytes.request + result);
    const double cost = *boxes[static_cast<std::size_t>(self)]->get<double>();
    if (cost <= 0) return;
    s4u::this_actor::execute(cost);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::clock_t begin = std::clock();  // processor time
  s4u::Engine engine(&argc, argv);
  if (argc != 6) return 2;
  // What makes a message of m bytes take latency + m/bandwidth, as in nowsim.
  for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e300",
                              "contexts/stack-size:64", "surf/precision:1e-9"})
    s4u::Engine::set_config(setting);
  engine.load_platform(argv[1]);
  std::ifstream file(argv[2]);
  const std::vector<double> costs{std::istream_iterator<double>(file), {}};
  const Bytes bytes{std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10),
                    std::strtoull(argv[5], nullptr, 10)};
  const auto hosts = engine.get_all_hosts();  // in the order of names
  std::vector<s4u::Mailbox*> boxes;
  for (const auto* host : hosts) boxes.push_back(s4u::Mailbox::by_name(host->get_name()));
  const int clients = static_cast<int>(hosts.size()) - 1;
  s4u::Actor::create("server", hosts[0], [&] { serve(costs, clients, bytes, boxes); });
  for (int i = 1; i <= clients; ++i)
    s4u::Actor::create("client", hosts[static_cast<std::size_t>(i)], [&, i] { work(i, bytes, boxes); });
  const std::clock_t set_up = std::clock();
  engine.run();
  const std::clock_t end = std::clock();
  std::printf("makespan %.17g seconds %.6f set_up %.6f\n", s4u::Engine::get_clock(),
              static_cast<double>(end - set_up) / CLOCKS_PER_SEC, static_cast<double>(set_up - begin) / CLOCKS_PER_SEC);
}
