// Writing progress, once a second on a terminal and every ten seconds elsewhere.
#include "tools/terminal/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/utf8.hpp"
#include "tools/terminal/terminal.hpp"

namespace nowsim {

using namespace std::chrono_literals;

namespace {

constexpr double kTrusted_s = 10;  // of estimates, at first: short experiments tell little of long ones

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

double seconds_of(std::chrono::steady_clock::duration passed) { return std::chrono::duration<double>(passed).count(); }

std::string of_all(std::size_t part, std::size_t all) { return std::to_string(part) + "/" + std::to_string(all); }

/// Between two lines, and before the first.
std::chrono::steady_clock::duration pause_of(const LineOutput& output) {
  return output.renews ? std::chrono::steady_clock::duration(1s) : std::chrono::steady_clock::duration(10s);
}

}  // namespace

std::string time_left_text(double seconds) {
  const double unit = seconds < 55 ? 10 : seconds < 3300 ? 60 : 600;
  return duration_text(std::max(1.0, std::round(seconds / unit)) * unit);
}

OverallProgress::OverallProgress(std::vector<Part> parts, int jobs)
    : parts_(std::move(parts)), estimated_s_(kTrusted_s), took_s_(kTrusted_s / jobs) {}

void OverallProgress::end(double took_s) {
  estimated_s_ += parts_[part_].estimated_s;
  took_s_ += took_s;
}

std::string OverallProgress::text(double passed_s, double least_s, std::optional<double> left_s) const {
  const auto expected_s = [&](const Part& part) { return part.estimated_s * took_s_ / estimated_s_; };
  double whole_s = left_s.value_or(std::max(least_s, expected_s(parts_[part_]) - passed_s));
  for (std::size_t k = part_ + 1; k < parts_.size(); ++k) whole_s += expected_s(parts_[k]);
  return "experiment " + std::to_string(part_ + 1) + " of " + std::to_string(parts_.size()) + ", about " +
         time_left_text(whole_s) + " left: " + parts_[part_].name + ", ";
}

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
      next_(start_ + pause_of(output_)) {}

void ProgressLine::clear() {
  if (shown_ && output_.renews) output_.wipe();
  shown_ = false;
}

bool ProgressLine::is_due(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + pause_of(output_);
  return true;
}

void ProgressLine::write(const std::string& text, double least_s, std::optional<double> left_s) {
  output_.write(shown_line((whole_ != nullptr ? whole_->text(elapsed_s(), least_s, left_s) : "") + text));
  shown_ = true;
}

double ProgressLine::elapsed_s() const { return seconds_of(now_() - start_); }

void ProgressLine::begin(std::size_t part) {
  if (whole_ != nullptr) whole_->begin(part);
  start_ = now_();
}

void ProgressLine::end() {
  if (whole_ != nullptr) whole_->end(elapsed_s());
}

void ProgressLine::show(const SplitProgress& p) {
  const double share = share_of(p.found, p.wanted);
  show_search(Sought::splits, of_all(p.found, p.wanted), share, share);
}

void ProgressLine::show(const SizeProgress& p) {
  show_search(Sought::sizes, of_all(p.found, p.wanted) + ", round " + std::to_string(p.round), p.share, p.simulated);
}

void ProgressLine::show_search(Sought sought, const std::string& found, double share, double simulated) {
  constexpr double kTelling = 0.01;
  const auto now = now_();
  if (!is_due(now)) return;
  if (search_ != sought) search_start_ = search_ ? now : start_;
  search_ = sought;
  const std::string text =
      std::string("finding ") + (sought == Sought::splits ? "splits" : "sizes") + " by simulation: " + found;
  if (simulated < kTelling) return write(text, 0);
  const double left_s = seconds_of(now - search_start_) * (1 - share) / simulated;
  const auto of_part_s = sought == Sought::sizes ? std::optional(left_s) : std::nullopt;
  write(text + ", about " + time_left_text(left_s) + " left", left_s, of_part_s);
}

/// Between batches the time that is left runs down.
std::optional<double> ProgressLine::points_left_s(const Progress& p) {
  const auto now = now_();
  const auto left = left_s(p, elapsed_s());
  if (!left) return left;
  if (p.replications_done != told_) {
    told_ = p.replications_done;
    told_at_ = now;
    told_left_s_ = *left;
  }
  return std::max(0.0, told_left_s_ - seconds_of(now - told_at_));
}

void ProgressLine::show(const Progress& p) {
  if (!is_due(now_())) return;
  std::string text = of_all(p.points_done, p.points) + " points";
  const auto left = points_left_s(p);
  if (left)
    text += ", " + format_quantity(static_cast<double>(p.replications_done) / elapsed_s(), Dimension::number) +
            " replications/s, at most " + time_left_text(*left) + " left";
  write(text, 0, left);
}

StageLine::StageLine(bool quiet, LineOutput output, LineClock now)
    : output_(std::move(output)), now_(std::move(now)), start_(now_()), next_(start_ + pause_of(output_)),
      quiet_(quiet) {}

void StageLine::show(const std::string& what) {
  what_ = what;
  go_on();
}

void StageLine::go_on() {
  if (quiet_ || now_() < next_) return;
  next_ = now_() + pause_of(output_);
  output_.write(shown_line(what_));
  shown_ = true;
}

void StageLine::show(const std::string& what, std::size_t part, std::size_t parts) {
  const double passed_s = seconds_of(now_() - start_);
  const double share = share_of(part, parts);
  const std::string left = part > 0 ? ", about " + time_left_text(passed_s * (1 - share) / share) + " left" : "";
  show(what + " " + std::to_string(part + 1) + " of " + std::to_string(parts) + left);
}

void StageLine::clear() {
  if (shown_ && output_.renews) output_.wipe();
  shown_ = false;
}

}  // namespace nowsim
