// nowsim lab serve from outside: who gets in, what is answered, and how it ends.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <thread>

#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/commands/page_server.hpp"

using namespace nowsim::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

/// A connection to a port of an address of this machine; nothing where nobody listens. It waits minutes for bytes, and
/// only a broken program's are later.
std::optional<int> connection_to(const in_addr& address, int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const timeval minutes{.tv_sec = 300, .tv_usec = 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &minutes, sizeof minutes);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(port));
  there.sin_addr = address;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0) return fd;
  close(fd);
  return std::nullopt;
}

in_addr loopback() { return {htonl(INADDR_LOOPBACK)}; }

/// What is answered to these bytes, up to the connection's end.
std::string bytes_for(int port, const std::string& request) {
  const auto fd = connection_to(loopback(), port);
  if (!fd) return "";
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t n = send(*fd, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  std::string answer;
  char buffer[65536];
  for (ssize_t n = 0; (n = recv(*fd, buffer, sizeof buffer, 0)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(n));
  close(*fd);
  return answer;
}

/// An answer's status, and its body with its pieces put together.
struct Got {
  int status = 0;
  std::string head, body;
};

Got got(const std::string& bytes) {
  const auto end = bytes.find("\r\n\r\n");
  if (end == bytes.npos || !bytes.starts_with("HTTP/1.1 ")) return {};
  Got out{std::stoi(bytes.substr(9, 3)), bytes.substr(0, end), bytes.substr(end + 4)};
  if (out.head.find("chunked") == out.head.npos) return out;
  std::string pieces;
  for (std::size_t at = 0; at < out.body.size();) {
    const std::size_t size = std::stoul(out.body.substr(at), nullptr, 16), begin = out.body.find("\r\n", at) + 2;
    pieces += out.body.substr(begin, size);
    at = begin + size + 2;
    if (size == 0) break;
  }
  out.body = pieces;
  return out;
}

constexpr const char* kPage = "<!DOCTYPE html>\n<html><head><title>x</title></head><body>the page<!-- nowsim-served --></body></html>\n";

/// The program serving a page of the tests' own, and the tiny lab.
struct Served : TinyLabs {
  Served()
      : program({"lab", "serve", "--page", file("page.html", kPage), "--labs", labs(), "-j", "2", "--port", "0"},
                path(), {.out = path() + "/out", .error = path() + "/error", .temporary = made_temporary()}) {
    comes_true([&] { return has_address() || !is_alive(program.pid()); });
    REQUIRE(has_address());
    port = std::stoi(address()[1]);
    token = address()[2];
  }
  [[nodiscard]] std::string temporary() const { return path() + "/temporary"; }
  std::string made_temporary() const {
    std::filesystem::create_directories(temporary());
    return temporary();
  }
  /// Whether among its temporary files there is one of this name.
  [[nodiscard]] bool keeps(const std::string& name) const {
    std::error_code gone;  // while it is looked at
    std::filesystem::recursive_directory_iterator entry(temporary(), gone), end;
    for (; !gone && entry != end; entry.increment(gone))
      if (entry->path().filename() == name) return true;
    return false;
  }
  [[nodiscard]] std::smatch address() const {
    text = content_of(path() + "/out");
    std::smatch found;
    std::regex_search(text, found, std::regex("http://127\\.0\\.0\\.1:([0-9]+)/([0-9a-f]+)/\n"));
    return found;
  }
  [[nodiscard]] bool has_address() const { return !address().empty(); }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port); }
  [[nodiscard]] Got get(const std::string& target, const std::string& host_given, const std::string& more = "") const {
    return got(bytes_for(port, "GET " + target + " HTTP/1.1\r\nHost: " + host_given + "\r\n" + more + "\r\n"));
  }
  [[nodiscard]] std::string request_of(const std::string& target, const std::string& body,
                                       const std::string& more = "") const {
    return "POST " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + more +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  [[nodiscard]] Json ask(const Json& question) const {
    const Got answer = got(bytes_for(port, request_of("/" + token + "/ask", question.dump())));
    CHECK(answer.status == 200);
    return Json::parse(answer.body);
  }

  RunningProgram program;
  mutable std::string text;
  int port = 0;
  std::string token;
};

/// A question that takes hours.
Json endless() {
  return {{"do", "run"},
          {"name", "x.yaml"},
          {"yaml",
           "nowsim: 1\nplatform: {workstations: 20, speed: 1f}\njob: {workload: base-task, work: 1e6f}\n"
           "owner: {model: intervals, value: uniform, mean: 0.5, TH: 0.3, SH: 0, length: uniform, interval: 1s}\n"
           "run: {replications: 1e8, timeout: 10h}\nmetrics: [tau]\n"}};
}

}  // namespace

TEST_CASE("The page is served to who knows its address, and to nobody else", "[computes][reads][cli][page]") {
  const Served served;
  CHECK(served.token.size() == 32);
  const std::string there = "/" + served.token + "/";
  const Got page = served.get(there, served.host());
  CHECK(page.status == 200);
  CHECK(page.body == nowsim::served_page(kPage));
  CHECK_THAT(page.body, Contains("<head><meta id=\"nowsim-served\"><title>"));
  CHECK_THAT(page.head, Contains("Cache-Control: no-store") && Contains("Referrer-Policy: no-referrer"));
  CHECK_THAT(page.head, Contains("X-Content-Type-Options: nosniff") && Contains("X-Frame-Options: DENY"));
  const Got packed = served.get(there, served.host(), "Accept-Encoding: gzip, deflate, br\r\n");
  CHECK(packed.body == page.body);  // compressing megabytes takes seconds, each time
  CHECK(served.get(there, "localhost:" + std::to_string(served.port)).status == 200);
  std::string wrong = served.token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& target :
       {std::string("/"), "/" + wrong + "/", "/" + served.token, there + "x", there + "../", there + "ask",
        "//" + served.token + "/", there + "page.html", std::string("/etc/passwd"),
        "/" + served.token.substr(0, 31) + "/", "/" + served.token + "0/"}) {
    INFO(target);
    CHECK(served.get(target, served.host()).status == 404);
  }
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + std::to_string(served.port), std::string("127.0.0.1"),
        std::string(""), "127.0.0.1:1" + std::to_string(served.port)}) {
    INFO(host);
    CHECK(served.get(there, host).status != 200);
  }
  const std::string catalogue = "{\"do\": \"catalogue\"}";
  const auto posted = [&](const std::string& target, const std::string& body, const std::string& more = "") {
    return got(bytes_for(served.port, served.request_of(target, body, more)));
  };
  CHECK(posted(there + "ask", catalogue).status == 200);
  CHECK(posted(there + "ask", catalogue, "Origin: http://" + served.host() + "\r\n").status == 200);
  CHECK(posted(there + "ask", catalogue, "Origin: http://evil.example\r\n").status == 404);
  CHECK(posted(there + "ask", catalogue, "Origin: null\r\n").status == 404);
  CHECK(posted("/" + wrong + "/ask", catalogue).status == 404);
  CHECK(posted(there, catalogue).status == 404);
  CHECK(posted(there + "ask", std::string(17 << 20, 'x')).status == 413);
  CHECK(got(bytes_for(served.port,
                      "PUT " + there + " HTTP/1.1\r\nHost: " + served.host() + "\r\nContent-Length: 0\r\n\r\n"))
            .status >= 400);
  CHECK(served.ask({{"do", "catalogue"}})["ok"]["absent"].empty());  // it is still there
}

TEST_CASE("Requests are bounded, and refused before their end", "[cli][page]") {
  const Served served;
  const std::string there = "/" + served.token + "/", host = "Host: " + served.host() + "\r\n";
  const auto answer_to = [&](const std::string& bytes) { return got(bytes_for(served.port, bytes)); };
  // Each goes on without an end: who waits for that answers nothing.
  const std::string much(20 << 20, 'x');
  std::string many;
  for (int k = 0; k < 100000; ++k) many += "a: b\r\n";
  for (const std::string& target : {there, std::string("/")}) {
    INFO(target);
    CHECK(answer_to("GET " + target + much).status == 431);
    CHECK(answer_to("GET " + target + " HTTP/1.1\r\n" + host + "a: " + much).status == 431);
    CHECK(answer_to("GET " + target + " HTTP/1.1\r\n" + host + much).status == 431);
    CHECK(answer_to("GET " + target + " HTTP/1.1\r\n" + host + many).status == 431);
  }
  CHECK(answer_to(much).status >= 400);
  // Bodies that do not come.
  const std::string ask = "POST " + there + "ask HTTP/1.1\r\n" + host, other = "POST /x/ask HTTP/1.1\r\n" + host;
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  CHECK(answer_to(other + "Content-Length: 1000\r\n\r\n").status == 404);
  CHECK(answer_to(other + chunked + "\r\n").status == 404);
  CHECK(answer_to(ask + "Content-Length: 17000000\r\n\r\n").status == 413);
  CHECK(answer_to(ask + "Content-Length: 99999999999999999999\r\n\r\n").status == 400);
  CHECK(answer_to(ask + "Content-Length: -1\r\n\r\n").status == 400);
  CHECK(answer_to(ask + chunked + "\r\n1400000\r\n" + much).status == 411);
  CHECK(answer_to(ask + "Transfer-Encoding: gzip\r\n\r\n").status == 411);
  CHECK(answer_to(ask + "Content-Length: 2\r\n" + chunked + "\r\n2\r\n{}\r\n0\r\n\r\n").status == 400);
  CHECK(answer_to(ask + chunked + "Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n").status == 400);
  CHECK(answer_to(ask + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}").status == 400);
  // What is no text.
  const std::string nul(1, '\0');
  CHECK(answer_to("GET " + there + nul + " HTTP/1.1\r\n" + host + "\r\n").status == 400);
  CHECK(answer_to("GET " + there + " HTTP/1.1\r\n" + host + "a: " + nul + "\r\n\r\n").status == 400);
  CHECK(answer_to(std::string(100, '\0')).status == 400);
  CHECK(served.ask(Json(std::string(1, '\0') + "{}")).contains("error"));
  CHECK(served.get(there, served.host(), host).status == 404);  // two hosts
  CHECK(served.get(there, served.host(), "Origin: http://" + served.host() + "\r\nOrigin: null\r\n").status == 404);
  CHECK(served.ask({{"do", "catalogue"}}).contains("ok"));
}

TEST_CASE("A connection has one answer, which is the whole page", "[cli][page]") {
  const Served served;
  const std::string there = "/" + served.token + "/", page = nowsim::served_page(kPage);
  for (const char* range : {"bytes=200-4000", "bytes=0-1", "bytes=-5", "bytes=5-", "bytes=0-1,2-3", "x"}) {
    INFO(range);
    const Got whole = served.get(there, served.host(), std::string("Range: ") + range + "\r\n");
    CHECK(whole.status == 200);
    CHECK(whole.body == page);
  }
  CHECK(served.get(there + "?x=1", served.host()).body == page);
  const std::string end = " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n";
  const std::string twice = bytes_for(served.port, "GET " + there + end + "GET " + there + end);
  CHECK(got(twice).body == page);
  const std::string two = served.request_of(there + "ask", "{}");
  CHECK(Json::parse(got(bytes_for(served.port, two + two)).body).contains("error"));
  const Got head = got(bytes_for(served.port, "HEAD " + there + end));
  CHECK(head.status == 200);
  CHECK_THAT(head.head, Contains("Content-Length: " + std::to_string(page.size())));
  CHECK(head.body.empty());
  CHECK(got(bytes_for(served.port, "HEAD /" + end)).body.empty());
}

TEST_CASE("Connections that send a byte now and then keep nobody waiting, nor the end", "[cli][page]") {
  Served served;
  std::vector<int> connections;
  const auto connect_with = [&](const std::string& begin) {
    const auto fd = connection_to(loopback(), served.port);
    REQUIRE(fd);
    send(*fd, begin.data(), begin.size(), MSG_NOSIGNAL);
    connections.push_back(*fd);
  };
  const std::string there = "/" + served.token + "/";
  connect_with("POST " + there + "ask HTTP/1.1\r\nHost: " + served.host() + "\r\nContent-Length: 10000000\r\n\r\n");
  for (int k = 0; k < 300; ++k) connect_with(k % 3 == 0 ? "" : "GET /");
  std::jthread dripping([&](const std::stop_token& end) {
    for (; !end.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(100)))
      for (const int fd : connections) send(fd, "x", 1, MSG_NOSIGNAL);
  });
  CHECK(served.get(there, served.host()).status == 200);
  CHECK(served.ask({{"do", "catalogue"}}).contains("ok"));
  kill(served.program.pid(), SIGINT);
  CHECK(comes_true([&] { return !is_alive(served.program.pid()); }));
  dripping.request_stop();
  dripping.join();
  for (const int fd : connections) close(fd);
  CHECK(served.program.finish().status == 0);
}

TEST_CASE("It listens on this machine's own address alone, and at another one each time", "[cli][page]") {
  const Served one, other;
  CHECK(one.token != other.token);
  ifaddrs* all = nullptr;
  REQUIRE(getifaddrs(&all) == 0);
  for (const ifaddrs* a = all; a != nullptr; a = a->ifa_next) {
    if (a->ifa_addr == nullptr || a->ifa_addr->sa_family != AF_INET) continue;
    const in_addr address = reinterpret_cast<const sockaddr_in*>(a->ifa_addr)->sin_addr;
    const auto fd = connection_to(address, one.port);
    CHECK(fd.has_value() == (address.s_addr == loopback().s_addr));
    if (fd) close(*fd);
  }
  freeifaddrs(all);
  CHECK_FALSE(connection_to({htonl(INADDR_LOOPBACK + 1)}, one.port));  // 127.0.0.2
  const ProgramRun taken =
      run_program({"lab", "serve", "--page", one.path() + "/page.html", "--port", std::to_string(one.port)});
  CHECK(taken.status == 2);
  CHECK_THAT(taken.error, Contains("is taken"));
}

TEST_CASE("A served page has SimGrid, the last times, and labs with code in Python", "[cli][page]") {
  const Served served;
  const std::string yaml =
      "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 10f}\nowner: {model: "
      "intervals, "
      "value: uniform, mean: 0.5, TH: 0.3, SH: 0, length: uniform, interval: 1s}\nrun: {replications: 20}\nmetrics: "
      "[tau]\n";
  const Json run{{"do", "run"}, {"yaml", yaml}, {"name", "x.yaml"}, {"set", {"run.engine=simgrid"}}};
  CHECK_THAT(served.ask(run)["ok"]["table"].get<std::string>(), Contains("engine simgrid"));
  const Json times = served.ask({{"do", "times"}, {"yaml", yaml}, {"name", "x.yaml"}})["ok"];
  CHECK(times["n"] == 20);
  CHECK(served.ask({{"do", "risk"}, {"deadline_s", 0}, {"id", times["id"]}})["ok"]["late"]["value"] == 1);
  Json state = served.ask({{"do", "lab.start"}, {"lab", "tiny"}, {"id", "a"}})["ok"];
  CHECK(state["files"].contains("handout.html"));
}

TEST_CASE("Code in Python is judged through a served page", "[cli][page][labs][slow]") {
  const Folder folder;
  const std::string page = folder.file("page.html", kPage);
  RunningProgram program({"lab", "serve", "--page", page, "--port", "0"}, folder.path(),
                         {.out = folder.path() + "/out", .error = folder.path() + "/error"});
  std::smatch at;
  std::string said;
  comes_true([&] {
    said = content_of(folder.path() + "/out");
    return std::regex_search(said, at, std::regex(":([0-9]+)/([0-9a-f]+)/\n")) || !is_alive(program.pid());
  });
  REQUIRE_FALSE(at.empty());
  const int port = std::stoi(at[1]);
  const std::string target = "/" + std::string(at[2]) + "/ask";
  const auto ask = [&](const Json& question) {
    const std::string body = question.dump();
    return Json::parse(
        got(bytes_for(port, "POST " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body))
            .body);
  };
  Json state = ask({{"do", "lab.start"}, {"lab", "beat-fac2"}, {"id", "a"}})["ok"];
  std::size_t open = 0;
  while (state["steps"][open]["questions"].back()["takes"] != "code") {
    Json answers = Json::object();
    for (const Json& question : state["steps"][open]["questions"]) {
      const Json any = question["options"].empty() ? Json("1") : question["options"][0]["word"];
      Json each = Json::object();
      for (const Json& item : question["items"]) each[item.get<std::string>()] = any;
      answers[question["key"].get<std::string>()] = each.empty() ? any : each;
    }
    const std::string step = state["steps"][open++]["key"];
    state = ask({{"do", "lab.fill"}, {"files", state["files"]}, {"answers", {{step, answers}}}})["ok"];
    state = ask({{"do", "lab.check"}, {"files", state["files"]}})["ok"];
    REQUIRE(state["steps"][open]["is_open"] == true);
  }
  const std::string code_step = state["steps"][open]["key"];
  Json files = state["files"];
  REQUIRE(files.contains("mine.py"));
  state = ask({{"do", "lab.fill"}, {"files", files}, {"answers", {{code_step, {{"rule", "mine.py"}}}}}})["ok"];
  state = ask({{"do", "lab.check"}, {"files", state["files"]}})["ok"];
  CHECK_THAT(state["text"].get<std::string>(), Contains("rule") && Contains("mine.py"));
  CHECK_THAT(state["text"].get<std::string>(), !Contains("cannot be read"));
  files = state["files"];
  files["mine.py"] = "def next_chunk(*a):\n    open('/etc/hostname').read()\n    return 1/0\n";
  const Json failed = ask({{"do", "lab.check"}, {"files", files}})["ok"];
  CHECK(failed["text"] != state["text"]);
  CHECK_THAT(failed["text"].get<std::string>(), !Contains("/tmp/"));
}

TEST_CASE("A question that nobody waits for any more is ended, and Ctrl-C ends all of it", "[cli][page]") {
  Served served;
  const auto fd = connection_to(loopback(), served.port);
  REQUIRE(fd);
  const std::string request = served.request_of("/" + served.token + "/ask", endless().dump());
  REQUIRE(send(*fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
  const auto processes = [&] {
    std::set<pid_t> all;
    for (const pid_t child : children_of(served.program.pid()))
      for (const pid_t grandchild : children_of(child)) all.insert(grandchild);
    return all.size();
  };
  CHECK(comes_true([&] { return processes() == 1; }));
  close(*fd);
  CHECK(comes_true([&] { return processes() == 0; }));
  CHECK(served.ask({{"do", "risk"}, {"deadline_s", 1}, {"id", ""}}).contains("error"));
  // Another one is at work when it ends.
  const auto again = connection_to(loopback(), served.port);
  REQUIRE(again);
  REQUIRE(send(*again, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
  CHECK(comes_true([&] { return processes() == 1; }));
  kill(served.program.pid(), SIGINT);
  CHECK(served.program.finish().status == 0);
  CHECK(comes_true([&] { return processes_about(served.path()).empty(); }));
  close(*again);
  CHECK(std::filesystem::is_empty(served.temporary()));
}

TEST_CASE("A student's files go with the question that is ended", "[cli][page][labs]") {
  Served served;
  Json state = served.ask({{"do", "lab.start"}, {"lab", "tiny"}, {"id", "a"}})["ok"];
  const Json answers{{"step-1", {{"T", "1"}}}};
  state = served.ask({{"do", "lab.fill"}, {"files", state["files"]}, {"answers", answers}})["ok"];
  CHECK(std::filesystem::is_empty(served.temporary()));
  std::string yaml = endless()["yaml"];
  yaml.replace(yaml.find("work: 1e6f"), 10, "work: = let.work*1e4");
  yaml.insert(yaml.find("job:"), "let: {work: 100}\n");
  write_text(served.lab() + "/equal.yaml", yaml);
  const std::string request =
      served.request_of("/" + served.token + "/ask", Json{{"do", "lab.check"}, {"files", state["files"]}}.dump());
  for (const bool is_interrupted : {false, true}) {
    const auto fd = connection_to(loopback(), served.port);
    REQUIRE(fd);
    REQUIRE(send(*fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
    CHECK(comes_true([&] { return served.keeps("answers.yaml"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(served.keeps("answers.yaml"));  // it is at work, and has not refused the question
    if (is_interrupted) {
      kill(served.program.pid(), SIGINT);
      CHECK(served.program.finish().status == 0);
      CHECK(std::filesystem::is_empty(served.temporary()));
    }
    close(*fd);
    CHECK(comes_true([&] { return std::filesystem::is_empty(served.temporary()); }));
  }
}

TEST_CASE("A question that nothing can be had for is answered so, and the next one as ever", "[cli][page]") {
  const Served served;
  std::filesystem::remove(served.temporary());
  const Json failed = served.ask({{"do", "catalogue"}});
  REQUIRE(failed.contains("error"));
  CHECK_THAT(failed["error"]["sentence"].get<std::string>(), Contains("no temporary folder can be made"));
  CHECK(served.made_temporary() == served.temporary());
  CHECK(served.ask({{"do", "catalogue"}}).contains("ok"));
}

TEST_CASE("It listens at a port that is always the same, or says that it is taken", "[cli][page]") {
  const int holder = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in usual{};
  usual.sin_family = AF_INET;
  usual.sin_port = htons(nowsim::kUsualPort);
  usual.sin_addr = loopback();
  const bool is_held = bind(holder, reinterpret_cast<const sockaddr*>(&usual), sizeof usual) == 0 &&
                       listen(holder, 1) == 0;  // if not, another program has it
  const auto said_by_served = [] {
    const Folder folder;
    const std::string out = folder.path() + "/out";
    RunningProgram program({"lab", "serve", "--page", folder.file("page.html", kPage)}, folder.path(), {.out = out});
    comes_true([&] { return content_of(out).find("Ctrl-C") != std::string::npos || !is_alive(program.pid()); });
    kill(program.pid(), SIGINT);
    program.finish();
    return content_of(out);
  };
  const std::string usual_address = "http://127.0.0.1:" + std::to_string(nowsim::kUsualPort) + "/";
  const auto is_right = [&](const std::string& said) {
    return said.starts_with(usual_address) != (said.find("is taken") != std::string::npos);
  };
  const std::string beside = said_by_served();
  close(holder);
  const std::string alone = said_by_served();
  CHECK(is_right(beside));
  CHECK(is_right(alone));
  if (is_held) CHECK_FALSE(beside.starts_with(usual_address));
}

TEST_CASE("A port that is not allowed is not said to be taken", "[page]") {
  CHECK(nowsim::why_no_port(80, EACCES) == "port 80 of this machine may not be used by you: ports from 1024 on may");
  CHECK_THAT(nowsim::why_no_port(8080, EADDRINUSE), Contains("port 8080 of this machine is taken"));
}

TEST_CASE("A token is new each time, and a page is marked once", "[page]") {
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) tokens.insert(nowsim::random_token());
  CHECK(tokens.size() == 100);
  for (const std::string& token : tokens)
    CHECK((token.size() == 32 && token.find_first_not_of("0123456789abcdef") == token.npos));
  CHECK(nowsim::served_page("<head></head><head>") == "<head><meta id=\"nowsim-served\"></head><head>");
  CHECK(nowsim::served_page("x") == "<meta id=\"nowsim-served\">x");
}
