// A stream for people and terminals: control characters that texts of users bring along are shown, not obeyed.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace nowsim {

/// While it lives, what is written to a stream arrives as shown_text() (sim/utf8.hpp), be it a table, CSV or JSON.
class ShownStream : public std::streambuf {
 public:
  explicit ShownStream(std::ostream& stream) : stream_(stream), target_(stream.rdbuf(this)) {}
  ~ShownStream() override;
  ShownStream(const ShownStream&) = delete;
  ShownStream& operator=(const ShownStream&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override { return target_->pubsync(); }

 private:
  bool write(std::string_view text);

  std::ostream& stream_;
  std::streambuf* target_;
  std::string begun_;  ///< bytes of a character whose rest is still to come
};

}  // namespace nowsim
