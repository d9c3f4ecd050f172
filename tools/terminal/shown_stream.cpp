// Handing on whole characters, and holding back those that are not, and words whose line is not known yet.
#include "tools/terminal/shown_stream.hpp"

#include <algorithm>
#include <utility>

#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/utf8.hpp"
#include "tools/terminal/terminal.hpp"

namespace nowsim {

StreamManner manner_of_descriptor(int descriptor) {
  StreamManner manner;
  if (terminal_columns(descriptor) > 0) manner.columns = [descriptor] { return terminal_columns(descriptor); };
  manner.is_ascii = !shows_utf8();
  return manner;
}

std::string shown_message(const std::string& text, const StreamManner& manner, std::size_t behind) {
  const std::string shown = manner.is_ascii ? ascii_text(shown_text(text)) : shown_text(text);
  const std::size_t columns = manner.columns ? manner.columns() : 0;
  if (columns <= 2 * behind || behind + shown_width(shown) <= columns) return shown;
  std::string out;
  for (const std::string& line : broken_lines(shown, columns - behind))
    out += (out.empty() ? "" : "\n" + std::string(behind, ' ')) + line;
  return out;
}

ShownStream::ShownStream(std::ostream& stream, StreamManner manner)
    : stream_(stream), target_(stream.rdbuf(this)), manner_(std::move(manner)) {
  set_manner(stream_, &*manner_);
}

ShownStream::~ShownStream() {
  write(begun_);
  end_word();
  put(broken_ + blanks_);
  if (manner_) set_manner(stream_, nullptr);
  stream_.rdbuf(target_);
}

bool ShownStream::put(std::string_view text) {
  const auto count = static_cast<std::streamsize>(text.size());
  return target_->sputn(text.data(), count) == count;
}

void ShownStream::end_word() {
  if (word_.empty()) return;
  const std::size_t width = shown_width(word_);
  if (columns_ > 0 && used_ > indent_ && used_ + blanks_.size() + width > columns_) {
    broken_ += '\n' + std::string(indent_, ' ');
    used_ = indent_;
  } else {
    broken_ += blanks_;
    used_ += blanks_.size();
  }
  broken_ += word_;
  used_ += width;
  blanks_.clear();
  word_.clear();
}

void ShownStream::end_line() {
  end_word();
  broken_ += blanks_ + '\n';
  blanks_.clear();
  used_ = indent_ = 0;
}

void ShownStream::add(std::string_view character) {
  if (character == "\n") return end_line();
  const bool is_sign = word_ == "±" || word_ == "+/-";  // which stays with the number behind it
  if (is_sign && character == " ") {
    word_ += character;
    return;
  }
  if (character == " " || character == "\t") {
    end_word();
    blanks_ += character;
    return;
  }
  if (used_ == 0 && word_.empty()) indent_ = std::min(blanks_.size(), columns_ / 2);
  word_ += character;
}

bool ShownStream::write(std::string_view text) {
  const std::string shown = wants_ascii(stream_) ? ascii_text(shown_text(text)) : shown_text(text);
  columns_ = columns_of(stream_);
  if (columns_ == 0 && blanks_.empty() && word_.empty()) return put(shown);
  for (std::string_view rest = shown; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest).bytes);
    add(character);
    rest.remove_prefix(character.size());
  }
  if (columns_ == 0) {
    end_word();
    broken_ += std::exchange(blanks_, "");
  }
  return put(std::exchange(broken_, ""));
}

std::streamsize ShownStream::xsputn(const char* text, std::streamsize count) {
  const std::string all = begun_ + std::string(text, static_cast<std::size_t>(count));
  const std::size_t whole = all.size() - begun_character(all);
  begun_ = all.substr(whole);
  return write(std::string_view(all).substr(0, whole)) ? count : 0;
}

ShownStream::int_type ShownStream::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

}  // namespace nowsim
