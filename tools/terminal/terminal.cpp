// Asking the environment, the terminal and the C library.
#include "tools/terminal/terminal.hpp"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace nowsim {
namespace {

constexpr std::size_t kLeast = 20, kMost = 1000, kUsual = 80;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// 0: it does not say.
std::size_t columns_of_environment() {
  const std::string_view text = environment("COLUMNS");
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  return error == std::errc() && end == text.data() + text.size() ? columns : 0;
}

/// 0: it does not say.
std::size_t columns_of_terminal(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  if (isatty(descriptor) == 0) return 0;
  std::size_t columns = columns_of_environment();
  if (columns == 0) columns = columns_of_terminal(descriptor);
  return std::clamp(columns == 0 ? kUsual : columns, kLeast, kMost);
}

bool shows_utf8() {
  const locale_t users = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (users == nullptr) return false;
  const bool is_utf8 = std::string_view(nl_langinfo_l(CODESET, users)) == "UTF-8";
  freelocale(users);
  return is_utf8;
}

bool shows_colours(int descriptor) {
  return isatty(descriptor) != 0 && environment("TERM") != "dumb" && environment("NO_COLOR").empty();
}

}  // namespace nowsim
