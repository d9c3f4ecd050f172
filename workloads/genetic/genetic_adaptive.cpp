// The adaptive parallel genetic algorithm (BZ 5.2-5.4): clients ask a server for one individual after another.
//
// All messages are blocking. No deadlock: the server sends only to clients that wait for what it sends, namely those
// that have asked and those that sleep; and when it does not send or compute it takes whatever any client has for it.
#include <vector>

#include "workloads/genetic/genetic_search.hpp"

namespace nowsim {
namespace {

class AdaptiveServer {
 public:
  AdaptiveServer(Rank& self, const GeneticJob& job)
      : self_(self), job_(job), search_(job, self), sleeps_(index_of(self.count()), true) {}
  /// Where the coroutines below keep their frames.
  [[nodiscard]] FramePool* frames() const { return self_.frames(); }

  Process run() {
    co_await wake_sleepers();
    while (true) {
      while (!search_.is_generation_over()) co_await take_message();
      if (search_.is_last_generation()) break;
      if (job_.evolve_flop > 0) co_await self_.compute(job_.evolve_flop);
      search_.evolve();
      handed_out_ = 0;
      if (!search_.is_generation_over()) co_await wake_sleepers();  // a generation without anything new wakes nobody
    }
    search_.end();
    while (awake_ > 0) co_await take_message();
    for (int client = 1; client < self_.count(); ++client) co_await signal(client, Signal::shutdown);
  }

 private:
  Process wake_sleepers() {
    for (int client = 1; client < self_.count(); ++client) {
      if (!sleeps_[index_of(client)]) continue;
      sleeps_[index_of(client)] = false;
      ++awake_;
      co_await signal(client, Signal::yes_work);
    }
  }

  Process take_message() {
    const Message message = co_await self_.receive_any();
    if (std::any_cast<Signal>(message.content) == Signal::work_request) co_await answer(message.from);
    else {
      const Message result = co_await self_.receive(message.from);
      search_.note(std::any_cast<Evaluation>(result.content));
    }
  }

  Process answer(int client) {
    if (handed_out_ < search_.assignments().size()) {
      const Assignment& next = search_.assignments()[handed_out_++];
      co_await signal(client, Signal::yes_work);
      co_await self_.send(client, job_.individual_bytes, next);
    } else {
      sleeps_[index_of(client)] = true;
      --awake_;
      co_await signal(client, Signal::no_work);
    }
  }

  Process signal(int client, Signal what) { co_await self_.send(client, job_.signal_bytes, what); }

  Rank& self_;
  const GeneticJob& job_;
  GeneticSearch search_;
  std::size_t handed_out_ = 0;  ///< of this generation's assignments
  std::vector<bool> sleeps_;    ///< per rank
  int awake_ = 0;
};

/// Until NoWork.
Process work(Rank& self, const GeneticJob& job) {
  while (true) {
    co_await self.send(0, job.signal_bytes, Signal::work_request);
    const Message answer = co_await self.receive(0);
    if (std::any_cast<Signal>(answer.content) == Signal::no_work) co_return;
    const Message work = co_await self.receive(0);
    const auto& assigned = std::any_cast<const Assignment&>(work.content);
    co_await self.compute(assigned.cost_flop);
    co_await self.send(0, job.signal_bytes, Signal::work_end);
    co_await self.send(0, job.result_bytes, Evaluation{assigned.individual, job.objective_of(assigned.genome)});
  }
}

/// YesWork to all, then answers; NoWork where none of the generation are left. When the last result of a generation is
/// in, the next evolves and those who sleep are woken by YesWork. After the last generation those still awake ask once
/// more and get NoWork, then all get Shutdown.
Process serve_adaptively(Rank& self, const GeneticJob& job) {
  AdaptiveServer server(self, job);
  co_await server.run();
}

/// Asleep, waits for YesWork or Shutdown; awake, asks, evaluates and tells until NoWork.
Process evaluate_on_request(Rank& self, const GeneticJob& job) {
  while (true) {
    const Message message = co_await self.receive(0);
    if (std::any_cast<Signal>(message.content) == Signal::shutdown) co_return;
    co_await work(self, job);
  }
}

/// Request, YesWork, the individual, WorkEnd and the result; a YesWork that wakes, and the request that NoWork answers;
/// Shutdown.
double adaptive_messages(const GeneticJob& job, int clients) {
  return 5 * evaluations(job) + 3 * busy_generations(job, clients) + clients;
}

}  // namespace

Dispatcher adaptive_dispatcher() { return {"adaptive", serve_adaptively, evaluate_on_request, adaptive_messages}; }

}  // namespace nowsim
