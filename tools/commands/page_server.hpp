// The browser page over HTTP, for this machine alone: at an address that nobody guesses.
#pragma once

#include <memory>
#include <string>

namespace nowsim {

class QuestionProcess;

/// A page as it is served: it asks the server and not itself. The mark is an element with this id.
std::string served_page(const std::string& page);
inline constexpr const char* kServedMark = "nowsim-served";

/// Where it listens if nothing else is wanted: browsers keep a page's things by its address, and the port is part of
/// it.
inline constexpr int kUsualPort = 47113;

/// 128 random bits as hexadecimal digits. @throws RunError where the system gives none.
std::string random_token();

/// Why a port cannot be listened at, by errno.
std::string why_no_port(int port, int error);

/// At http://127.0.0.1:PORT/TOKEN/ the page, and at ask below it answers to what is posted; a question whose connection
/// is closed is ended. All else is not found, also under another host's name, and from another place's pages. Requests
/// are bounded in size and time, and connections without the token in number: of too many the oldest is closed.
class PageServer {
 public:
  /// Binds, but serves nothing yet; port 0: any that is free. @throws InputError where it is taken or not allowed.
  PageServer(int port, const std::string& page, QuestionProcess& questions);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] int port() const;
  [[nodiscard]] std::string address() const;
  /// Serves in a thread until end(). Questions that are open have to be ended before.
  void begin();
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nowsim
