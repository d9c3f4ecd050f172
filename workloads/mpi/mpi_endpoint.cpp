// Messages that are under way at the same time.
#include "workloads/mpi/mpi_endpoint.hpp"

namespace nowsim {

Task<Exchanged> MpiEndpoint::exchange(int to, double bytes, int from) {
  if (to == index() && from == index()) co_return Exchanged{from, tag_, bytes + how_.envelope_bytes};
  const RequestId sent = co_await post_send(to, bytes);
  const RequestId received = co_await post_receive(from);
  const Exchanged message = co_await finish(received, {Activity::receive, from});
  if (sent != kNoRequest) co_await finish(sent, {Activity::send, to});
  co_return message;
}

Task<> MpiEndpoint::finish_posted() {
  for (const Posted& it : posted_) co_await finish(it.request, it.shown);
  posted_.clear();
}

}  // namespace nowsim
