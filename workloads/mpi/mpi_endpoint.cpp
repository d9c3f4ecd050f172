// Messages that are under way at the same time.
#include "workloads/mpi/mpi_endpoint.hpp"

namespace nowsim {

Task<> MpiEndpoint::exchange(int to, double bytes, int from) {
  if (to == index() && from == index()) co_return;
  posted(co_await post_send(to, bytes), to, true);
  posted(co_await post_receive(from), from, false);
  co_await finish_posted();
}

Task<> MpiEndpoint::finish_posted() {
  for (const Posted& it : posted_) co_await finish(it.request, it.shown);
  posted_.clear();
}

}  // namespace nowsim
