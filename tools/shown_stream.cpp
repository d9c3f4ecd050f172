// Handing on whole characters, and holding back those that are not.
#include "tools/shown_stream.hpp"

#include "sim/base/utf8.hpp"

namespace nowsim {

ShownStream::~ShownStream() {
  write(begun_);
  stream_.rdbuf(target_);
}

bool ShownStream::write(std::string_view text) {
  const std::string shown = shown_text(text);
  const auto count = static_cast<std::streamsize>(shown.size());
  return target_->sputn(shown.data(), count) == count;
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
