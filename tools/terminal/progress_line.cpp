// Writing progress, once a second on a terminal and every ten seconds elsewhere.
#include "tools/terminal/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/utf8.hpp"
#include "tools/terminal/terminal.hpp"

namespace nowsim {

using namespace std::chrono_literals;

namespace {

double share_of(std::uint64_t part, std::uint64_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// On all processes, as long as it took so far per second of one core, or per replication; nothing while none is done.
std::optional<double> left_s(const Progress& p, double seconds) {
  if (p.measured_s > 0) return p.left_s * seconds / p.measured_s;
  if (p.replications_done == 0) return std::nullopt;
  const std::uint64_t missing = p.replications_expected - p.replications_done - p.replications_stored;
  return static_cast<double>(missing) * seconds / static_cast<double>(p.replications_done);
}

/// What stays on one line of a terminal, beside a ^C.
std::string fitting(const std::string& text, std::size_t columns) {
  constexpr std::size_t kRoom = 3;
  const auto in_ascii = [](const std::string& line) { return shows_utf8() ? line : ascii_text(line); };
  const std::string shown = in_ascii(text);
  if (columns == 0 || shown_width(shown) + kRoom <= columns) return shown;
  return in_ascii(shortened(shown, columns - kRoom - shown_width(in_ascii("…"))));
}

}  // namespace

LineOutput error_stream_output() {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  const auto write = [is_terminal](const std::string& text) {
    const std::string line = fitting(text, terminal_columns(STDERR_FILENO));
    std::fprintf(stderr, "%s%s%s", is_terminal ? "\r\033[K" : "", line.c_str(), is_terminal ? "" : "\n");
    std::fflush(stderr);
  };
  return {is_terminal, write, [] { std::fputs("\r\033[K", stderr); }};
}

ProgressLine::ProgressLine(OverallProgress* whole, LineOutput output, LineClock now)
    : whole_(whole), output_(std::move(output)), now_(std::move(now)), start_(now_()),
      next_(start_ + (output_.renews ? 1s : 10s)) {}

void ProgressLine::clear() {
  if (shown_ && output_.renews) output_.wipe();
  shown_ = false;
}

bool ProgressLine::is_due(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + (output_.renews ? Clock::duration(1s) : Clock::duration(10s));
  return true;
}

void ProgressLine::write(const std::string& text) {
  output_.write(shown_line(text));
  shown_ = true;
}

double ProgressLine::elapsed_s() const { return std::chrono::duration<double>(now_() - start_).count(); }

void ProgressLine::show(const SplitProgress& p) {
  if (whole_ != nullptr) {
    const std::size_t all = p.wanted + p.recalled;
    whole_->searched(Search::splits, share_of(p.found + p.recalled, all), share_of(p.found, all));
  }
  if (!is_due(now_())) return;
  const std::string left = search_left(Search::splits, share_of(p.found, p.wanted), share_of(p.found, p.wanted));
  write(whole_ != nullptr ? whole_->text(elapsed_s())
                          : "finding splits by simulation: " + std::to_string(p.found) + "/" +
                                std::to_string(p.wanted) + left);
}

void ProgressLine::show(const SizeProgress& p) {
  if (whole_ != nullptr) whole_->searched(Search::sizes, p.share, p.simulated);
  if (!is_due(now_())) return;
  const std::string left = search_left(Search::sizes, p.share, p.simulated);
  write(whole_ != nullptr ? whole_->text(elapsed_s())
                          : "finding sizes by simulation: " + std::to_string(p.found) + "/" + std::to_string(p.wanted) +
                                ", round " + std::to_string(p.round) + left);
}

/// Shares of time, where it is known; else of replications.
void ProgressLine::tell_whole(const Progress& p) {
  const double stored = share_of(p.replications_stored, p.replications_expected);
  if (p.measured_s > 0) {
    const double simulated = (1 - stored) * p.measured_s / (p.measured_s + p.left_s);
    return whole_->ran(stored + simulated, simulated);
  }
  const double simulated = share_of(p.replications_done, p.replications_expected);
  whole_->ran(stored + simulated, simulated);
}

std::string ProgressLine::search_left(Search search, double share, double simulated) {
  const auto now = now_();
  if (search_ != search) search_start_ = search_ ? now : start_;
  search_ = search;
  constexpr double kTelling = 0.01;
  if (simulated < kTelling) return "";
  const double passed_s = std::chrono::duration<double>(now - search_start_).count();
  return ", about " + time_left_text(passed_s * (1 - share) / simulated) + " left";
}

/// Between batches the time that is left runs down.
std::string ProgressLine::points_text(const Progress& p) {
  const auto now = now_();
  const double seconds = elapsed_s();
  const std::string points = std::to_string(p.points_done) + "/" + std::to_string(p.points) + " points";
  const auto left = left_s(p, seconds);
  if (!left) return points;
  if (p.replications_done != told_) {
    told_ = p.replications_done;
    told_at_ = now;
    told_left_s_ = *left;
  }
  const double still_s = std::max(0.0, told_left_s_ - std::chrono::duration<double>(now - told_at_).count());
  const double rate = static_cast<double>(p.replications_done) / seconds;
  return points + ", " + format_quantity(rate, Dimension::number) + " replications/s, at most " +
         time_left_text(still_s) + " left";
}

void ProgressLine::show(const Progress& p) {
  if (whole_ != nullptr) tell_whole(p);
  if (!is_due(now_())) return;
  write(whole_ != nullptr ? whole_->text(elapsed_s()) : points_text(p));
}

StageLine::StageLine(bool quiet, LineOutput output, LineClock now)
    : output_(std::move(output)), now_(std::move(now)), start_(now_()), next_(start_ + 1s),
      silent_(quiet || !output_.renews) {}

void StageLine::show(const std::string& what) {
  if (silent_ || now_() < next_) return;
  next_ = now_() + 1s;
  output_.write(shown_line(what));
  shown_ = true;
}

void StageLine::show(const std::string& what, std::size_t part, std::size_t parts) {
  const double passed_s = std::chrono::duration<double>(now_() - start_).count();
  const double share = share_of(part, parts);
  const std::string left = part > 0 ? ", about " + time_left_text(passed_s * (1 - share) / share) + " left" : "";
  show(what + " " + std::to_string(part + 1) + " of " + std::to_string(parts) + left);
}

void StageLine::clear() {
  if (shown_) output_.wipe();
  shown_ = false;
}

}  // namespace nowsim
