// The page's server: Boost.Asio's one thread for all connections, whose requests Boost.Beast parses.
#include "tools/commands/page_server.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "sim/base/error.hpp"
#include "tools/commands/question_process.hpp"

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

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Request = http::request<http::string_body>;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kMostHeadBytes = std::size_t{16} << 10U;  ///< request line and headers
constexpr std::size_t kMostQuestionBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostStrangers = 256;  ///< connections that have shown no token
constexpr std::chrono::seconds kMostHeadTime{10}, kMostQuestionTime{60}, kMostAnswerTime{60}, kMostRestTime{10};
constexpr std::chrono::milliseconds kPause{100};

/// In a time that does not tell how much of it fits.
bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differs = 0;
  for (std::size_t k = 0; k < a.size(); ++k) differs |= static_cast<unsigned>(a[k]) ^ static_cast<unsigned>(b[k]);
  return differs == 0;
}

std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// What stands before an answer's body; `length` is the header that tells where the body ends.
std::string head_of(http::status status, std::string_view type, const std::string& length) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\r\n",
      static_cast<unsigned>(status), text_of(http::obsolete_reason(status)), type, length);
}

}  // namespace

struct PageServer::State {
  class Connection;

  State(const std::string& shown, QuestionProcess& process) : page(served_page(shown)), questions(process) {}

  /// What follows "/TOKEN/"; nothing where the token is another one, or the request is not meant for this server.
  [[nodiscard]] std::optional<std::string> wanted(const Request& request) const {
    const std::string port_text = ":" + std::to_string(port), host = text_of(request[http::field::host]);
    if (request.count(http::field::host) != 1 || request.count(http::field::origin) > 1) return std::nullopt;
    if (host != kLoopback + port_text && host != "localhost" + port_text) return std::nullopt;
    if (request.count(http::field::origin) == 1 && text_of(request[http::field::origin]) != "http://" + host)
      return std::nullopt;
    const std::string target = text_of(request.target()), path = target.substr(0, target.find('?'));
    const std::size_t end = path.find('/', 1);
    if (end == std::string::npos || !is_same_secret(std::string_view(path).substr(1, end - 1), token))
      return std::nullopt;
    return path.substr(end + 1);
  }

  /// An exception would be lost in the worker's thread.
  [[nodiscard]] std::string any_answer(const std::string& question, const std::function<bool()>& is_wanted) const {
    try {
      return questions.ask(question, is_wanted);
    } catch (const std::exception& e) {
      return error_answer(e.what());
    }
  }

  void accept();

  std::string page;
  QuestionProcess& questions;
  std::string token = random_token();
  int port = 0;
  std::array<char, 65536> unread{};  ///< what is received and not looked at, of all connections
  /// Without the token, from the oldest on. They strike themselves off, so that it outlives them.
  std::list<Connection*> strangers;
  asio::io_context io;
  tcp::acceptor acceptor{io};
  asio::steady_timer pause{io};
  asio::thread_pool worker{1};  // since questions are answered one by one
  std::thread thread;
};

/// One request and its answer, in the server's thread. It lives as long as something is awaited with it.
class PageServer::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(State& server, tcp::socket socket) : server_(server), socket_(std::move(socket)) {
    parser_->header_limit(kMostHeadBytes);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // looked at when it has shown the token
    server_.strangers.push_back(this);
  }
  ~Connection() { server_.strangers.remove(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin() {
    limit(kMostHeadTime);
    http::async_read_header(socket_, buffer_, *parser_,
                            [self = shared_from_this()](ErrorCode error, std::size_t) { self->take_head(error); });
  }

  /// What is awaited comes to its end, with an error.
  void close() {
    ErrorCode ignored;
    socket_.close(ignored);
  }

 private:
  void take_head(ErrorCode error) {
    if (error == http::error::header_limit) return refuse(http::status::request_header_fields_too_large);
    if (error) return refuse(http::status::bad_request);
    const Request& request = parser_->get();
    const std::optional<std::string> wanted = server_.wanted(request);
    if (!wanted) return refuse(http::status::not_found);
    server_.strangers.remove(this);
    if (wanted->empty() && (request.method() == http::verb::get || request.method() == http::verb::head))
      return send(http::status::ok, "text/html; charset=utf-8", server_.page);
    if (*wanted != "ask" || request.method() != http::verb::post) return refuse(http::status::not_found);
    if (request.count(http::field::transfer_encoding) > 0) return refuse(http::status::length_required);
    if (parser_->content_length().value_or(0) > kMostQuestionBytes) return refuse(http::status::payload_too_large);
    limit(kMostQuestionTime);
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](ErrorCode e, std::size_t) {
      if (e) return self->refuse(http::status::bad_request);
      self->ask();
    });
  }

  /// The answer's head goes out at once, since browsers do not wait for it as long as a question may take.
  void ask() {
    deadline_.expires_at(Clock::time_point::max());
    read_on();
    text_ = head_of(http::status::ok, "application/json", "Transfer-Encoding: chunked");
    write({}, [this] {
      asio::post(server_.worker, [self = shared_from_this(), question = std::move(parser_->get().body())]() mutable {
        std::string answer = self->server_.any_answer(question, [&self] { return !self->is_gone_; });
        State& server = self->server_;
        asio::post(server.io, [self = std::move(self), answer = std::move(answer)] { self->send_answer(answer); });
      });
    });
  }

  void send_answer(const std::string& answer) {
    text_ = fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", answer.size(), answer);
    limit(kMostAnswerTime);
    write({}, [this] { finish(); });
  }

  void refuse(http::status status) {
    const auto reason = http::obsolete_reason(status);
    send(status, "text/plain", {reason.data(), reason.size()});
  }

  /// `body` is not copied.
  void send(http::status status, std::string_view type, std::string_view body) {
    text_ = head_of(status, type, fmt::format("Content-Length: {}", body.size()));
    if (parser_->get().method() == http::verb::head) body = {};
    parser_.reset();
    buffer_ = {};
    read_on();
    limit(kMostAnswerTime);
    write(body, [this] { finish(); });
  }

  /// Sends text_ and then `more`, and goes on with `next` where the other side is still there.
  template <typename Next>
  void write(std::string_view more, Next next) {
    const std::array<asio::const_buffer, 2> both{asio::buffer(text_), asio::buffer(more.data(), more.size())};
    asio::async_write(socket_, both, [self = shared_from_this(), next](ErrorCode error, std::size_t) {
      if (!error) next();
    });
  }

  /// Reads and forgets what comes after the request, and notices the end. A socket that is closed with something unread
  /// takes the answer back from who is still sending.
  void read_on() {
    socket_.async_read_some(asio::buffer(server_.unread), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error)
        self->is_gone_ = true;
      else
        self->read_on();
    });
  }

  void finish() {
    ErrorCode ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    limit(kMostRestTime);
  }

  /// Closes in that time from now, in place of the time given before.
  void limit(std::chrono::seconds time) {
    deadline_.expires_after(time);
    deadline_.async_wait([weak = weak_from_this()](ErrorCode error) {
      const auto self = weak.lock();
      if (!error && self && self->deadline_.expiry() <= Clock::now()) self->close();
    });
  }

  State& server_;
  tcp::socket socket_;
  asio::steady_timer deadline_{server_.io};
  boost::beast::flat_buffer buffer_{kMostHeadBytes};
  std::optional<http::request_parser<http::string_body>> parser_{std::in_place};
  std::string text_;  ///< what is being sent
  std::atomic<bool> is_gone_ = false;
};

void PageServer::State::accept() {
  acceptor.async_accept([this](ErrorCode error, tcp::socket socket) {
    if (!error) std::make_shared<Connection>(*this, std::move(socket))->begin();
    const bool may_drop = !strangers.empty();
    if (may_drop && (error || strangers.size() > kMostStrangers)) {  // an error: this process may open no more
      strangers.front()->close();
      strangers.pop_front();
    }
    if (!error || may_drop) return accept();
    pause.expires_after(kPause);
    pause.async_wait([this](ErrorCode) { accept(); });
  });
}

PageServer::PageServer(int port, const std::string& page, QuestionProcess& questions)
    : state_(new State(page, questions)) {
  try {
    state_->acceptor =
        tcp::acceptor(state_->io, {asio::ip::make_address_v4(kLoopback), static_cast<std::uint16_t>(port)});
    state_->port = state_->acceptor.local_endpoint().port();
  } catch (const boost::system::system_error& e) {
    throw InputError(why_no_port(port, e.code().value()));
  }
}

PageServer::~PageServer() { end(); }

int PageServer::port() const { return state_->port; }

std::string PageServer::address() const {
  return std::string("http://") + kLoopback + ":" + std::to_string(state_->port) + "/" + state_->token + "/";
}

void PageServer::begin() {
  state_->accept();
  state_->thread = std::thread([this] { state_->io.run(); });
}

void PageServer::end() {
  if (!state_->thread.joinable()) return;
  state_->worker.join();
  asio::post(state_->io, [this] { state_->io.stop(); });  // behind the last answers
  state_->thread.join();
}

}  // namespace nowsim
