// cpp-httplib's server; without that library a sentence.
#include "tools/commands/page_server.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <functional>
#include <string_view>

#include "sim/base/error.hpp"
#include "tools/commands/question_process.hpp"

#ifdef NOWSIM_HTTPLIB
#include <httplib.h>

#include <thread>
#endif

namespace nowsim {

std::string served_page(const std::string& page) {
  const std::string head = "<head>";
  const std::string mark = std::string("<meta id=\"") + kServedMark + "\">";
  const auto at = page.find(head);
  return at == page.npos ? mark + page : page.substr(0, at + head.size()) + mark + page.substr(at + head.size());
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw RunError("the system gives no random numbers for an address that nobody guesses");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) (token += kDigits[byte / 16]) += kDigits[byte % 16];
  return token;
}

std::string why_no_port(int port, int error) {
  const std::string text = "port " + std::to_string(port) + " of this machine ";
  if (error == EACCES) return text + "may not be used by you: ports from 1024 on may";
  return text + "is taken: give another one, or none";
}

#ifdef NOWSIM_HTTPLIB

namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kMostQuestionBytes = std::size_t{16} << 20U;
constexpr std::size_t kServerThreads = 8;

/// In a time that does not tell how much of it fits.
bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differs = 0;
  for (std::size_t k = 0; k < a.size(); ++k) differs |= static_cast<unsigned>(a[k]) ^ static_cast<unsigned>(b[k]);
  return differs == 0;
}

void send_nothing_found(httplib::Response& response) {
  response.status = 404;
  response.set_content("not found\n", "text/plain");
}

}  // namespace

struct PageServer::State {
  State(const std::string& shown, QuestionProcess& process) : page(served_page(shown)), questions(process) {}

  /// What follows "/TOKEN/"; nothing where the token is another one, or the request is not meant for this server.
  [[nodiscard]] std::optional<std::string> wanted(const httplib::Request& request) const {
    const std::string port_text = ":" + std::to_string(port), host = request.get_header_value("Host");
    if (host != kLoopback + port_text && host != "localhost" + port_text) return std::nullopt;
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host) return std::nullopt;
    const std::size_t end = request.path.find('/', 1);
    if (end == std::string::npos || !is_same_secret(std::string_view(request.path).substr(1, end - 1), token))
      return std::nullopt;
    return request.path.substr(end + 1);
  }

  void get(const httplib::Request& request, httplib::Response& response) const {
    if (wanted(request) != "") return send_nothing_found(response);
    // By a provider, since a text would be compressed anew each time, for longer than all else takes.
    response.set_content_provider(page.size(), "text/html; charset=utf-8",
                                  [this](std::size_t from, std::size_t length, httplib::DataSink& sink) {
                                    return sink.write(page.data() + from, length);
                                  });
  }

  void post(const httplib::Request& request, httplib::Response& response) const {
    if (wanted(request) != "ask") return send_nothing_found(response);
    // In pieces, since then the connection can be looked at: a page that is gone wants no answer.
    response.set_chunked_content_provider(
        "application/json", [this, question = request.body](std::size_t, httplib::DataSink& sink) {
          const std::string answer = any_answer(question, [&sink] { return sink.is_writable(); });
          sink.write(answer.data(), answer.size());
          sink.done();
          return true;
        });
  }

  /// An exception would be lost in the server's thread.
  [[nodiscard]] std::string any_answer(const std::string& question, const std::function<bool()>& is_wanted) const {
    try {
      return questions.ask(question, is_wanted);
    } catch (const std::exception& e) {
      return error_answer(e.what());
    }
  }

  void set_up() {
    server.new_task_queue = [] { return new httplib::ThreadPool(kServerThreads); };
    server.set_keep_alive_max_count(1);              // a body that is not read is not taken for the next request
    server.set_socket_options([](socket_t socket) {  // not the library's, by which two programs may share a port
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_payload_max_length(kMostQuestionBytes);
    server.set_read_timeout(10);
    server.set_default_headers({{"Cache-Control", "no-store"},
                                {"Referrer-Policy", "no-referrer"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"X-Frame-Options", "DENY"}});
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (wanted(request)) return httplib::Server::HandlerResponse::Unhandled;
      send_nothing_found(response);
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/.*", [this](const httplib::Request& q, httplib::Response& r) { get(q, r); });
    server.Post("/.*", [this](const httplib::Request& q, httplib::Response& r) { post(q, r); });
  }

  std::string page;
  QuestionProcess& questions;
  std::string token = random_token();
  int port = 0;
  httplib::Server server;
  std::thread thread;
};

PageServer::PageServer(int port, const std::string& page, QuestionProcess& questions)
    : state_(new State(page, questions)) {
  state_->set_up();
  errno = 0;
  if (port == 0)
    state_->port = state_->server.bind_to_any_port(kLoopback);
  else
    state_->port = state_->server.bind_to_port(kLoopback, port) ? port : -1;
  if (state_->port <= 0)
    throw InputError(why_no_port(port, errno));
}

PageServer::~PageServer() { end(); }

int PageServer::port() const { return state_->port; }

std::string PageServer::address() const {
  return std::string("http://") + kLoopback + ":" + std::to_string(state_->port) + "/" + state_->token + "/";
}

void PageServer::begin() {
  state_->thread = std::thread([this] { state_->server.listen_after_bind(); });
}

void PageServer::end() {
  if (!state_->thread.joinable()) return;
  state_->server.stop();
  state_->thread.join();
}

#else

struct PageServer::State {};

PageServer::PageServer(int, const std::string&, QuestionProcess&) {
  throw RunError(
      "this nowsim was built without cpp-httplib (Debian's libcpp-httplib-dev), so it cannot serve the page");
}
PageServer::~PageServer() = default;
int PageServer::port() const { return 0; }
std::string PageServer::address() const { return ""; }
void PageServer::begin() {}
void PageServer::end() {}

#endif

}  // namespace nowsim
