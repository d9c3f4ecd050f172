// Messages of spdlog's.
#include "tools/terminal/messages.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "tools/terminal/shown_stream.hpp"
#include "tools/terminal/terminal.hpp"

namespace nowsim {
namespace {

/// A message behind its level, as a terminal may have it.
class ShownMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::size_t behind = spdlog::level::to_string_view(message.level).size() + 2;  // "error: "
    const std::string text = shown_message({message.payload.data(), message.payload.size()},
                                           manner_of_descriptor(STDERR_FILENO), behind);
    out.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<ShownMessage>();
  }
};

}  // namespace

void set_up_messages() {
  const auto colours = shows_colours(STDERR_FILENO) ? spdlog::color_mode::automatic : spdlog::color_mode::never;
  const auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(colours);
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ShownMessage>('*').set_pattern("%^%l:%$ %*");
  sink->set_formatter(std::move(formatter));
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("nowsim", sink));
}

}  // namespace nowsim
