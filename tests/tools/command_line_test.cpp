// What fails in a way that nobody thought of ends, and says so.
#include "tools/line/command_line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

#include "tests/tools/program_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kLab =
    "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
    "owner: {model: intervals, TH: 0.28, SH: 0.1}\nrun: {replications: 2}\nmetrics: [tau]\n";

/// What the command line says of an exception that a program's parameters end in, and the exit status.
ProgramRun said_of(const std::function<void()>& fail) {
  Additions additions;
  additions.workloads.push_back({"failing", "", {}, [&](KeyReader&) -> std::shared_ptr<const Workload> {
                                   fail();
                                   return nullptr;
                                 }});
  const Folder folder;
  folder.file("e.yaml", kLab);
  const std::string file = folder.path() + "/e.yaml", said = folder.path() + "/said";
  const char* const words[] = {"nowsim", "check", file.c_str(), "--set", "job.workload=failing"};
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO), to = open(said.c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(to, STDERR_FILENO);
  ProgramRun run;
  run.status = command_line(5, words, additions);
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  close(to);
  run.error = content_of(said);
  return run;
}

}  // namespace

TEST_CASE("An exception that nobody thought of is a fault of nowsim: it says so, and how to report it",
          "[computes][reads][cli][limits]") {
  const ProgramRun run = said_of([] { throw std::logic_error("the cat is on the table"); });
  CHECK(run.status == 70);
  CHECK_THAT(run.error, Contains("error: this is a fault of nowsim, not of its input: the cat is on the table\n") &&
                            Contains("error: please report it, with the files that are read and this command (now") &&
                            Contains("e.yaml --set job.workload=failing\n"));
}

TEST_CASE("Memory that ends is said with what was being done", "[cli][limits][memory]") {
  const ProgramRun run = said_of([] { throw std::bad_alloc(); });
  CHECK(run.status == 1);
  CHECK_THAT(run.error, Contains("error: memory ended while point 1 of 1 of ") && Contains("e.yaml was read; "));
  const ProgramRun length = said_of([] { std::vector<double>().reserve(std::size_t(-1) / 2); });
  CHECK(length.status == 1);
  CHECK_THAT(length.error, Contains("error: memory ended") && !Contains("vector::"));
}

TEST_CASE("What the system refuses is said of the file, or of what was called for", "[cli][limits]") {
  const ProgramRun run = said_of([] { (void)std::filesystem::file_size("/nowhere/x"); });
  CHECK(run.status == 1);
  CHECK_THAT(run.error, Contains("error: '/nowhere/x': No such file or directory\n") && !Contains("filesystem error"));
  const ProgramRun nameless = said_of([] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "making a thread");
  });
  CHECK(nameless.status == 1);
  CHECK_THAT(nameless.error, Contains("error: the system refuses to go on: making a thread: Resource temp"));
}

TEST_CASE("Numbers that Boost.Math has no answer to are a problem of the experiment", "[cli][limits][error]") {
  const ProgramRun run = said_of([] { throw std::domain_error("Error in function boost::math::f"); });
  CHECK(run.status == 2);
  CHECK_THAT(run.error, Contains("e.yaml: some number is too large or too small") && !Contains("Error in function"));
}
