// Students' Python code: the same chunks as techniques built in, attempts at everything that it must not do, and what
// its process may say: read, or found to make no sense, whatever bytes it writes.
#include "experiments/driver/labs/confined_technique.hpp"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Tests of code need Python; some of them bubblewrap.
bool has_python() {
  const bool is_here = !python_program().empty();
  if (!is_here) skipped("python", "there is no Python here");
  return is_here;
}
bool can_confine() {
  const Confinement here = confinement();
  if (!here.is_confined()) skipped("bubblewrap", here.why_not);
  return here.is_confined() && has_python();
}

const std::string kImport = "import nowsim\n";
const std::string kGss = kImport + "@nowsim.technique\ndef mine(R, P):\n    return R / P\n";
const std::string kFac2 =
    kImport + "@nowsim.technique(batch=lambda R, P: P * -(-R // (2 * P)))\ndef mine(K, P):\n    return K / P\n";

/// A technique whose function has these lines.
std::string rule(const std::string& lines, const std::string& parameters = "R, P") {
  return kImport + "@nowsim.technique\ndef mine(" + parameters + "):\n" + lines;
}

/// So patient that a loaded machine does not end code that answers.
constexpr double kPatient_s = 60;
/// Without bubblewrap.
CodeLimits bare() { return {.answer_s = kPatient_s, .bwrap = "no-such-bwrap"}; }

const std::string kByTimes = kImport +
                             "@nowsim.technique(batch=lambda R: R / 2)\n"
                             "def mine(K, P, mean, mean_all, sd, *, least=1.0):\n"
                             "    return K / P * mean_all / mean + 0 * sd + least\n";

ConfinedTechnique confined(const std::string& file, const CodeLimits& limits = {}) {
  return confined_technique("student", file, source_folder() + "/experiments/labs/" + kCodeHelper, limits);
}
Technique technique_of(const std::string& file, const CodeLimits& limits = {}) {
  return confined(file, limits).technique;
}

/// Chunks of a loop of 100 tasks for 4 workers in turn, or what is said instead.
std::string chunks_of(const Technique& technique, int most = 1000) {
  LoopState state(100, std::vector<double>{1, 1, 1, 1}, {});
  std::string all;
  try {
    for (std::size_t k = 0; state.remaining > 0 && most-- > 0; ++k)
      all += (k > 0 ? " " : "") + std::to_string(next_chunk(technique, state, k % 4));
  } catch (const RunError& e) {
    return e.what();
  }
  return all;
}

std::string chunks_of(const std::string& code, const CodeLimits& limits = {.answer_s = kPatient_s}) {
  const Folder folder;
  try {
    return chunks_of(technique_of(folder.file("mine.py", code), limits));
  } catch (const RunError& e) {
    return e.what();
  }
}

const std::string kGssChunks = "25 19 14 11 8 6 5 3 3 2 1 1 1 1";

/// A farm with this technique; what a table has of it, to the last digit.
std::string farm(const std::string& technique, const Registries& known, int jobs,
                 const std::string& engine = "direct") {
  const Folder folder;
  const std::string file = folder.file(
      "e.yaml",
      "nowsim: 1\nplatform: {workstations: 5, speeds: [1Gf, 1Gf, 2Gf, 3Gf, 4Gf], network: switch, bandwidth: 10MBps,"
      " latency: 1ms}\nowner: {model: intervals, TH: 0.4, interval: 30s}\n"
      "job: {workload: task-farm, tasks: 300, cost: 2Gf, overhead: 100ms, technique: " +
          technique + "}\n"
      "run: {replications: 40, engine: " + engine + "}\nmetrics: [tau, sigma_T]\n");
  const Experiment experiment = load_experiment(file, {}, known);
  return csv(summarise(experiment, run_experiment(experiment, {jobs})));
}

/// Counts what a technique has answered, in whatever processes.
class CountedAnswers {
 public:
  CountedAnswers()
      : count_(new (mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Count(0)) {
  }
  ~CountedAnswers() { munmap(count_, sizeof(Count)); }
  CountedAnswers(const CountedAnswers&) = delete;
  CountedAnswers& operator=(const CountedAnswers&) = delete;

  [[nodiscard]] Technique of(Technique technique) const {
    technique.next = [next = technique.next, count = count_](LoopState& state, std::size_t worker) {
      const std::int64_t tasks = next(state, worker);
      ++*count;
      return tasks;
    };
    return technique;
  }
  [[nodiscard]] int count() const { return *count_; }

 private:
  using Count = std::atomic<int>;
  Count* count_;
};

/// What follows the heading, without words that name the technique.
std::string numbers_of(const std::string& table) { return table.substr(table.find('\n')); }

Registries registries_with(const Additions& additions) { return {additions, builtin_checks(), builtin_figures()}; }

/// Lines that try a call of the kernel on the process that asks.
std::string kernel_call(long number) {
  return "    import ctypes, os\n    c = ctypes.CDLL(None, use_errno=True)\n    c.syscall(" + std::to_string(number) +
         ", os.getppid(), 0, 0, 0, 0, 0)\n" + "    raise PermissionError(f'{ctypes.get_errno()} ')\n";
}

int processes_named(const std::string& mark) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ostringstream words;  // where a process ends meanwhile a read fails, which an iterator would throw
    if (const std::ifstream in(entry.path() / "cmdline"); in) words << in.rdbuf();
    found += words.str().find(mark) != std::string::npos ? 1 : 0;
  }
  return found;
}

}  // namespace

TEST_CASE("Techniques in confined Python hand out what the same ones built in do, to the bit",
          "[reads][lab][confined]") {
  if (!has_python()) return;
  const Folder folder;
  const Registries plain = registries_with({});
  const std::vector<std::pair<std::string, std::string>> twins{
      {"GSS", kGss}, {"FAC2", kFac2}, {"formula, batch: R/2, chunk: K/P*mean_all/mean + 0*sd + 1", kByTimes}};
  for (const auto& [name, code] : twins) {
    INFO(name);
    const Registries known = plain.with(technique_of(folder.file("mine.py", code)));
    const std::string wanted = numbers_of(farm(name, plain, 1));
    CHECK(numbers_of(farm("student", known, 1)) == wanted);
    CHECK(numbers_of(farm("student", known, 2)) == wanted);
    CHECK(numbers_of(farm("student", known, 2, "simgrid")) == numbers_of(farm(name, plain, 2, "simgrid")));
  }
}

TEST_CASE("A replication finds nothing of the ones before", "[lab][confined]") {
  if (!has_python()) return;
  const Folder folder;
  const std::string code = kImport +
                           "import random\nasked = []\n@nowsim.technique\ndef mine(R, P, c):\n    asked.append(c)\n"
                           "    return 1 + len(asked) * random.random()\n";
  const Technique technique = technique_of(folder.file("mine.py", code));
  const std::string first = chunks_of(technique);
  CHECK(chunks_of(technique) == first);
  chunks_of(technique, 3);
  CHECK(chunks_of(technique) == first);
  const Registries known = registries_with({.techniques = {technique}});
  CHECK(farm("student", known, 1) == farm("student", known, 2));
}

TEST_CASE("A file says what its technique wants to know", "[lab][confined]") {
  if (!has_python()) return;
  const Folder folder;
  const auto technique = [&](const std::string& code) { return technique_of(folder.file("mine.py", code)); };
  using Learns = Technique::Learns;
  CHECK(technique(rule("    return 1\n", "R")).learns == Learns::nothing);
  CHECK(technique(rule("    return 1\n", "R, mean")).learns == Learns::chunk_times);
  CHECK(technique(rule("    return 1\n", "w, *, sd_all")).learns == Learns::task_times);
  CHECK(technique(rule("    return 1\n", "w, *, sd_all")).uses_shares);
  CHECK(!technique(kGss).uses_shares);
  CHECK(technique(rule("    \"\"\"a part\n\n    more\"\"\"\n    return 1\n")).summary == "a part");
  CHECK(technique(kGss).user_code.identity != technique(kFac2).user_code.identity);
  CHECK(technique(kGss).user_code.identity == technique(kGss).user_code.identity);
}

TEST_CASE("Parameters with defaults have these, with units where nowsim's types say so", "[lab][confined]") {
  if (!has_python()) return;
  const auto gives = [](const std::string& parameters, const std::string& value) {
    return chunks_of(rule("    return " + value + "\n", parameters));
  };
  CHECK(gives("R, part=0.5", "100 * part") == "50 50");
  CHECK(gives("R, part: nowsim.time = '1min'", "part") == "60 40");
  CHECK(gives("R, *, P, size=nowsim.bytes('0.05kB')", "size") == "50 50");
  CHECK(gives("how=nowsim.choice('many', 'few')", "{'many': 50, 'few': 1}[how]") == "50 50");
  CHECK(gives("is_large=nowsim.flag(True)", "50 if is_large is True else 1") == "50 50");
  CHECK_THAT(gives("part=nowsim.time('1 parsec')", "1"), Contains("(mine.py, line 2): its parameter part: "));
  CHECK_THAT(gives("one=nowsim.time('1 parsec'), two=nowsim.time('2 parsec')", "1"), Contains("its parameter one: "));
  CHECK_THAT(gives("R: 'nosuch'", "1"), Contains("raises NameError") && Contains("(mine.py, line "));
  CHECK_THAT(gives("part", "1"), Contains("nothing is known of its parameter part: variables are R, N, P"));
  CHECK_THAT(gives("part=nowsim.time()", "1"), Contains("nothing says its value"));
  CHECK_THAT(gives("R=3", "1"), Contains("R is a variable of nowsim's"));
  CHECK_THAT(gives("K", "1"), Contains("its parameter K is about batches"));
}

TEST_CASE("What goes wrong in a student's function is told with file, line and state", "[lab][confined][error]") {
  if (!has_python()) return;
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s}, bare()}) {
    const auto said = [&limits](const std::string& lines) { return chunks_of(rule(lines), limits); };
    CHECK(said("    return R // (P - 4)\n") ==
          "technique mine (mine.py, line 2) raises ZeroDivisionError: integer division or modulo by zero"
          " (mine.py, line 4, in mine), with R = 100, P = 4");
    CHECK(said("    return 'many'\n") ==
          "technique mine (mine.py, line 2) gives 'many'; wanted is a number of tasks, with R = 100, P = 4");
    CHECK_THAT(said("    return None\n"), Contains("gives None; wanted is a number of tasks"));
    CHECK_THAT(said("    return -1\n"), Contains("technique mine (mine.py, line 2) gives -1 tasks with R = 100"));
    CHECK_THAT(said("    return 0\n"), Contains("gives 0 tasks"));
    CHECK_THAT(said("    return float('nan')\n"), Contains("gives no number of tasks"));
    CHECK_THAT(said("    return float('inf')\n"), Contains("gives inf tasks"));
    CHECK_THAT(said("    return 10 ** 400\n"), Contains("wanted is a number of tasks"));
    CHECK_THAT(said("    raise SystemExit('enough')\n"), Contains("raises SystemExit: enough (mine.py, line 4"));
    CHECK_THAT(said("    return mine(R, P)\n"), Contains("raises RecursionError"));
    CHECK_THAT(said("    print('R is', R)\n    return 1 / 0\n"), Contains("; it printed: R is 100"));
  }
}

TEST_CASE("A file that defines not one technique is told what it lacks", "[lab][confined][error]") {
  if (!has_python()) return;
  CHECK(chunks_of("import nowsim\n") ==
        "mine.py: it defines no technique: @nowsim.technique stands on the line before the function");
  CHECK(chunks_of(kGss + kGss) == "mine.py: it defines 2 techniques (mine, mine): one is wanted");
  CHECK(chunks_of("x = = 1\n") == "mine.py: raises SyntaxError: invalid syntax (mine.py, line 1)");
  CHECK_THAT(chunks_of("\n\nimport nosuch\n"), Contains("raises ModuleNotFoundError") && Contains("(mine.py, line 3)"));
  CHECK_THAT(chunks_of("import nowsim\n@nowsim.policy\ndef f(s): pass\n"), Contains("nowsim.policy: a chunk rule has"));
  CHECK_THAT(chunks_of(std::string("x\0y", 3)), Contains("mine.py: raises"));
  CHECK_THAT(chunks_of(std::string("\xff\xfe\x00", 3)), Contains("mine.py: raises"));
  CHECK_THAT(chunks_of(std::string(1 << 20, '#')), Contains("mine.py is larger than 256 KiB"));
  CHECK_THROWS_WITH(confined("/nowhere/mine.py"), "there is no file 'mine.py' here that can be read");
  const Folder folder;
  std::filesystem::create_symlink("/etc/passwd", folder.path() + "/link.py");
  CHECK_THROWS_WITH(confined(folder.path() + "/link.py"), Contains("'link.py'"));
}

TEST_CASE("Code that hangs, or takes all memory, is ended with a sentence", "[lab][confined][error]") {
  if (!has_python()) return;
  for (CodeLimits limits : {CodeLimits{}, bare()}) {
    limits.answer_s = 0.5;
    CHECK(chunks_of(rule("    while True: pass\n"), limits) ==
          "technique mine (mine.py, line 2) has not answered within 0.5 s, with R = 100, P = 4");
    limits.answer_s = kPatient_s;
    CHECK_THAT(chunks_of(rule("    return len(bytearray(2 ** 30))\n"), limits),
               Contains("raises MemoryError (mine.py, line 4"));
    CHECK_THAT(chunks_of(rule("    many = []\n    while True: many.append(bytearray(2 ** 20))\n"), limits),
               Contains("raises MemoryError") && Contains("it has 512 MiB"));
    limits.total_s = 1;
    CHECK_THAT(chunks_of(rule("    import time\n    time.sleep(0.3)\n    return 1\n"), limits),
               Contains(" has taken more than 1 s for all its answers"));
    limits.start_s = 0.5;
    CHECK(chunks_of("while True: pass\n", limits) == "mine.py: has not answered within 0.5 s");
  }
}

TEST_CASE("Code that asks for something, or does not listen, is ended in time", "[lab][confined][error]") {
  if (!has_python()) return;
  const std::string asks = "import os\ndef ask():\n    while True: os.write(3, b'ktime 1h')\n";
  for (CodeLimits limits : {CodeLimits{}, bare()}) {
    limits.answer_s = limits.start_s = kPatient_s;
    CHECK(chunks_of(asks + "ask()\n", limits) == "mine.py: answers what makes no sense");
    CHECK(chunks_of(asks + rule("    ask()\n"), limits) ==
          "technique mine (mine.py, line 5) answers what makes no sense, with R = 100, P = 4");
    limits.total_s = 1;
    CHECK(chunks_of("import time\ntime.sleep(9)\n", limits) == "mine.py: has taken more than 1 s for all its answers");
    limits.total_s = kPatient_s;
    // It has its answers ready, and reads no request: these must not be waited for.
    const std::string ahead = rule("    import os, struct\n"
                                   "    while True: os.write(3, struct.pack('=cd', b'n', 1))\n");
    const Folder folder;
    const Technique technique = technique_of(folder.file("mine.py", ahead), limits);
    LoopState state(20'000, std::vector<double>{1, 1, 1, 1}, {});
    while (state.remaining > 0) CHECK(next_chunk(technique, state, 0) == 1);
  }
}

TEST_CASE("Code that takes its time ends in a sentence of its own, whatever processes simulate", "[lab][confined]") {
  if (!has_python()) return;
  const Folder folder;
  const std::string file = folder.file("mine.py", rule("    import time\n    time.sleep(0.01)\n    return 1\n"));
  for (CodeLimits limits : {CodeLimits{}, bare()})
    for (const int jobs : {1, 2})
      for (const char* engine : {"direct", "simgrid"}) {
        limits.total_s = 1;
        const CountedAnswers answers;
        const Registries known = registries_with({.techniques = {answers.of(technique_of(file, limits))}});
        CHECK_THAT(farm("student", known, jobs, engine),
                   Contains("mine.py") && Contains(" has taken more than 1 s for all its answers"));
        CHECK(answers.count() <=
              100 + jobs - 1);  // of all processes and replications; each has begun its last one in time
      }
}

TEST_CASE("Code cannot start processes or threads, or open sockets, even where it is not confined", "[lab][confined]") {
  if (!has_python()) return;
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s}, bare()}) {
    const auto said = [&limits](const std::string& lines) { return chunks_of(rule(lines), limits); };
    const auto refused = Contains("raises PermissionError: [Errno 1] Operation not permitted");
    CHECK_THAT(said("    import os\n    while True: os.fork()\n"), refused);
    CHECK_THAT(said("    import subprocess\n    subprocess.run(['true'])\n"), refused);
    CHECK_THAT(said("    import threading\n    threading.Thread(target=print).start()\n"),
               Contains("start new thread"));
    CHECK_THAT(said("    import socket\n    socket.create_connection(('127.0.0.1', 1), 1)\n"), refused);
    CHECK_THAT(said("    import os\n    os.kill(os.getppid(), 9)\n"), refused);
    const auto told = [&](const std::string& by) { return said("    import fcntl, os, struct\n    " + by + "\n"); };
    for (const char* by : {"fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())", "fcntl.fcntl(3, fcntl.F_SETSIG, 15)",
                           "fcntl.fcntl(3, 15, struct.pack('ii', 1, os.getppid()))",
                           "fcntl.ioctl(3, 0x8901, struct.pack('i', os.getppid()))",
                           "fcntl.ioctl(3, 0x8902, struct.pack('i', os.getppid()))",
                           "fcntl.ioctl(3, 0x5452, struct.pack('i', 1))", "fcntl.ioctl(0, 0x5412, b'x')"})
      CHECK_THAT(told(by), refused);
    CHECK(told("fcntl.fcntl(3, fcntl.F_GETFL); os.set_blocking(3, True); return 50") == "50 50");
    for (const long call :
         {__NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_pidfd_open, __NR_pidfd_getfd})
      CHECK_THAT(said(kernel_call(call)), Contains("raises PermissionError: 1 "));
    CHECK_THAT(said("    import resource\n    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"),
               Contains("mine (mine.py, line 2) raises ValueError"));
    // A new limit at an address whose lower half is 0.
    CHECK_THAT(said("    import ctypes\n    c = ctypes.CDLL(None, use_errno=True)\n"
                    "    c.prlimit(0, 4, ctypes.c_void_p(1 << 32), None)\n"
                    "    raise PermissionError(f'{ctypes.get_errno()} ')\n"),
               Contains("raises PermissionError: 1 "));
  }
}

TEST_CASE("Code holds no memory that no limit counts, by whatever call of the kernel", "[lab][confined]") {
  if (!has_python()) return;
  constexpr long kMemfdSecret = 447, kForeign = 0x40000000, kLater = 500;
  constexpr long kRefusedCalls[] = {
      kMemfdSecret, __NR_memfd_create, __NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open, __NR_io_uring_setup,
      __NR_io_setup, __NR_userfaultfd, __NR_pipe2, __NR_socket, __NR_socketpair, __NR_eventfd2, __NR_epoll_create1,
      __NR_inotify_init1, __NR_timer_create, __NR_setxattr, __NR_mlock, __NR_add_key, __NR_bpf, __NR_clone,
      __NR_clone3, kForeign + __NR_memfd_create, kForeign + __NR_write};
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s}, bare()}) {
    const auto errno_of = [&limits](long call) { return chunks_of(rule(kernel_call(call)), limits); };
    for (const long call : kRefusedCalls) {
      INFO(call);
      CHECK_THAT(errno_of(call), Contains("raises PermissionError: 1 "));
    }
    CHECK_THAT(errno_of(kLater), Contains("raises PermissionError: 38 "));  // no such call: a library takes another one
    CHECK_THAT(chunks_of(rule("    import os\n    os.pipe()\n"), limits), Contains("Operation not permitted"));
    // Locks of a file, of which there may be as many as it has bytes.
    CHECK_THAT(chunks_of(rule("    import fcntl\n    fcntl.lockf(1, fcntl.LOCK_EX, 1, 5)\n"), limits),
               Contains("Operation not permitted"));
    CHECK_THAT(chunks_of(rule("    import os\n    os.write(5, b'x' * 2 ** 20)\n"), limits), Contains(" raises "));
  }
}

TEST_CASE("Code may use what of Python computes, keeps the time and reads and writes files", "[lab][confined]") {
  if (!has_python()) return;
  const std::string lines =
      R"(    import collections, csv, ctypes, datetime, decimal, fractions, functools, glob, heapq, itertools, json
    import logging, math, mmap, os, pathlib, pickle, random, re, resource, shutil, signal, statistics, tempfile
    import threading, time
    with tempfile.TemporaryDirectory() as folder:
        one = pathlib.Path(folder) / 'one'
        one.write_text(json.dumps([1, 2.5]))
        shutil.copy2(one, one.with_name('two'))
        shutil.move(one.with_name('two'), one.with_name('three'))
        os.truncate(one.with_name('three'), 3)
        one.with_name('four').symlink_to(one)
        assert json.loads(one.with_name('four').read_text())[1] == 2.5
        with open(one, 'r+b') as file:
            with mmap.mmap(file.fileno(), 0) as mapped:
                mapped[0:1] = b'['
                mapped.flush()
            os.fsync(file.fileno())
        assert sorted(glob.glob(folder + '/*'))[0] == os.path.join(folder, 'four')
    time.sleep(0.001)
    assert time.time() > 0 < time.perf_counter() and time.process_time() >= 0 and datetime.datetime.now().year > 2000
    with threading.Lock():
        threading.Event().wait(0.001)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    assert statistics.mean([random.random() for _ in range(9)]) < 1 and os.getpid() and os.urandom(4) and os.cpu_count()
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
    print(math.pi, os.get_terminal_size if os.isatty(1) else 'no terminal')
    return 50
)";
  const std::string numpy =
      "    try: import numpy\n    except ImportError: return 50\n"
      "    a = numpy.random.rand(99, 99) + numpy.random.default_rng(1).normal()\n"
      "    return 50 if numpy.linalg.svd(a @ numpy.linalg.inv(a))[1].shape == (99,) else 1\n";
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s, .start_s = kPatient_s}, bare()}) {
    CHECK(chunks_of(rule(lines), limits) == "50 50");
    CHECK(chunks_of(rule(numpy), limits) == "50 50");
  }
}

TEST_CASE("Confined code sees no files but programs and libraries, and writes in its scratch folder alone",
          "[lab][confined]") {
  if (!can_confine()) return;
  const Folder folder;
  const std::string secret = folder.file("answers.yaml", "tau: 42\n");
  const auto said = [](const std::string& lines) { return chunks_of(rule("    import os\n" + lines)); };
  CHECK_THAT(said("    open('" + secret + "')\n"), Contains("raises FileNotFoundError"));
  CHECK_THAT(said("    open('/etc/passwd')\n"), Contains("raises FileNotFoundError"));
  for (const char* file : {"/here", "/usr/here", "/dev/here", "/etc/here", "/usr/bin/env"})
    CHECK_THAT(said(std::string("    open('") + file + "', 'a')\n"),
               Contains("[Errno 30] Read-only file system") || Contains("[Errno 13] Permission denied"));
  CHECK(said("    open('/tmp/here', 'w').write('x')\n    return 50\n") == "50 50");
  CHECK(!std::filesystem::exists("/tmp/here"));
  CHECK_THAT(said("    for k in range(99): open(f'/tmp/{k}', 'w').write('x' * 2 ** 20)\n"),
             Contains("No space left on device"));
  for (const char* one : {"open(f'/tmp/{k}', 'w').close()", "os.mkdir(f'/tmp/{k}')", "os.symlink('/', f'/tmp/{k}')",
                          "open('/tmp/a', 'w'); os.link('/tmp/a', f'/tmp/{k}')"})
    CHECK_THAT(said(std::string("    for k in range(20000): ") + one + "\n"), Contains("No space left on device"));
  CHECK(said("    return 1 if 'USER' in os.environ or 'LOGNAME' in os.environ else 50\n") == "50 50");
}

TEST_CASE("Code that forges, closes or floods what it finds open gives chunks or a sentence",
          "[lab][confined][error]") {
  if (!has_python()) return;
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s}, bare()}) {
    const auto said = [&limits](const std::string& lines) {
      return chunks_of(rule("    import os, struct\n" + lines), limits);
    };
    CHECK(said("    os._exit(0)\n") ==
          "technique mine (mine.py, line 2) ended its process with status 0, with R = 100, P = 4");
    CHECK_THAT(said("    os.abort()\n"), Contains("was ended by a signal"));
    CHECK_THAT(said("    import ctypes\n    ctypes.string_at(0)\n"), Contains("was ended by a signal"));
    CHECK_THAT(said("    os.closerange(0, 64)\n    return 1\n"), Contains("mine (mine.py, line 2) "));
    CHECK_THAT(said("    for fd in range(64):\n        try: os.write(fd, b'\\xff\\x00garbage' * 99)\n"
                    "        except OSError: pass\n    return 1\n"),
               Contains("answers what makes no sense"));
    CHECK_THAT(said("    os.write(3, b'')\n    return 1\n"), Contains("closed the channel"));
    CHECK_THAT(said("    os.write(3, struct.pack('=cd', b'n', -5))\n    return 1\n"), Contains("gives -5 tasks"));
    CHECK_THAT(said("    os.write(3, b'e\\x1b[31mall is right')\n    return 1\n"), Contains("\\x1b[31mall is right"));
    CHECK(said("    for k in range(20000): print('x' * 99)\n    return 50\n") == "50 50");
    CHECK(said("    os.closerange(1, 3)\n    print('x')\n    return 50\n") == "50 50");
    CHECK_THAT(said("    while True: os.write(1, b'x' * 2 ** 20)\n"), Contains("File too large"));
  }
}

TEST_CASE("A file that says itself what its technique is, in the place of who asks it, is not believed everything",
          "[lab][confined][error]") {
  if (!has_python()) return;
  for (const CodeLimits& limits : {CodeLimits{.answer_s = kPatient_s, .start_s = kPatient_s}, bare()}) {
    const auto said = [&limits](const std::string& message) {
      return chunks_of("import os, struct\nos.write(3, " + message + ")\n" + kGss, limits);
    };
    const std::string no_sense = "mine.py: says nothing that makes sense of its technique";
    const std::string by = "b'tmine\\ntechnique mine (mine.py, line 4)\\n' + ";
    // As many values as fit into no request: eight bytes of its own choice for each.
    for (const char* names :
         {"b'K ' * 100", "b'K ' * 2000", "b'R P R'", "b'R P nosuch'", "b'R P\\n\\n'", "b'\\x00\\xff'"})
      CHECK(said(by + names + " + b'\\n\\n\\n'") == no_sense);
    CHECK(said("b't'") == no_sense);
    CHECK(said("b't\\n\\nR'") == no_sense);
    for (const char* message : {"b't' * 100000", "b'n' * 100000", "b'x'", "b'e'", "b'e   '", "b'v12345678'",
                                "b'\\xff\\x00'", "struct.pack('=cd', b'n', 5)"})
      CHECK(said(message) == "mine.py: answers what makes no sense");
    CHECK(said("b'e' + b'x' * 8000").size() < 1100);
    CHECK(said("b'e' + b'\\x1b' * 8000").find('\x1b') == std::string::npos);
    // Then the script's own comes where an answer is waited for.
    CHECK(said("b't\\x1b[31m\\n\\x1b[32mI\\nR\\n\\n\\n'") == "\\x1b[32mI answers what makes no sense, with R = 100");
    const auto answered = [&limits](const std::string& message) {
      return chunks_of(rule("    import os, struct\n    os.write(3, " + message + ")\n    return 1\n"), limits);
    };
    for (const char* message : {"b'n'", "b'n1234567'", "struct.pack('=cdd', b'n', 5, 5)", "b'n' * 8193"})
      CHECK_THAT(answered(message), Contains("(mine.py, line 2) answers what makes no sense, with R = 100"));
    CHECK_THAT(answered("struct.pack('=cd', b'n', float('nan'))"), Contains("gives no number of tasks"));
    CHECK_THAT(answered("struct.pack('=cd', b'n', float('inf'))"), Contains("gives inf tasks"));
    CHECK_THAT(answered("b'tmine\\nmine\\n'"), Contains("answers what makes no sense"));
  }
}

TEST_CASE("A technique that is another one in the next process is asked nothing", "[lab][confined][error]") {
  if (!has_python()) return;
  const Folder folder;
  const Technique technique =
      technique_of(folder.file("mine.py", kImport + "import os\ndef mine(R):\n    os._exit(1)\n"
                                                    "mine.__doc__ = os.urandom(8).hex()\nnowsim.technique(mine)\n"));
  CHECK_THAT(chunks_of(technique), Contains("ended its process with status 1"));
  for (int time = 0; time < 2; ++time)
    CHECK(chunks_of(technique) == "mine.py: defines another technique each time that it is run");
}

TEST_CASE("Processes of code end with what asks them", "[lab][confined]") {
  if (!has_python()) return;
  const std::string mark = "ends-with-" + std::to_string(getpid()) + ".py";
  {
    const Folder folder;
    const Technique technique = technique_of(folder.file(mark, kGss));
    CHECK(chunks_of(technique) == kGssChunks);
    CHECK(processes_named(mark) > 0);
    farm("student", registries_with({.techniques = {technique}}), 2);
  }
  for (int ms = 0; ms < 60'000 && processes_named(mark) > 0; ++ms) usleep(1000);
  CHECK(processes_named(mark) == 0);
}

TEST_CASE("Where code cannot be confined, that is said, or it is not run", "[lab][confined]") {
  CHECK(confinement(bare()).why_not == "there is no no-such-bwrap here (on Debian: apt-get install bubblewrap)");
  CHECK_THAT(confinement(bare()).text(), Contains("could not be confined (there is no no-such-bwrap"));
  CHECK_THAT(confinement({.bwrap = "false"}).text(), Contains("false failed with status 1"));
  CHECK_THAT((Confinement{}.text()), Contains("was confined by bubblewrap"));
  if (!has_python()) return;
  CHECK(chunks_of(kGss, bare()) == kGssChunks);
  const Folder folder;
  CHECK(confined(folder.file("mine.py", kGss), bare()).confinement.why_not == confinement(bare()).why_not);
  CodeLimits strict = bare();
  strict.must_be_confined = true;
  CHECK_THAT(chunks_of(kGss, strict), Contains("mine.py is not run, since it cannot be confined: there is no"));
}

TEST_CASE("Registries with one technique more keep what was added before", "[lab][confined]") {
  Technique more = *builtin_techniques().find("GSS");
  more.name = "more";
  const Registries before = registries_with(
      {.workloads = {{.name = "test", .summary = "", .keys = {}, .make = [](KeyReader&) { return nullptr; }}}});
  const Registries after = before.with(more);
  CHECK(before.techniques.find("more") == nullptr);
  CHECK(after.techniques.find("more") != nullptr);
  CHECK(after.workloads.find("test") != nullptr);
  CHECK(after.workloads.size() == before.workloads.size());
  CHECK_THROWS_AS(after.with(more), InputError);
}

TEST_CASE("A description says what a technique is called and which variables its functions have", "[lab][confined]") {
  const auto found = described_technique("half\ntechnique mine (mine.py, line 3)\nK P mean\nits batch\nR\n");
  REQUIRE(found);
  CHECK(found->summary == "half");
  CHECK(found->chunk.by == "technique mine (mine.py, line 3)");
  CHECK(found->chunk.variables.size() == 3);
  REQUIRE(found->batch);
  CHECK(found->batch->variables == variables_by_name(std::vector<std::string>{"R"}));
  CHECK(found->parameters.empty());
  CHECK_FALSE(described_technique("half\nmine\n\n\n\n")->batch);
  CHECK(described_technique("half\nmine\n\n\n\n")->chunk.variables.empty());
  CHECK(described_technique("half\nmine\nR\nbatch\n\n")->batch->variables.empty());
}

TEST_CASE("A description has the values of parameters, or a sentence", "[lab][confined]") {
  const std::string half = "half\nmine\nR\n\n\n";
  const auto found = described_technique(half + "a time 1min\nb count 3\nc time 1 h 30 min\nd bytes 4KiB\n");
  REQUIRE(found);
  CHECK(found->parameters == std::vector<double>{60, 3, 5400, 4096});
  CHECK(found->fault.empty());
  for (const char* told : {"a time", "a time ", "a time 1 parsec", "a number nan"})
    CHECK_THAT(described_technique(half + told)->fault, Catch::StartsWith("mine: its parameter a: '"));
  for (const char* told : {"a", " ", "a speed 1Gf", "\n"}) CHECK_FALSE(described_technique(half + told));
}

TEST_CASE("A description that the helper does not write is none", "[lab][confined][error]") {
  std::string many;
  for (int k = 0; k < 100; ++k) many += "K ";
  for (const std::string& said :
       {std::string(), std::string("\n"), std::string("half"), "half\nmine\n" + many + "\n\n\n",
        "half\nmine\nK\nbatch\n" + many, std::string("half\nmine\nR\n"), std::string("half\nmine\nnosuch\n\n\n"),
        std::string("half\n \nR\n\n\n"), std::string("half\nmine\nR\n\nR\n"), std::string("half\nmine\nR\nbatch\nR R\n"),
        std::string(8000, '\n'), std::string("half\nmine\nR\0\n\n\n", 15)})
    CHECK_FALSE(described_technique(said));
  CHECK(described_technique(std::string(8000, '\x1b') + "\nmine\nR\n\n\n")->summary.size() == 4000);  // of 1000, as \x1b
}

TEST_CASE("An answer is eight bytes, and a request eight for each variable and parameter", "[lab][confined]") {
  const auto bytes_of = [](double value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  CHECK(answered_number(bytes_of(2.5)) == 2.5);
  CHECK(std::isnan(*answered_number(bytes_of(std::numeric_limits<double>::quiet_NaN()))));
  for (const std::string& said : {std::string(), std::string("1234567"), std::string("123456789")})
    CHECK_FALSE(answered_number(said));

  const LoopState state(100, std::vector<double>{1, 1}, {});
  const std::string request = request_message({true, false, 7}, state, 1, {60, 2.5});
  CHECK(request.size() == 8 * (3 + technique_variables().size() + 2));
  CHECK(request.starts_with(std::string("\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0\144\0\0\0\0\0\0\0", 32)));
  CHECK(request.ends_with(bytes_of(60) + bytes_of(2.5)));
  CHECK(request_message({false, true, 0}, state, 1, {}).starts_with(std::string("\0\0\0\0\0\0\0\0\1", 9)));
}
