// Forks are told to whoever watches them: in the parent before and after, and in the child.
#include "sim/platform/forking.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/engines/worker_process.hpp"
#include "sim/platform/child_process.hpp"

using namespace nowsim;

namespace {

std::string told;

/// Watches while it lives.
struct Watch {
  Watch() {
    told.clear();
    watch_forks({[] { told += "before "; }, [] { told += "parent "; }, [] { told += "child "; }});
  }
  ~Watch() {
    constexpr auto nothing = [] {};
    watch_forks({nothing, nothing, nothing});
  }
};

}  // namespace

TEST_CASE("Whoever watches forks is told in the parent and in the child", "[reads][processes]") {
  const Watch watch;
  CHECK(in_child_process([] { return told; }) == "before child ");
  CHECK(told == "before parent ");
}

TEST_CASE("Worker processes are told of too, and only while somebody watches", "[processes]") {
  const auto answer_of_worker = [] {
    WorkerProcess worker([](const WorkerTask&) { return told; });
    const WorkerTask task;
    worker.give({&task, 1});
    for (;;)
      if (const auto answer = worker.take()) return std::string(answer->text);
  };
  {
    const Watch watch;
    CHECK(answer_of_worker() == "before child ");
  }
  told.clear();
  CHECK(answer_of_worker().empty());
}
