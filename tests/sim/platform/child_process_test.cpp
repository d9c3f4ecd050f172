// Child processes: results of any size, and every way to fail, each as the right kind of error.
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/platform/child_process.hpp"

using namespace nowsim;

TEST_CASE("A child returns its bytes, also many", "[computes][reads][child]") {
  CHECK(in_child_process([] { return std::string(); }).empty());
  CHECK(in_child_process([] { return std::string("a\0b", 3); }) == std::string("a\0b", 3));
  CHECK(in_child_process([] { return std::string(5'000'000, 'x'); }) == std::string(5'000'000, 'x'));
}

TEST_CASE("A child's exceptions keep their kind and sentence", "[child]") {
  CHECK_THROWS_AS(in_child_process([]() -> std::string { throw InfeasibleError("too much"); }), InfeasibleError);
  CHECK_THROWS_WITH(in_child_process([]() -> std::string { throw InputError(Place{"f", 3, "k"}, "bad"); }), "f:3: k: bad");
  CHECK_THROWS_AS(in_child_process([]() -> std::string { throw std::logic_error("oops"); }), RunError);
  CHECK_THROWS_WITH(in_child_process([]() -> std::string { throw 5; }), Catch::Contains("unknown"));
}

TEST_CASE("A child that dies is a run error with its last words", "[child]") {
  CHECK_THROWS_WITH(in_child_process([]() -> std::string {
                      std::fputs("first\n[0.0] [ker/CRITICAL] no such thing\nBacktrace:\n -> 1\n", stderr);
                      std::abort();
                    }),
                    Catch::Contains("no such thing"));
  CHECK_THROWS_WITH(in_child_process([]() -> std::string {
                      raise(SIGKILL);
                      return "";
                    }),
                    Catch::Contains("it was killed (Killed), as the system does where memory ends"));
  CHECK_THROWS_WITH(in_child_process([]() -> std::string {
                      std::signal(SIGTERM, SIG_DFL);
                      sigset_t none;
                      sigemptyset(&none);
                      sigprocmask(SIG_SETMASK, &none, nullptr);
                      raise(SIGTERM);
                      return "";
                    }),
                    Catch::EndsWith("it was killed (Terminated)"));
  CHECK_THROWS_WITH(in_child_process([]() -> std::string { _exit(7); }), Catch::Contains("status 7"));
  CHECK_THROWS_AS(in_child_process([]() -> std::string {
                    std::fputs("[0.0] [ker/CRITICAL] Bad gateways for route from 'a' to 'b'.\n", stderr);
                    std::abort();
                  }),
                  InputError);
}

TEST_CASE("Destroying a running child ends it", "[child]") {
  pid_t pid = 0;
  {
    int fds[2];
    REQUIRE(pipe(fds) == 0);
    const ChildProcess child([&fds]() -> std::string {
      const pid_t me = getpid();
      if (write(fds[1], &me, sizeof me) != sizeof me) return "";
      pause();
      return "";
    });
    REQUIRE(read(fds[0], &pid, sizeof pid) == sizeof pid);
    close(fds[0]);
    close(fds[1]);
    CHECK(kill(pid, 0) == 0);
  }
  CHECK(kill(pid, 0) != 0);
}

TEST_CASE("What is packed is unpacked, and a message that ends early is noticed", "[child]") {
  Serializer out;
  out.put(3.5);
  out.put(std::string("text"));
  out.put(std::vector<double>{1, 2});
  const std::string bytes = out.take();
  Deserializer in(bytes);
  CHECK(in.get<double>() == 3.5);
  CHECK(in.get_text() == "text");
  CHECK(in.get_doubles() == std::vector<double>{1, 2});
  CHECK(in.at_end());
  CHECK_THROWS_AS(in.get<double>(), std::runtime_error);
}

TEST_CASE("A message that counts more values than it has, by any number, ends early", "[child]") {
  for (const std::size_t count : {std::size_t{5}, std::size_t{1} << 50, std::size_t{1} << 61, ~std::size_t{0}}) {
    Serializer out;
    out.put(count);
    out.put(1.0);
    out.put(2.0);
    const std::string bytes = out.take();
    CHECK_THROWS_AS(Deserializer(bytes).get_doubles(), std::runtime_error);
    CHECK_THROWS_AS(Deserializer(bytes).get_counted<int>(), std::runtime_error);
  }
}
