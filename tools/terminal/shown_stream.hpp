// A stream for people and terminals: nothing that texts of users bring along is obeyed, and lines break between words.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "experiments/driver/text/stream_manner.hpp"

namespace nowsim {

/// How a stream that goes to a file descriptor is seen: by the terminal behind it, and in the user's locale.
StreamManner manner_of_descriptor(int descriptor);

/// A message as such a stream shows it, below one another where it is wide: its first line stands behind so many
/// characters, and the others below that.
std::string shown_message(const std::string& text, const StreamManner& manner, std::size_t behind);

/// While it lives, what is written to a stream arrives as shown_text() (sim/utf8.hpp), be it a table, CSV or JSON. With a
/// manner the stream is seen so: what is for people arrives in ASCII where nothing else can be shown, and lines that
/// are wider than the terminal break between words, as far to the right as they begin.
class ShownStream : public std::streambuf {
 public:
  explicit ShownStream(std::ostream& stream) : stream_(stream), target_(stream.rdbuf(this)) {}
  ShownStream(std::ostream& stream, StreamManner manner);
  ~ShownStream() override;
  ShownStream(const ShownStream&) = delete;
  ShownStream& operator=(const ShownStream&) = delete;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override { return target_->pubsync(); }

 private:
  bool write(std::string_view text);
  void add(std::string_view character);
  void end_word();
  void end_line();
  bool put(std::string_view text);

  std::ostream& stream_;
  std::streambuf* target_;
  std::optional<StreamManner> manner_;
  std::string begun_;  ///< bytes of a character whose rest is still to come
  // Of the line that is being written: its last blanks and word, held back until it is known where the word goes; how
  // many characters are before them, and how many blanks it begins with.
  std::string blanks_, word_;
  std::size_t used_ = 0, indent_ = 0, columns_ = 0;
  std::string broken_;  ///< what is to be handed on
};

}  // namespace nowsim
